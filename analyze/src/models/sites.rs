//! Makes `sites`: which sites were captured, which body applies to each after redirects, and which policy class it has.
//!
//! It reads the captures three times, in the order of their ids, so that it never has the rows of all sites in memory:
//!
//! 1. to find the addresses with several captures and the addresses that redirects lead to, with 24 bytes per capture;
//! 2. to find the capture that counts for each of these addresses;
//! 3. to write the row of each site, at its first capture.
//!
//! Addresses are compared by a 128-bit hash. Its key is drawn at random for each run, so that no crawled site can make
//! two addresses collide. Rows and their order do not depend on the key.

mod bodies;
mod capture;
mod captures;
mod keys;
mod redirects;

use super::capture_preference::CapturePreference;
use super::parquet_files::ParquetFiles;
use super::watch::{Halt, Watch};
use bodies::Bodies;
use capture::{CountedCapture, SiteCapture};
use captures::{Captures, WebCapture};
use folder::Failure;
use keys::{AddressHash, HashKeys};
use redirects::{Redirects, follow};
use robots::{AccessClass, AccessResult, Dialect, SiteOutcome};
use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};
use tables::sites;

/// The source text of these rules. If it changes, `sites` is out of date.
pub(super) const TEXT: &str = concat!(
    include_str!("sites.rs"),
    include_str!("sites/bodies.rs"),
    include_str!("sites/capture.rs"),
    include_str!("sites/captures.rs"),
    include_str!("sites/keys.rs"),
    include_str!("sites/redirects.rs")
);

/// The tables that it reads.
pub(super) const READS: [&str; 3] = ["captures", "bodies", "body_classes"];

/// How often it reads the first of them.
pub(super) const READINGS: u64 = 3;

/// Writes the rows of a crawl, by `site_id`.
pub(super) fn write(
    captures: &ParquetFiles,
    bodies: &ParquetFiles,
    body_classes: &ParquetFiles,
    preference: CapturePreference,
    watch: &Watch<'_>,
    mut push: impl FnMut(sites::Row<'_>) -> Result<(), Failure>,
) -> Result<(), Halt> {
    let keys = HashKeys::default();
    let captures = Captures(captures);
    let found = FoundAddresses::read(&captures, &keys, watch)?;
    let bodies = Bodies::read(bodies, body_classes, &found.repeated_digests, &keys, watch)?;
    let counted = CountedCaptures::read(&captures, &found, &bodies, preference, &keys, watch)?;
    let mut address = String::new();
    captures.each(watch, |row| {
        if !row.is_own() {
            return Ok(());
        }
        row.write_address(&mut address);
        let key = keys.key(&address);
        let several = found.several.get(&key);
        if several.is_some_and(|site| site.site_id != row.capture_id) {
            return Ok(());
        }
        let chosen = match several.and_then(|_| counted.0.get(&key)) {
            Some(counted) => counted.capture(),
            None => SiteCapture::read(row, &bodies, &keys),
        };
        let count = several.map_or(1, |site| site.captures);
        let redirects = chosen.leads_to.map(|first| follow(&address, first, |url| counted.0.get(&keys.key(url))));
        push(site(row, count, &chosen, redirects.as_ref(), &bodies))?;
        Ok(())
    })
}

/// The row of a site. `own` is any of its captures, `chosen` the one that counts.
fn site<'v>(
    own: &WebCapture<'v>,
    captures: i64,
    chosen: &SiteCapture<'_>,
    redirects: Option<&Redirects<'v>>,
    bodies: &Bodies,
) -> sites::Row<'v> {
    let end = redirects.and_then(|redirects| redirects.end);
    let target = redirects.and_then(|redirects| redirects.last);
    let last = match redirects {
        None => Some(*chosen),
        Some(_) => target.map(CountedCapture::capture),
    };
    let answer = last.filter(|_| end.is_none());
    let target = target.filter(|_| end.is_none());
    let result = answer.map(|answer| answer.access_result);
    let body_id = answer.and_then(|answer| answer.body_id);
    let outcome = match (result, body_id) {
        (None, _) => SiteOutcome::RedirectUnresolved,
        (Some(AccessResult::Unavailable), _) => SiteOutcome::Unavailable,
        (Some(AccessResult::Unreachable), _) => SiteOutcome::Unreachable,
        (_, None) => SiteOutcome::NoCapture,
        (_, Some(body_id)) => bodies.outcome(body_id),
    };
    let status = last.and_then(|last| last.fetch_status);
    let access = outcome.access(status, Dialect::Rfc9309);
    let is_read = !matches!(result, Some(AccessResult::Unavailable | AccessResult::Unreachable));
    let body_id = body_id.filter(|_| is_read);
    let class_without_rules = match access.without_rules() {
        None => sites::CLASS_OF_UNKNOWN,
        Some(false) => sites::CLASS_OF_NONE,
        Some(true) => sites::CLASS_OF_ALL,
    };
    sites::Row {
        site_id: own.capture_id,
        url_protocol: own.url_protocol,
        url_host_name: own.url_host_name,
        url_port: own.port(),
        url_host_tld: own.url_host_tld,
        url_host_registered_domain: own.url_host_registered_domain,
        url_host_private_domain: own.url_host_private_domain,
        captures,
        capture_id: chosen.capture_id,
        fetch_time: chosen.fetch_time,
        fetch_status: chosen.fetch_status,
        access_result: chosen.access_result.name(),
        hops: redirects.map_or(0, |redirects| redirects.hops),
        final_capture_id: answer.map(|answer| answer.capture_id),
        final_url: redirects.map(|redirects| redirects.url).filter(|url| !url.is_empty()),
        final_host_name: target.map(|target| &*target.host_name),
        final_registered_domain: target.and_then(|target| target.registered_domain.as_deref()),
        final_status: status,
        outcome: outcome.name(),
        access_without_rules: access.without_rules().map(|all| AccessClass::all_or_none(all).name()),
        redirect_end: end.map(|end| end.name()),
        body_id,
        class_id: body_id.and_then(|body_id| bodies.class(body_id)).unwrap_or(class_without_rules),
    }
}

/// A site with several captures.
struct Several {
    site_id: i64,
    captures: i64,
}

/// The results of the first reading.
struct FoundAddresses {
    several: HashMap<AddressHash, Several>,
    /// The addresses that redirects lead to.
    targets: HashSet<AddressHash>,
    repeated_digests: HashSet<AddressHash>,
}

/// The captures are sorted in this many buckets. Each is sorted quickly, and Ctrl-C is checked between two of them.
const BUCKETS: usize = 256;

impl FoundAddresses {
    fn read(captures: &Captures<'_>, keys: &HashKeys, watch: &Watch<'_>) -> Result<Self, Halt> {
        let mut buckets: Vec<Vec<(AddressHash, i64)>> = vec![Vec::new(); BUCKETS];
        let (mut targets, mut repeated_digests) = (HashSet::new(), HashSet::new());
        let mut address = String::new();
        captures.each(watch, |row| {
            targets.extend(row.leads_to().and_then(Result::ok).map(|url| keys.key(url)));
            repeated_digests.extend(row.repeats().map(|digest| keys.key(digest)));
            if row.is_own() {
                row.write_address(&mut address);
                let key = keys.key(&address);
                if let Some(bucket) = buckets.get_mut(key[0] as usize % BUCKETS) {
                    bucket.push((key, row.capture_id));
                }
            }
            Ok(())
        })?;
        let mut several = HashMap::new();
        for mut bucket in buckets {
            watch.check()?;
            bucket.sort_unstable();
            for group in bucket.chunk_by(|(one, _), (other, _)| one == other) {
                if let [(key, site_id), _, ..] = *group {
                    several.insert(key, Several { site_id, captures: group.len() as i64 });
                }
            }
        }
        Ok(FoundAddresses { several, targets, repeated_digests })
    }
}

/// The captures that count, for addresses with several captures and for those that redirects lead to.
struct CountedCaptures(HashMap<AddressHash, CountedCapture>);

impl CountedCaptures {
    fn read(
        captures: &Captures<'_>,
        found: &FoundAddresses,
        bodies: &Bodies,
        preference: CapturePreference,
        keys: &HashKeys,
        watch: &Watch<'_>,
    ) -> Result<Self, Halt> {
        let mut counted = HashMap::new();
        let mut address = String::new();
        captures.each(watch, |row| {
            row.write_address(&mut address);
            let key = keys.key(&address);
            if !found.targets.contains(&key) && !found.several.contains_key(&key) {
                return Ok(());
            }
            let capture = SiteCapture::read(row, bodies, keys);
            match counted.entry(key) {
                Entry::Vacant(vacant) => _ = vacant.insert(CountedCapture::new(&capture, row)),
                Entry::Occupied(mut other) => {
                    if capture.rank(preference) < other.get().capture().rank(preference) {
                        other.insert(CountedCapture::new(&capture, row));
                    }
                }
            }
            Ok(())
        })?;
        Ok(CountedCaptures(counted))
    }
}
