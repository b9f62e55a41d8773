use crate::engine::physical_rules::{physical_rules, spilling_rules};
use crate::engine::shared_pool::SharedPool;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
use datafusion::physical_plan::{ExecutionPlan, collect, displayable};
use datafusion::prelude::{SessionConfig, SessionContext};
use std::sync::Arc;

type Rules = Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>>;

/// A session in which no threads share a side of a join.
fn context(rules: Rules, bytes: usize, partitions: usize) -> SessionContext {
    let runtime = RuntimeEnvBuilder::new().with_memory_pool(Arc::new(SharedPool::new(bytes, partitions)));
    let mut config = SessionConfig::new().with_target_partitions(partitions).with_batch_size(100);
    config.options_mut().optimizer.hash_join_single_partition_threshold = 0;
    config.options_mut().optimizer.hash_join_single_partition_threshold_rows = 0;
    config.options_mut().optimizer.enable_join_dynamic_filter_pushdown = false;
    config.options_mut().execution.sort_spill_reservation_bytes = 0;
    let state = SessionStateBuilder::new()
        .with_default_features()
        .with_config(config)
        .with_runtime_env(runtime.build_arc().unwrap())
        .with_physical_optimizer_rules(rules);
    SessionContext::new_with_state(state.build())
}

/// How many files a plan has spilled.
fn spilled(plan: &dyn ExecutionPlan) -> usize {
    let own = plan.name().ends_with("HashJoinExec").then(|| plan.metrics()?.spill_count()).flatten();
    own.unwrap_or(0) + plan.children().into_iter().map(|child| spilled(child.as_ref())).sum::<usize>()
}

/// The rows of an answer in an order of their own, the plan, and how many files its joins spilled.
async fn answer(context: &SessionContext, sql: &str) -> (Vec<String>, String, usize) {
    let plan = context.sql(sql).await.unwrap().create_physical_plan().await.unwrap();
    let rows = collect(Arc::clone(&plan), context.task_ctx()).await.unwrap();
    let mut lines: Vec<_> = pretty_format_batches(&rows).unwrap().to_string().lines().map(str::to_owned).collect();
    lines.sort();
    (lines, displayable(plan.as_ref()).indent(false).to_string(), spilled(plan.as_ref()))
}

/// Keys of two columns. Some are null, and many are equal.
const MANY: &str =
    "(SELECT nullif(value % 200, 5) AS k, concat('t', value % 11) AS t, value % 9999 AS n FROM range(0, 3000)) AS a";
const FEWER: &str =
    "(SELECT nullif(value % 300, 5) AS k, concat('t', value % 11) AS t, value % 9999 AS n FROM range(3, 1500)) AS b";

const ENOUGH: usize = 1 << 30;
const LITTLE: usize = 60_000;

#[tokio::test]
async fn a_join_that_spills_has_the_same_rows() {
    for kind in ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN", "RIGHT SEMI JOIN"]
    {
        for (left, right) in [(MANY, FEWER), (FEWER, MANY)] {
            for condition in ["", " AND a.n < b.n"] {
                let columns = match kind {
                    "RIGHT SEMI JOIN" => {
                        if right == MANY {
                            "a.n, a.k"
                        } else {
                            "b.n, b.k"
                        }
                    }
                    kind if kind.ends_with("I JOIN") => {
                        if left == MANY {
                            "a.n, a.k"
                        } else {
                            "b.n, b.k"
                        }
                    }
                    _ => "b.n, a.k, a.n, b.t",
                };
                let sql = format!("SELECT {columns} FROM {left} {kind} {right} ON a.k = b.k AND a.t = b.t{condition}");
                // With one thread, joins have another mode.
                let partitions = if condition.is_empty() { 1 } else { 2 };
                let (expected, plan, _) =
                    answer(&context(PhysicalOptimizer::new().rules, ENOUGH, partitions), &sql).await;
                assert!(plan.starts_with("HashJoinExec"), "{plan}");
                let (rows, plan, files) = answer(&context(physical_rules(), ENOUGH, partitions), &sql).await;
                assert!(plan.contains("SpillingHashJoinExec"), "{plan}");
                assert_eq!((&rows, files), (&expected, 0), "{sql}");
                let (rows, _, files) = answer(&context(physical_rules(), LITTLE, partitions), &sql).await;
                assert!(rows == expected && files > 0, "{files} files, {partitions}: {sql}");
            }
        }
    }
}

/// DataFusion marks the rows of the first side that have a match.
#[tokio::test]
async fn a_join_that_marks_rows_spills() {
    for (rows, other) in [(MANY, FEWER), (FEWER, MANY)] {
        let sql =
            format!("SELECT * FROM {rows} WHERE n < 9 OR EXISTS (SELECT 1 FROM {other} WHERE a.k = b.k AND a.t = b.t)");
        let (expected, plan, _) = answer(&context(physical_rules(), ENOUGH, 2), &sql).await;
        assert!(plan.contains("Mark"), "{plan}");
        let (found, _, files) = answer(&context(physical_rules(), LITTLE, 2), &sql).await;
        assert!(found == expected && files > 0, "{files}: {sql}");
    }
}

#[tokio::test]
async fn a_bucket_that_is_too_large_is_split_again() {
    let sql = format!("SELECT a.n, b.n FROM {MANY} FULL JOIN {FEWER} ON a.k = b.k AND a.t = b.t");
    let (expected, ..) = answer(&context(physical_rules(), ENOUGH, 2), &sql).await;
    let (rows, _, files) = answer(&context(physical_rules(), LITTLE, 2), &sql).await;
    let (rows_of_less, _, more_files) = answer(&context(physical_rules(), LITTLE / 4, 2), &sql).await;
    assert!(rows == expected && rows_of_less == expected);
    assert!(more_files > files, "{files}, {more_files}");
}

/// The rows of the join are in the order of one side, so that they need not be sorted.
#[tokio::test]
async fn a_join_in_order_spills_if_all_joins_do() {
    let (left, right) = (MANY.replace("3000", "9000"), FEWER.replace("1500", "9000"));
    let sql = format!(
        "SELECT b.n, a.n FROM {left} JOIN (SELECT * FROM {right} ORDER BY n LIMIT 8000) AS b \
         ON a.k = b.k AND a.t = b.t ORDER BY b.n"
    );
    for partitions in [1, 2] {
        let (expected, plan, files) = answer(&context(physical_rules(), ENOUGH, partitions), &sql).await;
        assert_eq!((plan.contains("SpillingHashJoinExec"), files), (false, 0), "{plan}");
        assert_eq!(plan.matches("SortExec").count(), 1, "{plan}");
        let (rows, plan, files) = answer(&context(spilling_rules(), 4 * LITTLE, partitions), &sql).await;
        assert!(rows == expected && files > 0, "{files} files, {partitions}: {plan}");
        assert_eq!(plan.matches("SortExec").count(), 2, "{plan}");
    }
}

/// A session in which threads share a side of a join. `many` and `fewer` are tables, whose sizes are known.
async fn sharing_context(rules: Rules, bytes: usize) -> SessionContext {
    let context = context(rules, bytes, 2);
    for (table, side) in [("many", MANY), ("fewer", FEWER)] {
        context.sql(&format!("CREATE TABLE {table} AS SELECT * FROM {side}")).await.unwrap();
    }
    context.state_ref().write().config_mut().options_mut().optimizer.hash_join_single_partition_threshold = 1 << 20;
    context
}

#[tokio::test]
async fn a_shared_side_spills() {
    for (kind, columns) in [
        ("JOIN", "a.n, b.n, a.k, b.t"),
        ("RIGHT JOIN", "a.n, b.n, a.k, b.t"),
        ("RIGHT SEMI JOIN", "a.n, a.k"),
        ("RIGHT ANTI JOIN", "a.n, a.k"),
    ] {
        for condition in ["", " AND a.n < b.n"] {
            let sql =
                format!("SELECT {columns} FROM fewer AS b {kind} many AS a ON a.k = b.k AND a.t = b.t{condition}");
            let (expected, ..) = answer(&sharing_context(PhysicalOptimizer::new().rules, ENOUGH).await, &sql).await;
            let (rows, plan, files) = answer(&sharing_context(physical_rules(), ENOUGH).await, &sql).await;
            assert!(plan.contains("SpillingHashJoinExec: mode=CollectLeft"), "{plan}");
            assert_eq!((&rows, files), (&expected, 0), "{sql}");
            for bytes in [LITTLE, LITTLE / 4] {
                let (rows, _, files) = answer(&sharing_context(physical_rules(), bytes).await, &sql).await;
                assert!(rows == expected && files > 0, "{files} files: {sql}");
            }
        }
    }
}

/// Rows of a shared side without a match in any thread count here.
#[tokio::test]
async fn a_side_that_cannot_spill_if_it_is_shared_is_not_shared_if_all_joins_do() {
    for (kind, columns) in [("LEFT JOIN", "a.n, b.n"), ("LEFT SEMI JOIN", "b.n"), ("LEFT ANTI JOIN", "b.n")] {
        let sql = format!("SELECT {columns} FROM fewer AS b {kind} many AS a ON a.k = b.k AND a.t = b.t");
        let (expected, plan, files) = answer(&sharing_context(physical_rules(), ENOUGH).await, &sql).await;
        assert!(
            plan.contains(" HashJoinExec: mode=CollectLeft") || plan.starts_with("HashJoinExec: mode=CollectLeft"),
            "{plan}"
        );
        assert_eq!(files, 0);
        let (rows, plan, files) = answer(&sharing_context(spilling_rules(), LITTLE).await, &sql).await;
        assert!(plan.contains("SpillingHashJoinExec: mode=Partitioned"), "{plan}");
        assert!(rows == expected && files > 0, "{files} files: {sql}");
    }
}

/// One side has few keys, so that no hash splits its rows. In the other one, each row has a key of its own.
fn hot_keys(others: usize) -> String {
    format!(
        "SELECT a.n, b.n FROM (SELECT value % 7 AS k, value % 99999 AS n FROM range(0, 20000)) AS a \
         JOIN (SELECT value % 999 AS k, value % 99999 AS n FROM range(0, {others})) AS b ON a.k = b.k"
    )
}

#[tokio::test]
async fn the_smaller_side_stays_in_memory() {
    let context = context(physical_rules(), LITTLE, 2);
    context.state_ref().write().config_mut().options_mut().optimizer.join_reordering = false;
    // Only the other side fits in memory; then only the other side of each bucket.
    for (others, spills) in [(10, false), (800, true)] {
        let (rows, plan, files) = answer(&context, &hot_keys(others)).await;
        assert_eq!(files > 0, spills, "{files}: {plan}");
        assert_eq!(rows.iter().filter(|line| line.starts_with("| ")).count(), 1 + 20_000, "{plan}");
    }
}

/// When this fails, DataFusion has been fixed.
#[tokio::test]
async fn datafusion_still_needs_this() {
    let sql = format!("SELECT a.n, b.n FROM {MANY} JOIN {FEWER} ON a.k = b.k");
    let plan = context(PhysicalOptimizer::new().rules, LITTLE / 4, 2).sql(&sql).await.unwrap();
    let error = plan.count().await.unwrap_err().to_string();
    assert!(error.contains("Resources exhausted") && error.contains("HashJoinInput"), "{error}");
}
