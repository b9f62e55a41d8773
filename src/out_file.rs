//! Writes what a command prints to a file instead of standard output.

use crate::answer::file::FileDraft;
use crate::exit::Exit;
use crate::failures;
use crate::interrupt::Interrupt;
use crate::streams::Streams;
use crate::terminal::palette::Palette;
use crate::terminal::screen::Screen;
use folder::{Failure, regular};
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

/// Runs a command that prints to `out`, or to standard output without it. The file gets its name when the command has
/// succeeded; until then an earlier file of that name stays. A signal ends the command and removes the draft. Fails if
/// `out` is inside the folder of `tables`.
pub(crate) fn print_to(
    out: Option<&Path>,
    tables: Option<&Path>,
    streams: &mut Streams<'_>,
    work: impl FnOnce(&mut Streams<'_>) -> io::Result<Exit>,
) -> io::Result<Exit> {
    let Some(out) = out else { return work(streams) };
    if let Some(Err(failure)) = tables.map(|tables| regular::refuse_below(out, tables)) {
        return failures::fail(failure, streams);
    }
    let interrupt = Interrupt::listen()?;
    let cannot = Failure::at::<io::Error>("output cannot be written", out);
    let mut draft = match FileDraft::begin(out) {
        Ok(draft) => draft,
        Err(error) => return failures::fail(cannot(error), streams),
    };
    let done = {
        let screen = Screen { palette: Palette::default(), ..streams.screen };
        let Streams { watcher, is_typed, .. } = *streams;
        let (input, err) = (&mut *streams.input, &mut *streams.err);
        work(&mut Streams { input, out: &mut draft, err, screen, watcher, is_typed })
    };
    if matches!(done, Ok(exit) if exit != Exit::Failed) && interrupt.flag().load(Relaxed) {
        return failures::fail(failures::stopped(out), streams);
    }
    match done.and_then(|exit| if exit == Exit::Failed { Ok(exit) } else { draft.finish().map(|()| exit) }) {
        Ok(exit) => Ok(exit),
        Err(error) => failures::fail(cannot(error), streams),
    }
}
