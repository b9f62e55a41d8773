//! The facts of a capture about its site.

use super::bodies::Bodies;
use super::captures::WebCapture;
use super::keys::HashKeys;
use crate::models::capture_preference::CapturePreference;
use robots::{AccessResult, RedirectEnd};
use std::cmp::Reverse;

/// The facts of a capture about its site.
#[derive(Clone, Copy)]
pub(super) struct SiteCapture<'t> {
    pub(super) capture_id: i64,
    pub(super) fetch_time: Option<i64>,
    pub(super) fetch_status: Option<i32>,
    pub(super) access_result: AccessResult,
    /// The URL that it redirects to, or why it redirects to none; `None` if it does not redirect.
    pub(super) leads_to: Option<Result<&'t str, RedirectEnd>>,
    /// Its own body, or the one that it repeats.
    pub(super) body_id: Option<i64>,
}

impl<'t> SiteCapture<'t> {
    pub(super) fn read(row: &WebCapture<'t>, bodies: &Bodies, keys: &HashKeys) -> Self {
        SiteCapture {
            capture_id: row.capture_id,
            fetch_time: row.fetch_time,
            fetch_status: row.fetch_status,
            access_result: row.access_result,
            leads_to: row.leads_to(),
            body_id: row.body_id.or_else(|| bodies.with_digest(keys.key(row.repeats()?))),
        }
    }

    /// Of the captures of an address, the one with the smallest rank counts.
    pub(super) fn rank(&self, preference: CapturePreference) -> impl Ord + use<> {
        let result = match (preference, self.access_result) {
            (CapturePreference::Latest | CapturePreference::First, _) => 0,
            (_, AccessResult::Successful) => 0,
            (_, AccessResult::Unavailable) => 1,
            (_, AccessResult::Redirect) => 2,
            (_, AccessResult::Unreachable) => 3,
        };
        let earliest = (preference == CapturePreference::First).then(|| (self.fetch_time.is_none(), self.fetch_time));
        (result, earliest, Reverse(self.fetch_time), Reverse(self.capture_id))
    }
}

/// The capture that counts for an address. There may be millions, so that its texts are one.
pub(super) struct CountedCapture {
    capture_id: i64,
    fetch_time: Option<i64>,
    fetch_status: Option<i32>,
    access_result: AccessResult,
    body_id: Option<i64>,
    /// Whether it redirects, and whether to a URL.
    leads_to: Option<Result<(), RedirectEnd>>,
    /// The host name, the registered domain, and the URL that it redirects to.
    texts: Box<str>,
    host_bytes: u32,
    domain_bytes: Option<u32>,
}

impl CountedCapture {
    pub(super) fn new(capture: &SiteCapture<'_>, host_name: &str, registered_domain: Option<&str>) -> Self {
        let url = capture.leads_to.and_then(Result::ok).unwrap_or_default();
        CountedCapture {
            capture_id: capture.capture_id,
            fetch_time: capture.fetch_time,
            fetch_status: capture.fetch_status,
            access_result: capture.access_result,
            body_id: capture.body_id,
            leads_to: capture.leads_to.map(|to| to.map(|_| ())),
            texts: [host_name, registered_domain.unwrap_or_default(), url].concat().into(),
            // A column of Parquet has no text of 4 GiB.
            host_bytes: host_name.len() as u32,
            domain_bytes: registered_domain.map(|domain| domain.len() as u32),
        }
    }

    pub(super) fn host_name(&self) -> &str {
        self.split_texts().0
    }

    pub(super) fn registered_domain(&self) -> Option<&str> {
        self.domain_bytes.map(|_| self.split_texts().1)
    }

    pub(super) fn leads_to(&self) -> Option<Result<&str, RedirectEnd>> {
        self.leads_to.map(|to| to.map(|()| self.split_texts().2))
    }

    /// The host name, the registered domain and the URL.
    fn split_texts(&self) -> (&str, &str, &str) {
        let (host_name, others) = self.texts.split_at(self.host_bytes as usize);
        let (registered_domain, url) = others.split_at(self.domain_bytes.unwrap_or_default() as usize);
        (host_name, registered_domain, url)
    }

    pub(super) fn capture(&self) -> SiteCapture<'_> {
        SiteCapture {
            capture_id: self.capture_id,
            fetch_time: self.fetch_time,
            fetch_status: self.fetch_status,
            access_result: self.access_result,
            leads_to: self.leads_to(),
            body_id: self.body_id,
        }
    }
}
