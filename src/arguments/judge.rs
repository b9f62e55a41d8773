//! What the user typed behind `judge`.

use crate::judge::JudgeCommand;
use crate::judge::interpretation::Interpretation;
use crate::print_format::PrintFormat;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use robots::{Dialect, Naming};
use std::path::PathBuf;

/// The arguments of `judge`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, override_usage = USAGE, after_help = EXAMPLES)]
pub(crate) struct JudgeArguments {
    /// The robots.txt; - is standard input.
    #[arg(long, value_name = "FILE", required_unless_present = "ndjson")]
    robots: Option<PathBuf>,
    /// The crawler, by its product token.
    #[arg(long, value_name = "NAME", required_unless_present = "ndjson")]
    agent: Option<String>,
    /// What it would fetch: whole URLs, or paths.
    #[arg(value_name = "URL", required_unless_present = "ndjson")]
    urls: Vec<String>,
    /// Whose reading of the file counts.
    #[arg(long, value_parser = dialects(), default_value = Dialect::default().name())]
    dialect: Dialect,
    /// Which user-agent lines name the crawler: those of its product token or, where its name is none, of its whole
    /// token; of its product token only; or of its whole token only.
    #[arg(long, value_parser = namings(), default_value = Naming::default().name())]
    naming: Naming,
    /// How to print; json has one object a URL.
    #[arg(long, value_enum, default_value = "text")]
    format: PrintFormat,
    /// Read one question a line from standard input and write one answer a line.
    #[arg(long, conflicts_with_all = ["robots", "agent", "urls", "format"])]
    ndjson: bool,
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
  A question may have a `dialect` and a `naming` of its own; those of the command line hold for the
  others. Other keys are ignored. `line` is the line that decides, or null. `match` is explicit,
  wildcard or none, as a user-agent line names the crawler, one names all, or neither. Answers come
  in the order of the questions. A question that cannot be read is answered by {\"error\": \"...\"}; a
  blank line is skipped and has no answer; a line longer than 64 MiB cannot be read. Questions on
  the same file are fastest next to each other.

Exit code:
  0  every URL was judged, whatever the verdicts
  1  a line of --ndjson could not be read
  2  the robots.txt could not be read";

fn dialects() -> impl TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(Dialect::ALL.map(Dialect::name))
        .try_map(|name| Dialect::named(&name).ok_or("no such dialect"))
}

fn namings() -> impl TypedValueParser<Value = Naming> {
    PossibleValuesParser::new(Naming::ALL.map(Naming::name))
        .try_map(|name| Naming::named(&name).ok_or("no such naming"))
}

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
            // Only --ndjson does without them.
            _ => JudgeCommand::Lines { interpretation },
        }
    }
}
