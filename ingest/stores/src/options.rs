//! How requests are made.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

/// How requests are made.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// The most requests a second to one host or bucket; without it, the default for that host.
    pub requests_per_second: Option<f64>,
    /// The most connections to one host or bucket; without it, the default for that host.
    pub connections: Option<NonZeroUsize>,
    /// How often in a row a request for an object may fail.
    pub tries: NonZeroU32,
    /// How long to wait, and for what.
    pub waits: Waits,
    /// How many bytes are in memory that were fetched and not yet read.
    pub ahead_bytes: usize,
}

/// How long to wait, and for what.
#[derive(Debug, Clone, Copy)]
pub struct Waits {
    /// Before the second try. Each further wait is twice as long,
    pub first: Duration,
    /// but no longer than this, unless the server asks for more.
    pub longest: Duration,
    /// For the head of an answer, and for each piece of its body.
    pub stall: Duration,
}

impl StoreOptions {
    /// For so many working threads: 16 MiB a thread are read ahead, eight archives of Common Crawl.
    #[must_use]
    pub fn for_jobs(jobs: NonZeroUsize) -> Self {
        let ahead_bytes = jobs.get().saturating_mul(16 << 20);
        StoreOptions { ahead_bytes, ..StoreOptions::default() }
    }
}

impl Default for StoreOptions {
    /// The waits of ten tries add up to four minutes. A block by CloudFront lasts some minutes, since it counts the requests
    /// of the last five.
    fn default() -> Self {
        let seconds = Duration::from_secs;
        StoreOptions {
            requests_per_second: None,
            connections: None,
            tries: NonZeroU32::new(10).unwrap_or(NonZeroU32::MIN),
            waits: Waits { first: seconds(1), longest: seconds(60), stall: seconds(30) },
            ahead_bytes: 32 << 20,
        }
    }
}
