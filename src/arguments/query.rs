//! The arguments of `query`: each question is a subcommand, and its parameters are options.

use super::choice::named;
use super::session::SessionArguments;
use crate::query::{QueryAction, QueryCommand};
use analyze::portable::Engine;
use analyze::queries::{self, Parameter, ParameterKind, QueryKind, option_name};
use analyze::{Permission, did_you_mean};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, ValueHint};
use folder::{Failure, text};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

#[derive(Debug)]
pub(crate) struct QueryArguments {
    pub(super) session: SessionArguments,
    /// The question, if one was named; a failure if its file cannot be read.
    question: Option<Result<queries::Query, Failure>>,
    /// Values of its parameters, as they were typed.
    values: BTreeMap<String, String>,
    print_sql: bool,
    engine: Option<Engine>,
}

impl QueryArguments {
    /// The file of the question, if it is not a built-in one.
    pub(super) fn question_file(&self) -> Option<&Path> {
        let question = self.question.as_ref()?.as_ref().ok()?;
        is_file(&question.name).then_some(Path::new(&question.name))
    }
}

const EXAMPLES: &str = "\
Examples:
  robocensus query
  robocensus query status_codes
  robocensus query status_codes --crawl CC-MAIN-2024-22 --format csv --out status.csv
  robocensus query status_codes --help
  robocensus query status_codes --engine duckdb > status.sql
  robocensus query my_question.sql

A file of your own starts with the same lines as the files in queries/questions: -- title, \
-- grain, -- reads, and -- parameter: NAME TYPE = DEFAULT, UNIT: MEANING for each $NAME in its statement.

Exit code:
  0  the question was answered
  2  it was not answered: an unknown question or parameter, a missing or
     invalid table, too little memory, Ctrl-C";

/// The name of an option that may be given several times.
const TABLE: &str = "table";

/// How the help of a question is laid out.
const HELP: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}";

impl Args for QueryArguments {
    fn augment_args(command: Command) -> Command {
        SessionArguments::augment_args(command)
            .arg(
                Arg::new("print_sql")
                    .long("print-sql")
                    .help_heading("Tables and answers")
                    .global(true)
                    .action(clap::ArgAction::SetTrue)
                    .help("Print the statement with its views and values instead of running it"),
            )
            .arg(
                Arg::new("engine")
                    .long("engine")
                    .help_heading("Tables and answers")
                    .global(true)
                    .value_name("ENGINE")
                    .value_parser(named(Engine::names(), Engine::named))
                    .help("Print the statement for this engine, with definitions of everything that it reads"),
            )
            .override_usage("robocensus query [OPTIONS] [QUESTION | FILE.sql] [PARAMETERS]")
            .disable_help_subcommand(true)
            .after_help(EXAMPLES)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// `query` with the typed questions as subcommands: built-in questions and files of the user. The headers of other
/// questions are not read, which saves time, and those of none if another command was typed. If `query` was typed
/// without a question, it gets all, so that clap can suggest one.
pub(crate) fn with_named_questions(command: Command, typed: &[OsString]) -> Command {
    let Some(words) = after_query(typed) else { return command };
    let mut names: Vec<&str> = words.iter().filter_map(|typed| typed.to_str()).collect();
    names.sort_unstable();
    names.dedup();
    let views = queries::all(QueryKind::View).unwrap_or_default();
    let named: Vec<Command> = names.into_iter().filter_map(|name| find_command(name, &views)).collect();
    if named.is_empty() { with_all_questions(command) } else { command.subcommands(named) }
}

/// What was typed after `query`; `None` if another command was typed.
pub(crate) fn after_query(typed: &[OsString]) -> Option<&[OsString]> {
    typed.get(typed.iter().position(|typed| typed == "query")? + 1..)
}

/// `query` with all built-in questions as subcommands.
pub(crate) fn with_all_questions(command: Command) -> Command {
    // The default hides no unreadable question: a test reads all of them.
    let views = queries::all(QueryKind::View).unwrap_or_default();
    let questions = queries::all(QueryKind::Question).unwrap_or_default();
    command.subcommands(questions.iter().map(|question| question_command(&question.name, question, &views)))
}

/// The subcommand for a word, if it is the name of a question or of a file.
fn find_command(name: &str, views: &[queries::Query]) -> Option<Command> {
    match find(name) {
        Ok(question) => question.map(|question| question_command(name, &question, views)),
        // `QueryCommand::try_from` reports why the file cannot be read. Until then, clap accepts any option.
        Err(_) => Some(
            Command::new(name.to_owned())
                .disable_help_flag(true)
                .args(table_option())
                .arg(Arg::new("rest").num_args(..).trailing_var_arg(true).allow_hyphen_values(true).hide(true))
                .hide(true),
        ),
    }
}

/// Whether the name is a file's and not a built-in question's.
fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("sql"))
}

/// Reads a question from a file. Fails if the file cannot be read, or if a parameter has the name of an option.
fn read_question(path: &Path) -> Result<queries::Query, Failure> {
    let text = text::read_file(path).map_err(Failure::at("question cannot be read", path))?;
    let question = queries::Query::parse(&path.display().to_string(), &text, path)?;
    let views = queries::all(QueryKind::View)?;
    let cannot = |cause: String| Failure::new("question cannot be read", path, cause);
    if let Some(parameter) = parameter_named_like_an_option(&question, &views) {
        return Err(cannot(format!("parameter {parameter} has the name of an option of robocensus query; rename it")));
    }
    let read = question.parsed()?.tables().map_err(|error| cannot(error.strip_backtrace()))?;
    if let Some(table) = question.header.reads.iter().find(|table| !read.contains(*table)) {
        return Err(cannot(format!("its line -- reads names {table}, which its statement does not read")));
    }
    if let Some(parameter) = question.undeclared(&views)?.into_iter().next() {
        let cause = format!(
            "${parameter} is not declared; add a line -- parameter: {parameter} TYPE = DEFAULT, UNIT: MEANING, with a \
             type of {}",
            ParameterKind::list_names()
        );
        return Err(cannot(cause));
    }
    Ok(question)
}

/// The first parameter of the question that has the name of an option of `query`.
fn parameter_named_like_an_option(question: &queries::Query, views: &[queries::Query]) -> Option<String> {
    let options = QueryArguments::augment_args(Command::new("options"));
    let is_taken = |name: &str| {
        let long = option_name(name);
        ["help", "color", "quiet"].contains(&long.as_str())
            || options.get_arguments().any(|argument| argument.get_long() == Some(&long))
    };
    let names = question.parameters(views).into_iter().map(|parameter| parameter.name);
    names.into_iter().find(|name| is_taken(name))
}

fn question_command(name: &str, question: &queries::Query, views: &[queries::Query]) -> Command {
    let header = &question.header;
    let mut lines = Vec::new();
    let mut line = |key: &str, value: &str| lines.push(format!("{key:<9} {value}"));
    if let Some(asked) = &header.question {
        line("Question:", asked);
    }
    line("Answer:", &header.grain);
    line("Reads:", &header.reads.join(", "));
    if let Some(reason) = &header.no_strata {
        line("No --by:", reason);
    }
    if let Some(reason) = &header.no_crawl {
        line("No --crawl:", reason);
    }
    for column in question.columns() {
        line("Column:", &format!("{}: {}", column.name, column.meaning));
    }
    for caveat in &header.caveats {
        line("Caveat:", caveat);
    }
    lines.push("\n".to_owned());
    let title = match &header.id {
        Some(id) => format!("{id}  {}", header.title),
        None => header.title.clone(),
    };
    let command = Command::new(name.to_owned())
        .hide(true)
        .about(title)
        .before_help(lines.join("\n"))
        .help_template(HELP)
        .args(table_option())
        .override_usage(format!("robocensus query [OPTIONS] {name} [PARAMETERS]"))
        .max_term_width(100);
    let parameters = question.parameters(views);
    // Other commands and questions have --agent.
    let has_agent = parameters.iter().any(|parameter| parameter.name == "agent");
    let command = parameters.iter().fold(command, |command, parameter| {
        let option = parameter_option(parameter);
        command.arg(if parameter.name == "tokens" && !has_agent { option.alias("agent") } else { option })
    });
    let refused = [
        ("by", "the answer has no strata", &header.no_strata),
        ("crawl", "the answer is not about one crawl", &header.no_crawl),
    ];
    (refused.into_iter()).fold(command, |command, (name, what, reason)| match reason {
        Some(reason) => command.arg(refused_option(name, format!("{what}: {reason}"))),
        None => command,
    })
}

/// The option `--table`, which may be given before and after a question.
fn table_option() -> Option<Arg> {
    let options = SessionArguments::augment_args(Command::new("options"));
    options.get_arguments().find(|option| option.get_id() == TABLE).cloned()
}

/// An option that other questions have. Its error says why this question does not have it.
fn refused_option(name: &'static str, message: String) -> Arg {
    Arg::new(name).long(name).hide(true).value_parser(move |_: &str| Err::<String, String>(message.clone()))
}

fn parameter_option(parameter: &Parameter) -> Arg {
    // Only a number has a unit that readers need.
    let has_unit = matches!(parameter.kind, ParameterKind::Integer | ParameterKind::Count | ParameterKind::Number);
    let unit = if has_unit { format!("; unit: {}", parameter.unit) } else { String::new() };
    let arg = Arg::new(parameter.name.clone())
        .long(option_name(&parameter.name))
        .help_heading("Parameters")
        .help(format!("{} [{}{unit}; default: {}]", parameter.meaning, parameter.kind, parameter.default))
        .value_name(option_name(&parameter.name).to_uppercase())
        .value_hint(ValueHint::Other)
        .allow_negative_numbers(true);
    match &parameter.kind {
        ParameterKind::OneOf(words) => {
            arg.value_parser(PossibleValuesParser::new(words.clone())).hide_possible_values(true)
        }
        ParameterKind::SomeOf(words) => {
            let parser = WordsParser { parameter: parameter.clone(), words: words.clone() };
            arg.value_parser(parser).hide_possible_values(true)
        }
        ParameterKind::Boolean => arg.num_args(0..=1).default_missing_value("true").value_parser(validated(parameter)),
        _ => arg.value_parser(validated(parameter)),
    }
}

/// Checks a value that is a list of words. Shells complete the words.
#[derive(Clone)]
struct WordsParser {
    parameter: Parameter,
    words: Vec<String>,
}

impl TypedValueParser for WordsParser {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        validated(&self.parameter).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.words.iter().map(PossibleValue::new)))
    }
}

/// Checks a value, so that clap reports an invalid one. The value stays text, as it was typed.
fn validated(parameter: &Parameter) -> impl Fn(&str) -> Result<String, String> + Clone + Send + Sync + 'static {
    let parameter = parameter.clone();
    move |typed: &str| parameter.read(typed).map(|_| typed.to_owned())
}

impl FromArgMatches for QueryArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        // To clap, options after the question belong to the question.
        let (question, innermost) = match matches.subcommand() {
            Some((name, innermost)) => {
                (Some(find(name).and_then(|found| found.ok_or_else(|| unknown(name)))), innermost)
            }
            None => (None, matches),
        };
        let mut session = SessionArguments::from_arg_matches(innermost)?;
        if question.is_some() {
            let before = matches.get_many(TABLE).unwrap_or_default();
            session.table.splice(0..0, before.cloned());
        }
        let mut values = BTreeMap::new();
        if let Some(Ok(question)) = &question {
            let views = queries::all(QueryKind::View).unwrap_or_default();
            for parameter in question.parameters(&views) {
                let is_typed = innermost.value_source(&parameter.name) == Some(ValueSource::CommandLine);
                if let Some(value) = innermost.get_one::<String>(&parameter.name).filter(|_| is_typed) {
                    values.insert(parameter.name, value.clone());
                }
            }
        }
        Ok(QueryArguments {
            session,
            question,
            values,
            print_sql: innermost.get_flag("print_sql"),
            engine: innermost.get_one::<Engine>("engine").copied(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The question of this name: a file of the user, or a built-in question.
fn find(name: &str) -> Result<Option<queries::Query>, Failure> {
    if is_file(name) {
        return read_question(Path::new(name)).map(Some);
    }
    queries::find(QueryKind::Question, name)
}

/// The failure for a question that does not exist.
pub(crate) fn unknown(name: &str) -> Failure {
    let questions = queries::all(QueryKind::Question).unwrap_or_default();
    let of_topic = questions
        .iter()
        .filter(|question| question.header.id.as_ref().is_some_and(|topic| topic.eq_ignore_ascii_case(name)));
    let of_topic: Vec<&str> = of_topic.map(|question| question.name.as_str()).collect();
    let meant = match of_topic.is_empty() {
        true => did_you_mean(name, questions.iter().map(|question| question.name.as_str())),
        false => format!("; {name} is the topic of {}", of_topic.join(", ")),
    };
    let cause = format!("robocensus query lists all questions; a question file must end in .sql{meant}");
    Failure::new("question is unknown", Path::new(name), cause)
}

impl TryFrom<QueryArguments> for QueryCommand {
    type Error = Failure;

    fn try_from(typed: QueryArguments) -> Result<QueryCommand, Failure> {
        let question = typed.question.transpose()?;
        let prints = typed.print_sql || typed.engine.is_some();
        match (&question, prints) {
            (None, true) => {
                let option = if typed.print_sql { "--print-sql" } else { "--engine" };
                let cause = "it prints the statement of a question; name one";
                return Err(Failure::new("option does not fit", Path::new(option), cause));
            }
            (None, false) => {
                let cause = "it is for an answer; name a question";
                typed.session.refuse_without_answer(cause)?;
                typed.session.refuse_without_tables(cause)?;
            }
            (Some(_), true) => {
                let cause = "it is for an answer, and --print-sql and --engine print a statement";
                typed.session.refuse_without_answer(cause)?;
            }
            (Some(_), false) => {}
        }
        let stores = typed.session.requests.stores();
        let options = typed.session.into_options(Permission::ReadOnly);
        Ok(QueryCommand {
            action: match (question, prints) {
                (None, _) => QueryAction::List,
                (Some(question), true) => QueryAction::Statement(question, typed.engine),
                (Some(question), false) => QueryAction::Answer(question),
            },
            values: typed.values,
            stores,
            options,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_parameter_has_the_name_of_an_option() {
        let views = queries::all(QueryKind::View).unwrap();
        for question in queries::all(QueryKind::Question).unwrap() {
            assert_eq!(parameter_named_like_an_option(&question, &views), None, "{}", question.name);
        }
    }
}
