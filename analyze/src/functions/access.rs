//! `robots_access(agent, path [, dialect])`: whether a crawler may fetch a path, one row per site.
//!
//! The tables have the user-agent lines and rules of files, not the files. Few of these affect a verdict: the lines that
//! name the crawler or all crawlers, and the rules that match the path. So all cores read and filter the tables. The rest is
//! sorted by body, on disk if memory is full, and merged with the sites, which have the same order. `robots` makes a
//! transcript of each body and judges it. Only one body is in memory at a time, and its verdict is dropped after its sites.
//!
//! Two dialects find other lines in a file. For them the texts of bodies are judged, if `ingest` kept them. Their findings
//! are sorted and merged with the sites in the same way.

pub(super) mod bodies;
mod columns;
mod cursor;
mod filter;
mod judge;
mod judging;
mod lines;
mod plan;
mod question;
#[cfg(test)]
mod tests;
mod verdicts;

use super::SECTION;
use columns::{SITE_COLUMNS, schema};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::{Documentation, Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use question::Question;
pub(super) use question::dialect_named;
use std::sync::{Arc, LazyLock};

/// The name of the function.
pub(super) const NAME: &str = "robots_access";

/// The documentation of the function.
pub(super) fn documentation() -> &'static Documentation {
    &DOCUMENTATION
}

static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
    Documentation::builder(
        SECTION,
        "Whether a crawler may fetch a path, as `robocensus judge` says: one row per site of the table `sites`, from the \
         tables `groups` and `rules`. Its columns are `crawl`, `site_id`, `url_protocol`, `url_host_name`, `url_port` and \
         `outcome`, as in `sites`; `allowed`; `match_kind`: `explicit` if a user-agent line names the crawler, `wildcard` if \
         a group for all crawlers applies, `none` otherwise; and `deciding_line` and `deciding_pattern`, null if no rule \
         decides. If the outcome is `unavailable`, everything is allowed; if it is `unreachable`, nothing (RFC 9309 sections \
         2.3.1.3 and 2.3.1.4). `google` allows nothing after status 429, and `original-1996` nothing after 401 and 403. If \
         the outcome is `redirect_unresolved` or `no_capture`, `allowed` is null. No rules are known for these sites, so \
         that `match_kind` is `none`.",
        "robots_access(agent, path [, dialect])",
    )
    .with_argument("agent", "the crawler's name, as a literal")
    .with_argument("path", "a path with its query, or a URL (only its path and query count), as a literal")
    .with_argument(
        "dialect",
        "`rfc9309`, the default, `draft-00`, `draft-12`, `google` or `original-1996`. The last two find other lines in a file \
         and read `text` of the table `bodies`; they fail on tables that were made without `ingest --keep-text`. Bytes that \
         are not UTF-8 are U+FFFD in that column, and to these two dialects",
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
        let arguments = args.exprs();
        let question = match Question::from_arguments(NAME, arguments)?.pop() {
            Some(question) if arguments.len() <= 3 => question,
            _ => return plan_err!("arguments are {} and not 2 or 3: {NAME}", arguments.len()),
        };
        Ok(Arc::new(VerdictTable { question, schema: schema() }))
    }
}

/// The table that one call returns.
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

    /// Conditions on columns of `sites` are applied before judging.
    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(pushed(filters, &SITE_COLUMNS))
    }

    // Not `async`: lib.rs says why.
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

/// Which filters are applied before judging: those about these columns.
fn pushed(filters: &[&Expr], columns: &[&str]) -> Vec<TableProviderFilterPushDown> {
    let pushed = |filter: &&Expr| match is_about(filter, columns) && !filter.is_volatile() {
        true => TableProviderFilterPushDown::Exact,
        false => TableProviderFilterPushDown::Unsupported,
    };
    filters.iter().map(pushed).collect()
}

/// Whether an expression has only these columns.
fn is_about(expression: &Expr, columns: &[&str]) -> bool {
    expression.column_refs().iter().all(|column| columns.contains(&column.name.as_str()))
}
