//! On the sample, every question has the answer in `queries/expected`. On real crawls, every question runs without an
//! error.
//!
//! Every run asks all questions about the sample once. Tests with other joins or tables ask every twelfth question,
//! unless `ROBOCENSUS_FULL` is set.

use crate::run::TestFolder;
use crate::{archives, rendering, sample};
use analyze::queries::{self, Query, QueryKind};
use analyze::{Session, SessionOptions};
use committed::full::{is_full_or_skipped, step};
use datafusion::arrow::array::{Array as _, RecordBatch};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::util::display::array_value_to_string;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The folder of the expected answers.
pub(crate) fn expected_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("queries/expected")
}

pub(crate) fn all(kind: QueryKind) -> Vec<Query> {
    queries::all(kind).unwrap_or_else(|failure| panic!("{failure}"))
}

/// The tables of the sample with the derived tables, made once.
pub(crate) fn modelled() -> &'static Path {
    static BASE: OnceLock<TestFolder> = OnceLock::new();
    let folder = BASE.get_or_init(|| {
        let folder = sample::folder("modelled");
        folder.run(&["ingest", "crawl-data", "--out", sample::OUT, "--models", "latest"]).exits_with(1);
        folder
    });
    static OUT: OnceLock<PathBuf> = OnceLock::new();
    OUT.get_or_init(|| folder.path().join(sample::OUT))
}

/// The path of these tables, as an argument.
pub(crate) fn sample_tables() -> &'static str {
    modelled().to_str().expect("the path is UTF-8")
}

/// A fresh folder with a copy of these tables.
pub(crate) fn copied(test: &str) -> TestFolder {
    let folder = TestFolder::new(test);
    sample::copy(modelled(), &folder.path().join(sample::OUT));
    folder
}

pub(crate) fn wait<T>(work: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().expect("threads can be started");
    runtime.block_on(work)
}

/// The text of null, so that it differs from the empty text.
pub(crate) const NULL: &str = "null";

/// The rows of an answer as texts.
pub(crate) fn texts<const COLUMNS: usize>(batches: &[RecordBatch]) -> Vec<[String; COLUMNS]> {
    let rows = batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |row| (batch, row)));
    rows.map(|(batch, row)| {
        std::array::from_fn(|column| {
            let column = batch.column(column);
            if column.is_null(row) {
                NULL.to_owned()
            } else {
                array_value_to_string(column, row).expect("it is a value")
            }
        })
    })
    .collect()
}

/// The answer of a query with these values of parameters, and defaults for the others.
pub(crate) async fn answer(
    session: &Session,
    query: &Query,
    typed: &[(&str, &str)],
) -> Result<(SchemaRef, Vec<RecordBatch>), String> {
    let views = all(QueryKind::View);
    let typed: BTreeMap<String, String> =
        typed.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let values = query.values(&views, &typed).map_err(|failure| failure.to_string())?;
    let statement = query.statement(&views, &values).map_err(|failure| failure.to_string())?;
    let frame = session.answer(statement.into()).await.map_err(|error| error.strip_backtrace())?;
    let schema = SchemaRef::new(frame.schema().as_arrow().clone());
    let batches = frame.collect().await.map_err(|error| error.strip_backtrace())?;
    Ok((schema, batches))
}

fn rendered((schema, batches): &(SchemaRef, Vec<RecordBatch>)) -> String {
    let mut lines = vec![rendering::header(schema)];
    lines.extend(batches.iter().flat_map(rendering::lines));
    lines.join("\n") + "\n"
}

/// A column whose type is not used in the tables. Other engines may not read it.
fn column_of_another_type(schema: &SchemaRef) -> Option<String> {
    use datafusion::arrow::datatypes::{DataType, TimeUnit};
    let is_known = |data_type: &DataType| match data_type {
        DataType::Utf8 | DataType::Boolean | DataType::Int32 | DataType::Int64 | DataType::Float64 => true,
        DataType::Timestamp(TimeUnit::Millisecond, Some(zone)) => &**zone == "UTC",
        _ => false,
    };
    let column = schema.fields().iter().find(|field| !is_known(field.data_type()))?;
    Some(format!("column {} is of type {}", column.name(), column.data_type()))
}

/// A count in a column of fractions. Counts are whole numbers in every format, unless weights are shared between sites.
fn fractional_count(question: &Query, schema: &SchemaRef) -> Option<String> {
    use datafusion::arrow::datatypes::DataType;
    // Quotients, and columns that measure in fractions.
    let is_fraction = |name: &str| {
        let starts = ["share", "mean", "ratio", "log_ratio", "coverage", "quantile", "change"];
        starts.iter().any(|start| name.starts_with(start)) || name == "seconds" || name.ends_with("_s")
    };
    let is_definition = |name: &str| {
        question.name == "definition_sensitivity" && !name.starts_with("sites") || name.starts_with("weight")
    };
    let found = schema.fields().iter().find(|field| {
        *field.data_type() == DataType::Float64 && !is_fraction(field.name()) && !is_definition(field.name())
    })?;
    Some(format!("column {} counts in fractions", found.name()))
}

/// An answer by strata has the column `stratum`, and no other answer has it.
fn wrong_strata(question: &Query, views: &[Query], schema: &SchemaRef) -> Option<String> {
    let has_strata = question.parameters(views).iter().any(|parameter| parameter.name == "by");
    match (has_strata, schema.column_with_name("stratum").is_some()) {
        (true, false) => Some("it has the parameter by, but no column stratum".to_owned()),
        (false, true) => Some("it has a column stratum, but no parameter by".to_owned()),
        _ => None,
    }
}

/// An answer that lists agents can be asked for some of them. Names that are no product tokens are no agents.
fn has_agents_without_a_choice(question: &Query, views: &[Query], schema: &SchemaRef) -> Option<String> {
    let can_choose = question.parameters(views).iter().any(|parameter| ["tokens", "agent"].contains(&&*parameter.name));
    let lists_agents = schema.column_with_name("agent").is_some() && question.name != "invalid_product_tokens";
    (lists_agents && !can_choose).then(|| "it has a column agent, but no parameter tokens".to_owned())
}

/// Compares whole answers, with the defaults of all parameters.
#[test]
fn the_sample_answers_as_expected() {
    answers_are_expected(&SessionOptions::default(), committed::is_blessed(), &all(QueryKind::Question));
}

/// With so little memory that everything spills, which one thread plans differently, and with the parts that parameters
/// exclude.
#[test]
fn the_sample_answers_the_same_with_little_memory_and_unfolded() {
    let unfolded = |question| Query { is_built_in: false, ..question };
    let questions: Vec<Query> = all(QueryKind::Question).into_iter().step_by(step(12)).map(unfolded).collect();
    let (one, others) = questions.split_at(questions.len() / 2);
    let options = SessionOptions { spills_all: true, memory_bytes: 4 << 20, ..SessionOptions::default() };
    answers_are_expected(&SessionOptions { jobs: NonZeroUsize::MIN, ..options.clone() }, false, one);
    answers_are_expected(&options, false, others);
}

/// If the tables have many parts, each thread has its own bodies, and plans that spill keep that.
#[test]
fn questions_over_many_parts_answer_the_same_with_little_memory() {
    let folder = TestFolder::new("questions_many_parts");
    archives::write(&folder, "SYNTH-2024-10", 160, 8);
    folder.run(&["ingest", "--models", "latest", "--quiet", "crawl-data", "--out", "tables"]).exits_with(0);
    let tables = folder.path().join("tables");
    // These unite joins with a list of agents in the order of bodies. The others are a sample.
    let chosen = ["longpre_levels", "parsing_defects"];
    let questions = all(QueryKind::Question).into_iter().enumerate();
    let questions = questions.filter(|(n, question)| chosen.contains(&&*question.name) || n % step(24) == 0);
    let options = SessionOptions { jobs: NonZeroUsize::new(2).expect("it is not zero"), ..SessionOptions::default() };
    let little = SessionOptions { spills_all: true, memory_bytes: 4 << 20, ..options.clone() };
    wait(async {
        let session = Session::open(&tables, &options).await.expect("the folder opens");
        let spilling = Session::open(&tables, &little).await.expect("the folder opens");
        for (_, question) in questions {
            let name = &question.name;
            let expected = answer(&session, &question, &[]).await.unwrap_or_else(|error| panic!("{name}: {error}"));
            let found = answer(&spilling, &question, &[]).await.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(rendered(&found), rendered(&expected), "{name}");
        }
    });
}

fn answers_are_expected(options: &SessionOptions, bless: bool, questions: &[Query]) {
    let views = all(QueryKind::View);
    let mut wrong = Vec::new();
    wait(async {
        let session = Session::open(modelled(), options).await.expect("the folder opens");
        for question in questions {
            let path = expected_folder().join(format!("{}.csv", question.name));
            match answer(&session, question, &[]).await {
                Err(error) => wrong.push(format!("{}: {error}", question.name)),
                Ok(found) => {
                    let fault = column_of_another_type(&found.0)
                        .or_else(|| fractional_count(question, &found.0))
                        .or_else(|| wrong_strata(question, &views, &found.0))
                        .or_else(|| has_agents_without_a_choice(question, &views, &found.0));
                    if let Some(fault) = fault {
                        wrong.push(format!("{}: {fault}", question.name));
                        continue;
                    }
                    let found = rendered(&found);
                    let expected = fs::read_to_string(&path).unwrap_or_default();
                    if bless && found != expected {
                        fs::write(&path, &found).expect("it can be written");
                    } else if found != expected {
                        wrong.push(format!("{}: expected\n{expected}\nfound\n{found}", question.name));
                    }
                }
            }
        }
    });
    assert!(wrong.is_empty(), "{}\nROBOCENSUS_BLESS=1 writes what was found", wrong.join("\n"));
}

/// Plans every choice of every parameter, one at a time; every thirtieth of all without `ROBOCENSUS_FULL`. Choices of a
/// view are planned in one question that reads it. Planning finds missing columns and wrong types.
#[test]
fn every_choice_can_be_planned() {
    let views = all(QueryKind::View);
    let mut wrong = Vec::new();
    wait(async {
        let session = Session::open(modelled(), &SessionOptions::default()).await.expect("the folder opens");
        let (mut seen, mut choices) = (BTreeSet::new(), 0_usize);
        for question in all(QueryKind::Question) {
            for parameter in question.parameters(&views) {
                let words = match &parameter.kind {
                    queries::ParameterKind::OneOf(words) => words.clone(),
                    // All together, and one by one.
                    queries::ParameterKind::SomeOf(words) => {
                        let others: Vec<&str> =
                            words.iter().map(String::as_str).filter(|word| *word != "none").collect();
                        [words.as_slice(), &[others.join(",")]].concat()
                    }
                    _ => continue,
                };
                // A parameter of a view is the same in all questions that read it.
                let is_own = question.header.parameters.iter().any(|own| own.name == parameter.name);
                if !is_own && !seen.insert(parameter.name.clone()) {
                    continue;
                }
                for word in &words {
                    choices += 1;
                    if !choices.is_multiple_of(step(30)) {
                        continue;
                    }
                    let typed = BTreeMap::from([(parameter.name.clone(), word.clone())]);
                    let statement = question.values(&views, &typed);
                    let statement = statement.and_then(|values| question.statement(&views, &values));
                    let statement = statement.unwrap_or_else(|failure| panic!("{failure}"));
                    let planned = async { session.answer(statement.into()).await?.into_optimized_plan() };
                    if let Err(error) = planned.await {
                        wrong.push(format!(
                            "{} --{} {word}: {}",
                            question.name,
                            parameter.name,
                            error.strip_backtrace()
                        ));
                    }
                }
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The keys and references in the dictionary are true for the tables of the sample.
#[test]
fn keys_and_references_of_the_dictionary_hold() {
    use tables::keys::{KEYS, REFERENCES, Reference};
    let mut wrong = Vec::new();
    wait(async {
        let session = Session::open(modelled(), &SessionOptions::default()).await.expect("the folder opens");
        let mut check = async |what: String, sql: String| {
            let rows = session.query(&sql).await.unwrap_or_else(|error| panic!("{sql}: {error}")).count().await;
            match rows.unwrap_or_else(|error| panic!("{sql}: {error}")) {
                0 => {}
                rows => wrong.push(format!("{what}: {rows} rows")),
            }
        };
        for (table, key) in KEYS {
            let key = key.join(", ");
            let sql = format!("SELECT crawl, {key} FROM {table} GROUP BY crawl, {key} HAVING count(*) > 1");
            check(format!("{table} by {key}"), sql).await;
        }
        for Reference { from, columns, to, to_columns, .. } in REFERENCES {
            let are_equal =
                columns.iter().zip(to_columns).map(|(a, b)| format!(" AND t.{b} = f.{a}")).collect::<String>();
            let are_there = columns.iter().map(|a| format!(" AND f.{a} IS NOT NULL")).collect::<String>();
            let sql = format!(
                "SELECT 1 AS one FROM {from} AS f LEFT JOIN (SELECT DISTINCT crawl, {} FROM {to}) AS t ON t.crawl = f.crawl{are_equal} \
                 WHERE t.crawl IS NULL{are_there}",
                to_columns.join(", ")
            );
            check(format!("{from} to {to}"), sql).await;
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// No check finds a contradiction in undamaged tables.
async fn no_check_finds_anything(tables: &Path, wrong: &mut Vec<String>) {
    let session = Session::open(tables, &SessionOptions::default()).await.expect("the folder opens");
    for check in all(QueryKind::Check) {
        match answer(&session, &check, &[]).await {
            Err(error) => wrong.push(format!("{}: {error}", check.name)),
            Ok(found) if found.1.iter().any(|batch| batch.num_rows() > 0) => {
                wrong.push(format!("{} has rows:\n{}", check.name, rendered(&found)));
            }
            Ok(_) => {}
        }
    }
}

#[test]
fn no_check_finds_anything_in_the_sample() {
    let mut wrong = Vec::new();
    wait(no_check_finds_anything(modelled(), &mut wrong));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The folder of real archives of this name. `None` if it is missing.
pub(crate) fn corpus(name: &str) -> Option<String> {
    let corpus = committed::variable("ROBOCENSUS_CORPUS")?;
    Some(PathBuf::from(corpus).join(name).to_string_lossy().into_owned())
}

/// Tables of awkward real files with the derived tables, made once.
pub(crate) fn awkward() -> Option<&'static Path> {
    static TABLES: OnceLock<Option<PathBuf>> = OnceLock::new();
    TABLES.get_or_init(|| ingested("small")).as_deref()
}

/// Tables of a crawl of real files.
fn ingested(name: &str) -> Option<PathBuf> {
    let archives = corpus(name)?;
    let folder = TestFolder::new(&format!("questions_{name}"));
    folder.run(&["ingest", &archives, "--out", sample::OUT, "--models", "latest", "--quiet"]).exits_with(0);
    Some(folder.path().join(sample::OUT))
}

/// Runs questions and checks over tables.
fn run_on(tables: &Path) {
    let mut wrong = Vec::new();
    wait(async {
        let session = Session::open(tables, &SessionOptions::default()).await.expect("the folder opens");
        for question in all(QueryKind::Question).into_iter().skip(step(4) - 1).step_by(step(12)) {
            if let Err(error) = answer(&session, &question, &[]).await {
                wrong.push(format!("{}: {error}", question.name));
            }
        }
        no_check_finds_anything(tables, &mut wrong).await;
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_question_runs_on_awkward_files() {
    if let Some(tables) = awkward() {
        run_on(tables);
    }
}

#[test]
fn every_question_runs_on_the_same_hosts_over_years() {
    if !is_full_or_skipped() {
        return;
    }
    let Some(tables) = ingested("years") else { return };
    run_on(&tables);
    let questions = all(QueryKind::Question);
    let curve =
        questions.iter().find(|question| question.name == "agent_adoption_curve").expect("there is such a question");
    let rows = wait(async {
        let session = Session::open(&tables, &SessionOptions::default()).await.expect("the folder opens");
        rendered(&answer(&session, curve, &[("tokens", "gptbot")]).await.expect("it is answered"))
    });
    // In the whole collection, 0, 0, 1.2 and 1.8 % of the captures with status 200 name GPTBot. In these hosts, which
    // are a part of it, 0.99 and 1.69 % do. The shares below are of sites whose file was read, with redirects followed.
    let shares: Vec<[&str; 3]> = (rows.lines().skip(1))
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|cells| [cells[0], cells[4], cells[5]])
        .collect();
    assert_eq!(
        shares,
        [
            ["LAB-GOV-2020-48", "0", "2929"],
            ["LAB-GOV-2023-11", "0", "3069"],
            ["LAB-GOV-2024-11", "32", "3153"],
            ["LAB-GOV-2025-09", "54", "3213"],
        ]
    );
}
