//! Built-in tables: agents, templates, and the empty tables that the user may provide.

use super::memory::{NamedTables, in_memory};
use crate::engine::options::SessionOptions;
use crate::quoted::literal;
use csv::{ReaderBuilder, StringRecord};
use datafusion::arrow::array::{ArrayRef, BooleanBuilder, Float64Builder, Int64Builder, RecordBatch, StringBuilder};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::catalog::TableProvider;
use folder::{Failure, text};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A table with fixed columns, read from CSV.
pub(crate) struct Dimension {
    pub(crate) name: &'static str,
    columns: &'static [DimensionColumn],
}

/// A column, and whether each row needs a value.
struct DimensionColumn {
    name: &'static str,
    data_type: DataType,
    is_needed: bool,
}

const fn needed(name: &'static str, data_type: DataType) -> DimensionColumn {
    DimensionColumn { name, data_type, is_needed: true }
}

const fn maybe(name: &'static str, data_type: DataType) -> DimensionColumn {
    DimensionColumn { name, data_type, is_needed: false }
}

/// Facts about crawlers. The key is the token that files name a crawler by.
const AGENTS: Dimension = Dimension {
    name: "agents",
    columns: &[
        needed("token", DataType::Utf8),
        maybe("operator", DataType::Utf8),
        maybe("purposes", DataType::Utf8),
        maybe("kind", DataType::Utf8),
        maybe("is_ai", DataType::Boolean),
        maybe("obeys_wildcard", DataType::Boolean),
        maybe("fallback_tokens", DataType::Utf8),
        maybe("valid_from", DataType::Utf8),
        maybe("valid_to", DataType::Utf8),
        maybe("replaced_by", DataType::Utf8),
        maybe("tracked", DataType::Boolean),
        maybe("mentions", DataType::Int64),
        maybe("source", DataType::Utf8),
        maybe("source_date", DataType::Utf8),
    ],
};

/// The groups, rules and records by which files that a content system generated are recognised.
const TEMPLATES: Dimension = Dimension {
    name: "templates",
    columns: &[
        needed("template", DataType::Utf8),
        maybe("family", DataType::Utf8),
        maybe("name", DataType::Utf8),
        needed("part", DataType::Utf8),
        maybe("agent", DataType::Utf8),
        maybe("allow", DataType::Boolean),
        needed("pattern_or_key", DataType::Utf8),
        maybe("value", DataType::Utf8),
        needed("is_required", DataType::Boolean),
        maybe("note", DataType::Utf8),
        maybe("source", DataType::Utf8),
        maybe("source_date", DataType::Utf8),
    ],
};

/// The list of templates, as CSV.
const TEMPLATES_TEXT: &str = include_str!("../../../datasets/templates.csv");

/// Tables that questions read and the user may provide; by default they are empty.
pub(crate) const USER_TABLES: [Dimension; 3] = [
    Dimension { name: "ranks", columns: &[needed("host", DataType::Utf8), needed("rank", DataType::Int64)] },
    Dimension { name: "weights", columns: &[needed("host", DataType::Utf8), needed("weight", DataType::Float64)] },
    Dimension { name: "categories", columns: &[needed("host", DataType::Utf8), needed("category", DataType::Utf8)] },
];

/// The names of all built-in tables and of those that the user may provide.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    [AGENTS.name, TEMPLATES.name].into_iter().chain(user_tables())
}

/// A built-in table as a SELECT that every engine can run, with the columns that `is_kept` selects; `None` for an
/// unknown name. Tables that the user may provide are empty.
pub(crate) fn as_select(
    name: &str,
    options: &SessionOptions,
    is_kept: &dyn Fn(&str) -> bool,
) -> Result<Option<String>, Failure> {
    Ok(match name {
        name if name == AGENTS.name => Some(AGENTS.select(&agents_text(options.agents.as_deref())?, is_kept)?),
        name if name == TEMPLATES.name => Some(TEMPLATES.select(TEMPLATES_TEXT, is_kept)?),
        name => match USER_TABLES.iter().find(|table| table.name == name) {
            Some(table) => Some(table.select("", &|_| true)?),
            None => None,
        },
    })
}

/// The names of the tables that questions read and the user may provide.
#[must_use]
pub fn user_tables() -> [&'static str; 3] {
    USER_TABLES.each_ref().map(|table| table.name)
}

/// Whether a table is built in, or the user's replacement for a built-in one.
pub(crate) fn is_built_in(name: &str) -> bool {
    [AGENTS.name, TEMPLATES.name].contains(&name)
}

/// All built-in tables, with their names.
pub(super) fn all(options: &SessionOptions) -> Result<NamedTables, Failure> {
    let built_in = Path::new("datasets/agents.csv");
    let agents =
        AGENTS.read(&agents_text(options.agents.as_deref())?, options.agents.as_deref().unwrap_or(built_in))?;
    let templates = TEMPLATES.read(TEMPLATES_TEXT, Path::new("datasets/templates.csv"))?;
    let mut all = vec![(AGENTS.name, agents), (TEMPLATES.name, templates)];
    for dimension in &USER_TABLES {
        all.push((dimension.name, dimension.read("", &PathBuf::from(dimension.name))?));
    }
    Ok(all)
}

/// The columns of the list of agents, with their types in SQL.
pub(crate) fn agents_columns() -> impl Iterator<Item = (&'static str, &'static str)> {
    AGENTS.columns.iter().map(|column| (column.name, sql_type(&column.data_type)))
}

/// The SQL name of a type, which all engines share.
pub(crate) fn sql_type(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Boolean => "boolean",
        DataType::Int32 => "integer",
        DataType::Int64 => "bigint",
        DataType::Float64 => "double",
        _ => "varchar",
    }
}

/// The list of agents, as CSV.
pub(crate) fn agents_text(path: Option<&Path>) -> Result<Cow<'static, str>, Failure> {
    match path {
        None => Ok(Cow::Borrowed(include_str!("../../../datasets/agents.csv"))),
        Some(path) => {
            let text = text::read_file(path).map_err(Failure::at("agents cannot be read", path))?;
            refuse_repeated(&text, path)?;
            Ok(Cow::Owned(text))
        }
    }
}

/// Fails if a list of agents has a token twice, since questions would count its files twice. What else may be wrong
/// with the list is reported where it is read.
fn refuse_repeated(text: &str, path: &Path) -> Result<(), Failure> {
    let mut reader = ReaderBuilder::new().from_reader(text.as_bytes());
    let place = reader.headers().ok().and_then(|header| header.iter().position(|name| name == "token"));
    let Some(place) = place else { return Ok(()) };
    let mut seen = HashMap::new();
    for record in reader.records().map_while(Result::ok) {
        let token = record.get(place).unwrap_or_default();
        if let Some(before) = seen.insert(token.to_lowercase(), at(&record)) {
            return Err(Failure::new(
                "agent is listed twice",
                path,
                format_args!("{token}: {before} and {}; upper and lower case are the same", at(&record)),
            ));
        }
    }
    Ok(())
}

impl Dimension {
    pub(crate) fn schema(&self) -> Arc<Schema> {
        let field = |column: &DimensionColumn| Field::new(column.name, column.data_type.clone(), !column.is_needed);
        Arc::new(Schema::new(self.columns.iter().map(field).collect::<Vec<_>>()))
    }

    /// The rows of CSV with a header, as a SELECT with a line for each row.
    fn select(&self, text: &str, is_kept: &dyn Fn(&str) -> bool) -> Result<String, Failure> {
        let cannot = |error: csv::Error| Failure::new("table cannot be read", Path::new(self.name), error);
        let mut reader = ReaderBuilder::new().from_reader(text.as_bytes());
        let header = reader.headers().map_err(cannot)?.clone();
        let kept: Vec<&DimensionColumn> = self.columns.iter().filter(|column| is_kept(column.name)).collect();
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(cannot)?;
            let value = |column: &&DimensionColumn| {
                let place = header.iter().position(|name| name == column.name);
                let value = place.and_then(|place| record.get(place)).unwrap_or_default();
                let is_text = column.data_type == DataType::Utf8;
                match value {
                    "" if !(is_text && column.is_needed) => "NULL".to_owned(),
                    value if is_text => literal(value),
                    value => value.to_owned(),
                }
            };
            rows.push(format!("({})", kept.iter().map(value).collect::<Vec<_>>().join(", ")));
        }
        let typed = |column: &&DimensionColumn| {
            let value = if rows.is_empty() { "NULL" } else { column.name };
            format!("CAST({value} AS {}) AS {}", sql_type(&column.data_type), column.name)
        };
        let columns: Vec<String> = kept.iter().map(typed).collect();
        let names: Vec<&str> = kept.iter().map(|column| column.name).collect();
        Ok(if rows.is_empty() {
            format!("SELECT {} WHERE false", columns.join(", "))
        } else {
            let (columns, rows, names) = (columns.join(", "), rows.join(",\n    "), names.join(", "));
            format!("SELECT {columns} FROM (VALUES\n    {rows}\n) AS listed ({names})")
        })
    }

    /// Reads CSV with a header. An optional column that is missing is null. Fails if a required column is missing or a
    /// column is unknown.
    fn read(&self, text: &str, path: &Path) -> Result<Arc<dyn TableProvider>, Failure> {
        let cannot = |cause: &dyn std::fmt::Display| Failure::new("table cannot be read", path, cause);
        let mut reader = ReaderBuilder::new().from_reader(text.as_bytes());
        let header = reader.headers().map_err(|error| cannot(&error))?.clone();
        let known = |name: &str| self.columns.iter().any(|column| column.name == name);
        if let Some(name) = header.iter().find(|name| !known(name)) {
            let names: Vec<&str> = self.columns.iter().map(|column| column.name).collect();
            return Err(Failure::new(
                "column is unknown",
                path,
                format_args!("{name}; the columns are {}", names.join(", ")),
            ));
        }
        let mut columns: Vec<(Option<usize>, ColumnBuilder)> = Vec::new();
        for column in self.columns {
            let place = header.iter().position(|name| name == column.name);
            if place.is_none() && column.is_needed && !text.is_empty() {
                return Err(Failure::new("column is missing", path, column.name));
            }
            columns.push((place, ColumnBuilder::new(&column.data_type)));
        }
        for record in reader.records() {
            let record = record.map_err(|error| cannot(&error))?;
            for (column, (place, builder)) in self.columns.iter().zip(&mut columns) {
                let value = place.and_then(|place| record.get(place));
                // A required text may be empty, such as the pattern of a rule.
                let is_text = column.data_type == DataType::Utf8 && column.is_needed;
                let value = value.filter(|value| is_text || !value.is_empty());
                if column.is_needed && value.is_none() {
                    return Err(Failure::new(
                        "value is missing",
                        path,
                        format_args!("{}: {}", column.name, at(&record)),
                    ));
                }
                if !builder.push(value) {
                    let value = value.unwrap_or_default();
                    let cause = format_args!("{} is not {}: {value}: {}", column.name, column.data_type, at(&record));
                    return Err(Failure::new("value cannot be read", path, cause));
                }
            }
        }
        let arrays = columns.into_iter().map(|(_, builder)| builder.finish()).collect();
        let batch = RecordBatch::try_new(self.schema(), arrays).map_err(|error| cannot(&error))?;
        in_memory(batch).map_err(|error| cannot(&error))
    }
}

fn at(record: &StringRecord) -> String {
    record.position().map_or_else(String::new, |position| format!("line {}", position.line()))
}

/// Builds a column of one of the four types.
enum ColumnBuilder {
    Text(StringBuilder),
    Flag(BooleanBuilder),
    Number(Int64Builder),
    Real(Float64Builder),
}

impl ColumnBuilder {
    fn new(data_type: &DataType) -> Self {
        match data_type {
            DataType::Boolean => ColumnBuilder::Flag(BooleanBuilder::new()),
            DataType::Int64 => ColumnBuilder::Number(Int64Builder::new()),
            DataType::Float64 => ColumnBuilder::Real(Float64Builder::new()),
            _ => ColumnBuilder::Text(StringBuilder::new()),
        }
    }

    /// Adds a value. Returns `false` if it is not of the column's type.
    fn push(&mut self, value: Option<&str>) -> bool {
        let parsed = match self {
            ColumnBuilder::Text(builder) => {
                builder.append_option(value);
                return true;
            }
            ColumnBuilder::Flag(builder) => {
                value.map(str::parse).transpose().map(|value| builder.append_option(value)).ok()
            }
            ColumnBuilder::Number(builder) => {
                value.map(str::parse).transpose().map(|value| builder.append_option(value)).ok()
            }
            ColumnBuilder::Real(builder) => {
                value.map(str::parse).transpose().map(|value| builder.append_option(value)).ok()
            }
        };
        parsed.is_some()
    }

    fn finish(self) -> ArrayRef {
        match self {
            ColumnBuilder::Text(mut builder) => Arc::new(builder.finish()),
            ColumnBuilder::Flag(mut builder) => Arc::new(builder.finish()),
            ColumnBuilder::Number(mut builder) => Arc::new(builder.finish()),
            ColumnBuilder::Real(mut builder) => Arc::new(builder.finish()),
        }
    }
}
