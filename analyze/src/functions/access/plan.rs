//! The plans of `robots_access` and `robots_body_access`: which tables they read, and how these are sorted.

use super::columns::{FINDING, SITE_COLUMNS, schema};
use super::filter::{matches_the_path, names_the_crawler};
use super::judge::judge_the_text;
use super::pushdown::is_about;
use super::question::Question;
use super::verdicts::{Judged, VerdictsExec};
use super::{ACCESS, BODY_ACCESS};
use datafusion::arrow::datatypes::DataType;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, plan_err};
use datafusion::datasource::provider_as_source;
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, cast};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::ident;
use std::sync::Arc;

/// Plans one call.
pub(super) async fn plan(
    state: &dyn Session,
    question: &Question,
    projection: Option<&[usize]>,
    filters: &[Expr],
) -> Result<Arc<dyn ExecutionPlan>> {
    let question = Arc::new(question.clone());
    let schema = schema();
    let schema = projection.map_or(Ok(Arc::clone(&schema)), |places| schema.project(places).map(Arc::new))?;
    let of_crawl: Vec<Expr> = filters.iter().filter(|filter| is_about(filter, &["crawl"])).cloned().collect();

    // A column in a filter is needed until the filter is applied.
    let is_wanted = |name: &str| {
        schema.index_of(name).is_ok()
            || matches!(name, "crawl" | "outcome")
            || filters.iter().any(|filter| filter.column_refs().iter().any(|column| column.name == name))
    };
    let of_sites = SITE_COLUMNS.into_iter().filter(|(name, _)| is_wanted(name));
    let sites = scan_table(
        state,
        "sites",
        of_sites.chain([("final_status", DataType::Int32), ("body_id", DataType::Int64)]),
        filters,
    )
    .await?;
    let mut inputs = vec![sites];
    if question.needs_only_lines() {
        inputs.extend(lines(state, &[Question::clone(&question)].into(), of_crawl).await?);
    } else {
        inputs.push(findings(state, &question, of_crawl).await?);
    }
    Ok(Arc::new(VerdictsExec::try_new(Judged::Sites(question), inputs, &schema)?))
}

/// The user-agent lines and the rules that affect a verdict.
pub(super) async fn lines(
    state: &dyn Session,
    questions: &Arc<[Question]>,
    of_crawl: Vec<Expr>,
) -> Result<[Arc<dyn ExecutionPlan>; 2]> {
    let groups = [
        ("crawl", DataType::Utf8),
        ("body_id", DataType::Int64),
        ("agent_no", DataType::Int32),
        ("group_no", DataType::Int32),
        ("line_no", DataType::Int32),
        ("agent", DataType::Utf8),
    ];
    let names = names_the_crawler(ident("agent"), questions);
    let names = of_crawl.iter().cloned().chain([names]).collect::<Vec<_>>();
    let groups = scan_table(state, "groups", groups, &names).await?;

    let rules = [
        ("crawl", DataType::Utf8),
        ("body_id", DataType::Int64),
        ("rule_no", DataType::Int32),
        ("group_no", DataType::Int32),
        ("line_no", DataType::Int32),
        ("allow", DataType::Boolean),
        ("pattern", DataType::Utf8),
    ];
    let matches = matches_the_path(ident("pattern"), questions);
    let matches = of_crawl.into_iter().chain([ident("group_no").is_not_null(), matches]).collect::<Vec<_>>();
    let rules = scan_table(state, "rules", rules, &matches).await?;

    Ok([groups, rules])
}

/// The findings for the texts of bodies. All cores judge texts first, and then the findings are sorted: texts are long,
/// and findings are short.
async fn findings(
    state: &dyn Session,
    question: &Arc<Question>,
    of_crawl: Vec<Expr>,
) -> Result<Arc<dyn ExecutionPlan>> {
    let bodies = [
        ("crawl", DataType::Utf8),
        ("body_id", DataType::Int64),
        ("encoding", DataType::Utf8),
        ("text", DataType::Utf8),
    ];
    let plan = table_plan(state, "bodies", bodies, &of_crawl).await?;
    let found = judge_the_text(ident("text"), ident("encoding"), question).alias(FINDING);
    state.create_physical_plan(&plan.project([ident("crawl"), ident("body_id"), found])?.build()?).await
}

/// The physical plan of [`table_plan`].
pub(super) async fn scan_table(
    state: &dyn Session,
    name: &str,
    columns: impl IntoIterator<Item = (&str, DataType)>,
    filters: &[Expr],
) -> Result<Arc<dyn ExecutionPlan>> {
    let plan = table_plan(state, name, columns, filters).await?;
    state.create_physical_plan(&plan.build()?).await
}

/// Some columns of a table, cast to their declared types, and the rows that pass all filters.
pub(super) async fn table_plan(
    state: &dyn Session,
    name: &str,
    columns: impl IntoIterator<Item = (&str, DataType)>,
    filters: &[Expr],
) -> Result<LogicalPlanBuilder> {
    let source = provider_as_source(table(state, name).await?);
    let columns = columns.into_iter().map(|(column, data_type)| cast(ident(column), data_type).alias(column));
    let mut plan = LogicalPlanBuilder::scan(name, source, None)?.project(columns)?;
    if let Some(filter) = filters.iter().cloned().reduce(Expr::and) {
        plan = plan.filter(filter)?;
    }
    Ok(plan)
}

async fn table(state: &dyn Session, name: &str) -> Result<Arc<dyn TableProvider>> {
    let names = &state.config_options().catalog;
    let catalog = state.catalog_list().catalog(&names.default_catalog);
    let found = match catalog.and_then(|catalog| catalog.schema(&names.default_schema)) {
        Some(schema) => schema.table(name).await?,
        None => None,
    };
    match found {
        Some(table) => Ok(table),
        None => plan_err!("table is missing: {name}: {ACCESS} or {BODY_ACCESS} in the statement reads it"),
    }
}
