//! Checks finished plans as DataFusion does, but believes a node that states the required order in the same words.
//!
//! DataFusion 55.2 derives the order of an expression from the ranges of its arguments. Where that fails, it takes the
//! expression for unordered, even if the rows were just sorted by it, and refuses its own plan. So `ORDER BY` could not
//! have `-length(url)`, `length(pattern) > 30`, `sqrt(n)`, `ln(n + 1)` or `abs(a / b)`. No issue about it is known.

use datafusion::common::Result;
use datafusion::common::config::{ConfigOptions, OptimizerOptions};
use datafusion::common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion::physical_expr::{LexRequirement, PhysicalExpr, PhysicalSortRequirement};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::sanity_checker::{check_finiteness_requirements, check_plan_sanity};
use datafusion::physical_plan::execution_plan::InvariantLevel;
use datafusion::physical_plan::union::UnionExec;
use datafusion::physical_plan::{ChildSatisfactionOptions, ExecutionPlan, ExecutionPlanProperties as _};
use std::sync::Arc;

/// Stands in place of DataFusion's `SanityCheckPlan`.
#[derive(Debug)]
pub(super) struct CheckPlan;

impl PhysicalOptimizerRule for CheckPlan {
    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        plan.apply(|node| {
            match check_plan_sanity(node, &config.optimizer) {
                Err(_) if has_stated_orders(node)? => check_all_but_order(node, &config.optimizer)?,
                checked => checked?,
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
        Ok(plan)
    }

    fn name(&self) -> &'static str {
        "check_plan"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// What DataFusion checks besides the order of rows.
fn check_all_but_order(node: &Arc<dyn ExecutionPlan>, options: &OptimizerOptions) -> Result<()> {
    check_finiteness_requirements(node.as_ref(), options)?;
    let required = node.input_distribution_requirements();
    for (place, input) in node.children().into_iter().enumerate() {
        let options = ChildSatisfactionOptions::new().with_allow_subset(true);
        if !required.child_satisfaction(place, input.as_ref(), options)?.is_satisfied() {
            return datafusion::common::plan_err!(
                "rows of {} are distributed in another way than needed",
                input.name()
            );
        }
    }
    node.check_invariants(InvariantLevel::Executable)
}

/// Whether each input has the order that the node requires, by what DataFusion derives or by what the input states.
fn has_stated_orders(node: &Arc<dyn ExecutionPlan>) -> Result<bool> {
    for (input, required) in node.children().into_iter().zip(node.required_input_ordering()) {
        if let Some(required) = required
            && !has_order(input, &required.into_single())?
        {
            return Ok(false);
        }
    }
    Ok(true)
}

fn has_order(input: &Arc<dyn ExecutionPlan>, required: &LexRequirement) -> Result<bool> {
    if states(input, required) || input.equivalence_properties().ordering_satisfy_requirement(required.clone())? {
        return Ok(true);
    }
    // Its partitions are those of its inputs.
    let Some(union) = input.downcast_ref::<UnionExec>() else { return Ok(false) };
    for input in union.inputs() {
        if !has_order(input, required)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a node states the required order. It leaves out keys that are the same in all rows, or equal to a key before.
fn states(input: &Arc<dyn ExecutionPlan>, required: &LexRequirement) -> bool {
    let properties = input.equivalence_properties();
    let chosen = |key: &Arc<dyn PhysicalExpr>| properties.eq_group().normalize_expr(Arc::clone(key));
    properties.oeq_class().iter().any(|order| {
        let mut stated = order.iter().map(|key| (chosen(&key.expr), key.options)).peekable();
        let mut before = Vec::new();
        required.iter().all(|PhysicalSortRequirement { expr, options }| {
            let key = chosen(expr);
            if properties.is_expr_constant(&key).is_some() || before.contains(&key) {
                return true;
            }
            let is_stated = |other: &(_, _)| other.0 == key && options.is_none_or(|options| options == other.1);
            let is_stated = stated.next_if(is_stated).is_some();
            before.push(key);
            is_stated
        })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by it")]

    use super::CheckPlan;
    use crate::engine::fixture::answer_with;
    use crate::engine::joins::rules;
    use datafusion::arrow::datatypes::{DataType, Field, Schema};
    use datafusion::common::config::ConfigOptions;
    use datafusion::physical_expr::expressions::Column;
    use datafusion::physical_expr::{LexOrdering, PhysicalSortExpr};
    use datafusion::physical_optimizer::PhysicalOptimizerRule as _;
    use datafusion::physical_plan::empty::EmptyExec;
    use datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;
    use datafusion::prelude::SessionConfig;
    use std::sync::Arc;

    #[tokio::test]
    async fn rows_are_sorted_by_any_expression() {
        let keys = [
            "-length(t)",
            "length(t) > 1",
            "sqrt(n + 1)",
            "ln(n + 1)",
            "abs(n / 3.0)",
            "abs(round(n / 3.0, 1))",
            "abs(CASE WHEN n > 30 THEN 1 ELSE 0 END)",
        ];
        for key in keys {
            let rows = "(SELECT value AS n, CAST(value * 7 AS varchar) AS t, value % 3 AS p FROM range(0, 60))";
            let window = format!("row_number() OVER (PARTITION BY p ORDER BY p, {key} DESC, n)");
            for sql in [
                format!("SELECT n, {window} AS place FROM {rows} ORDER BY n"),
                format!("SELECT n FROM {rows} GROUP BY n, t ORDER BY {key}, n"),
                format!("SELECT n, n AS m FROM {rows} GROUP BY n, t ORDER BY {key}, n, m"),
                format!("SELECT p, array_agg(n ORDER BY {key}, n) FROM {rows} GROUP BY p ORDER BY p"),
                format!("SELECT n FROM (SELECT * FROM {rows} UNION ALL SELECT * FROM {rows}) ORDER BY p, {key}, n"),
                format!("SELECT * FROM (SELECT n, {window} AS place FROM {rows}) WHERE place < 3 ORDER BY n"),
            ] {
                let answer = |jobs| answer_with(rules(), SessionConfig::new().with_target_partitions(jobs), &sql);
                assert_eq!(answer(2).await, answer(1).await, "{sql}");
            }
        }
    }

    #[test]
    fn rows_in_another_order_are_refused() {
        let schema = Schema::new(vec![Field::new("a", DataType::Int64, true)]);
        let rows = Arc::new(EmptyExec::new(Arc::new(schema)).with_partitions(2));
        let order = LexOrdering::new([PhysicalSortExpr::new_default(Arc::new(Column::new("a", 0)))]).unwrap();
        let error = CheckPlan.optimize(Arc::new(SortPreservingMergeExec::new(order, rows)), &ConfigOptions::default());
        assert!(error.unwrap_err().to_string().contains("does not satisfy order requirements: [a@0 ASC]"));
    }
}
