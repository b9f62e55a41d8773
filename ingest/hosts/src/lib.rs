//! The domains that a host belongs to, by the public suffix list, the default port of a site, and the address of a
//! capture. Ingest and queries share this crate, so both use the same list and compare the same addresses.

use psl::{Info, List, Psl, Type};

/// The version of the public suffix list: the release of the crate that contains it, and the day of that release.
///
/// The crate is released within a day of every change to the list at publicsuffix.org, and has no other date. So the
/// release identifies the list. A test compares it with `Cargo.lock`.
pub const PUBLIC_SUFFIX_LIST: &str = "psl 2.1.247, 2026-11-05";

/// RFC 1035 § 2.3.4: "labels 63 octets or less".
const MAX_LABEL_BYTES: usize = 63;

/// The domains of a host, each as the number of octets at the end of the host.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Domains {
    /// The last label; `None` for an address.
    pub tld: Option<u32>,
    /// The suffix in the ICANN section of the list, plus one label.
    pub registered: Option<u32>,
    /// The longest suffix in either section, plus one label.
    pub private: Option<u32>,
}

/// Remarks on a host.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Remarks {
    /// It is an IP address.
    pub is_address: bool,
    /// It has an empty label.
    pub has_empty_label: bool,
    /// It has a label that is too long for the DNS.
    pub has_long_label: bool,
    /// The list has no rule for its suffix.
    pub suffix_is_unlisted: bool,
    /// It is a public suffix itself.
    pub is_suffix: bool,
}

/// The domain directly below the public suffix of a host, by the ICANN section of the list. `None` for an address, for
/// a host that is a suffix itself, and below a suffix that is not in the list.
///
/// ```
/// assert_eq!(hosts::registered_domain("www.bbc.co.uk"), Some("bbc.co.uk"));
/// assert_eq!(hosts::registered_domain("co.uk"), None);
/// ```
#[must_use]
pub fn registered_domain(host: &str) -> Option<&str> {
    let length = Domains::find(host).0.registered?;
    host.get(host.len().checked_sub(length as usize)?..)
}

/// The port of a site whose URL has none. RFC 9110 § 4.2: 80 with `http`, 443 with `https`.
#[must_use]
pub fn default_port(protocol: &str) -> u16 {
    if protocol == "https" { 443 } else { 80 }
}

/// Writes the address of a capture: its URL without the port of the scheme, as `fetch_redirect` has URLs.
pub fn write_address(
    address: &mut String,
    protocol: &str,
    host: &str,
    port: Option<i32>,
    path: &str,
    query: Option<&str>,
) {
    address.clear();
    address.extend([protocol, "://", host]);
    if let Some(port) = port.filter(|port| *port != i32::from(default_port(protocol))) {
        address.extend([":", &port.to_string()]);
    }
    address.push_str(path);
    address.extend(query.iter().flat_map(|query| ["?", query]));
}

impl Domains {
    /// The domains of a host and the remarks on it. The host is as in the tables: in lower case, IDN as Punycode, IPv6
    /// in brackets, no dot at the end.
    #[must_use]
    pub fn find(host: &str) -> (Self, Remarks) {
        let mut remarks = Remarks::default();
        let (mut shortest, mut longest, mut last) = (usize::MAX, 0, 0);
        for label in host.as_bytes().split(|byte| *byte == b'.') {
            last = label.len();
            (shortest, longest) = (shortest.min(last), longest.max(last));
        }
        let last = host.get(host.len() - last..).unwrap_or_default();
        if host.starts_with('[') || is_number(last) && host.parse::<std::net::Ipv4Addr>().is_ok() {
            remarks.is_address = true;
            return (Domains::default(), remarks);
        }
        let length = |part: &str| u32::try_from(part.len()).ok().filter(|length| *length > 0);
        let mut domains = Domains { tld: length(last), registered: None, private: None };
        if shortest == 0 && !host.is_empty() {
            remarks.has_empty_label = true;
            return (domains, remarks);
        }
        remarks.has_long_label = longest > MAX_LABEL_BYTES;

        let Some(suffixes) = Suffixes::find(host) else {
            remarks.suffix_is_unlisted = true;
            return (domains, remarks);
        };
        remarks.is_suffix = suffixes.any.len() == host.len();
        domains.private = one_label_more(host, suffixes.any).and_then(length);
        domains.registered = match suffixes.icann {
            Some(icann) if icann.len() == suffixes.any.len() => domains.private,
            Some(icann) => one_label_more(host, icann).and_then(length),
            None => None,
        };
        (domains, remarks)
    }
}

struct Suffixes<'a> {
    any: &'a str,
    icann: Option<&'a str>,
}

impl<'a> Suffixes<'a> {
    /// The longest suffix of both sections, and that of the ICANN section; `None` if only the rule `*` of the list
    /// matches.
    fn find(host: &'a str) -> Option<Self> {
        let (any, mut section) = suffix(host)?;
        let mut icann = any;
        // The list returns the longest suffix only. If that is private, the ICANN suffix is shorter: remove the first
        // label and ask again.
        while section == Type::Private {
            let Some((shorter, its_section)) = icann.split_once('.').and_then(|(_, rest)| suffix(rest)) else {
                return Some(Suffixes { any, icann: None });
            };
            (icann, section) = (shorter, its_section);
        }
        Some(Suffixes { any, icann: Some(icann) })
    }
}

fn suffix(host: &str) -> Option<(&str, Type)> {
    let Info { len, typ } = List.find(host.as_bytes().rsplit(|byte| *byte == b'.'));
    Some((host.get(host.len().checked_sub(len)?..)?, typ?))
}

/// The suffix plus one label; `None` if the host is the suffix, or if that label is too long.
fn one_label_more<'a>(host: &'a str, suffix: &str) -> Option<&'a str> {
    let above = host.len().checked_sub(suffix.len() + 1)?;
    let labels = host.as_bytes().get(..above)?;
    let start = labels.iter().rposition(|byte| *byte == b'.').map_or(0, |dot| dot + 1);
    host.get(start..).filter(|_| above - start <= MAX_LABEL_BYTES)
}

fn is_number(label: &str) -> bool {
    label.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(host: &str, tld: &str, registered: &str, private: &str, remarks: Remarks) {
        let (domains, found) = Domains::find(host);
        let part = |length: Option<u32>| length.map_or("", |length| &host[host.len() - length as usize..]);
        assert_eq!(
            [part(domains.tld), part(domains.registered), part(domains.private)],
            [tld, registered, private],
            "{host}"
        );
        assert_eq!(found, remarks, "{host}");
        assert_eq!(registered_domain(host).unwrap_or_default(), registered, "{host}");
    }

    const NONE: Remarks = Remarks {
        is_address: false,
        has_empty_label: false,
        has_long_label: false,
        suffix_is_unlisted: false,
        is_suffix: false,
    };
    const ADDRESS: Remarks = Remarks { is_address: true, ..NONE };
    const EMPTY_LABEL: Remarks = Remarks { has_empty_label: true, ..NONE };
    const LONG_LABEL: Remarks = Remarks { has_long_label: true, ..NONE };
    const UNLISTED: Remarks = Remarks { suffix_is_unlisted: true, ..NONE };
    const SUFFIX: Remarks = Remarks { is_suffix: true, ..NONE };

    #[test]
    fn both_sections() {
        check("example.com", "com", "example.com", "example.com", NONE);
        check("a.b.example.com", "com", "example.com", "example.com", NONE);
        check("www.bbc.co.uk", "uk", "bbc.co.uk", "bbc.co.uk", NONE);
        check("myblog.blogspot.com", "com", "blogspot.com", "myblog.blogspot.com", NONE);
        check("blogspot.com", "com", "blogspot.com", "", SUFFIX);
        check("x.s3.amazonaws.com", "com", "amazonaws.com", "x.s3.amazonaws.com", NONE);
        check("a.b.github.io", "io", "github.io", "b.github.io", NONE);
        check("com", "com", "", "", SUFFIX);
        check("co.uk", "uk", "", "", SUFFIX);
        check("localhost", "localhost", "", "", UNLISTED);
        check("example.invalid", "invalid", "", "", UNLISTED);
        check("xn--bcher-kva.xn--p1ai", "xn--p1ai", "xn--bcher-kva.xn--p1ai", "xn--bcher-kva.xn--p1ai", NONE);
    }

    /// The wildcard and exception rules of the list's own format description, publicsuffix.org/list.
    #[test]
    fn wildcards_and_exceptions() {
        check("www.ck", "ck", "www.ck", "www.ck", NONE);
        check("a.www.ck", "ck", "www.ck", "www.ck", NONE);
        check("b.c.ck", "ck", "b.c.ck", "b.c.ck", NONE);
        check("c.ck", "ck", "", "", SUFFIX);
        check("www.city.kobe.jp", "jp", "city.kobe.jp", "city.kobe.jp", NONE);
        check("a.b.kawasaki.jp", "jp", "a.b.kawasaki.jp", "a.b.kawasaki.jp", NONE);
        check("kawasaki.jp", "jp", "kawasaki.jp", "kawasaki.jp", NONE);
    }

    #[test]
    fn hosts_without_domains() {
        check("192.0.2.1", "", "", "", ADDRESS);
        check("[2001:db8::1]", "", "", "", ADDRESS);
        check("1.2.3.4.5", "5", "", "", UNLISTED);
        check("", "", "", "", UNLISTED);
        check(".", "", "", "", EMPTY_LABEL);
        check(".example.com", "com", "", "", EMPTY_LABEL);
        check("a..com", "com", "", "", EMPTY_LABEL);
        check("example.com.", "", "", "", EMPTY_LABEL);
        check("my_host.example.com", "com", "example.com", "example.com", NONE);
        let long = "a".repeat(64);
        check(&format!("{long}.com"), "com", "", "", LONG_LABEL);
        check(&format!("{long}.example.com"), "com", "example.com", "example.com", LONG_LABEL);
        check(&"com.".repeat(100_000).replace(".com.", ".com.x."), "", "", "", EMPTY_LABEL);
        check(&long, &long, "", "", Remarks { has_long_label: true, ..UNLISTED });
        check("uk.com", "com", "uk.com", "", SUFFIX);
    }

    #[test]
    fn the_named_list_is_the_one_in_use() {
        let lock = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock")).unwrap();
        let version =
            lock.split("name = \"psl\"\nversion = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        assert!(PUBLIC_SUFFIX_LIST.starts_with(&format!("psl {version}, ")), "Cargo.lock has psl {version}");
    }
}
