//! Objects behind URLs, read as files: in S3, Google Cloud Storage and Azure, and on HTTP servers.
//!
//! [`Location`] is the place of an archive: a file or a URL. [`Stores`] fetches objects ahead of those who read them, and
//! an [`ObjectReader`] is one of them as `Read` and `Seek`. Readers block; the runtime that fetches is in here alone.
//!
//! Who retries: this crate, in `fetch`, for whatever fails on the way: a request that is not answered, an answer that
//! asks for patience, a body that breaks off. The crate `object_store` below it signs requests and finds credentials, and
//! retries nothing. So each request is counted once and waits for its turn, see `pace`.
//!
//! Invariants:
//!
//! - No secret is shown or kept: a URL with a password or a query is refused, and of an error only the status, a code and
//!   the deepest cause are told.
//! - A small object is handed over whole or not at all. Of a large one, no byte is handed over twice or from two versions.
//! - Only hosts are asked that the user has named.

mod budget;
mod buffer;
mod fetch;
mod folder;
mod host;
mod location;
mod options;
mod pace;
mod reader;
mod refusal;
mod service;
mod stores;

pub use folder::{ListedObject, Replaces};
pub use location::{Location, ObjectUrl, UrlRefusal};
pub use options::{StoreOptions, Waits};
pub use reader::{ObjectReader, Pending};
pub use refusal::{FetchError, FetchErrorKind};
pub use stores::{ObjectStamp, Stores};
