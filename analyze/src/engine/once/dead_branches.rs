//! Drops the parts of a plan that a parameter excludes, such as one side of a `UNION ALL` with the condition `'a' =
//! 'b'`. Otherwise a dead reader without conditions would make a step compute all its rows. Measured over 9.96 million
//! captures: `ai_overview` took 2.8 s with this and 18.9 s without, `agent_bias` 3.2 s and 18.3 s.

use crate::engine::logical_rules::logical_rules;
use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::{Expr, LogicalPlan, Projection};
use datafusion::optimizer::optimizer::Optimizer;
use std::sync::Arc;

/// What simplifies conditions, and the rules that drop what a false one excludes.
const RULES: [&str; 3] = ["simplify_expressions", "eliminate_filter", "propagate_empty_relation"];

pub(super) fn without_dead_branches(plan: LogicalPlan, state: &SessionState) -> Result<LogicalPlan> {
    let rules = logical_rules().into_iter().filter(|rule| RULES.contains(&rule.name())).collect();
    let plan = Optimizer::with_rules(rules).optimize(plan, state, |_, _| {})?;
    // DataFusion asks the query of an IN for its column, and an empty one has none.
    let with_column = |expression| match expression {
        Expr::InSubquery(mut within) if matches!(*within.subquery.subquery, LogicalPlan::EmptyRelation(_)) => {
            let empty = &within.subquery.subquery;
            let columns = empty.schema().columns().into_iter().map(Expr::Column).collect();
            let kept = LogicalPlan::Projection(Projection::try_new(columns, Arc::clone(empty))?);
            within.subquery.subquery = Arc::new(kept);
            Ok(Transformed::yes(Expr::InSubquery(within)))
        }
        other => Ok(Transformed::no(other)),
    };
    let in_node = |node: LogicalPlan| node.map_expressions(|expression| expression.transform_up(with_column));
    Ok(plan.transform_up_with_subqueries(in_node)?.data)
}
