//! The table of a step.

use super::exec::{StepExec, StepStatistics};
use super::shared_rows::SharedRows;
use crate::engine::body_joins::in_order_of_bodies;
use crate::engine::unnested::{is_subquery, optimise};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{Column, DFSchemaRef, Result, exec_err, internal_datafusion_err};
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::utils::{conjunction, disjunction};
use datafusion::logical_expr::{
    Expr, LogicalPlan, LogicalPlanBuilder, TableProviderFilterPushDown, TableScan, TableType,
};
use datafusion::physical_plan::ExecutionPlan;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// A step whose rows are computed once for all readers.
#[derive(Debug)]
pub(super) struct Step {
    name: String,
    schema: SchemaRef,
    /// Set when it is known that the step stays a table.
    query: OnceLock<LogicalPlan>,
    wanted: Mutex<Wanted>,
    settled: OnceLock<Settled>,
    plan: Mutex<Option<Arc<dyn ExecutionPlan>>>,
    shared_rows: Arc<SharedRows>,
    statistics: Arc<StepStatistics>,
}

/// The rows and columns that the readers of a step need.
#[derive(Debug, Default)]
struct Wanted {
    columns: BTreeSet<usize>,
    /// The condition of each reader; `None` for a reader of all rows.
    conditions: Vec<Option<Expr>>,
}

/// The plan to compute. It is set when all readers are known.
#[derive(Debug)]
struct Settled {
    plan: LogicalPlan,
    /// The columns of the plan, as indices of columns of the step.
    columns: Vec<usize>,
}

impl Step {
    pub(super) fn new(name: String, schema: &DFSchemaRef) -> Self {
        Step {
            name,
            schema: Arc::clone(schema.inner()),
            query: OnceLock::new(),
            wanted: Mutex::default(),
            settled: OnceLock::new(),
            plan: Mutex::default(),
            shared_rows: Arc::default(),
            statistics: Arc::default(),
        }
    }

    /// A step whose rows outlive the statement that computes them. It has all columns, since later readers are unknown.
    pub(super) fn kept(name: String, query: LogicalPlan, state: &SessionState) -> Result<Self> {
        let columns = (0..query.schema().fields().len()).collect();
        let plan = optimise(query.clone(), state)?;
        let step = Step { shared_rows: Arc::new(SharedRows::kept()), ..Step::new(name, query.schema()) };
        step.set_query(query);
        _ = step.settled.set(Settled { plan, columns });
        Ok(step)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The plan that computes a column, and the index of the column in that plan; `None` if no reader wants the column.
    pub(super) fn column(&self, column: usize) -> Option<(&LogicalPlan, usize)> {
        let Settled { plan, columns } = self.settled.get()?;
        Some((plan, columns.iter().position(|kept| *kept == column)?))
    }

    /// Sets the query that computes the step. Its columns are those of the table.
    pub(super) fn set_query(&self, query: LogicalPlan) {
        _ = self.query.set(query);
    }

    /// The query of the step.
    pub(super) fn query(&self) -> Option<&LogicalPlan> {
        self.query.get()
    }

    fn known_query(&self) -> Result<&LogicalPlan> {
        self.query().ok_or_else(|| internal_datafusion_err!("query of step {} is unknown", self.name))
    }

    /// Adds what one reader needs, unless it is known already what is computed.
    pub(super) fn add_reader(&self, scan: &TableScan) -> Result<()> {
        if self.settled.get().is_some() {
            return Ok(());
        }
        let query = self.known_query()?;
        let mut wanted = self.wanted.lock();
        match &scan.projection {
            Some(columns) => wanted.columns.extend(columns),
            None => wanted.columns.extend(0..self.schema.fields().len()),
        }
        let conditions = scan.filters.iter().filter(|condition| stands_alone(condition));
        let conditions =
            conditions.map(|condition| translate(condition, query.schema())).collect::<Result<Vec<_>>>()?;
        wanted.conditions.push(conjunction(conditions));
        Ok(())
    }

    /// Fixes what is computed: all that the readers so far need. Returns the plan for it.
    pub(super) fn settle(&self, state: &SessionState) -> Result<&LogicalPlan> {
        let wanted = std::mem::take(&mut *self.wanted.lock());
        let mut columns: Vec<usize> = wanted.columns.into_iter().collect();
        if columns.is_empty() {
            // A reader that only counts rows needs a column to count.
            columns.push(0);
        }
        let query = self.known_query()?;
        let mut builder = LogicalPlanBuilder::from(query.clone());
        if let Some(conditions) = wanted.conditions.into_iter().collect::<Option<Vec<_>>>()
            && let Some(condition) = disjunction(conditions)
        {
            builder = builder.filter(condition)?;
        }
        let schema = query.schema();
        let projected = columns.iter().map(|column| Expr::Column(Column::from(schema.qualified_field(*column))));
        // The query and the conditions are analysed already.
        let plan = optimise(builder.project(projected)?.build()?, state)?;
        Ok(&self.settled.get_or_init(|| Settled { plan, columns }).plan)
    }

    /// The plan that all readers share.
    async fn shared_plan(&self, settled: &Settled, session: &dyn Session) -> Result<Arc<dyn ExecutionPlan>> {
        let planned = self.plan.lock().clone();
        if let Some(plan) = planned {
            return Ok(plan);
        }
        let mut plan = session.query_planner().create_physical_plan(&settled.plan, session).await?;
        if self.shared_rows.is_kept() {
            plan = in_order_of_bodies(plan, session).await?;
        }
        Ok(Arc::clone(self.plan.lock().get_or_insert(plan)))
    }

    /// The plan that gives a reader its columns.
    fn scan_columns<'f>(
        &'f self,
        session: &'f dyn Session,
        projection: Option<&'f [usize]>,
    ) -> BoxFuture<'f, Result<Arc<dyn ExecutionPlan>>> {
        let planned = async move {
            let unsettled = || internal_datafusion_err!("readers of step {} are unknown", self.name);
            let settled = self.settled.get().ok_or_else(unsettled)?;
            let plan = self.shared_plan(settled, session).await?;
            let all = || (0..self.schema.fields().len()).collect();
            let wanted: Vec<usize> = projection.map_or_else(all, <[usize]>::to_vec);
            let place = |column| settled.columns.iter().position(|kept| kept == column).ok_or_else(unsettled);
            let columns = wanted.iter().map(place).collect::<Result<Vec<_>>>()?;
            let schema = Arc::new(self.schema.project(&wanted)?);
            let rows = Arc::clone(&self.shared_rows);
            let statistics = Arc::clone(&self.statistics);
            let exec = StepExec::new(self.name.clone(), schema, columns, plan, rows, statistics)?;
            Ok(Arc::new(exec) as Arc<dyn ExecutionPlan>)
        };
        planned.boxed()
    }
}

/// Whether a condition can be evaluated without another query.
fn stands_alone(condition: &Expr) -> bool {
    let reads_query =
        |part: &Expr| is_subquery(part) || matches!(part, Expr::ScalarSubquery(_) | Expr::OuterReferenceColumn(..));
    !condition.exists(|part| Ok(reads_query(part))).unwrap_or(true)
}

/// Turns a condition on the table into a condition on the query of the step, whose columns have the same order.
fn translate(condition: &Expr, schema: &DFSchemaRef) -> Result<Expr> {
    let translated = condition.clone().transform(|part| match part {
        Expr::Column(column) => {
            let Some(index) = schema.fields().iter().position(|field| *field.name() == column.name) else {
                return exec_err!("a step has no column {column}");
            };
            Ok(Transformed::yes(Expr::Column(Column::from(schema.qualified_field(index)))))
        }
        part => Ok(Transformed::no(part)),
    })?;
    Ok(translated.data)
}

impl TableProvider for Step {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Temporary
    }

    fn supports_filters_pushdown(&self, conditions: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        // The stored rows include those of other readers, so each reader filters again.
        Ok(vec![TableProviderFilterPushDown::Inexact; conditions.len()])
    }

    scan!(|table, session, projection, _conditions, _limit| table.scan_columns(session, projection.map(Vec::as_slice)));
}
