//! Options of stores for tests.

use std::num::NonZeroU32;
use std::time::Duration;
use stores::{StoreOptions, Waits};

/// No limit on requests, and short waits. Only the stall timeout is long, for slow machines.
pub(crate) fn options() -> StoreOptions {
    let waits =
        Waits { first: Duration::from_millis(1), longest: Duration::from_millis(4), stall: Duration::from_secs(60) };
    StoreOptions {
        requests_per_second: Some(1e6),
        tries: NonZeroU32::new(4).unwrap(),
        waits,
        ..StoreOptions::default()
    }
}
