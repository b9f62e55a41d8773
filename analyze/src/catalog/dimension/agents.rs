//! The list of agents: built in, or in a file of the user.

use super::AGENTS;
use crate::engine::options::SessionOptions;
use datafusion::arrow::array::{Array, ArrayRef, AsArray as _, BooleanArray, RecordBatch, StringArray, UInt32Array};
use datafusion::arrow::compute::kernels::zip::zip;
use datafusion::arrow::compute::{is_not_null, nullif, or, take};
use datafusion::arrow::datatypes::FieldRef;
use datafusion::arrow::error::ArrowError;
use folder::{Failure, text};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

/// The list of agents, built in or in a file with the same columns. Values that the file does not give are those of the
/// built-in list. Fails if the file is not such a list, or if it tracks no agent: derived tables would only have `*`.
pub(crate) fn agents(path: Option<&Path>) -> Result<RecordBatch, Failure> {
    let built_in = AGENTS.rows(&agents_text(None)?, Path::new("datasets/agents.csv"))?;
    let Some(path) = path else { return Ok(built_in) };
    let rows = AGENTS.rows(&agents_text(Some(path))?, path)?;
    if rows["tracked"].as_boolean().true_count() == 0 {
        let cause = "no agent is tracked; the column tracked says true for those that derived tables include";
        return Err(Failure::new("agents cannot be read", path, cause));
    }
    with_built_in_values(&rows, &built_in).map_err(Failure::at("agents cannot be read", path))
}

/// Columns that classify no agent.
const NO_CLASSIFICATION: [&str; 3] = ["token", "tracked", "mentions"];

/// The rows of a list of agents. A value that is null becomes that of the same token in the built-in list: AI agents of
/// a short list are still AI agents. But the built-in source does not stand for what a row says itself.
fn with_built_in_values(rows: &RecordBatch, built_in: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let tokens = |rows: &RecordBatch| {
        rows["token"].as_string::<i32>().iter().map(|name| name.map(normal_form)).collect::<Vec<_>>()
    };
    let places: HashMap<Option<String>, u32> = tokens(built_in).into_iter().zip(0..).collect();
    let places: UInt32Array = tokens(rows).iter().map(|token| places.get(token).copied()).collect();
    let schema = rows.schema();
    let names = || schema.fields().iter().map(|field| field.name().as_str());
    let mut classifies = BooleanArray::from(vec![false; rows.num_rows()]);
    for name in names().filter(|name| !NO_CLASSIFICATION.contains(name)) {
        classifies = or(&classifies, &is_not_null(&rows[name])?)?;
    }
    let sourced = nullif(&places, &classifies)?;
    let columns = names().map(|name| {
        let places: &dyn Array = if ["source", "source_date"].contains(&name) { &sourced } else { &places };
        zip(&is_not_null(&rows[name])?, &rows[name], &take(&built_in[name], places, None)?)
    });
    RecordBatch::try_new(rows.schema(), columns.collect::<Result<_, _>>()?)
}

/// The list of agents as a table: with tokens in normal form, as other tables have them.
pub(super) fn agents_table(options: &SessionOptions) -> Result<RecordBatch, Failure> {
    let rows = agents(options.agents.as_deref())?;
    let in_normal_form = |(field, column): (&FieldRef, &ArrayRef)| -> ArrayRef {
        let token_list = |names: &str| names.split_whitespace().map(normal_form).collect::<Vec<_>>().join(" ");
        let texts = |form: &dyn Fn(&str) -> String| {
            let texts = column.as_string::<i32>().iter();
            Arc::new(texts.map(|text| text.map(form)).collect::<StringArray>())
        };
        match field.name().as_str() {
            "token" | "replaced_by" => texts(&normal_form),
            "fallback_tokens" => texts(&token_list),
            _ => Arc::clone(column),
        }
    };
    let columns = rows.schema_ref().fields().iter().zip(rows.columns()).map(in_normal_form).collect();
    RecordBatch::try_new(rows.schema(), columns).map_err(Failure::at("table cannot be read", Path::new(AGENTS.name)))
}

/// A name of an agent in the form of `policies.token`.
pub fn normal_form(name: &str) -> String {
    String::from_utf8_lossy(&robots::token(name.as_bytes())).into_owned()
}

/// The list of agents, as CSV.
pub(crate) fn agents_text(path: Option<&Path>) -> Result<Cow<'static, str>, Failure> {
    match path {
        None => Ok(Cow::Borrowed(include_str!("../../../../datasets/agents.csv"))),
        Some(path) => text::read_file(path).map(Cow::Owned).map_err(|error| {
            let names = match error.kind() {
                ErrorKind::NotFound => "; --agents takes a file, and --tokens of a question takes names",
                _ => "",
            };
            Failure::new("agents cannot be read", path, format_args!("{error}{names}"))
        }),
    }
}
