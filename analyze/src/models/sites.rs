//! Makes `sites`: which sites were captured, which body applies to each after redirects, and which policy class it has.
//!
//! It reads the captures three times, so that it never has the rows of all sites in memory. Several files are read at
//! the same time, and what was found in them is taken in their order:
//!
//! 1. to find the addresses with several captures and the addresses that redirects lead to, with 2 bytes per capture;
//! 2. to find the capture that counts for each of these addresses;
//! 3. to write the row of each site, at its first capture.
//!
//! If captures repeat bodies whose digests `bodies` does not have, the digests of all captures are read, too.
//!
//! Addresses are compared by a 128-bit hash. Its key is drawn at random for each run, so that no crawled site can make
//! two addresses collide. The first reading compares parts of the hash: an address that it takes for another costs only
//! memory. Rows and their order do not depend on the key.

mod bodies;
mod capture;
mod captures;
mod keys;
mod redirects;

use super::capture_preference::CapturePreference;
use super::parquet_files::ParquetFiles;
use super::watch::{Halt, Watch};
use bodies::Bodies;
use capture::{CountedAddress, SiteCapture};
use captures::{Captures, WebCapture};
use datafusion::arrow::array::RecordBatch;
use folder::Failure;
use keys::{AddressHash, HalfHash, HashKeys, half};
use redirects::{Redirects, Target, follow};
use robots::{AccessClass, AccessResult, Dialect, SiteOutcome};
use std::collections::{HashMap, HashSet};
use tables::{ParquetError, RowWriter, sites};

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
    cannot: impl Fn(ParquetError) -> Failure + Sync,
    mut write: impl FnMut(RecordBatch) -> Result<(), Failure>,
) -> Result<(), Halt> {
    let keys = HashKeys::default();
    let captures = Captures(captures);
    let FoundAddresses { wanted, repeated_digests } = FoundAddresses::read(&captures, &keys, watch)?;
    let bodies = Bodies::read(bodies, body_classes, &captures, &repeated_digests, &keys, watch)?;
    let counted = CountedAddresses::read(&captures, &wanted, &bodies, preference, &keys, watch)?;
    drop(wanted);
    let read = |found: &mut FileSites, row: &WebCapture<'_>| {
        if !row.is_own() {
            return Ok(());
        }
        row.write_address(&mut found.address);
        let own = counted.get(&keys, &found.address);
        if own.is_some_and(|own| own.site_id != row.capture_id) {
            return Ok(());
        }
        let chosen = own.map_or_else(|| SiteCapture::read(row, &bodies, &keys), CountedAddress::capture);
        let count = own.map_or(1, |own| own.captures);
        let target = |url| counted.get(&keys, url).map(|address| Target { url, address });
        let redirects = chosen.leads_to.map(|first| follow(&found.address, first, target));
        Ok(found.rows.push(site(row, count, &chosen, redirects.as_ref(), &bodies)).map_err(&cannot)?)
    };
    captures.each(watch, read, |mut found| {
        found.rows.flush().map_err(&cannot)?;
        Ok(std::mem::take(found.rows.sink()).into_iter().try_for_each(&mut write)?)
    })
}

/// The rows of the sites whose first capture is in a file.
#[derive(Default)]
struct FileSites {
    rows: RowWriter<sites::Batch, Vec<RecordBatch>>,
    address: String,
}

/// The row of a site. `own` is any of its captures, `chosen` the one that counts.
fn site<'v>(
    own: &WebCapture<'v>,
    captures: u32,
    chosen: &SiteCapture<'_>,
    redirects: Option<&Redirects<'v>>,
    bodies: &Bodies,
) -> sites::Row<'v> {
    let end = redirects.and_then(|redirects| redirects.end);
    let target = redirects.and_then(|redirects| redirects.last);
    let last = match redirects {
        None => Some(*chosen),
        Some(_) => target.map(|target| target.address.capture()),
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
        captures: captures.into(),
        capture_id: chosen.capture_id,
        fetch_time: chosen.fetch_time,
        fetch_status: chosen.fetch_status,
        access_result: chosen.access_result.name(),
        hops: redirects.map_or(0, |redirects| redirects.hops),
        final_capture_id: answer.map(|answer| answer.capture_id),
        final_url: redirects.map(|redirects| redirects.url).filter(|url| !url.is_empty()),
        final_host_name: target.map(|target| target.host_name()),
        final_registered_domain: target.and_then(|target| target.registered_domain()),
        final_status: status,
        outcome: outcome.name(),
        access_without_rules: access.without_rules().map(|all| AccessClass::all_or_none(all).name()),
        redirect_end: end.map(|end| end.name()),
        body_id,
        class_id: body_id.and_then(|body_id| bodies.class(body_id)).unwrap_or(class_without_rules),
    }
}

/// The results of the first reading.
struct FoundAddresses {
    /// The addresses with several captures and those that redirects lead to, and few others.
    wanted: HashSet<HalfHash>,
    repeated_digests: HashSet<AddressHash>,
}

/// Which addresses were there, with a bit for many addresses.
struct SeenAddresses {
    bits: Vec<u64>,
}

/// So many bits for each address. On average, one of 32 addresses then finds the bit of another, which costs 100 bytes.
const BITS_OF_ADDRESS: usize = 16;

impl SeenAddresses {
    fn with_room_for(addresses: u64) -> Self {
        SeenAddresses { bits: vec![0; addresses as usize * BITS_OF_ADDRESS / 64 + 1] }
    }

    /// Adds an address. Returns whether it, or another with the same bit, was added before.
    fn was_added(&mut self, address: HalfHash) -> bool {
        // The upper bits choose the word, so that the number of words need not be a power of two.
        let place = (u128::from(address) * self.bits.len() as u128) >> 64;
        let bit = 1 << (address % 64);
        self.bits.get_mut(place as usize).is_some_and(|word| {
            let was_added = *word & bit != 0;
            *word |= bit;
            was_added
        })
    }
}

/// What the first reading found in a file.
#[derive(Default)]
struct FileAddresses {
    /// The addresses of its captures.
    own: Vec<HalfHash>,
    targets: Vec<HalfHash>,
    repeated_digests: Vec<AddressHash>,
    address: String,
}

impl FoundAddresses {
    fn read(captures: &Captures<'_>, keys: &HashKeys, watch: &Watch<'_>) -> Result<Self, Halt> {
        let read = |found: &mut FileAddresses, row: &WebCapture<'_>| {
            found.targets.extend(row.leads_to().and_then(Result::ok).map(|url| half(keys.key(url))));
            found.repeated_digests.extend(row.repeats().map(|digest| keys.digest_key(digest)));
            if row.is_own() {
                row.write_address(&mut found.address);
                found.own.push(half(keys.key(&found.address)));
            }
            Ok(())
        };
        let mut seen = SeenAddresses::with_room_for(captures.0.rows);
        let (mut wanted, mut repeated_digests) = (HashSet::new(), HashSet::new());
        captures.each(watch, read, |found| {
            wanted.extend(found.targets);
            repeated_digests.extend(found.repeated_digests);
            wanted.extend(found.own.into_iter().filter(|address| seen.was_added(*address)));
            Ok(())
        })?;
        Ok(FoundAddresses { wanted, repeated_digests })
    }
}

/// The addresses with several captures and those that redirects lead to.
struct CountedAddresses {
    addresses: Vec<CountedAddress>,
    /// Where each address is. A table of addresses would have space for twice as many.
    places: HashMap<AddressHash, u32>,
}

/// What the second reading found in a file.
#[derive(Default)]
struct FileCaptures {
    captures: Vec<(AddressHash, CountedAddress)>,
    address: String,
}

impl CountedAddresses {
    fn read(
        captures: &Captures<'_>,
        wanted: &HashSet<HalfHash>,
        bodies: &Bodies,
        preference: CapturePreference,
        keys: &HashKeys,
        watch: &Watch<'_>,
    ) -> Result<Self, Halt> {
        let read = |found: &mut FileCaptures, row: &WebCapture<'_>| {
            row.write_address(&mut found.address);
            let key = keys.key(&found.address);
            if wanted.contains(&half(key)) {
                let capture = SiteCapture::read(row, bodies, keys);
                let counted = CountedAddress::new(&capture, row.url_host_name, row.url_host_registered_domain);
                found.captures.push((key, counted));
            }
            Ok(())
        };
        let mut counted = CountedAddresses { addresses: Vec::new(), places: HashMap::new() };
        captures.each(watch, read, |found| {
            for (key, capture) in found.captures {
                counted.add(key, capture, preference);
            }
            Ok(())
        })?;
        Ok(counted)
    }

    fn add(&mut self, key: AddressHash, capture: CountedAddress, preference: CapturePreference) {
        // There is no memory for more addresses than this number can count.
        let place = *self.places.entry(key).or_insert(self.addresses.len() as u32);
        match self.addresses.get_mut(place as usize) {
            None => self.addresses.push(capture),
            Some(address) => address.add(capture, preference),
        }
    }

    fn get(&self, keys: &HashKeys, address: &str) -> Option<&CountedAddress> {
        self.places.get(&keys.key(address)).and_then(|place| self.addresses.get(*place as usize))
    }
}
