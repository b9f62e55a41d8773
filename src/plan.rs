//! `robocensus plan`: writes the plan of an ingest, which assigns archives to parts and parts to shards.

use crate::exit::Exit;
use crate::failures::{self, CommandResult};
use crate::streams::Streams;
use crate::terminal::{counted, shown_path};
use indicatif::DecimalBytes;
use ingest::inputs::{self, InputNaming, ListedInputs};
use ingest::plan::PlanOptions;
use ingest::run::shards;
use std::io::BufReader;
use std::num::NonZeroU32;
use std::path::PathBuf;

/// The options of `plan`.
#[derive(Debug)]
pub(crate) struct PlanCommand {
    /// Archives, folders, patterns and lists, as typed.
    pub(crate) inputs: Vec<PathBuf>,
    /// How the inputs are resolved and named.
    pub(crate) naming: InputNaming,
    /// The folder of the tables.
    pub(crate) out: PathBuf,
    /// How many shards there are.
    pub(crate) shards: NonZeroU32,
    /// How the inputs are planned.
    pub(crate) options: PlanOptions,
}

/// Lists the archives and writes the plan.
pub(crate) fn run(plan: &PlanCommand, streams: &mut Streams<'_>) -> CommandResult {
    let ListedInputs { inputs, left_out } =
        inputs::expand(&plan.inputs, &plan.naming, &mut BufReader::new(&mut *streams.input))?;
    let planned = shards::plan(inputs, &plan.out, plan.shards, plan.options)?;
    writeln!(
        streams.out,
        "{}: {}{}, in {} for {}\nplan {}",
        shown_path(&plan.out),
        counted(planned.inputs, "archive"),
        // The sizes of objects are unknown until they are read.
        if planned.bytes == 0 { String::new() } else { format!(", {}", DecimalBytes(planned.bytes)) },
        counted(planned.parts, "part"),
        counted(plan.shards.get().into(), "shard"),
        planned.shards.plan
    )?;
    failures::print(&left_out, streams)?;
    Ok(if left_out.is_empty() { Exit::Good } else { Exit::Flawed })
}
