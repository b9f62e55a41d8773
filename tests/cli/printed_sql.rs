//! `robocensus query --print-sql` and `--engine`: statements that are printed, for robocensus or for other engines.

use crate::query::OWN;
use crate::questions::sample_tables;
use crate::run::TestFolder;
use crate::sample;
use committed::full::step;
use std::fs;

#[test]
fn print_sql_prints_the_statement_and_does_not_run_it() {
    let folder = TestFolder::new("query_print_sql").with("own.sql", OWN);
    let run = folder.run(&["query", "--print-sql", "own.sql", "--status", "301"]);
    run.exits_with(0).prints_among_others("WHERE\n  fetch_status = 301 AND true\nGROUP BY").complains("");
    let run = folder.run(&["query", "--print-sql", "status_codes", "--crawl", "a' OR 'b"]);
    run.exits_with(0).prints_among_others("crawl = 'a'' OR ''b'");
    // The output has no branch that the defaults exclude, and several lines.
    let run = folder.run(&["query", "--print-sql", "status_codes"]);
    run.exits_with(0).prints_among_others("\n  status_shares\nORDER BY crawl, stratum").complains("");
    assert!(!run.stdout.contains("ranks") && !run.stdout.contains("UNION") && !run.stdout.contains("false"), "{run}");
}

#[test]
fn a_printed_statement_goes_to_the_file_that_is_named() {
    let folder = TestFolder::new("query_statement_out");
    for options in [&["--print-sql", "status_codes"][..], &["status_codes", "--engine", "duckdb"], &[]] {
        let asked = [&["query", "--tables", sample_tables()], options].concat();
        let printed = folder.run(&asked).exits_with(0).stdout.clone();
        folder.run(&[&asked[..], &["--out", "statement.sql"]].concat()).exits_with(0).prints("");
        assert_eq!(folder.read("statement.sql"), printed);
    }
}

#[test]
fn a_statement_for_another_engine_defines_what_it_reads() {
    let folder = TestFolder::new("query_engine");
    let ask = |more: &[&str]| folder.run(&[&["query", "--tables", sample_tables()], more].concat());
    let run = ask(&["ai_overview", "--engine", "duckdb"]);
    run.exits_with(0)
        .complains("")
        .prints_among_others(
            "SET integer_division = true;\nSET default_null_order = 'nulls_last_on_asc_first_on_desc';",
        )
        .prints_among_others("CREATE OR REPLACE TEMP VIEW sites AS SELECT site_id, ")
        .prints_among_others(", crawl FROM read_parquet('/");
    run.prints_among_others("CREATE OR REPLACE TEMP VIEW agents AS SELECT CAST(token AS varchar) AS token");
    assert!(!run.stdout.contains("ranks"), "{run}");
    ask(&["dialect_disagreement", "--engine", "duckdb"]).exits_with(2).prints("").complains(
        "statement needs a function: robots_outcome_access: only robocensus has this function; ask without --engine\n",
    );
    ask(&["ai_overview", "--engine", "sqlite"]).exits_with(2).complains_among_others("duckdb, datafusion, spark");
}

#[test]
fn a_folder_without_files_is_no_table() {
    let folder = sample::ingested("query_engine_empty")
        .with("sites.sql", "-- title: Sites\n-- grain: one row\n-- reads: sites\nSELECT count(*) AS sites FROM sites");
    fs::create_dir_all(folder.path().join("tables/sites/crawl=A")).unwrap();
    let run = folder.run(&["query", "--tables", "tables", "sites.sql", "--engine", "duckdb"]);
    run.exits_with(2).prints("").complains_among_others("table is missing: tables/sites: it has no file; ");
}

/// Plain DataFusion, without our functions and tables, returns the expected answers, also with tables of the user.
#[test]
fn datafusion_runs_what_is_printed_for_it() {
    use datafusion::prelude::SessionContext;
    let folder = TestFolder::new("query_datafusion")
        .with("ranks.csv", crate::given::RANKS)
        .with("weights.tsv", crate::given::WEIGHTS.replace(',', "\t"))
        .with(
            "agents.sql",
            "-- title: A\n-- grain: one row\n-- reads: agents\nSELECT * FROM agents WHERE TOKEN = 'gptbot'",
        )
        .with("categories.ndjson", "{\"host\": \"https://sample_one.de/\", \"category\": \"closed\"}\n");
    let asked: [&[&str]; 9] = [
        &["access_overview", "--by", "rank", "--table", "ranks=ranks.csv"],
        &["status_codes"],
        &["access_overview", "--weight", "own", "--table", "weights=weights.tsv"],
        &["violation_overview"],
        &["access_overview", "--by", "category", "--table", "categories=categories.ndjson"],
        &["templates"],
        &["ai_overview"],
        &["blocked_by_agent"],
        &["agents.sql"],
    ];
    for question in asked.into_iter().step_by(step(2)) {
        let tables: &[&str] = &["--tables", sample_tables()];
        let run = folder.run(&[&["query"], question, tables, &["--engine", "datafusion"]].concat());
        run.exits_with(0).complains("");
        let ours = folder.run(&[&["query"], question, tables, &["--format", "ndjson"]].concat());
        let found = crate::questions::wait(async {
            let context = SessionContext::new();
            let mut found = None;
            for statement in datafusion::sql::parser::DFParser::parse_sql(&run.stdout).expect("it is SQL") {
                let plan = context
                    .state()
                    .statement_to_plan(statement)
                    .await
                    .unwrap_or_else(|error| panic!("{question:?}: {error}"));
                let frame =
                    context.execute_logical_plan(plan).await.unwrap_or_else(|error| panic!("{question:?}: {error}"));
                let schema = std::sync::Arc::new(frame.schema().as_arrow().clone());
                let batches = frame.collect().await.unwrap_or_else(|error| panic!("{question:?}: {error}"));
                found = Some((schema, batches));
            }
            found.expect("there is a statement")
        });
        let mut theirs = Vec::new();
        let manner = analyze::output::Manner::plain(analyze::output::AnswerFormat::Ndjson);
        let mut writer = analyze::output::start_answer(manner, &found.0, &mut theirs).expect("it can be written");
        found.1.iter().for_each(|batch| writer.write(batch).expect("it can be written"));
        writer.finish().expect("it can be written");
        assert_eq!(String::from_utf8_lossy(&theirs), ours.stdout, "{question:?}");
        assert!(!ours.stdout.is_empty(), "{question:?}");
    }
}
