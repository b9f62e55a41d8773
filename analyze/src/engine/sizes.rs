//! Limits the arguments by which functions allocate memory at once, before DataFusion's memory limit counts it. A
//! failed allocation ends the process.
//!
//! Other functions with such an argument, such as `repeat`, `range` and `array_resize`, fail by themselves.

use crate::catalog::external::external;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion::error::Result;
use datafusion::logical_expr::simplify::SimplifyContext;
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::simplify_expressions::ExprSimplifier;
use folder::Failure;
use std::path::Path;

/// The functions, the place of the argument, its meaning, and its limit. Percentiles take 16 bytes for each centroid in
/// each group, and `lpad` and `rpad` four bytes for each character in each row of a batch.
const SIZED: [(&str, usize, &str, i64); 4] = [
    ("approx_percentile_cont", 2, "centroids", 10_000),
    ("approx_percentile_cont_with_weight", 3, "centroids", 10_000),
    ("lpad", 1, "characters", 100_000),
    ("rpad", 1, "characters", 100_000),
];

/// Fails if a constant argument exceeds its limit.
pub(super) fn check_sizes(plan: &LogicalPlan) -> Result<()> {
    plan.apply_with_subqueries(|node| node.apply_expressions(|expression| expression.apply(check_call))).map(drop)
}

fn check_call(expression: &Expr) -> Result<TreeNodeRecursion> {
    let (name, arguments) = match expression {
        Expr::ScalarFunction(call) => (call.name(), &call.args),
        Expr::AggregateFunction(call) => (call.func.name(), &call.params.args),
        Expr::WindowFunction(call) => (call.fun.name(), &call.params.args),
        _ => return Ok(TreeNodeRecursion::Continue),
    };
    let sized = SIZED.into_iter().find(|(sized, ..)| *sized == name);
    if let Some((_, place, what, most)) = sized
        && let Some(size) = arguments.get(place).and_then(constant)
        && size > most
    {
        let cause = format_args!("it is asked for {size} {what}; the limit is {most}");
        return Err(external(Failure::new("statement is refused", Path::new(name), cause)));
    }
    Ok(TreeNodeRecursion::Continue)
}

/// The value of a constant number; the largest number if it is larger.
fn constant(argument: &Expr) -> Option<i64> {
    if !argument.column_refs().is_empty() {
        return None;
    }
    let simplified = ExprSimplifier::new(SimplifyContext::default()).simplify(argument.clone()).ok()?;
    let Expr::Literal(value, _) = simplified else { return None };
    match value {
        ScalarValue::UInt64(Some(number)) => Some(i64::try_from(number).unwrap_or(i64::MAX)),
        value => match value.cast_to(&DataType::Int64).ok()? {
            ScalarValue::Int64(number) => number,
            _ => None,
        },
    }
}
