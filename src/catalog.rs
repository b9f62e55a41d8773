//! `robocensus catalog`: prints a script that defines the tables in another engine, or a description of the dataset.

use crate::exit::Exit;
use crate::failures::CommandResult;
use crate::streams::Streams;
use crate::terminal::{Safe, json};
use analyze::SessionOptions;
use analyze::portable::catalog::{Catalog, CatalogTarget, catalog};
use folder::Failure;
use std::path::PathBuf;

/// The options of `catalog`.
#[derive(Debug)]
pub(crate) struct CatalogCommand {
    /// The folder of tables.
    pub(crate) tables: PathBuf,
    /// Where readers find it.
    pub(crate) location: Option<String>,
    /// The engine or format to print for.
    pub(crate) target: CatalogTarget,
    /// The list of agents.
    pub(crate) session: SessionOptions,
}

/// Prints a script or a description.
pub(crate) fn run(command: &CatalogCommand, streams: &mut Streams<'_>) -> CommandResult {
    let CatalogCommand { tables, location, target, session } = command;
    match catalog(tables, location.as_deref(), target, session)? {
        Catalog::Script(text) => {
            // Control characters must not reach a terminal, and escaping them would change the script.
            if text.lines().any(|line| Safe(line.as_bytes()).to_string() != line) {
                let cause = "its path or the list of agents has a control character or an invisible character";
                return Err(Failure::new("script cannot be printed", tables, cause).into());
            }
            streams.out.write_all(text.as_bytes())?;
        }
        Catalog::Description(description) => {
            json::write_pretty(streams.out, &description)?;
            if let CatalogTarget::Croissant(about) = target
                && !about.missing().is_empty()
            {
                let missing = about.missing().join(", ");
                streams.notify(format_args!(
                    "description is incomplete: croissant: the standard requires {missing}; give --license, --url, \
                     --person or --organization, and --published"
                ))?;
            }
        }
    }
    Ok(Exit::Good)
}
