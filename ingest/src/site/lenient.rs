//! A target that the URL Standard gives up on: what of it can be told all the same, by RFC 3986, appendix B.
//!
//! A capture with such a target was fetched somehow, so that its row is kept, with as many parts as there are.

use super::Parts;
use super::oddity::{Oddities, Oddity};
use super::whatwg::{Authority, behind_scheme, host_name};
use std::borrow::Cow;
use url::Host;

/// The parts, all but the domains.
pub(super) fn split(text: &str, oddities: &mut Oddities) -> Parts<'static> {
    let Some((scheme, rest)) = behind_scheme(text) else {
        oddities.add(Oddity::NoScheme);
        return Parts::nothing();
    };
    let authority = Authority::of(rest);
    oddities.add_if(authority.has_userinfo(), Oddity::Userinfo);
    let (written_host, written_port) = authority.host_and_port();
    let port = written_port.and_then(|port| {
        let number = Some(port).filter(|port| port.bytes().all(|byte| byte.is_ascii_digit()))?;
        number.parse().ok()
    });
    oddities.add_if(written_port.is_some() && port.is_none(), Oddity::PortInvalid);
    let (behind_authority, fragment) = match authority.rest.split_once('#') {
        Some((rest, fragment)) => (rest, Some(fragment)),
        None => (authority.rest, None),
    };
    oddities.add_if(fragment.is_some(), Oddity::Fragment);
    let (path, query) = match behind_authority.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (behind_authority, None),
    };
    let owned = |part: &str| Some(Cow::Owned(part.to_owned()));
    Parts {
        protocol: Some(Cow::Owned(scheme.to_ascii_lowercase())),
        host_name: host(written_host, oddities).map(Cow::Owned),
        port,
        // RFC 3986 § 6.2.3: "an empty path should be normalized to a path of "/"".
        path: owned(if path.is_empty() { "/" } else { path }),
        query: query.and_then(owned),
        ..Parts::nothing()
    }
}

/// A host that is none by the URL Standard is kept if it looks like one: `xn--` before what is no Punycode, or four
/// numbers of which one is too great. `cc-index-table` keeps it as well.
fn host(written: &str, oddities: &mut Oddities) -> Option<String> {
    if written.is_empty() || written == "." {
        oddities.add(Oddity::NoHost);
        return None;
    }
    if let Ok(host) = Host::parse(written) {
        return Some(host_name(&host.to_string()));
    }
    let looks_like_one = written.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
    oddities.add(if looks_like_one { Oddity::HostKeptAsWritten } else { Oddity::HostInvalid });
    looks_like_one.then(|| host_name(written))
}
