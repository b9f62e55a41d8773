//! Says that tables are not those of all archives, or that nobody knows.

use crate::streams::Streams;
use crate::terminal::{counted, shown_path};
use analyze::Session;
use std::io;
use std::path::Path;

/// Says what is wrong with the tables of a session, if anything.
pub(crate) fn warn(tables: &Path, session: &Session, streams: &mut Streams<'_>) -> io::Result<()> {
    if session.is_unlisted() {
        let tables = shown_path(tables);
        let cause = "there is no ledger, so nothing says whether files are missing or have changed";
        streams.notify(format_args!("tables are not verified: {tables}: {cause}"))?;
    }
    say(tables, session.parts_left(), streams)
}

/// Says how many parts of the archives the tables do not have yet, if any. Answers would look like those of a whole
/// crawl.
pub(crate) fn say(tables: &Path, parts_left: usize, streams: &mut Streams<'_>) -> io::Result<()> {
    if parts_left == 0 {
        return Ok(());
    }
    let tables = shown_path(tables);
    let (parts, lack) = (counted(parts_left as u64, "part"), if parts_left == 1 { "is" } else { "are" });
    streams.notify(format_args!(
        "tables are unfinished: {tables}: {parts} of the archives {lack} not read yet; run the same robocensus ingest again"
    ))
}
