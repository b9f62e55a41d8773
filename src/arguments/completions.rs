//! The arguments of `completions`.

use super::out::OutArguments;
use clap::Args;
use clap_complete::Shell;

/// The arguments of `completions`, as typed.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct CompletionsArguments {
    /// The shell to print the script for.
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
    #[command(flatten)]
    pub(crate) out: OutArguments,
}

const EXAMPLES: &str = "\
Examples:
  robocensus completions bash > ~/.local/share/bash-completion/completions/robocensus
  robocensus completions zsh > ~/.zfunc/_robocensus
  robocensus completions fish > ~/.config/fish/completions/robocensus.fish

The shell then completes commands, options and their values, the names of questions and their \
parameters. Create the folder first if it does not exist; zsh looks in the folders of its fpath.

Exit code:
  0  the script was printed or written
  2  it was not: an unknown shell, a file without write permission";
