//! All hosts of a run.

use crate::budget::Budget;
use crate::buffer::Buffer;
use crate::fetch::{Fetch, Span};
use crate::host::Host;
use crate::location::{Location, ObjectUrl};
use crate::options::{StoreOptions, Waits};
use crate::reader::Pending;
use crate::refusal::FetchError;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::runtime::{Builder, Runtime};

/// Two threads decrypt as fast as sixteen inflate.
const THREADS: usize = 2;

/// All hosts of a run. Copies share them. Nothing is connected, and no thread is started, before an object is asked for.
#[derive(Debug, Clone, Default)]
pub struct Stores(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    options: StoreOptions,
    budget: Arc<Budget>,
    runtime: OnceLock<Runtime>,
    hosts: Mutex<Hosts>,
}

#[derive(Debug, Default)]
struct Hosts {
    /// By scheme and host.
    open: BTreeMap<String, Result<Arc<Host>, FetchError>>,
    /// Those that the user has named.
    named: BTreeSet<String>,
}

impl Default for Shared {
    fn default() -> Self {
        Shared::new(StoreOptions::default())
    }
}

impl Shared {
    fn new(options: StoreOptions) -> Self {
        let budget = Arc::new(Budget::new(options.ahead_bytes));
        Shared { options, budget, runtime: OnceLock::new(), hosts: Mutex::default() }
    }

    fn hosts(&self) -> MutexGuard<'_, Hosts> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Not waiting for a name that is being looked up, since a run that is stopped ends at once.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// What an object is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectStamp {
    /// Its size in bytes.
    pub bytes: u64,
    /// Its ETag, if it has one.
    pub etag: Option<String>,
}

impl Stores {
    /// Stores that are asked in this way.
    #[must_use]
    pub fn new(options: StoreOptions) -> Self {
        Stores(Arc::new(Shared::new(options)))
    }

    /// Says that the user has named a place, so that its host may be asked, if it has one. A folder of tables can come from
    /// somebody else, and its plan names no host by itself.
    pub fn allow(&self, named: &Location) {
        let Location::Object(url) = named else { return };
        let mut hosts = self.0.hosts();
        if !hosts.named.contains(url.authority()) {
            hosts.named.insert(url.authority().to_owned());
        }
    }

    /// Starts to fetch an object.
    #[must_use]
    pub fn start(&self, url: &ObjectUrl) -> Pending {
        self.fetch(url, Span::default(), false)
    }

    /// How many requests have left for objects.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.0.hosts().open.values().flatten().map(|host| host.pace.requests()).sum()
    }

    /// Starts to fetch a span; at once, where somebody waits for it.
    pub(crate) fn fetch(&self, url: &ObjectUrl, span: Span, is_front: bool) -> Pending {
        let buffer = Arc::new(Buffer::new(Arc::clone(&self.0.budget)));
        if is_front {
            buffer.come_to_front();
        }
        let started = self.host(url).and_then(|host| Ok((host, self.runtime()?)));
        let task = match started {
            Ok((host, runtime)) => {
                let StoreOptions { waits, tries, .. } = self.0.options;
                let fetch = Fetch { host, path: url.path(), buffer: Arc::clone(&buffer), waits, tries: tries.get() };
                let task = if is_front { runtime.spawn(fetch.run_now(span)) } else { runtime.spawn(fetch.run(span)) };
                Some(task.abort_handle())
            }
            Err(error) => {
                buffer.end(Err(error));
                None
            }
        };
        Pending::new(self.clone(), url.clone(), buffer, task)
    }

    /// How often a request may fail in a row, and how long to wait.
    pub(crate) fn tries(&self) -> (u32, Waits) {
        (self.0.options.tries.get(), self.0.options.waits)
    }

    pub(crate) fn host(&self, url: &ObjectUrl) -> Result<Arc<Host>, FetchError> {
        let mut hosts = self.0.hosts();
        if !hosts.named.contains(url.authority()) {
            let authority = url.authority();
            return Err(FetchError::unread(format_args!("this command names nothing at {authority}; name it again")));
        }
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
