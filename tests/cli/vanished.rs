//! Inputs that are missing when they are to be read, and exist again later.

use crate::archives;
use crate::hold::{Hold, READS_PIPES, empty_archive, empty_archive_message, stderr_of, wait_for_end};
use crate::run::TestFolder;
use crate::whole::Tables;
use std::fs;

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
    folder.run(&["ingest", "crawl-data", "--out", "undisturbed", "--quiet"]).exits_with(1).complains(&empty);
    let whole = Tables::at(folder.path().join("undisturbed")).finished();
    // An empty archive has damage, but no damaged byte.
    folder.run(&["models", "undisturbed", "--quiet"]).exits_with(0);
    let read =
        folder.run(&["query", "what_was_read", "--tables", "undisturbed", "-f", "csv"]).exits_with(0).to_string();
    assert!(read.contains("\nSYNTH-2024-10,5,1,0,"), "{read}");

    let mut pipe = Hold::at(&held);
    let mut run = folder.command(&ingest).envs([READS_PIPES]).spawn().expect("the binary starts");
    pipe.wait_for(&mut run);
    let name = archives::path("SYNTH-2024-18", 1);
    let (archive, aside) = (folder.path().join(&name), folder.path().join("aside"));
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

#[test]
fn a_missing_archive_of_a_list_is_read_once_it_exists() {
    let folder = TestFolder::new("an_archive_that_a_list_names");
    archives::write(&folder, "SYNTH-2024-10", 3, 2);
    let list = "crawl-data/SYNTH-2024-10/robotstxt.paths.gz";
    let ingest = ["ingest", list, "--out", "tables", "--quiet"];
    folder.run(&["ingest", list, "--out", "undisturbed"]).exits_with(0);
    let name = archives::path("SYNTH-2024-10", 2);
    let (archive, aside) = (folder.path().join(&name), folder.path().join("aside"));
    fs::rename(&archive, &aside).expect("an archive can be moved");
    let missing = "it cannot be opened: no such file or directory (os error 2)";
    folder.run(&ingest).exits_with(1).complains(&format!("input was not read: {name}: {missing}\n"));
    fs::rename(&aside, &archive).expect("an archive can be moved");
    folder.run(&ingest).exits_with(0).complains("");
    let whole = Tables::at(folder.path().join("undisturbed")).finished();
    Tables::at(folder.path().join("tables")).finished().assert_same(&whole);
}
