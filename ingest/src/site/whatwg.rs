//! Splits a target by the URL Standard, with the crate `url`.

use super::remark::{TargetRemark, TargetRemarks};
use super::url_parts::UrlParts;
use std::borrow::Cow;
use url::Url;

/// All parts except the domains; `None` if the standard rejects the target.
pub(super) fn split(text: &str, remarks: &mut TargetRemarks) -> Option<UrlParts<'static>> {
    let url = Url::parse(text).ok()?;
    remarks.add_if(!url.username().is_empty() || url.password().is_some(), TargetRemark::Userinfo);
    remarks.add_if(url.fragment().is_some(), TargetRemark::Fragment);
    let host_name = url.host_str().map(host_name).filter(|host| !host.is_empty());
    remarks.add_if(host_name.is_none(), TargetRemark::NoHost);
    let owned = |part: &str| Some(Cow::Owned(part.to_owned()));
    Some(UrlParts {
        protocol: owned(url.scheme()),
        host_name: host_name.map(Cow::Owned),
        // The crate drops the scheme's default port; Common Crawl's index keeps it.
        port: url.port().or_else(|| default_port_as_written(text, &url)),
        path: owned(url.path()),
        query: url.query().and_then(owned),
        ..UrlParts::default()
    })
}

/// The normal form of hosts, for captures and for targets of redirects: in lower case, without one dot at the end, as
/// in `cc-index-table`, `HostName.setHostName`.
///
/// The crate writes hosts in lower case, except for schemes that it does not know.
pub(super) fn host_name(host: &str) -> String {
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

fn default_port_as_written(text: &str, url: &Url) -> Option<u16> {
    let default = url.port_or_known_default()?;
    // The crate `url` skips these everywhere too.
    let written = text.replace(['\t', '\n', '\r'], "");
    let (_, port) = Authority::split(after_scheme(&written)?.1).host_and_port();
    port?.parse().ok().filter(|port| *port == default)
}

/// RFC 3986 § 3.1: `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`.
pub(super) fn after_scheme(text: &str) -> Option<(&str, &str)> {
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    };
    text.split_once(':').filter(|(scheme, _)| is_scheme(scheme))
}

/// The text between the slashes and the path.
pub(super) struct Authority<'a> {
    text: &'a str,
    /// The text after it.
    pub(super) rest: &'a str,
}

impl<'a> Authority<'a> {
    /// Any number of slashes and backslashes may stand before it, as in the URL Standard for http and in
    /// `cc-index-table`, `WarcUri.normalizeMalformedHttpSlashes`.
    pub(super) fn split(after_scheme: &'a str) -> Self {
        let text = after_scheme.trim_start_matches(['/', '\\']);
        let (text, rest) = text.split_at(text.find(['/', '\\', '?', '#']).unwrap_or(text.len()));
        Authority { text, rest }
    }

    pub(super) fn has_userinfo(&self) -> bool {
        self.text.contains('@')
    }

    /// The port follows the last colon, unless that colon is in the brackets of an IPv6 address.
    pub(super) fn host_and_port(&self) -> (&'a str, Option<&'a str>) {
        let after_userinfo = self.text.rsplit('@').next().unwrap_or_default();
        match after_userinfo.rsplit_once(':') {
            Some((host, port)) if host.starts_with('[') == host.ends_with(']') => {
                (host, Some(port).filter(|port| !port.is_empty()))
            }
            _ => (after_userinfo, None),
        }
    }
}
