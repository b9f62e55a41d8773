//! The archives below the folder that `ROBOCENSUS_CORPUS` names.

use committed::full::is_full;
use ingest::archive::Workshop;
use ingest::reread::{Reread, compare};
use std::fs::File;

/// The archives are undamaged, so nothing is unreadable.
#[test]
fn both_readers_agree_on_every_record() {
    let Some(archives) = crate::real_part::archives() else { return };
    let mut workshop = Workshop::default();
    let (mut members, mut records, mut responses, mut with_status) = (0, 0, 0, 0);
    for path in archives {
        let mut seen = 0;
        let comparison = compare(File::open(&path).unwrap(), &mut workshop, |reread| {
            if let Reread::Record(record) = reread {
                seen += 1;
                responses += u32::from(record.record_type == "response");
                with_status += u32::from(record.status.is_some());
            }
        })
        .unwrap();
        let bytes = path.metadata().unwrap().len();
        let path = path.display();
        assert!(comparison.is_same(), "{path}: {:?}", comparison.differences);
        assert_eq!(comparison.unreadable.len(), 0, "{path}: {:?}", comparison.unreadable);
        assert_eq!((comparison.damaged, comparison.uncompared.len()), (0, 0), "{path}");
        assert_eq!((comparison.records, comparison.agreed, comparison.members), (seen, seen, seen), "{path}");
        assert_eq!(comparison.account.bytes, bytes, "{path}");
        members += comparison.members;
        records += comparison.agreed;
    }
    eprintln!("{members} members, {records} records, {responses} responses, {with_status} with a status");
    assert!(responses > if is_full() { 30_000 } else { 3_000 }, "the corpus is cut short: {responses} responses");
    assert_eq!(with_status, responses);
}
