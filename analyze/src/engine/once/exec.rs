//! The plan node that reads the rows of a step.

use super::shared_rows::{SharedRows, rows_of_leaves};
use datafusion::arrow::array::{RecordBatch, RecordBatchOptions};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, Statistics, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::projection::ProjectionMapping;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::statistics::{StatisticsArgs, StatisticsContext};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties as _, PlanProperties, displayable,
};
use futures_util::{StreamExt as _, TryStreamExt as _};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// One reader of a step.
#[derive(Debug)]
pub(in crate::engine) struct StepExec {
    name: String,
    schema: SchemaRef,
    /// The columns that it reads, as indices of the stored columns.
    columns: Vec<usize>,
    /// The plan that computes the step. It is not a child of this node, so that no rule changes it for one reader.
    plan: Arc<dyn ExecutionPlan>,
    rows: Arc<SharedRows>,
    statistics: Arc<StepStatistics>,
    properties: Arc<PlanProperties>,
}

/// The statistics of all columns of a step, by partition. Without this, each reader computes them anew whenever it is
/// asked, and so does each reader of a step that reads this one: planning took a quarter longer.
#[derive(Debug, Default)]
pub(super) struct StepStatistics(Mutex<HashMap<Option<usize>, Arc<Statistics>>>);

impl StepStatistics {
    fn of_plan(&self, plan: &dyn ExecutionPlan, arguments: &StatisticsArgs) -> Result<Arc<Statistics>> {
        let known = self.0.lock().get(&arguments.partition()).cloned();
        if let Some(statistics) = known {
            return Ok(statistics);
        }
        // The lock is not held meanwhile, since the plan may read other steps.
        let statistics = StatisticsContext::new().compute(plan, arguments)?;
        let mut all = self.0.lock();
        Ok(Arc::clone(all.entry(arguments.partition()).or_insert(statistics)))
    }
}

impl StepExec {
    pub(super) fn new(
        name: String,
        schema: SchemaRef,
        columns: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        rows: Arc<SharedRows>,
        statistics: Arc<StepStatistics>,
    ) -> Result<Self> {
        // Rows are stored by partition, in the order of the plan. So readers have its partitioning and order, and need
        // not move or sort rows.
        let computed = plan.schema();
        let names = columns.iter().zip(schema.fields()).map(|(column, field)| {
            let stored: Arc<dyn PhysicalExpr> = Arc::new(Column::new(computed.field(*column).name(), *column));
            (stored, field.name().clone())
        });
        let names = ProjectionMapping::try_new(names, &computed)?;
        let known = plan.equivalence_properties();
        let properties = PlanProperties::new(
            known.project(&names, Arc::clone(&schema)),
            plan.output_partitioning().project(&names, known),
            EmissionType::Final,
            Boundedness::Bounded,
        );
        Ok(StepExec { name, schema, columns, plan, rows, statistics, properties: Arc::new(properties) })
    }

    /// Whether later statements read its rows, too.
    pub(in crate::engine) fn is_kept(&self) -> bool {
        self.rows.is_kept()
    }

    /// The distinct numbers of a column, sorted. `None` if there are more than `most` or the rows are not in memory.
    pub(in crate::engine) fn few_numbers(
        &self,
        column: usize,
        most: usize,
        context: Arc<TaskContext>,
    ) -> impl Future<Output = Result<Option<Vec<i64>>>> + Send + use<> {
        let rows = self.rows.compute_once(&self.plan, context, forget_rows);
        let stored = self.columns.get(column).copied();
        async move { Ok(rows.await?.few_numbers(stored.unwrap_or(usize::MAX), most)) }
    }
}

/// Drops the rows of all steps that a plan reads. The plan of a step that a session keeps lives as long as the session,
/// but computes the rows once.
fn forget_rows(plan: &dyn ExecutionPlan) {
    if let Some(step) = plan.downcast_ref::<StepExec>() {
        step.rows.forget();
        forget_rows(step.plan.as_ref());
    }
    plan.children().into_iter().for_each(|child| forget_rows(child.as_ref()));
}

/// How many rows a plan has read from files so far. What a step reads counts once, however many readers it has.
pub(crate) fn rows_read(plan: &dyn ExecutionPlan) -> u64 {
    fn find<'p>(plan: &'p dyn ExecutionPlan, found: &mut HashMap<*const SharedRows, &'p SharedRows>) {
        if let Some(step) = plan.downcast_ref::<StepExec>()
            && found.insert(Arc::as_ptr(&step.rows), step.rows.as_ref()).is_none()
        {
            find(step.plan.as_ref(), found);
        }
        plan.children().into_iter().for_each(|child| find(child.as_ref(), found));
    }
    let mut steps = HashMap::new();
    find(plan, &mut steps);
    rows_of_leaves(plan) + steps.values().map(|rows| rows.rows_read()).sum::<u64>()
}

impl DisplayAs for StepExec {
    fn fmt_as(&self, format: DisplayFormatType, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "StepExec: {}", self.name)?;
        if format == DisplayFormatType::Verbose {
            let plan = displayable(self.plan.as_ref());
            for line in plan.indent(false).to_string().lines() {
                write!(formatter, "\n        | {line}")?;
            }
        }
        Ok(())
    }
}

impl ExecutionPlan for StepExec {
    fn name(&self) -> &'static str {
        "StepExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        if children.is_empty() { Ok(self) } else { internal_err!("a step has no children") }
    }

    fn statistics_from_inputs(
        &self,
        _inputs: &[Arc<Statistics>],
        arguments: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        let statistics = self.statistics.of_plan(self.plan.as_ref(), arguments)?;
        Ok(Arc::new(statistics.as_ref().clone().project(Some(&self.columns)).to_inexact()))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let rows = self.rows.compute_once(&self.plan, context, forget_rows);
        let (schema, columns) = (Arc::clone(&self.schema), self.columns.clone());
        let rows = async move {
            let rows = rows.await?;
            let read = move |batch: RecordBatch| {
                let batch = batch.project(&columns)?;
                let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
                Ok(RecordBatch::try_new_with_options(Arc::clone(&schema), batch.columns().to_vec(), &options)?)
            };
            Ok::<_, DataFusionError>(rows.partition(partition)?.map(move |batch| batch.and_then(&read)))
        };
        let rows = futures_util::stream::once(rows).try_flatten();
        Ok(Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), rows)))
    }
}
