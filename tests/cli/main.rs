//! End-to-end tests of the command line. They run the real binary in a fresh folder and check its output and exit code,
//! and what other programs read in its files.

mod agents;
#[cfg(target_os = "linux")]
mod archives;
mod bit_rot;
mod browser;
#[cfg(target_os = "linux")]
mod bucket_servers;
mod captions;
mod catalog;
mod check;
mod check_archives;
mod check_counts;
mod check_damages;
#[cfg(target_os = "linux")]
mod clock;
mod command;
#[cfg(target_os = "linux")]
mod crash;
#[cfg(target_os = "linux")]
mod crash_answers;
mod crawl_order;
mod deep_statements;
mod demo;
#[cfg(target_os = "linux")]
mod disk;
#[cfg(target_os = "linux")]
mod documented;
mod expected;
mod explain;
#[cfg(target_os = "linux")]
mod foreign;
mod full;
mod functions;
mod given;
mod help;
#[cfg(target_os = "linux")]
mod hold;
mod ingest;
mod ingest_failures;
#[cfg(target_os = "linux")]
mod interrupt;
#[cfg(target_os = "linux")]
mod interrupted_statements;
mod judge;
mod lint;
#[cfg(target_os = "linux")]
mod memory;
mod models;
mod mutated_statements;
mod mutations;
mod ndjson;
mod notebooks;
mod one_verdict;
mod planted;
#[cfg(target_os = "linux")]
mod power_cut;
mod printed_sql;
#[cfg(target_os = "linux")]
mod prompt;
mod proportion;
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
#[cfg(target_os = "linux")]
mod schedulers;
#[cfg(target_os = "linux")]
#[path = "../../ingest/stores/tests/loopback/server.rs"]
mod server;
#[cfg(target_os = "linux")]
mod shards;
#[cfg(target_os = "linux")]
mod shards_killed;
mod signals;
mod small_crawls;
mod small_groups;
mod small_records;
mod sql;
mod sql_formats;
mod sql_memory;
mod sql_own_tables;
#[cfg(target_os = "linux")]
mod store_shards;
#[cfg(target_os = "linux")]
mod store_tables;
#[cfg(target_os = "linux")]
mod stores;
#[cfg(target_os = "linux")]
mod strace;
mod strata;
mod subqueries;
mod tables;
#[cfg(target_os = "linux")]
mod vanished;
mod verdicts;
#[cfg(target_os = "linux")]
mod whole;
