//! Nodes that pass rows through, and state other properties of the rows than their input does; scans with other
//! statistics.

use super::unique_names::uniquely_named;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, Statistics, internal_err};
use datafusion::datasource::physical_plan::{FileScanConfig, FileScanConfigBuilder};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::execution_plan::CardinalityEffect;
use datafusion::physical_plan::filter_pushdown::{ChildFilterDescription, FilterDescription, FilterPushdownPhase};
use datafusion::physical_plan::projection::{ProjectionExec, make_with_child};
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use std::fmt;
use std::sync::Arc;

/// A plan that produces rows.
pub(super) type PlannedRows = Arc<dyn ExecutionPlan>;

/// What a node states about its rows.
pub(super) trait StatedFact: fmt::Debug + Clone + Send + Sync + 'static {
    /// The name of the node.
    const NAME: &'static str;

    /// Whether it also holds for some columns of the rows.
    const HOLDS_FOR_COLUMNS: bool;

    /// The properties of the rows; by default those that the rows have without the node. A later rule may have changed the
    /// plan below the node.
    fn properties(&self, rows: &PlannedRows) -> PlanProperties {
        rows.properties().as_ref().clone()
    }

    /// The rows of a partition; by default all.
    fn execute(
        &self,
        rows: &PlannedRows,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        rows.execute(partition, context)
    }
}

/// Passes rows through, with a statement about them. It does not claim to maintain their order: otherwise, sorts were moved
/// below the node, where they seem to be needless.
#[derive(Debug)]
pub(super) struct StatedRows<S> {
    rows: PlannedRows,
    statement: S,
    properties: Arc<PlanProperties>,
}

impl<S: StatedFact> StatedRows<S> {
    pub(super) fn new(rows: PlannedRows, statement: S) -> Self {
        let properties = Arc::new(statement.properties(&rows));
        StatedRows { rows, statement, properties }
    }

    /// The rows that it passes through.
    pub(super) fn rows(&self) -> &PlannedRows {
        &self.rows
    }
}

impl<S: StatedFact> DisplayAs for StatedRows<S> {
    fn fmt_as(&self, _format: DisplayFormatType, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(S::NAME)
    }
}

impl<S: StatedFact> ExecutionPlan for StatedRows<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.rows]
    }

    fn apply_expressions(
        &self,
        _visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(self: Arc<Self>, mut children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(rows), true) => Ok(Arc::new(StatedRows::new(rows, self.statement.clone()))),
            _ => internal_err!("{} has one child", S::NAME),
        }
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        self.statement.execute(&self.rows, partition, context)
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        vec![ChildStats::At(partition)]
    }

    fn statistics_from_inputs(
        &self,
        inputs: &[Arc<Statistics>],
        _arguments: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        match inputs {
            [rows] => Ok(Arc::clone(rows)),
            _ => internal_err!("{} has one child", S::NAME),
        }
    }

    fn cardinality_effect(&self) -> CardinalityEffect {
        CardinalityEffect::Equal
    }

    fn try_swapping_with_projection(&self, projection: &ProjectionExec) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let is_narrower = projection.expr().len() < self.rows.schema().fields().len();
        if !S::HOLDS_FOR_COLUMNS || !is_narrower {
            return Ok(None);
        }
        let rows = make_with_child(projection, &self.rows)?;
        Ok(Some(Arc::new(StatedRows::new(rows, self.statement.clone()))))
    }

    /// Conditions pass by name, so that of their columns must be unique.
    fn gather_filters_for_pushdown(
        &self,
        _phase: FilterPushdownPhase,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _config: &ConfigOptions,
    ) -> Result<FilterDescription> {
        let passed = uniquely_named(&self.rows);
        let rows = ChildFilterDescription::from_child_with_allowed_indices(&filters, passed, &self.rows)?;
        Ok(FilterDescription::new().with_child(rows))
    }
}

/// The same scan of files with other statistics; `None` if `change` changes none of them.
pub(super) fn restated(
    scan: &DataSourceExec,
    change: impl FnOnce(&FileScanConfig, &mut Statistics) -> bool,
) -> Result<Option<PlannedRows>> {
    let Some(config) = scan.data_source().downcast_ref::<FileScanConfig>() else { return Ok(None) };
    let mut statistics = config.statistics();
    if !change(config, &mut statistics) {
        return Ok(None);
    }
    let config = FileScanConfigBuilder::from(config.clone()).with_statistics(statistics).build();
    Ok(Some(DataSourceExec::from_data_source(config)))
}
