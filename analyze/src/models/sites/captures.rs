//! Reads captures of http and https URLs.

use super::keys::{AddressHash, HashKeys};
use crate::models::parquet_files::{FileBatch, ParquetFiles, value};
use crate::models::watch::{Halt, ModelProgress, Watch};
use datafusion::arrow::array::{Int32Array, Int64Array, StringArray, TimestampMillisecondArray};
use folder::Failure;
use robots::{AccessResult, RedirectEnd};
use std::collections::{HashMap, HashSet};
use tables::captures::{LOCATION_REMARKS, NAMES, REVISIT};

/// The SHA-1 of no bytes in base32, which responses without a body also have.
const DIGEST_OF_NOTHING: &str = "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";

/// "Not modified": the body of an earlier capture still applies. It is not a redirect to follow.
pub(super) const NOT_MODIFIED: i32 = 304;

/// The captures of a crawl.
pub(super) struct Captures<'f>(pub(super) &'f ParquetFiles);

/// A capture of an http or https URL. The names are those of the columns.
pub(super) struct WebCapture<'b> {
    pub(super) capture_id: i64,
    pub(super) url_protocol: &'b str,
    pub(super) url_host_name: &'b str,
    url_port: Option<i32>,
    pub(super) url_host_tld: Option<&'b str>,
    pub(super) url_host_registered_domain: Option<&'b str>,
    pub(super) url_host_private_domain: Option<&'b str>,
    url_path: &'b str,
    url_query: Option<&'b str>,
    pub(super) fetch_time: Option<i64>,
    pub(super) fetch_status: Option<i32>,
    fetch_redirect: Option<&'b str>,
    remarks: Option<&'b str>,
    pub(super) access_result: AccessResult,
    content_digest: Option<&'b str>,
    pub(super) body_id: Option<i64>,
    warc_record_type: &'b str,
}

impl Captures<'_> {
    /// Calls `read` for each capture and what was found in its file so far, and `take` with what was found in a whole
    /// file. Captures of a file, and files, are in the order of `capture_id`.
    pub(super) fn each<T: Default + Send>(
        &self,
        watch: &Watch<'_>,
        read: impl Fn(&mut T, &WebCapture<'_>) -> Result<(), Halt> + Sync,
        take: impl FnMut(T) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        const COLUMNS: [&str; 17] = [
            NAMES.capture_id,
            NAMES.url_protocol,
            NAMES.url_host_name,
            NAMES.url_port,
            NAMES.url_host_tld,
            NAMES.url_host_registered_domain,
            NAMES.url_host_private_domain,
            NAMES.url_path,
            NAMES.url_query,
            NAMES.fetch_time,
            NAMES.fetch_status,
            NAMES.fetch_redirect,
            NAMES.remarks,
            NAMES.access_result,
            NAMES.content_digest,
            NAMES.body_id,
            NAMES.warc_record_type,
        ];
        let read_batch = |found: &mut T, batch: &FileBatch<'_>| {
            let capture_id: &Int64Array = batch.column(NAMES.capture_id)?;
            let url_protocol: &StringArray = batch.column(NAMES.url_protocol)?;
            let url_host_name: &StringArray = batch.column(NAMES.url_host_name)?;
            let url_port: &Int32Array = batch.column(NAMES.url_port)?;
            let url_host_tld: &StringArray = batch.column(NAMES.url_host_tld)?;
            let url_host_registered_domain: &StringArray = batch.column(NAMES.url_host_registered_domain)?;
            let url_host_private_domain: &StringArray = batch.column(NAMES.url_host_private_domain)?;
            let url_path: &StringArray = batch.column(NAMES.url_path)?;
            let url_query: &StringArray = batch.column(NAMES.url_query)?;
            let fetch_time: &TimestampMillisecondArray = batch.column(NAMES.fetch_time)?;
            let fetch_status: &Int32Array = batch.column(NAMES.fetch_status)?;
            let fetch_redirect: &StringArray = batch.column(NAMES.fetch_redirect)?;
            let remarks: &StringArray = batch.column(NAMES.remarks)?;
            let access_result: &StringArray = batch.column(NAMES.access_result)?;
            let content_digest: &StringArray = batch.column(NAMES.content_digest)?;
            let body_id: &Int64Array = batch.column(NAMES.body_id)?;
            let warc_record_type: &StringArray = batch.column(NAMES.warc_record_type)?;
            for row in 0..capture_id.len() {
                let (Some(url_protocol @ ("http" | "https")), Some(url_host_name)) =
                    (value(url_protocol, row), value(url_host_name, row))
                else {
                    continue;
                };
                let word = access_result.value(row);
                let Some(access_result) = AccessResult::named(word) else {
                    return Err(Failure::new("word is unknown", batch.path(), word).into());
                };
                let capture = WebCapture {
                    capture_id: capture_id.value(row),
                    url_protocol,
                    url_host_name,
                    url_port: value(url_port, row),
                    url_host_tld: value(url_host_tld, row),
                    url_host_registered_domain: value(url_host_registered_domain, row),
                    url_host_private_domain: value(url_host_private_domain, row),
                    url_path: url_path.value(row),
                    url_query: value(url_query, row),
                    fetch_time: value(fetch_time, row),
                    fetch_status: value(fetch_status, row),
                    fetch_redirect: value(fetch_redirect, row),
                    remarks: value(remarks, row),
                    access_result,
                    content_digest: value(content_digest, row),
                    body_id: value(body_id, row),
                    warc_record_type: warc_record_type.value(row),
                };
                read(found, &capture)?;
            }
            Ok(())
        };
        self.0.each(&COLUMNS, watch, read_batch, take)
    }

    /// Calls `take` with the digests of bodies that captures state and that are among these, and the first body with
    /// each, file by file. A digest that a file states for two bodies is that of none: a writer may state the same one
    /// everywhere. Bodies of one file are equal only if they are one.
    pub(super) fn stated_digests(
        &self,
        among: &HashSet<AddressHash>,
        keys: &HashKeys,
        watch: &Watch<'_>,
        take: impl FnMut(HashMap<AddressHash, Option<i64>>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let read = |found: &mut HashMap<AddressHash, Option<i64>>, batch: &FileBatch<'_>| {
            let content_digest: &StringArray = batch.column(NAMES.content_digest)?;
            let body_id: &Int64Array = batch.column(NAMES.body_id)?;
            for (digest, body_id) in content_digest.iter().zip(body_id) {
                if let (Some(digest), Some(body_id)) = (digest, body_id) {
                    let key = keys.digest_key(digest);
                    if among.contains(&key) {
                        let known = found.entry(key).or_insert(Some(body_id));
                        *known = known.filter(|known| *known == body_id);
                    }
                }
            }
            Ok(())
        };
        // Few crawls need this, and two columns are read fast: these rows are not among those that progress expects.
        let watch = Watch { progress: &ModelProgress::default(), ..*watch };
        self.0.each(&[NAMES.content_digest, NAMES.body_id], &watch, read, take)
    }
}

impl<'b> WebCapture<'b> {
    /// Whether it is the robots.txt of its host, and not only the target of a redirect.
    pub(super) fn is_own(&self) -> bool {
        robots::is_robots_txt(self.url_path, self.url_query)
    }

    /// The port, which is that of the scheme if the URL has none.
    pub(super) fn port(&self) -> i32 {
        self.url_port.unwrap_or_else(|| hosts::default_port(self.url_protocol).into())
    }

    /// Writes its address.
    pub(super) fn write_address(&self, address: &mut String) {
        let WebCapture { url_protocol, url_host_name, url_port, url_path, url_query, .. } = *self;
        hosts::write_address(address, url_protocol, url_host_name, url_port, url_path, url_query);
    }

    /// The URL that it redirects to, or why it redirects to none; `None` if it does not redirect.
    pub(super) fn leads_to(&self) -> Option<Result<&'b str, RedirectEnd>> {
        let is_redirect = self.access_result == AccessResult::Redirect;
        let leads_on = self.fetch_status.is_some_and(|status| status != NOT_MODIFIED);
        let has_location =
            || self.remarks.is_some_and(|all| all.split(' ').any(|remark| remark.starts_with(LOCATION_REMARKS)));
        (is_redirect && leads_on).then(|| match self.fetch_redirect {
            Some(url) => Ok(url),
            None if has_location() => Err(RedirectEnd::UnusableLocation),
            None => Err(RedirectEnd::NoLocation),
        })
    }

    /// The digest of the body that it repeats, if it has none of its own.
    ///
    /// A `revisit` has the digest of the content that was seen, which may be an empty file. A 304 may instead have that
    /// of its own body, which is empty.
    pub(super) fn repeats(&self) -> Option<&'b str> {
        let is_of_a_body = |digest: &str| is_sha1_base32(digest) && !digest.eq_ignore_ascii_case(DIGEST_OF_NOTHING);
        self.content_digest.filter(|digest| match self.fetch_status {
            _ if self.body_id.is_some() => false,
            Some(NOT_MODIFIED) => is_of_a_body(digest),
            _ => self.warc_record_type == REVISIT,
        })
    }
}

/// Whether a digest is of the form that `bodies` has: 160 bits, 5 in a character.
fn is_sha1_base32(digest: &str) -> bool {
    digest.len() == DIGEST_OF_NOTHING.len()
}
