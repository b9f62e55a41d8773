//! End-to-end tests of the command line. They run the real binary in a fresh folder and check its output and exit code,
//! and what other programs read in its files.
//!
//! They need Linux: for its signals, its system calls, and the folder `/proc`.

#![cfg(target_os = "linux")]
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod agents;
mod archives;
mod bit_rot;
mod browser;
mod bucket_servers;
mod captions;
mod catalog;
mod check;
mod check_archives;
mod check_counts;
mod check_damages;
mod check_derived;
mod clock;
mod command;
mod crash;
mod crash_answers;
mod crawl_order;
mod crawls;
mod deep_statements;
mod demo;
mod disk;
mod documented;
mod expected;
mod explain;
mod foreign;
mod functions;
mod given;
mod help;
mod hold;
mod ingest;
mod ingest_failures;
mod interrupt;
mod interrupted_statements;
mod judge;
mod lint;
mod memory;
mod models;
mod mutated_statements;
mod mutations;
mod ndjson;
mod notebooks;
mod one_verdict;
mod planted;
mod power_cut;
mod printed_sql;
mod prompt;
mod proportion;
mod python;
mod query;
mod query_messages;
mod question_headers;
mod question_statements;
mod questions;
mod random;
mod readers;
mod readme;
mod rendering;
mod report;
mod report_escaping;
mod run;
mod sample;
mod schedulers;
#[path = "../../ingest/stores/tests/loopback/server.rs"]
mod server;
mod shards;
mod shards_killed;
mod signals;
mod small_crawls;
mod small_groups;
mod small_records;
mod sql;
mod sql_engine;
mod sql_formats;
mod sql_memory;
mod sql_own_tables;
mod store_shards;
mod store_tables;
mod stores;
mod strace;
mod strata;
mod subqueries;
mod tables;
mod vanished;
mod verdicts;
mod whole;
