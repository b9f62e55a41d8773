//! Builds an archive of records, with or without members.

use super::record::{self, EntryPlace};
use super::source::{EntryDamage, Layout, Member, SampleEntry, SampleSource, What};
use crate::member::member;

/// The bytes of an archive.
pub(super) fn build(source: &SampleSource) -> Result<Vec<u8>, String> {
    let mut archive = Vec::new();
    // Records that share one member.
    let mut together = Vec::new();
    let mut entries = source.record.iter().enumerate().peekable();
    while let Some((number, entry)) = entries.next() {
        let place = EntryPlace { archive: &source.archive, hour: &source.hour, number };
        let written = written(entry, &place).map_err(|cause| format!("record {}: {cause}", number + 1))?;
        if entry.what == What::Bytes {
            archive.extend_from_slice(&written);
            continue;
        }
        together.extend_from_slice(&written);
        let goes_on = entries.peek().is_some_and(|(_, next)| next.member == Member::Same);
        if goes_on {
            continue;
        }
        let whole = match source.layout {
            Layout::Members => member(&together),
            Layout::Plain => std::mem::take(&mut together),
        };
        together.clear();
        archive.extend(damaged(whole, entry.damage));
    }
    Ok(archive)
}

fn written(entry: &SampleEntry, place: &EntryPlace<'_>) -> Result<Vec<u8>, String> {
    match entry.what {
        What::Record => record::record(entry, place),
        What::Member | What::Bytes => record::body(entry),
    }
}

fn damaged(mut whole: Vec<u8>, damage: Option<EntryDamage>) -> Vec<u8> {
    let half = whole.len() / 2;
    match damage {
        None => {}
        Some(EntryDamage::Cut) => whole.truncate(half),
        Some(EntryDamage::Flip) => whole.iter_mut().skip(half).take(1).for_each(|byte| *byte ^= 0xff),
    }
    whole
}
