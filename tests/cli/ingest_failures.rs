//! `robocensus ingest`: folders and inputs that are refused, and runs that fail.

use crate::archives;
use crate::ingest::{DAMAGED, ONE, assert_same_tables, files, ingest};
use crate::run::TestFolder;
use crate::sample::{self, OUT};
use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

/// The path of a file can be typed in many ways. Otherwise the archive would be counted twice.
#[test]
fn an_archive_under_another_path_is_no_other_archive() {
    let folder = TestFolder::new("ingest_twice");
    let at = |name: &str| folder.path().join(name);
    for name in ["mine", "other", "copy", "twin"] {
        fs::create_dir(at(name)).expect("a folder can be made");
    }
    let touch = |name: &str, hour: u64| {
        let archive = File::options().write(true).open(at(name)).expect("it can be opened");
        archive.set_modified(UNIX_EPOCH + Duration::from_secs(hour * 3600)).expect("a time can be set");
    };
    fs::write(at("mine/b.warc.gz"), archives::archive(1)).expect("an archive can be written");
    let ingest = ["ingest", "--crawl", "C", "--quiet", "--out"];
    let run = |inputs: &[&str]| folder.run(&[&ingest[..], &["tables"], inputs].concat());
    run(&["mine/b.warc.gz"]).exits_with(0).complains("");
    run(&["mine/b.warc.gz", "mine/../mine/b.warc.gz"]).exits_with(0).complains("");
    // Links have other names.
    fs::hard_link(at("mine/b.warc.gz"), at("mine/a.warc.gz")).expect("a file can have two names");
    std::os::unix::fs::symlink("a.warc.gz", at("mine/c.warc.gz")).expect("a link can be made");
    run(&["mine"]).exits_with(0).complains("");

    let there = |path: &str, cause: &str| format!("input may be there already: {path}: {cause}\n");
    let changed = "mine/b.warc.gz leads to it, but was planned for these tables with another size or modification time; \
                   if it is another archive, run ingest in another folder; otherwise name it by that path";
    touch("mine/b.warc.gz", 1);
    run(&["mine/a.warc.gz", "--refresh"]).exits_with(2).complains(&there("mine/a.warc.gz", changed));
    run(&["mine", "--refresh"]).exits_with(0).complains("");

    let alike = "it has the size and modification time of mine/b.warc.gz, which is planned for these tables; if it is \
                 another archive, give it another time; otherwise leave it out or use that path";
    // In another folder, the planned path leads to nothing, or to another file.
    let elsewhere = || {
        let mut elsewhere = folder.command(&[&ingest[..], &["../tables", "../mine/b.warc.gz"]].concat());
        elsewhere.current_dir(at("other"));
        folder.run_by(elsewhere).exits_with(2).complains(&there("../mine/b.warc.gz", alike));
    };
    elsewhere();
    fs::create_dir(at("other/mine")).expect("a folder can be made");
    fs::write(at("other/mine/b.warc.gz"), "").expect("a file can be written");
    elsewhere();

    fs::write(at("copy/b.warc.gz"), archives::archive(1)).expect("an archive can be written");
    touch("copy/b.warc.gz", 1);
    run(&["copy"]).exits_with(2).complains(&there("copy/b.warc.gz", alike));
    // Another archive of the same name, size and time. The last byte of the header of gzip is the system.
    let mut twin = archives::archive(1);
    twin[9] = !twin[9];
    fs::write(at("twin/b.warc.gz"), twin).expect("an archive can be written");
    touch("twin/b.warc.gz", 1);
    run(&["twin"]).exits_with(0).complains("");
    fs::rename(at("mine/b.warc.gz"), at("copy/d.warc.gz")).expect("it can be renamed");
    run(&["copy/d.warc.gz"]).exits_with(2).complains(&there("copy/d.warc.gz", alike));
    let counted = folder.run(&["sql", "SELECT count(*) AS n FROM inputs", "--tables", "tables", "--format", "csv"]);
    counted.exits_with(0).prints("n\n2\n");
}

/// Planned paths are relative to the folder of the run that planned them.
#[test]
fn a_planned_path_may_lead_to_another_archive() {
    let folder = TestFolder::new("ingest_in_two_folders");
    for (name, captures) in [("one/in/a.warc.gz", 1), ("one/in/b.warc.gz", 1), ("two/in/a.warc.gz", 2)] {
        let path = folder.write(name, archives::archive(captures));
        let archive = File::options().write(true).open(&path).expect("it can be opened");
        archive.set_modified(UNIX_EPOCH).expect("a time can be set");
    }
    let run = |at: &str, input: &str| {
        let ingest = ["ingest", "--crawl", "C", "--quiet", "--out", "../tables", input];
        let ended = folder.command(&ingest).current_dir(folder.path().join(at)).output().expect("the binary starts");
        (ended.status.code(), String::from_utf8(ended.stderr).expect("messages are UTF-8"))
    };
    let refused = |cause: &str| (Some(2), format!("input may be there already: {cause}\n"));
    assert_eq!(run("one", "in"), (Some(0), String::new()));
    let other = "../two/in/a.warc.gz: in/a.warc.gz leads to it, but was planned for these tables with another size or \
                 modification time; if it is another archive, run ingest in another folder; otherwise name it by that path";
    assert_eq!(run("two", "../two/in/a.warc.gz"), refused(other));
    assert_eq!(run("one", "../two/in/a.warc.gz"), (Some(0), String::new()));
    // Now its own path leads to it, too.
    assert_eq!(run("two", "../two/../two/in/a.warc.gz"), (Some(0), String::new()));

    // The names tell two archives of one size and time apart.
    fs::rename(folder.path().join("one/in"), folder.path().join("one/moved")).expect("a folder can be moved");
    let moved = "moved/b.warc.gz: it has the size and modification time of in/b.warc.gz, which is planned for these \
                 tables; if it is another archive, give it another time; otherwise leave it out or use that path";
    assert_eq!(run("one", "moved/b.warc.gz"), refused(moved));
}

#[test]
fn links_below_crawl_data_are_read_once() {
    let folder = TestFolder::new("ingest_links");
    archives::write(&folder, "SYNTH-2024-10", 1, 1);
    let path = folder.path().join(archives::path("SYNTH-2024-10", 0));
    for name in ["a.warc.gz", "z.warc.gz"] {
        fs::hard_link(&path, path.with_file_name(name)).expect("a file can have two names");
    }
    folder.run(&["ingest", "crawl-data", "--out", "tables", "--quiet"]).exits_with(0).complains("");
    let counted = folder.run(&["sql", "SELECT count(*) AS n FROM inputs", "--tables", "tables", "--format", "csv"]);
    counted.exits_with(0).prints("n\n1\n");
}

#[test]
fn a_url_that_names_no_object_is_refused() {
    let run = sample::folder("ingest_bucket").run(&["ingest", "s3://bucket", "--crawl", "C", "--out", OUT]);
    run.exits_with(2).complains("input is not an archive: s3://bucket: the URL names no object\n");
}

#[test]
fn a_folder_with_other_files_is_left_alone() {
    let folder = sample::folder("ingest_other_files");
    std::fs::create_dir(folder.path().join("mine")).expect("a folder can be made");
    let folder = folder.with("mine/notes.txt", "mine");
    folder.run(&["ingest", "-q", ONE, "--out", "mine"]).exits_with(2).prints("").complains(
        "folder holds other files: mine: it has notes.txt; name a new or empty folder, or one that ingest wrote\n",
    );
    assert!(!folder.path().join("mine/captures").exists());
}

#[test]
fn a_place_that_cannot_be_written_to_is_reported() {
    let folder = sample::folder("ingest_unwritable").with("file", "");
    for out in ["file", "file/tables"] {
        let run = folder.run(&["ingest", ONE, "--out", out]);
        run.exits_with(2).prints("").complains_among_others(&format!("folder cannot be made: {out}: "));
        assert_eq!(run.stderr.lines().count(), 1, "{run}");
    }
    assert_eq!(fs::read(folder.path().join("file")).expect("it exists"), b"");
}

#[test]
fn a_table_that_cannot_be_written_is_made_by_the_next_run() {
    let folder = sample::folder("ingest_table_unwritable");
    let table = folder.path().join(OUT).join("rules");
    fs::create_dir(folder.path().join(OUT)).expect("a folder can be made");
    fs::write(&table, "").expect("a file can be written");
    let expected = "folder of tables is refused: tables/rules: it is a file, but should be a folder\n";
    ingest(&folder, &[ONE]).exits_with(2).prints("").complains(expected);
    assert!(!folder.path().join("tables/captures").exists(), "nothing was written");
    fs::remove_file(table).expect("it can be removed");
    ingest(&folder, &["-q", ONE]).exits_with(0).complains("");
    let fresh = sample::folder("ingest_table_unwritable_fresh");
    ingest(&fresh, &["-q", ONE]).exits_with(0);
    assert_same_tables(&files(&folder), &files(&fresh));
}

#[test]
fn all_invalid_inputs_are_reported_together() {
    let folder = sample::folder("ingest_none").with("empty.paths", "");
    fs::create_dir(folder.path().join("bare")).expect("a folder can be made");
    let expected = "\
input is missing: none.warc.gz: no such file or directory (os error 2)
folder has no archive: bare: no file ends in .warc.gz, .warc, .warc.zst, .arc.gz, .arc, .wacz
pattern matches nothing: *.none: no such file
list has no archive: empty.paths: it is empty
list has no archive: -: it is empty
";
    let inputs = ["none.warc.gz", "bare", "*.none", "empty.paths", "-", ONE];
    ingest(&folder, &inputs).exits_with(2).prints("").complains(expected);
    folder
        .run(&[&["plan", "--shards", "2", "--out", OUT], &inputs[..]].concat())
        .exits_with(2)
        .prints("")
        .complains(expected);
    assert!(!folder.path().join(OUT).exists());
}

/// A file in another format is not called damaged, and does not keep the others from being read.
#[test]
fn files_in_other_formats_are_named() {
    let folder = sample::folder("ingest_other_formats").with("a.warc", "BZh91AY&SY").with("b.warc", "<!doctype html>");
    let expected = "\
input was not read: a.warc: bzip2 files are not supported; ingest reads WARC, ARC and WACZ
input was not read: b.warc: HTML files are not supported; ingest reads WARC, ARC and WACZ
";
    ingest(&folder, &["-q", ONE, "a.warc", "b.warc", "--crawl", "OTHER"]).exits_with(1).complains(expected);
    folder.run(&["check", OUT, "-q"]).exits_with(0).complains("");
    let counted = "SELECT CAST(sum(damaged_bytes) AS bigint) AS damaged, count(error) AS unread FROM inputs";
    folder.run(&["sql", counted, "--format", "csv"]).exits_with(0).prints("damaged,unread\n0,2\n");
}

/// One invalid input does not keep the others from being read. None of these inputs is a regular file.
#[test]
fn special_files_are_reported_and_the_other_inputs_are_read() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;
    use std::process::Command;
    let folder = sample::folder("ingest_left_out");
    let at = |name: &str| folder.path().join("crawl-data/SAMPLE-2024-10").join(name);
    let pipe = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo runs").success());
    pipe(&at("pipe.warc.gz"));
    for (to, name) in [
        ("nowhere", "dangling.warc"),
        ("loop.warc", "loop.warc"),
        ("pipe.warc.gz", "to-pipe.warc"),
        ("/dev/zero", "zero.warc"),
    ] {
        symlink(to, at(name)).expect("a link can be made");
    }
    fs::write(at("").join(OsStr::from_bytes(b"caf\xe9.warc")), "").expect("any name can be given");
    let left_out = "\
input has no name: crawl-data/SAMPLE-2024-10/caf\u{fffd}.warc: its path is not UTF-8, but names in tables must be
input is missing: crawl-data/SAMPLE-2024-10/dangling.warc: no such file or directory (os error 2)
input is missing: crawl-data/SAMPLE-2024-10/loop.warc: too many levels of symbolic links (os error 40)
input is not a file: crawl-data/SAMPLE-2024-10/pipe.warc.gz: it is a named pipe, not a file
input is not a file: crawl-data/SAMPLE-2024-10/to-pipe.warc: it is a named pipe, not a file
input is not a file: crawl-data/SAMPLE-2024-10/zero.warc: it is a device, not a file
";
    ingest(&folder, &["-q", "crawl-data"]).exits_with(1).prints("").complains(&format!("{left_out}{DAMAGED}"));
    let all = sample::folder("ingest_left_out_all");
    ingest(&all, &["-q", "crawl-data"]).exits_with(1);
    assert_same_tables(&files(&folder), &files(&all));
    // An invalid input that the user names is an error before anything is read.
    let expected = "input is not a file: crawl-data/SAMPLE-2024-10/pipe.warc.gz: it is a named pipe, not a file\n";
    ingest(&folder, &["-q", ONE, "crawl-data/SAMPLE-2024-10/pipe.warc.gz"])
        .exits_with(2)
        .prints("")
        .complains(expected);
}

/// A hook of debug builds makes an archive panic, or a body in it: while it is parsed, or once it has rows.
#[test]
fn a_panic_affects_only_its_archive() {
    let path = "crawl-data/SAMPLE-2024-10/segments/1/robotstxt/SAMPLE-2024-10-00001.warc.gz";
    // The tables have all rows of the other archives.
    let others = sample::folder("ingest_panic_others");
    fs::remove_file(others.path().join(path)).unwrap();
    others.run(&["ingest", "crawl-data", "--out", OUT, "--quiet"]).exits_with(1);
    let expected = files(&others);
    for (step, text) in [("READ", "SAMPLE-2024-10-00001.warc.gz"), ("PARSE", "chunked-cut"), ("ROWS", "chunked-cut")] {
        let folder = sample::folder("ingest_panic");
        let panic = format!("ROBOCENSUS_TEST_PANIC_{step}");
        let run = folder.run_with(&[(&panic, text)], &["ingest", "crawl-data", "--out", OUT, "--quiet"]);
        let message = format!("input was not read: {path}: it makes this version of robocensus panic");
        run.exits_with(1).complains_among_others(&message);
        assert_eq!(run.stderr.matches("input was not read").count(), 1, "{step}: {run}");
        folder.run(&["check", "-q", OUT]).exits_with(0).complains("");
        let found = files(&folder);
        for (path, bytes) in &expected {
            let is_about_archives = path.starts_with("inputs") || path.starts_with("skips");
            assert!(is_about_archives || found[path] == *bytes, "{step}: {}", path.display());
        }
    }
}

/// A panic while rows are written or a part is published has no one archive that caused it. The run names the folder.
#[test]
fn a_panic_while_tables_are_written_is_a_failure() {
    for (step, text) in [("WRITE", "policies"), ("PUBLISH", "SAMPLE-2024-10")] {
        let folder = sample::folder(&format!("ingest_panic_{}", step.to_lowercase()));
        let panic = format!("ROBOCENSUS_TEST_PANIC_{step}");
        let run = folder.run_with(&[(&panic, text)], &["ingest", "crawl-data", "--out", OUT, "--quiet"]);
        let message = "tables cannot be written: tables: it makes this version of robocensus panic";
        run.exits_with(2).complains_among_others(message);
        ingest(&folder, &["-q", "crawl-data"]).exits_with(1);
    }
}
