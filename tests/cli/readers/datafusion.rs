//! DataFusion, with each table as a listing of files whose folders name the crawl.

use super::{bare, compare, out, sample};
use crate::rendering;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use arrow_schema::{Field, Fields};
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::ListingOptions;
use datafusion::error::Result;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use tables::{PARTITION, tables};

#[test]
fn datafusion_reads_the_tables() {
    for (folder, expected) in [sample("datafusion_sample"), bare("datafusion_bare")] {
        wait(async {
            let context = context(&out(&folder), AsTheyAre::Yes).await?;
            for table in tables() {
                let frame = context.table(table.name).await?;
                // Compares name, type and nullability.
                let declared = table.schema();
                let partition = Field::new(PARTITION.name, PARTITION.data_type, PARTITION.is_nullable);
                let declared: Fields = declared.fields().iter().cloned().chain([Arc::new(partition)]).collect();
                assert_eq!(frame.schema().fields(), &declared, "{}", table.name);
                let mut lines = vec![rendering::header(frame.schema().as_arrow())];
                lines.extend(frame.collect().await?.iter().flat_map(rendering::lines));
                compare("DataFusion", table.name, lines, &expected[table.name]);
            }
            Ok(())
        });
    }
}

/// The default settings read texts as `Utf8View`.
#[test]
fn datafusion_reads_the_tables_with_default_settings() {
    let (folder, expected) = sample("datafusion_defaults");
    wait(async {
        let context = context(&out(&folder), AsTheyAre::No).await?;
        for table in tables() {
            let columns = table.columns.iter().chain([&PARTITION]);
            let casts: Vec<String> = columns
                .map(|column| format!("arrow_cast(\"{0}\", '{1}') AS \"{0}\"", column.name, column.data_type))
                .collect();
            let query = format!("SELECT {} FROM {}", casts.join(", "), table.name);
            let frame = context.sql(&query).await?;
            let mut lines = vec![rendering::header(frame.schema().as_arrow())];
            lines.extend(frame.collect().await?.iter().flat_map(rendering::lines));
            compare("DataFusion", table.name, lines, &expected[table.name]);
        }
        Ok(())
    });
}

/// Skipping row groups and files by path, ranges and filters loses no row.
#[test]
fn datafusion_finds_each_row_with_statistics_and_filters() {
    let (folder, _) = sample("datafusion_filters");
    wait(async {
        let context = context(&out(&folder), AsTheyAre::Yes).await?;
        let mut sought = 0;
        for table in tables() {
            let indexed = table.columns.iter().filter(|column| column.index.is_some()).map(|column| column.name);
            for column in indexed.chain([PARTITION.name]) {
                let query = format!("SELECT arrow_cast({column}, 'Utf8'), count(*) FROM {} GROUP BY 1", table.name);
                let batches = context.sql(&query).await?.collect().await?;
                let mut counted = BTreeSet::new();
                for batch in &batches {
                    let (values, counts) = (batch.column(0).as_string::<i32>(), batch.column(1));
                    let counts = counts.as_primitive::<Int64Type>().values().iter();
                    let known =
                        values.iter().zip(counts).filter_map(|(value, count)| Some((value?.to_owned(), *count)));
                    counted.extend(known);
                }
                // Only the first, the last and some values between, because each takes a query.
                for (value, count) in counted.iter().step_by(counted.len().div_ceil(12).max(1)).chain(counted.last()) {
                    let query = format!("SELECT count(*) FROM {} WHERE {column} = '{value}'", table.name);
                    let found = context.sql(&query).await?.collect().await?;
                    assert_eq!(found[0].column(0).as_primitive::<Int64Type>().values(), &[*count], "{query}");
                    sought += 1;
                }
            }
        }
        assert!(sought > 50, "{sought}");
        Ok(())
    });
}

/// Whether DataFusion reads texts with the declared type and keeps descriptions, which are settings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AsTheyAre {
    Yes,
    No,
}

/// All tables of a folder, each with the schema of its files.
async fn context(out: &Path, as_they_are: AsTheyAre) -> Result<SessionContext> {
    let config = SessionConfig::new();
    let config = match as_they_are {
        AsTheyAre::No => config,
        AsTheyAre::Yes => config
            .set_bool("datafusion.execution.parquet.schema_force_view_types", false)
            .set_bool("datafusion.execution.parquet.skip_metadata", false),
    };
    let context = SessionContext::new_with_config(config);
    let partition = vec![(PARTITION.name.to_owned(), PARTITION.data_type)];
    for table in tables() {
        let path = format!("{}/", out.join(table.name).display());
        match as_they_are {
            AsTheyAre::No => {
                let options = ParquetReadOptions::new().table_partition_cols(partition.clone());
                context.register_parquet(table.name, path, options).await?;
            }
            AsTheyAre::Yes => {
                let format = ParquetFormat::new().with_options(context.state().table_options().parquet.clone());
                let options = ListingOptions::new(Arc::new(format))
                    .with_file_extension(".parquet")
                    .with_table_partition_cols(partition.clone());
                context.register_listing_table(table.name, path, options, None, None).await?;
            }
        }
    }
    Ok(context)
}

fn wait(work: impl Future<Output = Result<()>>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime starts");
    runtime.block_on(work).unwrap_or_else(|error| panic!("{error}"));
}
