//! The script for Athena: tables of AWS Glue over a folder in S3. It uses partition projection: Athena computes the
//! partitions from the list of crawls, and does not ask Glue for them.

use super::cataloged::CatalogTable;
use super::columns::{comment, listed};
use super::shared_views::{SharedView, lists_and_views};
use super::spark::type_name;
use crate::engine::options::SessionOptions;
use crate::portable::literal::spark_literal;
use folder::Failure;
use std::fmt::Write as _;
use std::path::Path;
use tables::PARTITION;

pub(super) fn script(
    tables: &[CatalogTable],
    location: &str,
    database: &str,
    options: &SessionOptions,
) -> Result<String, Failure> {
    if !location.starts_with("s3://") {
        let cause = "it is not in S3, and Athena reads nothing else; give --location s3://BUCKET/PREFIX";
        return Err(Failure::new("location is not supported", Path::new(location), cause));
    }
    let mut text = format!(
        "-- The tables of robocensus in Athena, which takes one statement at a time.\n\
         -- The tables refer to the files of the folder. After a new crawl, run the statements again.\n\
         CREATE DATABASE IF NOT EXISTS `{database}`;\n"
    );
    let crawl = PARTITION.name;
    for cataloged in tables {
        let table = format!("`{database}`.`{}`", cataloged.table.name);
        let columns = listed(&cataloged.table.columns, |column| {
            let (name, comment) = (column.name, spark_literal(&comment(column)));
            format!("`{name}` {} COMMENT {comment}", type_name(&column.data_type))
        });
        let grain = spark_literal(cataloged.table.grain);
        let about_crawl = spark_literal(&comment(&PARTITION));
        let files = format!("{location}/{}/", cataloged.table.name);
        let template = spark_literal(&format!("{files}{crawl}=${{{crawl}}}/"));
        let crawls = cataloged.crawls().into_iter().collect::<Vec<_>>().join(",");
        let _ = writeln!(
            text,
            "\nCREATE EXTERNAL TABLE IF NOT EXISTS {table} (\n{columns}\n)\nCOMMENT {grain}\n\
             PARTITIONED BY (`{crawl}` string COMMENT {about_crawl})\nSTORED AS PARQUET\nLOCATION {}\n\
             TBLPROPERTIES (\n  'projection.enabled' = 'true',\n  'projection.{crawl}.type' = 'enum',\n  \
             'projection.{crawl}.values' = '{crawls}',\n  'storage.location.template' = {template}\n);\n\n\
             ALTER TABLE {table} SET TBLPROPERTIES ('projection.{crawl}.values' = '{crawls}');",
            spark_literal(&files)
        );
    }
    let qualified = |name: &str| format!("\"{database}\".\"{name}\"");
    for SharedView { name, grain, select } in lists_and_views(tables, options, Some(&qualified))? {
        let _ = writeln!(text, "\n-- {grain}\nCREATE OR REPLACE VIEW {} AS\n{select};", qualified(&name));
    }
    Ok(text)
}
