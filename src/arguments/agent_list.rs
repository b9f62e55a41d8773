//! The option `--agents`.

use clap::Args;
use std::path::PathBuf;

/// The list of agents to use.
#[derive(Debug, Clone, Args)]
pub(super) struct AgentListArguments {
    /// A CSV of agents to use instead of the built-in list. It needs the columns token and tracked; datasets/agents.md
    /// explains the others.
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) agents: Option<PathBuf>,
}
