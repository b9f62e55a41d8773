//! Computes with 64 bits.
//!
//! Columns such as `byte_offset` have 32 bits. DataFusion 55.2 multiplies two of them with 32 bits, too, and lets the
//! product wrap around without a message.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::sqlparser::ast::BinaryOperator;
use datafusion::logical_expr::{Expr, ExprSchemable as _, try_cast};

/// Plans sums, differences and products of whole numbers of fewer bits.
#[derive(Debug)]
pub(super) struct WidenNumbers;

impl ExprPlanner for WidenNumbers {
    fn plan_binary_op(&self, mut expr: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
        let computes = matches!(expr.op, BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Multiply);
        let is_narrow = |side: &Expr| {
            let of = side.get_type(schema);
            of.is_ok_and(|of| of.is_integer() && of.primitive_width().is_some_and(|bytes| bytes < size_of::<i64>()))
        };
        if computes && is_narrow(&expr.left) && is_narrow(&expr.right) {
            // DataFusion 55.2 fails where it reckons bounds of a CAST in a condition, as of `x * y > z`. It reckons none of
            // a TRY_CAST.
            expr.left = try_cast(expr.left, DataType::Int64);
        }
        Ok(PlannerResult::Original(expr))
    }
}

#[cfg(test)]
mod tests {
    use super::WidenNumbers;
    use crate::engine::fixture::answer_in;
    use datafusion::execution::session_state::SessionStateBuilder;
    use datafusion::prelude::SessionContext;
    use std::sync::Arc;

    #[tokio::test]
    async fn numbers_of_32_bits_do_not_wrap_around() {
        let builder = SessionStateBuilder::new().with_expr_planners(vec![Arc::new(WidenNumbers)]);
        let context = SessionContext::new_with_state(builder.with_default_features().build());
        let rows = "(SELECT arrow_cast(value, 'Int32') AS x FROM range(2000000000, 2000000001)) AS t";
        for (sum, expected) in [("x * x", "4000000000000000000"), ("x + x", "4000000000"), ("-x - x", "-4000000000")] {
            let found = answer_in(&context, &format!("SELECT {sum} FROM {rows}")).await;
            assert!(found.contains(&format!("| {expected} ")), "{sum}: {found}");
        }
    }

    #[tokio::test]
    async fn products_are_compared_in_files_with_bounds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("products.parquet").display().to_string();
        let builder = SessionStateBuilder::new().with_expr_planners(vec![Arc::new(WidenNumbers)]);
        let context = SessionContext::new_with_state(builder.with_default_features().build());
        let narrow = ["x", "y", "z"].map(|name| format!("arrow_cast({name}, 'Int32') AS {name}")).join(", ");
        for sql in [
            format!("COPY (SELECT {narrow} FROM (VALUES (-3, -2, -3), (0, 3, 4)) AS t (x, y, z)) TO '{path}'"),
            format!("CREATE EXTERNAL TABLE t STORED AS PARQUET LOCATION '{path}'"),
        ] {
            answer_in(&context, &sql).await;
        }
        assert!(answer_in(&context, "SELECT count(*) FROM t WHERE x * y > z").await.contains("| 1 "));
    }
}
