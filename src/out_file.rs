//! Writes what a command prints to a file instead of standard output.

use crate::answer::file::FileDraft;
use crate::exit::Exit;
use crate::failures::{self, CommandError, CommandResult};
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
    work: impl FnOnce(&mut Streams<'_>) -> CommandResult,
) -> CommandResult {
    let Some(out) = out else { return work(streams) };
    tables.map_or(Ok(()), |tables| regular::refuse_below(out, tables))?;
    let interrupt = Interrupt::listen()?;
    let cannot = |error: io::Error| Failure::new("output cannot be written", out, error);
    let mut draft = FileDraft::begin(out).map_err(cannot)?;
    let done = {
        let screen = Screen { palette: Palette::default(), ..streams.screen };
        let Streams { watcher, is_typed, .. } = *streams;
        let (input, err) = (&mut *streams.input, &mut *streams.err);
        work(&mut Streams { input, out: &mut draft, err, screen, watcher, is_typed })
    };
    match done {
        Ok(exit) if exit != Exit::Failed => {
            if interrupt.flag().load(Relaxed) {
                return Err(failures::stopped(out).into());
            }
            draft.finish().map_err(cannot)?;
            Ok(exit)
        }
        Err(CommandError::Unwritten(error)) => Err(cannot(error).into()),
        failed => failed,
    }
}
