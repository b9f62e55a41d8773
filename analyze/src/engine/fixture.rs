//! Sessions for tests of rules.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use super::once::kept::KeptSteps;
use super::once::{execute, rows_read};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::optimizer::optimizer::Optimizer;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::{collect, displayable};
use datafusion::prelude::{SessionConfig, SessionContext};
use std::sync::Arc;

/// The answer to a statement with these physical rules, as a table.
pub(super) async fn answer_with(
    rules: Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>>,
    config: SessionConfig,
    sql: &str,
) -> String {
    answer_in(&context_with(rules, config), sql).await
}

/// The answer to a statement with these logical rules, as a table.
pub(super) async fn answer_with_optimizer(optimizer: Optimizer, sql: &str) -> String {
    let state = SessionStateBuilder::new().with_default_features().with_optimizer_rules(optimizer.rules);
    answer_in(&SessionContext::new_with_state(state.build()), sql).await
}

/// The answer of a session to a statement, as a table.
pub(crate) async fn answer_in(context: &SessionContext, sql: &str) -> String {
    pretty_format_batches(&context.sql(sql).await.unwrap().collect().await.unwrap()).unwrap().to_string()
}

/// The answers to statements of a session that keeps the rows of a step, and their plans.
pub(crate) async fn answers_with_kept(
    context: &SessionContext,
    step: &'static [&'static str],
    statements: &[&str],
) -> Vec<(String, String)> {
    let kept = KeptSteps::new(step);
    let mut answers = Vec::new();
    for sql in statements {
        let (answer, plan, _) = answer_in_steps(context, &kept, sql).await;
        answers.push((answer, plan));
    }
    answers
}

/// The answer to a statement whose steps are computed once, its plan, and how many rows of files it read.
pub(crate) async fn answer_with_steps(context: &SessionContext, sql: &str) -> (String, String, u64) {
    answer_in_steps(context, &KeptSteps::default(), sql).await
}

async fn answer_in_steps(context: &SessionContext, kept: &KeptSteps, sql: &str) -> (String, String, u64) {
    let plan = context.state().create_logical_plan(sql).await.unwrap();
    let plan = execute(plan, context, kept).await.unwrap().create_physical_plan().await.unwrap();
    let rows = collect(Arc::clone(&plan), context.task_ctx()).await.unwrap();
    let shown = displayable(plan.as_ref()).indent(false).to_string();
    (pretty_format_batches(&rows).unwrap().to_string(), shown, rows_read(plan.as_ref()))
}

/// A session with these physical rules.
pub(crate) fn context_with(
    rules: Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>>,
    config: SessionConfig,
) -> SessionContext {
    let state = SessionStateBuilder::new().with_default_features().with_config(config);
    SessionContext::new_with_state(state.with_physical_optimizer_rules(rules).build())
}
