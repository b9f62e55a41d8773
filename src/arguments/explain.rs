//! The arguments of `explain`.

use crate::explain::ExplainCommand;
use crate::print_format::PrintFormat;
use clap::Args;
use std::path::PathBuf;

/// What was typed after `explain`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct ExplainArguments {
    /// The URL that the crawler would fetch, with protocol and host.
    #[arg(value_name = "URL")]
    url: String,
    /// The product token of the crawler.
    #[arg(long, value_name = "NAME")]
    agent: String,
    /// The folder of tables that ingest wrote.
    #[arg(long, short, value_name = "DIR", default_value = "tables")]
    tables: PathBuf,
    /// How to print; json has one object per crawl.
    #[arg(long, value_enum, default_value = "text")]
    format: PrintFormat,
}

const EXAMPLES: &str = "\
Examples:
  robocensus explain https://www.example.com/press/drafts/1 --agent GPTBot
  robocensus explain https://www.example.com/ --agent CCBot --tables tables --format json

For each crawl it prints the capture that counts, where redirects lead, the user-agent lines that
apply to the crawler, the rule that decides, and the reason.

Exit code:
  0  the verdict was explained, whatever it is
  1  no crawl has a robots.txt of the site
  2  nothing was explained: an invalid URL, no folder of tables";

impl From<ExplainArguments> for ExplainCommand {
    fn from(typed: ExplainArguments) -> ExplainCommand {
        let ExplainArguments { url, agent, tables, format } = typed;
        ExplainCommand { tables, url, agent, format }
    }
}
