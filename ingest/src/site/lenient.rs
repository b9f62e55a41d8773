//! Splits a target that is not a URL by the URL Standard, by RFC 3986, appendix B.
//!
//! A capture with such a target was fetched, so its row is kept, with the parts that can be found.

use super::remark::{TargetRemark, TargetRemarks};
use super::url_parts::UrlParts;
use super::whatwg::{Authority, after_scheme, host_name};
use std::borrow::Cow;
use url::{Host, Url};

/// Replaces a host that the URL Standard rejects, so that the crate `url` can read the rest of the URL.
pub(super) const STAND_IN: &str = "host-kept-as-written.invalid";

/// All parts except the domains.
pub(super) fn split(text: &str, remarks: &mut TargetRemarks) -> UrlParts<'static> {
    let Some((scheme, rest)) = after_scheme(text) else {
        return UrlParts::default();
    };
    let authority = Authority::split(rest);
    remarks.add_if(authority.has_userinfo(), TargetRemark::Userinfo);
    let (written_host, written_port) = authority.host_and_port();
    let port = written_port.and_then(|port| {
        let number = Some(port).filter(|port| port.bytes().all(|byte| byte.is_ascii_digit()))?;
        number.parse().ok()
    });
    let is_port_invalid = written_port.is_some() && port.is_none();
    remarks.add_if(is_port_invalid, TargetRemark::PortInvalid);
    // Without its port, the host would stand for the site with the default port, which is another one.
    let host_name = if is_port_invalid { None } else { host(written_host, remarks) };
    let after_host = Url::parse(&format!("{scheme}://{STAND_IN}{}", authority.rest)).ok();
    remarks.add_if(after_host.as_ref().is_some_and(|url| url.fragment().is_some()), TargetRemark::Fragment);
    let owned = |part: &str| Some(Cow::Owned(part.to_owned()));
    UrlParts {
        protocol: Some(Cow::Owned(scheme.to_ascii_lowercase())),
        host_name: host_name.map(Cow::Owned),
        port,
        // RFC 3986 § 6.2.3: "an empty path should be normalized to a path of "/"".
        path: owned(after_host.as_ref().map(Url::path).filter(|path| !path.is_empty()).unwrap_or("/")),
        query: after_host.as_ref().and_then(Url::query).and_then(owned),
        ..UrlParts::default()
    }
}

/// Keeps a host that the URL Standard rejects if it looks like a host: `xn--` with invalid Punycode, or four numbers
/// with one that is too large. `cc-index-table` also keeps it.
fn host(written: &str, remarks: &mut TargetRemarks) -> Option<String> {
    if written.is_empty() || written == "." {
        remarks.add(TargetRemark::NoHost);
        return None;
    }
    if let Ok(host) = Host::parse(written) {
        return Some(host_name(&host.to_string()));
    }
    let looks_like_one = written.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
    remarks.add(if looks_like_one { TargetRemark::HostKeptAsWritten } else { TargetRemark::HostInvalid });
    looks_like_one.then(|| host_name(written))
}
