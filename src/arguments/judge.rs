//! The arguments of `judge`.

use super::choice::named;
use super::out::OutArguments;
use crate::judge::JudgeCommand;
use crate::judge::interpretation::Interpretation;
use crate::print_format::PrintFormat;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use robots::{Dialect, Naming};
use std::path::PathBuf;

/// The arguments of `judge`, as typed.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, override_usage = USAGE, after_help = EXAMPLES)]
pub(crate) struct JudgeArguments {
    /// The robots.txt that decides; - is standard input.
    #[arg(long, value_name = "FILE", required_unless_present = "ndjson")]
    pub(super) robots: Option<PathBuf>,
    /// The name of the crawler, usually its product token, such as GPTBot.
    #[arg(long, value_name = "NAME", required_unless_present = "ndjson", value_parser = NonEmptyStringValueParser::new())]
    agent: Option<String>,
    /// URLs or paths that the crawler would fetch.
    #[arg(value_name = "URL", required_unless_present = "ndjson")]
    urls: Vec<String>,
    /// Which specification or parser to follow.
    #[arg(long, value_parser = named(Dialect::ALL.map(Dialect::name), Dialect::named), default_value = Dialect::default().name())]
    dialect: Dialect,
    /// How to compare user-agent lines with the crawler's name. product-token: by the product token of the line. exact:
    /// by the whole name. named: by the product token if the crawler's name is a valid one, else by the whole name.
    #[arg(long, value_parser = named(Naming::ALL.map(Naming::name), Naming::named), default_value = Naming::default().name())]
    naming: Naming,
    /// The output format; json has one object per URL.
    #[arg(long, short, value_enum, default_value = "text")]
    format: PrintFormat,
    /// Read one question per line from standard input and write one answer per line.
    #[arg(long, conflicts_with_all = ["robots", "agent", "urls", "format"])]
    pub(super) ndjson: bool,
    #[command(flatten)]
    pub(crate) out: OutArguments,
}

const USAGE: &str = "\
robocensus judge [OPTIONS] --robots <FILE> --agent <NAME> <URL>...
       robocensus judge [OPTIONS] --ndjson";

const EXAMPLES: &str = "\
Examples:
  robocensus judge --robots robots.txt --agent GPTBot https://example.com/a /b
  robocensus judge --robots robots.txt --agent GPTBot --dialect google /a
  robocensus judge --ndjson < questions.ndjson > answers.ndjson

Lines of --ndjson:
  {\"robots_base64\": \"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL2EK\", \"agent\": \"GPTBot\", \"url\": \"/a/b\"}
  {\"allowed\":false,\"line\":2,\"match\":\"wildcard\"}

  `line` is the line that decides, or null. `match` says which group applies:
  explicit, a group that names the crawler; wildcard, the group for all other
  crawlers; or none. A question may have its own `dialect` and `naming`;
  otherwise the options of the command apply. Other keys are ignored.

  Answers come in the order of the questions. The answer to an invalid question
  is {\"error\": \"...\"}. A line over 64 MiB is invalid, too. A blank line is
  skipped. For speed, put questions about the same file one after another.

Exit code:
  0  every URL was judged, whatever the verdicts
  1  a line of --ndjson was invalid
  2  a URL is invalid, or the robots.txt or standard input could not be read";

impl From<JudgeArguments> for JudgeCommand {
    fn from(typed: JudgeArguments) -> JudgeCommand {
        let interpretation = Interpretation { dialect: typed.dialect, naming: typed.naming };
        match (typed.robots, typed.agent) {
            (Some(robots), Some(agent)) => JudgeCommand::Urls {
                robots: robots.into(),
                agent,
                urls: typed.urls,
                interpretation,
                format: typed.format,
            },
            // Only with --ndjson may one be missing.
            _ => JudgeCommand::Questions { interpretation },
        }
    }
}
