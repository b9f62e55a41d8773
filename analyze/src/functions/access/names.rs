//! The names of the table functions.

pub(in crate::functions) const ACCESS: &str = "robots_access";

pub(in crate::functions) const BODY_ACCESS: &str = "robots_body_access";
