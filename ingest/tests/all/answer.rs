//! HTTP responses: properties of any bytes, hostile and damaged responses, and those in real archives.

mod archive;
mod bodies;
mod encode;
mod hostile;
mod properties;

pub(crate) use encode::gzip;
