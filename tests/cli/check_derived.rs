//! `robocensus check`: each kind of damage to a derived table, or to its entry in the ledger, is reported.

use crate::tables::{copied, edit_json};
use std::fs;

/// Each message says what repairs the table.
#[test]
fn damaged_derived_tables_can_be_made_again() {
    let folder = copied("check_models_repaired");
    folder.run(&["models", "tables", "--quiet"]).exits_with(0);
    let check = |damage: &dyn Fn(), expected: &[&str], repair: &[&str]| {
        damage();
        let run = folder.run(&["check", "tables", "--quiet"]);
        expected.iter().for_each(|expected| _ = run.exits_with(1).prints("").complains_among_others(expected));
        assert_eq!(run.stderr.lines().count(), 1, "{run}");
        folder.run(repair).exits_with(0).complains("");
        folder.run(&["check", "tables", "--quiet"]).exits_with(0).complains("");
    };
    let file = folder.path().join("tables/sites/crawl=TEST-1/part-00000.parquet");
    let entry = folder.path().join("tables/_robocensus/models/sites/TEST-1.json");
    let flip = || {
        let mut bytes = fs::read(&file).expect("it exists");
        bytes[20] ^= 1;
        fs::write(&file, bytes).expect("it can be written");
    };
    check(
        &flip,
        &[
            "file has changed: tables/sites/crawl=TEST-1/part-00000.parquet: ",
            " in _robocensus/models; robocensus models --again makes it again\n",
        ],
        &["models", "tables", "--again", "-q"],
    );
    check(
        &|| fs::remove_file(&file).expect("it exists"),
        &[
            "file is missing: tables/sites/crawl=TEST-1/part-00000.parquet: it is in _robocensus/models; models makes it again\n",
        ],
        &["models", "tables", "-q"],
    );
    check(
        &|| fs::write(&file, "PAR1").expect("it can be written"),
        &[" in _robocensus/models; models makes it again\n"],
        &["models", "tables", "-q"],
    );
    for repair in [&["models", "tables", "-q"][..], &["models", "tables", "--again", "-q"]] {
        check(
            &|| fs::write(&entry, "{}").expect("it can be written"),
            &[
                "entry of a derived table cannot be read: tables/_robocensus/models/sites/TEST-1.json: it is not as robocensus wrote it; if you remove it, robocensus models makes the table again\n",
            ],
            repair,
        );
    }
}

/// Changes values in the ledger entry of a derived table.
#[test]
fn changed_entries_of_derived_tables_are_reported() {
    let folder = copied("check_models");
    folder.run(&["models", "tables", "--quiet"]).exits_with(0);
    folder.run(&["check", "tables", "--quiet"]).exits_with(0);
    let entry = folder.path().join("tables/_robocensus/models/sites/TEST-1.json");
    let whole = fs::read(&entry).expect("it exists");
    let check = |edit: &dyn Fn(&mut serde_json::Value), expected: &str| {
        fs::write(&entry, &whole).expect("it can be written");
        edit_json(&entry, edit);
        folder.run(&["check", "tables", "--quiet"]).exits_with(1).prints("").complains_among_others(expected);
    };
    check(
        &|made| made["file"]["table"] = "captures".into(),
        "entry of a derived table is misnamed: tables/_robocensus/models/sites/TEST-1.json: it belongs to captures of TEST-1\n",
    );
    check(
        &|made| made["crawl"] = "TEST-9".into(),
        "entry of a derived table is misnamed: tables/_robocensus/models/sites/TEST-1.json: it belongs to sites of TEST-9\n",
    );
    check(
        &|made| made["of"]["captures"] = "0".repeat(64).into(),
        "table is out of date: tables/sites/crawl=TEST-1/part-00000.parquet: ",
    );
    fs::create_dir(folder.path().join("tables/sites/crawl=OTHER")).expect("a folder can be made");
    let foreign = "partition is foreign: tables/sites/crawl=OTHER: it was not made by robocensus models\n";
    folder.run(&["check", "tables", "--quiet"]).exits_with(1).complains_among_others(foreign);
}

/// A run that is stopped leaves tables without an entry, with their file or without it.
#[test]
fn unfinished_derived_tables_are_reported() {
    let folder = copied("check_models_unfinished");
    folder.run(&["models", "tables", "--quiet"]).exits_with(0);
    let path = |path: &str| folder.path().join("tables").join(path);
    fs::remove_dir_all(path("class_verdicts/crawl=TEST-1")).expect("it exists");
    for entry in ["class_verdicts/TEST-1.json", "sites/TEST-1.json"] {
        fs::remove_file(path("_robocensus/models").join(entry)).expect("it exists");
    }
    let unfinished = |table: &str| {
        format!(
            "derived table is unfinished: tables/{table}/crawl=TEST-1/part-00000.parquet: it has no entry in \
             _robocensus/models; robocensus models makes it\n"
        )
    };
    let expected = unfinished("sites") + &unfinished("class_verdicts");
    folder.run(&["check", "tables", "--quiet"]).exits_with(1).complains(&expected);
    folder.run(&["models", "tables", "--quiet"]).exits_with(0);
    folder.run(&["check", "tables", "--quiet"]).exits_with(0).complains("");
}
