//! DuckDB and Polars, if `ROBOCENSUS_PYTHON` names a Python with these packages.

use super::{bare, compare, out, sample};
use crate::archives;
use crate::python::run_script;
use crate::questions::modelled;
use crate::run::TestFolder;
use arrow_schema::DataType;
use committed::full::is_full;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use tables::{Column, PARTITION, tables};

#[test]
fn duckdb_reads_the_tables() {
    check("duckdb", |column| {
        let null = match (column, column.is_nullable) {
            // The column of the path is not in the files.
            (column, _) if column.name == PARTITION.name => "",
            (_, true) => " null",
            (_, false) => " not null",
        };
        let name = match column.data_type {
            DataType::Utf8 => "VARCHAR",
            DataType::Boolean => "BOOLEAN",
            DataType::Int32 => "INTEGER",
            DataType::Int64 => "BIGINT",
            DataType::Float64 => "DOUBLE",
            DataType::Timestamp(..) => "TIMESTAMP WITH TIME ZONE",
            _ => "another type",
        };
        format!("{name}{null}")
    });
}

#[test]
fn polars_reads_the_tables() {
    check("polars", |column| {
        let name = match column.data_type {
            DataType::Utf8 => "String",
            DataType::Boolean => "Boolean",
            DataType::Int32 => "Int32",
            DataType::Int64 => "Int64",
            DataType::Float64 => "Float64",
            DataType::Timestamp(..) => "Datetime(time_unit='ms', time_zone='UTC')",
            _ => "another type",
        };
        name.to_owned()
    });
}

fn check(reader: &str, type_of: impl Fn(&Column) -> String) {
    if committed::variable("ROBOCENSUS_PYTHON").is_none() {
        return;
    }
    let check = |(folder, expected): (TestFolder, BTreeMap<&str, Vec<String>>)| {
        let read = folder.path().join("read");
        run_script("ROBOCENSUS_PYTHON", "tests/readers/read_back.py", &[Path::new(reader), &out(&folder), &read]);
        let lines = |table: &str, extension: &str| -> Vec<String> {
            let path = read.join(format!("{table}.{extension}"));
            let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            text.lines().map(str::to_owned).collect()
        };
        for table in tables() {
            let columns = table.columns.iter().chain([&PARTITION]);
            let types: Vec<String> = columns.map(|column| format!("{}: {}", column.name, type_of(column))).collect();
            assert_eq!(lines(table.name, "types"), types, "{reader}: {}", table.name);
            compare(reader, table.name, lines(table.name, "csv"), &expected[table.name]);
        }
    };
    check(sample(&format!("{reader}_sample")));
    check(bare(&format!("{reader}_bare")));
}

/// DuckDB returns the same rows in the same order. So the statements work in both engines, and a planning error of one
/// engine is found.
#[test]
fn duckdb_gives_the_same_answers() {
    same_answers("ROBOCENSUS_PYTHON", "tests/readers/questions.py");
}

#[test]
fn the_benchmark_of_questions_runs() {
    let options = ["--binary", env!("CARGO_BIN_EXE_robocensus"), "--rounds", "1", "--only", "status_codes"];
    let arguments: Vec<&Path> = [modelled()].into_iter().chain(options.map(Path::new)).collect();
    let printed = run_script("ROBOCENSUS_PYTHON", "benches/questions.py", &arguments);
    // It passes over a question that cannot be answered.
    assert!(printed.is_none_or(|printed| !printed.contains("needs a table")));
}

/// Spark 4 returns the same rows, too. It takes minutes, so this runs only if its variable is set.
#[test]
fn spark_gives_the_same_answers() {
    same_answers("ROBOCENSUS_SPARK", "tests/readers/spark.py");
}

/// Kills executors of a cluster while they make shards and while they compute answers. All results must be right.
#[test]
fn spark_gives_right_results_when_executors_are_lost() {
    let folder = TestFolder::new("spark_killed");
    archives::write(&folder, "SYNTH-2024-10", 96, 300);
    let [archives, work] = ["crawl-data", "."].map(|name| folder.path().join(name));
    let rounds = if is_full() { ["20", "50"] } else { ["2", "4"] };
    run_script(
        "ROBOCENSUS_SPARK",
        "tests/readers/spark_killed.py",
        &[Path::new(env!("CARGO_BIN_EXE_robocensus")), &archives, &work, Path::new(rounds[0]), Path::new(rounds[1])],
    );
}

/// The jobs for Kubernetes and AWS Batch are valid against their schemas.
#[test]
fn the_files_for_clusters_are_valid() {
    run_script("ROBOCENSUS_SPARK", "tests/readers/clusters.py", &[&root().join("docs/clusters")]);
}

/// `spark-submit` runs `census.py`, which makes tables, answers and a page. The page is the one that robocensus makes
/// alone, except for the line that names the engine.
#[test]
fn spark_takes_a_census() {
    let Some(python) = committed::variable("ROBOCENSUS_SPARK") else { return };
    let folder = TestFolder::new("spark_census");
    archives::write(&folder, "SYNTH-2024-10", 4, 50);
    let submit = |arguments: &[&str]| {
        let mut command = Command::new(Path::new(&python).with_file_name("spark-submit"));
        command.args(["--master", "local[2]", "--conf", "spark.ui.enabled=false", "--conf", "spark.log.level=ERROR"]);
        command.args(["--conf", "spark.sql.shuffle.partitions=2", "--conf", "spark.driver.host=127.0.0.1"]);
        command.arg(root().join("analyze/spark/census.py")).args(["--robocensus", env!("CARGO_BIN_EXE_robocensus")]);
        command.args(arguments).env("PYSPARK_PYTHON", &python);
        folder.run_by(command).exits_with(0).stdout.clone()
    };
    let made = submit(&["ingest", "crawl-data", "--shards", "2", "--out", "tables"]);
    assert!(made.contains("archives  4, of which 0 damaged"), "{made}");
    folder.run(&["check", "tables", "--quiet"]).exits_with(0).complains("");
    submit(&[
        "answer",
        "status_codes",
        "size_quantiles",
        "explicit_vs_wildcard",
        "--tables",
        "tables",
        "--out",
        "answers",
    ]);
    for name in ["status_codes", "size_quantiles", "explicit_vs_wildcard"] {
        let run = folder.run(&["query", name, "--tables", "tables", "--format", "csv", "--exact"]);
        run.exits_with(0).prints(&folder.read(&format!("answers/{name}.csv")));
    }
    let drawn = submit(&["report", "--tables", "tables", "--out", "drawn"]);
    assert!(drawn.contains("drawn/index.html: "), "{drawn}");
    folder.run(&["report", "tables", "--out", "alone"]).exits_with(0);
    let page = |name: &str| -> Vec<String> {
        let page = folder.read(&format!("{name}/index.html"));
        page.split("<dt>").filter(|piece| !piece.starts_with("Engine</dt>")).map(str::to_owned).collect()
    };
    assert!(page("drawn") == page("alone"), "the pages differ: {}", folder.path().display());
    assert!(folder.read("drawn/index.html").contains("; another engine answered "));
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares the answers of another engine.
fn same_answers(variable: &str, script: &str) {
    run_script(variable, script, &[Path::new(env!("CARGO_BIN_EXE_robocensus")), modelled()]);
}
