//! Resolves the `Location` of a redirect to an absolute URL.

use super::lenient::STAND_IN;
use super::remark::TargetRemark;
use super::url_parts::UrlParts;
use super::whatwg::host_name;
use super::{plain, text};
use crate::reasons::catalogue;
use std::borrow::Cow;
use url::{ParseError, Url};

/// The longest location that is resolved, and the longest resulting URL, in octets. RFC 9110 § 4.1 recommends that all
/// parties support at least 8,000.
pub const MAX_REDIRECT_BYTES: usize = 8_192;

catalogue! {
    /// Why a location is not usable. The names never change.
    Unresolved {
    // By RFC 3986 § 4.4, it would refer to the document itself.
    Empty "location-empty" "it is empty",
    TooLong "location-too-long" "it, or the URL that it resolves to, is longer than 8,192 octets",
    NoBase "location-without-base" "it is relative, and the target of the record is not a URL",
    Invalid "location-invalid" "it is not a URL by the URL Standard",
    NoHost "location-without-host" "it is a URL without a host: javascript, mailto, data",
    }
}

/// `fetch_redirect`: resolves a `Location` against the target of its record ([`super::UrlParts::url`]), RFC 3986 § 5.
/// Returns an absolute URL with a host, in the form that a capture of it has. As in the URL Standard, blanks around a
/// location and tabs and line ends in it are ignored, and backslashes are slashes.
///
/// Octets that are not UTF-8 are percent-encoded. In a host they are read as Latin-1, the former charset of HTTP field
/// values (RFC 9110 § 5.5).
///
/// DIFFERENCE: Common Crawl's index (`WarcCdxWriter`, by `java.net.URL`) keeps the fragment, a default port, user name
/// and password, and a dot at the end of the host. [`UrlParts`] of a capture have none of these. Without them, the URL
/// equals that of the capture to which it leads: of 240 locations with a default port in the shared corpus, 85 lead to
/// a capture without it there, and none to one with it.
///
/// ```
/// use ingest::site::redirect_target;
/// let target = redirect_target("http://example.com/robots.txt", b"//www.example.com/robots.txt#top");
/// assert_eq!(target.as_deref(), Ok("http://www.example.com/robots.txt"));
/// ```
pub fn redirect_target<'a>(base: &str, location: &'a [u8]) -> Result<Cow<'a, str>, Unresolved> {
    let location = text::trimmed(location);
    if location.is_empty() {
        return Err(Unresolved::Empty);
    }
    if location.len() > MAX_REDIRECT_BYTES {
        return Err(Unresolved::TooLong);
    }
    match plain::split(location).filter(plain::Plain::is_canonical) {
        Some(plain) => Ok(Cow::Borrowed(plain.url)),
        None => by_url_crate(base, location).map(Cow::Owned),
    }
}

fn by_url_crate(base: &str, location: &[u8]) -> Result<String, Unresolved> {
    let location = &*with_two_slashes(location);
    let text = robots::percent_encoded(location);
    let mut resolved = resolve(base, &text);
    if resolved == Err(Unresolved::Invalid) && text.len() != location.len() {
        let latin1: String = location.iter().map(|byte| char::from(*byte)).collect();
        resolved = resolve(base, &latin1);
    }
    if resolved.is_err()
        && let Some(url) = by_kept_hosts(base, &text)
    {
        return Ok(url);
    }
    let url = String::from(resolved?);
    if url.len() > MAX_REDIRECT_BYTES { Err(Unresolved::TooLong) } else { Ok(url) }
}

/// A location that starts with two slashes instead of more. By the URL Standard, a relative URL of http or https may
/// have any number of them before its host ("special authority ignore slashes state"). The crate `url` rejects it
/// (<https://github.com/servo/rust-url/pull/1136>).
fn with_two_slashes(location: &[u8]) -> Cow<'_, [u8]> {
    let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    let start = location.iter().take_while(|byte| is_slash(byte) || matches!(byte, b'\t' | b'\n' | b'\r')).count();
    match location.split_at_checked(start) {
        Some((slashes, rest)) if slashes.iter().filter(|byte| is_slash(byte)).count() > 2 => {
            Cow::Owned([b"//", rest].concat())
        }
        _ => Cow::Borrowed(location),
    }
}

/// Resolves a location if its host, or that of the target, is not valid by the URL Standard, such as `www.192.0.2.1`.
/// [`UrlParts`] keeps such a host as written, so the location can lead to a capture of it.
fn by_kept_hosts(base: &str, location: &str) -> Option<String> {
    // RFC 3986 § 4.2: a reference that starts with two slashes has the scheme of the base.
    let scheme = base.split_once(':').filter(|_| location.starts_with("//")).map(|(scheme, _)| scheme);
    let location = scheme.map_or(Cow::Borrowed(location), |scheme| Cow::Owned(format!("{scheme}:{location}")));
    let (of_base, of_location) = (with_stand_in(base), with_stand_in(&location));
    let host = match (&of_location, &of_base) {
        (Some((_, host)), _) | (None, Some((_, host))) => host,
        (None, None) => return None,
    };
    let base = of_base.as_ref().map_or(base, |(url, _)| url);
    let location = of_location.as_ref().map_or(&*location, |(url, _)| url);
    let url = resolve(base, location).ok().filter(|url| url.host_str() == Some(STAND_IN))?;
    let url = String::from(url).replacen(STAND_IN, host, 1);
    (url.len() <= MAX_REDIRECT_BYTES).then_some(url)
}

/// A URL with its host replaced by [`STAND_IN`], and the host as written. `None` if the host is valid or the port is not.
fn with_stand_in(url: &str) -> Option<(String, String)> {
    let parts = UrlParts::by_url_crate(url.as_bytes());
    let host = parts.host_name.as_deref().filter(|_| parts.remarks.has(TargetRemark::HostKeptAsWritten))?;
    let port = parts.port.map(|port| format!(":{port}")).unwrap_or_default();
    let query = parts.query.as_deref().map(|query| format!("?{query}")).unwrap_or_default();
    let (protocol, path) = (parts.protocol.as_deref()?, parts.path.as_deref()?);
    Some((format!("{protocol}://{STAND_IN}{port}{path}{query}"), host.to_owned()))
}

fn resolve(base: &str, location: &str) -> Result<Url, Unresolved> {
    let base_url = Url::parse(base);
    let parsed = match &base_url {
        Ok(base) => base.join(location),
        Err(_) => Url::parse(location),
    };
    match parsed {
        Ok(url) => as_captured(url),
        Err(ParseError::RelativeUrlWithoutBase | ParseError::RelativeUrlWithCannotBeABaseBase) => {
            Err(Unresolved::NoBase)
        }
        Err(_) => Err(Unresolved::Invalid),
    }
}

/// The URL without the parts that a capture does not have.
fn as_captured(mut url: Url) -> Result<Url, Unresolved> {
    let host = url.host_str().map(host_name).filter(|host| !host.is_empty()).ok_or(Unresolved::NoHost)?;
    if url.host_str() != Some(&host) {
        url.set_host(Some(&host)).map_err(|_| Unresolved::NoHost)?;
    }
    url.set_fragment(None);
    // Both fail only without a host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_on_a_location_start_alike() {
        for remark in Unresolved::ALL {
            assert!(remark.name().starts_with(tables::captures::LOCATION_REMARKS), "{}", remark.name());
        }
    }

    const BASE: &str = "http://example.com/robots.txt";

    /// Expects the same URL of the fast path and of the crate `url` alone.
    #[track_caller]
    fn check(location: &[u8], expected: &str) {
        let shown = location.escape_ascii();
        assert_eq!(redirect_target(BASE, location).as_deref(), Ok(expected), "{shown}");
        assert_eq!(by_url_crate(BASE, location).as_deref(), Ok(expected), "{shown}");
    }

    #[track_caller]
    fn check_nowhere(base: &str, location: &[u8], expected: Unresolved) {
        assert_eq!(redirect_target(base, location), Err(expected), "{}", location.escape_ascii());
    }

    /// RFC 3986 § 5.4: "a representation with a well defined base URI of […] is transformed to its target URI as
    /// follows". Where the fragment counts in a case, it is dropped here.
    #[test]
    fn the_examples_of_rfc_3986() {
        let base = "http://a/b/c/d;p?q";
        for (location, expected) in [
            ("g:h", None),
            ("g", Some("http://a/b/c/g")),
            ("./g", Some("http://a/b/c/g")),
            ("g/", Some("http://a/b/c/g/")),
            ("/g", Some("http://a/g")),
            ("//g", Some("http://g/")),
            ("?y", Some("http://a/b/c/d;p?y")),
            ("g?y", Some("http://a/b/c/g?y")),
            ("#s", Some("http://a/b/c/d;p?q")),
            ("g#s", Some("http://a/b/c/g")),
            (";x", Some("http://a/b/c/;x")),
            (".", Some("http://a/b/c/")),
            ("..", Some("http://a/b/")),
            ("../g", Some("http://a/b/g")),
            ("../../../g", Some("http://a/g")),
            ("/./g", Some("http://a/g")),
            ("/../g", Some("http://a/g")),
            ("g.", Some("http://a/b/c/g.")),
            ("..g", Some("http://a/b/c/..g")),
            ("g;x=1/../y", Some("http://a/b/c/y")),
            ("g?y/../x", Some("http://a/b/c/g?y/../x")),
            // "for backward compatibility", of the two that the standard gives.
            ("http:g", Some("http://a/b/c/g")),
        ] {
            let found = redirect_target(base, location.as_bytes()).ok();
            assert_eq!(found.as_deref(), expected, "{location}");
        }
    }

    #[test]
    fn what_servers_send() {
        check(b"https://example.com/robots.txt", "https://example.com/robots.txt");
        check(b"https://www.example.com", "https://www.example.com/");
        check(b"/", "http://example.com/");
        check(b"robots.txt", BASE);
        check(b"//www.example.com/robots.txt", "http://www.example.com/robots.txt");
        check(b" https://example.com/robots.txt\r\n", "https://example.com/robots.txt");
        check(b"https://example.com/robots\r\n.txt", "https://example.com/robots.txt");
        check(b"https://example.com/a b", "https://example.com/a%20b");
        check(b"HTTPS://Example.COM/Robots.txt", "https://example.com/Robots.txt");
        check(b"https://example.com:443/robots.txt", "https://example.com/robots.txt");
        check(b"https://example.com:08443/", "https://example.com:8443/");
        check(b"https://example.com:080/", "https://example.com:80/");
        check(b"http://example.com:443/robots.txt", "http://example.com:443/robots.txt");
        check(b"https:///example.com/robots.txt", "https://example.com/robots.txt");
        check(b"https:\\\\example.com\\robots.txt", "https://example.com/robots.txt");
        check(b"///www.example.com/robots.txt", "http://www.example.com/robots.txt");
        check(b"\\/\\/www.example.com/robots.txt", "http://www.example.com/robots.txt");
        check(b"https://example.com/#top", "https://example.com/");
        check(b"https://[2001:DB8::1]:8080/", "https://[2001:db8::1]:8080/");
        check(b"https://example.com/\0a", "https://example.com/%00a");
        check(b"ftp://example.com/x", "ftp://example.com/x");
    }

    /// If this fails, `with_two_slashes` is no longer needed.
    #[test]
    fn the_crate_url_rejects_more_than_two_slashes() {
        assert_eq!(resolve(BASE, "///www.example.com/"), Err(Unresolved::Invalid));
    }

    #[test]
    fn octets_outside_ascii() {
        check("https://bücher.example/".as_bytes(), "https://xn--bcher-kva.example/");
        check("/bücher".as_bytes(), "http://example.com/b%C3%BCcher");
        check(b"/b\xfccher", "http://example.com/b%FCcher");
        check(b"https://b\xfccher.example/", "https://xn--bcher-kva.example/");
        check("/?ü".as_bytes(), "http://example.com/?%C3%BC");
    }

    /// A capture has its URL without these, so a location with them must lead to it.
    #[test]
    fn parts_that_captures_do_not_have() {
        check(b"http://example.com./robots.txt", BASE);
        check(b"http://EXAMPLE.com.:80/robots.txt", BASE);
        check(b"http://example.com../", "http://example.com./");
        check("https://bücher.example。/".as_bytes(), "https://xn--bcher-kva.example/");
        check(b"http://www.157.140.2.10./", "http://www.157.140.2.10/");
        check(b"https://user:pw@example.com/", "https://example.com/");
        check(b"https://user@example.com:8443", "https://example.com:8443/");
        check(b"//@example.com/robots.txt#top", BASE);
        check_nowhere(BASE, b"http://./", Unresolved::NoHost);
    }

    /// A capture keeps such a host, so the location must lead to it.
    #[test]
    fn hosts_that_are_kept_as_written() {
        check(b"http://www.157.140.2.10/robots.txt", "http://www.157.140.2.10/robots.txt");
        check(b"HTTPS://WWW.157.140.2.10:443/a/../robots.txt?x#y", "https://www.157.140.2.10/robots.txt?x");
        check(b"//xn--a-.example.1/", "http://xn--a-.example.1/");
        let from_there = |location| redirect_target("http://www.157.140.2.10/robots.txt", location);
        assert_eq!(from_there(b"/x").as_deref(), Ok("http://www.157.140.2.10/x"));
        assert_eq!(from_there(b"https://example.com").as_deref(), Ok("https://example.com/"));
        for target in ["http://www.157.140.2.10/robots.txt", "http://999.1.1.1/robots.txt"] {
            let led = redirect_target(BASE, target.as_bytes()).unwrap_or_default();
            assert_eq!(
                UrlParts::split(led.as_bytes()).host_name,
                UrlParts::split(target.as_bytes()).host_name,
                "{target}"
            );
        }
    }

    #[test]
    fn unusable_locations() {
        use Unresolved::{Empty, Invalid, NoBase, NoHost, TooLong};
        check_nowhere(BASE, b"", Empty);
        check_nowhere(BASE, b" \t\r\n", Empty);
        check_nowhere(BASE, b"http://", Invalid);
        check_nowhere(BASE, b"http:///", Invalid);
        check_nowhere(BASE, b"https://:80/", Invalid);
        check_nowhere(BASE, b"https://a b/", Invalid);
        check_nowhere(BASE, b"https://example.com:99999/", Invalid);
        check_nowhere(BASE, b"https://www.157.140.2.10:65536/", Invalid);
        check_nowhere(BASE, b"//www.157.140.2.10:x/", Invalid);
        check_nowhere("http://www.157.140.2.10/", b"https://example.com:65536/", Invalid);
        check_nowhere("http://www.157.140.2.10/", b"https:example.com:65536/", Invalid);
        check_nowhere(BASE, b"https://[::1/", Invalid);
        check_nowhere(BASE, b"javascript:void(0)", NoHost);
        check_nowhere(BASE, b"mailto:a@example.com", NoHost);
        check_nowhere("http://example.com:99999/robots.txt", b"/x", NoBase);
        check_nowhere("http://www.157.140.2.10:x/", b"/x", NoBase);
        check_nowhere("", b"/robots.txt", NoBase);
        check_nowhere("dns:example.com", b"/robots.txt", NoBase);
        let long = |length: usize| [b"/".to_vec(), vec![b'a'; length]].concat();
        check_nowhere(BASE, &long(MAX_REDIRECT_BYTES), TooLong);
        check_nowhere(BASE, &long(MAX_REDIRECT_BYTES - 1), TooLong);
        assert!(redirect_target(BASE, &long(MAX_REDIRECT_BYTES - 100)).is_ok());
        assert_eq!(redirect_target("", b"https://a/").as_deref(), Ok("https://a/"));
        assert_eq!(redirect_target("", b"https://a").as_deref(), Ok("https://a/"));
    }
}
