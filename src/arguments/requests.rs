//! The limits on requests to stores, for all commands that make requests.

use super::jobs::count_up_to;
use clap::Args;
use std::num::NonZeroUsize;
use stores::{StoreOptions, Stores};

/// The limits on requests.
#[derive(Debug, Clone, Args)]
pub(crate) struct RequestArguments {
    /// The most requests per second to one host or bucket. By default 3 for data.commoncrawl.org, which blocks clients
    /// that send too many, 10 for other servers, and 100 for buckets. Fewer are sent while a host asks for that.
    #[arg(long, global = true, value_name = "N", value_parser = requests_per_second)]
    requests_per_second: Option<f64>,
    /// The most connections to one host or bucket; by default 16 for buckets and 4 for servers.
    #[arg(long, global = true, value_name = "N", value_parser = connection_count)]
    connections: Option<NonZeroUsize>,
}

/// The most connections that can be asked for: as many as a process may usually have open files.
const MOST_CONNECTIONS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1023);

fn connection_count(typed: &str) -> Result<NonZeroUsize, String> {
    count_up_to(MOST_CONNECTIONS, typed)
}

fn requests_per_second(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("not a number above 0, such as 2 or 0.5"),
    }
}

impl RequestArguments {
    /// Stores with these limits.
    pub(crate) fn stores(&self) -> Stores {
        self.limit(StoreOptions::default())
    }

    /// Stores with these limits, from which a number of threads read archives.
    pub(super) fn stores_for(&self, jobs: NonZeroUsize) -> Stores {
        self.limit(StoreOptions::for_jobs(jobs))
    }

    fn limit(&self, mut options: StoreOptions) -> Stores {
        options.requests_per_second = self.requests_per_second;
        options.connections = self.connections;
        Stores::new(options)
    }
}
