//! The list of all records of the sample with their reasons, as a page.

use super::built::{Archive, Sample};
use super::source::{SampleEntry, What};
use std::fmt::Write;

/// The list of all records, for `datasets/sample/README.md`.
#[must_use]
pub fn page(sample: &Sample) -> String {
    let records = sample.records();
    let all: usize = sample.archives.iter().map(|archive| archive.source.record.len()).sum();
    let mut page = format!(
        "{} archives, {records} records, {} other members or bytes, {} bytes in all. `ingest` does not count the records \
         that are damaged. The last column has the remarks on a record, or the cause of damage. A test compares it with \
         what is found.\n",
        sample.archives.len(),
        all - records,
        sample.bytes()
    );
    for archive in &sample.archives {
        section(archive, &mut page);
    }
    page
}

fn section(archive: &Archive, page: &mut String) {
    let Archive { name, source, bytes } = archive;
    // Writing to a `String` cannot fail.
    let _ = write!(
        page,
        "\n### `{}`\n\n{} {} bytes, from [`{name}`](sources/{name}).\n\n| # | what | target | reason | remarks |\n|---|---|---|---|---|\n",
        source.archive,
        source.about,
        bytes.len()
    );
    for (entry, number) in source.record.iter().zip(1..) {
        let target = entry.target.as_deref().map(|target| format!("`{target}`")).unwrap_or_default();
        let remarks: Vec<String> = entry.remarks.iter().map(|remark| format!("`{remark}`")).collect();
        let _ = writeln!(page, "| {number} | {} | {target} | {} | {} |", what(entry), entry.reason, remarks.join(" "));
    }
}

fn what(entry: &SampleEntry) -> &str {
    match entry.what {
        What::Record => &entry.record_type,
        What::Member => "a member without a record",
        What::Bytes => "bytes between members",
    }
}
