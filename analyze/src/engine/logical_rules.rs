//! Optimizer rules of DataFusion 55.2 that make some answers wrong. They leave such statements as they are.

use super::in_lists::part_lists;
use super::intervals::compare_intervals;
use super::named::map_named;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{DFSchema, JoinType, NullEquality, Result, ScalarValue};
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{BinaryExpr, EmptyRelation, Expr, LogicalPlan, Operator};
use datafusion::optimizer::optimizer::{ApplyOrder, Optimizer};
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use std::sync::Arc;

/// DataFusion's rules, without their mistakes.
pub(super) fn logical_rules() -> Vec<Arc<dyn OptimizerRule + Send + Sync>> {
    let sound = |rule: Arc<dyn OptimizerRule + Send + Sync>| -> Arc<dyn OptimizerRule + Send + Sync> {
        match rule.name() {
            "eliminate_cross_join" => Arc::new(Sound { rule, is_wrong_for: joins_nulls }),
            "propagate_empty_relation" => Arc::new(Sound { rule, is_wrong_for: renames_only_part }),
            "push_down_filter" => Arc::new(Sound { rule, is_wrong_for: drops_a_group }),
            "simplify_expressions" => Arc::new(Simplify(rule)),
            _ => rule,
        }
    };
    Optimizer::new().rules.into_iter().map(sound).collect()
}

/// A rule, and the plans for which it is wrong.
#[derive(Debug)]
struct Sound {
    rule: Arc<dyn OptimizerRule + Send + Sync>,
    is_wrong_for: fn(&LogicalPlan) -> Result<bool>,
}

impl OptimizerRule for Sound {
    fn name(&self) -> &str {
        self.rule.name()
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        self.rule.apply_order()
    }

    fn rewrite(&self, plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        if (self.is_wrong_for)(&plan)? { Ok(Transformed::no(plan)) } else { self.rule.rewrite(plan, config) }
    }
}

/// DataFusion's rule that simplifies expressions, for expressions that it simplifies rightly.
#[derive(Debug)]
struct Simplify(Arc<dyn OptimizerRule + Send + Sync>);

impl OptimizerRule for Simplify {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        self.0.apply_order()
    }

    fn rewrite(&self, plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        part_lists(plan)?
            .transform_data(anchor_any_text)?
            .transform_data(compare_intervals)?
            .transform_data(|plan| self.0.rewrite(plan, config))
    }
}

/// Writes the pattern `.*` as `^.*`. DataFusion makes the former `IS NOT NULL`, which is false for a null.
fn anchor_any_text(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let anchor = |mut expression: Expr| {
        let mut is_found = false;
        let pattern = match &mut expression {
            Expr::BinaryExpr(BinaryExpr { op: Operator::RegexMatch | Operator::RegexIMatch, right, .. }) => {
                Some(right.as_mut())
            }
            Expr::ScalarFunction(call) if call.name() == "regexp_like" => call.args.get_mut(1),
            _ => None,
        };
        if let Some(Expr::Literal(pattern, _)) = pattern
            && pattern.try_as_str() == Some(Some(".*"))
        {
            (*pattern, is_found) = (ScalarValue::from("^.*").cast_to(&pattern.data_type())?, true);
        }
        Ok(Transformed::new_transformed(expression, is_found))
    };
    map_named(plan, |expression| expression.transform_up(anchor))
}

/// Whether an inner join takes two nulls for equal, as with `IS NOT DISTINCT FROM`. The rule joins all inputs of
/// neighbouring joins anew, and compares all keys in the way of one of them.
fn joins_nulls(plan: &LogicalPlan) -> Result<bool> {
    plan.exists(|node| {
        Ok(matches!(node, LogicalPlan::Join(join)
            if join.join_type == JoinType::Inner && join.null_equality == NullEquality::NullEqualsNull))
    })
}

/// Whether the plan filters groups by a condition without columns, and there is a group even if there are no rows. The
/// rule would filter rows by that condition.
fn drops_a_group(plan: &LogicalPlan) -> Result<bool> {
    let LogicalPlan::Filter(filter) = plan else { return Ok(false) };
    let LogicalPlan::Aggregate(groups) = filter.input.as_ref() else { return Ok(false) };
    let has_group_of_all = matches!(groups.group_expr.as_slice(), [] | [Expr::GroupingSet(_)]);
    let is_constant = |condition: &Expr| condition.column_refs().is_empty();
    Ok(has_group_of_all && split_conjunction(&filter.predicate).into_iter().any(is_constant))
}

/// Whether only one part of a union has rows, and its columns have other names than the union. The rule would take the
/// columns of the part by the names of the union.
fn renames_only_part(plan: &LogicalPlan) -> Result<bool> {
    let LogicalPlan::Union(union) = plan else { return Ok(false) };
    let has_rows = |part: &&Arc<LogicalPlan>| {
        !matches!(part.as_ref(), LogicalPlan::EmptyRelation(EmptyRelation { produce_one_row: false, .. }))
    };
    let mut parts = union.inputs.iter().filter(has_rows);
    let (Some(part), None) = (parts.next(), parts.next()) else { return Ok(false) };
    let names = |schema: &DFSchema| schema.fields().iter().map(|field| field.name().clone()).collect::<Vec<_>>();
    Ok(names(part.schema()) != names(&union.schema))
}

#[cfg(test)]
mod tests {
    use super::logical_rules;
    use crate::engine::fixture::answer_with_optimizer;
    use datafusion::optimizer::optimizer::Optimizer;

    const NULLS: &str =
        "WITH a (n, m) AS (VALUES (1, 1), (NULL, 1)), b (n) AS (VALUES (1), (NULL)), c (n) AS (VALUES (1))
        SELECT count(*) AS rows FROM a JOIN b ON a.n = b.n JOIN c ON a.m IS NOT DISTINCT FROM c.n";
    const MORE_NULLS: &str =
        "WITH a (n, m) AS (VALUES (1, 1), (NULL, 1)), b (n) AS (VALUES (1), (NULL)), c (n) AS (VALUES (1))
        SELECT count(*) - 1 AS rows FROM a JOIN b ON a.n IS NOT DISTINCT FROM b.n JOIN c ON a.m = c.n";
    const CONSTANT: &str = "SELECT count(*) AS rows FROM (
            SELECT 'a' AS t, count(*) AS n FROM range(0, 5) UNION ALL SELECT 'b', count(*) FROM range(0, 3)
        ) AS x WHERE t = 'b'";
    const ROLLED_UP: &str = "SELECT count(*) - 3 AS rows FROM (
            SELECT 'a' AS t, value, count(*) AS n FROM range(0, 5) GROUP BY ROLLUP (value)
            UNION ALL SELECT 'b', value, count(*) FROM range(0, 3) GROUP BY ROLLUP (value)
        ) AS x WHERE t = 'b'";
    const SWAPPED: &str = "SELECT x AS rows FROM (
            SELECT 1 AS x, 2 AS y WHERE false UNION ALL (SELECT 1 AS y, value AS x FROM range(0, 5) LIMIT 1))";

    const ANY_TEXT: &str = "SELECT count(*) + 1 AS rows FROM (VALUES ('a'), (NULL)) AS t (x) WHERE NOT (x ~ '.*')";
    const ANY_TEXT_BY_NAME: &str =
        "SELECT 1 AS rows FROM (VALUES (CAST(NULL AS varchar))) AS t (x) WHERE regexp_like(x, '.*') IS NULL";

    #[tokio::test]
    async fn each_answer_is_one_row() {
        for sql in [NULLS, MORE_NULLS, CONSTANT, ROLLED_UP, SWAPPED, ANY_TEXT, ANY_TEXT_BY_NAME] {
            assert!(
                answer_with_optimizer(Optimizer::with_rules(logical_rules()), sql).await.contains("| 1    |"),
                "{sql}"
            );
        }
    }

    /// When one fails, DataFusion has been fixed.
    #[tokio::test]
    async fn datafusion_still_needs_this() {
        for sql in [NULLS, CONSTANT, SWAPPED, ANY_TEXT, ANY_TEXT_BY_NAME] {
            assert!(!answer_with_optimizer(Optimizer::new(), sql).await.contains("| 1    |"), "{sql}");
        }
    }
}
