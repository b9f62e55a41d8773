//! The parts of a capture's URL, and where a redirect leads.
//!
//! The parts and their names are those of Common Crawl's columnar index, so you can compare rows of both. The index
//! (`cc-index-table`, classes `WarcUri` and `HostName`) splits with `java.net.URL`. This module splits with the crate
//! `url`, which reads a URL as crawlers and browsers do today. The differences:
//!
//! | part | as the index has it | `DIFFERENCE` |
//! |---|---|---|
//! | `url` | as written | angle brackets and blanks around it are dropped; octets that are not UTF-8 appear percent-encoded |
//! | `url_host_name` | lower case, IDN as Punycode, without one dot at the end; IPv6 in brackets, decimal IPv4 in four parts | IDN by UTS #46, which keeps `ß`; the index follows IDNA 2003 and has `ss`. None for `dns:`, which the index takes for a host; with several `@`, the text after the last, where the index has none; none if the port is a number above 65,535 |
//! | `url_port` | as written, even if it is the default of the scheme | none for a number above 65,535 |
//! | `url_host_tld` | the last label, even if unknown; none for an address | |
//! | `url_host_registered_domain`, `url_host_private_domain` | none for an address, for a host that is a suffix itself, below a suffix that the list does not know, with an empty label, and if the label before the suffix has more than 63 octets | a wildcard rule does not apply to its own parent (`kawasaki.jp` is a domain, as publicsuffix.org says; the index takes it for a suffix) |
//! | `url_path` | without `.` and `..` segments | `/` if nothing is written; characters that URLs must not have are percent-encoded |
//! | `url_query` | as written; none without a question mark | characters that URLs must not have are percent-encoded |
//!
//! Common Crawl normalises URLs before it fetches them, so few of these differences occur in its archives. But the two
//! public suffix lists have different dates ([`PUBLIC_SUFFIX_LIST`]).

mod lenient;
mod plain;
mod redirect;
mod remark;
mod text;
mod url_parts;
mod whatwg;

pub use hosts::PUBLIC_SUFFIX_LIST;
pub use redirect::{MAX_REDIRECT_BYTES, Unresolved, redirect_target};
pub use remark::{TargetRemark, TargetRemarks};
pub use url_parts::UrlParts;

use hosts::Domains;
use std::borrow::Cow;

impl<'a> UrlParts<'a> {
    /// Splits a `WARC-Target-URI`, whatever its bytes.
    ///
    /// ```
    /// let parts = ingest::site::UrlParts::split(b"https://www.example.co.uk:8443/robots.txt");
    /// assert_eq!(parts.host_name.as_deref(), Some("www.example.co.uk"));
    /// assert_eq!(parts.port, Some(8443));
    /// assert_eq!(parts.tld(), Some("uk"));
    /// assert_eq!(parts.registered_domain(), Some("example.co.uk"));
    /// assert!(parts.is_robots_txt());
    /// ```
    #[must_use]
    pub fn split(target: &'a [u8]) -> Self {
        match plain::split(target) {
            Some(plain) => {
                let (domains, of_host) = Domains::find(plain.host);
                UrlParts {
                    url: Cow::Borrowed(plain.url),
                    protocol: Some(Cow::Borrowed(plain.protocol)),
                    host_name: Some(Cow::Borrowed(plain.host)),
                    port: plain.port,
                    path: Some(Cow::Borrowed(plain.path)),
                    query: plain.query.map(Cow::Borrowed),
                    remarks: of_host.into(),
                    domains,
                }
            }
            None => UrlParts::by_url_crate(target),
        }
    }

    /// Splits a target with the crate `url` alone. [`UrlParts::split`] uses it for targets that are not plain, and
    /// tests compare both for plain ones.
    #[must_use]
    pub fn by_url_crate(target: &'a [u8]) -> Self {
        let (text, mut remarks) = text::decode_target(target);
        let mut parts = whatwg::split(&text, &mut remarks).unwrap_or_else(|| lenient::split(&text, &mut remarks));
        if let Some(host) = &parts.host_name {
            let (domains, of_host) = Domains::find(host);
            parts.domains = domains;
            remarks = remarks | of_host.into();
        }
        UrlParts { url: text, remarks, ..parts }
    }
}
