//! The views that questions share, as tables, with the defaults of their parameters.

use super::external::external;
use crate::queries::{self, Query};
use crate::statement::{ParsedQuery, ParsedStatement};
use datafusion::catalog::TableProvider;
use datafusion::datasource::ViewTable;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use folder::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A view. It is planned when it is first read, since its tables may be missing.
#[derive(Debug)]
pub(super) struct View {
    pub(super) query: Query,
    /// The tables that it reads, directly or through another view.
    pub(super) tables: BTreeSet<String>,
    /// All views, since a view may read others.
    views: Arc<Vec<Query>>,
}

/// All views, by name. Statements are parsed later: most sessions read no view, and parsing would slow each start.
pub(super) fn all() -> Result<Vec<View>, Failure> {
    let views = Arc::new(queries::all(queries::QueryKind::View)?);
    let view = |view: &Query| View { query: view.clone(), tables: view.tables(&views), views: Arc::clone(&views) };
    Ok(views.iter().map(view).collect())
}

impl View {
    pub(super) async fn open(&self, state: &SessionState) -> Result<Arc<dyn TableProvider>> {
        let statement = ParsedStatement::from(self.statement().map_err(external)?);
        let plan = state.statement_to_plan(statement.0).await?;
        Ok(Arc::new(ViewTable::new(plan, Some(self.query.text.clone()))) as Arc<dyn TableProvider>)
    }

    /// Its statement, with the views that it reads and the defaults of its parameters.
    fn statement(&self) -> Result<ParsedQuery, Failure> {
        self.query.statement(&self.views, &self.query.values(&self.views, &BTreeMap::new())?)
    }
}

/// The error for a view whose session has ended.
pub(super) fn ended() -> DataFusionError {
    DataFusionError::Plan("the session has ended".to_owned())
}
