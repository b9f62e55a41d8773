//! The domains that a host belongs to, by the public suffix list.

use super::oddity::{Oddities, Oddity};
use psl::{Info, List, Psl, Type};

/// Which list decides: the release of the crate that has it compiled in, and the day on which that was published.
///
/// The crate is released whenever the rules of publicsuffix.org change, within a day, and says nothing else of their
/// date; so the release names the list. A test compares it with what `Cargo.lock` has.
pub const PUBLIC_SUFFIX_LIST: &str = "psl 2.1.247, 2026-11-05";

/// RFC 1035 § 2.3.4: "labels 63 octets or less".
const MAX_LABEL_BYTES: usize = 63;

/// How many octets at the end of a host are what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Domains {
    pub(super) tld: Option<u32>,
    pub(super) registered: Option<u32>,
    pub(super) private: Option<u32>,
}

impl Domains {
    /// Of a host in the form of `url_host_name`.
    pub(super) fn of(host: &str) -> (Self, Oddities) {
        let mut oddities = Oddities::default();
        let labels = Labels::of(host);
        let last = host.get(host.len() - labels.last..).unwrap_or_default();
        if host.starts_with('[') || is_number(last) && host.parse::<std::net::Ipv4Addr>().is_ok() {
            oddities.add(Oddity::IpAddress);
            return (Domains::default(), oddities);
        }
        let length = |part: &str| u32::try_from(part.len()).ok().filter(|length| *length > 0);
        let mut domains = Domains { tld: length(last), registered: None, private: None };
        if labels.shortest == 0 && !host.is_empty() {
            oddities.add(Oddity::EmptyLabel);
            return (domains, oddities);
        }
        oddities.add_if(labels.longest > MAX_LABEL_BYTES, Oddity::LongLabel);

        let Some(suffixes) = Suffixes::of(host) else {
            oddities.add(Oddity::UnlistedSuffix);
            return (domains, oddities);
        };
        oddities.add_if(suffixes.any.len() == host.len(), Oddity::HostIsSuffix);
        domains.private = one_label_more(host, suffixes.any).and_then(length);
        domains.registered = match suffixes.icann {
            Some(icann) if icann.len() == suffixes.any.len() => domains.private,
            Some(icann) => one_label_more(host, icann).and_then(length),
            None => None,
        };
        (domains, oddities)
    }
}

/// How long they are, by one look at each octet.
struct Labels {
    shortest: usize,
    longest: usize,
    last: usize,
}

impl Labels {
    fn of(host: &str) -> Self {
        let mut labels = Labels { shortest: usize::MAX, longest: 0, last: 0 };
        for byte in host.bytes() {
            if byte == b'.' {
                labels.end();
                labels.last = 0;
            } else {
                labels.last += 1;
            }
        }
        labels.end();
        labels
    }

    fn end(&mut self) {
        self.shortest = self.shortest.min(self.last);
        self.longest = self.longest.max(self.last);
    }
}

struct Suffixes<'a> {
    any: &'a str,
    icann: Option<&'a str>,
}

impl<'a> Suffixes<'a> {
    /// The longest suffix of both sections, and that of the ICANN section; `None` where the list has no rule but the
    /// `*` that matches everything.
    fn of(host: &'a str) -> Option<Self> {
        let (any, mut section) = suffix(host)?;
        let mut icann = any;
        // The list tells the longest suffix alone. Where that is private, the ICANN one is shorter: it is the longest of
        // what remains without the first label, or of what remains then.
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

/// What is registered below a suffix: none where the host is the suffix, or where the label is too long to be one.
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

    fn check(host: &str, tld: &str, registered: &str, private: &str, oddities: &[Oddity]) {
        let (domains, found) = Domains::of(host);
        let part = |length: Option<u32>| length.map_or("", |length| &host[host.len() - length as usize..]);
        assert_eq!(
            [part(domains.tld), part(domains.registered), part(domains.private)],
            [tld, registered, private],
            "{host}"
        );
        assert_eq!(found.iter().collect::<Vec<_>>(), oddities, "{host}");
    }

    #[test]
    fn both_sections() {
        use Oddity::{HostIsSuffix, UnlistedSuffix};
        check("example.com", "com", "example.com", "example.com", &[]);
        check("a.b.example.com", "com", "example.com", "example.com", &[]);
        check("www.bbc.co.uk", "uk", "bbc.co.uk", "bbc.co.uk", &[]);
        check("myblog.blogspot.com", "com", "blogspot.com", "myblog.blogspot.com", &[]);
        check("blogspot.com", "com", "blogspot.com", "", &[HostIsSuffix]);
        check("x.s3.amazonaws.com", "com", "amazonaws.com", "x.s3.amazonaws.com", &[]);
        check("a.b.github.io", "io", "github.io", "b.github.io", &[]);
        check("com", "com", "", "", &[HostIsSuffix]);
        check("co.uk", "uk", "", "", &[HostIsSuffix]);
        check("localhost", "localhost", "", "", &[UnlistedSuffix]);
        check("example.invalid", "invalid", "", "", &[UnlistedSuffix]);
        check("xn--bcher-kva.xn--p1ai", "xn--p1ai", "xn--bcher-kva.xn--p1ai", "xn--bcher-kva.xn--p1ai", &[]);
    }

    /// The wildcard and exception rules of the list's own format description, publicsuffix.org/list.
    #[test]
    fn wildcards_and_exceptions() {
        check("www.ck", "ck", "www.ck", "www.ck", &[]);
        check("a.www.ck", "ck", "www.ck", "www.ck", &[]);
        check("b.c.ck", "ck", "b.c.ck", "b.c.ck", &[]);
        check("c.ck", "ck", "", "", &[Oddity::HostIsSuffix]);
        check("www.city.kobe.jp", "jp", "city.kobe.jp", "city.kobe.jp", &[]);
        check("a.b.kawasaki.jp", "jp", "a.b.kawasaki.jp", "a.b.kawasaki.jp", &[]);
        check("kawasaki.jp", "jp", "kawasaki.jp", "kawasaki.jp", &[]);
    }

    #[test]
    fn what_is_no_domain() {
        use Oddity::{EmptyLabel, HostIsSuffix, IpAddress, LongLabel, UnlistedSuffix};
        check("192.0.2.1", "", "", "", &[IpAddress]);
        check("[2001:db8::1]", "", "", "", &[IpAddress]);
        check("1.2.3.4.5", "5", "", "", &[UnlistedSuffix]);
        check("", "", "", "", &[UnlistedSuffix]);
        check(".", "", "", "", &[EmptyLabel]);
        check(".example.com", "com", "", "", &[EmptyLabel]);
        check("a..com", "com", "", "", &[EmptyLabel]);
        check("example.com.", "", "", "", &[EmptyLabel]);
        check("my_host.example.com", "com", "example.com", "example.com", &[]);
        let long = "a".repeat(64);
        check(&format!("{long}.com"), "com", "", "", &[LongLabel]);
        check(&format!("{long}.example.com"), "com", "example.com", "example.com", &[LongLabel]);
        check(&"com.".repeat(100_000).replace(".com.", ".com.x."), "", "", "", &[EmptyLabel]);
        check(&long, &long, "", "", &[LongLabel, UnlistedSuffix]);
        check("uk.com", "com", "uk.com", "", &[HostIsSuffix]);
    }

    #[test]
    fn the_list_is_the_one_that_is_named() {
        let lock = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.lock")).unwrap();
        let version =
            lock.split("name = \"psl\"\nversion = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        assert!(PUBLIC_SUFFIX_LIST.starts_with(&format!("psl {version}, ")), "Cargo.lock has psl {version}");
    }
}
