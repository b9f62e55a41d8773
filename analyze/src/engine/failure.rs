//! Turns errors of the engine into messages of this program, `what: where: cause`, without the chain of wrapped errors.

use super::session::{CATALOG, SCHEMA};
use crate::catalog::own::is_plain_name;
use crate::functions;
use crate::nearest::{did_you_mean, nearest};
use crate::quoted::identifier;
use datafusion::arrow::error::ArrowError;
use datafusion::common::{Column, SchemaError};
use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;
use folder::Failure;
use std::collections::BTreeSet;
use std::error::Error;
use std::io;
use std::panic;
use std::path::Path;
use std::sync::Once;

/// The message for an error of a statement. `place` is the source of the statement. A misspelt table gets a suggestion
/// from `tables`. The advice on memory depends on whether all joins and sorts could spill.
pub(super) fn message(error: &DataFusionError, place: &Path, tables: &[String], spills_all: bool) -> Failure {
    let of = |what: &'static str, cause: &str| Failure::new(what, place, sentence(cause));
    if let Some(failure) = failure_in(error) {
        return failure.clone();
    }
    if let Some(wanted) = wanted_memory(error) {
        return of("memory limit is reached", &memory_advice(&wanted, spills_all));
    }
    let root = error.find_root();
    let cause = root.message();
    // These repeat a name or value of the user.
    let is_free_text = match root {
        DataFusionError::SchemaError(..) => true,
        DataFusionError::ArrowError(inner, _) => {
            matches!(**inner, ArrowError::CastError(_) | ArrowError::ParseError(_))
        }
        _ => false,
    };
    if !is_free_text && let Some((_, advice)) = ADVICE.iter().find(|(part, _)| cause.contains(part)) {
        return of("statement cannot be planned", advice);
    }
    match root {
        DataFusionError::ArrowError(inner, _) => match inner.as_ref() {
            // Only tables of the user can be in JSON.
            ArrowError::JsonError(cause) if cause.starts_with("whilst decoding field") => {
                let advice = "a table in JSON has values of several types in one field; write all as texts";
                of("statement failed", &format!("{advice}: {cause}"))
            }
            inner => of("statement failed", &inner.to_string()),
        },
        DataFusionError::SQL(inner, _) => match inner.as_ref() {
            ParserError::ParserError(cause) | ParserError::TokenizerError(cause) => {
                of("statement cannot be read", &cause.replace("Line: ", "line ").replace(", Column: ", ", column "))
            }
            ParserError::RecursionLimitExceeded => of("statement cannot be read", "it is nested too deeply"),
        },
        DataFusionError::SchemaError(inner, _) => match inner.as_ref() {
            SchemaError::FieldNotFound { field, valid_fields } => {
                of("statement cannot be planned", &no_column(field, valid_fields))
            }
            SchemaError::AmbiguousReference { field } => {
                let name = field.name();
                of(
                    "statement cannot be planned",
                    &format!(
                        "several tables have a column {name}; write t.{name} for that of t, \
                         and ON t.{name} = u.{name} in place of USING ({name})"
                    ),
                )
            }
            SchemaError::DuplicateQualifiedField { qualifier, name } => {
                let cause = format_args!("there are two columns {qualifier}.{name}; rename one, or its table, with AS");
                of("statement cannot be planned", &cause.to_string())
            }
            // Two aggregate functions: names of other columns are compared before.
            SchemaError::DuplicateUnqualifiedField { name } => {
                let advice = "names leave out CAST; compute the CAST in a subquery, under a name of its own";
                of("statement cannot be planned", &format!("two columns have the name {name}; {advice}"))
            }
        },
        DataFusionError::Plan(cause) => {
            let clearer = missing_table(cause)
                .map(|table| {
                    format!("there is no table {table}{}", did_you_mean(table, tables.iter().map(String::as_str)))
                })
                .or_else(|| ungrouped_column(cause))
                .or_else(|| equal_names(cause))
                .or_else(|| misplaced_function(cause))
                .or_else(|| wrong_arguments(cause))
                .or_else(|| unknown_function(cause));
            of("statement cannot be planned", clearer.as_deref().unwrap_or(cause))
        }
        DataFusionError::NotImplemented(cause) => of("statement cannot be planned", cause),
        DataFusionError::ResourcesExhausted(cause) => {
            let advice = "--spill takes a folder with more free space";
            of("memory limit is reached", &format!("{}; {advice}", sentence(cause)))
        }
        DataFusionError::Internal(cause) => of("statement failed", missing_store(cause).as_deref().unwrap_or(cause)),
        DataFusionError::Execution(cause) => {
            of("statement failed", unbound_parameter(cause).as_deref().unwrap_or(cause))
        }
        DataFusionError::IoError(inner) => of("file cannot be read or written", &inner.to_string()),
        DataFusionError::ParquetError(inner) => of("file cannot be read or written", &inner.to_string()),
        other => of("statement failed", &other.message()),
    }
}

/// Parts of messages of the engine that only its authors understand, and what to write.
const ADVICE: [(&str, &str); 9] = [
    (
        "does not satisfy order requirements",
        "this ORDER BY is not supported; compute its expressions in a subquery, under names of their own, and sort by \
         these names",
    ),
    (
        "Conflicting ordering requirements",
        "string_agg and nth_value need the same ORDER BY; array_to_string(array_agg(x ORDER BY y), ', ') may have another",
    ),
    (
        "For SELECT DISTINCT, ORDER BY expressions",
        "with SELECT DISTINCT, ORDER BY takes columns of the answer; write them as there, or as numbers",
    ),
    (
        "Expect to get struct but got",
        "these values have no type in common; CAST them to one, as in coalesce(a, CAST('2000-01-01' AS timestamp))",
    ),
    (
        "Unary operator '-' only supports signed numeric",
        "a minus takes a signed number; write -CAST(x AS bigint) for a rank or a text; for a difference, \
         exchange the two times",
    ),
    (
        "Invalid interval arithmetic operation",
        "an interval cannot be multiplied or divided; CAST(n || ' days' AS interval) has n days",
    ),
    (
        "`retract_batch` is not implemented",
        "one of these functions takes only windows that start with UNBOUNDED PRECEDING",
    ),
    (
        "Only intervals with the same data type are comparable",
        "this difference cannot be compared; compare dates, as in a > b + interval '9 days'",
    ),
    (
        "The subquery should only return one column",
        "a subquery after IN has one column; to compare several, write EXISTS (SELECT 1 FROM t WHERE t.a = a AND t.b = b)",
    ),
];

/// The error of a statement with these names in double quotes. If one of them is no column, it was meant as a text.
pub(super) fn name_quoted_text(error: DataFusionError, quoted: &BTreeSet<String>) -> DataFusionError {
    let DataFusionError::SchemaError(inner, _) = error.find_root() else { return error };
    let SchemaError::FieldNotFound { field, valid_fields } = inner.as_ref() else { return error };
    let is_known = valid_fields.iter().any(|column| column.name.eq_ignore_ascii_case(field.name()));
    if is_known || field.relation.is_some() || !quoted.contains(field.name()) {
        return error;
    }
    let meant = did_you_mean(field.name(), valid_fields.iter().map(Column::name));
    DataFusionError::Plan(format!("there is no column {}; a text is in single quotes{meant}", field.name()))
}

/// The message for an error of the engine outside statements of the user. A failure of this workspace says itself what
/// failed, and where.
pub(crate) fn engine_failure(what: &'static str, place: &Path, error: &DataFusionError) -> Failure {
    failure_in(error).cloned().unwrap_or_else(|| {
        let cause = error.strip_backtrace();
        Failure::new(what, place, sentence(of_csv(&cause).as_deref().unwrap_or(&cause)))
    })
}

/// Whether an error means that a statement reached the memory limit. A full disk does not count.
#[must_use]
pub fn is_of_memory(error: &DataFusionError) -> bool {
    wanted_memory(error).is_some()
}

/// How much memory an operator did not get, if an error means that.
pub(crate) fn wanted_memory(error: &DataFusionError) -> Option<String> {
    match error.find_root() {
        DataFusionError::ResourcesExhausted(cause) if !is_of_disk(cause) => Some(wanted(cause)),
        DataFusionError::ExecutionJoin(end) if end.to_string().contains(OF_NESTED_LOOPS) => {
            Some("a join without an equality needs more".to_owned())
        }
        _ => None,
    }
}

/// Whether the limit was that of files.
fn is_of_disk(cause: &str) -> bool {
    cause.contains("disk")
}

/// Which operator asked for how much memory.
fn wanted(cause: &str) -> String {
    let wanted = cause.rfind("Failed to allocate").and_then(|at| cause.get(at..)).unwrap_or(cause);
    sentence(wanted.split_once(" with ").map_or(wanted, |(wanted, _)| wanted))
}

/// The panic of a join by nested loops that finds too little memory. DataFusion 55.2 then reads one of its sides a second
/// time, which panics if that side comes from several threads.
const OF_NESTED_LOOPS: &str = "partition not used yet";

/// Prevents that this panic is printed, since the error is reported. Other panics are printed as before.
pub(super) fn silence_nested_loops() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if panic.payload_as_str() != Some(OF_NESTED_LOOPS) {
                before(panic);
            }
        }));
    });
}

/// The [`Failure`] in an error of another library, if there is one.
pub(crate) fn failure_in<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e Failure> {
    chain(error).find_map(|error| error.downcast_ref())
}

/// An error, the error that it wraps, and so on.
pub(super) fn chain<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| {
        // `source` of an `io::Error` skips the error that it wraps, so that error comes from `get_ref`.
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        wrapped.map(|inner| inner as &(dyn Error + 'static)).or_else(|| error.source())
    })
}

fn no_column(field: &Column, valid: &[Column]) -> String {
    /// A longer list is left out.
    const MOST: usize = 24;
    let names = distinct(valid.iter().map(Column::name));
    // In another case, or of another table.
    let alike = valid.iter().filter(|column| column.name.eq_ignore_ascii_case(field.name()));
    let alike = distinct(alike.map(|column| typed_name(column, field.relation.is_some())));
    let meant = match nearest(field.name(), names.iter().copied()) {
        _ if !alike.is_empty() => Some(alike.join(" or ")),
        Some(name) => Some(typed_name(&Column::new_unqualified(name), false)),
        None => None,
    };
    let there = match (meant, names.len()) {
        (Some(meant), _) => format!("; did you mean {meant}?"),
        _ if field.name() == "all" => "; GROUP BY takes ALL, and ORDER BY does not".to_owned(),
        (None, 1..=MOST) => format!("; the columns are {}", names.join(", ")),
        _ => "; DESCRIBE and the name of a table list its columns".to_owned(),
    };
    format!("there is no column {}{there}", field.flat_name())
}

/// Without repetitions, in the same order.
fn distinct<T: PartialEq>(names: impl Iterator<Item = T>) -> Vec<T> {
    names.fold(Vec::new(), |mut distinct, name| {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
        distinct
    })
}

/// The name of a column as a statement has it, with or without its table.
fn typed_name(column: &Column, with_table: bool) -> String {
    let name = if is_plain_name(&column.name) { column.name.clone() } else { identifier(&column.name) };
    match &column.relation {
        Some(table) if with_table => format!("{}.{name}", table.table()),
        _ => name,
    }
}

/// The column that lacks a group, from `While expanding wildcard, column "NAME" must appear in the GROUP BY clause`.
fn ungrouped_column(cause: &str) -> Option<String> {
    let (before, _) = cause.split_once("\" must appear in the GROUP BY clause")?;
    let (_, name) = before.rsplit_once("column \"")?;
    Some(format!("{name} must be in GROUP BY or in an aggregate function"))
}

/// Which columns have one name, from `Projections require unique expression names but the expression "ONE" at position 0
/// and "OTHER" at position 1 have the same name`.
fn equal_names(cause: &str) -> Option<String> {
    let (_, rest) = cause.split_once("unique expression names but the expression \"")?;
    let (one, rest) = rest.split_once("\" at position ")?;
    let (_, rest) = rest.split_once(" and \"")?;
    let (other, _) = rest.split_once("\" at position ")?;
    let both =
        if one == other { format!("there are two columns {one}") } else { format!("{one} and {other} have one name") };
    Some(format!("{both}; rename one with AS"))
}

/// That the user's files are not behind URLs, from `No suitable object store found for URL. See …`.
fn missing_store(cause: &str) -> Option<String> {
    let (url, _) = cause.strip_prefix("No suitable object store found for ")?.split_once(". See ")?;
    Some(format!("COPY and CREATE EXTERNAL TABLE take files of this machine only, not {url}"))
}

/// Where a parameter gets its value, from `Placeholder '$NAME' was not provided a value for execution.`
fn unbound_parameter(cause: &str) -> Option<String> {
    let (name, _) = cause.strip_prefix("Placeholder '")?.split_once("' was not provided a value")?;
    Some(format!("{name} has no value; robocensus query takes a file whose header declares parameters"))
}

/// The name of the table, from `table 'robocensus.public.capture' not found`.
fn missing_table(cause: &str) -> Option<&str> {
    let name = cause.strip_prefix("table '")?.split_once("' not found")?.0;
    let schema = format!("{CATALOG}.{SCHEMA}.");
    Some(name.strip_prefix(&schema).unwrap_or(name))
}

/// How to call a function of this program that was called in the wrong place, from `Invalid function 'NAME'.` or
/// `table function 'NAME' not found`.
fn misplaced_function(cause: &str) -> Option<String> {
    let called_for_value = cause.strip_prefix("Invalid function '").and_then(|rest| rest.split_once('\''));
    let called_as_table = cause.strip_prefix("table function '").and_then(|rest| rest.split_once("' not found"));
    let (name, _) = called_for_value.or(called_as_table)?;
    let (_, documented) = functions::documentation().into_iter().find(|(known, _)| known == name)?;
    // Without optional arguments.
    let syntax = match documented.syntax_example.split_once(" [") {
        Some((needed, _)) => format!("{needed})"),
        None => documented.syntax_example.clone(),
    };
    Some(match called_for_value {
        Some(_) => format!("{name} returns a table: write it after FROM, as in SELECT * FROM {syntax}"),
        None => format!("{name} returns a value, not a table: write it after SELECT, as in SELECT {syntax} FROM …"),
    })
}

/// How a function was called and how it can be, from `No function matches the given name and argument types
/// 'NAME(TYPES)'.` and candidates. Functions of this program say more in the text before.
fn wrong_arguments(cause: &str) -> Option<String> {
    let (before, rest) = cause.split_once("No function matches the given name and argument types '")?;
    if let Some((_, own)) = before.split_once("user-defined coercion failed with: ") {
        return Some(own.trim().to_owned());
    }
    let (called, rest) = rest.split_once('\'')?;
    let (_, candidates) = rest.split_once("Candidate functions:")?;
    let candidates: Vec<&str> = candidates.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    Some(format!("there is no {called}; there is {}", candidates.join(" and ")))
}

/// The cause of a failure in a CSV file. The message names the file before it.
fn of_csv(cause: &str) -> Option<String> {
    if cause.contains("encountered unterminated string") {
        return Some("a quotation mark is not closed".to_owned());
    }
    let (_, cause) = cause.split_once("Csv error: ")?;
    let unequal = || {
        let (expected, rest) = cause.split_once("Expected ")?.1.split_once(" records, found ")?;
        let (found, line) = rest.split_once(" records at line ")?;
        Some(format!("line {line} has {found} values, and those before have {expected}"))
    };
    Some(unequal().unwrap_or_else(|| cause.to_owned()))
}

/// An unknown function, from `Invalid function 'NAME'.` and a second line, `Did you mean 'OTHER'?`. The engine suggests
/// the nearest name, however far it is.
fn unknown_function(cause: &str) -> Option<String> {
    let (name, rest) = cause.strip_prefix("Invalid function '")?.split_once('\'')?;
    let suggested = rest.split_once("Did you mean '").and_then(|(_, rest)| rest.split_once('\''));
    let meant = did_you_mean(name, suggested.map(|(other, _)| other));
    Some(format!("there is no function {name}{meant}"))
}

/// How much memory an operator did not get, and which options help.
fn memory_advice(wanted: &str, spills_all: bool) -> String {
    let less = if spills_all {
        "a statement over fewer crawls needs less"
    } else {
        // Without --read-write, it would have been run again in this way, unless its first rows were written.
        "--spill-all needs less, and so does a statement over fewer crawls"
    };
    format!("{wanted}; a larger --memory allows more; {less}")
}

/// The prefixes that the engine writes when it wraps an error as text.
const PREFIXES: [&str; 13] = [
    "Error during planning: ",
    "Execution error: ",
    "External error: ",
    "Arrow error: ",
    "Schema error: ",
    "SQL error: ",
    "Cast error: ",
    "Csv error: ",
    "Compute error: ",
    "Parser error: ",
    "Invalid argument error: ",
    "Arithmetic overflow: ",
    "This feature is not implemented: ",
];

/// A cause on one line, without prefixes and without a full stop.
fn sentence(cause: &str) -> String {
    let mut cause = cause.trim();
    while let Some(rest) = PREFIXES.iter().find_map(|prefix| cause.strip_prefix(prefix)) {
        cause = rest;
    }
    let lines: Vec<&str> =
        cause.lines().map(|line| line.trim().trim_end_matches('.')).filter(|line| !line.is_empty()).collect();
    folder::failure::lower(lines.join("; "))
}
