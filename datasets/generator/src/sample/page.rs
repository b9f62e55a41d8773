//! The list of all records of the sample with their reasons, as a page.

use super::built::{Archive, Sample};
use super::source::{SampleEntry, What};
use std::fmt::Write;

/// The list of all records, for `datasets/sample/README.md`.
#[must_use]
pub fn page(sample: &Sample) -> String {
    let records: usize = sample.archives.iter().map(|archive| archive.source.record.len()).sum();
    let mut page = format!(
        "{} archives, {records} records, {} bytes. A mark is the name of a remark on a \
         record. A test compares the marks with the remarks that are found.\n",
        sample.archives.len(),
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
        "\n### `{}`\n\n{} {} bytes, from [`{name}`](sources/{name}).\n\n| # | what | target | reason | marks |\n|---|---|---|---|---|\n",
        source.archive,
        source.about,
        bytes.len()
    );
    for (entry, number) in source.record.iter().zip(1..) {
        let target = entry.target.as_deref().map(|target| format!("`{target}`")).unwrap_or_default();
        let marks: Vec<String> = entry.marks.iter().map(|mark| format!("`{mark}`")).collect();
        let _ = writeln!(page, "| {number} | {} | {target} | {} | {} |", what(entry), entry.reason, marks.join(" "));
    }
}

fn what(entry: &SampleEntry) -> &str {
    match entry.what {
        What::Record => &entry.record_type,
        What::Member => "a member without a record",
        What::Bytes => "bytes between members",
    }
}
