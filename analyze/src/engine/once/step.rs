//! A step as a table.

use super::kept::Keeping;
use super::read::StepReading;
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
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A step that is worked out once, for all that read it.
#[derive(Debug)]
pub(super) struct Step {
    name: String,
    schema: SchemaRef,
    plan: LogicalPlan,
    wanted: Mutex<Wanted>,
    settled: OnceLock<Settled>,
    running: Mutex<Option<Arc<dyn ExecutionPlan>>>,
    kept: Arc<Keeping>,
}

/// What readers want of it.
#[derive(Debug, Default)]
struct Wanted {
    columns: BTreeSet<usize>,
    /// What holds for the rows that each wants, if any said so; a row that no reader wants is not kept.
    conditions: Vec<Option<Expr>>,
}

/// What is worked out, since all readers were heard.
#[derive(Debug)]
struct Settled {
    plan: LogicalPlan,
    /// Which columns of the step those of the plan are.
    columns: Vec<usize>,
}

impl Step {
    pub(super) fn new(name: String, plan: LogicalPlan) -> Self {
        Step {
            name,
            schema: Arc::clone(plan.schema().inner()),
            plan,
            wanted: Mutex::default(),
            settled: OnceLock::new(),
            running: Mutex::default(),
            kept: Arc::default(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The plan that is worked out, and the place that a column has there.
    pub(super) fn column(&self, column: usize) -> Option<(&LogicalPlan, usize)> {
        let Settled { plan, columns } = self.settled.get()?;
        Some((plan, columns.iter().position(|kept| *kept == column)?))
    }

    /// Hears one reader.
    pub(super) fn want(&self, scan: &TableScan) -> Result<()> {
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        match &scan.projection {
            Some(columns) => wanted.columns.extend(columns),
            None => wanted.columns.extend(0..self.schema.fields().len()),
        }
        let conditions = scan.filters.iter().filter(|condition| stands_alone(condition));
        let conditions =
            conditions.map(|condition| of_step(condition, self.plan.schema())).collect::<Result<Vec<_>>>()?;
        wanted.conditions.push(conjunction(conditions));
        Ok(())
    }

    /// Settles what is worked out: what was wanted by now.
    pub(super) fn settle(&self, state: &SessionState) -> Result<&LogicalPlan> {
        let wanted = std::mem::take(&mut *self.wanted.lock().unwrap_or_else(PoisonError::into_inner));
        let mut columns: Vec<usize> = wanted.columns.into_iter().collect();
        if columns.is_empty() {
            // Rows alone are counted, and have to be rows of something.
            columns.push(0);
        }
        let mut builder = LogicalPlanBuilder::from(self.plan.clone());
        if let Some(conditions) = wanted.conditions.into_iter().collect::<Option<Vec<_>>>()
            && let Some(condition) = disjunction(conditions)
        {
            builder = builder.filter(condition)?;
        }
        let schema = self.plan.schema();
        let projected = columns.iter().map(|column| Expr::Column(Column::from(schema.qualified_field(*column))));
        let plan = state.optimize(&builder.project(projected)?.build()?)?;
        Ok(&self.settled.get_or_init(|| Settled { plan, columns }).plan)
    }

    /// What works the step out: the same for all readers.
    async fn running(&self, settled: &Settled, session: &dyn Session) -> Result<Arc<dyn ExecutionPlan>> {
        let is_planned = self.running.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(plan) = is_planned {
            return Ok(plan);
        }
        let plan = session.query_planner().create_physical_plan(&settled.plan, session).await?;
        Ok(Arc::clone(self.running.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(plan)))
    }

    /// What gives a reader the columns that it wants.
    fn reading<'f>(
        &'f self,
        session: &'f dyn Session,
        projection: Option<&'f [usize]>,
    ) -> BoxFuture<'f, Result<Arc<dyn ExecutionPlan>>> {
        let reading = async move {
            let unheard = || internal_datafusion_err!("step {} does not know its readers", self.name);
            let settled = self.settled.get().ok_or_else(unheard)?;
            let running = self.running(settled, session).await?;
            let all = || (0..self.schema.fields().len()).collect();
            let wanted: Vec<usize> = projection.map_or_else(all, <[usize]>::to_vec);
            let place = |column| settled.columns.iter().position(|kept| kept == column).ok_or_else(unheard);
            let columns = wanted.iter().map(place).collect::<Result<Vec<_>>>()?;
            let schema = Arc::new(self.schema.project(&wanted)?);
            let kept = Arc::clone(&self.kept);
            Ok(Arc::new(StepReading::new(self.name.clone(), schema, columns, running, kept)) as Arc<dyn ExecutionPlan>)
        };
        reading.boxed()
    }
}

/// Whether a condition needs no other query to be told.
fn stands_alone(condition: &Expr) -> bool {
    !condition
        .exists(|part| {
            Ok(matches!(
                part,
                Expr::ScalarSubquery(_) | Expr::InSubquery(_) | Expr::Exists(_) | Expr::OuterReferenceColumn(..)
            ))
        })
        .unwrap_or(true)
}

/// A condition on the table as one on what the step is made of, whose columns stand in the same order.
fn of_step(condition: &Expr, schema: &DFSchemaRef) -> Result<Expr> {
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
        // Other readers want other rows, so that each looks again.
        Ok(vec![TableProviderFilterPushDown::Inexact; conditions.len()])
    }

    // Written out, so that the future is made elsewhere: the head of this crate says why.
    fn scan<'a, 'b, 'c, 'd, 'f>(
        &'a self,
        session: &'b dyn Session,
        projection: Option<&'c Vec<usize>>,
        _conditions: &'d [Expr],
        _limit: Option<usize>,
    ) -> BoxFuture<'f, Result<Arc<dyn ExecutionPlan>>>
    where
        'a: 'f,
        'b: 'f,
        'c: 'f,
        'd: 'f,
        Self: 'f,
    {
        self.reading(session, projection.map(Vec::as_slice))
    }
}
