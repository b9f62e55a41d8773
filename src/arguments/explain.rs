//! The arguments of `explain`.

use super::out::OutArguments;
use super::requests::RequestArguments;
use crate::explain::ExplainCommand;
use crate::print_format::PrintFormat;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use std::path::PathBuf;

/// The arguments of `explain`, as typed.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct ExplainArguments {
    /// The URL that the crawler would fetch, with protocol and host.
    #[arg(value_name = "URL")]
    url: String,
    /// The product token of the crawler, such as GPTBot.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    agent: String,
    /// The folder of tables that ingest wrote, or its URL.
    #[arg(long, short, value_name = "DIR", default_value = "tables")]
    tables: PathBuf,
    /// The output format; json has one object per crawl.
    #[arg(long, short, value_enum, default_value = "text")]
    format: PrintFormat,
    #[command(flatten)]
    pub(crate) out: OutArguments,
    #[command(flatten)]
    pub(crate) requests: RequestArguments,
}

const EXAMPLES: &str = "\
Examples:
  robocensus explain https://www.example.com/press/drafts/1 --agent GPTBot
  robocensus explain https://www.example.com/ --agent CCBot --tables tables --format json
  robocensus explain https://www.example.com/ --agent CCBot --out why.txt

For each crawl, explain prints the capture that it judges by, where redirects lead, the user-agent \
lines of the groups that apply, the rule that decides, and the reason.

Exit code:
  0  the verdict was explained, whatever it is
  1  no crawl has a robots.txt of the site
  2  nothing was explained: an invalid URL, no folder of tables";

impl From<ExplainArguments> for ExplainCommand {
    fn from(typed: ExplainArguments) -> ExplainCommand {
        let ExplainArguments { url, agent, tables, format, .. } = typed;
        ExplainCommand { tables, url, agent, format }
    }
}
