//! `robocensus check`: each kind of damage to files, the plan and the ledger is reported.

use crate::tables::{TablesPart, copied, edit_json, edit_sealed};
use std::fs;

/// Damages the part of TEST-1 in fresh tables, and compares the output of `check`, without the texts of other crates.
#[track_caller]
pub(crate) fn check(test: &str, damage: impl FnOnce(&TablesPart<'_>), expected: &[&str]) {
    let folder = copied(&format!("check_{test}"));
    damage(&TablesPart { folder: &folder, crawl: "TEST-1", number: 0 });
    let run = folder.run(&["check", "tables", "--quiet"]);
    let shorten = [
        ("tables/_robocensus/ledger/part-00000.json", "LEDGER"),
        ("/crawl=TEST-1/part-00000.parquet", ""),
        ("crawl-data/TEST-1/robotstxt/", ""),
    ];
    run.exits_with(1).prints("").complains_in_lines(&shorten, expected);
}

#[test]
fn damaged_files_are_reported() {
    check(
        "missing",
        |part| fs::remove_file(part.file("rules")).unwrap(),
        &[
            "file is missing: tables/rules: it is in the ledger; ingest makes it again once all archives of the part exist, such as a.warc.gz (relative to where ingest was run); if you remove LEDGER, ingest makes the part again, without the rows of archives that are gone",
        ],
    );
    check(
        "truncated",
        |part| part.edit_bytes("rules", |bytes| bytes.truncate(1_000)),
        &["file has another length: tables/rules: it has 1000 bytes, but \u{2026}"],
    );
    check(
        "no_file",
        |part| {
            fs::remove_file(part.file("rules")).unwrap();
            fs::create_dir(part.file("rules")).unwrap();
        },
        &[
            "file is missing: tables/rules: the path is not a file; remove it; ingest makes it again once all archives of the part exist, such as a.warc.gz (relative to where ingest was run); if you remove LEDGER, ingest makes the part again, without the rows of archives that are gone",
        ],
    );
    check(
        "foreign_file",
        |part| {
            let foreign = part.file("rules").with_file_name("part-00007.parquet");
            fs::copy(part.file("rules"), foreign).unwrap();
        },
        &["file is foreign: tables/rules/crawl=TEST-1/part-00007.parquet: it belongs to no part"],
    );
    check(
        "foreign_partition",
        |part| {
            let foreign = part.folder.path().join("tables/rules/crawl=OTHER");
            fs::create_dir(foreign).unwrap();
        },
        &["partition is foreign: tables/rules/crawl=OTHER: no part belongs to that crawl"],
    );
    check(
        "work",
        |part| {
            let work = part.folder.path().join("tables/_robocensus/work/part-00003");
            fs::create_dir_all(work).unwrap();
        },
        &["file is left over: tables/_robocensus/work/part-00003: a run was killed; the next one removes it"],
    );
}

/// A column that no check compares is read, too.
#[test]
fn rows_that_cannot_be_read_are_reported() {
    let invalid = |part: &TablesPart<'_>| {
        part.edit_rows("groups", |rows| vec![rows]);
        part.edit_digested("groups", |bytes| {
            let text = b"GPTBot";
            while let Some(at) = bytes.windows(text.len()).position(|window| window == text) {
                bytes[at] = 0xff;
            }
        });
    };
    check("not_utf8", invalid, &["rows cannot be read: tables/groups: \u{2026}"]);
}

#[test]
fn a_flipped_bit_is_found() {
    let folder = copied("check_flipped");
    let part = TablesPart { folder: &folder, crawl: "TEST-1", number: 0 };
    part.edit_bytes("bodies", |bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
    });
    let run = folder.run(&["check", "tables", "--quiet"]);
    run.exits_with(1)
        .complains_among_others("file has changed: tables/bodies/crawl=TEST-1/part-00000.parquet: its SHA-256 is ");
    let repair = "; if you remove tables/_robocensus/ledger/part-00000.json, ingest makes the part again, without the \
                  rows of archives that are gone, such as crawl-data/TEST-1/robotstxt/a.warc.gz (relative to where \
                  ingest was run)\n";
    assert!(run.stderr.ends_with(repair), "{run}");
    assert_eq!(run.stderr.lines().count(), 1, "{run}");
}

/// With too few open files, nothing is known about the tables.
#[test]
fn too_few_open_files_are_no_damage() {
    let folder = copied("check_few_files");
    let run = |limit: u64| folder.bash(&format!("ulimit -n {limit}; exec robocensus check tables --quick --jobs 1"));
    let runs: Vec<_> = [10, 16, 22, 28, 64].map(run).into();
    let short = runs.iter().filter(|run| run.status.code() == Some(2));
    let mut unread = short.filter(|run| run.stderr.contains("check was not done: tables: "));
    let first = unread.next().expect("a limit is too low");
    first.prints("").complains_among_others("file cannot be read: tables/");
    first.complains_among_others(": too many open files (os error 24)\n");
    for run in &runs {
        assert!(matches!(run.status.code(), Some(0 | 2)), "{run}");
    }
    assert!(runs.last().is_some_and(|run| run.status.code() == Some(0)), "no limit suffices");
}

#[test]
fn damaged_files_with_the_right_digest_are_reported() {
    check(
        "garbage",
        |part| part.edit_digested("rules", |bytes| bytes.fill(b'x')),
        &["file is not a table: tables/rules: …"],
    );
    check(
        "footer",
        |part| {
            part.edit_digested("rules", |bytes| {
                let end = bytes.len();
                bytes[end - 9] ^= 1;
            });
        },
        &["file is not a table: tables/rules: …"],
    );
    check(
        "pages",
        |part| part.edit_digested("rules", |bytes| bytes[4..60].fill(b'x')),
        &["rows cannot be read: tables/rules: …"],
    );
    check(
        "columns",
        |part| part.edit_rows("groups", |batch| vec![batch.project(&[0, 1, 3, 2, 4, 5, 6, 7, 8, 9, 10]).unwrap()]),
        &[
            "file has another schema: tables/groups: column 3 is (line_no, Int32, and never null), but declared as (agent_no, Int32, and never null)",
        ],
    );
    check(
        "column_less",
        |part| part.edit_rows("groups", |batch| vec![batch.project(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).unwrap()]),
        &[
            "file has another schema: tables/groups: column 11 is none, but declared as (root_weight, Int32, and never null)",
        ],
    );
    check(
        "rows",
        |part| {
            part.edit_rows("records", |batch| vec![batch]);
            part.edit_entry(|entry| entry["files"][4]["rows"] = 9.into());
        },
        &["file has another number of rows: tables/records: its footer has 2 rows, but the ledger has 9"],
    );
}

#[test]
fn a_damaged_plan_or_ledger_is_reported() {
    let plan = |part: &TablesPart<'_>| part.folder.path().join("tables/_robocensus/plan.ndjson");
    check(
        "plan_missing",
        |part| fs::remove_file(plan(part)).unwrap(),
        &[
            "plan is missing: tables/_robocensus/plan.ndjson: the ledger has parts, but there is no plan; run the same commands of ingest again, in their order",
        ],
    );
    check(
        "plan_garbage",
        |part| fs::write(plan(part), "{").unwrap(),
        &[
            "plan cannot be read: tables/_robocensus/plan.ndjson: it is not as robocensus wrote it; remove it and run the same commands of ingest again, in their order",
        ],
    );
    check(
        "plan_folder",
        |part| {
            fs::remove_file(plan(part)).unwrap();
            fs::create_dir(plan(part)).unwrap();
        },
        &[
            "plan cannot be read: tables/_robocensus/plan.ndjson: it is a folder, not a file; remove it and run the same commands of ingest again, in their order",
        ],
    );
    check(
        "plan_path",
        |part| {
            edit_sealed(&plan(part), |text| text.replace("\"crawl\":\"TEST-1\"", "\"crawl\":\"../x\""));
        },
        &["plan cannot be read: tables/_robocensus/plan.ndjson: ../x cannot be the name of a crawl"],
    );
    check(
        "plan_twice",
        |part| {
            edit_sealed(&plan(part), |text| {
                text.replace("robotstxt/b.warc.gz\",\"path", "robotstxt/a.warc.gz\",\"path")
            });
        },
        &["plan cannot be read: tables/_robocensus/plan.ndjson: a.warc.gz of TEST-1 is planned twice"],
    );
    check(
        "plan_names",
        |part| {
            edit_sealed(&plan(part), |text| {
                let [a, b, other] = ["a", "b", "~"].map(|name| format!("robotstxt/{name}.warc.gz\",\"path"));
                text.replace(&a, &other).replace(&b, &a).replace(&other, &b)
            });
        },
        &[
            "input has another path: tables/_robocensus/plan.ndjson: the input b.warc.gz is to be read from a.warc.gz",
            "input has another path: tables/_robocensus/plan.ndjson: the input a.warc.gz is to be read from b.warc.gz",
            "input has another size: tables/inputs: b.warc.gz has 2042 bytes, but 2036 in the plan; and 1 more",
            "ledger differs from the tables: LEDGER: b.warc.gz has 0 damaged bytes, but 206 in inputs; and 1 more",
        ],
    );
    check(
        "plan_name",
        |part| {
            edit_sealed(&plan(part), |text| {
                text.replace("robotstxt/b.warc.gz\",\"path", "robotstxt/c.warc.gz\",\"path")
            });
        },
        &[
            "input has another path: tables/_robocensus/plan.ndjson: the input c.warc.gz is to be read from b.warc.gz",
            "capture belongs to no input: tables/captures: row 7 names b.warc.gz; and 4 more",
            "input has no row: tables/inputs: c.warc.gz",
            "row belongs to no input: tables/inputs: b.warc.gz",
            "row belongs to no input: tables/skips: b.warc.gz; and 2 more",
            "ledger has another sum: LEDGER: 2 inputs, but 1 in the tables; and 7 more",
        ],
    );
    check(
        "entry_missing",
        |part| {
            fs::remove_file(part.entry()).unwrap();
        },
        &["part is not done: LEDGER: it has 10 files and no entry; ingest continues from here"],
    );
    check(
        "entry_garbage",
        |part| fs::write(part.entry(), "{}").unwrap(),
        &[
            "ledger cannot be read: LEDGER: it is not as robocensus wrote it; if you remove it, ingest makes the part again",
        ],
    );
    check(
        "entry_folder",
        |part| {
            fs::remove_file(part.entry()).unwrap();
            fs::create_dir(part.entry()).unwrap();
        },
        &["ledger cannot be read: LEDGER: it is a folder, not a file; if you remove it, ingest makes the part again"],
    );
    check(
        "entry_misnamed",
        |part| {
            fs::copy(part.entry(), part.entry().with_file_name("part-00007.json")).unwrap();
        },
        &["ledger entry is misnamed: tables/_robocensus/ledger/part-00007.json: it belongs to part 0"],
    );
    check(
        "entry_foreign",
        |part| {
            let foreign = part.entry().with_file_name("part-00007.json");
            fs::copy(part.entry(), &foreign).unwrap();
            edit_json(&foreign, |entry| entry["part"] = 7.into());
        },
        &["ledger entry is foreign: tables/_robocensus/ledger/part-00007.json: the plan has no part 7"],
    );
    check(
        "entry_crawl",
        |part| part.edit_entry(|entry| entry["crawl"] = "TEST-2".into()),
        &["ledger differs from the plan: LEDGER: its crawl is TEST-2, but that of the part is TEST-1"],
    );
    check(
        "entry_inputs",
        |part| part.edit_entry(|entry| _ = entry["inputs"].as_array_mut().unwrap().pop()),
        &["ledger differs from the plan: LEDGER: it has 1 inputs, but the part has 2"],
    );
    check(
        "entry_tables",
        |part| part.edit_entry(|entry| _ = entry["files"].as_array_mut().unwrap().pop()),
        &[
            "ledger differs from the plan: LEDGER: its files are captures, bodies, groups, rules, records, preferences, violations, policies, skips, but the tables are captures, bodies, groups, rules, records, preferences, violations, policies, skips, inputs",
        ],
    );
    check(
        "entry_made_by",
        |part| part.edit_entry(|entry| entry["made_by"] = "x".into()),
        &["ledger differs from the plan: LEDGER: it was made by x, but the plan by robocensus 0.1.0"],
    );
    check(
        "entry_damage",
        |part| part.edit_entry(|entry| entry["inputs"][1]["damage"]["bytes"] = 3.into()),
        &["ledger differs from the tables: LEDGER: b.warc.gz has 3 damaged bytes, but 206 in inputs"],
    );
    check(
        "entry_sums",
        |part| {
            part.edit_entry(|entry| {
                entry["sums"]["body_bytes"] = 3.into();
                entry["sums"]["skipped"]["request"] = 4.into();
                entry["sums"]["captures"] = 5.into();
            });
        },
        &["ledger has another sum: LEDGER: 5 captures, but 11 in the tables; and 2 more"],
    );
    check(
        "no_entry",
        |part| fs::write(part.entry().with_file_name("part-00000.json.bak"), "").unwrap(),
        &["file is foreign: LEDGER.bak: it is not a ledger entry"],
    );
    check(
        "no_record",
        |part| {
            let records = part.folder.path().join("tables/_robocensus");
            fs::write(records.join("notes.txt"), "").unwrap();
            fs::create_dir_all(records.join("models/others")).unwrap();
            fs::create_dir_all(part.folder.path().join("tables/others/crawl=TEST-1")).unwrap();
            // A new file system has it, and `ingest` accepts it.
            fs::create_dir_all(part.folder.path().join("tables/lost+found")).unwrap();
        },
        &[
            "folder is foreign: tables/others: it is not a table",
            "file is foreign: tables/_robocensus/notes.txt: it is not a record of a run",
            "folder is foreign: tables/_robocensus/models/others: it belongs to no derived table",
        ],
    );
    check(
        "planned_path",
        |part| {
            edit_sealed(&plan(part), |text| {
                text.replace("\"path\":\"crawl-data/TEST-1/robotstxt/a.warc.gz", "\"path\":\"/etc/passwd")
            });
        },
        &["input has another path: tables/_robocensus/plan.ndjson: the input a.warc.gz is to be read from /etc/passwd"],
    );
}
