//! Compares a record that both readers have read, field by field.

use super::comparison;
use super::field::{ComparedField, FieldValue};
use super::obstacle::{Obstacle, Obstacles};
use super::second::Raw;
use crate::answer::Head;
use crate::archive::{Record, RecordType};
use crate::rows::Sha1Base32;

/// How two readings of a record compare.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fields {
    /// All fields are the same.
    Same,
    /// Obstacles explain all differences. This one explains the first.
    Explained(Obstacle),
    /// The fields whose difference no obstacle explains, with the values of the first and the second reader.
    Different(Vec<(ComparedField, String, String)>),
}

pub(super) fn compare(ours: &Record<'_>, theirs: &Raw, obstacles: Obstacles) -> Fields {
    let status = theirs.status();
    let our_status = match ours.record_type {
        RecordType::Response | RecordType::Revisit => Head::read(ours.block).0.status,
        _ => None,
    };
    let our_type = match ours.record_type {
        RecordType::Other => String::from_utf8_lossy(ours.written_type).to_lowercase(),
        known => known.name().to_owned(),
    };
    let is_same_length = ours.block.len() == theirs.block.len();
    let is_same_block = ours.block == theirs.block;
    // Statuses are compared only if both readers read them from the same bytes of the same type of record.
    let has_status = is_same_block && our_type == theirs.record_type;
    let fields = [
        (ComparedField::Type, our_type != theirs.record_type),
        (ComparedField::Target, ours.target_uri != theirs.target.as_deref()),
        (ComparedField::BlockLength, !is_same_length),
        (ComparedField::Block, is_same_length && !is_same_block),
        (ComparedField::Status, has_status && our_status != status),
    ];
    let differing = || fields.iter().filter(|(_, differs)| *differs).map(|(field, _)| *field);
    // Of a type on several lines, it has the first line only.
    let is_cut = |field| field == ComparedField::Type && ours.written_type.contains(&b'\n');
    let value = |field| if is_cut(field) { FieldValue::Lost } else { theirs.value(field) };
    let explained = |field| obstacles.iter().find(|obstacle| obstacle.explains(field, value(field)));
    let Some(first) = differing().next() else { return Fields::Same };
    let unexplained: Vec<ComparedField> = differing().filter(|field| explained(*field).is_none()).collect();
    if let (Some(obstacle), true) = (explained(first), unexplained.is_empty()) {
        return Fields::Explained(obstacle);
    }
    let read = |field| {
        let (ours, theirs) = match field {
            ComparedField::Type => {
                (our_type.escape_default().to_string(), theirs.record_type.escape_default().to_string())
            }
            ComparedField::Target => (comparison::text(ours.target_uri), comparison::text(theirs.target.as_deref())),
            ComparedField::BlockLength => (ours.block.len().to_string(), theirs.block.len().to_string()),
            ComparedField::Status => (format!("{our_status:?}"), format!("{status:?}")),
            ComparedField::Block | ComparedField::Record | ComparedField::Member => {
                (digest(ours.block), digest(&theirs.block))
            }
        };
        (field, ours, theirs)
    };
    Fields::Different(unexplained.into_iter().map(read).collect())
}

fn digest(block: &[u8]) -> String {
    format!("sha1:{}", Sha1Base32::digest(block).as_str())
}

#[cfg(test)]
mod tests {
    use super::super::obstacle;
    use super::*;

    const BLOCK: &[u8] = b"HTTP/1.1 200 OK\r\n\r\n";

    /// Expects differences in a record after `change` to what the second reader read.
    #[track_caller]
    fn check(lines: &str, change: impl FnOnce(&mut Raw), expected: &[&str]) {
        let head = format!("WARC/1.0\r\n{lines}WARC-Type: response\r\nContent-Length: {}\r\n\r\n", BLOCK.len());
        let bytes = [head.as_bytes(), BLOCK, b"\r\n\r\n"].concat();
        let (record, _) = Record::read(&bytes).unwrap();
        let mut theirs = Raw { record_type: "response".to_owned(), target: None, block: BLOCK.to_vec() };
        change(&mut theirs);
        let described =
            |(field, ours, theirs): &(ComparedField, String, String)| format!("{}: {ours} and {theirs}", field.name());
        let found = match compare(&record, &theirs, obstacle::find_obstacles(&bytes, &record)) {
            Fields::Same => Vec::new(),
            Fields::Explained(obstacle) => vec![format!("explained: {}", obstacle.name())],
            Fields::Different(differing) => differing.iter().map(described).collect(),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn each_field_is_compared() {
        check("", |_| {}, &[]);
        check("", |theirs| theirs.record_type = "request".to_owned(), &["type: response and request"]);
        check("", |theirs| theirs.target = Some(b"x\x1b".to_vec()), &["target: none and \"x\\x1b\""]);
        check("", |theirs| theirs.block.truncate(2), &["block-length: 19 and 2"]);
        let digests = [digest(BLOCK), digest(b"HTTP/1.1 404 OK\r\n\r\n")].join(" and ");
        let expected = [&*format!("block: {digests}")];
        check("", |theirs| theirs.block = b"HTTP/1.1 404 OK\r\n\r\n".to_vec(), &expected);
        let both = |theirs: &mut Raw| *theirs = Raw { record_type: String::new(), target: None, block: Vec::new() };
        check("", both, &["type: response and ", "block-length: 19 and 0"]);
    }

    #[test]
    fn an_obstacle_explains_what_it_causes_and_no_more() {
        let folded = "X: a\r\n b\r\n";
        check(folded, |theirs| theirs.record_type.clear(), &["explained: folded-line"]);
        check(folded, |theirs| theirs.block.clear(), &["explained: folded-line"]);
        check(folded, |theirs| theirs.record_type = "request".to_owned(), &["type: response and request"]);
        check(folded, |theirs| theirs.block.truncate(2), &["block-length: 19 and 2"]);
        let twice = "WARC-Type: request\r\n";
        check(twice, |_| {}, &["explained: header-repeated"]);
        check(twice, |theirs| theirs.block.truncate(2), &["block-length: 19 and 2"]);
    }
}
