//! Drops the parts of a plan that a parameter excludes, such as one side of a `UNION ALL` with the condition `'a' =
//! 'b'`. Otherwise a dead reader without conditions would make a step compute all its rows. Measured over 9.96 million
//! captures: `ai_overview` took 2.8 s with this and 18.9 s without, `agent_bias` 3.2 s and 18.3 s.

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::{Expr, LogicalPlan, Projection};
use datafusion::optimizer::OptimizerRule;
use datafusion::optimizer::eliminate_filter::EliminateFilter;
use datafusion::optimizer::optimizer::Optimizer;
use datafusion::optimizer::propagate_empty_relation::PropagateEmptyRelation;
use datafusion::optimizer::simplify_expressions::SimplifyExpressions;
use std::sync::Arc;

pub(super) fn without_dead_branches(plan: LogicalPlan, state: &SessionState) -> Result<LogicalPlan> {
    let rules: [Arc<dyn OptimizerRule + Send + Sync>; 3] = [
        Arc::new(SimplifyExpressions::new()),
        Arc::new(EliminateFilter::new()),
        Arc::new(PropagateEmptyRelation::new()),
    ];
    let plan = Optimizer::with_rules(rules.into()).optimize(plan, state, |_, _| {})?;
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
