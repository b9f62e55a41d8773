//! Properties of any target. The seed is fixed, so all runs are equal.

use committed::full::step;
use ingest::site::{MAX_REDIRECT_BYTES, TargetRemark, UrlParts, redirect_target};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use url::Url;

fn config(cases: u32) -> ProptestConfig {
    let cases = cases / u32::try_from(step(4)).unwrap();
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(9309), failure_persistence: None, ..ProptestConfig::default() }
}

/// Most of these take the fast path, and some just miss it.
const PLAIN: &str = "https?://([a-z0-9_-]{1,8}\\.){0,3}[a-z0-9][a-z0-9-]{0,5}(:[0-9]{1,5})?\
    /([a-zA-Z0-9~!$&()*+,;=:@._-]{0,6}/?){0,3}(robots\\.txt)?(\\?[a-z0-9%?/=&.]{0,8})?";

const PIECES: [&[u8]; 62] = [
    b"http",
    b"https",
    b"HTTP",
    b"ftp",
    b"file",
    b"dns",
    b":",
    b"://",
    b"/",
    b"//",
    b"\\",
    b"?",
    b"#",
    b"@",
    b"[",
    b"]",
    b"<",
    b">",
    b".",
    b"..",
    b"%",
    b"%2e",
    b"%00",
    b"%C3%BC",
    b"www",
    b"example",
    b"com",
    b"co.uk",
    b"blogspot.com",
    b"xn--",
    b"xn--bcher-kva",
    b"-",
    b"_",
    b"0",
    b"80",
    b"443",
    b"65536",
    b"192.0.2.1",
    b"0x7f",
    b"::1",
    b"robots.txt",
    b"a",
    b"Z",
    b" ",
    b"\t",
    b"\n",
    b"\r",
    b"\0",
    b"\x7f",
    b"\x80",
    b"\xff",
    b"\xc3",
    b"\xc3\xbc",
    b"\xc3\x9f",
    b"\xe2\x80\x8d",
    b"\xe3\x80\x82",
    b"\xef\xbc\x8e",
    b"\xd7\x90",
    b"\xf0\x9f\xa7\xa0",
    b"http://example.com/",
    b"https://example.com:443/robots.txt",
    b"'",
];

fn soup() -> impl Strategy<Value = Vec<u8>> {
    let pieces = proptest::collection::vec(select(&PIECES[..]), 0..12);
    (select(&["", "", "http://", "https://"][..]), pieces)
        .prop_map(|(scheme, pieces)| [scheme.as_bytes(), &pieces.concat()].concat())
}

/// Checks properties of the parts of any target.
fn check(target: &[u8]) {
    let parts = UrlParts::split(target);
    assert_eq!(parts, UrlParts::by_url_crate(target), "{}", target.escape_ascii());
    let host = parts.host_name.as_deref();
    for part in [parts.tld(), parts.registered_domain(), parts.private_domain()].into_iter().flatten() {
        assert!(!part.is_empty() && host.is_some_and(|host| host.ends_with(part)), "{}", target.escape_ascii());
    }
    if let (Some(registered), Some(private)) = (parts.registered_domain(), parts.private_domain()) {
        assert!(private.ends_with(registered), "{}", target.escape_ascii());
    }
    let has = |remark| parts.remarks.has(remark);
    // All parts are missing without a scheme. Any other missing part has a remark as its reason.
    assert_eq!(parts.protocol.is_none(), parts.path.is_none());
    let has_no_host = [TargetRemark::NoHost, TargetRemark::HostInvalid, TargetRemark::PortInvalid].into_iter().any(has);
    assert_eq!(host.is_none(), parts.protocol.is_none() || has_no_host, "{}", target.escape_ascii());
    let has_no_domain = [
        TargetRemark::IpAddress,
        TargetRemark::EmptyLabel,
        TargetRemark::LongLabel,
        TargetRemark::UnlistedSuffix,
        TargetRemark::HostIsSuffix,
    ];
    let reasons = has_no_domain.into_iter().any(has) || host.is_none();
    assert!(parts.private_domain().is_some() || reasons, "{}", target.escape_ascii());
    assert!(parts.registered_domain().is_some() || reasons, "{}", target.escape_ascii());
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn plain_targets(target in PLAIN) {
        check(target.as_bytes());
        // Compares with the crate itself, so that a mistake of ours is not on both sides.
        let (parts, url) = (UrlParts::split(target.as_bytes()), Url::parse(&target));
        if let Ok(url) = url {
            prop_assert_eq!(parts.protocol.as_deref(), Some(url.scheme()));
            prop_assert_eq!(parts.host_name.as_deref(), url.host_str());
            prop_assert_eq!(parts.port.or(url.port_or_known_default()), url.port_or_known_default());
            prop_assert_eq!(parts.path.as_deref(), Some(url.path()));
            prop_assert_eq!(parts.query.as_deref(), url.query());
        }
    }

    #[test]
    fn soups(target in soup()) {
        check(&target);
    }

    #[test]
    fn any_bytes(target in proptest::collection::vec(any::<u8>(), 0..60)) {
        check(&target);
        check(&[b"http://", &target[..]].concat());
    }

    /// A redirect leads to a complete URL. The crate agrees, and resolving it again changes nothing.
    #[test]
    fn redirects(base in soup(), location in prop_oneof![soup(), PLAIN.prop_map(String::into_bytes)]) {
        let base = UrlParts::split(&base).url;
        if let Ok(target) = redirect_target(&base, &location) {
            prop_assert!(target.len() <= MAX_REDIRECT_BYTES && target.is_ascii());
            let Ok(parsed) = Url::parse(&target) else {
                // The crate rejects the host, but a capture of it is kept.
                prop_assert!(UrlParts::split(target.as_bytes()).remarks.has(TargetRemark::HostKeptAsWritten));
                return Ok(());
            };
            // Of two dots at the end of a host, each step drops one, as Common Crawl's index does.
            if !parsed.host_str().is_some_and(|host| host.ends_with('.')) {
                let again = redirect_target(&base, target.as_bytes());
                prop_assert_eq!(again.as_deref(), Ok(target.as_ref()));
            }
            prop_assert!(parsed.has_host() && parsed.fragment().is_none());
            prop_assert_eq!(parsed.as_str(), target.as_ref());
            if let (Ok(base), Ok(location)) = (Url::parse(&base), std::str::from_utf8(&location)) {
                let joined = base.join(location).unwrap();
                prop_assert_eq!(joined.scheme(), parsed.scheme());
                prop_assert_eq!(joined.port(), parsed.port());
                prop_assert_eq!(joined.path(), parsed.path());
                prop_assert_eq!(joined.query(), parsed.query());
            }
        }
    }

    /// A location leads to the capture of the same URL, even if they are spelt differently: `sites` joins them by the
    /// parts.
    #[test]
    fn redirects_to_captures(target in prop_oneof![soup(), PLAIN.prop_map(String::into_bytes)]) {
        let captured = UrlParts::split(&target);
        let (Some(protocol @ ("http" | "https")), Some(host)) = (captured.protocol.as_deref(), &captured.host_name) else {
            return Ok(());
        };
        // A location that is not a URL is unusable, even if a capture of it has parts.
        let Ok(led) = redirect_target("", captured.url.as_bytes()) else { return Ok(()) };
        let default = if protocol == "http" { 80 } else { 443 };
        let port = captured.port.filter(|port| *port != default).map(|port| format!(":{port}")).unwrap_or_default();
        let query = captured.query.as_deref().map(|query| format!("?{query}")).unwrap_or_default();
        let address = format!("{protocol}://{host}{port}{}{query}", captured.path.as_deref().unwrap_or_default());
        prop_assert_eq!(address, led);
    }
}

/// Time is linear in the length: a target can be as long as a WARC header.
#[test]
fn long_targets() {
    for piece in ["a", ".", "a.", "/", "/..", "%2e/", "@", ":", "xn--a.", "ü", "🧠.", "com.", "\u{300}", "[", "?", "\t"]
    {
        for scheme in ["", "http://", "http://example.com/"] {
            let target = format!("{scheme}{}", piece.repeat(100_000 / piece.len()));
            check(target.as_bytes());
        }
    }
}
