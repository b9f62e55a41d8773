//! Reads the bodies of archives with this crate. Other tests compare archives with their manifests and with a second
//! reader.

use ingest::answer::Decoder;
use ingest::archive::{RecordOrDamage, RecordType, Workshop, read};
use std::fs::File;
use std::ops::ControlFlow;

/// Calls `each` with the archive's path, the target and the body of each response with status 200, in all archives
/// whose path contains `wanted`. Prints that it was skipped if there is no corpus.
pub(crate) fn each_body(wanted: &str, mut each: impl FnMut(&str, &str, &[u8])) {
    let Some(archives) = crate::real::archives() else { return };
    let mut workshop = Workshop::default();
    let mut decoder = Decoder::default();
    for path in archives {
        let name = path.to_string_lossy();
        if !name.contains(wanted) {
            continue;
        }
        read(File::open(&path).unwrap(), &mut workshop, |found| {
            if let RecordOrDamage::Record(record, _) = found
                && record.record_type == RecordType::Response
            {
                let answer = decoder.answer(record.block);
                if answer.head.status == Some(200) {
                    let target = String::from_utf8_lossy(record.target_uri.unwrap_or_default());
                    each(&name, &target, answer.body.bytes);
                }
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    }
}
