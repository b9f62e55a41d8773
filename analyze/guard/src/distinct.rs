//! Adds keys to functions over distinct texts.

use datafusion::common::Result;
use datafusion::functions_aggregate::array_agg::array_agg_udaf;
use datafusion::functions_nested::expr_fn::array_to_string;
use datafusion::logical_expr::expr::{
    AggregateFunction, AggregateFunctionParams, NullTreatment, Sort, WindowFunction, WindowFunctionDefinition,
};
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, cast};

use super::key::{is_text, text_digest};
use super::origin::{OriginOf, is_trusted};
use super::pair::{with_key, without_key};

/// A rewritten call, which hashes keys instead of texts.
pub(super) struct Keyed {
    /// The call, with the name of the original.
    pub(super) call: Expr,
    /// How its result becomes the original result; `None` if it is the same.
    pub(super) answer: Option<FromPairs>,
}

/// How a list of pairs becomes the result of the original call.
pub(super) enum FromPairs {
    /// As the list of its texts.
    Texts,
    /// As one text, with this separator.
    Joined(Expr),
}

impl FromPairs {
    /// The expression that replaces a column of pairs; `asked` is the type of the original result.
    pub(super) fn into_expr(self, column: Expr, asked: &datafusion::arrow::datatypes::DataType) -> Expr {
        match self {
            Self::Texts => without_key(column),
            Self::Joined(between) => cast(array_to_string(without_key(column), between), asked.clone()),
        }
    }
}

/// The rewritten call; `None` if the call hashes no texts that need a key. `input` is the plan that its arguments read.
///
/// The other functions that take `DISTINCT` are over numbers, or ignore it, as `min` does.
pub(super) fn keyed(call: &Expr, input: &LogicalPlan, origin_of: OriginOf) -> Result<Option<Keyed>> {
    let name = call.schema_name().to_string();
    let (call, answer) = match call.clone().unalias() {
        Expr::AggregateFunction(AggregateFunction { func, params }) if params.distinct => {
            match parts(func.name(), &params.args, &params.order_by, input, origin_of)? {
                Some(Parts::Count(digest)) => {
                    let params = AggregateFunctionParams { args: vec![digest], ..params };
                    (Expr::AggregateFunction(AggregateFunction { func, params }), None)
                }
                Some(Parts::List { pair, order_by, between }) => {
                    let null_treatment = treatment(params.null_treatment, between.is_some());
                    let params = AggregateFunctionParams { args: vec![pair], order_by, null_treatment, ..params };
                    (Expr::AggregateFunction(AggregateFunction { func: array_agg_udaf(), params }), answer(between))
                }
                None => return Ok(None),
            }
        }
        Expr::WindowFunction(mut window) if window.params.distinct => {
            match parts(window.fun.name(), &window.params.args, &[], input, origin_of)? {
                Some(Parts::Count(digest)) => {
                    window.params.args = vec![digest];
                    (Expr::WindowFunction(window), None)
                }
                Some(Parts::List { pair, between, .. }) => {
                    window.params.args = vec![pair];
                    window.params.null_treatment = treatment(window.params.null_treatment, between.is_some());
                    let fun = WindowFunctionDefinition::AggregateUDF(array_agg_udaf());
                    let window = WindowFunction { fun, params: window.params };
                    (Expr::WindowFunction(Box::new(window)), answer(between))
                }
                None => return Ok(None),
            }
        }
        _ => return Ok(None),
    };
    Ok(Some(Keyed { call: call.alias(name), answer }))
}

enum Parts {
    Count(Expr),
    List { pair: Expr, order_by: Vec<Sort>, between: Option<Expr> },
}

fn parts(
    function: &str,
    arguments: &[Expr],
    order_by: &[Sort],
    input: &LogicalPlan,
    origin_of: OriginOf,
) -> Result<Option<Parts>> {
    let text = match arguments.first() {
        Some(text) if is_text(&text.get_type(input.schema())?) && !is_trusted(text, input, origin_of) => text,
        _ => return Ok(None),
    };
    let list = |between| {
        // A distinct aggregate can be ordered by its text only, and pairs are ordered by their text.
        let order_by = order_by.iter().map(|by| Sort { expr: with_key(by.expr.clone()), ..by.clone() }).collect();
        Some(Parts::List { pair: with_key(text.clone()), order_by, between })
    };
    Ok(match (function, arguments) {
        ("count", [text]) => Some(Parts::Count(text_digest(text.clone()))),
        ("array_agg", [_]) => list(None),
        ("string_agg", [_, between]) => list(Some(between.clone())),
        _ => None,
    })
}

/// `string_agg` ignores nulls.
fn treatment(asked: Option<NullTreatment>, joined: bool) -> Option<NullTreatment> {
    if joined { Some(NullTreatment::IgnoreNulls) } else { asked }
}

fn answer(between: Option<Expr>) -> Option<FromPairs> {
    Some(between.map_or(FromPairs::Texts, FromPairs::Joined))
}
