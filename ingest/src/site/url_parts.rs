//! The parts of a target.

use super::remark::TargetRemarks;
use hosts::Domains;
use std::borrow::Cow;

/// The parts of a target. A part is `None` if the target does not have it; [`UrlParts::remarks`] say why.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UrlParts<'a> {
    /// `url`: the target itself, as written.
    pub url: Cow<'a, str>,
    /// `url_protocol`, in lower case.
    pub protocol: Option<Cow<'a, str>>,
    /// `url_host_name`.
    pub host_name: Option<Cow<'a, str>>,
    /// `url_port`: as written, even if it is the scheme's default.
    pub port: Option<u16>,
    /// `url_path`: `/` if nothing follows the authority.
    pub path: Option<Cow<'a, str>>,
    /// `url_query`: the text after the first question mark.
    pub query: Option<Cow<'a, str>>,
    /// Remarks on the target.
    pub remarks: TargetRemarks,
    pub(super) domains: Domains,
}

impl UrlParts<'_> {
    /// `url_host_tld`: the last label of the host; none for an address.
    #[must_use]
    pub fn tld(&self) -> Option<&str> {
        self.end_of_host(self.domains.tld)
    }

    /// `url_host_registered_domain`: one label more than the suffix in the ICANN section of the public suffix list.
    #[must_use]
    pub fn registered_domain(&self) -> Option<&str> {
        self.end_of_host(self.domains.registered)
    }

    /// `url_host_private_domain`: one label more than the suffix in either section.
    #[must_use]
    pub fn private_domain(&self) -> Option<&str> {
        self.end_of_host(self.domains.private)
    }

    /// Whether this is the [robots.txt](robots::is_robots_txt) of a web service.
    #[must_use]
    pub fn is_robots_txt(&self) -> bool {
        matches!(self.protocol.as_deref(), Some("http" | "https"))
            && self.path.as_deref().is_some_and(|path| robots::is_robots_txt(path, self.query.as_deref()))
    }

    fn end_of_host(&self, length: Option<u32>) -> Option<&str> {
        let host = self.host_name.as_deref()?;
        host.get(host.len().checked_sub(length? as usize)?..)
    }
}
