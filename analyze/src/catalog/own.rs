//! Tables of the user: a name and a file.
//!
//! Questions read three of them, with fixed columns: `ranks`, `weights` and `categories`, each with one value per host.
//! Such lists come in many forms. So their columns are found by name or, in a file without a header, by their values.

mod start;

use super::FolderSchema;
use super::dimension::{Dimension, USER_TABLES, sql_type, user_tables};
use crate::engine::failure::engine_failure;
use crate::engine::options::OwnTable;
use crate::quoted::identifier;
use datafusion::arrow::array::AsArray as _;
use datafusion::arrow::datatypes::{DataType, FieldRef, Schema, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::datasource::ViewTable;
use datafusion::datasource::file_format::FileFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::DataFusionError;
use datafusion::logical_expr::{cast, ident};
use datafusion::prelude::SessionContext;
use folder::{Failure, regular};
pub(crate) use start::repeated_column;
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use url::Url;

impl FromStr for OwnTable {
    type Err = String;

    fn from_str(typed: &str) -> Result<Self, String> {
        let Some((name, path)) = typed.split_once('=') else {
            return Err("a table is NAME=FILE".to_owned());
        };
        if !is_plain_name(name) {
            return Err(
                "the name of a table has lower-case letters, digits and underscores, and starts with a letter".into()
            );
        }
        Ok(OwnTable { name: name.to_owned(), path: PathBuf::from(path) })
    }
}

/// Whether every engine accepts a name without quotes.
#[must_use]
pub fn is_plain_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// How many rows are read to find the columns and their types: all of them. A key of JSON that first occurs in a later
/// row would be no column, and a text after numbers would fail the statement that reads it.
pub(crate) const ROWS_LOOKED_AT: usize = usize::MAX;

/// How many bytes of a file are read to find its header.
const MOST_HEADER: u64 = 1 << 16;

/// The names that the column of hosts may have.
const HOSTS: [&str; 8] = ["host", "domain", "origin", "site", "hostname", "url_host_name", "host_name", "url"];

/// Adds the tables to the session. Fails if a file cannot be read or a name is taken.
pub(crate) async fn register(schema: &FolderSchema, context: &SessionContext, own: &[OwnTable]) -> Result<(), Failure> {
    for (place, table) in own.iter().enumerate() {
        let cannot = |error: DataFusionError| engine_failure("table cannot be read", &table.path, &error);
        if let Some(before) = own.iter().take(place).find(|before| before.name == table.name) {
            let cause =
                format_args!("the file {} has the name {} already; give one file", before.path.display(), table.name);
            return Err(Failure::new("table cannot be added", &table.path, cause));
        }
        if !user_tables().contains(&table.name.as_str()) && schema.is_taken(&table.name) {
            let cause = format_args!("there is a table {} already; give it another name", table.name);
            return Err(Failure::new("table cannot be added", &table.path, cause));
        }
        let file = OwnFile::open(table, context).await?;
        let provider = match file.fixed {
            None => file.read,
            Some(columns) => columns.table(file.read, context).map_err(cannot)?,
        };
        schema.add(&table.name, provider);
    }
    Ok(())
}

/// Whether the first line of a file names its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnHeader {
    There,
    /// Of its two columns, the one at this place has the hosts.
    Missing {
        host: usize,
    },
}

impl OwnHeader {
    /// Reads the first line. A list of ranks has no header (`1,google.com`). A header has neither a number nor a dot.
    /// The host is the cell with a dot that is no number. If there is no such cell or several, it is the first cell that
    /// may be one.
    fn detect(path: &Path) -> Result<Self, Failure> {
        let Some(delimiter) = OwnFormat::from_ending(path)?.delimiter() else { return Ok(OwnHeader::There) };
        let cannot = |error: &dyn fmt::Display| Failure::new("table cannot be read", path, error);
        let file = File::open(path).map_err(|error| cannot(&error))?;
        Ok(Self::of_first_line(&start::first_line(file, delimiter).map_err(|error| cannot(&error))?))
    }

    fn of_first_line(cells: &[String]) -> Self {
        let is_number = |cell: &String| cell.trim().parse::<f64>().is_ok();
        let is_host = |cell: &String| cell.contains('.') && !is_number(cell);
        if !cells.iter().any(|cell| is_number(cell) || is_host(cell)) {
            return OwnHeader::There;
        }
        let is_second = match cells {
            [first, second] if is_host(first) != is_host(second) => is_host(second),
            cells => cells.first().is_some_and(is_number),
        };
        OwnHeader::Missing { host: usize::from(is_second) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnFormat {
    Csv,
    Tsv,
    Json,
    Parquet,
}

/// The endings of the names of files. A file in JSON has an object on each line.
const OWN_ENDINGS: [(&str, OwnFormat); 7] = [
    ("csv", OwnFormat::Csv),
    ("tsv", OwnFormat::Tsv),
    ("txt", OwnFormat::Tsv),
    ("json", OwnFormat::Json),
    ("ndjson", OwnFormat::Json),
    ("jsonl", OwnFormat::Json),
    ("parquet", OwnFormat::Parquet),
];

/// The endings as texts list them: `.a, .b or .c`.
fn own_endings() -> String {
    let dotted = OWN_ENDINGS.map(|(ending, _)| format!(".{ending}"));
    let [others @ .., last] = &dotted;
    format!("{} or {last}", others.join(", "))
}

impl OwnFormat {
    /// What separates the columns of a text file; `None` for other files.
    fn delimiter(self) -> Option<u8> {
        match self {
            OwnFormat::Csv => Some(b','),
            OwnFormat::Tsv => Some(b'\t'),
            OwnFormat::Json | OwnFormat::Parquet => None,
        }
    }

    pub(crate) fn from_ending(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let known = OWN_ENDINGS.iter().find(|(known, _)| ending.as_deref() == Some(known));
        known.map(|(_, format)| *format).ok_or_else(|| {
            Failure::new("table cannot be read", path, format_args!("its name must end in {}", own_endings()))
        })
    }
}

/// Opens a file as a table, with the types of its columns. The types are inferred from its rows.
async fn open(
    path: &Path,
    header: OwnHeader,
    context: &SessionContext,
) -> Result<(ListingTableConfig, SchemaRef), Failure> {
    let cannot = |error: DataFusionError| engine_failure("table cannot be read", path, &error);
    let whole = fs::canonicalize(path).map_err(Failure::at("table cannot be read", path))?;
    let kind = fs::metadata(&whole).map_err(Failure::at("table cannot be read", path))?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        return Err(Failure::new("table cannot be read", path, regular::not_a_file(kind)));
    }
    let url = if kind.is_dir() { Url::from_directory_path(&whole) } else { Url::from_file_path(&whole) };
    let url = url.map_err(|()| Failure::new("table cannot be read", path, "its path cannot be written as a URL"))?;
    if header == OwnHeader::There && kind.is_file() {
        start::check(path)?;
    }
    let format = OwnFormat::from_ending(path)?;
    let format: Arc<dyn FileFormat> = match (format, format.delimiter()) {
        (_, Some(delimiter)) => {
            let csv = CsvFormat::default().with_has_header(header == OwnHeader::There).with_delimiter(delimiter);
            Arc::new(csv.with_schema_infer_max_rec(ROWS_LOOKED_AT))
        }
        (OwnFormat::Parquet, None) => Arc::new(ParquetFormat::default()),
        (_, None) => Arc::new(JsonFormat::default().with_schema_infer_max_rec(ROWS_LOOKED_AT)),
    };
    let options = ListingOptions::new(format).with_file_extension("");
    let config =
        ListingTableConfig::new(ListingTableUrl::try_new(url, None).map_err(cannot)?).with_listing_options(options);
    let config = config.infer_schema(&context.state()).await.map_err(cannot)?;
    match config.file_schema.clone() {
        Some(schema) if !schema.fields().is_empty() => Ok((config, schema)),
        _ => Err(Failure::new("table cannot be read", path, "it is empty or has no columns")),
    }
}

/// An open file of the user.
pub(crate) struct OwnFile {
    pub(crate) header: OwnHeader,
    pub(crate) read: Arc<dyn TableProvider>,
    /// The fixed columns of its table; `None` if it has no fixed columns.
    pub(crate) fixed: Option<FixedColumns>,
}

impl OwnFile {
    /// Fails if the file cannot be read, or if it lacks a fixed column or has a wrong value in it.
    pub(crate) async fn open(table: &OwnTable, context: &SessionContext) -> Result<Self, Failure> {
        let cannot = |error: DataFusionError| engine_failure("table cannot be read", &table.path, &error);
        let dimension = USER_TABLES.iter().find(|dimension| dimension.name == table.name);
        let header = match dimension {
            Some(_) => OwnHeader::detect(&table.path)?,
            None => OwnHeader::There,
        };
        let (mut config, mut schema) = open(&table.path, header, context).await?;
        let mut fixed = None;
        if let Some(dimension) = dimension {
            let columns = FixedColumns::find(dimension, header, &schema, &table.path)?;
            if OwnFormat::from_ending(&table.path)?.delimiter().is_some() {
                schema = columns.texts(&schema);
                config = config.with_schema(Arc::clone(&schema));
            }
            fixed = Some(columns);
        }
        let read: Arc<dyn TableProvider> = Arc::new(ListingTable::try_new(config).map_err(cannot)?);
        if let Some(columns) = &fixed {
            columns.check(&read, context, &table.path).await?;
        }
        Ok(OwnFile { header, read, fixed })
    }
}

/// The two columns of a table with one row per host, as SQL over the columns of the file.
pub(crate) struct FixedColumns {
    pub(crate) host: String,
    /// An aggregate over the rows of a host.
    pub(crate) value: String,
    pub(crate) value_name: String,
    value_type: DataType,
    /// The names of the columns in the file.
    read_host: String,
    read_value: String,
}

impl FixedColumns {
    fn find(dimension: &Dimension, header: OwnHeader, schema: &Schema, path: &Path) -> Result<Self, Failure> {
        let to = dimension.schema();
        let value = to.field(1).name();
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let (host, values) = match header {
            OwnHeader::Missing { host } if names.len() == 2 => (names.get(host), names.get(1 - host)),
            OwnHeader::Missing { .. } => (None, None),
            OwnHeader::There => (
                names.iter().find(|name| HOSTS.contains(&name.to_ascii_lowercase().as_str())),
                names.iter().find(|name| name.eq_ignore_ascii_case(value)),
            ),
        };
        let (Some(read_host), Some(read_value)) = (host, values) else {
            let columns = names.join(", ");
            let cause = format!("its columns are {columns}, and it needs a host (or domain, or origin) and a {value}");
            return Err(Failure::new("table cannot be read", path, cause));
        };
        let host = format!("lower(trim({}))", identifier(read_host));
        // A host with several ranks gets the least; with several weights or categories, the greatest.
        let best = if value == "rank" { "min" } else { "max" };
        let typed = format!("CAST({} AS {})", identifier(read_value), sql_type(to.field(1).data_type()));
        let typed = if to.field(1).data_type() == &DataType::Utf8 { format!("trim({typed})") } else { typed };
        Ok(FixedColumns {
            // An origin is a scheme and a host.
            host: format!(
                "CASE WHEN strpos({host}, '://') > 0 THEN split_part(split_part({host}, '://', 2), '/', 1) ELSE {host} END"
            ),
            value: format!("{best}({typed})"),
            value_name: value.clone(),
            value_type: to.field(1).data_type().clone(),
            read_host: (*read_host).to_owned(),
            read_value: (*read_value).to_owned(),
        })
    }

    /// The columns of a CSV file, with texts as they stand in the file: the category 007 is not the number 7.
    fn texts(&self, schema: &Schema) -> SchemaRef {
        let is_text =
            |name: &str| name == self.read_host || (name == self.read_value && self.value_type == DataType::Utf8);
        let field = |field: &FieldRef| match is_text(field.name()) {
            true => Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8)),
            false => Arc::clone(field),
        };
        Arc::new(Schema::new(schema.fields().iter().map(field).collect::<Vec<_>>()))
    }

    /// Fails for a missing rank or weight, for a rank that is not a whole number from 1, and for a weight that is not 0
    /// or between 1e-100 and 1e100. Engines treat such values differently, and a question would count with them. Sums
    /// and quotients of weights beyond these bounds could be infinite or 0.
    async fn check(&self, read: &Arc<dyn TableProvider>, context: &SessionContext, path: &Path) -> Result<(), Failure> {
        let value = identifier(&self.read_value);
        let (real, whole) = (format!("try_cast({value} AS double)"), format!("try_cast({value} AS bigint)"));
        let (is_valid, expected) = match self.value_type {
            DataType::Int64 => (format!("{whole} >= 1 AND {whole} = {real}"), "a whole number from 1"),
            DataType::Float64 => {
                (format!("{real} = 0 OR {real} BETWEEN 1e-100 AND 1e100"), "0 or a number from 1e-100 to 1e100")
            }
            _ => return Ok(()),
        };
        let wrong = async {
            let frame = context.read_table(Arc::clone(read))?;
            let is_wrong = frame.parse_sql_expr(&format!("NOT coalesce({is_valid}, false)"))?;
            let text = |name: &str| cast(ident(name), DataType::Utf8);
            let shown = vec![text(&self.read_value).alias("value"), text(&self.read_host).alias("host")];
            frame.filter(is_wrong)?.select(shown)?.limit(0, Some(1))?.collect().await
        };
        let wrong = wrong.await.map_err(|error| engine_failure("table cannot be read", path, &error))?;
        let Some(row) = wrong.iter().find(|rows| rows.num_rows() > 0) else { return Ok(()) };
        let shown = |name: &str| row[name].as_string::<i32>().iter().flatten().next();
        let (name, host) = (&self.value_name, shown("host").unwrap_or_default());
        let wrong = match shown("value") {
            Some(value) => format!("{name} is not {expected}: {value}"),
            None => format!("{name} is missing"),
        };
        Err(Failure::new("table cannot be read", path, format_args!("{wrong}, for the host {host}")))
    }

    /// The table with these columns.
    fn table(
        &self,
        read: Arc<dyn TableProvider>,
        context: &SessionContext,
    ) -> Result<Arc<dyn TableProvider>, DataFusionError> {
        let frame = context.read_table(read)?;
        let host = frame.parse_sql_expr(&self.host)?.alias("host");
        let value = frame.parse_sql_expr(&self.value)?.alias(&self.value_name);
        let typed = cast(ident(&self.value_name), self.value_type.clone()).alias(&self.value_name);
        let plan =
            frame.aggregate(vec![host], vec![value])?.select(vec![ident("host"), typed])?.into_unoptimized_plan();
        Ok(Arc::new(ViewTable::new(plan, None)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_tells_which_column_has_the_hosts() {
        let check = |line: &str, host: Option<usize>| {
            let cells: Vec<String> = line.split(',').map(str::to_owned).collect();
            let expected = host.map_or(OwnHeader::There, |host| OwnHeader::Missing { host });
            assert_eq!(OwnHeader::of_first_line(&cells), expected, "{line}");
        };
        for header in ["host,category", "rank,domain", "host"] {
            check(header, None);
        }
        for host_first in
            ["example.com,news", "example.com,1", "example.com,0.5", "10.0.0.1,news", "a.com,b.com", "localhost,1"]
        {
            check(host_first, Some(0));
        }
        for host_second in ["news,example.com", "1,example.com", "0.5,example.com", "news,10.0.0.1", "1,localhost"] {
            check(host_second, Some(1));
        }
    }

    #[test]
    fn texts_list_the_endings() {
        for path in ["docs/asking.md", "src/arguments/report.rs", "src/arguments/session.rs"] {
            let text = std::fs::read_to_string(committed::path(path)).unwrap();
            assert!(text.contains(&own_endings()), "{path}: {}", own_endings());
        }
    }
}
