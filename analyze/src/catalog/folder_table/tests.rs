#![allow(clippy::unwrap_used, reason = "a test fails by it")]

mod few_bodies;

use super::config_of;
use crate::catalog::files;
use crate::engine::fixture::{answer_in, answers_with_kept, context_with};
use crate::engine::physical_rules::physical_rules;
use datafusion::catalog::TableProvider;
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::datasource::physical_plan::FileScanConfigBuilder;
use datafusion::datasource::source::DataSourceExec;
use datafusion::physical_plan::statistics::{StatisticsArgs, StatisticsContext};
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties as _, displayable};
use datafusion::prelude::{SessionConfig, SessionContext};
use folder::Folder;
use folder::verified::KnownFiles;
use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::Arc;
use tables::groups::{self, Batch};
use tables::keys::first_id;
use tables::{BatchFile, Rows as _};

/// A folder with the table `groups`, removed when it is dropped.
struct Groups(PathBuf);

impl Groups {
    fn new(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("robocensus-parts-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        Groups(root)
    }

    /// Adds a part with two groups for each body.
    fn part(self, crawl: &str, part: u32, bodies: impl IntoIterator<Item = i64>) -> Self {
        let path = Folder::at(&self.0).file("groups", crawl, part);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut batch = Batch::default();
        for body_id in bodies {
            for group_no in 0..2 {
                let agent = if group_no == 0 { "a" } else { "b" };
                let row = groups::Row {
                    body_id,
                    group_no,
                    agent_no: 0,
                    line_no: group_no + 1,
                    agent,
                    token: agent,
                    product_token: None,
                    token_is_valid: true,
                    splits_head: false,
                    root_allowed: true,
                    root_weight: 1,
                };
                batch.push(row);
            }
        }
        let batch = batch.finish().unwrap();
        let file = File::create(path).unwrap();
        let mut file = BatchFile::new(Batch::table(), file).unwrap();
        file.write(&batch).unwrap();
        file.finish().unwrap();
        self
    }

    /// Twelve parts of two crawls; one part has no body. The paths of the folders sort differently from their names.
    fn of_two_crawls(name: &str) -> Self {
        let parts = (0..6).flat_map(|part| [("A", part), ("A-1", part)]);
        parts.fold(Self::new(name), |groups, (crawl, part)| {
            groups.part(crawl, part, (0..i64::from(part) * 3).map(|position| first_id(part) + position))
        })
    }

    /// The answer to a statement with two partitions, and its plan.
    async fn answer(&self, sql: &str) -> (String, String) {
        let context = self.context(2);
        (answer_in(&context, sql).await, answer_in(&context, &format!("EXPLAIN FORMAT INDENT {sql}")).await)
    }

    /// The answer with one partition.
    async fn expected(&self, sql: &str) -> String {
        answer_in(&self.context(1), sql).await
    }

    fn context(&self, partitions: usize) -> SessionContext {
        // Rows of a body are in several batches.
        let mut config = SessionConfig::new().with_target_partitions(partitions).with_batch_size(3);
        let settings = &mut config.options_mut().optimizer;
        settings.subset_repartition_threshold = 1;
        // No side of a join is small enough to be shared by all threads.
        settings.hash_join_single_partition_threshold = 0;
        settings.hash_join_single_partition_threshold_rows = 0;
        // As in a session.
        settings.enable_join_dynamic_filter_pushdown = false;
        let context = context_with(physical_rules(), config);
        context.register_table("groups", self.table()).unwrap();
        context
    }

    fn table(&self) -> Arc<dyn TableProvider> {
        files::open(&Folder::at(&self.0), &Batch::table(), None, &KnownFiles::default()).unwrap()
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The agents of each body.
const BY_BODY: &str =
    "SELECT crawl, body_id, count(*) AS agents FROM groups GROUP BY crawl, body_id ORDER BY crawl, body_id";

/// Joins of each kind. Half of the rows of one side are missing.
const JOINS: [&str; 6] = ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN"];

fn joined(kind: &str, keys: &str) -> String {
    let columns =
        if kind.starts_with("LEFT ") && kind != "LEFT JOIN" { "a.token" } else { "b.body_id, a.token, b.token" };
    format!(
        "SELECT a.crawl, a.body_id, {columns} FROM (SELECT * FROM groups WHERE body_id % 3 > 0) AS a \
         {kind} (SELECT * FROM groups WHERE body_id % 2 = 0) AS b ON {keys} ORDER BY 1, 2, 3, 4"
    )
    .replace("3, 4", if columns == "a.token" { "3" } else { "3, 4, 5" })
}

#[tokio::test]
async fn bodies_are_grouped_while_they_are_read() {
    let groups = Groups::of_two_crawls("grouped");
    let (answer, plan) = groups.answer(BY_BODY).await;
    assert!(plan.contains("output_partitioning=Range"), "{plan}");
    assert!(plan.contains("mode=SinglePartitioned") && plan.contains("ordering_mode=Sorted"), "{plan}");
    assert!(!plan.contains("RepartitionExec"), "{plan}");
    assert_eq!(answer, groups.expected(BY_BODY).await);
    assert_eq!(answer.matches("| 2 ").count(), 90, "two crawls with 0 + 3 + … + 15 bodies each: {answer}");
}

#[tokio::test]
async fn bodies_are_joined_where_they_are() {
    let groups = Groups::of_two_crawls("joined");
    for (keys, are_sorted) in [
        ("b.crawl = a.crawl AND b.body_id = a.body_id", true),
        ("b.group_no = a.group_no AND b.body_id = a.body_id AND b.crawl = a.crawl", true),
        ("b.crawl = a.crawl AND b.body_id = a.body_id AND b.group_no < a.group_no", false),
        ("b.token = a.token AND b.body_id = a.body_id AND b.crawl = a.crawl", false),
        ("b.crawl = a.crawl AND b.group_no = a.group_no AND b.body_id = a.body_id AND b.agent_no = a.agent_no", false),
    ] {
        for kind in JOINS {
            let sql = joined(kind, keys);
            let (answer, plan) = groups.answer(&sql).await;
            let expected = if are_sorted && kind != "FULL JOIN" { "SortMergeJoinExec" } else { "mode=Partitioned" };
            assert!(plan.contains(expected) && !plan.contains("RepartitionExec"), "{sql}: {plan}");
            assert_eq!(plan.matches("SortExec").count(), 1, "only the answer is sorted: {sql}: {plan}");
            assert_eq!(answer, groups.expected(&sql).await, "{sql}");
        }
    }
}

#[tokio::test]
async fn a_key_may_be_compared_with_two_others() {
    let groups = Groups::of_two_crawls("twice");
    for kind in JOINS {
        let keys =
            "b.crawl = a.crawl AND b.body_id = a.body_id AND b.agent_no = a.agent_no AND b.group_no = a.agent_no";
        let sql = joined(kind, keys);
        let (answer, _) = groups.answer(&sql).await;
        assert_eq!(answer, groups.expected(&sql).await, "{sql}");
    }
}

#[tokio::test]
async fn rows_of_a_join_are_grouped_where_they_are() {
    let groups = Groups::of_two_crawls("both");
    for kind in ["JOIN", "LEFT JOIN"] {
        let sql = format!(
            "SELECT a.crawl, a.body_id, a.token, count(*) AS agents FROM groups AS a {kind} groups AS b \
             ON b.crawl = a.crawl AND b.body_id = a.body_id AND b.group_no = a.group_no \
             GROUP BY a.crawl, a.body_id, a.token ORDER BY 1, 2, 3"
        );
        let (answer, plan) = groups.answer(&sql).await;
        assert!(plan.contains("mode=SinglePartitioned") && !plan.contains("RepartitionExec"), "{kind}: {plan}");
        assert_eq!(answer, groups.expected(&sql).await, "{kind}");
    }
}

/// The nodes that state ranges and orders, and those that send rows to ranges, keep the estimate of the rows.
#[tokio::test]
async fn the_number_of_joined_rows_is_estimated() {
    let groups = Groups::of_two_crawls("estimated");
    let context = groups.context(2);
    for (body_id, node) in [("body_id", "KnownRanges"), ("body_id + 0 AS body_id", "SentToRanges")] {
        let sql = format!(
            "SELECT a.agent, b.token FROM (SELECT crawl, {body_id}, agent FROM groups) AS a \
             JOIN groups AS b ON b.crawl = a.crawl AND b.body_id = a.body_id"
        );
        let plan = context.sql(&sql).await.unwrap().create_physical_plan().await.unwrap();
        let shown = displayable(plan.as_ref()).indent(false).to_string();
        assert!(shown.contains(node), "{shown}");
        let statistics = StatisticsContext::new().compute(plan.as_ref(), &StatisticsArgs::new()).unwrap();
        assert_ne!(statistics.num_rows, Precision::Absent, "{shown}");
    }
}

/// The rows of a join have the order of one side. Sums have no order that is known, so they are grouped by a hash.
#[tokio::test]
async fn rows_of_a_join_are_not_taken_for_sorted_by_both_sides() {
    let groups = Groups::of_two_crawls("order");
    let grouped = |one: &str, other: &str| {
        // The first join repeats each group of a.
        format!(
            "SELECT a.crawl, a.body_id, {one} AS one, {other} AS other, count(*) AS rows \
             FROM groups AS a JOIN groups AS b ON b.crawl = a.crawl AND b.body_id = a.body_id \
             JOIN groups AS c ON c.crawl = a.crawl AND c.body_id = a.body_id \
             GROUP BY a.crawl, a.body_id, {one}, {other} ORDER BY 1, 2, 3, 4, 5"
        )
    };
    for (one, other) in [("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")] {
        let sql = grouped(&format!("{one}.group_no"), &format!("{other}.group_no"));
        let by_hash = grouped(&format!("{one}.group_no + 0"), &format!("{other}.group_no + 0"));
        for partitions in [1, 2] {
            let context = groups.context(partitions);
            assert_eq!(answer_in(&context, &sql).await, answer_in(&context, &by_hash).await, "{sql}");
        }
    }
}

#[tokio::test]
async fn rows_without_ranges_are_sent_to_bodies() {
    let groups = Groups::of_two_crawls("sent");
    for kind in JOINS {
        for keys in ["", " AND b.token = a.token"] {
            let sql = joined(kind, &format!("b.crawl = a.crawl AND b.body_id = a.body_id{keys}"));
            // The partitioning of a sum is unknown.
            for side in ["body_id % 3 > 0", "body_id % 2 = 0"] {
                let from = |side: &str| format!("SELECT * FROM groups WHERE {side}");
                let sum = "SELECT body_id + 0 AS body_id, token, crawl FROM groups WHERE";
                let sql = sql.replace(&from(side), &format!("{sum} {side}"));
                let (answer, plan) = groups.answer(&sql).await;
                assert!(
                    plan.contains("SentToRanges") && !plan.contains("RepartitionExec: partitioning=Hash"),
                    "{plan}"
                );
                assert_eq!(answer, groups.expected(&sql).await, "{sql}");
            }
        }
    }
}

#[tokio::test]
async fn rows_that_are_kept_are_merged_with_bodies() {
    let groups = Groups::of_two_crawls("kept");
    let step = "WITH sums AS (SELECT crawl, body_id + 0 AS body_id, max(token) AS token, count(*) AS n FROM groups \
                GROUP BY crawl, body_id + 0 UNION ALL SELECT 'A', NULL, 'none', 3)";
    let statements = [
        format!(
            "{step} SELECT s.crawl, s.body_id, n, g.token FROM sums AS s JOIN groups AS g ON g.crawl = s.crawl \
                 AND g.body_id = s.body_id ORDER BY 1, 2, 3, 4"
        ),
        format!(
            "{step} SELECT s.crawl, s.body_id, n, g.token FROM sums AS s LEFT JOIN groups AS g ON g.crawl = s.crawl \
                 AND g.body_id = s.body_id ORDER BY 1, 2, 3, 4"
        ),
    ];
    let statements: Vec<_> = statements.iter().map(String::as_str).collect();
    let context = groups.context(2);
    let unsorted = answers_with_kept(&context, &["sums"], &statements).await;
    assert!(unsorted.iter().all(|(_, plan)| !plan.contains("SortMergeJoinExec")), "{unsorted:?}");
    // Its files give the ranges.
    context.register_table("bodies", groups.table()).unwrap();
    let sorted = answers_with_kept(&context, &["sums"], &statements).await;
    for ((answer, plan), (expected, _)) in sorted.iter().zip(&unsorted) {
        assert!(plan.contains("SortMergeJoinExec") && !plan.contains("RepartitionExec"), "{plan}");
        assert_eq!(answer, expected);
    }
    for (sql, (expected, _)) in statements.iter().zip(&unsorted) {
        assert_eq!(&groups.expected(sql).await, expected);
    }
}

#[tokio::test]
async fn rows_of_a_union_stay_sorted_by_bodies() {
    let groups = Groups::of_two_crawls("union");
    let joined = "SELECT a.crawl, a.body_id, b.group_no, a.token FROM groups AS a \
                  JOIN groups AS b ON b.crawl = a.crawl AND b.body_id = a.body_id";
    for (inputs, keys, are_sorted) in [
        (vec!["body_id % 3 > 0", "body_id % 2 = 0"], "body_id", true),
        (vec!["body_id % 3 > 0", "body_id % 2 = 0"], "body_id, group_no", true),
        (vec!["group_no = 1", "false", "group_no = 0"], "body_id, group_no, token", true),
        (vec!["joined", "group_no = 1"], "body_id", true),
        (vec!["group_no = 1", "joined", "joined"], "body_id, token", true),
        (vec!["body_id + 0", "group_no = 1"], "body_id", false),
    ] {
        let rows = inputs.iter().map(|input| match *input {
            "joined" => joined.to_owned(),
            "body_id + 0" => "SELECT crawl, body_id + 0 AS body_id, group_no, token FROM groups".to_owned(),
            rows => format!("SELECT crawl, body_id, group_no, token FROM groups WHERE {rows}"),
        });
        let rows = rows.collect::<Vec<_>>().join(" UNION ALL ");
        for sql in [
            format!(
                "SELECT crawl, {keys}, count(*) AS rows FROM ({rows}) GROUP BY crawl, {keys} ORDER BY crawl, {keys}"
            ),
            format!("SELECT crawl, {keys} FROM ({rows}) ORDER BY crawl, {keys}"),
            format!(
                "SELECT u.crawl, u.{}, c.token FROM ({rows}) AS u LEFT JOIN groups AS c \
                 ON c.crawl = u.crawl AND c.body_id = u.body_id AND c.group_no = u.group_no \
                 ORDER BY u.crawl, u.{0}, c.token",
                keys.replace(", ", ", u.")
            ),
        ] {
            let (answer, plan) = groups.answer(&sql).await;
            assert_eq!(plan.contains("MergedUnion"), are_sorted, "{sql}: {plan}");
            assert!(!are_sorted || !plan.contains("InterleaveExec"), "{sql}: {plan}");
            let is_grouped = sql.contains("GROUP BY") && are_sorted;
            assert!(
                !is_grouped || plan.contains("mode=SinglePartitioned") && plan.contains("ordering_mode="),
                "{plan}"
            );
            assert_eq!(answer, groups.expected(&sql).await, "{sql}");
        }
    }
}

/// The second input is sorted for its groups, and again for the union.
#[tokio::test]
async fn one_thread_reads_unions_that_are_sorted_again() {
    let groups = Groups::of_two_crawls("one-thread");
    let sql = "SELECT DISTINCT crawl, body_id, x FROM (SELECT crawl, body_id, token AS x FROM groups UNION ALL \
               SELECT crawl, body_id, string_agg(token, ' ' ORDER BY token) FROM groups GROUP BY crawl, body_id) \
               ORDER BY crawl, body_id, x";
    let (answer, _) = groups.answer(sql).await;
    assert_eq!(groups.expected(sql).await, answer);
}

/// A later rule may hide the order of an input.
#[tokio::test]
async fn unions_without_an_order_keep_their_ranges() {
    let groups = Groups::of_two_crawls("hidden-order");
    let sql = "SELECT crawl, body_id, count(*) FROM (SELECT crawl, body_id FROM groups UNION ALL \
               SELECT crawl, body_id FROM groups) GROUP BY crawl, body_id";
    let plan = groups.context(2).sql(sql).await.unwrap().create_physical_plan().await.unwrap();
    let hide = |node: Arc<dyn ExecutionPlan>| {
        let Some(config) = config_of(&node) else { return Ok(Transformed::no(node)) };
        let unordered = FileScanConfigBuilder::from(config.clone()).with_output_ordering(Vec::new()).build();
        Ok(Transformed::yes(DataSourceExec::from_data_source(unordered) as Arc<dyn ExecutionPlan>))
    };
    let partitions = plan.output_partitioning().clone();
    let hidden = plan.transform_up(hide).unwrap().data;
    assert!(displayable(hidden.as_ref()).indent(false).to_string().contains("InterleaveExec"));
    assert_eq!(hidden.output_partitioning(), &partitions);
}

/// The partitions of the two sides have different ranges of bodies.
#[tokio::test]
async fn bodies_in_other_ranges_are_sent_to_where_they_match() {
    let groups = Groups::of_two_crawls("ranges");
    let keys = "b.body_id = a.body_id AND b.token = a.token";
    let sql = joined("FULL JOIN", keys);
    let (answer, plan) = groups.answer(&sql).await;
    assert!(plan.contains("RepartitionExec"), "the crawl is no key: {plan}");
    assert_eq!(answer, groups.expected(&sql).await);
}

#[tokio::test]
async fn one_crawl_is_read_by_all_threads() {
    let groups = Groups::of_two_crawls("filtered");
    let sql = BY_BODY.replace("groups GROUP", "groups WHERE crawl = 'A' GROUP");
    // Six files are enough for only one partition.
    let (answer, plan) = groups.answer(&sql).await;
    assert!(!plan.contains("output_partitioning=Range") && plan.contains("RepartitionExec"), "{plan}");
    assert_eq!(answer, groups.expected(&sql).await);
}

#[tokio::test]
async fn a_body_in_two_parts_is_one_group() {
    let stray = Groups::of_two_crawls("stray").part("A", 6, [(6 << 32) - (1 << 32), 6 << 32]);
    let (answer, plan) = stray.answer(BY_BODY).await;
    assert!(!plan.contains("output_partitioning=Range"), "{plan}");
    assert_eq!(answer, stray.expected(BY_BODY).await);
    assert_eq!(answer.matches("| 4 ").count(), 1, "{answer}");
}

/// A plan without the crawl as a key would give wrong groups.
#[tokio::test]
async fn a_crawl_that_is_added_later_is_an_error() {
    let groups = Groups::new("added").part("A", 0, [0, 1]);
    let table = files::open(&Folder::at(&groups.0), &Batch::table(), None, &KnownFiles::default()).unwrap();
    let groups = groups.part("B", 1, [1 << 32]);
    let context = SessionContext::new();
    context.register_table("groups", table).unwrap();
    let answer = context.sql(BY_BODY).await.unwrap().collect().await.unwrap_err().to_string();
    assert!(
        answer.contains("table has changed: ") && answer.ends_with(": a crawl was added; open the folder again"),
        "{answer}"
    );
    drop(groups);
}

/// A condition on the crawl alone decides which files are read.
#[tokio::test]
async fn a_condition_on_the_crawl_that_is_null_is_not_true() {
    let groups = Groups::of_two_crawls("null-crawl");
    for condition in [
        "nullif(crawl, 'A') <> 'B'",
        "nullif(crawl, 'A') NOT IN ('B')",
        "crawl NOT IN ('B', 'C', 'D', 'E', 'A', NULL) OR crawl = 'A-1'",
        "CASE WHEN crawl = 'A-1' THEN true END",
    ] {
        let sql = format!("SELECT DISTINCT crawl FROM groups WHERE {condition}");
        let answer = groups.expected(&sql).await;
        assert!(answer.contains("| A-1 ") && !answer.contains("| A  "), "{condition}: {answer}");
    }
}
