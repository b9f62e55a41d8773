//! The physical optimizer rules of a session: those of DataFusion, and ours, most of them for joins.

use super::body_joins::join_in_place;
use super::body_unions::union_in_place;
use super::cooperation::pausing;
use super::estimated_rows::estimate_rows;
use super::few_bodies::read_few;
use super::grouping_sets::hide_for_grouping_sets;
use super::join_order::{hide_for_hash_join, hide_for_nested_loops, hide_for_union, state_order};
use super::order_check::CheckPlan;
use super::rankings::keep_all_rows;
use super::repeated_keys::drop_repeats;
use super::sort_limits::{keep_limit, sort_all};
use super::sorted_keys::put_sorted_first;
use super::spilling_joins::{able_to_spill, spilling, spilling_in_any_order};
use super::unique_names::{PushByUniqueNames, PushIfNamesAreUnique};
use super::unknown_bounds::leave_out_bounds;
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
use datafusion::physical_plan::ExecutionPlan;
use std::sync::Arc;

/// A physical optimizer rule.
type PlanRule = Arc<dyn PhysicalOptimizerRule + Send + Sync>;

/// DataFusion's rule that sends rows to other threads.
const BEFORE: &str = "EnsureRequirements";

/// DataFusion's rule that keeps only the first rows of each stratum of a ranking.
const BEFORE_RANKINGS: &str = "WindowTopN";

/// Our rule that makes joins spill.
const SPILLING_JOINS: &str = "spilling_joins";

/// DataFusion's rule for finished plans, whose nodes must not be made anew after it.
const BEFORE_FINISHED: &str = "FilterPushdown(Post)";

/// DataFusion's rules, with ours before those that they correct.
pub(crate) fn physical_rules() -> Vec<PlanRule> {
    let rules = PhysicalOptimizer::new().rules.into_iter();
    let mut rules: Vec<PlanRule> = rules
        .map(|rule| -> PlanRule {
            match rule.name() {
                "FilterPushdown" => Arc::new(PushByUniqueNames(rule)),
                "FilterPushdown(Post)" => Arc::new(PushIfNamesAreUnique(rule)),
                "SanityCheckPlan" => Arc::new(CheckPlan),
                _ => rule,
            }
        })
        .collect();
    let of_joins = [
        Replace { name: "order_of_grouping_sets", by: |node| replace(node, hide_for_grouping_sets) },
        // Of those that `SET datafusion.optimizer.prefer_hash_join = false` plans.
        Replace { name: "order_of_merges", by: |node| replace(node, state_order) },
        // Joins of unions and unions of joins: one rule, so that each is replaced after its inputs.
        Replace {
            name: "in_place",
            by: |node| match replace(node, join_in_place)? {
                None => replace(node, union_in_place),
                joined => Ok(joined),
            },
        },
        Replace { name: "order_of_hash_joins", by: |node| replace(node, hide_for_hash_join) },
        Replace { name: "order_of_nested_loops", by: |node| replace(node, hide_for_nested_loops) },
        Replace { name: "order_of_unions", by: |node| replace(node, hide_for_union) },
        Replace { name: "limits_of_sorts", by: keep_limit },
    ];
    let of_scans = [
        Replace { name: "unknown_bounds", by: |node| replace(node, leave_out_bounds) },
        Replace { name: "estimated_rows", by: |node| replace(node, estimate_rows) },
    ];
    let of_rankings = [Replace { name: "all_rows_of_rankings", by: |node| replace(node, keep_all_rows) }];
    let of_finished = [
        Replace { name: "sorted_keys", by: |node| replace(node, put_sorted_first) },
        Replace { name: "few_bodies", by: read_few },
        Replace { name: "repeated_keys", by: |node| replace(node, drop_repeats) },
        Replace { name: SPILLING_JOINS, by: spilling },
        Replace { name: "pausing_joins", by: pausing },
    ];
    insert_before(BEFORE_FINISHED, &mut rules, of_finished);
    insert_before(BEFORE_RANKINGS, &mut rules, of_rankings);
    insert_before(BEFORE, &mut rules, of_joins);
    // Before all others, since they read what nodes state about their rows.
    rules.splice(..0, of_scans.map(|rule| Arc::new(rule) as _));
    rules
}

/// The same rules, except that all sorts and all joins with equal columns can spill, which takes longer.
pub(crate) fn spilling_rules() -> Vec<PlanRule> {
    let mut rules = physical_rules();
    let in_any_order = Replace { name: SPILLING_JOINS, by: spilling_in_any_order };
    rules.iter_mut().filter(|rule| rule.name() == SPILLING_JOINS).for_each(|rule| *rule = Arc::new(in_any_order));
    let of_sorts = Replace { name: "sorts_of_all_rows", by: |node| replace(node, sort_all) };
    insert_before(BEFORE_FINISHED, &mut rules, [of_sorts]);
    let of_joins = Replace { name: "joins_able_to_spill", by: |node| replace(node, able_to_spill) };
    insert_before(BEFORE, &mut rules, [of_joins]);
    rules
}

fn insert_before(name: &str, rules: &mut Vec<PlanRule>, ours: impl IntoIterator<Item = Replace>) {
    let place = rules.iter().position(|rule| rule.name() == name).unwrap_or(0);
    rules.splice(place..place, ours.into_iter().map(|rule| Arc::new(rule) as _));
}

/// What stands in place of a node; `None` keeps the node.
type Replacement = Result<Option<Arc<dyn ExecutionPlan>>>;

/// What stands in place of a node of one type.
fn replace<N: ExecutionPlan>(node: &Arc<dyn ExecutionPlan>, by: fn(&N) -> Replacement) -> Replacement {
    node.downcast_ref().map_or(Ok(None), by)
}

/// A rule that replaces nodes, each after its inputs.
#[derive(Debug, Clone, Copy)]
struct Replace {
    name: &'static str,
    by: fn(&Arc<dyn ExecutionPlan>) -> Replacement,
}

impl PhysicalOptimizerRule for Replace {
    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let replace = |node: Arc<dyn ExecutionPlan>| {
            Ok(match (self.by)(&node)? {
                Some(other) => Transformed::yes(other),
                None => Transformed::no(node),
            })
        };
        Ok(plan.transform_up(replace)?.data)
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn schema_check(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fixture::answer_with;
    use datafusion::prelude::SessionConfig;

    #[test]
    fn datafusion_has_the_rules_that_ours_take_their_places_from() {
        let rules = PhysicalOptimizer::new().rules;
        let names =
            [BEFORE, BEFORE_RANKINGS, BEFORE_FINISHED, "FilterPushdown", "FilterPushdown(Post)", "SanityCheckPlan"];
        for name in names {
            assert!(rules.iter().any(|rule| rule.name() == name), "{name}");
        }
    }

    /// How rows are joined.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum JoinedBy {
        Hashes,
        HashesThatSpill,
        /// As `SET datafusion.optimizer.prefer_hash_join = false` does with several partitions.
        Merges,
    }

    use JoinedBy::{Hashes, HashesThatSpill, Merges};

    const OTHERS: [(JoinedBy, usize); 4] = [(Hashes, 1), (HashesThatSpill, 1), (HashesThatSpill, 2), (Merges, 2)];

    async fn answer(sql: &str, by: JoinedBy, partitions: usize) -> String {
        let mut config = SessionConfig::new().with_target_partitions(partitions);
        config.options_mut().optimizer.prefer_hash_join = by != Merges;
        // So that no threads share a side.
        config.options_mut().optimizer.hash_join_single_partition_threshold = 0;
        config.options_mut().optimizer.hash_join_single_partition_threshold_rows = 0;
        let rules = if by == HashesThatSpill { spilling_rules() } else { physical_rules() };
        answer_with(rules, config, sql).await
    }

    /// The lines of an answer, sorted.
    async fn lines(sql: &str, by: JoinedBy, partitions: usize) -> Vec<String> {
        let mut lines: Vec<_> = answer(sql, by, partitions).await.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    }

    #[tokio::test]
    async fn joins_with_conditions_have_the_same_rows() {
        for kind in ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN"] {
            for (columns, condition) in [("*", "a.m < b.m"), ("*", "a.n + b.l <> a.l"), ("a.n, a.m, b.n", "a.l < b.l")]
            {
                let columns = if kind.ends_with("I JOIN") { columns.trim_end_matches(", b.n") } else { columns };
                // Numbers of a range are never null. Half of them have no match.
                let sql = format!(
                    "SELECT {columns} FROM (SELECT value % 9 AS l, value AS n, value % 7 AS m FROM range(0, 40)) AS a {kind} \
                     (SELECT value % 4 AS l, value % 5 AS m, value AS n FROM range(20, 60)) AS b \
                     ON a.n = b.n AND {condition}"
                );
                let hashed = lines(&sql, Hashes, 2).await;
                for (by, partitions) in OTHERS {
                    // DataFusion 55.2 fails: a column has no nulls, but the condition reads it of rows without a match.
                    // apache/datafusion#21197 fixed it for other joins.
                    if by != Merges || !["LEFT JOIN", "FULL JOIN"].contains(&kind) {
                        assert_eq!(lines(&sql, by, partitions).await, hashed, "{by:?}, {kind}: {condition}");
                    }
                }
            }
        }
    }

    #[tokio::test]
    async fn subqueries_with_conditions_have_the_same_rows() {
        let a = "(SELECT value % 9 AS l, value AS n, value % 7 AS m FROM range(0, 40)) AS a";
        let b = "(SELECT value % 4 AS l, value % 5 AS m, value AS n FROM range(20, 60)) AS b";
        for condition in ["a.m < b.m", "a.n + b.l <> a.l"] {
            let matched = format!("EXISTS (SELECT 1 FROM {b} WHERE a.n = b.n AND {condition})");
            for sql in [
                format!("SELECT * FROM {b} RIGHT SEMI JOIN {a} ON a.n = b.n AND {condition}"),
                format!("SELECT * FROM {b} RIGHT ANTI JOIN {a} ON a.n = b.n AND {condition}"),
                // A mark join.
                format!("SELECT * FROM {a} WHERE n % 3 = 0 OR {matched}"),
                format!("SELECT * FROM {a} WHERE n % 3 = 0 OR NOT {matched}"),
            ] {
                let hashed = lines(&sql, Hashes, 2).await;
                assert!(hashed.len() > 5, "{hashed:?}");
                for (by, partitions) in OTHERS {
                    assert_eq!(lines(&sql, by, partitions).await, hashed, "{by:?}: {sql}");
                }
            }
            let sql = format!("EXPLAIN SELECT * FROM {a} WHERE n % 3 = 0 OR {matched}");
            for (by, partitions) in OTHERS {
                let plan = answer(&sql, by, partitions).await;
                let node = if by == Merges { "SortMergeJoinExec: join_type=LeftMark" } else { "SpillingHashJoinExec" };
                assert!(plan.contains(node), "{by:?}: {plan}");
            }
        }
    }

    /// Several rows of each side have the same place in its order, so the rows of the join do not have both orders.
    #[tokio::test]
    async fn a_join_of_sorted_sides_is_sorted_and_grouped_as_one_of_unsorted_sides() {
        let side =
            |last: u32, order: &str| format!("(SELECT value % 5 AS k, value % 3 AS n FROM range(0, {last}){order})");
        let statements = ["a.k, b.k", "b.k, a.k"].into_iter().flat_map(|keys| {
            ["JOIN", "LEFT JOIN", "RIGHT JOIN"].into_iter().flat_map(move |kind| {
                [
                    format!("SELECT {keys} FROM A AS a {kind} B AS b ON a.n = b.n ORDER BY {keys}"),
                    format!(
                        "SELECT k, l, sum(rows) AS rows, count(*) AS groups FROM (SELECT a.k, b.k AS l, count(*) AS rows \
                         FROM A AS a {kind} B AS b ON a.n = b.n GROUP BY {keys}) GROUP BY k, l ORDER BY k, l"
                    ),
                ]
            })
        });
        for statement in statements {
            for order in [" ORDER BY k", " ORDER BY n", " ORDER BY n, k"] {
                let with = |order: &str| {
                    statement
                        .replace("A AS", &format!("{} AS", side(40, order)))
                        .replace("B AS", &format!("{} AS", side(24, order)))
                };
                let unsorted = answer(&with(""), Hashes, 2).await;
                for (by, partitions) in OTHERS.into_iter().chain([(Hashes, 2)]) {
                    let sorted = with(&format!("{order} LIMIT 100"));
                    assert_eq!(answer(&sorted, by, partitions).await, unsorted, "{by:?}, {partitions}: {sorted}");
                }
            }
        }
    }

    /// The constant of the second side is null in rows without a match.
    #[tokio::test]
    async fn a_constant_of_a_side_that_gets_nulls_is_none() {
        let sides = [
            "(SELECT value AS n FROM range(0, 9))",
            "(SELECT value AS n, 1 AS k FROM range(3, 12) WHERE value % 2 = 0)",
        ];
        for (left, kind, right) in [(0, "LEFT", 1), (1, "RIGHT", 0), (0, "FULL", 1), (1, "FULL", 0)] {
            for condition in ["a.n = b.n", "a.n < b.n - 1"] {
                let from = format!("FROM {} AS a {kind} JOIN {} AS b ON {condition}", sides[left], sides[right]);
                let sorted = format!("SELECT k {from} ORDER BY k NULLS LAST");
                let ranked = format!(
                    "SELECT max(place) AS place FROM (SELECT k, rank() OVER (ORDER BY k NULLS LAST) AS place {from}) WHERE k = 1"
                );
                for (by, partitions) in OTHERS.into_iter().chain([(Hashes, 2)]) {
                    let rows = answer(&sorted, by, partitions).await;
                    let last = rows.rfind("| 1 ").unwrap_or_default();
                    assert!(!rows[..last].contains("|   |"), "{by:?}, {partitions}: {sorted}: {rows}");
                    let rows = answer(&ranked, by, partitions).await;
                    assert!(rows.contains("| 1     |"), "{by:?}, {partitions}: {ranked}: {rows}");
                }
            }
        }
    }
}
