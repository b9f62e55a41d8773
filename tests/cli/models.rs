//! Derived tables: when they are made and replaced. A missing table or one that is out of date is not read.

use crate::questions::copied;
use crate::{sample, tables};
use std::fs;

const COUNT: &str = "SELECT count(*) AS sites FROM sites";

#[test]
fn models_keeps_tables_that_are_up_to_date() {
    let folder = copied("models_again");
    let before = sample::files(&folder.path().join(sample::OUT));
    let again = folder.run(&["models", sample::OUT]);
    again.exits_with(0).prints_among_others("was up to date");
    assert!(!again.stdout.lines().skip(2).any(|line| !line.ends_with("was up to date")), "{again}");
    folder.run(&["models", sample::OUT, "--again", "--quiet"]).exits_with(0).prints("");
    assert_eq!(sample::files(&folder.path().join(sample::OUT)), before, "made again, they have the same bytes");
    folder.run(&["check", sample::OUT, "--quiet"]).exits_with(0).complains("");
}

#[test]
fn a_missing_derived_table_is_reported() {
    let folder = tables::copied("models_missing");
    folder
        .run(&["sql", "--tables", "tables", COUNT])
        .exits_with(2)
        .complains_among_others("tables/sites")
        .complains_among_others("it was not made for that crawl; run robocensus models");
}

#[test]
fn a_table_that_is_out_of_date_is_not_read() {
    let folder = tables::copied("models_stale");
    folder.run(&["models", "tables", "--quiet"]).exits_with(0);
    folder.run(&["sql", "--tables", "tables", "--format", "csv", COUNT]).exits_with(0);
    let entry = folder.path().join("tables/_robocensus/ledger/part-00000.json");
    tables::edit_json(&entry, |entry| entry["files"][0]["sha256"] = "0".repeat(64).into());
    folder
        .run(&["sql", "--tables", "tables", COUNT])
        .exits_with(2)
        .complains_among_others("table is out of date")
        .complains_among_others("run robocensus models");
}

#[test]
fn a_table_made_with_another_list_of_agents_is_not_read() {
    let all = include_str!("../../datasets/agents.csv");
    let few: Vec<&str> = all.lines().take(20).collect();
    let folder = copied("models_agents").with("mine.csv", few.join("\n"));
    for table in ["tracked_agents", "body_classes", "class_verdicts", "site_access"] {
        let count = format!("SELECT count(*) FROM {table}");
        folder.run(&["sql", "--tables", sample::OUT, &count]).exits_with(0);
        folder
            .run(&["sql", "--tables", sample::OUT, "--agents", "mine.csv", &count])
            .exits_with(2)
            .complains_among_others("table is out of date: tables/tracked_agents")
            .complains_among_others("it was made with another list of agents");
    }
    folder.run(&["models", "-q", "--agents", "mine.csv"]).exits_with(0);
    folder.run(&["check", "-q"]).exits_with(1).complains_among_others("use that list with --agents");
    folder.run(&["check", "-q", "--agents", "mine.csv"]).exits_with(0).complains("");
    // Sites are the same for any list.
    folder.run(&["sql", "--tables", sample::OUT, "--agents", "mine.csv", COUNT]).exits_with(0);
}

#[test]
fn check_reports_changed_and_foreign_derived_files() {
    let folder = copied("models_damaged");
    let file = folder.path().join("tables/sites/crawl=SAMPLE-2024-10/part-00000.parquet");
    let mut bytes = fs::read(&file).expect("the file can be read");
    let middle = bytes.len() / 2;
    if let Some(byte) = bytes.get_mut(middle) {
        *byte ^= 1;
    }
    fs::write(&file, bytes).expect("it can be written");
    fs::create_dir(folder.path().join("tables/sites/crawl=OTHER")).expect("a folder can be made");
    folder
        .run(&["check", sample::OUT])
        .exits_with(1)
        .complains_among_others("file has changed: tables/sites/crawl=SAMPLE-2024-10/part-00000.parquet")
        .complains_among_others("partition is foreign: tables/sites/crawl=OTHER: it was not made by robocensus models");
}

#[test]
fn the_option_capture_chooses_the_capture() {
    let folder = copied("models_choice");
    const CHOSEN: &str = "SELECT sum(capture_id - site_id) AS later FROM sites WHERE captures > 1";
    let latest = folder.run(&["sql", "--tables", sample::OUT, "--format", "csv", CHOSEN]);
    folder.run(&["models", sample::OUT, "--capture", "first", "--quiet"]).exits_with(0);
    let first = folder.run(&["sql", "--tables", sample::OUT, "--format", "csv", CHOSEN]);
    assert_ne!(latest.stdout, first.stdout, "the sample has a site with two captures");
}

/// The name of another folder may be a typing error, so nothing is written there.
#[test]
fn a_folder_without_tables_is_refused_and_stays_as_it_is() {
    let folder = crate::run::TestFolder::new("models_elsewhere").with("notes.txt", "mine");
    let expected =
        "folder has no tables: .: it has none of the folders of tables; name one that robocensus ingest wrote\n";
    folder.run(&["models", "."]).exits_with(2).prints("").complains(expected);
    assert_eq!(sample::files(folder.path()).len(), 1);
}
