//! Grouping by text that others chose is not a way to stall us.
//!
//! DataFusion finds the rows of a group, the values of a `DISTINCT` and the partners of a join by foldhash with seeds that
//! stand in its source. Whoever writes a robots.txt can therefore compute texts that all hash to the same 64 bits, of
//! which a hash table makes a list that is walked for every row: 40,000 lines are 800 million comparisons.
//!
//! So every statement is rewritten, after DataFusion has optimised it and before it becomes a plan that runs. Wherever
//! texts are hashed, a hash of them stands beside them whose key is drawn when the process starts, and which nobody
//! outside can therefore aim at:
//!
//! - `GROUP BY text`, `SELECT DISTINCT`, `UNION`, `INTERSECT` and `EXCEPT` group by the texts and their `text_key`;
//!   `ROLLUP`, `CUBE` and `GROUPING SETS` by pairs of the two, so that the numbers of the sets stay what they were.
//! - `count(DISTINCT text)` counts the distinct `text_digest`s, which are of 127 bits and thus as good as the texts.
//! - `array_agg(DISTINCT text)` and `string_agg(DISTINCT text, …)` gather pairs, and drop the keys in the end.
//! - Joins compare the texts and their keys; `NOT IN` the digests alone, since it takes no second column.
//! - `UNION` in a recursive statement carries the key along, round by round.
//!
//! Texts that no crawled file can choose need none: a word of a fixed list, the name of a crawl, what stands in the
//! statement. [`Origin`] says which columns hold such texts. Most rows that questions group have no others.
//!
//! A key stands behind the texts, never before them: a later column is hashed with the hash of the earlier ones as its
//! seed, and there are bytes that foldhash maps to zero whatever its seed is.
//!
//! An optimizer rule would be the wrong place for it. The rules run several times, and some would take apart what this
//! one has made: common subexpressions would be drawn out, single distincts made into groups. `EXPLAIN` shows the keys.
//!
//! What is not covered, since it costs little or nothing: `PARTITION BY` sorts. Operations on arrays have hashes with
//! random seeds. Rows are dealt to the cores by a hash with a public seed; whoever aims at it makes one core do the work
//! of all, and no more. Numbers are hashed as they are. No two 64-bit numbers need share their whole hash, so that a
//! flood of them gathers in the buckets of a table and no further, where comparing numbers is quick; but those that files
//! choose, such as a crawl delay, could be made to.

mod aggregate;
mod distinct;
mod join;
mod key;
mod origin;
mod pair;
mod recursion;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::Result;
use datafusion::common::tree_node::Transformed;
use datafusion::execution::context::QueryPlanner;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_planner::{DefaultPhysicalPlanner, PhysicalPlanner};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

pub use origin::{Origin, OriginOf};

/// Guards every statement of the session, whoever wrote it. `origin_of` tells where the column of a table comes from.
///
/// It sets the query planner, so it must come after whatever else does.
#[must_use]
pub fn guarded(builder: SessionStateBuilder, origin_of: OriginOf) -> SessionStateBuilder {
    builder.with_query_planner(Arc::new(Guard { origin_of }))
}

/// DataFusion's planner, given plans in which texts are hashed with a key.
#[derive(Debug)]
struct Guard {
    origin_of: OriginOf,
}

impl QueryPlanner for Guard {
    // Written out, so that the future is made elsewhere: the head of the crate `analyze` says why.
    fn create_physical_plan<'a, 'b, 'c, 'f>(
        &'a self,
        plan: &'b LogicalPlan,
        session: &'c dyn Session,
    ) -> BoxFuture<'f, Result<Arc<dyn ExecutionPlan>>>
    where
        'a: 'f,
        'b: 'f,
        'c: 'f,
        Self: 'f,
    {
        planned(plan, session, self.origin_of)
    }
}

fn planned<'f>(
    plan: &'f LogicalPlan,
    session: &'f dyn Session,
    origin_of: OriginOf,
) -> BoxFuture<'f, Result<Arc<dyn ExecutionPlan>>> {
    let planned = async move {
        let plan = keyed(plan.clone(), origin_of)?;
        DefaultPhysicalPlanner::default().create_physical_plan(&plan, session).await
    };
    planned.boxed()
}

/// The same plan, with a key wherever it hashes texts.
fn keyed(plan: LogicalPlan, origin_of: OriginOf) -> Result<LogicalPlan> {
    let keyed = plan.transform_up_with_subqueries(|plan| match plan {
        LogicalPlan::Aggregate(plan) => aggregate::keyed(plan, origin_of),
        LogicalPlan::Window(plan) => aggregate::keyed_window(plan, origin_of),
        LogicalPlan::Join(plan) => join::keyed(plan, origin_of),
        LogicalPlan::RecursiveQuery(plan) => recursion::keyed(plan),
        plan => Ok(Transformed::no(plan)),
    })?;
    Ok(keyed.data)
}
