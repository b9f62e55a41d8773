//! Makes grouping and joining by text from crawled files safe against hash-collision attacks.
//!
//! DataFusion finds the rows of a group, the values of a `DISTINCT` and the matches of a join by foldhash with seeds
//! that are constants in its source. So the author of a robots.txt can compute texts that all have the same 64-bit
//! hash. A hash table puts them into one list and walks it for every row: 40,000 lines cost 800 million comparisons.
//! For groups, [apache/datafusion#16165](https://github.com/apache/datafusion/pull/16165) made the seed constant on
//! purpose; no issue that asks for random seeds is known.
//!
//! This crate rewrites each statement after DataFusion has optimised it, and before the physical plan is made. Wherever
//! texts are hashed, it adds a hash with a secret key, which the process draws at random:
//!
//! - `GROUP BY text`, `SELECT DISTINCT`, `UNION`, `INTERSECT` and `EXCEPT` group by the texts and their `text_key`.
//!   `ROLLUP`, `CUBE` and `GROUPING SETS` group by pairs of text and key, so that `GROUPING` returns the same numbers.
//! - `count(DISTINCT text)` counts distinct `text_digest`s. They have 127 bits and can stand for the texts.
//! - `array_agg(DISTINCT text)` and `string_agg(DISTINCT text, …)` collect pairs, and drop the keys at the end.
//! - Joins of texts that files can choose on both sides compare the texts and their keys. `NOT IN` compares digests
//!   only, since it takes a single column.
//! - `UNION` in a recursive statement carries the key from round to round.
//!
//! Texts that no crawled file can choose need no key: words of a fixed list, names of crawls, literals in the
//! statement. [`Origin`] says which columns have only such texts. Most rows that questions group have no other texts.
//!
//! A key follows the texts and never precedes them. DataFusion hashes a later column with the hash of the earlier ones
//! as its seed, and foldhash maps some bytes to zero whatever the seed is.
//!
//! Groups that do not fit in memory are sorted by their columns and spilled. Numbers are compared faster than texts, so
//! the first column of groups with a key is a `text_order`, a hash without a secret. Grouping 140 million patterns into
//! 46 million groups takes 27 s instead of 36, and groups that stay in memory up to 1.03 times as long.
//!
//! An optimizer rule would be the wrong place. Optimizer rules run several times, and some would undo the rewrite: they
//! extract common subexpressions and turn single distinct aggregates into groups. `EXPLAIN` shows the keys.
//!
//! Not covered, since an attack gains little:
//!
//! - `PARTITION BY` sorts, and operations on arrays use hashes with random seeds.
//! - Nested values with both texts and floats, such as `struct(pattern, 1.0)`, have no key.
//! - Rows are distributed over the cores by a hash with a public seed. An attack makes one core do the work of all.
//! - Numbers have no key. A file can choose numbers, such as crawl delays, that share buckets of a hash table.
//!   Comparing them there is fast, and different 64-bit numbers need not share the whole hash.
//!
//! Measured in the debug profile with 400 to 2,500 colliding texts: statements take 12 to 112 times as long as with
//! harmless texts, and 0.4 to 1.1 times with the guard. Without an attack, the guard makes grouping a million rows take
//! 1.1 times as long if all texts differ, 1.7 times for patterns, and 3.4 times for four values.

mod aggregate;
mod distinct;
mod function;
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

pub use function::function;
pub use origin::{Origin, OriginOf};

/// Guards all statements of the session. `origin_of` returns where the texts of a column of a table come from.
///
/// It sets the query planner, so no later call may set another.
#[must_use]
pub fn guarded(builder: SessionStateBuilder, origin_of: OriginOf) -> SessionStateBuilder {
    builder.with_query_planner(Arc::new(Guard { origin_of }))
}

/// DataFusion's planner for plans whose texts are hashed with a key.
#[derive(Debug)]
struct Guard {
    origin_of: OriginOf,
}

impl QueryPlanner for Guard {
    // Not `async`: lib.rs of the crate `analyze` says why.
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

/// The same plan with a key wherever it hashes texts.
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
