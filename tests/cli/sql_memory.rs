//! `robocensus sql` with little memory: what it says, and where it spills.

use crate::sample;
use crate::sql::ask;

#[test]
fn too_little_memory_is_reported() {
    let folder = sample::ingested("sql_memory");
    let statement = "SELECT count(*) FROM (SELECT a.value AS x FROM range(0, 3000000) a JOIN range(0, 3000000) b ON a.value = b.value)";
    let run = ask(&folder, statement, &["--jobs", "2", "--memory", "1MiB"]);
    run.exits_with(2).prints("").complains_among_others("memory limit is reached: statement: ");
    run.complains_among_others(
        "; a larger --memory allows more; query and sql need less with --sort-joins, or over one crawl",
    );
    let sorted = "SELECT v FROM generate_series(1, 3000000) AS s (v) ORDER BY v % 7, v";
    let run = ask(&folder, sorted, &["--jobs", "2", "--memory", "1MiB", "--sort-joins"]);
    run.exits_with(2).complains_among_others("; a larger --memory allows more; a statement over one crawl needs less");
}

/// DataFusion 55.2 can wait forever if two threads spill rows for another thread to one file (apache/datafusion#24883).
/// One in a few such statements did.
#[test]
fn spilling_with_little_memory_ends() {
    const STATEMENTS: usize = 6;
    let make = "SET datafusion.execution.batch_size = 64; \
                CREATE TABLE words AS SELECT v % 13 AS g, md5(CAST(v % 337 AS varchar)) AS word FROM generate_series(1, 40000) AS s (v);";
    let count = "SELECT g, count(DISTINCT word) AS n FROM words GROUP BY g;".repeat(STATEMENTS);
    let folder = sample::ingested("sql_spilling").with("spilling.sql", format!("{make}{count}"));
    let options = ["--file", "spilling.sql", "--read-write", "--jobs", "2", "--memory", "3MiB", "--format", "csv"];
    let run = folder.run(&[&["sql"], &options[..]].concat());
    run.exits_with(0).complains("");
    assert_eq!(run.stdout.matches(",337\n").count(), STATEMENTS * 13, "{run}");
}

/// Joins two lists that are both too long for a hash table in memory.
#[test]
fn sort_joins_take_less_memory() {
    let folder = sample::ingested("sql_sorted_joins");
    let statement = "SELECT count(*) AS pairs FROM generate_series(1, 3000000) AS a (v) \
                     JOIN generate_series(1000000, 4000000) AS b (v) ON a.v = b.v";
    let few = ["--jobs", "2", "--memory", "48MiB"];
    let run = ask(&folder, statement, &few);
    run.exits_with(2)
        .complains_among_others("memory limit is reached: statement: ")
        .complains_among_others("--sort-joins");
    let run = ask(&folder, statement, &[&few[..], &["--sort-joins", "--format", "csv"]].concat());
    run.exits_with(0).prints("pairs\n2000001\n");
}

/// A ranking keeps only its first rows. These cannot spill, so a statement that must spare memory sorts all rows.
#[test]
fn rankings_keep_their_first_rows_or_sort_all() {
    let folder = sample::ingested("sql_rankings");
    let ranked = "SELECT max(half) AS half, count(word) AS words, max(place) AS place FROM (SELECT *, row_number() OVER (PARTITION BY half ORDER BY word) AS place \
                  FROM (SELECT v % 2 AS half, md5(CAST(v AS varchar)) AS word FROM generate_series(1, 500000) AS s (v)) AS t) AS r \
                  WHERE place <= 200000";
    for (more, is_sorted) in [(&[][..], false), (&["--sort-joins"], true)] {
        let plan = ask(&folder, &format!("EXPLAIN {ranked}"), more).stdout;
        assert_eq!(
            (plan.contains("PartitionedTopKExec"), plan.contains("SortExec")),
            (!is_sorted, is_sorted),
            "{plan}"
        );
    }
    let few = &["--jobs", "2", "--memory", "36MiB", "--format", "csv"];
    ask(&folder, ranked, few).exits_with(2).complains_among_others("memory limit is reached: statement: ");
    ask(&folder, ranked, &[few, &["--sort-joins"][..]].concat())
        .exits_with(0)
        .prints("half,words,place\n1,400000,200000\n");
}

#[test]
fn a_missing_folder_for_temporary_files_is_reported_but_not_made() {
    let folder = sample::ingested("sql_temporary");
    folder.run_with(&[("TMPDIR", "none")], &["sql", "SELECT 1"]).exits_with(2).complains(
        "folder for temporary files cannot be read: none: no such file or directory (os error 2); TMPDIR names another, as \
         does --spill of query, sql and report\n",
    );
    assert!(!folder.path().join("none").exists());
}

/// Otherwise a statement would write there, and `check` would find what a killed process left.
#[test]
fn the_folder_for_temporary_files_is_outside_of_the_tables() {
    let folder = sample::ingested("sql_temporary_inside");
    std::fs::create_dir(folder.path().join("tables/spill")).expect("a folder can be made");
    std::os::unix::fs::symlink("tables/rules", folder.path().join("link")).expect("a link can be made");
    let refused = |path: &str| {
        format!(
            "folder for temporary files is refused: {path}: it is below the folder of tables; TMPDIR names another, as does \
             --spill of query, sql and report\n"
        )
    };
    for spill in ["tables/spill", "tables", "link"] {
        folder.run(&["sql", "SELECT 1", "--spill", spill]).exits_with(2).prints("").complains(&refused(spill));
    }
    let run = folder.run_with(&[("TMPDIR", "tables/spill")], &["models", "tables"]);
    run.exits_with(2).complains(&refused("tables/spill"));
}
