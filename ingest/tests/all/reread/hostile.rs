//! Archives that are built to cost time or memory are read to their end. A reader with quadratic time would practically
//! never finish a million lines, nor the 200,000 that are read without `ROBOCENSUS_FULL`.

use super::walk::{HEAD, both, record, unreadable_records};
use crate::answer::gzip;
use committed::full::step;

#[test]
fn a_million_tiny_things() {
    let million = 1_000_000 / step(5);
    let empty = both(&gzip(b"").repeat(million)).0;
    assert_eq!((empty.account.members, empty.members), (million as u64, 0));
    let garbage = both(&b"\0".repeat(million)).0;
    assert_eq!((garbage.damaged, garbage.account.damaged_bytes), (1, million as u64));
    let starts = both(&b"\x1f\x8b\x08\0".repeat(million)).0;
    assert_eq!((starts.records, starts.surplus), (0, 0));
    for line in ["\r\n", "\n", "a:\r\n", "a\r\n", " \r\n", "WARC/\r\n", "WARC/\r\n\r\n"] {
        let lines = line.repeat(million);
        let head = both(&gzip(format!("WARC/1.0\r\n{lines}").as_bytes())).0;
        assert!(head.is_same(), "{line:?}: {:?}", head.differences);
        let after = both(&gzip(&[&record("", "a")[..], lines.as_bytes()].concat())).0;
        assert!(after.is_same() && after.agreed == 1, "{line:?}: {:?}", after.differences);
    }
}

#[test]
fn a_member_of_many_records() {
    let records = record("", "a").repeat(100_000);
    let (comparison, _) = both(&gzip(&records));
    assert_eq!((comparison.members, comparison.agreed), (1, 100_000));
    // Only the first is read to its end. The others are counted.
    let odd = [record("", "a"), record("X: a\r\n b\r\n", "a").repeat(50_000)].concat();
    let (comparison, _) = both(&gzip(&odd));
    assert_eq!((comparison.agreed, unreadable_records(&comparison)), (1, 50_000));
}

#[test]
fn a_head_of_a_million_lines_is_not_given_to_it() {
    let lines = "a:\r\n".repeat(1_000_000);
    let (comparison, seen) = both(&gzip(format!("{HEAD}{lines}Content-Length: 1\r\n\r\na\r\n\r\n").as_bytes()));
    assert_eq!((seen, comparison.differing), (vec!["head-long".to_owned()], 0));
}

#[test]
fn a_length_that_panics_inside_a_block() {
    // The first record loses its length, so the second reader would continue within the block.
    let inner = "WARC/1.0\r\nContent-Length: 18446744073709551615\r\n\r\nabc";
    let (comparison, seen) = both(&gzip(&record("X: a\r\n b\r\n", &format!("\r\n\r\n{inner}"))));
    assert_eq!((seen, comparison.differing), (vec!["folded-line".to_owned()], 0));
    let (comparison, _) = both(&gzip(&[&record("", "a")[..], inner.as_bytes()].concat()));
    assert_eq!((comparison.agreed, comparison.differing, unreadable_records(&comparison)), (1, 0, 1));
}
