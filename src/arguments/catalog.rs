//! The arguments of `catalog`.

use super::agent_list::AgentListArguments;
use super::out::OutArguments;
use super::requests::RequestArguments;
use super::tables::TablesArguments;
use crate::catalog::CatalogCommand;
use analyze::SessionOptions;
use analyze::portable::catalog::{AboutDataset, CatalogTarget};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use folder::Failure;
use std::path::Path;
use stores::secret_in;
use url::{Position, Url};

/// The arguments of `catalog`, as typed.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct CatalogArguments {
    #[command(flatten)]
    pub(crate) tables: TablesArguments,
    /// What to print: a script for an engine, or a description of the dataset.
    #[arg(long = "for", value_enum, value_name = "WHAT")]
    target: TargetName,
    /// Where readers find the folder, as a URL or an absolute path. By default the path of the folder; in a
    /// description, paths are then relative to the folder.
    #[arg(long, value_name = "URL", value_parser = location)]
    location: Option<String>,
    /// The database (spark, athena), schema (trino) or lake (ducklake) to create. [default: robocensus]
    #[arg(long, value_name = "NAME", value_parser = database)]
    database: Option<String>,
    #[command(flatten)]
    pub(super) list: AgentListArguments,
    #[command(flatten)]
    pub(crate) out: OutArguments,
    #[command(flatten)]
    pub(crate) requests: RequestArguments,
    #[command(flatten)]
    about: AboutArguments,
}

/// Properties that only the publisher of a dataset knows.
#[derive(Debug, Args)]
#[command(next_help_heading = "Description of the dataset, with --for croissant")]
struct AboutArguments {
    /// The name of the dataset. [default: robocensus]
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    name: Option<String>,
    /// The URL of the licence.
    #[arg(long, value_name = "URL", value_parser = page)]
    license: Option<String>,
    /// The URL of the page about the dataset.
    #[arg(long, value_name = "URL", value_parser = page)]
    url: Option<String>,
    /// A person who made the dataset. May be given several times.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    person: Vec<String>,
    /// An organisation that made the dataset. May be given several times.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    organization: Vec<String>,
    /// The day of publication, such as 2026-11-23.
    #[arg(long, value_name = "DATE", value_parser = date)]
    published: Option<String>,
    /// How to cite the dataset, preferably as BibTeX.
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    cite_as: Option<String>,
}

/// The engine or format that a catalog is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lower")]
enum TargetName {
    /// DuckDB 1.1 or newer: views for a session, as in the folder's own views.duckdb.sql.
    DuckDb,
    /// DuckLake: a lake that refers to the files in the folder.
    DuckLake,
    /// Spark 4: tables in its metastore, and views.
    Spark,
    /// Athena: tables in AWS Glue with partition projection for crawls, and views.
    Athena,
    /// Trino, with the Hive connector: tables in its metastore, and views.
    Trino,
    /// Croissant 1.1: a description of the dataset in JSON-LD, with the digest of each file.
    Croissant,
}

const EXAMPLES: &str = "\
Examples:
  robocensus catalog tables --for duckdb --location s3://bucket/tables > tables.duckdb.sql
  robocensus catalog tables --for spark --database census --out tables.spark.sql
  robocensus catalog tables --for athena --location s3://bucket/tables
  robocensus catalog tables --for croissant --license https://spdx.org/licenses/MIT

No data is copied: tables of the other engine refer to the files in the folder. Each column has its \
description as a comment. The script also defines the built-in lists and the views that questions \
share, such as site_access.

You can run a script again: it keeps existing tables and finds new crawls. The script for DuckLake \
fails instead and changes nothing.

Exit code:
  0  the catalog was printed
  2  it was not printed: an invalid argument, no folder of tables, a location
     that the engine cannot read";

fn database(typed: &str) -> Result<String, &'static str> {
    if analyze::is_plain_name(typed) {
        Ok(typed.to_owned())
    } else {
        Err("a database name starts with a letter and has only lower-case letters, digits and underscores")
    }
}

fn location(typed: &str) -> Result<String, &'static str> {
    if typed.starts_with('/') {
        return Ok(typed.to_owned());
    }
    // A script has what was typed. So the parser must not have changed it up to the path, such as `host\@other`.
    let is_as_typed = |url: &Url| {
        let is_head = typed.to_lowercase().starts_with(&url[..Position::BeforePath].to_lowercase());
        url.has_authority() && is_head && !typed.contains('\\')
    };
    let url = Url::parse(typed)
        .ok()
        .filter(is_as_typed)
        .ok_or("a location is a URL, such as s3://bucket/tables, or an absolute path")?;
    if secret_in(&url).is_some() {
        return Err(
            "a location has no user name, password, query or fragment: everybody who gets the script could read it",
        );
    }
    Ok(typed.to_owned())
}

/// The URL of a page.
fn page(typed: &str) -> Result<String, &'static str> {
    let rest = typed.strip_prefix("https://").or_else(|| typed.strip_prefix("http://"));
    match rest {
        Some(rest) if !rest.is_empty() && !typed.contains(char::is_whitespace) => Ok(typed.to_owned()),
        _ => Err("it is not the URL of a page, such as https://spdx.org/licenses/MIT"),
    }
}

/// A date of ISO 8601.
fn date(typed: &str) -> Result<String, &'static str> {
    if analyze::is_day(typed) { Ok(typed.to_owned()) } else { Err("a date is YYYY-MM-DD, a day of the calendar") }
}

impl TryFrom<CatalogArguments> for CatalogCommand {
    type Error = Failure;

    /// Fails for an option that has no meaning for the target.
    fn try_from(typed: CatalogArguments) -> Result<Self, Failure> {
        let CatalogArguments { tables, target, location, database, list, about, .. } = typed;
        let agents = list.agents;
        let not_for = |option: &str, cause: &str| Err(Failure::new("option does not fit", Path::new(option), cause));
        let about = AboutDataset {
            name: about.name,
            license: about.license,
            url: about.url,
            persons: about.person,
            organizations: about.organization,
            published: about.published,
            cite_as: about.cite_as,
        };
        if target != TargetName::Croissant && about != AboutDataset::default() {
            return not_for("--name, --license, --url …", "only --for croissant describes the dataset");
        }
        if database.is_some() && matches!(target, TargetName::DuckDb | TargetName::Croissant) {
            return not_for("--database", "--for duckdb and --for croissant create no database");
        }
        if agents.is_some() && target == TargetName::Croissant {
            return not_for("--agents", "a description has only the tables in the folder");
        }
        let database = database.unwrap_or_else(|| "robocensus".to_owned());
        let target = match target {
            TargetName::DuckDb => CatalogTarget::DuckDb,
            TargetName::DuckLake => CatalogTarget::DuckLake(database),
            TargetName::Spark => CatalogTarget::Spark(database),
            TargetName::Athena => CatalogTarget::Athena(database),
            TargetName::Trino => CatalogTarget::Trino(database),
            TargetName::Croissant => CatalogTarget::Croissant(about),
        };
        let session = SessionOptions { agents, ..SessionOptions::default() };
        Ok(CatalogCommand { tables: tables.into(), location, target, session })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_locations_and_dates() {
        for name in ["robocensus", "cc_2024"] {
            assert_eq!(database(name).as_deref(), Ok(name));
        }
        for name in ["", "2024", "Robots", "a-b", "a.b", "a`b"] {
            assert!(database(name).is_err(), "{name}");
        }
        for place in [
            "s3://bucket/a b",
            "/data/tables",
            "file:///data",
            "hdfs://host:9000/a@b",
            "abfss://c@account/t",
            "ABFSS://c@account/t",
        ] {
            assert_eq!(location(place).as_deref(), Ok(place));
        }
        for place in [
            "",
            "tables",
            "./tables",
            "s3:bucket",
            "s3://user:word@bucket/t",
            "s3://user@bucket/t",
            "abfss://c:word@account/t",
            "https:///user:word@host/t",
            "x:y://user:word@bucket/t",
            "s3://@bucket/t",
            "abfs://c:@account/t",
            "https://host\\@other/t",
            "https://host/t?signature=x",
        ] {
            assert!(location(place).is_err(), "{place}");
        }
        assert_eq!(date("2026-11-23").as_deref(), Ok("2026-11-23"));
        assert!(date("2026-02-29").is_err());
        for url in ["https://spdx.org/licenses/MIT", "http://a.example"] {
            assert_eq!(page(url).as_deref(), Ok(url));
        }
        for url in ["", "MIT", "https://", "https://a.example/a b", "ftp://a.example"] {
            assert!(page(url).is_err(), "{url}");
        }
    }
}
