//! The node of a plan that judges. Its two or three inputs are one stream each, sorted by crawl and body.

use super::columns::VerdictColumn;
use super::judging::Judging;
use super::question::Question;
use datafusion::arrow::compute::SortOptions;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::expressions::col;
use datafusion::physical_expr::{
    Distribution, EquivalenceProperties, LexOrdering, OrderingRequirements, Partitioning, PhysicalExpr,
    PhysicalSortExpr,
};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::metrics::{BaselineMetrics, ExecutionPlanMetricsSet, MetricsSet, RecordOutput};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties};
use futures_util::stream::try_unfold;
use std::fmt;
use std::sync::Arc;

/// The orders of sites, user-agent lines and rules: by body, then as in the file.
const LINE_ORDERS: [&[&str]; 3] =
    [&["crawl", "body_id"], &["crawl", "body_id", "agent_no"], &["crawl", "body_id", "rule_no"]];

/// The orders of sites and of findings for texts.
const TEXT_ORDERS: [&[&str]; 2] = [&["crawl", "body_id"], &["crawl", "body_id"]];

/// The node. Its inputs are sites, and either user-agent lines and rules or findings for texts.
#[derive(Debug)]
pub(super) struct VerdictsExec {
    question: Arc<Question>,
    inputs: Vec<Arc<dyn ExecutionPlan>>,
    orders: Vec<LexOrdering>,
    columns: Vec<VerdictColumn>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl VerdictsExec {
    pub(super) fn try_new(
        question: Arc<Question>,
        inputs: Vec<Arc<dyn ExecutionPlan>>,
        columns: Vec<VerdictColumn>,
        schema: SchemaRef,
    ) -> Result<Self> {
        let orders: &[&[&str]] = if question.needs_only_lines() { &LINE_ORDERS } else { &TEXT_ORDERS };
        if inputs.len() != orders.len() {
            return internal_err!("VerdictsExec has {} inputs and not {}", inputs.len(), orders.len());
        }
        let orders = inputs.iter().zip(orders).map(|(input, order)| ordering(input, order)).collect::<Result<_>>()?;
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        let metrics = ExecutionPlanMetricsSet::new();
        Ok(VerdictsExec { question, inputs, orders, columns, properties: Arc::new(properties), metrics })
    }
}

fn ordering(input: &Arc<dyn ExecutionPlan>, columns: &[&str]) -> Result<LexOrdering> {
    let schema = input.schema();
    // Sites without a body come last, after all bodies.
    let options = SortOptions { descending: false, nulls_first: false };
    let sorts = columns.iter().map(|column| Ok(PhysicalSortExpr::new(col(column, &schema)?, options)));
    match LexOrdering::new(sorts.collect::<Result<Vec<_>>>()?) {
        Some(ordering) => Ok(ordering),
        None => internal_err!("no column to sort by"),
    }
}

impl DisplayAs for VerdictsExec {
    fn fmt_as(&self, _format: DisplayFormatType, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Question { agent, path, dialect, .. } = &*self.question;
        write!(formatter, "VerdictsExec: agent={agent:?}, path={path:?}, dialect={}", dialect.name())
    }
}

impl ExecutionPlan for VerdictsExec {
    fn name(&self) -> &str {
        "VerdictsExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn required_input_distribution(&self) -> Vec<Distribution> {
        vec![Distribution::SinglePartition; self.inputs.len()]
    }

    fn required_input_ordering(&self) -> Vec<Option<OrderingRequirements>> {
        self.orders.iter().map(|order| Some(OrderingRequirements::from(order.clone()))).collect()
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        // Lets all cores filter and sort.
        vec![true; self.inputs.len()]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        self.inputs.iter().collect()
    }

    fn apply_expressions(
        &self,
        _f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        let schema = Arc::clone(self.properties.equivalence_properties().schema());
        Ok(Arc::new(VerdictsExec::try_new(Arc::clone(&self.question), children, self.columns.clone(), schema)?))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        for input in &self.inputs {
            if input.output_partitioning().partition_count() != 1 {
                return internal_err!("input of VerdictsExec is not in one stream");
            }
        }
        let streams = self.inputs.iter().map(|input| input.execute(0, Arc::clone(&context))).collect::<Result<_>>()?;
        let schema = self.schema();
        let judging = Judging::new(Arc::clone(&self.question), streams, self.columns.clone(), Arc::clone(&schema))?;
        let metrics = BaselineMetrics::new(&self.metrics, partition);
        let batches = try_unfold((judging, metrics), |(mut judging, metrics)| async move {
            let batch = judging.next().await?;
            Ok(batch.map(|batch| (batch.record_output(&metrics), (judging, metrics))))
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }
}
