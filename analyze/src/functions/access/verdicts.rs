//! The plan node that judges. Its inputs are sorted by crawl and body.

use super::body_verdicts::BodyVerdicts;
use super::judging::Judging;
use super::question::Question;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::SortOptions;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, Statistics, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::expressions::{Column, col};
use datafusion::physical_expr::{
    Distribution, EquivalenceProperties, LexOrdering, OrderingRequirements, Partitioning, PhysicalExpr,
    PhysicalSortExpr, RangePartitioning,
};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::metrics::{BaselineMetrics, ExecutionPlanMetricsSet, MetricsSet, RecordOutput};
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties};
use futures_util::stream::try_unfold;
use std::fmt;
use std::sync::Arc;

/// The columns that inputs are sorted by.
const BY_BODY: [&str; 2] = ["crawl", "body_id"];

/// The question to judge, and its inputs.
#[derive(Debug, Clone)]
pub(super) enum Judged {
    /// Each site, from sites, and from user-agent lines and rules or findings for texts.
    Sites(Arc<Question>),
    /// Each body, from bodies, user-agent lines and rules.
    Bodies(Arc<[Question]>),
}

impl Judged {
    /// For each input, the column that the rows of one body are sorted by: lines are in the order of the file.
    fn orders(&self) -> &'static [Option<&'static str>] {
        match self {
            Judged::Sites(question) if !question.needs_only_lines() => &[None, None],
            Judged::Sites(..) | Judged::Bodies(..) => &[None, Some("agent_no"), Some("rule_no")],
        }
    }

    fn questions(&self) -> &[Question] {
        match self {
            Judged::Sites(question) => std::slice::from_ref(question),
            Judged::Bodies(questions) => questions,
        }
    }
}

/// The plan node that judges.
#[derive(Debug)]
pub(super) struct VerdictsExec {
    judged: Judged,
    inputs: Vec<Arc<dyn ExecutionPlan>>,
    /// The order of the rows of each input.
    orders: Vec<LexOrdering>,
    /// Whether all inputs are partitioned by the same ranges of bodies. Otherwise each must be one stream.
    are_in_ranges: bool,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl VerdictsExec {
    pub(super) fn try_new(judged: Judged, inputs: Vec<Arc<dyn ExecutionPlan>>, schema: &SchemaRef) -> Result<Self> {
        let orders = judged.orders();
        if inputs.len() != orders.len() {
            return internal_err!("VerdictsExec has {} inputs and not {}", inputs.len(), orders.len());
        }
        let mut equivalences = EquivalenceProperties::new(Arc::clone(schema));
        let ranges = same_ranges(&inputs);
        let are_in_ranges = ranges.is_some();
        let own = ranges.iter().flatten().next().map(|ranges| named_in(ranges, schema)).transpose()?;
        let partitioning = own.map_or(Partitioning::UnknownPartitioning(1), Partitioning::Range);
        let order = |(input, last): (_, &Option<&'static str>)| ordering(input, BY_BODY.into_iter().chain(*last));
        let orders = match ranges {
            // Within a body, rows have the order of the file.
            Some(ranges) => ranges.iter().map(|ranges| ranges.ordering().clone()).collect(),
            None => inputs.iter().zip(orders).map(order).collect::<Result<_>>()?,
        };
        if let Partitioning::Range(ranges) = &partitioning {
            equivalences.add_ordering(ranges.ordering().clone());
        }
        let properties =
            PlanProperties::new(equivalences, partitioning, EmissionType::Incremental, Boundedness::Bounded);
        let metrics = ExecutionPlanMetricsSet::new();
        Ok(VerdictsExec { judged, inputs, orders, are_in_ranges, properties: Arc::new(properties), metrics })
    }
}

/// The ranges of each input, if all inputs are partitioned at the same bodies.
fn same_ranges(inputs: &[Arc<dyn ExecutionPlan>]) -> Option<Vec<RangePartitioning>> {
    let ranges = |input: &Arc<dyn ExecutionPlan>| match input.output_partitioning() {
        Partitioning::Range(ranges) => {
            let name = |key: &PhysicalSortExpr| Some(key.expr.downcast_ref::<Column>()?.name().to_owned());
            let names = ranges.ordering().iter().map(name).collect::<Option<Vec<_>>>()?;
            // Ranges without `crawl` are those of tables with one crawl.
            (names == BY_BODY || names == ["body_id"]).then(|| ranges.clone())
        }
        _ => None,
    };
    let all = inputs.iter().map(ranges).collect::<Option<Vec<_>>>()?;
    all.windows(2).all(|pair| matches!(pair, [a, b] if a.split_points() == b.split_points())).then_some(all)
}

/// The same ranges, over the columns with the same names in another schema.
fn named_in(ranges: &RangePartitioning, schema: &SchemaRef) -> Result<RangePartitioning> {
    let names = BY_BODY.iter().skip(BY_BODY.len() - ranges.ordering().len());
    let keys =
        names.zip(ranges.ordering()).map(|(name, key)| Ok(PhysicalSortExpr::new(col(name, schema)?, key.options)));
    match LexOrdering::new(keys.collect::<Result<Vec<_>>>()?) {
        Some(ordering) => RangePartitioning::try_new(ordering, ranges.split_points().to_vec()),
        None => internal_err!("no column to sort by"),
    }
}

fn ordering<'n>(input: &Arc<dyn ExecutionPlan>, columns: impl Iterator<Item = &'n str>) -> Result<LexOrdering> {
    let schema = input.schema();
    // Sites without a body come after all others.
    let options = SortOptions { descending: false, nulls_first: false };
    let sorts = columns.map(|column| Ok(PhysicalSortExpr::new(col(column, &schema)?, options)));
    match LexOrdering::new(sorts.collect::<Result<Vec<_>>>()?) {
        Some(ordering) => Ok(ordering),
        None => internal_err!("no column to sort by"),
    }
}

impl DisplayAs for VerdictsExec {
    fn fmt_as(&self, _format: DisplayFormatType, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let questions = self.judged.questions();
        if let Some(Question { agent, path, .. }) = questions.first() {
            let dialects: Vec<_> = questions.iter().map(|question| question.dialect.name()).collect();
            write!(formatter, "VerdictsExec: agent={agent:?}, path={path:?}, dialects={}", dialects.join(", "))?;
        }
        Ok(())
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
        let distribution = match self.are_in_ranges {
            true => Distribution::UnspecifiedDistribution,
            false => Distribution::SinglePartition,
        };
        vec![distribution; self.inputs.len()]
    }

    fn required_input_ordering(&self) -> Vec<Option<OrderingRequirements>> {
        self.orders.iter().map(|order| Some(OrderingRequirements::from(order.clone()))).collect()
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        // All cores should filter and sort.
        vec![!self.are_in_ranges; self.inputs.len()]
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
        Ok(Arc::new(VerdictsExec::try_new(self.judged.clone(), children, &schema)?))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let is_one_stream = |input: &Arc<dyn ExecutionPlan>| input.output_partitioning().partition_count() == 1;
        if !self.are_in_ranges && !self.inputs.iter().all(is_one_stream) {
            return internal_err!("input of VerdictsExec is not in one stream");
        }
        let streams = self.inputs.iter().map(|input| input.execute(partition, Arc::clone(&context)));
        let streams = streams.collect::<Result<Vec<_>>>()?;
        let schema = self.schema();
        let work = match &self.judged {
            Judged::Sites(question) => {
                Work::Sites(Box::new(Judging::new(Arc::clone(question), streams, Arc::clone(&schema))?))
            }
            Judged::Bodies(questions) => {
                Work::Bodies(Box::new(BodyVerdicts::new(Arc::clone(questions), streams, Arc::clone(&schema))?))
            }
        };
        let metrics = BaselineMetrics::new(&self.metrics, partition);
        let batches = try_unfold((work, metrics), |(mut work, metrics)| async move {
            let batch = work.next().await?;
            Ok(batch.map(|batch| (batch.record_output(&metrics), (work, metrics))))
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)))
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        self.children().iter().map(|_| ChildStats::At(partition)).collect()
    }

    /// The number of sites or bodies. With it, a join can keep its smaller side in memory.
    fn statistics_from_inputs(
        &self,
        inputs: &[Arc<Statistics>],
        _arguments: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        let rows = inputs.first().map_or(Precision::Absent, |first| first.num_rows.to_inexact());
        Ok(Arc::new(Statistics::new_unknown(&self.schema()).with_num_rows(rows)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }
}

/// Produces the rows of one partition.
enum Work {
    Sites(Box<Judging>),
    Bodies(Box<BodyVerdicts>),
}

impl Work {
    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        match self {
            Work::Sites(judging) => judging.next().await,
            Work::Bodies(verdicts) => verdicts.next().await,
        }
    }
}
