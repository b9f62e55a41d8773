//! The objects below a URL, and spans of them.

use crate::fetch::Span;
use crate::location::ObjectUrl;
use crate::pace::backoff;
use crate::refusal::{FetchError, deepest};
use crate::stores::Stores;
use futures_util::TryStreamExt as _;
use object_store::path::Path as ObjectPath;
use object_store::{Error, ObjectMeta, ObjectStore as _};
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use tokio::time::sleep;

/// An object below a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedObject {
    /// Its path from there on: names without `..`.
    pub path: PathBuf,
    /// Its URL.
    pub url: ObjectUrl,
    /// Its size in bytes.
    pub bytes: u64,
}

impl Stores {
    /// The objects below a URL. Fails where a store cannot list, as servers cannot.
    pub fn list(&self, below: &ObjectUrl) -> Result<Vec<ListedObject>, FetchError> {
        if !below.can_be_listed() {
            let cause = "a server behind HTTP has no list of its files; name the folder as s3://, gs:// or az://";
            return Err(FetchError::unread(cause));
        }
        let host = self.host(below)?;
        let prefix = below.path();
        let (tries, waits) = self.tries();
        let list = async {
            let mut failures = 0;
            loop {
                host.pace.turn().await;
                let found: Result<Vec<ObjectMeta>, Error> = host.store.list(Some(&prefix)).try_collect().await;
                match found {
                    Ok(found) => return Ok(found),
                    Err(
                        error @ (Error::PermissionDenied { .. }
                        | Error::Unauthenticated { .. }
                        | Error::NotFound { .. }),
                    ) => return Err(error),
                    Err(error) if failures + 1 >= tries => return Err(error),
                    Err(_) => {
                        failures += 1;
                        sleep(backoff(failures, waits.first, waits.longest)).await;
                    }
                }
            }
        };
        let found = self.runtime()?.block_on(list);
        let found =
            found.map_err(|error| FetchError::unread(format_args!("it cannot be listed: {}", deepest(&error))))?;
        found.into_iter().map(|object| listed(below, &prefix, &object)).collect()
    }

    /// The spans of an object, which are fetched at the same time. Fails where the object has another size than was listed,
    /// and where `stop` is set.
    pub fn spans(&self, object: &ListedObject, spans: &[Range<u64>], stop: &AtomicBool) -> io::Result<Vec<Vec<u8>>> {
        let start = |wanted: &Range<u64>| {
            let span = Span { from: wanted.start, to: Some(wanted.end), known: None };
            (!wanted.is_empty()).then(|| self.fetch(&object.url, span, true))
        };
        let started: Vec<_> = spans.iter().map(start).collect();
        (started.into_iter().zip(spans))
            .map(|(pending, wanted)| {
                let mut bytes = Vec::with_capacity(usize::try_from(wanted.end - wanted.start).unwrap_or_default());
                let Some(pending) = pending else { return Ok(bytes) };
                let found = pending.read_span(stop, &mut bytes)?;
                if found != object.bytes {
                    let cause = format!("the object has {found} bytes, and had {} when it was listed", object.bytes);
                    return Err(io::Error::other(cause));
                }
                Ok(bytes)
            })
            .collect()
    }

    /// All bytes of objects, fetched ahead of one another.
    pub fn whole(&self, objects: &[ListedObject], stop: &AtomicBool) -> io::Result<Vec<Vec<u8>>> {
        let started: Vec<_> = objects.iter().map(|object| self.start(&object.url)).collect();
        (started.into_iter())
            .map(|pending| {
                let mut bytes = Vec::new();
                pending.open(stop)?.read_to_end(&mut bytes)?;
                Ok(bytes)
            })
            .collect()
    }
}

/// Refuses a name that is no path below a folder.
fn listed(below: &ObjectUrl, prefix: &ObjectPath, object: &ObjectMeta) -> Result<ListedObject, FetchError> {
    let refused = |cause: &dyn std::fmt::Display| {
        FetchError::unread(format_args!("it has an object that is no file of tables: {}: {cause}", object.location))
    };
    let parts = object.location.prefix_match(prefix).ok_or_else(|| refused(&"it is not below the folder"))?;
    let path: PathBuf = parts.map(|part| part.as_ref().to_owned()).collect();
    let is_plain = |part: std::path::Component<'_>| matches!(part, std::path::Component::Normal(_));
    if path.as_os_str().is_empty() || !path.components().all(is_plain) {
        return Err(refused(&"its name leads elsewhere"));
    }
    let url = below.at(&object.location).map_err(|refusal| refused(&refusal.cause))?;
    Ok(ListedObject { path, url, bytes: object.size })
}
