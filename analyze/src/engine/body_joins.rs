//! Joins two tables by body and something else where their rows are, such as the rules of each group.
//!
//! If both sides are split by the same ranges of bodies, rows that match are in the same partition. DataFusion 55.2 sees that
//! for a join by body. For a join by body and group it sends all rows to other threads by a hash of both. So each side gets
//! a node that says what is true: ranges of bodies are ranges of bodies and groups. The join gets one that says the other
//! half: its rows are still split by ranges of bodies. Otherwise whatever groups them by body sends them on once more.

use datafusion::arrow::compute::SortOptions;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode as _, TreeNodeRecursion};
use datafusion::common::{Result, ScalarValue, SplitPoint, Statistics, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{Partitioning, PhysicalExpr, PhysicalSortExpr, RangePartitioning};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
use datafusion::physical_plan::execution_plan::{CardinalityEffect, ChildrenPropertiesMode, ReplaceChildrenOptions};
use datafusion::physical_plan::filter_pushdown::{
    ChildPushdownResult, FilterDescription, FilterPushdownPhase, FilterPushdownPropagation,
};
use datafusion::physical_plan::joins::{HashJoinExec, PartitionMode};
use datafusion::physical_plan::statistics::StatisticsArgs;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties as _, PlanProperties,
};
use std::fmt;
use std::sync::Arc;

/// The rule of DataFusion that sends rows to other threads.
const BEFORE: &str = "EnsureRequirements";

/// DataFusion's rules with this one before that which sends rows to other threads.
pub(crate) fn rules() -> Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>> {
    let mut rules = PhysicalOptimizer::new().rules;
    let place = rules.iter().position(|rule| rule.name() == BEFORE).unwrap_or(0);
    rules.insert(place, Arc::new(JoinWhereRowsAre));
    rules
}

#[derive(Debug)]
struct JoinWhereRowsAre;

impl PhysicalOptimizerRule for JoinWhereRowsAre {
    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let replace = |node: Arc<dyn ExecutionPlan>| {
            Ok(match node.downcast_ref::<HashJoinExec>().map(where_rows_are).transpose()?.flatten() {
                Some(join) => Transformed::yes(join),
                None => Transformed::no(node),
            })
        };
        Ok(plan.transform_up(replace)?.data)
    }

    fn name(&self) -> &'static str {
        "join_where_rows_are"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// The join with the rows of both sides where they are, if both have the same ranges of some of its keys.
fn where_rows_are(join: &HashJoinExec) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    let (left, right) = (join.left(), join.right());
    let (Partitioning::Range(left_ranges), Partitioning::Range(right_ranges)) =
        (left.output_partitioning(), right.output_partitioning())
    else {
        return Ok(None);
    };
    // `NOT IN` must know whether any row of a side is null.
    if left_ranges.split_points() != right_ranges.split_points() || join.null_aware {
        return Ok(None);
    }
    let mut others = join.on().to_vec();
    let mut keys = Vec::new();
    for (left, right) in left_ranges.ordering().iter().zip(right_ranges.ordering().iter()) {
        let is_of_range = |(l, r): &(Arc<dyn PhysicalExpr>, Arc<dyn PhysicalExpr>)| l == &left.expr && r == &right.expr;
        let Some(place) = others.iter().position(is_of_range) else { return Ok(None) };
        keys.push(others.remove(place));
    }
    // By a wrong guess of its size, a side of many rows would be read by one thread for all, and out of order.
    let by_ranges =
        join.builder().with_partition_mode(PartitionMode::Partitioned).recompute_properties().build_exec()?;
    if others.is_empty() {
        return Ok(Some(by_ranges));
    }
    let (left_others, right_others): (Vec<_>, Vec<_>) = others.iter().cloned().unzip();
    let sides: Vec<Arc<dyn ExecutionPlan>> = vec![
        Arc::new(KnownRanges::new(Arc::clone(left), more_keys(left_ranges, left, &left_others)?)),
        Arc::new(KnownRanges::new(Arc::clone(right), more_keys(right_ranges, right, &right_others)?)),
    ];
    keys.extend(others);
    let joined =
        join.builder().with_partition_mode(PartitionMode::Partitioned).with_on(keys).with_new_children(sides)?;
    let joined = joined.recompute_properties().build_exec()?;
    Ok(Some(Arc::new(KnownRanges::new(joined, by_ranges.output_partitioning().clone()))))
}

/// The same ranges, said of more keys.
fn more_keys(
    ranges: &RangePartitioning,
    rows: &Arc<dyn ExecutionPlan>,
    others: &[Arc<dyn PhysicalExpr>],
) -> Result<Partitioning> {
    let first = SortOptions { descending: false, nulls_first: true };
    let mut ordering = ranges.ordering().clone();
    ordering.extend(others.iter().map(|key| PhysicalSortExpr::new(Arc::clone(key), first)));
    let schema = rows.schema();
    let least = others.iter().map(|key| ScalarValue::try_new_null(&key.data_type(&schema)?));
    let least = least.collect::<Result<Vec<_>>>()?;
    let split_point = |point: &SplitPoint| SplitPoint::new([point.values(), &least].concat());
    let split_points = ranges.split_points().iter().map(split_point).collect();
    Ok(Partitioning::Range(RangePartitioning::try_new(ordering, split_points)?))
}

/// Passes rows on, and says by which ranges they are split.
#[derive(Debug)]
struct KnownRanges {
    input: Arc<dyn ExecutionPlan>,
    ranges: Partitioning,
    properties: Arc<PlanProperties>,
}

impl KnownRanges {
    fn new(input: Arc<dyn ExecutionPlan>, ranges: Partitioning) -> Self {
        let found = input.output_partitioning();
        let is_split_so = ranges.partition_count() == found.partition_count();
        let properties = PlanProperties::new(
            input.equivalence_properties().clone(),
            if is_split_so { ranges.clone() } else { found.clone() },
            input.pipeline_behavior(),
            input.boundedness(),
        );
        KnownRanges { input, ranges, properties: Arc::new(properties) }
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
            (Some(input), true) => Ok(Arc::new(KnownRanges::new(input, self.ranges.clone()))),
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
