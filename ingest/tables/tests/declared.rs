//! Everything that is derived from the declarations agrees with them, and the declarations follow the project's rules.
#![allow(clippy::unwrap_used, reason = "a test")]

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, TimestampMillisecondType};
use arrow_schema::{DataType, TimeUnit};
use bytes::Bytes;
use parquet::file::metadata::ParquetMetaDataReader;
use std::collections::HashSet;
use tables::{BatchFile, PARTITION, Rows, Table, all, bodies, captures, dictionary, policies, sites, skips, tables};

#[test]
fn the_dictionary_is_that_of_the_declarations() {
    const BLESS: &str = "ROBOCENSUS_BLESS=1 cargo test -p tables --test declared";
    committed::check("datasets/DICTIONARY.md", &dictionary(), BLESS);
}

#[test]
fn every_column_has_a_common_type_and_a_description() {
    let mut names = HashSet::new();
    for table in all() {
        assert!(names.insert(table.name), "two tables are called {}", table.name);
        let mut columns = HashSet::from([PARTITION.name]);
        for column in &table.columns {
            let place = format!("{}.{}", table.name, column.name);
            assert!(columns.insert(column.name), "{place} is declared twice");
            let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
            assert!(column.name.bytes().all(is_plain), "{place}");
            assert!(column.description.len() > 5 && column.description.ends_with('.'), "{place}");
            let is_word = |word: &&str| !word.is_empty() && !word.contains([',', '|']);
            assert!(
                column.words.is_empty() || column.data_type == DataType::Utf8 && column.words.iter().all(is_word),
                "{place}"
            );
            assert!(!column.description.contains('|'), "{place}: it would end a cell of a Markdown table");
            let is_time = column.data_type == DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
            let is_common = matches!(
                column.data_type,
                DataType::Utf8 | DataType::Boolean | DataType::Int32 | DataType::Int64 | DataType::Float64
            );
            assert!(is_time || is_common, "{place} is {}", column.data_type);
        }
    }
}

/// Descriptions are literals, so the number cannot come from the constant.
#[test]
fn a_description_states_how_many_bodies_are_remembered() {
    let (thousands, rest) = (bodies::MOST_REMEMBERED_BODIES / 1_000, bodies::MOST_REMEMBERED_BODIES % 1_000);
    assert!(dictionary().contains(&format!("{thousands},{rest:03} distinct bodies or more")));
}

/// Readers without Arrow see only these.
#[test]
fn files_carry_the_descriptions() {
    for table in tables() {
        let mut file = BatchFile::new(table.clone(), Vec::new()).unwrap();
        assert_eq!(file.finish().unwrap(), 0);
        let footer = ParquetMetaDataReader::new().parse_and_finish(&Bytes::copy_from_slice(file.sink())).unwrap();
        let found = footer.file_metadata().key_value_metadata().unwrap();
        let found: Vec<_> = found.iter().map(|pair| (pair.key.as_str(), pair.value.as_deref().unwrap())).collect();
        assert_eq!(found[0], ("description", table.grain));
        assert_eq!(found.len(), 1 + table.columns.len());
        for (column, (key, text)) in table.columns.iter().zip(&found[1..]) {
            assert_eq!((*key, *text), (format!("description.{}", column.name).as_str(), column.meaning().as_str()));
        }
    }
}

#[test]
fn rows_become_batches() {
    let mut batch = policies::Batch::default();
    let row = policies::Row {
        body_id: 7 << 32,
        token: "gptbot",
        is_written: true,
        merged_groups: 1,
        allow_rules: 0,
        disallow_rules: 1,
        crawl_delay_s: None,
        root_allowed: false,
        access: "none",
        has_disallow_root: true,
        is_only_disallow_root: true,
        is_only_allow_all: false,
        rules_beyond_500_kib: 0,
        root_allowed_within_500_kib: false,
        access_within_500_kib: "none",
        deciding_line: Some(2),
        gain: Some("paths"),
        gained_paths: Some(3),
    };
    batch.push(row);
    batch.push(policies::Row { token: "*", crawl_delay_s: Some(0.5), deciding_line: None, ..row });
    assert_eq!(batch.rows(), 2);
    assert!(batch.bytes() > 50 && batch.bytes() < 200, "{}", batch.bytes());
    let ended = batch.finish().unwrap();
    assert_eq!((ended.num_rows(), batch.rows(), batch.bytes()), (2, 0, 0));
    assert_eq!(ended.schema(), policies::table().schema());
    assert_eq!(ended["token"].as_string::<i32>().iter().collect::<Vec<_>>(), [Some("gptbot"), Some("*")]);
    assert_eq!(ended["body_id"].as_primitive::<Int64Type>().value(1), 7 << 32);
    assert_eq!((ended["deciding_line"].null_count(), ended["crawl_delay_s"].null_count()), (1, 1));
    assert_eq!(batch.finish().unwrap().num_rows(), 0);
}

#[test]
fn a_column_has_only_the_words_of_its_declaration() {
    let words = |table: Table, name: &str| table.columns.into_iter().find(|column| column.name == name).unwrap().words;
    assert_eq!(words(sites::table(), "outcome"), robots::SiteOutcome::WORDS);
    assert_eq!(words(policies::table(), "access"), robots::AccessClass::WORDS);
    assert!(dictionary().contains("One of: all, part, none."));
    let write = |kind| {
        let mut rows = skips::Batch::default();
        rows.push(skips::Row { warc_filename: "a", kind, reason: "request", occurrences: 1, first_offset: 0 });
        let mut file = BatchFile::new(skips::table(), Vec::new()).unwrap();
        file.write(&rows.finish().unwrap()).and_then(|()| file.finish()).map_err(|failure| failure.to_string())
    };
    assert_eq!(write("skipped"), Ok(1));
    assert!(write("passed over").unwrap_err().contains("word is not declared: skips.kind: passed over"));
}

#[test]
fn times_are_in_utc() {
    let mut batch = captures::Batch::default();
    let ended = batch.finish().unwrap();
    let times = ended["fetch_time"].as_primitive::<TimestampMillisecondType>();
    assert_eq!(times.timezone(), Some("UTC"));
}
