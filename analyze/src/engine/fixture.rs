//! Sessions for tests of rules.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::optimizer::optimizer::Optimizer;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
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

/// A session with these physical rules.
pub(crate) fn context_with(
    rules: Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>>,
    config: SessionConfig,
) -> SessionContext {
    let state = SessionStateBuilder::new().with_default_features().with_config(config);
    SessionContext::new_with_state(state.with_physical_optimizer_rules(rules).build())
}
