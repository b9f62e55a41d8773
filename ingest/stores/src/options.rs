//! How requests are made.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

/// How requests are made.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// The most requests per second to one host or bucket; `None` for the default of that host.
    pub requests_per_second: Option<f64>,
    /// The most connections to one host or bucket; `None` for the default of that host.
    pub connections: Option<NonZeroUsize>,
    /// After how many failures in a row an object fails.
    pub tries: NonZeroU32,
    /// How long to wait between tries and for responses.
    pub waits: Waits,
    /// How many fetched bytes may be in memory before they are read.
    pub ahead_bytes: usize,
}

/// How long to wait between tries and for responses.
#[derive(Debug, Clone, Copy)]
pub struct Waits {
    /// The wait before the second try. Each further wait is twice as long.
    pub first: Duration,
    /// The longest wait between tries, unless the server asks for more.
    pub longest: Duration,
    /// The timeout for the head of a response, and for each chunk of its body. Waiting for chunks this long shows how
    /// fast a connection is.
    pub stall: Duration,
}

impl StoreOptions {
    /// The options for a number of worker threads: 16 MiB are fetched ahead per thread, which is 8 archives of Common
    /// Crawl.
    #[must_use]
    pub fn for_jobs(jobs: NonZeroUsize) -> Self {
        let ahead_bytes = jobs.get().saturating_mul(16 << 20);
        StoreOptions { ahead_bytes, ..StoreOptions::default() }
    }
}

impl Default for StoreOptions {
    /// The waits of 10 tries add up to 4 minutes. CloudFront counts the requests of the last 5 minutes, so a block by
    /// it lasts some minutes.
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
