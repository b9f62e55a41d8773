//! Built-in tables: agents, templates, and the empty tables that the user may provide.

mod agents;
mod column;
mod values;

pub use agents::normal_form;
pub(crate) use agents::{agents, agents_text};

use super::memory::{ListTable, NamedTables, in_memory};
use crate::engine::options::SessionOptions;
use crate::quoted::literal;
use agents::agents_table;
use csv::{ReaderBuilder, StringRecord};
use datafusion::arrow::array::{Array, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::catalog::TableProvider;
use datafusion::common::ScalarValue;
use folder::Failure;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use values::Values;

/// A table with fixed columns, read from CSV.
pub(crate) struct Dimension {
    pub(crate) name: &'static str,
    /// The meaning of one row.
    grain: &'static str,
    columns: &'static [DimensionColumn],
}

/// A column, and whether each row needs a value.
struct DimensionColumn {
    name: &'static str,
    data_type: DataType,
    is_needed: bool,
    values: Values,
}

const fn needed(name: &'static str, data_type: DataType) -> DimensionColumn {
    DimensionColumn { name, data_type, is_needed: true, values: Values::All }
}

const fn maybe(name: &'static str, data_type: DataType) -> DimensionColumn {
    DimensionColumn { name, data_type, is_needed: false, values: Values::All }
}

const fn date(name: &'static str) -> DimensionColumn {
    DimensionColumn { name, data_type: DataType::Utf8, is_needed: false, values: Values::Date }
}

/// Facts about crawlers. The key is the token that files name a crawler by.
const AGENTS: Dimension = Dimension {
    name: "agents",
    grain: "one row per token of a known crawler",
    columns: &[
        DimensionColumn { name: "token", data_type: DataType::Utf8, is_needed: true, values: Values::Token },
        maybe("operator", DataType::Utf8),
        maybe("purposes", DataType::Utf8),
        DimensionColumn { name: "kind", data_type: DataType::Utf8, is_needed: false, values: Values::Kind },
        maybe("is_ai", DataType::Boolean),
        maybe("obeys_wildcard", DataType::Boolean),
        maybe("fallback_tokens", DataType::Utf8),
        date("valid_from"),
        date("valid_to"),
        maybe("replaced_by", DataType::Utf8),
        // Without it, no agent would be tracked.
        needed("tracked", DataType::Boolean),
        maybe("mentions", DataType::Int64),
        maybe("source", DataType::Utf8),
        date("source_date"),
    ],
};

/// The groups, rules and records by which files that a content system generated are recognised.
const TEMPLATES: Dimension = Dimension {
    name: "templates",
    grain: "one row per group, rule or record by which a template is recognised",
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
        date("source_date"),
    ],
};

/// Tables that questions read and the user may provide; by default they are empty.
pub(crate) const USER_TABLES: [Dimension; 3] = [
    Dimension {
        name: "ranks",
        grain: "one row per host, with its rank; --table ranks=FILE",
        columns: &[needed("host", DataType::Utf8), needed("rank", DataType::Int64)],
    },
    Dimension {
        name: "weights",
        grain: "one row per host, with its weight; --table weights=FILE",
        columns: &[needed("host", DataType::Utf8), needed("weight", DataType::Float64)],
    },
    Dimension {
        name: "categories",
        grain: "one row per host, with its category; --table categories=FILE",
        columns: &[needed("host", DataType::Utf8), needed("category", DataType::Utf8)],
    },
];

/// The meaning of one row of a built-in table, or of one that the user may provide; `None` for other tables.
pub(crate) fn grain(name: &str) -> Option<&'static str> {
    let mut all = [&AGENTS, &TEMPLATES].into_iter().chain(&USER_TABLES);
    all.find(|table| table.name == name).map(|table| table.grain)
}

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
        name if name == AGENTS.name => Some(AGENTS.select(&agents_table(options)?, is_kept)?),
        name if name == TEMPLATES.name => Some(TEMPLATES.select(&templates()?, is_kept)?),
        name => match USER_TABLES.iter().find(|table| table.name == name) {
            Some(table) => Some(table.select(&table.none(), &|_| true)?),
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
    let lists = [(AGENTS.name, agents_table(options)?), (TEMPLATES.name, templates()?)];
    let lists =
        lists.map(|(name, rows)| (name, ListTable::new(rows).map(|list| Arc::new(list) as Arc<dyn TableProvider>)));
    let empty = USER_TABLES.each_ref().map(|table| (table.name, in_memory(table.none())));
    let named = |(name, table): (&'static str, datafusion::error::Result<_>)| {
        table.map(|table| (name, table)).map_err(Failure::at("table cannot be read", Path::new(name)))
    };
    lists.into_iter().chain(empty).map(named).collect()
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

/// The list of templates.
pub(crate) fn templates() -> Result<RecordBatch, Failure> {
    TEMPLATES.rows(include_str!("../../../datasets/templates.csv"), Path::new("datasets/templates.csv"))
}

impl Dimension {
    pub(crate) fn schema(&self) -> Arc<Schema> {
        let field = |column: &DimensionColumn| Field::new(column.name, column.data_type.clone(), !column.is_needed);
        Arc::new(Schema::new(self.columns.iter().map(field).collect::<Vec<_>>()))
    }

    /// Rows of the table, as a SELECT with a line for each row.
    fn select(&self, rows: &RecordBatch, is_kept: &dyn Fn(&str) -> bool) -> Result<String, Failure> {
        let kept: Vec<&DimensionColumn> = self.columns.iter().filter(|column| is_kept(column.name)).collect();
        let cannot = |error: ArrowError| Failure::new("table cannot be read", Path::new(self.name), error);
        let options = FormatOptions::new();
        let formatters: Vec<ArrayFormatter<'_>> = (kept.iter())
            .map(|column| ArrayFormatter::try_new(&rows[column.name], &options))
            .collect::<Result<_, _>>()
            .map_err(cannot)?;
        let value = |(column, formatter): (&&DimensionColumn, &ArrayFormatter<'_>), row: usize| {
            Ok(match formatter.value(row).try_to_string()? {
                _ if rows[column.name].is_null(row) => "NULL".to_owned(),
                value if column.data_type == DataType::Utf8 => literal(&value),
                value => value,
            })
        };
        let line = |row| {
            let values = kept.iter().zip(&formatters).map(|pair| value(pair, row));
            values.collect::<Result<Vec<String>, ArrowError>>().map(|values| format!("({})", values.join(", ")))
        };
        let rows: Vec<String> = (0..rows.num_rows()).map(line).collect::<Result<_, _>>().map_err(cannot)?;
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

    /// The table without rows.
    fn none(&self) -> RecordBatch {
        RecordBatch::new_empty(self.schema())
    }

    /// The rows of CSV with a header. An optional column that is missing is null. Fails if a required column is missing
    /// or a column is unknown.
    fn rows(&self, text: &str, path: &Path) -> Result<RecordBatch, Failure> {
        let cannot = |cause: &dyn std::fmt::Display| Failure::new("table cannot be read", path, cause);
        // With CRLF, the reader counts the line before a row as its line.
        let text = text.replace("\r\n", "\n");
        let mut reader = ReaderBuilder::new().from_reader(text.as_bytes());
        let header = reader.headers().map_err(|error| cannot(&error))?.clone();
        let known = |name: &str| self.columns.iter().any(|column| column.name == name);
        if let Some(name) = header.iter().find(|name| !known(name)) {
            let names: Vec<&str> = self.columns.iter().map(|column| column.name).collect();
            let cause = format_args!("the header has {name}, but the columns are {}", names.join(", "));
            return Err(Failure::new("column is unknown", path, cause));
        }
        let mut columns: Vec<(Option<usize>, Vec<ScalarValue>)> = Vec::new();
        for column in self.columns {
            let place = header.iter().position(|name| name == column.name);
            if place.is_none() && column.is_needed {
                return Err(Failure::new("column is missing", path, column.name));
            }
            columns.push((place, Vec::new()));
        }
        let mut seen = HashMap::new();
        for record in reader.records() {
            let record = record.map_err(|error| cannot(&error))?;
            for (column, (place, values)) in self.columns.iter().zip(&mut columns) {
                let value = place.and_then(|place| record.get(place));
                let read = column.read(value, &line_of(&record), &mut seen);
                values.push(read.map_err(|(what, cause)| Failure::new(what, path, cause))?);
            }
        }
        let arrays =
            self.columns.iter().zip(columns).map(|(column, (_, values))| column::array(values, &column.data_type));
        let arrays = arrays.collect::<Result<_, _>>().map_err(|error| cannot(&error))?;
        RecordBatch::try_new(self.schema(), arrays).map_err(|error| cannot(&error))
    }
}

impl DimensionColumn {
    /// The value of a row. Otherwise what is wrong, and why: it is missing, of another kind, or a token that an earlier row
    /// has. `seen` has the lines of tokens.
    fn read(
        &self,
        value: Option<&str>,
        line: &str,
        seen: &mut HashMap<String, String>,
    ) -> Result<ScalarValue, (&'static str, String)> {
        let name = self.name;
        // A required text may be empty, such as the pattern of a rule.
        let is_text = self.data_type == DataType::Utf8 && self.is_needed;
        let value = value.filter(|value| is_text || !value.is_empty());
        let token = value.filter(|_| matches!(self.values, Values::Token)).map(normal_form);
        if self.is_needed && value.is_none() || token.as_deref() == Some("") {
            return Err(("value is missing", format!("{name}: {line}")));
        }
        let written = value.unwrap_or_default();
        // Questions would count the files of a token twice if two rows had it.
        if let Some(before) = token.and_then(|token| seen.insert(token, line.to_owned())) {
            let cause = format!("{name}: {written}: {before} and {line}; case and versions make no difference");
            return Err(("value is listed twice", cause));
        }
        let wrong = |expected: String| ("value cannot be read", format!("{name} is not {expected}: {written}: {line}"));
        match value.and_then(|value| self.values.missed_by(value)) {
            Some(expected) => Err(wrong(expected)),
            None => column::parse(value, &self.data_type).ok_or_else(|| {
                let is_boolean = self.data_type == DataType::Boolean;
                wrong(if is_boolean { "true or false".to_owned() } else { self.data_type.to_string() })
            }),
        }
    }
}

fn line_of(record: &StringRecord) -> String {
    record.position().map_or_else(String::new, |position| format!("line {}", position.line()))
}

#[cfg(test)]
mod tests {
    use super::values::KINDS;
    use super::*;

    fn refusal(text: &str) -> String {
        AGENTS.rows(text, Path::new("a.csv")).map_or_else(|failure| failure.to_string(), |_| String::new())
    }

    #[test]
    fn a_list_of_agents_needs_its_columns_and_valid_values() {
        let dates = "value cannot be read: a.csv: valid_from is not a date such as 2026, 2026-11 or 2026-11-23";
        for (text, expected) in [
            ("", "column is missing: a.csv: token".to_owned()),
            ("token\nGPTBot\n", "column is missing: a.csv: tracked".to_owned()),
            ("token,tracked\n ,true\n", "value is missing: a.csv: token: line 2".to_owned()),
            ("token,tracked\r\nA,TRUE\r\nB,False\r\n", String::new()),
            (
                "token,tracked\r\nA,true\r\nB,maybe\r\n",
                "value cannot be read: a.csv: tracked is not true or false: maybe: line 3".to_owned(),
            ),
            ("token,tracked\nA,\n", "value is missing: a.csv: tracked: line 2".to_owned()),
            (
                "token,tracked\nA,true\n*,true\n",
                "value cannot be read: a.csv: token is not the name of an agent: *: line 3".to_owned(),
            ),
            ("token,tracked,valid_from\nA,true,soon\n", format!("{dates}: soon: line 2")),
            ("token,tracked,valid_from\nA,true,2026-13\n", format!("{dates}: 2026-13: line 2")),
            ("token,tracked,valid_from\nA,true,2026\nB,true,2026-02\nC,true,2026-02-28\nD,true,\n", String::new()),
            (
                "token,tracked,kind\nA,true,weird\n",
                format!("value cannot be read: a.csv: kind is not one of {}: weird: line 2", KINDS.join(", ")),
            ),
        ] {
            assert_eq!(refusal(text), expected, "{text}");
        }
    }

    #[test]
    fn kinds_are_documented() {
        let text = std::fs::read_to_string(committed::path("datasets/agents.md")).unwrap();
        let kinds = text.split("## Kinds").nth(1).unwrap().split("## ").next().unwrap();
        let kinds: Vec<&str> = kinds.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
        assert_eq!(kinds, KINDS);
    }
}
