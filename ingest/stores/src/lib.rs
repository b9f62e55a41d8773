//! Reads objects with URLs as files, in S3, Google Cloud Storage and Azure, and on HTTP servers. Except on HTTP servers,
//! it also lists, writes, copies and deletes them.
//!
//! A [`Location`] is the place of an archive: a file or a URL. [`Stores`] fetches objects before they are read. An
//! [`ObjectReader`] reads one object through `Read` and `Seek`. Readers block; the async runtime is internal to this
//! crate.
//!
//! This crate retries, in `retry`: after a request without a response, a response that asks to slow down, or a body
//! that breaks off. The crate `object_store` signs requests and finds credentials, and retries nothing. So each request
//! is counted once and waits for its turn; see `pace`.
//!
//! Invariants:
//!
//! - No secret is printed or stored: a URL with a password or a query is rejected, and an error shows only the status,
//!   a code and the root cause.
//! - A reader gets a small object whole or not at all. It gets no byte of a large object twice or from two versions.
//! - Requests go only to hosts that the user has named.

mod budget;
mod buffer;
mod chunks;
mod fetch;
mod folder;
mod host;
mod location;
mod options;
mod pace;
mod reader;
mod refusal;
mod request;
mod retry;
mod service;
mod store_error;
mod stores;

pub use folder::{ListedObject, Replaces};
pub use location::{Location, ObjectUrl, UrlRefusal, secret_in};
pub use options::{StoreOptions, Waits};
pub use pace::random_share;
pub use reader::{ObjectReader, Pending};
pub use refusal::{FetchError, FetchErrorKind};
pub use stores::{ObjectStamp, Stores};
