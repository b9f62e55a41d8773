//! What the user typed behind `explain`.

use crate::explain::ExplainCommand;
use crate::print_format::PrintFormat;
use clap::Args;
use std::path::PathBuf;

/// The arguments of `explain`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct ExplainArguments {
    /// What would be fetched: a whole URL.
    #[arg(value_name = "URL")]
    url: String,
    /// The crawler, by its product token.
    #[arg(long, value_name = "NAME")]
    agent: String,
    /// The folder that ingest wrote tables to.
    #[arg(long, short, value_name = "DIR", default_value = "tables")]
    tables: PathBuf,
    /// How to print; json has one object a crawl.
    #[arg(long, value_enum, default_value = "text")]
    format: PrintFormat,
}

const EXAMPLES: &str = "\
Examples:
  robocensus explain https://www.example.com/press/drafts/1 --agent GPTBot
  robocensus explain https://www.example.com/ --agent CCBot --tables tables --format json

Of each crawl it tells the capture that was chosen, where redirects lead, the lines by which the
crawler was found, the rule that decides with its line, and why.

Exit code:
  0  it was explained, whatever the verdict
  1  no crawl has a robots.txt of the site
  2  it could not be explained: a URL that is none, no folder of tables";

impl From<ExplainArguments> for ExplainCommand {
    fn from(typed: ExplainArguments) -> ExplainCommand {
        let ExplainArguments { url, agent, tables, format } = typed;
        ExplainCommand { tables, url, agent, format }
    }
}
