//! Tests the rows of steps, how often each is computed, and which rows and columns are computed.

use super::kept::KeptSteps;
use super::{execute, rows_read};
use crate::engine::dependencies::without_dependencies;
use datafusion::arrow::array::{AsArray as _, RecordBatch};
use datafusion::arrow::datatypes::{Float64Type, Int64Type};
use datafusion::error::Result;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::physical_plan::{collect, displayable};
use datafusion::prelude::{SessionConfig, SessionContext};
use guard::{Origin, guarded};
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};

/// The rows of a statement with this memory limit, and its plan.
fn run(sql: &str, memory_bytes: usize) -> Result<(Vec<RecordBatch>, String)> {
    runtime().block_on(run_in(&context(memory_bytes)?, &KeptSteps::default(), sql))
}

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("threads start")
}

fn context(memory_bytes: usize) -> Result<SessionContext> {
    let runtime = RuntimeEnvBuilder::new().with_memory_pool(Arc::new(FairSpillPool::new(memory_bytes)));
    let builder = SessionStateBuilder::new()
        .with_config(SessionConfig::new().with_target_partitions(2))
        .with_runtime_env(runtime.build_arc()?)
        .with_default_features();
    Ok(SessionContext::new_with_state(guarded(without_dependencies(builder), |_, _| Origin::Untrusted).build()))
}

async fn run_in(context: &SessionContext, kept: &KeptSteps, sql: &str) -> Result<(Vec<RecordBatch>, String)> {
    let plan = context.state().create_logical_plan(sql).await?;
    let plan = execute(plan, context, kept).await?.create_physical_plan().await?;
    let shown = displayable(plan.as_ref()).set_show_statistics(false).indent(true).to_string();
    Ok((collect(plan, context.task_ctx()).await?, shown))
}

fn number(sql: &str) -> i64 {
    let (batches, _) = run(sql, 1 << 30).unwrap_or_else(|error| panic!("{error}\n{sql}"));
    batches.iter().find(|batch| batch.num_rows() > 0).expect("a row").column(0).as_primitive::<Int64Type>().value(0)
}

fn plan(sql: &str) -> String {
    run(sql, 1 << 30).unwrap_or_else(|error| panic!("{error}\n{sql}")).1
}

/// Progress is shown by it.
#[test]
fn what_a_step_reads_counts_once() {
    let sql = "WITH counted AS (SELECT value % 10 AS one, count(*) AS n FROM range(0, 1000) GROUP BY value % 10),
        pairs AS (SELECT a.one, sum(b.n) AS n FROM counted AS a JOIN counted AS b ON a.one = b.one GROUP BY a.one)
        SELECT a.one, b.n, c.value FROM pairs AS a JOIN pairs AS b ON a.one = b.one JOIN range(0, 50) AS c ON c.value = a.n";
    runtime().block_on(async {
        let context = context(1 << 30).unwrap();
        let plan = context.state().create_logical_plan(sql).await.unwrap();
        let plan = execute(plan, &context, &KeptSteps::default()).await.unwrap().create_physical_plan().await.unwrap();
        assert!(displayable(plan.as_ref()).indent(true).to_string().contains("StepExec: pairs"));
        assert_eq!(rows_read(plan.as_ref()), 0);
        collect(Arc::clone(&plan), context.task_ctx()).await.unwrap();
        assert_eq!(rows_read(plan.as_ref()), 1050);
    });
}

/// Its rows differ from round to round, so it is no table. DataFusion refuses to read the rows of a round twice.
#[test]
fn a_step_within_a_recursive_query_is_not_shared() {
    let sql = "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL (
            WITH s AS (SELECT n + 1 AS n, count(*) AS rows FROM r GROUP BY n)
            SELECT a.n FROM s AS a JOIN s AS b ON a.n = b.n WHERE a.n < 6
        )) SELECT sum(n) FROM r";
    let error = run(sql, 1 << 30).expect_err("two readers").to_string();
    assert!(error.contains("Multiple recursive references"), "{error}");
    let within =
        "WITH s AS (WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r)
        SELECT (SELECT sum(n) FROM s) + (SELECT max(n) FROM s)";
    assert_eq!(number(within), 20);
}

#[test]
fn a_step_may_be_read_by_an_in_that_is_always_false() {
    let sql = "WITH w AS (SELECT value AS n, count(*) AS rows FROM range(0, 5) GROUP BY value)
        SELECT count(*) + (SELECT count(*) FROM w) + (SELECT max(n) FROM w) FROM range(0, 9)
        WHERE value IN (SELECT n FROM w WHERE 'a' = 'b')";
    assert_eq!(number(sql), 9);
}

#[test]
fn rows_of_a_step_stay_where_they_were_computed() {
    let counted = "WITH counted AS (SELECT value % 10 AS one, value % 3 AS other, count(*) AS n FROM range(0, 1000)
        GROUP BY value % 10, value % 3)";
    let read = |other: &str| {
        format!(
            "{counted} SELECT one, other, sum(n) FROM counted GROUP BY one, other
             UNION ALL SELECT one, {other}, max(n) FROM counted GROUP BY one, {other}"
        )
    };
    // Lines of the step itself start with a bar.
    let moves = |plan: &str| {
        plan.lines().filter(|line| !line.trim_start().starts_with('|') && line.contains("RepartitionExec")).count()
    };
    let kept = plan(&read("other"));
    assert!(kept.contains("StepExec") && moves(&kept) == 0, "{kept}");
    let moved = plan(&read("n"));
    assert_eq!(moves(&moved), 1, "{moved}");
}

/// Computed twice, the step would draw different random numbers.
#[test]
fn a_step_that_is_read_twice_is_computed_once() {
    let drawn = "WITH drawn AS (SELECT value, max(random()) AS number FROM range(0, 1000) GROUP BY value)";
    assert_eq!(
        number(&format!("{drawn} SELECT count(*) FROM drawn AS a JOIN drawn AS b ON a.number = b.number")),
        1000
    );
    let nested = format!(
        "{drawn}, halves AS (SELECT value % 2 AS half, sum(number) AS number FROM drawn GROUP BY value % 2),
         wholes AS (SELECT sum(number) AS number FROM drawn)
         SELECT count(*) FROM wholes JOIN (SELECT sum(number) AS number FROM halves) AS h
         ON abs(h.number - wholes.number) < 0.000001 CROSS JOIN halves"
    );
    assert_eq!(number(&nested), 2);
}

#[test]
fn a_step_in_a_subquery_is_the_same_step() {
    let sql = "WITH drawn AS (SELECT value, max(random()) AS number FROM range(0, 100) GROUP BY value)
               SELECT count(*) FROM drawn WHERE number IN (SELECT number FROM drawn WHERE value < 30)";
    assert_eq!(number(sql), 30);
}

#[test]
fn steps_that_differ_only_in_the_table_are_not_shared() {
    let sql = "WITH sums AS (WITH s AS (SELECT count(*) AS n FROM range(0, 5)) SELECT a.n + b.n AS n FROM s AS a CROSS JOIN s AS b),
               products AS (WITH s AS (SELECT count(*) AS n FROM range(0, 7)) SELECT a.n * b.n AS n FROM s AS a CROSS JOIN s AS b)
               SELECT sums.n * 100 + products.n FROM sums CROSS JOIN products";
    assert_eq!(number(sql), 1049);
    assert!(plan(sql).contains("s#2"), "{}", plan(sql));
}

#[test]
fn a_step_that_only_reads_is_not_stored() {
    let sql = "WITH low AS (SELECT value FROM range(0, 100) WHERE value < 10)
               SELECT count(*) FROM low AS a JOIN low AS b ON a.value = b.value";
    assert!(!plan(sql).contains("StepExec"), "{}", plan(sql));
    assert_eq!(number(sql), 10);
    let once = "WITH sums AS (SELECT value % 3 AS third, sum(value) AS total FROM range(0, 9) GROUP BY value % 3)
                SELECT count(*) FROM sums";
    assert!(!plan(once).contains("StepExec"), "{}", plan(once));
}

const SUMS: &str = "WITH sums AS (
    SELECT value % 10 AS digit, sum(value) AS total, min(value) AS least, max(value) AS most, count(*) AS n
    FROM range(0, 1000) GROUP BY value % 10
)";

#[test]
fn columns_that_nobody_reads_are_not_computed() {
    let plan = plan(&format!("{SUMS} SELECT a.total, b.least FROM sums AS a JOIN sums AS b ON a.digit = b.digit"));
    assert!(
        plan.contains("sum(") && plan.contains("min(") && !plan.contains("max(") && !plan.contains("count("),
        "{plan}"
    );
}

#[test]
fn rows_that_nobody_reads_are_not_stored() {
    let some = format!(
        "{SUMS} SELECT count(*) FROM (SELECT * FROM sums WHERE digit = 3) AS a
         CROSS JOIN (SELECT * FROM sums WHERE digit IN (5, 7) AND total > 0) AS b"
    );
    assert_eq!(number(&some), 2);
    let plan_of_some = plan(&some);
    let kept = plan_of_some.lines().find(|line| line.contains("| ") && line.contains("FilterExec")).unwrap_or_default();
    assert!(kept.contains(" OR "), "{plan_of_some}");
    let all = format!("{SUMS} SELECT count(*) FROM (SELECT * FROM sums WHERE digit = 3) AS a CROSS JOIN sums AS b");
    assert_eq!(number(&all), 10);
    assert!(!plan(&all).lines().any(|line| line.contains("| ") && line.contains("FilterExec")), "{}", plan(&all));
}

#[test]
fn rows_that_do_not_fit_into_memory_are_in_a_file() {
    let sql = "WITH wide AS (
                   SELECT value, row_number() OVER () AS place, repeat('robots', 20) AS text FROM range(0, 200000)
               )
               SELECT CAST(count(*) AS double), sum(CAST(a.value AS double)) FROM wide AS a WHERE a.place > 0
               UNION ALL
               SELECT CAST(count(*) AS double), sum(CAST(b.value AS double)) FROM wide AS b WHERE length(b.text) = 120";
    let rows = |memory_bytes| {
        let (batches, plan) = run(sql, memory_bytes).unwrap_or_else(|error| panic!("{error}"));
        assert!(plan.contains("StepExec: wide"), "{plan}");
        let column = |nth: usize| -> Vec<f64> {
            batches.iter().flat_map(|batch| batch.column(nth).as_primitive::<Float64Type>().values().to_vec()).collect()
        };
        (column(0), column(1))
    };
    let expected = (vec![200_000.0, 200_000.0], vec![19_999_900_000.0, 19_999_900_000.0]);
    assert_eq!(rows(1 << 30), expected);
    // The rows of the step take more: 24 MB of text.
    assert_eq!(rows(8 << 20), expected);
}

#[test]
fn all_readers_of_a_step_get_its_error() {
    let sql =
        "WITH broken AS (SELECT value, 1 / (value - value) AS none, count(*) AS n FROM range(0, 9) GROUP BY value)
               SELECT count(a.none) FROM broken AS a JOIN broken AS b ON a.none = b.none";
    let error = run(sql, 1 << 30).expect_err("it divides by zero");
    assert!(error.strip_backtrace().contains("Divide by zero"), "{error}");
}

#[test]
fn sides_of_a_union_are_cast_to_one_type() {
    let sql = "WITH both_sides AS (
                   SELECT 3 AS id, arrow_cast(0, 'Int32') AS port UNION ALL SELECT value, value + 0 FROM range(0, 2)
               ),
               counted AS (SELECT port, count(*) AS n FROM both_sides GROUP BY port)
               SELECT sum(a.port) FROM counted AS a JOIN counted AS b ON a.port = b.port";
    assert_eq!(number(sql), 1);
}

/// Computed again, the step would draw other random numbers.
#[test]
fn later_statements_read_the_rows_that_a_session_keeps() {
    let drawn = |limit: i64| {
        format!(
            "WITH drawn AS (SELECT value, max(random()) AS number FROM numbers WHERE value < {limit} GROUP BY value)"
        )
    };
    let runtime = runtime();
    let sums = |kept: &KeptSteps, limits: [i64; 2]| {
        let context = context(1 << 30).expect("a session");
        let sum = |sql: &str| {
            let (batches, shown) =
                runtime.block_on(run_in(&context, kept, sql)).unwrap_or_else(|error| panic!("{error}\n{sql}"));
            let sum = batches.iter().find(|batch| batch.num_rows() > 0).expect("a row").column(0);
            (sum.as_primitive::<Float64Type>().value(0), shown)
        };
        // A table function makes a new table for each statement.
        let numbers = "CREATE TABLE numbers AS SELECT value FROM range(0, 20000)";
        runtime.block_on(run_in(&context, kept, numbers)).expect("a table");
        let (first, shown) = sum(&format!("{} SELECT sum(number) FROM drawn", drawn(limits[0])));
        // Another reader needs another column, and has a condition.
        let (second, _) = sum(&format!("{} SELECT sum(number) FROM drawn WHERE value >= 0", drawn(limits[1])));
        (first, second, shown)
    };
    let are_equal = |one: f64, other: f64| (one - other).abs() < 1e-6;
    let keeping = || KeptSteps::new(&["drawn"]);

    let (first, second, shown) = sums(&keeping(), [20_000, 20_000]);
    assert!(are_equal(first, second), "{first} {second}");
    assert!(shown.contains("StepExec: drawn"), "{shown}");
    let (first, second, _) = sums(&keeping(), [20_000, 19_999]);
    assert!(!are_equal(first, second), "a step of other rows: {first} {second}");
    let (first, second, shown) = sums(&KeptSteps::default(), [20_000, 20_000]);
    assert!(!are_equal(first, second), "nothing is kept: {first} {second}");
    assert!(!shown.contains("StepExec"), "{shown}");
}

/// The step that is kept reads `counted` twice. When its rows are in a file, no row of `counted` is in memory.
#[test]
fn a_session_does_not_keep_what_a_kept_step_reads() {
    let runtime = runtime();
    let context = context(1 << 30).expect("a session");
    let kept = KeptSteps::new(&["doubled"]);
    let numbers = "CREATE TABLE numbers AS SELECT value FROM range(0, 20000)";
    runtime.block_on(run_in(&context, &kept, numbers)).expect("a table");
    let sql = "WITH counted AS (SELECT value, count(*) AS n FROM numbers GROUP BY value),
               doubled AS (SELECT a.value, a.n + b.n AS n FROM counted AS a JOIN counted AS b ON a.value = b.value)
               SELECT sum(n) FROM doubled";
    let (batches, shown) = runtime.block_on(run_in(&context, &kept, sql)).expect("an answer");
    assert_eq!(batches.iter().map(|batch| batch.column(0).as_primitive::<Int64Type>().value(0)).sum::<i64>(), 40_000);
    assert!(shown.contains("StepExec: doubled"), "{shown}");
    drop(batches);
    assert_eq!(context.runtime_env().memory_pool.reserved(), 0);
}

/// DataFusion joins such lists wrongly. A statement with a step that is read twice, or with a subquery, is simplified
/// before its optimizer runs.
#[test]
fn lists_are_not_joined() {
    let rows = "VALUES (1, 1, 1), (2, 2, 2), (3, 3, NULL), (4, NULL, 1)";
    let condition = "x IN (1, y) AND x NOT IN (1, 2)";
    let step = format!("WITH t AS (SELECT DISTINCT n, x, y FROM ({rows}) AS v (n, x, y)) SELECT count(*) FROM (");
    let subquery = format!("SELECT count(*) FROM (SELECT * FROM ({rows}) AS v (n, x, y) WHERE {condition} AND");
    assert_eq!(number(&format!("{step}SELECT n FROM t WHERE {condition} UNION ALL SELECT n FROM t WHERE n < 0)")), 0);
    assert_eq!(number(&format!("{subquery} EXISTS (SELECT 1 FROM range(0, 1)))")), 0);
    assert_eq!(number(&format!("{subquery} n IN (SELECT value FROM range(0, 5)))")), 0);
}
