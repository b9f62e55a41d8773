//! Tables of the user: a name and a file.
//!
//! Questions read three of them, with fixed columns: `ranks`, `weights` and `categories`, each with one value per host.
//! Such lists come in many forms. So their columns are found by name or, in a file without a header, by their values.

use super::FolderSchema;
use super::dimension::{Dimension, USER_TABLES, sql_type, user_tables};
use crate::engine::failure::engine_failure;
use crate::engine::options::OwnTable;
use crate::quoted::identifier;
use datafusion::arrow::datatypes::DataType;
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
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
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

/// How many rows are read to find the types of columns.
const ROWS_LOOKED_AT: usize = 100_000;

/// How many bytes of a file are read to find its header.
const MOST_HEADER: u64 = 1 << 16;

/// The names that the column of hosts may have.
const HOSTS: [&str; 8] = ["host", "domain", "origin", "site", "hostname", "url_host_name", "host_name", "url"];

/// Adds the tables to the session. Fails if a file cannot be read or a name is taken.
pub(crate) async fn register(schema: &FolderSchema, context: &SessionContext, own: &[OwnTable]) -> Result<(), Failure> {
    for table in own {
        let cannot = |error: DataFusionError| engine_failure("table cannot be read", &table.path, &error);
        if !user_tables().contains(&table.name.as_str()) && schema.is_taken(&table.name) {
            let cause = format_args!("there is a table {} already; give it another name", table.name);
            return Err(Failure::new("table cannot be added", &table.path, cause));
        }
        let file = OwnFile::open(table, context).await?;
        let provider = match file.fixed_columns()? {
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
    Missing,
}

impl OwnHeader {
    /// Reads the first line. A list of ranks has no header (`1,google.com`). A header has neither a number nor a dot.
    fn detect(path: &Path) -> Result<Self, Failure> {
        let cannot = Failure::at::<std::io::Error>("table cannot be read", path);
        let mut first = Vec::new();
        if OwnFormat::from_ending(path)? != OwnFormat::Parquet {
            let opened = File::open(path).map(|file| std::io::Read::take(file, MOST_HEADER));
            opened.and_then(|file| BufReader::new(file).read_until(b'\n', &mut first)).map_err(cannot)?;
        }
        let first = String::from_utf8_lossy(&first);
        let is_value = |cell: &str| cell.trim().parse::<f64>().is_ok() || cell.contains('.');
        Ok(if first.split([',', '\t']).any(is_value) && !first.starts_with('{') {
            OwnHeader::Missing
        } else {
            OwnHeader::There
        })
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
    pub(crate) fn from_ending(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let known = OWN_ENDINGS.iter().find(|(known, _)| ending.as_deref() == Some(known));
        known.map(|(_, format)| *format).ok_or_else(|| {
            Failure::new("table cannot be read", path, format_args!("its name must end in {}", own_endings()))
        })
    }
}

/// Opens a file as a table. The types of its columns are inferred from its first rows.
async fn open(path: &Path, header: OwnHeader, context: &SessionContext) -> Result<Arc<dyn TableProvider>, Failure> {
    let cannot = |error: DataFusionError| engine_failure("table cannot be read", path, &error);
    let whole = fs::canonicalize(path).map_err(Failure::at("table cannot be read", path))?;
    let kind = fs::metadata(&whole).map_err(Failure::at("table cannot be read", path))?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        return Err(Failure::new("table cannot be read", path, regular::not_a_file(kind)));
    }
    let url = if kind.is_dir() { Url::from_directory_path(&whole) } else { Url::from_file_path(&whole) };
    let url = url.map_err(|()| Failure::new("table cannot be read", path, "its path cannot be written as a URL"))?;
    if header == OwnHeader::There && kind.is_file() {
        check_header(path)?;
    }
    let csv = |delimiter| {
        let format = CsvFormat::default().with_has_header(header == OwnHeader::There).with_delimiter(delimiter);
        Arc::new(format.with_schema_infer_max_rec(ROWS_LOOKED_AT)) as Arc<dyn FileFormat>
    };
    let format = match OwnFormat::from_ending(path)? {
        OwnFormat::Csv => csv(b','),
        OwnFormat::Tsv => csv(b'\t'),
        OwnFormat::Json => Arc::new(JsonFormat::default().with_schema_infer_max_rec(ROWS_LOOKED_AT)),
        OwnFormat::Parquet => Arc::new(ParquetFormat::default()),
    };
    let options = ListingOptions::new(format).with_file_extension("");
    let config =
        ListingTableConfig::new(ListingTableUrl::try_new(url, None).map_err(cannot)?).with_listing_options(options);
    let config = config.infer_schema(&context.state()).await.map_err(cannot)?;
    if config.file_schema.as_ref().is_none_or(|schema| schema.fields().is_empty()) {
        return Err(Failure::new("table cannot be read", path, "it is empty or has no columns"));
    }
    Ok(Arc::new(ListingTable::try_new(config).map_err(cannot)?))
}

/// Fails for a header that has a name twice. DataFusion would fail without the name of the file and the cause.
fn check_header(path: &Path) -> Result<(), Failure> {
    let cannot = Failure::at::<csv::Error>("table cannot be read", path);
    let delimiter = match OwnFormat::from_ending(path)? {
        OwnFormat::Csv => b',',
        OwnFormat::Tsv => b'\t',
        OwnFormat::Json | OwnFormat::Parquet => return Ok(()),
    };
    let file = File::open(path).map_err(Failure::at("table cannot be read", path))?;
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(std::io::Read::take(file, MOST_HEADER));
    let mut names = BTreeSet::new();
    match reader.byte_headers().map_err(cannot)?.iter().find(|name| !names.insert(*name)) {
        None => Ok(()),
        Some(name) => {
            let cause = format!("two columns have the name '{}'", String::from_utf8_lossy(name));
            Err(Failure::new("table cannot be read", path, cause))
        }
    }
}

/// An open file of the user.
pub(crate) struct OwnFile<'o> {
    table: &'o OwnTable,
    /// Which of the three tables with fixed columns it is; `None` for any other table.
    dimension: Option<&'static Dimension>,
    pub(crate) header: OwnHeader,
    pub(crate) read: Arc<dyn TableProvider>,
}

impl<'o> OwnFile<'o> {
    pub(crate) async fn open(table: &'o OwnTable, context: &SessionContext) -> Result<Self, Failure> {
        let dimension = USER_TABLES.iter().find(|dimension| dimension.name == table.name);
        let header = match dimension {
            Some(_) => OwnHeader::detect(&table.path)?,
            None => OwnHeader::There,
        };
        let read = open(&table.path, header, context).await?;
        Ok(OwnFile { table, dimension, header, read })
    }

    /// The fixed columns of its table, as SQL over the columns of the file; `None` if it has no fixed columns.
    pub(crate) fn fixed_columns(&self) -> Result<Option<FixedColumns>, Failure> {
        let Some(dimension) = self.dimension else { return Ok(None) };
        let (schema, to) = (self.read.schema(), dimension.schema());
        let value = to.field(1).name();
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let is_number = |place: usize| schema.fields().get(place).is_some_and(|field| field.data_type().is_numeric());
        let (host, values) = match self.header {
            OwnHeader::Missing if names.len() == 2 && is_number(0) => (names.get(1), names.first()),
            OwnHeader::Missing if names.len() == 2 => (names.first(), names.get(1)),
            OwnHeader::Missing => (None, None),
            OwnHeader::There => (
                names.iter().find(|name| HOSTS.contains(&name.to_ascii_lowercase().as_str())),
                names.iter().find(|name| name.eq_ignore_ascii_case(value)),
            ),
        };
        let (Some(host), Some(values)) = (host, values) else {
            let columns = names.join(", ");
            let cause = format!("its columns are {columns}, and it needs a host (or domain, or origin) and a {value}");
            return Err(Failure::new("table cannot be read", &self.table.path, cause));
        };
        let host = format!("lower({})", identifier(host));
        // A host with several ranks gets the least; with several weights or categories, the greatest.
        let best = if value == "rank" { "min" } else { "max" };
        Ok(Some(FixedColumns {
            // An origin is a scheme and a host.
            host: format!(
                "CASE WHEN strpos({host}, '://') > 0 THEN split_part(split_part({host}, '://', 2), '/', 1) ELSE {host} END"
            ),
            value: format!("{best}(CAST({} AS {}))", identifier(values), sql_type(to.field(1).data_type())),
            value_name: value.clone(),
            value_type: to.field(1).data_type().clone(),
        }))
    }
}

/// The two columns of a table with one row per host, as SQL.
pub(crate) struct FixedColumns {
    pub(crate) host: String,
    /// An aggregate over the rows of a host.
    pub(crate) value: String,
    pub(crate) value_name: String,
    value_type: DataType,
}

impl FixedColumns {
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
    fn texts_list_the_endings() {
        for path in ["docs/asking.md", "src/arguments/report.rs", "src/arguments/session.rs"] {
            let text = std::fs::read_to_string(committed::path(path)).unwrap();
            assert!(text.contains(&own_endings()), "{path}: {}", own_endings());
        }
    }
}
