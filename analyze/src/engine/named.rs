//! Expressions that change and keep their names, by which the node above finds them.

use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, LogicalPlan};

/// Maps each expression of a node.
pub(super) fn map_named(
    node: LogicalPlan,
    mut map: impl FnMut(Expr) -> Result<Transformed<Expr>>,
) -> Result<Transformed<LogicalPlan>> {
    let names = NamePreserver::new(&node);
    node.map_expressions(|expression| {
        let name = names.save(&expression);
        Ok(map(expression)?.update_data(|expression| name.restore(expression)))
    })
}
