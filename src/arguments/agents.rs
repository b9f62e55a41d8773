//! The arguments of `agents`.

use super::agent_list::AgentListArguments;
use super::out::OutArguments;
use crate::agents::{AgentsCommand, OnlyHere};
use crate::print_format::PrintFormat;
use clap::Args;
use std::path::PathBuf;

/// The arguments of `agents`, as typed.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct AgentsArguments {
    /// The list to compare with; - is standard input.
    #[arg(value_name = "FILE")]
    pub(super) list: PathBuf,
    #[command(flatten)]
    pub(super) known: AgentListArguments,
    /// Show every name that the other list lacks, not only AI agents.
    #[arg(long)]
    all: bool,
    /// The output format; json has one object per name and no summary.
    #[arg(long, short, value_enum, default_value = "text")]
    format: PrintFormat,
    #[command(flatten)]
    pub(crate) out: OutArguments,
}

const EXAMPLES: &str = "\
Examples:
  robocensus agents robots.json
  robocensus agents --format json robots.json | jq -r 'select(.standing == \"missing\") | .name'
  robocensus agents --all my-agents.csv

The other list is the JSON of ai.robots.txt or another object whose keys are names, a JSON array of \
names, a CSV with a column token, a robots.txt, or one name per line.

Lines of the output:
  missing    only the other list has the name
  untracked  both lists have it, but the derived tables have no verdicts for it
  only here  only the built-in list, or that of --agents, has it

To track more agents, add rows to a copy of datasets/agents.csv and pass it to robocensus models \
with --agents.

Exit code:
  0  every name of the other list is tracked
  1  a name is missing or untracked
  2  a list could not be read";

impl From<AgentsArguments> for AgentsCommand {
    fn from(typed: AgentsArguments) -> Self {
        let AgentsArguments { list, known: AgentListArguments { agents }, all, format, .. } = typed;
        let only_here = if all { OnlyHere::All } else { OnlyHere::Ai };
        AgentsCommand { list: list.into(), agents, format, only_here }
    }
}
