//! Options of stores for tests.

#![allow(clippy::unwrap_used, reason = "called by tests, which fail by them")]
#![allow(unreachable_pub, reason = "it is a module of several test programs")]

use std::num::NonZeroU32;
use std::time::Duration;
use stores::{StoreOptions, Waits};

/// No limit on requests, and short waits. Only the stall timeout is long, for slow machines.
pub fn options() -> StoreOptions {
    let waits =
        Waits { first: Duration::from_millis(1), longest: Duration::from_millis(4), stall: Duration::from_secs(60) };
    StoreOptions {
        requests_per_second: Some(1e6),
        tries: NonZeroU32::new(4).unwrap(),
        waits,
        ..StoreOptions::default()
    }
}
