//! Limits the arguments by which functions allocate memory at once, before DataFusion's memory limit counts it. A
//! failed allocation ends the process.
//!
//! Arguments that depend on a row have no limit, nor have texts that functions such as `replace` make longer.

use crate::catalog::external::external;
use datafusion::arrow::datatypes::{DataType, TimeUnit};
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
const SIZED: [(&str, usize, &str, i64); 7] = [
    ("approx_percentile_cont", 2, "centroids", 10_000),
    ("approx_percentile_cont_with_weight", 3, "centroids", 10_000),
    ("lpad", 1, "characters", 100_000),
    ("rpad", 1, "characters", 100_000),
    ("repeat", 1, "repetitions", 100_000),
    ("array_repeat", 1, "values", MOST_VALUES),
    ("array_resize", 1, "values", MOST_VALUES),
];

/// The most values of a list, which are 80 MB of numbers.
const MOST_VALUES: i64 = 10_000_000;

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
    let sized = match name {
        "range" | "generate_series" => values(arguments).map(|size| (size, "values", MOST_VALUES)),
        name => SIZED
            .into_iter()
            .find(|(sized, ..)| *sized == name)
            .and_then(|(_, place, what, most)| Some((arguments.get(place).and_then(constant)?, what, most))),
    };
    if let Some((size, what, most)) = sized
        && size > most
    {
        let cause = format_args!("it is asked for {size} {what}; the limit is {most}");
        return Err(external(Failure::new("statement is refused", Path::new(name), cause)));
    }
    Ok(TreeNodeRecursion::Continue)
}

/// How many values `range(stop)` or `range(start, stop, step)` has, nearly.
fn values(arguments: &[Expr]) -> Option<i64> {
    let (start, stop, step) = match arguments {
        [stop] => (0, constant(stop)?.into(), 1),
        [start, stop] => (constant(start)?.into(), constant(stop)?.into(), 1),
        [start, stop, step] => {
            let of = |number: fn(&Expr) -> Option<i128>| Some((number(start)?, number(stop)?, number(step)?));
            of(|number| constant(number).map(i128::from)).or_else(|| of(nanoseconds))?
        }
        _ => return None,
    };
    Some(i64::try_from((stop - start).checked_div(step)?).unwrap_or(i64::MAX))
}

/// The nanoseconds of a constant date or time, in whole microseconds, or of a constant interval.
fn nanoseconds(argument: &Expr) -> Option<i128> {
    const DAY: i128 = 86_400_000_000_000;
    match literal(argument)? {
        ScalarValue::IntervalMonthDayNano(Some(span)) => {
            let days = i128::from(span.months) * 28 + i128::from(span.days);
            Some(days * DAY + i128::from(span.nanoseconds))
        }
        // Dates of all years are so many microseconds.
        time => {
            let microseconds = time.cast_to(&DataType::Timestamp(TimeUnit::Microsecond, None)).ok()?;
            Some(i128::from(number(&microseconds)?) * 1_000)
        }
    }
}

/// The value of a constant number; the largest number if it is larger.
fn constant(argument: &Expr) -> Option<i64> {
    number(&literal(argument)?)
}

fn literal(argument: &Expr) -> Option<ScalarValue> {
    if !argument.column_refs().is_empty() {
        return None;
    }
    let simplified = ExprSimplifier::new(SimplifyContext::default()).simplify(argument.clone()).ok()?;
    let Expr::Literal(value, _) = simplified else { return None };
    Some(value)
}

fn number(value: &ScalarValue) -> Option<i64> {
    match value {
        ScalarValue::UInt64(Some(number)) => Some(i64::try_from(*number).unwrap_or(i64::MAX)),
        value => match value.cast_to(&DataType::Int64).ok()? {
            ScalarValue::Int64(number) => number,
            _ => None,
        },
    }
}
