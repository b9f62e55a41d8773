//! Tables that come with the program: what is known of agents and of templates, and the empty ones that a user may fill.

use super::memory::{NamedTables, in_memory};
use crate::engine::options::SessionOptions;
use csv::{ReaderBuilder, StringRecord};
use datafusion::arrow::array::{ArrayRef, BooleanBuilder, Float64Builder, Int64Builder, RecordBatch, StringBuilder};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::catalog::TableProvider;
use folder::Failure;
use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A table whose columns are known beforehand.
pub(crate) struct Dimension {
    pub(crate) name: &'static str,
    columns: &'static [DimensionColumn],
}

/// A column of it: its name, its type, and whether a row may do without.
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

/// What is known of crawlers, by the token that files name them by.
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

/// By which groups, rules and records a file is known to come from a system and not from a person.
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

/// Tables of the user's own that questions read; they are empty where none is given.
pub(crate) const USERS: [Dimension; 3] = [
    Dimension { name: "ranks", columns: &[needed("host", DataType::Utf8), needed("rank", DataType::Int64)] },
    Dimension { name: "weights", columns: &[needed("host", DataType::Utf8), needed("weight", DataType::Float64)] },
    Dimension { name: "categories", columns: &[needed("host", DataType::Utf8), needed("category", DataType::Utf8)] },
];

/// Whether a table comes with the program, or from its user in place of that.
pub(crate) fn is_shipped(name: &str) -> bool {
    [AGENTS.name, TEMPLATES.name].contains(&name)
}

/// All of them, by name.
pub(super) fn all(options: &SessionOptions) -> Result<NamedTables, Failure> {
    let shipped = Path::new("datasets/agents.csv");
    let agents = AGENTS.read(&agents_text(options)?, options.agents.as_deref().unwrap_or(shipped))?;
    let templates =
        TEMPLATES.read(include_str!("../../../datasets/templates.csv"), Path::new("datasets/templates.csv"))?;
    let mut all = vec![(AGENTS.name, agents), (TEMPLATES.name, templates)];
    for dimension in &USERS {
        all.push((dimension.name, dimension.read("", &PathBuf::from(dimension.name))?));
    }
    Ok(all)
}

/// The list of agents, as it is written.
pub(crate) fn agents_text(options: &SessionOptions) -> Result<Cow<'static, str>, Failure> {
    match &options.agents {
        None => Ok(Cow::Borrowed(include_str!("../../../datasets/agents.csv"))),
        Some(path) => fs::read_to_string(path).map(Cow::Owned).map_err(Failure::at("agents cannot be read", path)),
    }
}

impl Dimension {
    pub(crate) fn schema(&self) -> Arc<Schema> {
        let field = |column: &DimensionColumn| Field::new(column.name, column.data_type.clone(), !column.is_needed);
        Arc::new(Schema::new(self.columns.iter().map(field).collect::<Vec<_>>()))
    }

    /// Reads a text in CSV with a header. A column that it lacks is null; one that is needed, or that nobody knows, is
    /// an error.
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
                format_args!("{name}; there are {}", names.join(", ")),
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
                // A text that has to be there may be empty, as the pattern of a rule.
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
                    let cause = format_args!("{} is no {}: {value}: {}", column.name, column.data_type, at(&record));
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

/// A column in the making.
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

    /// Whether the value is one of the column's type.
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
