//! `robots_body_access(agent, path [, dialect, ...])`: whether a file allows a crawler to fetch a path, one row per
//! body.
//!
//! If the tables are partitioned by ranges of bodies and sorted by body, nothing is sorted again, and each core judges
//! its own ranges.

use super::BODY_ACCESS;
use super::columns::verdict_fields;
use super::describe_path;
use super::judge::judge_the_text_by_all;
use super::plan::{lines, scan_table, table_plan};
use super::pushdown::pushed;
use super::question::Question;
use super::verdicts::{Judged, VerdictsExec};
use crate::functions::SECTION;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::Result;
use datafusion::functions::core::expr_fn::get_field;
use datafusion::logical_expr::{Documentation, Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::prelude::ident;
use futures_util::FutureExt as _;
use std::sync::{Arc, LazyLock};

pub(in crate::functions) static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
    Documentation::builder(
        SECTION,
        "Whether the rules of each file allow a crawler to fetch a path: one row per body of the table `bodies`, for \
         several dialects in one pass. Its columns are `crawl`, `body_id` and two for each dialect: \
         `allowed_rfc9309`, `allowed_draft_12` and so on for the crawler, `others_allowed_rfc9309` and so on for \
         crawlers that the file does not name. For sites without a file, see `robots_outcome_access`.",
        "robots_body_access(agent, path [, dialect, ...])",
    )
    .with_argument("agent", "the crawler's name, as a literal; `*` stands for crawlers that a file does not name")
    .with_argument("path", describe_path())
    .with_argument("dialect", "as for `robots_access`; any number of different ones")
    .with_sql_example(
        "SELECT allowed_rfc9309, allowed_draft_00, count(*) AS bodies\n\
         FROM robots_body_access('GPTBot', '/', 'rfc9309', 'draft-00')\n\
         GROUP BY allowed_rfc9309, allowed_draft_00 ORDER BY bodies DESC;",
    )
    .build()
});

/// The table function `robots_body_access`.
#[derive(Debug)]
pub(in crate::functions) struct RobotsBodyAccess;

impl TableFunctionImpl for RobotsBodyAccess {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let mut questions = Question::from_arguments(BODY_ACCESS, args.exprs())?;
        let others: Vec<Question> = questions.iter().map(Question::about_others).collect();
        questions.extend(others);
        let mut fields =
            vec![Field::new("crawl", DataType::Utf8, false), Field::new("body_id", DataType::Int64, false)];
        fields.extend(verdict_fields(&questions));
        Ok(Arc::new(BodyTable { questions: questions.into(), schema: Arc::new(Schema::new(fields)) }))
    }
}

/// The table that one call returns.
#[derive(Debug)]
struct BodyTable {
    questions: Arc<[Question]>,
    schema: SchemaRef,
}

impl TableProvider for BodyTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::View
    }

    /// A condition on the crawl is applied before judging.
    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(pushed(filters, &["crawl"]))
    }

    scan!(|table, state, projection, filters, _limit| table
        .plan(state, projection.map(Vec::as_slice), filters)
        .boxed());
}

impl BodyTable {
    async fn plan(
        &self,
        state: &dyn Session,
        projection: Option<&[usize]>,
        filters: &[Expr],
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let is_wanted = |name: &str| {
            projection.is_none_or(|places| places.iter().any(|place| self.schema.field(*place).name() == name))
        };
        // A verdict that nobody reads is not judged.
        let wanted = self.questions.iter().filter(|question| is_wanted(&question.column())).cloned();
        let (by_lines, by_text): (Vec<_>, Vec<_>) = wanted.partition(Question::needs_only_lines);
        let bodies = bodies_judged_by_text(state, by_text.into(), filters).await?;
        let judged =
            if by_lines.is_empty() { bodies } else { judged_by_lines(state, bodies, by_lines.into(), filters).await? };
        let Some(places) = projection else { return Ok(judged) };
        let columns = places.iter().map(|place| {
            let name = self.schema.field(*place).name();
            Ok((Arc::new(Column::new(name, judged.schema().index_of(name)?)) as _, name.clone()))
        });
        let columns = columns.collect::<Result<Vec<_>>>()?;
        Ok(Arc::new(ProjectionExec::try_new(columns, judged)?))
    }
}

/// The bodies, with verdicts by their texts. Without a question no text is read.
async fn bodies_judged_by_text(
    state: &dyn Session,
    questions: Arc<[Question]>,
    filters: &[Expr],
) -> Result<Arc<dyn ExecutionPlan>> {
    let key = [("crawl", DataType::Utf8), ("body_id", DataType::Int64)];
    if questions.is_empty() {
        return scan_table(state, "bodies", key, filters).await;
    }
    let texts = [("encoding", DataType::Utf8), ("text", DataType::Utf8)];
    let bodies = table_plan(state, "bodies", key.into_iter().chain(texts), filters).await?;
    let columns = vec![ident("crawl"), ident("body_id"), ident("text"), ident("encoding")];
    let verdicts = judge_the_text_by_all(columns, &questions).alias("verdicts");
    let judged = bodies.project([ident("crawl"), ident("body_id"), verdicts])?;
    let allowed = questions.iter().map(Question::column);
    let allowed = allowed.map(|name| get_field(ident("verdicts"), name.as_str()).alias(name));
    let plan = judged.project([ident("crawl"), ident("body_id")].into_iter().chain(allowed))?;
    state.create_physical_plan(&plan.build()?).await
}

/// The bodies with their columns, and verdicts by their user-agent lines and rules.
async fn judged_by_lines(
    state: &dyn Session,
    bodies: Arc<dyn ExecutionPlan>,
    questions: Arc<[Question]>,
    filters: &[Expr],
) -> Result<Arc<dyn ExecutionPlan>> {
    let [groups, rules] = lines(state, &questions, filters.to_vec()).await?;
    let columns = bodies.schema();
    let columns =
        columns.fields().iter().map(|field| Field::new(field.name(), field.data_type().clone(), field.is_nullable()));
    let schema = Arc::new(Schema::new(columns.chain(verdict_fields(&questions)).collect::<Vec<_>>()));
    Ok(Arc::new(VerdictsExec::try_new(Judged::Bodies(questions), vec![bodies, groups, rules], &schema)?))
}
