//! Any URL can be split, and the fast path agrees with the crate `url`. Any location can be resolved or rejected.
//!
//! An input is a URL and a location, with a line end between them.
#![no_main]

use ingest::site::{MAX_REDIRECT_BYTES, UrlParts, redirect_target};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let mut parts = input.splitn(2, |byte| *byte == b'\n');
    let (Some(url), Some(location)) = (parts.next(), parts.next()) else { return };
    let quick = UrlParts::split(url);
    assert_eq!(format!("{quick:?}"), format!("{:?}", UrlParts::by_url_crate(url)));
    assert!(quick.registered_domain().is_none_or(|domain| quick.host_name.as_deref().unwrap_or_default().ends_with(domain)));
    if let Ok(target) = redirect_target(&quick.url, location) {
        assert!(target.len() <= 4 * MAX_REDIRECT_BYTES);
        let again = UrlParts::split(target.as_bytes());
        assert!(again.protocol.is_some(), "{target}");
    }
});
