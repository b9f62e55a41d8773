//! Any bytes can be read as an archive to their end, and every byte is counted once, unless they are a file in another
//! format. The second reader agrees, except for known obstacles.
#![no_main]

use ingest::archive::{Record, RecordOrDamage, Workshop, read};
use ingest::reread::compare;
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use std::io::{Cursor, ErrorKind};
use std::ops::ControlFlow;

thread_local! {
    /// One workshop for all inputs, so that state left by one input would show in the next.
    static WORKSHOP: RefCell<Workshop> = RefCell::default();
}

fuzz_target!(|bytes: &[u8]| {
    if let Some((record, taken)) = Record::read(bytes) {
        assert!(taken <= bytes.len() && record.block.len() <= taken);
    }
    let walk = |workshop: &mut Workshop| {
        let (mut found, mut last) = (Vec::new(), 0);
        let account = read(Cursor::new(bytes), workshop, |what| {
            let (offset, length) = match what {
                RecordOrDamage::Record(_, place) => (place.offset, place.length),
                RecordOrDamage::Damage(damage) => (damage.offset, damage.length),
            };
            assert!(offset >= last && offset + length <= bytes.len() as u64);
            last = offset;
            found.push(format!("{what:?}"));
            ControlFlow::Continue(())
        })
        .map_err(|failed| failed.error.kind());
        if let Ok(account) = account {
            assert_eq!(account.bytes, bytes.len() as u64);
            assert_eq!(account.bytes, account.good_bytes + account.damaged_bytes);
        }
        (found, account)
    };
    let fresh = walk(&mut Workshop::default());
    if let (found, Err(kind)) = &fresh {
        assert!(found.is_empty() && *kind == ErrorKind::Unsupported, "a slice can be read: {kind}");
        return;
    }
    WORKSHOP.with_borrow_mut(|workshop| {
        assert_eq!(walk(workshop), fresh);
        let comparison = compare(Cursor::new(bytes), workshop, |_| {}).expect("a slice can be read");
        assert!(comparison.is_same() || announces_checksum(bytes), "{comparison:?}");
    });
});

/// Whether a member may say that its header has a checksum (RFC 1952 section 2.3.1, FHCRC), which only the second
/// reader compares.
fn announces_checksum(bytes: &[u8]) -> bool {
    bytes.windows(4).any(|start| matches!(start, [0x1f, 0x8b, _, flags] if flags & 2 != 0))
}
