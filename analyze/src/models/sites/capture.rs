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

/// The capture that counts for an address.
pub(super) struct CountedCapture {
    pub(super) capture_id: i64,
    pub(super) fetch_time: Option<i64>,
    pub(super) fetch_status: Option<i32>,
    pub(super) access_result: AccessResult,
    pub(super) leads_to: Option<Result<Box<str>, RedirectEnd>>,
    pub(super) body_id: Option<i64>,
    pub(super) host_name: Box<str>,
    pub(super) registered_domain: Option<Box<str>>,
}

impl CountedCapture {
    pub(super) fn new(capture: &SiteCapture<'_>, row: &WebCapture<'_>) -> Self {
        CountedCapture {
            capture_id: capture.capture_id,
            fetch_time: capture.fetch_time,
            fetch_status: capture.fetch_status,
            access_result: capture.access_result,
            leads_to: capture.leads_to.map(|to| to.map(Box::from)),
            body_id: capture.body_id,
            host_name: row.url_host_name.into(),
            registered_domain: row.url_host_registered_domain.map(Box::from),
        }
    }

    pub(super) fn leads_to(&self) -> Option<Result<&str, RedirectEnd>> {
        self.leads_to.as_ref().map(|to| to.as_deref().map_err(|end| *end))
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
