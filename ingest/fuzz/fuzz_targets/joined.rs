//! Splitting a text into members anywhere gives the same records as one member.
//!
//! An input is the lengths of the members, up to the first zero, and the text. Texts with bytes of no record are skipped:
//! the end of the record before them depends on what follows it in its member. So are texts in which a member ends in a
//! head and the next one starts with a record: that head is cut.
#![no_main]

use flate2::Compression;
use flate2::bufread::GzEncoder;
use ingest::archive::{Cause, Record, RecordOrDamage, Workshop, read};
use libfuzzer_sys::fuzz_target;
use std::io::{Cursor, Read as _};
use std::ops::ControlFlow;

fuzz_target!(|input: &[u8]| {
    let Some(end) = input.iter().position(|byte| *byte == 0) else { return };
    let (lengths, whole_text) = (&input[..end], &input[end + 1..]);
    let mut text = whole_text;
    // Bytes before the first record depend on their members, and members in members are not read.
    if text.starts_with(b"\x1f\x8b") || Record::read(text).is_none_or(|(record, _)| !record.remarks.is_empty()) {
        return;
    }
    let (whole, has_stray) = blocks(&gzip(text));
    let mut split = Vec::new();
    for length in lengths {
        let (member, rest) = text.split_at(usize::from(*length).min(text.len()));
        let before = &whole_text[..whole_text.len() - rest.len()];
        if rest.is_empty() || rest.starts_with(b"WARC/") && may_be_in_head(before) {
            return;
        }
        split.extend(gzip(member));
        text = rest;
    }
    split.extend(gzip(text));
    let (found, _) = blocks(&split);
    if !has_stray && whole.iter().all(|block| block.ends_with("{}")) {
        assert_eq!(found, whole);
    }
});

fn may_be_in_head(before: &[u8]) -> bool {
    let last = |needle: &[u8]| before.windows(needle.len()).rposition(|bytes| bytes == needle);
    last(b"\n\n").max(last(b"\n\r\n")) < last(b"WARC/")
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut member = Vec::new();
    GzEncoder::new(text, Compression::fast()).read_to_end(&mut member).expect("a slice can be read");
    member
}

/// The block and remarks of each record, and whether bytes belong to no record.
fn blocks(file: &[u8]) -> (Vec<String>, bool) {
    let (mut found, mut has_stray) = (Vec::new(), false);
    let account = read(Cursor::new(file), &mut Workshop::default(), |what| {
        match what {
            RecordOrDamage::Record(record, _) => {
                found.push(format!("{:?} {:?}", String::from_utf8_lossy(record.block), record.remarks));
            }
            RecordOrDamage::Damage(damage) => has_stray |= damage.cause == Cause::Stray,
        }
        ControlFlow::Continue(())
    })
    .expect("a slice can be read");
    assert_eq!(account.bytes, account.good_bytes + account.damaged_bytes);
    (found, has_stray)
}
