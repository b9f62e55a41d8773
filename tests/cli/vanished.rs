//! Inputs that are missing when they are to be read, and exist again later.

use crate::archives;
use crate::hold::{Hold, READS_PIPES, empty_archive, empty_archive_message, stderr_of, wait_for_end};
use crate::run::TestFolder;
use crate::whole::Tables;
use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

/// Sets the time of a file to an hour of 1970.
fn touch(path: &Path, hour: u64) {
    let file = fs::File::options().append(true).open(path).expect("it can be opened");
    file.set_modified(UNIX_EPOCH + Duration::from_secs(hour * 3600)).expect("the time can be set");
}

#[test]
fn an_archive_that_vanishes_after_it_was_listed_is_reported() {
    let folder = TestFolder::new("an_archive_that_vanishes");
    archives::write(&folder, "SYNTH-2024-10", 4, 20);
    archives::write(&folder, "SYNTH-2024-18", 3, 2);
    // An archive of the largest part, which is done first.
    let held = folder.path().join(archives::path("SYNTH-2024-10", 4));
    empty_archive(&held);
    let ingest = ["ingest", "crawl-data", "--out", "tables", "--jobs", "1", "--quiet"];
    let empty = empty_archive_message(&archives::path("SYNTH-2024-10", 4));
    let name = archives::path("SYNTH-2024-18", 1);
    let (archive, aside) = (folder.path().join(&name), folder.path().join("aside"));
    touch(&archive, 2);
    folder.run(&["ingest", "crawl-data", "--out", "undisturbed", "--quiet"]).exits_with(1).complains(&empty);
    touch(&archive, 1);
    let whole = Tables::at(folder.path().join("undisturbed")).finished();
    // An empty archive has damage, but no damaged byte.
    folder.run(&["models", "undisturbed", "--quiet"]).exits_with(0);
    let read =
        folder.run(&["query", "what_was_read", "--tables", "undisturbed", "-f", "csv"]).exits_with(0).to_string();
    assert!(read.contains("\nSYNTH-2024-10,5,1,0,"), "{read}");

    let mut pipe = Hold::at(&held);
    let mut run = folder.command(&ingest).envs([READS_PIPES]).spawn().expect("the binary starts");
    pipe.wait_for(&mut run);
    fs::rename(&archive, &aside).expect("an archive can be moved");
    pipe.release();
    let ended = (wait_for_end(&mut run).code(), stderr_of(&mut run));
    drop(pipe);
    let missing = format!("{name}: it cannot be opened: no such file or directory (os error 2)\n");
    assert_eq!(ended, (Some(1), format!("{empty}input was not read: {missing}")));
    let tables = Tables::at(folder.path().join("tables"));
    let without = tables.finished();

    // A list still names the archive, so it is reported again. Nothing is made again.
    let list = [0, 1, 2].map(|number| archives::path("SYNTH-2024-18", number)).join("\n");
    let done = tables.done_files();
    let again = folder.run_with_stdin(&["ingest", "-", "--out", "tables", "--quiet"], list.as_bytes());
    again.exits_with(1).complains(&format!("{empty}input was not read: {missing}"));
    assert!(tables.done_files() == done, "a finished part was made again");
    tables.finished().assert_same(&without);

    // It was never read, so it may come back as another version.
    touch(&aside, 2);
    fs::rename(&aside, &archive).expect("an archive can be moved");
    folder.run(&ingest).exits_with(1).complains(&empty);
    tables.finished().assert_same(&whole);
    let now = tables.done_files();
    let is_first = |name: &String| name.contains("part-00000");
    assert!(done.iter().filter(|(name, _)| is_first(name)).all(|(name, stamp)| now.get(name) == Some(stamp)));
}

/// Its records may come from two versions, so none is kept. The other archives of its part are read again.
#[test]
fn an_archive_that_changes_while_it_is_read_is_left_out() {
    let folder = TestFolder::new("an_archive_that_changes");
    archives::write(&folder, "SYNTH-2024-10", 2, 5);
    let name = archives::path("SYNTH-2024-10", 2);
    let held = folder.path().join(&name);
    empty_archive(&held);
    let mut pipe = Hold::at(&held);
    let ingest = ["ingest", "crawl-data", "--out", "tables", "--jobs", "1", "--quiet"];
    let mut run = folder.command(&ingest).envs([READS_PIPES]).spawn().expect("the binary starts");
    pipe.wait_for_reader(&mut run);
    pipe.touch();
    pipe.release();
    let ended = (wait_for_end(&mut run).code(), stderr_of(&mut run));
    drop(pipe);
    let changed = format!("input was not read: {name}: it has changed while it was read\n");
    assert_eq!(ended, (Some(1), changed));
    let count = folder.run(&["sql", "--tables", "tables", "-f", "csv", "SELECT count(*) AS n FROM captures"]);
    count.exits_with(0).prints("n\n10\n");
}

/// If a file of tables is cut and an archive of its part is gone, only the user knows whether it will come back.
#[test]
fn a_part_with_a_cut_file_waits_for_its_archives() {
    let folder = TestFolder::new("cut_file_without_its_archive");
    archives::write(&folder, "SYNTH-2024-10", 2, 5);
    let (name, entry) = (archives::path("SYNTH-2024-10", 0), "tables/_robocensus/ledger/part-00000.json");
    let rules = "tables/rules/crawl=SYNTH-2024-10/part-00000.parquet";
    let [archive, aside, file] = [&name, "aside", rules].map(|name| folder.path().join(name));
    let ingest = ["ingest", "crawl-data/SYNTH-2024-10/robotstxt.paths.gz", "--out", "tables", "--quiet"];
    let check = ["check", "tables", "--quiet"];
    folder.run(&ingest).exits_with(0).complains("");
    let whole = fs::read(&file).expect("it exists");
    fs::rename(&archive, &aside).expect("an archive can be moved");

    let mut flipped = whole.clone();
    flipped[20] ^= 1;
    fs::write(&file, flipped).expect("it can be written");
    let again = format!("if you remove {entry}, ingest makes the part again");
    let name_here = format!("{name} (relative to where ingest was run)");
    let without = format!("; {again}, without the rows of archives that are gone");
    let changed = format!("{without}, such as {name_here}\n");
    folder.run(&check).exits_with(1).complains_among_others(&changed);

    fs::write(&file, &whole[..100]).expect("it can be written");
    let cut = format!("; ingest makes it again once all archives of the part exist, such as {name_here}{without}\n");
    folder.run(&check).exits_with(1).complains_among_others(&cut);
    let unread = "no such file or directory (os error 2)";
    let kept = format!(
        "input cannot be read any more: {name}: {unread}; but {rules} is missing or has another length; ingest makes \
         the part again once all its archives can be read; if they are gone for good, remove {entry}, and ingest makes \
         it without its rows\n"
    );
    folder.run(&ingest).exits_with(1).complains(&kept);
    fs::rename(&aside, &archive).expect("an archive can be moved");
    folder.run(&ingest).exits_with(0).complains("");
    folder.run(&check).exits_with(0).complains("");

    fs::remove_file(&archive).expect("an archive can be removed");
    fs::remove_file(&file).expect("it can be removed");
    folder.run(&check).exits_with(1).complains_among_others(&cut);
    folder.run(&ingest).exits_with(1).complains(&kept);
    fs::remove_file(folder.path().join(entry)).expect("it can be removed");
    let missing = format!("input was not read: {name}: it cannot be opened: {unread}\n");
    folder.run(&ingest).exits_with(1).complains(&missing);
    let count = folder.run(&["sql", "--tables", "tables", "-f", "csv", "SELECT count(*) AS n FROM captures"]);
    count.exits_with(0).prints("n\n5\n");
}

/// A part is made again when an archive of it arrives or changes. Without another of its archives, it would lose rows.
#[test]
fn rows_of_archives_that_are_gone_are_kept() {
    let folder = TestFolder::new("archives_that_are_gone");
    archives::write(&folder, "SYNTH-2024-10", 4, 5);
    let list = "crawl-data/SYNTH-2024-10/robotstxt.paths.gz";
    folder.run(&["ingest", list, "--out", "undisturbed"]).exits_with(0);
    let names = [0, 1, 2, 3].map(|number| archives::path("SYNTH-2024-10", number));
    let rename = |from: &str, to: &str| {
        fs::rename(folder.path().join(from), folder.path().join(to)).expect("an archive can be moved");
    };
    let aside = ["aside-0", "aside-1", "aside-2", "aside-3"];
    let take_away = |at: usize| rename(&names[at], aside[at]);
    let bring_back = |at: usize| rename(aside[at], &names[at]);
    let missing = "no such file or directory (os error 2)";
    let unread = |at: usize| format!("input was not read: {}: it cannot be opened: {missing}\n", names[at]);
    let again = |at: usize| {
        format!("input was not read again: {}: another input of its part cannot be read any more\n", names[at])
    };
    let captures = |expected: u32| {
        let count = folder.run(&["sql", "--tables", "tables", "-f", "csv", "SELECT count(*) AS n FROM captures"]);
        count.exits_with(0).prints(&format!("n\n{expected}\n"));
    };
    let ingest = ["ingest", list, "--out", "tables", "--quiet"];

    take_away(2);
    take_away(3);
    folder.run(&ingest).exits_with(1).complains(&format!("{}{}", unread(2), unread(3)));
    captures(10);
    let tables = Tables::at(folder.path().join("tables"));
    let done = tables.done_files();
    // As in a download in batches: the next archives take the place of those that were read.
    bring_back(2);
    bring_back(3);
    take_away(0);
    take_away(1);
    let both = format!(
        "input cannot be read any more: {}: {missing}; nor can another input of its part; the tables keep their rows\n",
        names[0]
    );
    let kept = format!("{both}{}{}", again(2), again(3));
    for _ in 0..2 {
        folder.run(&ingest).exits_with(1).complains(&kept);
    }
    folder.run(&["ingest", list, "--out", "tables"]).complains_among_others("tables: no part was finished\n");
    archives::write(&folder, "SYNTH-2024-18", 1, 5);
    let other = ["ingest", "crawl-data/SYNTH-2024-18", "--out", "tables", "--quiet"];
    folder.run(&other).exits_with(1).complains(&kept);
    captures(15);
    assert!(done.iter().all(|(name, stamp)| tables.done_files().get(name) == Some(stamp)), "a part was made again");
    let outdated = format!(
        "part is not done: tables/_robocensus/ledger/part-00000.json: {} has changed since it was read, but {} (relative to \
         where ingest was run) is gone; once it exists again, ingest continues from here\n",
        names[2], names[0]
    );
    folder.run(&["check", "tables", "--quick", "--quiet"]).exits_with(1).complains(&outdated);

    // A folder in place of an archive: the others are not read for nothing.
    bring_back(0);
    fs::create_dir(folder.path().join(&names[1])).expect("a folder can be made");
    let a_folder = "it is a folder, not a file";
    let kept = format!("input cannot be read any more: {}: {a_folder}; the tables keep its rows\n", names[1]);
    let others = format!("input is not a file: {}: {a_folder}\n{kept}{}{}", names[1], again(2), again(3));
    folder.run(&ingest).exits_with(1).complains(&others);
    folder.run(&["ingest", list, "--out", "tables"]).complains_among_others("tables: no part was finished\n");
    captures(15);
    fs::remove_dir(folder.path().join(&names[1])).expect("a folder can be removed");
    bring_back(1);
    folder.run(&ingest).exits_with(0).complains("");
    folder.run(&["check", "tables", "--quick", "--quiet"]).exits_with(0).complains("");
    folder.run(&["ingest", "crawl-data/SYNTH-2024-18", "--out", "undisturbed", "--quiet"]).exits_with(0);
    tables.finished().assert_same(&Tables::at(folder.path().join("undisturbed")).finished());

    // An archive has changed, and another is gone.
    touch(&folder.path().join(&names[0]), 0);
    take_away(1);
    let gone = format!("input cannot be read any more: {}: {missing}; the tables keep its rows\n", names[1]);
    let refresh = ["ingest", "crawl-data", "--out", "tables", "--quiet", "--refresh"];
    folder.run(&refresh).exits_with(1).complains(&format!("{gone}{}", again(0)));
    captures(25);
    let unfinished =
        "tables are unfinished: tables: 1 part of the archives is not read yet; run the same robocensus ingest again\n";
    folder.run(&["sql", "--tables", "tables", "SELECT 1 AS n"]).exits_with(0).complains(unfinished);
    bring_back(1);
    folder.run(&refresh).exits_with(0).complains("");
    captures(25);
}
