//! The hosts of a run, and the runtime that fetches from them.

use crate::budget::Budget;
use crate::buffer::Buffer;
use crate::fetch::{ByteSpan, Fetch};
use crate::host::Host;
use crate::location::{Location, ObjectUrl};
use crate::options::{StoreOptions, Waits};
use crate::refusal::FetchError;
use crate::request::ObjectRequest;
use parking_lot::{Mutex, MutexGuard};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};
use tokio::runtime::{Builder, Runtime};

/// Two threads decrypt TLS as fast as sixteen threads inflate gzip.
const THREADS: usize = 2;

/// All hosts of a run. Clones share them. Connections and threads start with the first object.
#[derive(Debug, Clone, Default)]
pub struct Stores(Arc<SharedStores>);

#[derive(Debug)]
struct SharedStores {
    options: StoreOptions,
    budget: Arc<Budget>,
    runtime: OnceLock<Runtime>,
    hosts: Mutex<Hosts>,
}

#[derive(Debug, Default)]
struct Hosts {
    /// By scheme and host.
    open: BTreeMap<String, Result<Arc<Host>, FetchError>>,
    /// The hosts that the user has named, by scheme and host.
    named: BTreeSet<String>,
}

impl Default for SharedStores {
    fn default() -> Self {
        SharedStores::new(StoreOptions::default())
    }
}

impl SharedStores {
    fn new(options: StoreOptions) -> Self {
        let budget = Arc::new(Budget::new(options.ahead_bytes));
        SharedStores { options, budget, runtime: OnceLock::new(), hosts: Mutex::default() }
    }

    fn hosts(&self) -> MutexGuard<'_, Hosts> {
        self.hosts.lock()
    }
}

impl Drop for SharedStores {
    fn drop(&mut self) {
        // Without waiting for a DNS lookup, so that a stopped run ends immediately.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The size and version of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectStamp {
    /// Its size in bytes.
    pub bytes: u64,
    /// Its ETag, if it has one.
    pub etag: Option<String>,
}

impl Stores {
    /// Stores with these options.
    #[must_use]
    pub fn new(options: StoreOptions) -> Self {
        Stores(Arc::new(SharedStores::new(options)))
    }

    /// Allows requests to the host of a place that the user has named. The plan in a folder of tables may come from
    /// somebody else, so a URL in it allows nothing.
    pub fn allow(&self, named: &Location) {
        let Location::Object(url) = named else { return };
        let mut hosts = self.0.hosts();
        if !hosts.named.contains(url.authority()) {
            hosts.named.insert(url.authority().to_owned());
        }
    }

    /// Fails if requests to the host of an object are not allowed.
    pub fn check_allowed(&self, url: &ObjectUrl) -> Result<(), FetchError> {
        let authority = url.authority();
        if self.0.hosts().named.contains(authority) {
            return Ok(());
        }
        let cause = format_args!(
            "no URL of this command is at {authority}; name this one in the command to allow requests to it"
        );
        Err(FetchError::unread(cause))
    }

    /// How many requests were sent, without those for credentials.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.0.hosts().open.values().flatten().map(|host| host.pace.requests()).sum()
    }

    /// Starts to fetch a span. If a reader waits for it, it does not wait for a free connection.
    pub(crate) fn fetch(&self, url: &ObjectUrl, span: ByteSpan, is_awaited: bool) -> ObjectRequest {
        let buffer = Arc::new(Buffer::new(Arc::clone(&self.0.budget)));
        if is_awaited {
            buffer.set_awaited();
        }
        let started = self.host(url).and_then(|host| Ok((host, self.runtime()?)));
        let task = match started {
            Ok((host, runtime)) => {
                let StoreOptions { waits, tries, .. } = self.0.options;
                let fetch = Fetch { host, path: url.path(), buffer: Arc::clone(&buffer), waits, tries: tries.get() };
                let task = if is_awaited { runtime.spawn(fetch.run_now(span)) } else { runtime.spawn(fetch.run(span)) };
                Some(task.abort_handle())
            }
            Err(error) => {
                buffer.finish(Err(error));
                None
            }
        };
        ObjectRequest::new(buffer, task)
    }

    /// How many failures in a row an object may have, and how long to wait.
    pub(crate) fn tries(&self) -> (u32, Waits) {
        (self.0.options.tries.get(), self.0.options.waits)
    }

    pub(crate) fn host(&self, url: &ObjectUrl) -> Result<Arc<Host>, FetchError> {
        self.check_allowed(url)?;
        let mut hosts = self.0.hosts();
        if let Some(open) = hosts.open.get(url.authority()) {
            return open.clone();
        }
        let open = Host::open(url, &self.0.options).map(Arc::new);
        hosts.open.insert(url.authority().to_owned(), open.clone());
        open
    }

    pub(crate) fn runtime(&self) -> Result<&Runtime, FetchError> {
        if let Some(runtime) = self.0.runtime.get() {
            return Ok(runtime);
        }
        let builder = Builder::new_multi_thread().worker_threads(THREADS).thread_name("stores").enable_all().build();
        let runtime = builder.map_err(|error| FetchError::unread(format_args!("no thread was started: {error}")))?;
        Ok(self.0.runtime.get_or_init(|| runtime))
    }
}
