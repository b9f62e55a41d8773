//! `robocensus sql` with little memory: what it says, and where it spills.

use crate::sample;
use crate::sql::ask;

#[test]
fn too_little_memory_is_reported() {
    let folder = sample::ingested("sql_memory");
    let statement = "SELECT count(*) FROM (SELECT a.value AS x FROM range(0, 300000) a JOIN range(0, 300000) b ON a.value % 7919 = b.value)";
    let few = ["--jobs", "2", "--memory", "16KiB"];
    let run = ask(&folder, statement, &few);
    run.exits_with(2).prints("").complains_among_others(SPILLS).complains_among_others(LIMIT);
    run.complains_among_others(
        "memory is short: statement: one thread works now, which takes longer; a larger --memory avoids it\n",
    );
    run.complains_among_others("; a larger --memory allows more; a statement over fewer crawls needs less");
    // Another session would lack what statements made.
    let run = ask(&folder, statement, &[&few[..], &["--read-write"]].concat());
    run.exits_with(2).prints("").complains_among_others(LIMIT);
    run.complains_among_others(
        "; a larger --memory allows more; --spill-all needs less, and so does a statement over fewer crawls",
    );
    assert!(!run.stderr.contains(SPILLS), "{run}");
    let sorted = "SELECT v FROM generate_series(1, 300000) AS s (v) ORDER BY v % 7, v";
    let run = ask(&folder, sorted, &["--jobs", "2", "--memory", "16KiB", "--spill-all"]);
    run.exits_with(2)
        .complains_among_others("; a larger --memory allows more; a statement over fewer crawls needs less");
}

const LIMIT: &str = "memory limit is reached: statement: ";
const SPILLS: &str =
    "memory is short: statement: all sorts and joins can spill now, which takes longer; a larger --memory avoids it\n";

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

/// Joins two lists that are both too long for a hash table in memory. The order of a remainder is not known.
fn long_join(columns: &str) -> String {
    format!(
        "SELECT count(*) AS pairs{columns} FROM generate_series(1, 600000) AS a (v) \
         JOIN generate_series(200000, 800000) AS b (v) ON a.v % 1000003 = b.v % 1000003"
    )
}

#[test]
fn a_join_spills() {
    let folder = sample::ingested("sql_spilling_joins");
    let few = ["--jobs", "2", "--memory", "12MiB", "--format", "csv"];
    let statement = &long_join("");
    ask(&folder, statement, &few).exits_with(0).prints("pairs\n400001\n").complains("");
    let plan = ask(&folder, &format!("EXPLAIN ANALYZE {statement}"), &few).stdout;
    let join = plan.split("SpillingHashJoinExec").nth(1).and_then(|rest| rest.split("spill_count=").nth(1));
    assert!(join.is_some_and(|count| !count.starts_with("0")), "{plan}");
}

/// Rows that wait in a bucket or for another thread have a file for each batch. This statement has 1,600.
#[test]
fn rows_that_wait_keep_no_file_open() {
    let folder = sample::ingested("sql_open_files").with("join.sql", long_join(""));
    let few = "--jobs 2 --memory 12MiB --format csv";
    let run = folder.bash(&format!("ulimit -n 64; exec robocensus sql --file join.sql {few}"));
    run.exits_with(0).prints("pairs\n400001\n").complains("");
}

/// With one thread, the rows of this join have the order of `b.v`, so that it does not spill at first.
#[test]
fn a_join_that_finds_too_little_memory_is_planned_so_that_it_spills() {
    let folder = sample::ingested("sql_joins_in_order");
    let (statement, answer) = (&long_join(", max(b.v) AS last"), "pairs,last\n400001,600000\n");
    let few = ["--jobs", "1", "--memory", "8MiB"];
    let few = [&few[..], &["--format", "csv"]].concat();
    ask(&folder, statement, &few).exits_with(0).prints(answer).complains(SPILLS);
    ask(&folder, statement, &[&few[..], &["--quiet"]].concat()).exits_with(0).prints(answer).complains("");
    ask(&folder, statement, &[&few[..], &["--spill-all"]].concat()).exits_with(0).prints(answer).complains("");
    for jobs in ["1", "2"] {
        let plan = ask(&folder, &format!("EXPLAIN {statement}"), &["--spill-all", "--jobs", jobs]).stdout;
        assert!(plan.contains("SpillingHashJoinExec"), "{plan}");
    }
    // The file is begun once.
    let out = ["--out", "pairs.csv"];
    ask(&folder, statement, &[&few[..], &out].concat()).exits_with(0).prints("").complains(SPILLS);
    assert_eq!(std::fs::read_to_string(folder.path().join("pairs.csv")).expect("it is written"), answer);
}

/// A sort needs room for two batches. With 8192 rows, each would have more than 1 MB.
#[test]
fn with_little_memory_wide_rows_are_sorted_in_small_batches() {
    let folder = sample::ingested("sql_wide_rows");
    let texts = "SELECT repeat(md5(CAST(v AS varchar)), 2) AS text FROM generate_series(1, 30000) AS s (v)";
    let few = ["--jobs", "2", "--memory", "8MiB", "--format", "csv"];
    let numbered =
        format!("SELECT max(n) AS n FROM (SELECT text, row_number() OVER (ORDER BY text) AS n FROM ({texts}))");
    ask(&folder, &numbered, &few).exits_with(0).prints("n\n30000\n").complains("");
    // Rows before a limit stay in memory at first.
    let limited = format!("SELECT count(text) AS texts FROM ({texts} ORDER BY text LIMIT 20000)");
    ask(&folder, &limited, &few).exits_with(0).prints("texts\n20000\n").complains(SPILLS);
    ask(&folder, &limited, &[&few[..], &["--spill-all"]].concat()).exits_with(0).prints("texts\n20000\n").complains("");
}

/// A ranking keeps only its first rows. These cannot spill, so a statement that finds too little memory sorts all rows.
#[test]
fn rankings_keep_their_first_rows_or_sort_all() {
    let folder = sample::ingested("sql_rankings");
    let ranked = "SELECT max(half) AS half, count(word) AS words, max(place) AS place FROM (SELECT *, row_number() OVER (PARTITION BY half ORDER BY word) AS place \
                  FROM (SELECT v % 2 AS half, md5(CAST(v AS varchar)) AS word FROM generate_series(1, 500000) AS s (v)) AS t) AS r \
                  WHERE place <= 200000";
    for (more, is_sorted) in [(&[][..], false), (&["--spill-all"], true)] {
        let plan = ask(&folder, &format!("EXPLAIN {ranked}"), more).stdout;
        assert_eq!(
            (plan.contains("PartitionedTopKExec"), plan.contains("SortExec")),
            (!is_sorted, is_sorted),
            "{plan}"
        );
    }
    let few = &["--jobs", "1", "--memory", "36MiB", "--format", "csv"];
    let answer = "half,words,place\n1,400000,200000\n";
    ask(&folder, ranked, few).exits_with(0).prints(answer).complains(SPILLS);
    ask(&folder, ranked, &[few, &["--spill-all"][..]].concat()).exits_with(0).prints(answer).complains("");
}

#[test]
fn a_missing_folder_for_temporary_files_is_reported_but_not_made() {
    let folder = sample::ingested("sql_temporary");
    folder.run_with(&[("TMPDIR", "none")], &["sql", "SELECT 1"]).exits_with(2).complains(
        "folder for temporary files cannot be read: none: no such file or directory (os error 2); TMPDIR names another, as \
         does --spill of query, sql, report and models\n",
    );
    assert!(!folder.path().join("none").exists());
}

/// Not after hours of reading. Without derived tables, nothing is spilled.
#[test]
fn ingest_needs_a_folder_for_temporary_files_before_it_reads() {
    let folder = sample::folder("ingest_temporary");
    let ingest = |models: &[&str]| {
        folder.run_with(&[("TMPDIR", "none")], &[&["ingest", "crawl-data", "--out", sample::OUT], models].concat())
    };
    ingest(&["--models", "latest"]).exits_with(2).prints("").complains(
        "folder for temporary files cannot be read: none: no such file or directory (os error 2); TMPDIR names another, as \
         does --spill of query, sql, report and models\n",
    );
    assert!(!folder.path().join(sample::OUT).exists());
    ingest(&[]).exits_with(1);
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
             --spill of query, sql, report and models\n"
        )
    };
    for spill in ["tables/spill", "tables", "link"] {
        folder.run(&["sql", "SELECT 1", "--spill", spill]).exits_with(2).prints("").complains(&refused(spill));
    }
    let run = folder.run_with(&[("TMPDIR", "tables/spill")], &["models", "tables"]);
    run.exits_with(2).complains(&refused("tables/spill"));
}
