//! `robots_access(agent, path [, dialect])`: whether a crawler may fetch a path, one row per site.
//!
//! The tables have the user-agent lines and rules of files. Few of them affect a verdict: the lines that name the
//! crawler or all crawlers, and the rules that match the path. All cores read the tables and drop the other rows. The
//! remaining rows are sorted by body, on disk if memory is full, and merged with the sites, which are sorted by body
//! too. `robots` judges a transcript of each body. Only one body is in memory at a time, and its verdict is dropped
//! after its sites.
//!
//! The dialects `google` and `original-1996` find other lines in a file. They judge the texts of bodies, which
//! `ingest --keep-text` stores. Their findings are sorted and merged with the sites in the same way.

pub(super) mod bodies;
mod body_verdicts;
mod columns;
mod cursor;
mod filter;
mod judge;
mod judging;
mod lines;
mod plan;
mod pushdown;
mod question;
#[cfg(test)]
mod tests;
mod verdicts;

use super::SECTION;
use super::matches::PATH;
use columns::{SITE_COLUMNS, schema};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::{Documentation, Expr, TableProviderFilterPushDown, TableType};
use futures_util::FutureExt as _;
use pushdown::pushed;
use question::Question;
pub(super) use question::dialect_named;
use robots::Dialect;
use std::sync::{Arc, LazyLock};

/// The names of the table functions.
pub(super) const ACCESS: &str = "robots_access";
pub(super) const BODY_ACCESS: &str = "robots_body_access";

pub(super) static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
    Documentation::builder(
        SECTION,
        "Whether a crawler may fetch a path, with the verdict of `robocensus judge`: one row per site in `sites`. It \
         reads the tables `sites`, `groups` and `rules`. The columns `crawl`, `site_id`, `url_protocol`, \
         `url_host_name`, `url_port` and `outcome` are those of `sites`. `allowed` is the verdict. `match_kind` is \
         `explicit` if a user-agent line names the crawler, `wildcard` if a group for all crawlers applies, and `none` \
         otherwise. `deciding_line` and `deciding_pattern` are null if no rule decides. If the outcome is \
         `unavailable`, everything is allowed; if it is `unreachable`, nothing (RFC 9309 sections 2.3.1.3 and \
         2.3.1.4). `google` allows nothing after status 429, and `original-1996` nothing after 401 and 403. If the \
         outcome is `redirect_unresolved` or `no_capture`, `allowed` is null. In all four cases no rules are known, \
         and `match_kind` is `none`. Whatever the outcome, `/robots.txt` itself is allowed (section 2.2.2), except by \
         `google`.",
        "robots_access(agent, path [, dialect])",
    )
    .with_argument("agent", "the crawler's name, as a literal; `*` stands for crawlers that a file does not name")
    .with_argument("path", describe_path())
    .with_argument("dialect", describe_dialects())
    .with_sql_example(
        "SELECT url_host_name, outcome, allowed, match_kind, deciding_line, deciding_pattern\n\
         FROM robots_access('GPTBot', '/press/drafts/1') ORDER BY url_host_name;",
    )
    .build()
});

/// What the argument `path` is.
fn describe_path() -> String {
    format!("a literal: {PATH}; any other text is an error")
}

/// The names of the dialects, and what those need that find other lines than RFC 9309.
fn describe_dialects() -> String {
    let quoted = |dialect: &Dialect| format!("`{}`", dialect.name());
    let all: Vec<String> = Dialect::ALL.iter().map(quoted).collect();
    let others: Vec<String> =
        Dialect::ALL.iter().filter(|dialect| !dialect.has_lines_of_rfc_9309()).map(quoted).collect();
    format!(
        "one of {}; {} by default. {} find other lines in a file: they read the column `text` of `bodies`, and fail on \
         tables made without `ingest --keep-text`. That column has U+FFFD for bytes that are not \
         valid in the encoding of the body, and these dialects judge U+FFFD",
        all.join(", "),
        quoted(&Dialect::Rfc9309),
        others.join(" and ")
    )
}

/// The table function `robots_access`.
#[derive(Debug)]
pub(super) struct RobotsAccess;

impl TableFunctionImpl for RobotsAccess {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let arguments = args.exprs();
        let question = match Question::from_arguments(ACCESS, arguments)?.pop() {
            Some(question) if arguments.len() <= 3 => question,
            _ => return plan_err!("wrong number of arguments: {ACCESS}: {} given, 2 or 3 expected", arguments.len()),
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
        Ok(pushed(filters, &SITE_COLUMNS.map(|(name, _)| name)))
    }

    scan!(|table, state, projection, filters, _limit| plan::plan(
        state,
        &table.question,
        projection.map(Vec::as_slice),
        filters
    )
    .boxed());
}
