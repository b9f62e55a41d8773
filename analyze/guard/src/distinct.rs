//! Adds keys to functions over distinct texts.

use datafusion::common::Result;
use datafusion::functions_aggregate::array_agg::array_agg_udaf;
use datafusion::functions_nested::expr_fn::array_to_string;
use datafusion::logical_expr::expr::{AggregateFunction, NullTreatment, WindowFunctionDefinition};
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

    /// How the list treats nulls. `string_agg` ignores them.
    fn treatment(&self, asked: Option<NullTreatment>) -> Option<NullTreatment> {
        match self {
            Self::Texts => asked,
            Self::Joined(_) => Some(NullTreatment::IgnoreNulls),
        }
    }
}

/// The rewritten call; `None` if the call hashes no texts that need a key. `input` is the plan that its arguments read.
///
/// The other functions that take `DISTINCT` are over numbers, or ignore it, as `min` does.
pub(super) fn keyed(call: &Expr, input: &LogicalPlan, origin_of: OriginOf) -> Result<Option<Keyed>> {
    let name = call.schema_name().to_string();
    let (call, answer) = match call.clone().unalias() {
        Expr::AggregateFunction(AggregateFunction { mut func, mut params }) if params.distinct => {
            let keyed = keyed_argument(func.name(), &params.args, input, origin_of)?;
            let Some((argument, answer)) = keyed else { return Ok(None) };
            params.args = vec![argument];
            if let Some(answer) = &answer {
                func = array_agg_udaf();
                // A distinct aggregate can be ordered by its text only, and pairs are ordered by their text.
                params.order_by.iter_mut().for_each(|by| by.expr = with_key(by.expr.clone()));
                params.null_treatment = answer.treatment(params.null_treatment);
            }
            (Expr::AggregateFunction(AggregateFunction { func, params }), answer)
        }
        Expr::WindowFunction(mut window) if window.params.distinct => {
            let keyed = keyed_argument(window.fun.name(), &window.params.args, input, origin_of)?;
            let Some((argument, answer)) = keyed else { return Ok(None) };
            window.params.args = vec![argument];
            if let Some(answer) = &answer {
                window.fun = WindowFunctionDefinition::AggregateUDF(array_agg_udaf());
                window.params.null_treatment = answer.treatment(window.params.null_treatment);
            }
            (Expr::WindowFunction(window), answer)
        }
        _ => return Ok(None),
    };
    Ok(Some(Keyed { call: call.alias(name), answer }))
}

/// The argument of the rewritten call, and its answer; `None` if the call hashes no text that needs a key.
fn keyed_argument(
    function: &str,
    arguments: &[Expr],
    input: &LogicalPlan,
    origin_of: OriginOf,
) -> Result<Option<(Expr, Option<FromPairs>)>> {
    let text = match arguments.first() {
        Some(text) if is_text(&text.get_type(input.schema())?) && !is_trusted(text, input, origin_of) => text.clone(),
        _ => return Ok(None),
    };
    Ok(match (function, arguments) {
        ("count", [_]) => Some((text_digest(text), None)),
        ("array_agg", [_]) => Some((with_key(text), Some(FromPairs::Texts))),
        ("string_agg", [_, between]) => Some((with_key(text), Some(FromPairs::Joined(between.clone())))),
        _ => None,
    })
}
