//! The views that questions share as tables of their own, with the defaults of their parameters.

use crate::queries::{self, Query};
use crate::statement::Values;
use datafusion::catalog::TableProvider;
use datafusion::datasource::ViewTable;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use folder::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A view, planned when it is asked for: what it reads may not be there.
#[derive(Debug)]
pub(super) struct View {
    pub(super) name: String,
    /// What one row of it is.
    pub(super) grain: String,
    /// The tables that it reads, directly or through another view.
    pub(super) tables: BTreeSet<String>,
    sql: String,
}

/// All of them, by name.
pub(super) fn all() -> Result<Vec<View>, Failure> {
    let views = queries::all(queries::Folder::Views)?;
    views.iter().map(|view| View::of(view, &views)).collect()
}

impl View {
    fn of(view: &Query, views: &[Query]) -> Result<Self, Failure> {
        let values: Values = view.values(views, &BTreeMap::new())?;
        Ok(View {
            name: view.name.clone(),
            grain: view.header.grain.clone(),
            tables: view.tables(views),
            sql: view.statement(views, &values)?,
        })
    }

    pub(super) async fn open(&self, state: &SessionState) -> Result<Arc<dyn TableProvider>> {
        let plan = state.create_logical_plan(&self.sql).await?;
        Ok(Arc::new(ViewTable::new(plan, Some(self.sql.clone()))) as Arc<dyn TableProvider>)
    }
}

/// The session that a view is planned in has ended.
pub(super) fn ended() -> DataFusionError {
    DataFusionError::Plan("the session has ended".to_owned())
}
