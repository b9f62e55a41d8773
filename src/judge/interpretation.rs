//! How to read a robots.txt when judging URLs.

use robots::{Dialect, Naming};

/// The dialect of the file, and which user-agent lines name the crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interpretation {
    pub(crate) dialect: Dialect,
    pub(crate) naming: Naming,
}
