//! The facts of a capture about its site.

use super::bodies::Bodies;
use super::captures::{NOT_MODIFIED, WebCapture};
use super::keys::HashKeys;
use crate::models::capture_preference::CapturePreference;
use robots::{AccessResult, RedirectEnd};
use std::cmp::Reverse;
use std::num::NonZeroU32;

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
            body_id: row.body_id.or_else(|| bodies.with_digest(keys.digest_key(row.repeats()?))),
        }
    }

    /// Whether the file would decide, and it is not known: the response was stored without it, or repeats one that was
    /// not captured.
    fn is_unknown(&self) -> bool {
        let may_have_body = self.access_result == AccessResult::Successful || self.fetch_status == Some(NOT_MODIFIED);
        may_have_body && self.body_id.is_none()
    }

    /// Of the captures of an address, the one with the smallest rank counts. Any other is better than one whose file is
    /// not known.
    fn rank(&self, preference: CapturePreference) -> impl Ord + use<> {
        let result = match (preference, self.access_result) {
            (CapturePreference::Latest | CapturePreference::First, _) => 0,
            (_, AccessResult::Successful) => 0,
            // It confirms a file.
            (_, AccessResult::Redirect) if self.fetch_status == Some(NOT_MODIFIED) => 0,
            (_, AccessResult::Unavailable) => 1,
            (_, AccessResult::Redirect) => 2,
            (_, AccessResult::Unreachable) => 3,
        };
        // Captures of one time are in the order of their ids.
        let earliest = (preference == CapturePreference::First).then_some((
            self.fetch_time.is_none(),
            self.fetch_time,
            self.capture_id,
        ));
        (self.is_unknown(), result, earliest, Reverse((self.fetch_time, self.capture_id)))
    }
}

/// An address, and the capture that counts for it. There may be tens of millions, so each takes 64 bytes.
pub(super) struct CountedAddress {
    /// The id of the first capture.
    pub(super) site_id: i64,
    /// How many captures there are.
    pub(super) captures: u32,
    pub(super) host_bytes: u32,
    /// A registered domain is the end of its host name.
    pub(super) domain_bytes: Option<NonZeroU32>,
    access_result: AccessResult,
    capture_id: i64,
    fetch_time: MaybeNumber,
    fetch_status: Option<i32>,
    leads_to: Option<Box<Result<Box<str>, RedirectEnd>>>,
    body_id: MaybeNumber,
}

impl CountedAddress {
    /// An address with one capture.
    pub(super) fn new(capture: &SiteCapture<'_>, host_name: &str, registered_domain: Option<&str>) -> Self {
        CountedAddress {
            site_id: capture.capture_id,
            captures: 1,
            // A column of Parquet has no text of 4 GiB.
            host_bytes: host_name.len() as u32,
            domain_bytes: registered_domain.and_then(|domain| NonZeroU32::new(domain.len() as u32)),
            access_result: capture.access_result,
            capture_id: capture.capture_id,
            fetch_time: MaybeNumber::from(capture.fetch_time),
            fetch_status: capture.fetch_status,
            leads_to: capture.leads_to.map(|to| Box::new(to.map(Box::from))),
            body_id: MaybeNumber::from(capture.body_id),
        }
    }

    /// Adds a later capture of the same address.
    pub(super) fn add(&mut self, other: Self, preference: CapturePreference) {
        let (site_id, captures) = (self.site_id, self.captures + other.captures);
        if other.capture().rank(preference) < self.capture().rank(preference) {
            *self = other;
        }
        (self.site_id, self.captures) = (site_id, captures);
    }

    /// The capture that counts.
    pub(super) fn capture(&self) -> SiteCapture<'_> {
        SiteCapture {
            capture_id: self.capture_id,
            fetch_time: self.fetch_time.get(),
            fetch_status: self.fetch_status,
            access_result: self.access_result,
            leads_to: self.leads_to.as_ref().map(|to| to.as_ref().as_deref().map_err(|end| *end)),
            body_id: self.body_id.get(),
        }
    }
}

/// A number or nothing, in half of the space of an `Option`.
#[derive(Clone, Copy)]
pub(super) struct MaybeNumber(i64);

impl MaybeNumber {
    /// No time and no id is this number.
    pub(super) const NOTHING: Self = MaybeNumber(i64::MIN);

    pub(super) fn get(self) -> Option<i64> {
        (self.0 != Self::NOTHING.0).then_some(self.0)
    }
}

impl From<Option<i64>> for MaybeNumber {
    fn from(value: Option<i64>) -> Self {
        value.map_or(Self::NOTHING, MaybeNumber)
    }
}

#[test]
fn an_address_is_small() {
    assert_eq!(size_of::<CountedAddress>(), 64);
}
