//! `robots_access(agent, path [, dialect])`: whether a crawler may fetch a path, one row per site.
//!
//! The files are not there any more, but their user-agent lines and rules are. Of these the ones that have a part in the
//! verdict are few: the lines that name the crawler or all crawlers, and the rules that match the path. So the tables are
//! read and filtered by all cores, what is left is sorted by body, beyond memory if need be, and laid beside the sites,
//! which are sorted in the same way. Of each body `robots` makes a transcript and judges it. At no time is more than one
//! body in memory, and no verdict is held longer than its sites take to pass.
//!
//! Two dialects find other lines in a file than those. For them the texts are judged, where they were kept, and what was
//! found is sorted and laid beside the sites.

mod columns;
mod cursor;
mod filter;
mod judge;
mod judging;
mod plan;
mod question;
#[cfg(test)]
mod tests;
mod verdicts;

use super::SECTION;
use columns::{SITE_COLUMNS, schema};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::Result;
use datafusion::logical_expr::{Documentation, Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use question::Question;
use std::sync::{Arc, LazyLock};

/// Its name.
pub(super) const NAME: &str = "robots_access";

/// What it does.
pub(super) fn documentation() -> &'static Documentation {
    &DOCUMENTATION
}

static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
    Documentation::builder(
        SECTION,
        "Whether a crawler may fetch a path, as `robocensus judge` says: one row per site of the table `sites`, from the \
         tables `groups` and `rules`. Its columns are `crawl`, `site_id`, `url_protocol`, `url_host_name`, `url_port` and \
         `outcome`, as in `sites`; `allowed`; `match_kind`, which tells whether a user-agent line names the crawler \
         (`explicit`), one for all crawlers holds (`wildcard`), or neither (`none`); and `deciding_line` and \
         `deciding_pattern`, null where no rule decides. Where the outcome is `unavailable` all is allowed, where it is \
         `unreachable` nothing (RFC 9309 sections 2.3.1.3 and 2.3.1.4); `google` allows nothing after status 429, and \
         `original-1996` nothing after 401 and 403. Where the outcome is `redirect_unresolved` or `no_capture`, `allowed` \
         is null. Of all these sites no rule is known, so that `match_kind` is `none`.",
        "robots_access(agent, path [, dialect])",
    )
    .with_argument("agent", "the crawler's name, a text written out")
    .with_argument("path", "a path with its query, or a URL, of which the path and the query count; a text written out")
    .with_argument(
        "dialect",
        "`rfc9309`, which is what holds if there is none, `draft-00` or `draft-12`; or `google` or `original-1996`, which \
         find lines in a way of their own and read `text` of the table `bodies`: those tables are made with \
         `ingest --keep-text`, and of others it is an error. What was no UTF-8 is U+FFFD there, to these two as well",
    )
    .with_sql_example(
        "SELECT url_host_name, outcome, allowed, match_kind, deciding_line, deciding_pattern\n\
         FROM robots_access('GPTBot', '/press/drafts/1') ORDER BY url_host_name;",
    )
    .build()
});

/// The function.
#[derive(Debug)]
pub(super) struct RobotsAccess;

impl TableFunctionImpl for RobotsAccess {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        Ok(Arc::new(VerdictTable { question: Question::from_arguments(args.exprs())?, schema: schema() }))
    }
}

/// What one call of it gives.
#[derive(Debug)]
struct VerdictTable {
    question: Question,
    schema: SchemaRef,
}

impl TableProvider for VerdictTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::View
    }

    /// What is asked of sites alone need not be judged first.
    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        let pushed = |filter: &&Expr| match is_about(filter, &SITE_COLUMNS) && !filter.is_volatile() {
            true => TableProviderFilterPushDown::Exact,
            false => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(pushed).collect())
    }

    // Written out, so that the future is made elsewhere: the head of this crate says why.
    fn scan<'a, 'b, 'c, 'd, 'f>(
        &'a self,
        state: &'b dyn Session,
        projection: Option<&'c Vec<usize>>,
        filters: &'d [Expr],
        _limit: Option<usize>,
    ) -> BoxFuture<'f, Result<Arc<dyn ExecutionPlan>>>
    where
        'a: 'f,
        'b: 'f,
        'c: 'f,
        'd: 'f,
        Self: 'f,
    {
        planned(state, &self.question, projection.map(Vec::as_slice), filters)
    }
}

fn planned<'f>(
    state: &'f dyn Session,
    question: &'f Question,
    projection: Option<&'f [usize]>,
    filters: &'f [Expr],
) -> BoxFuture<'f, Result<Arc<dyn ExecutionPlan>>> {
    plan::plan(state, question, projection, filters).boxed()
}

/// Whether an expression has no columns but these.
fn is_about(expression: &Expr, columns: &[&str]) -> bool {
    expression.column_refs().iter().all(|column| columns.contains(&column.name.as_str()))
}
