//! Follows redirects from capture to capture.

use super::capture::CountedAddress;
use robots::RedirectEnd;
use robots::limits::REDIRECTS;

/// Where the redirects of a site lead.
pub(super) struct Redirects<'t> {
    /// How many were followed to a capture.
    pub(super) hops: i32,
    /// The last URL, which is empty if the response named none.
    pub(super) url: &'t str,
    /// The last address with a capture.
    pub(super) last: Option<Target<'t>>,
    /// Why they lead to no capture; `None` if they lead to one.
    pub(super) end: Option<RedirectEnd>,
}

/// An address that a redirect leads to.
#[derive(Clone, Copy)]
pub(super) struct Target<'t> {
    pub(super) url: &'t str,
    pub(super) address: &'t CountedAddress,
}

impl<'t> Target<'t> {
    pub(super) fn host_name(&self) -> &'t str {
        let host_and_more = self.url.split_once("://").map_or("", |(_, rest)| rest);
        host_and_more.get(..self.address.host_bytes as usize).unwrap_or_default()
    }

    pub(super) fn registered_domain(&self) -> Option<&'t str> {
        let (host_name, bytes) = (self.host_name(), self.address.domain_bytes?);
        host_name.len().checked_sub(bytes.get() as usize).and_then(|start| host_name.get(start..))
    }
}

/// Follows redirects: from a site's own address to the first URL, and from the capture of each URL to the next.
///
/// RFC 9309 § 2.3.1.2: "The crawlers SHOULD follow at least five consecutive redirects, even across authorities".
pub(super) fn follow<'t>(
    own: &'t str,
    first: Result<&'t str, RedirectEnd>,
    captured: impl Fn(&'t str) -> Option<Target<'t>>,
) -> Redirects<'t> {
    let mut urls = vec![own];
    let (mut target, mut hops) = (first, 0);
    let (last, next) = loop {
        let Ok(url) = target else { break (None, None) };
        urls.push(url);
        let last = captured(url);
        hops += i32::from(last.is_some());
        match last.and_then(|last| last.address.capture().leads_to) {
            Some(next) if hops < REDIRECTS as i32 => target = next,
            next => {
                urls.extend(next.and_then(Result::ok));
                break (last, next);
            }
        }
    };
    let is_loop = urls.iter().enumerate().any(|(n, url)| urls.iter().take(n).any(|earlier| earlier == url));
    let end = match (last, target) {
        _ if is_loop => Some(RedirectEnd::Loop),
        _ if next.is_some() => Some(RedirectEnd::TooMany),
        (Some(_), _) => None,
        (None, Err(end)) => Some(end),
        (None, Ok(url)) if !url.starts_with("http://") && !url.starts_with("https://") => Some(RedirectEnd::NotHttp),
        (None, Ok(_)) => Some(RedirectEnd::NotCaptured),
    };
    Redirects { hops, url: target.unwrap_or_default(), last, end }
}

#[cfg(test)]
mod tests {
    use super::super::capture::SiteCapture;
    use super::*;
    use robots::AccessResult;
    use std::collections::HashMap;

    fn captures<'t>(redirects: &[(&'t str, &str)]) -> HashMap<&'t str, CountedAddress> {
        let capture = |leads_to| SiteCapture {
            capture_id: 0,
            fetch_time: None,
            fetch_status: None,
            access_result: AccessResult::Successful,
            leads_to: match leads_to {
                "-" => None,
                "" => Some(Err(RedirectEnd::NoLocation)),
                "?" => Some(Err(RedirectEnd::UnusableLocation)),
                url => Some(Ok(url)),
            },
            body_id: None,
        };
        let counted = |leads_to| CountedAddress::new(&capture(leads_to), "a", None);
        redirects.iter().map(|(url, leads_to)| (*url, counted(*leads_to))).collect()
    }

    fn target<'t>(captures: &'t HashMap<&str, CountedAddress>, url: &'t str) -> Option<Target<'t>> {
        captures.get(url).map(|address| Target { url, address })
    }

    #[test]
    fn a_chain_ends_at_a_capture_or_says_why_not() {
        let check = |redirects: &[(&str, &str)], expected: (i32, &str, Option<RedirectEnd>)| {
            let captures = captures(redirects);
            let found = follow("http://own", Ok("http://1"), |url| target(&captures, url));
            assert_eq!((found.hops, found.url, found.end), expected, "{redirects:?}");
        };
        check(&[("http://1", "-")], (1, "http://1", None));
        check(&[("http://1", "http://2"), ("http://2", "-")], (2, "http://2", None));
        check(&[], (0, "http://1", Some(RedirectEnd::NotCaptured)));
        check(&[("http://1", "http://2")], (1, "http://2", Some(RedirectEnd::NotCaptured)));
        check(&[("http://1", "")], (1, "", Some(RedirectEnd::NoLocation)));
        check(&[("http://1", "?")], (1, "", Some(RedirectEnd::UnusableLocation)));
        check(&[("http://1", "http://2"), ("http://2", "?")], (2, "", Some(RedirectEnd::UnusableLocation)));
        check(&[("http://1", "ftp://2")], (1, "ftp://2", Some(RedirectEnd::NotHttp)));
        check(&[("http://1", "http://own")], (1, "http://own", Some(RedirectEnd::Loop)));
        check(&[("http://1", "http://1")], (REDIRECTS as i32, "http://1", Some(RedirectEnd::Loop)));
    }

    #[test]
    fn redirects_are_followed_up_to_the_limit() {
        let urls: Vec<String> = (1..=REDIRECTS + 2).map(|number| format!("http://{number}")).collect();
        let redirects: Vec<(&str, &str)> =
            urls.iter().zip(urls.iter().skip(1)).map(|(url, next)| (url.as_str(), next.as_str())).collect();
        let end = |captured: &[(&str, &str)], last: &str| {
            let mut captures = captures(captured);
            captures.extend(self::captures(&[(last, "-")]));
            follow("http://own", Ok("http://1"), |url| target(&captures, url)).end
        };
        let limit = REDIRECTS as usize;
        assert_eq!(end(&redirects[..limit - 1], &urls[limit - 1]), None);
        assert_eq!(end(&redirects[..limit], &urls[limit]), Some(RedirectEnd::TooMany));
    }
}
