//! What the user typed behind `completions`.

use clap::Args;
use clap_complete::Shell;

/// The arguments of `completions`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct CompletionsArguments {
    /// Which shell is to complete what is typed.
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  robocensus completions bash > ~/.local/share/bash-completion/completions/robocensus
  robocensus completions zsh > ~/.zfunc/_robocensus
  robocensus completions fish > ~/.config/fish/completions/robocensus.fish

Commands, options and their values are completed, and so are the names of questions and what can be
set of each. A folder that is not there has to be made first; zsh looks in those of its fpath.

Exit code:
  0  it was printed
  2  it was not: a shell that is none of these";
