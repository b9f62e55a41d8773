//! The nodes that state by which ranges of bodies rows are partitioned, and that send rows to ranges.

use crate::engine::cooperation::unpaused;
use crate::engine::join_order::known_order;
use crate::engine::stated::{PlannedRows, StatedFact, StatedRows};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, Statistics, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{Partitioning, PhysicalExpr};
use datafusion::physical_plan::execution_plan::CardinalityEffect;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties as _, PlanProperties,
};
use std::fmt;
use std::sync::Arc;

/// A node that states by which ranges rows are partitioned.
pub(in crate::engine) type KnownRanges = StatedRows<Ranges>;

/// States by which ranges rows are partitioned.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Ranges {
    proof: Proof,
    ranges: Partitioning,
}

/// Why rows are partitioned by ranges. A later rule may move rows; then the proof no longer holds.
#[derive(Clone, Debug)]
enum Proof {
    /// The rows have this partitioning.
    Rows(Partitioning),
    /// The sides of the join have these partitionings. The join itself states none if its output lacks the keys.
    Sides(Vec<Partitioning>),
}

impl Proof {
    fn of_sides(join: &dyn ExecutionPlan) -> Proof {
        Proof::Sides(join.children().into_iter().map(|side| side.output_partitioning().clone()).collect())
    }

    fn holds(&self, input: &PlannedRows) -> bool {
        match self {
            Proof::Rows(ranges) => input.output_partitioning() == ranges,
            Proof::Sides(ranges) => {
                unpaused(input).children().into_iter().map(|side| side.output_partitioning()).eq(ranges.iter())
            }
        }
    }
}

impl StatedFact for Ranges {
    const NAME: &'static str = "KnownRanges";
    const HOLDS_FOR_COLUMNS: bool = false;

    fn properties(&self, rows: &PlannedRows) -> PlanProperties {
        let known = if self.proof.holds(rows) { &self.ranges } else { rows.output_partitioning() };
        PlanProperties::new(known_order(rows), known.clone(), rows.pipeline_behavior(), rows.boundedness())
    }
}

impl KnownRanges {
    pub(super) fn of_join(join: PlannedRows, ranges: Partitioning) -> Self {
        let proof = Proof::of_sides(join.as_ref());
        StatedRows::new(join, Ranges { proof, ranges })
    }

    pub(in crate::engine) fn of_rows(rows: PlannedRows, ranges: Partitioning) -> Self {
        let proof = Proof::Rows(rows.output_partitioning().clone());
        StatedRows::new(rows, Ranges { proof, ranges })
    }
}

/// Sends rows to ranges by DataFusion's `RepartitionExec`. That node is wrapped, because the rule `EnsureRequirements`
/// first removes every `RepartitionExec`.
#[derive(Debug)]
pub(super) struct SentToRanges(RepartitionExec);

impl SentToRanges {
    pub(super) fn new(rows: PlannedRows, ranges: Partitioning) -> Result<Self> {
        RepartitionExec::try_new(rows, ranges).map(SentToRanges)
    }
}

impl DisplayAs for SentToRanges {
    fn fmt_as(&self, format: DisplayFormatType, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SentToRanges: ")?;
        self.0.fmt_as(format, formatter)
    }
}

impl ExecutionPlan for SentToRanges {
    fn name(&self) -> &'static str {
        "SentToRanges"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.0.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        self.0.children()
    }

    fn apply_expressions(
        &self,
        visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.0.apply_expressions(visit)
    }

    fn with_new_children(self: Arc<Self>, mut children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(rows), true) => Ok(Arc::new(SentToRanges::new(rows, self.0.partitioning().clone())?)),
            _ => internal_err!("SentToRanges has one child"),
        }
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        self.0.execute(partition, context)
    }

    fn metrics(&self) -> Option<MetricsSet> {
        self.0.metrics()
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        self.0.child_stats_requests(partition)
    }

    fn statistics_from_inputs(
        &self,
        inputs: &[Arc<Statistics>],
        arguments: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        self.0.statistics_from_inputs(inputs, arguments)
    }

    fn cardinality_effect(&self) -> CardinalityEffect {
        CardinalityEffect::Equal
    }
}
