//! Adds keys to joins on texts.

use std::sync::Arc;

use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::logical_plan::{Join, Projection};
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan, col};

use super::aggregate::{columns_of, with_column};
use super::key::{is_text, text_digest, text_key};
use super::origin::{OriginOf, is_trusted};

/// The same join, which also compares a key of the texts.
///
/// It needs none if one side has only trusted texts. Then a text that collides with one of them costs as many comparisons
/// as an equal text, which a file could write as well.
///
/// NOT IN compares a single pair. DataFusion refuses it with more, so such a join stays as it is.
pub(super) fn keyed(join: Join, origin_of: OriginOf) -> Result<Transformed<LogicalPlan>> {
    if join.null_aware && join.on.len() != 1 {
        return Ok(Transformed::no(LogicalPlan::Join(join)));
    }
    let mut texts = (Vec::new(), Vec::new());
    let mut are_trusted = (true, true);
    for (left, right) in &join.on {
        let is_pair = is_text_pair(left, join.left.schema(), right, join.right.schema())?;
        // The key of a random text would be that of another text.
        if !is_pair || left.is_volatile() || right.is_volatile() {
            continue;
        }
        let is_trusted = (is_trusted(left, &join.left, origin_of), is_trusted(right, &join.right, origin_of));
        are_trusted = (are_trusted.0 && is_trusted.0, are_trusted.1 && is_trusted.1);
        if is_trusted != (true, true) {
            texts.0.push(left.clone());
            texts.1.push(right.clone());
        }
    }
    if are_trusted.0 || are_trusted.1 {
        return Ok(Transformed::no(LogicalPlan::Join(join)));
    }
    let keys = match (join.null_aware, texts.0.as_slice(), texts.1.as_slice()) {
        // A digest stands for its text, and is null where the text is.
        (true, [left], [right]) => (text_digest(left.clone()), text_digest(right.clone())),
        _ => (text_key(texts.0), text_key(texts.1)),
    };
    let left = with_column(join.left, keys.0.alias(LEFT))?;
    let right = with_column(join.right, keys.1.alias(RIGHT))?;
    let key = (col(LEFT), col(RIGHT));
    let on = if join.null_aware { vec![key] } else { join.on.into_iter().chain([key]).collect() };
    let asked = columns_of(&join.schema);
    let found = Join::try_new(
        left,
        right,
        on,
        join.filter,
        join.join_type,
        join.join_constraint,
        join.null_equality,
        join.null_aware,
    )?;
    let found = Arc::new(LogicalPlan::Join(found));
    Ok(Transformed::yes(LogicalPlan::Projection(Projection::try_new(asked, found)?)))
}

/// Names that no column of a table has. Each join drops its own key columns, so nested joins do not clash.
const LEFT: &str = "__left_text_key";
const RIGHT: &str = "__right_text_key";

/// Whether both sides are texts that can be compared. Different text types can be, a nested type only with itself.
fn is_text_pair(left: &Expr, of_left: &DFSchema, right: &Expr, of_right: &DFSchema) -> Result<bool> {
    let (left, right) = (left.get_type(of_left)?, right.get_type(of_right)?);
    Ok(is_text(&left) && is_text(&right) && (left == right || !left.is_nested() && !right.is_nested()))
}
