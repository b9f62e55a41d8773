//! The nodes that state by which ranges of bodies rows are partitioned, and that send rows to ranges.

use super::PlannedRows;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, Statistics, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{Partitioning, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{CardinalityEffect, ChildrenPropertiesMode, ReplaceChildrenOptions};
use datafusion::physical_plan::filter_pushdown::{
    ChildPushdownResult, FilterDescription, FilterPushdownPhase, FilterPushdownPropagation,
};
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::statistics::StatisticsArgs;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties as _, PlanProperties,
};
use std::fmt;
use std::sync::Arc;

/// Passes rows through, and states by which ranges they are partitioned.
#[derive(Debug)]
pub(super) struct KnownRanges {
    input: PlannedRows,
    proof: Proof,
    ranges: Partitioning,
    properties: Arc<PlanProperties>,
}

/// Why rows are partitioned by ranges. A later rule may move rows; then the proof no longer holds.
#[derive(Clone, Debug)]
pub(super) enum Proof {
    /// The rows have this partitioning.
    Rows(Partitioning),
    /// The sides of the join have these partitionings. The join itself states none if its output lacks the keys.
    Sides(Vec<Partitioning>),
}

impl Proof {
    pub(super) fn of_sides(join: &dyn ExecutionPlan) -> Proof {
        Proof::Sides(join.children().into_iter().map(|side| side.output_partitioning().clone()).collect())
    }

    fn holds(&self, input: &PlannedRows) -> bool {
        match self {
            Proof::Rows(ranges) => input.output_partitioning() == ranges,
            Proof::Sides(ranges) => {
                input.children().into_iter().map(|side| side.output_partitioning()).eq(ranges.iter())
            }
        }
    }
}

impl KnownRanges {
    pub(super) fn new(input: PlannedRows, proof: Proof, ranges: Partitioning) -> Self {
        let known = if proof.holds(&input) { &ranges } else { input.output_partitioning() };
        let properties = PlanProperties::new(
            input.equivalence_properties().clone(),
            known.clone(),
            input.pipeline_behavior(),
            input.boundedness(),
        );
        KnownRanges { input, proof, ranges, properties: Arc::new(properties) }
    }

    pub(super) fn of_rows(rows: PlannedRows, ranges: Partitioning) -> Self {
        let proof = Proof::Rows(rows.output_partitioning().clone());
        Self::new(rows, proof, ranges)
    }
}

impl DisplayAs for KnownRanges {
    fn fmt_as(&self, _format: DisplayFormatType, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("KnownRanges")
    }
}

impl ExecutionPlan for KnownRanges {
    fn name(&self) -> &'static str {
        "KnownRanges"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(input), true) => Ok(Arc::new(KnownRanges::new(input, self.proof.clone(), self.ranges.clone()))),
            _ => internal_err!("KnownRanges has one child"),
        }
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        self.input.execute(partition, context)
    }

    fn statistics_from_inputs(
        &self,
        inputs: &[Arc<Statistics>],
        _arguments: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        match inputs {
            [input] => Ok(Arc::clone(input)),
            _ => internal_err!("KnownRanges has one child"),
        }
    }

    fn cardinality_effect(&self) -> CardinalityEffect {
        CardinalityEffect::Equal
    }

    fn gather_filters_for_pushdown(
        &self,
        _phase: FilterPushdownPhase,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _config: &ConfigOptions,
    ) -> Result<FilterDescription> {
        FilterDescription::from_children(filters, &self.children())
    }

    fn handle_child_pushdown_result(
        &self,
        _phase: FilterPushdownPhase,
        result: ChildPushdownResult,
        _config: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn ExecutionPlan>>> {
        Ok(FilterPushdownPropagation::if_all(result))
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

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(rows), true) => Ok(Arc::new(SentToRanges::new(rows, self.0.partitioning().clone())?)),
            _ => internal_err!("SentToRanges has one child"),
        }
    }

    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(children, ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute))
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
