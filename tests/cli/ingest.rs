//! `robocensus ingest`: its output and exit codes. The same inputs always give the same tables.

use crate::run::{Run, TestFolder};
use crate::sample::{self, OUT};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tables::tables;

/// The sums of the sample.
const SUMS: &str = "\
archives  12, of which 2 damaged and 0 unread
bytes     95,150 = 94,338 good + 812 damaged
records   248 = 236 captures + 12 skipped
skipped   1 continuation, 1 conversion, 3 elsewhere, 1 metadata, 2 not-http, 1 request, 1 target-missing, 1 type-unknown, 1 warcinfo
";

/// The messages about the damaged archives of the sample.
pub(crate) const DAMAGED: &str = "\
input is damaged: crawl-data/SAMPLE-2025-10/segments/1/robotstxt/SAMPLE-2025-10-00002.warc.gz at offset 404: garbage; 493 bytes have no readable record
input is damaged: crawl-data/SAMPLE-2025-10/segments/2/robotstxt/SAMPLE-2025-10-00003.warc at offset 794: record-cut; 319 bytes have no readable record
";

pub(crate) const ONE: &str = "crawl-data/SAMPLE-2024-10/segments/1/robotstxt/SAMPLE-2024-10-00000.warc.gz";

/// Runs `ingest` with these arguments and `--out`.
pub(crate) fn ingest(folder: &TestFolder, arguments: &[&str]) -> Run {
    folder.run(&[&["ingest"], arguments, &["--out", OUT]].concat())
}

pub(crate) fn files(folder: &TestFolder) -> BTreeMap<PathBuf, Vec<u8>> {
    sample::files(&folder.path().join(OUT))
}

#[track_caller]
pub(crate) fn assert_same_tables(found: &BTreeMap<PathBuf, Vec<u8>>, expected: &BTreeMap<PathBuf, Vec<u8>>) {
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (path, bytes) in expected {
        assert!(found[path] == *bytes, "{} has other bytes", path.display());
    }
}

/// The expected summary: the given sums, and the tables in the folder.
fn summary(folder: &TestFolder, sums: &str, read_bytes: u64) -> String {
    let out = folder.path().join(OUT);
    let mut text = format!("{sums}\n{:<11} {:>15} {:>15}\n", "table", "rows", "bytes");
    let mut all = 0;
    for table in tables() {
        let rows = sample::lines(&out, &table).len() - 1;
        let bytes: usize = sample::files(&out.join(table.name)).values().map(Vec::len).sum();
        all += bytes;
        text.push_str(&format!("{:<11} {:>15} {:>15}\n", table.name, thousands(rows), thousands(bytes)));
    }
    let share = all as f64 * 100.0 / read_bytes as f64;
    text.push_str(&format!("{:<11} {:>15} {:>15}  {share:.1} % of the archives\n", "all", "", thousands(all)));
    text
}

fn thousands(number: usize) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", thousands(number / 1_000), number % 1_000),
    }
}

/// Checks the line with time and speed, whose numbers differ in each run.
#[track_caller]
fn assert_pace(line: &str, beginning: &str) {
    let seconds = line.strip_prefix(beginning).and_then(|rest| rest.split_once(" s, "));
    let (seconds, rate) = seconds.unwrap_or_else(|| panic!("{line:?} does not begin with {beginning:?}"));
    assert!(seconds.parse::<f64>().is_ok() && rate.ends_with("B/s"), "{line:?}");
}

#[test]
fn help_has_examples_and_exit_codes() {
    let folder = TestFolder::new("ingest_help");
    folder.run(&["ingest"]).exits_with(2).prints("").complains_among_others("Examples:");
    folder.run(&["ingest", "--help"]).exits_with(0).prints_among_others("2  the run is not finished").complains("");
    folder.run(&["ingest", "crawl-data"]).exits_with(2).prints("").complains_among_others("--out <DIR>");
    ingest(&folder, &["--jobs", "0", "x.warc"]).exits_with(2).prints("").complains_among_others("invalid value '0'");
    ingest(&folder, &["--crawl", "a/b", "x.warc"]).exits_with(2).complains_among_others(
        "the name of a crawl is a letter and then letters, digits, dashes, dots and underscores",
    );
}

#[test]
fn a_run_prints_a_summary_and_a_second_run_has_nothing_to_do() {
    let folder = sample::folder("ingest_summary");
    let run = ingest(&folder, &["crawl-data"]);
    let expected = summary(&folder, SUMS, 95_150);
    run.exits_with(1).prints(&expected);
    let (pace, complaints) = run.stderr.split_once('\n').expect("a line");
    assert_pace(pace, "tables: 12 archives, 95.15 kB in ");
    assert_eq!(complaints, DAMAGED, "{run}");
    assert!(!run.stderr.contains(['\u{1b}', '\r']), "a pipe is no terminal\n{run}");
    let before = files(&folder);
    let run = ingest(&folder, &["crawl-data"]);
    run.exits_with(1)
        .prints(&expected)
        .complains(&format!("tables: nothing to do: all inputs were read before\n{DAMAGED}"));
    assert_same_tables(&files(&folder), &before);
}

#[test]
fn quiet_prints_only_failures() {
    let folder = sample::folder("ingest_quiet");
    ingest(&folder, &["--quiet", "crawl-data"]).exits_with(1).prints("").complains(DAMAGED);
    ingest(&folder, &["-q", ONE]).exits_with(1).prints("").complains(DAMAGED);
    let folder = sample::folder("ingest_quiet_good");
    ingest(&folder, &["--quiet", ONE]).exits_with(0).prints("").complains("");
}

#[test]
fn any_number_of_jobs_makes_the_same_tables() {
    // Each crawl is a part. Sixteen parts keep eight workers busy.
    let folder = sample::folder("ingest_jobs");
    let crawls = folder.path().join("crawl-data");
    for number in 1..=7 {
        for crawl in ["SAMPLE-2024-10", "SAMPLE-2025-10"] {
            sample::copy(&crawls.join(crawl), &crawls.join(format!("{crawl}-{number}")));
        }
    }
    let made: Vec<_> = ["1", "2", "8"]
        .map(|jobs| {
            folder.run(&["ingest", "crawl-data", "--quiet", "--jobs", jobs, "--out", jobs]).exits_with(1);
            sample::files(&folder.path().join(jobs))
        })
        .into();
    assert_eq!(made[0].len(), 16 * tables().len());
    assert_same_tables(&made[1], &made[0]);
    assert_same_tables(&made[2], &made[0]);
}

#[test]
fn a_changed_input_is_an_error_or_read_again_with_refresh() {
    let folder = sample::folder("ingest_changed");
    let two = "crawl-data/SAMPLE-2024-10/segments/1/robotstxt/SAMPLE-2024-10-00001.warc.gz";
    ingest(&folder, &["-q", ONE, two]).exits_with(0);
    let before = files(&folder);
    // Only the time changes.
    let hour = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let archive = File::options().write(true).open(folder.path().join(ONE)).expect("it can be opened");
    archive.set_modified(hour).expect("a time can be set");
    let bytes = archive.metadata().expect("it exists").len();
    let expected = format!(
        "input has changed: {ONE}: its modification time has changed since it was planned for these tables; --refresh reads it as it is now\n"
    );
    ingest(&folder, &[ONE, two]).exits_with(2).prints("").complains(&expected);
    assert_same_tables(&files(&folder), &before);
    ingest(&folder, &["-q", "--refresh", ONE, two]).exits_with(0).complains("");
    assert_same_tables(&files(&folder), &before);
    ingest(&folder, &["-q", ONE, two]).exits_with(0).complains("");
    // The size changes: one more member.
    let other = fs::read(folder.path().join(two)).expect("it can be read");
    File::options()
        .append(true)
        .open(folder.path().join(ONE))
        .expect("it can be opened")
        .write_all(&other)
        .expect("it can be written");
    let more = bytes + other.len() as u64;
    let expected = format!(
        "input has changed: {ONE}: it has {more} bytes and had {bytes} when it was planned for these tables; --refresh reads \
         it as it is now\n"
    );
    ingest(&folder, &[ONE]).exits_with(2).prints("").complains(&expected);
    assert_same_tables(&files(&folder), &before);
    ingest(&folder, &["-q", "--refresh", ONE]).exits_with(0).complains("");
    let captures = |folder: &TestFolder| sample::lines(&folder.path().join(OUT), &tables()[0]).len();
    let fresh = TestFolder::new("ingest_changed_fresh");
    sample::copy(&folder.path().join("crawl-data"), &fresh.path().join("crawl-data"));
    ingest(&fresh, &["-q", ONE, two]).exits_with(0);
    assert_eq!(captures(&folder), captures(&fresh));
    assert_same_tables(&files(&folder), &files(&fresh));
}

#[test]
fn a_new_input_makes_a_new_part_and_changes_no_other() {
    let folder = sample::folder("ingest_new");
    ingest(&folder, &["-q", "crawl-data/SAMPLE-2025-10"]).exits_with(1);
    let before = files(&folder);
    ingest(&folder, &["-q", "crawl-data"]).exits_with(1);
    let after = files(&folder);
    assert_eq!((before.len(), after.len()), (tables().len(), 2 * tables().len()));
    assert!(after.contains_key(Path::new("captures/crawl=SAMPLE-2024-10/part-00001.parquet")), "{:?}", after.keys());
    assert_same_tables(&after.into_iter().filter(|(path, _)| before.contains_key(path)).collect(), &before);
}

#[test]
fn a_missing_entry_of_a_list_is_reported_and_read_once_it_exists() {
    let folder = sample::folder("ingest_missing");
    let list = "crawl-data/SAMPLE-2024-10/robotstxt.paths.gz";
    let (there, away) = (folder.path().join(ONE), folder.path().join("away.warc.gz"));
    fs::rename(&there, &away).expect("it can be moved");
    let expected = format!("input was not read: {ONE}: it cannot be opened: no such file or directory (os error 2)\n");
    ingest(&folder, &["-q", list]).exits_with(1).complains(&expected);
    let before = files(&folder);
    // While it is missing, nothing is done again.
    ingest(&folder, &[list])
        .exits_with(1)
        .complains(&format!("tables: nothing to do: all inputs were read before\n{expected}"));
    assert_same_tables(&files(&folder), &before);
    fs::rename(&away, &there).expect("it can be moved");
    ingest(&folder, &["-q", list]).exits_with(0).complains("");
    let fresh = sample::folder("ingest_missing_fresh");
    ingest(&fresh, &["-q", list]).exits_with(0);
    assert_same_tables(&files(&folder), &files(&fresh));
}

#[test]
fn lists_folders_and_patterns_make_the_same_tables() {
    let expected = sample::ingested("ingest_by_folder");
    let expected = files(&expected);
    let folder = sample::folder("ingest_by_pattern");
    ingest(&folder, &["-q", "crawl-data/**/*.warc*"]).exits_with(1).complains(DAMAGED);
    assert_same_tables(&files(&folder), &expected);

    let lists = [
        "crawl-data/SAMPLE-2025-10/robotstxt.paths.gz",
        "crawl-data/SAMPLE-2024-10/warc.paths.gz",
        "crawl-data/SAMPLE-2024-10/robotstxt.paths.gz",
    ];
    let folder = sample::folder("ingest_by_list");
    ingest(&folder, &[&["-q"], lists.as_slice()].concat()).exits_with(1).complains(DAMAGED);
    assert_same_tables(&files(&folder), &expected);

    let archives: Vec<String> = sample::files(&folder.path().join("crawl-data"))
        .into_keys()
        .map(|path| format!("crawl-data/{}", path.display()))
        .filter(|path| !path.ends_with(".paths.gz"))
        .collect();
    assert_eq!(archives.len(), 12);
    let list = archives.join("\n");
    let folder = sample::folder("ingest_by_stdin");
    folder.run_with_stdin(&["ingest", "-q", "-", "--out", OUT], list.as_bytes()).exits_with(1).complains(DAMAGED);
    assert_same_tables(&files(&folder), &expected);

    // Entries are relative to the base. The tables have them without it.
    let folder = sample::folder("ingest_by_base").with("mine.paths", &list);
    let base = folder.path().join("elsewhere");
    fs::create_dir(&base).expect("a folder can be made");
    fs::rename(folder.path().join("crawl-data"), base.join("crawl-data")).expect("it can be moved");
    let missing = format!(
        "no entry of the list exists: mine.paths: the first is {}; use --base to say where its entries are\n",
        archives[0]
    );
    ingest(&folder, &["-q", "mine.paths"]).exits_with(2).prints("").complains(&missing);
    let complaints = DAMAGED.replace("crawl-data/", "elsewhere/crawl-data/");
    ingest(&folder, &["-q", "mine.paths", "--base", "elsewhere"]).exits_with(1).complains(&complaints);
    assert_same_tables(&files(&folder), &expected);
}

#[test]
fn the_option_crawl_names_a_crawl_that_no_path_names() {
    let folder = sample::folder("ingest_crawl");
    fs::copy(folder.path().join(ONE), folder.path().join("mine.warc.gz")).expect("it can be copied");
    let expected = "crawl is unknown: mine.warc.gz: its path does not name one; set it with --crawl\n";
    ingest(&folder, &["mine.warc.gz"]).exits_with(2).prints("").complains(expected);
    assert!(!folder.path().join(OUT).exists(), "nothing is made before all inputs are known");
    ingest(&folder, &["-q", "mine.warc.gz", "--crawl", "MINE-1"]).exits_with(0).complains("");
    assert!(folder.path().join("tables/captures/crawl=MINE-1/part-00000.parquet").exists());
    let inputs = sample::lines(&folder.path().join(OUT), &tables()[8]);
    assert!(inputs[1].starts_with("mine.warc.gz,") && inputs[1].ends_with(",MINE-1"), "{inputs:?}");
}

#[test]
fn all_responses_reads_every_response() {
    let archive = "crawl-data/SAMPLE-2024-10/segments/2/warc/SAMPLE-2024-10-00003.warc.gz";
    let urls = |test: &str, arguments: &[&str]| {
        let folder = sample::folder(test);
        ingest(&folder, &[arguments, &["-q", archive]].concat()).exits_with(0).complains("");
        let captures = sample::lines(&folder.path().join(OUT), &tables()[0]);
        let url = |line: &String| line.split(',').nth(1).unwrap_or_default().to_owned();
        captures[1..].iter().map(url).collect::<Vec<_>>()
    };
    let robots = [
        "http://www.example.org/robots.txt",
        "http://again.example.org/robots.txt",
        "http://resource.example.org/robots.txt",
    ];
    assert_eq!(urls("ingest_some_responses", &[]), robots);
    let all = [
        "http://www.example.org/",
        robots[0],
        "http://www.example.org/folder/robots.txt",
        "http://www.example.org/robots.txt?version=2",
        robots[1],
        robots[2],
    ];
    assert_eq!(urls("ingest_all_responses", &["--all-responses"]), all);
}

/// Tables have the same captures of an archive whatever the run that adds to them.
#[test]
fn an_archive_is_not_read_in_two_ways() {
    let archive = "crawl-data/SAMPLE-2024-10/segments/2/warc/SAMPLE-2024-10-00003.warc.gz";
    for (first, second, words) in [
        (&[archive][..], &[archive, "--all-responses"][..], ["without", "with"]),
        (&[archive, "--all-responses", ONE], &[archive], ["with", "without"]),
    ] {
        let folder = sample::folder(&format!("ingest_two_ways_{}", words[0]));
        ingest(&folder, &[&["-q"], first].concat()).exits_with(0);
        let before = files(&folder);
        let expected = format!(
            "input was planned differently: {archive}: {} --all-responses, but this run is {} --all-responses; use \
             another folder\n",
            words[0], words[1]
        );
        ingest(&folder, second).exits_with(2).prints("").complains(&expected);
        let refreshed = [second, &["--refresh"]].concat();
        ingest(&folder, &refreshed).exits_with(2).prints("").complains(&expected);
        ingest(&folder, &[&["-q"], first].concat()).exits_with(0).complains("");
        // Archives in a folder robotstxt are read in this way in any case.
        ingest(&folder, &["-q", ONE]).exits_with(0).complains("");
        ingest(&folder, &["-q", ONE, "--all-responses"]).exits_with(0).complains("");
        assert!(before.iter().all(|(path, bytes)| files(&folder)[path] == *bytes));
    }
}

#[test]
fn a_file_that_was_removed_is_made_again() {
    let folder = sample::ingested("ingest_removed");
    let before = files(&folder);
    let removed = folder.path().join("tables/rules/crawl=SAMPLE-2024-10/part-00000.parquet");
    fs::remove_file(&removed).expect("it can be removed");
    let expected = "file is missing: tables/rules/crawl=SAMPLE-2024-10/part-00000.parquet: the ledger has it; run robocensus ingest";
    folder.run(&["sql", "SELECT count(*) FROM rules"]).exits_with(2).complains_among_others(expected);
    // Without one of its inputs, the part would lose the rows of that input.
    let (there, away) = (folder.path().join(ONE), folder.path().join("away"));
    fs::rename(&there, &away).expect("it can be moved");
    ingest(&folder, &["-q", "crawl-data"]).exits_with(1);
    assert!(!removed.exists());
    fs::rename(&away, &there).expect("it can be moved");
    ingest(&folder, &["-q", "crawl-data"]).exits_with(1);
    assert_same_tables(&files(&folder), &before);
    // So is one that was cut, as by an incomplete restore.
    File::options().write(true).open(&removed).and_then(|file| file.set_len(100)).expect("a file can be cut");
    let cut = "file has another length: tables/rules/crawl=SAMPLE-2024-10/part-00000.parquet: it has 100 bytes, but ";
    let run = folder.run(&["check", "-q"]);
    run.exits_with(1).complains_among_others(cut).complains_among_others(" in the ledger; ingest makes it again\n");
    ingest(&folder, &["-q", "crawl-data"]).exits_with(1);
    assert_same_tables(&files(&folder), &before);
    folder.run(&["check", "-q"]).exits_with(0).complains("");
    // Derived tables, too.
    folder.run(&["models", "-q"]).exits_with(0);
    let removed = folder.path().join("tables/sites/crawl=SAMPLE-2024-10/part-00000.parquet");
    fs::remove_file(&removed).expect("it can be removed");
    folder.run(&["models", "-q"]).exits_with(0);
    folder.run(&["check", "-q"]).exits_with(0).complains("");
}

#[test]
fn keep_text_stores_texts() {
    let folder = sample::folder("ingest_text");
    ingest(&folder, &["-q", "crawl-data", "--keep-text"]).exits_with(1).complains(DAMAGED);
    let bodies = sample::lines(&folder.path().join(OUT), &tables()[1]);
    let expected = &sample::expected()["bodies"];
    assert_eq!(bodies.len(), expected.len());
    for (with, without) in bodies.iter().zip(expected).skip(1) {
        // The last column but one: texts may have commas, but crawls have none.
        let (without, crawl) = without.rsplit_once(",,").expect("a text that is null");
        let text = with.strip_prefix(without).and_then(|with| with.strip_suffix(crawl)).expect("all else is the same");
        assert!(text.len() > 2, "{with}");
    }
    assert!(
        bodies.iter().any(|body| body.ends_with(r",User-agent: *\nDisallow: /twin\n,SAMPLE-2024-10")),
        "{bodies:#?}"
    );
    assert!(bodies.iter().any(|body| body.ends_with(r#","",SAMPLE-2024-10"#)), "the text of an empty body is empty");
    let expected = "tables were started differently: tables: with the text of bodies, but this run is without the text of bodies; \
                    use another folder\n";
    ingest(&folder, &["crawl-data"]).exits_with(2).prints("").complains(expected);
}
