//! `robocensus catalog`: other engines count the same rows as our own engine, and the folder stays unchanged.

use crate::python::run_script;
use crate::questions::{copied, modelled};
use crate::run::TestFolder;
use crate::sample;
use committed::full::is_full;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A difficult name for a folder: quotes, glob patterns, escapes, the name of a column, and characters outside ASCII.
const ODD: &str = "it's \"odd\" [a-z]* 100%20 x=1 {b} é";

const KINDS: [&str; 5] = ["duckdb", "ducklake", "spark", "athena", "trino"];

/// Runs `tests/readers/catalog.py` over a folder with a difficult name, with the Python that a variable names.
#[track_caller]
fn check(what: &str, variable: &str) {
    if committed::variable(variable).is_none() {
        return;
    }
    let folder = TestFolder::new(&format!("catalog_{}", what.replace(',', "_")));
    let (tables, scratch) = (folder.path().join(ODD), folder.path().join("scratch"));
    sample::copy(modelled(), &tables);
    fs::create_dir(&scratch).expect("a folder can be made");
    let before = sample::files(&tables);
    let arguments = [Path::new(what), Path::new(env!("CARGO_BIN_EXE_robocensus")), &tables, &scratch];
    run_script(variable, "tests/readers/catalog.py", &arguments);
    assert_eq!(sample::files(&tables), before, "{what} changed the folder");
}

/// One process checks all of them, since each needs the same answers of our own engine. Without
/// `ROBOCENSUS_FULL`, it leaves out DuckLake, whose statements are DuckDB's, and Trino, whose views are Athena's.
#[test]
fn other_engines_have_the_tables() {
    let engines = if is_full() { "duckdb,ducklake,trino,athena,croissant" } else { "duckdb,athena,croissant" };
    check(engines, "ROBOCENSUS_CATALOGS");
}

/// Spark takes half a minute to start, so this runs only if its variable is set.
#[test]
fn spark_has_the_tables() {
    check("spark", "ROBOCENSUS_SPARK");
}

/// `catalog --for duckdb` prints the same script as the one in the folder.
#[test]
fn each_folder_has_the_script_for_duckdb() {
    let folder = copied("catalog_own");
    folder.run(&["models", "tables", "--quiet"]).exits_with(0);
    let own = folder.read(&format!("tables/{}", folder::VIEWS_FILE));
    folder.run(&["catalog", "tables", "--for", "duckdb"]).exits_with(0).prints(&own).complains("");
    let run =
        folder.run(&["catalog", "--tables", "tables", "--for", "duckdb", "--location", "s3://b/p/", "-o", "s3.sql"]);
    run.exits_with(0).prints("").complains("");
    assert!(folder.read("s3.sql").contains("\nSET VARIABLE tables = 's3://b/p';\n"));
}

/// Every table, column, list and view is defined, with its description.
#[test]
fn scripts_define_everything() {
    let folder = copied("catalog_whole");
    let views = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("queries/views")).expect("it can be listed");
    let views = views.map(|found| found.expect("it can be listed").path());
    let views: BTreeSet<_> = views.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    for kind in KINDS {
        let run = folder.run(&["catalog", "tables", "--for", kind, "--location", "s3://bucket/tables"]);
        let script = &run.exits_with(0).complains("").stdout;
        for table in tables::all() {
            assert!(script.contains(&format!("/{}/", table.name)) || kind == "spark", "{kind}: {}", table.name);
            assert!(script.contains(&format!("'{}'", table.grain)), "{kind}: {}", table.name);
            for column in &table.columns {
                let quoted = ["''", "\\'"].map(|quote| column.description.replace('\'', quote));
                let is_there = quoted.iter().any(|text| script.contains(text));
                assert!(is_there, "{kind}: {}.{}", table.name, column.name);
            }
        }
        let lists = ["agents", "templates", "ranks", "weights", "categories"].map(str::to_owned);
        for view in views.iter().chain(&lists) {
            let quoted = [format!("`{view}`"), format!("\"{view}\""), format!("VIEW {view} ")];
            assert!(quoted.iter().any(|name| script.contains(name)), "{kind}: {view}");
        }
    }
}

#[test]
fn croissant_has_the_digest_of_each_file() {
    let folder = copied("catalog_croissant");
    let run = folder.run(&["catalog", "tables", "--for", "croissant", "--location", "https://example.org/robots/"]);
    run.exits_with(0).complains(
        "description is incomplete: croissant: the standard requires license, url, creator, datePublished; give \
         --license, --url, --person or --organization, and --published\n",
    );
    let description: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let distribution = description["distribution"].as_array().expect("it is a list");
    let objects = distribution.iter().filter(|one| one["@type"] == "cr:FileObject");
    let described: BTreeSet<(String, String, String)> = objects
        .map(|object| {
            ["contentUrl", "sha256", "contentSize"].map(|name| object[name].as_str().unwrap_or("").to_owned())
        })
        .map(|[url, sha256, size]| (url, sha256, size))
        .collect();
    let files = sample::files(&folder.path().join("tables"));
    let expected = files.into_iter().map(|(path, bytes)| {
        let sha256: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        (format!("https://example.org/robots/{}", path.display()), sha256, format!("{} B", bytes.len()))
    });
    assert_eq!(described, expected.collect());
    for property in ["license", "url", "creator", "datePublished", "citeAs"] {
        assert!(description.get(property).is_none(), "{property} is made up");
    }
    folder.run(&["catalog", "tables", "--for", "croissant", "--quiet"]).exits_with(0).complains("");
}

#[test]
fn invalid_catalog_requests_are_reported() {
    let folder = copied("catalog_failures").with("agents.csv", "token,operator,tracked\nA\u{202e}Bot,B,true\n");
    fs::create_dir(folder.path().join("empty")).expect("a folder can be made");
    let check = |arguments: &[&str], expected: &str| {
        folder.run(&[&["catalog"], arguments].concat()).exits_with(2).prints("").complains_among_others(expected);
    };
    check(&["tables"], "required arguments were not provided");
    check(&["tables", "--for", "oracle"], "invalid value 'oracle'");
    check(&["missing", "--for", "trino"], "folder cannot be read: missing: no such file");
    check(&["empty", "--for", "trino"], "folder has no tables: empty: it has none of the folders of tables");
    check(&["tables", "--for", "athena"], "Athena reads nothing else; give --location s3://BUCKET/PREFIX");
    check(&["tables", "--for", "trino", "--location", "there"], "a location is a URL");
    for kind in ["duckdb", "ducklake", "spark", "athena", "trino"] {
        check(
            &["tables", "--for", kind, "--location", "HTTPS://example.org/t"],
            "an HTTP server cannot list its files",
        );
    }
    check(&["tables", "--for", "spark", "--database", "a`b"], "a database name starts with a letter");
    check(&["tables", "--for", "duckdb", "--database", "a"], "option does not fit: --database: ");
    check(
        &["tables", "--for", "spark", "--license", "https://a.example/"],
        "only --for croissant describes the dataset",
    );
    check(&["tables", "--for", "croissant", "--agents", "agents.csv"], "option does not fit: --agents: ");
    check(&["tables", "--for", "croissant", "--published", "today"], "a date is YYYY-MM-DD");
    check(&["tables", "--for", "trino", "--agents", "agents.csv"], "script cannot be printed: tables: ");
    check(&["tables", "--for", "duckdb", "--out", "tables/own.sql"], "file cannot be written: tables/own.sql: ");
}
