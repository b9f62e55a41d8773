//! Hash joins that spill.
//!
//! A hash join keeps one side in memory. If there is too little, a join of DataFusion 55.2 fails. Here, the rows of both
//! sides then go to buckets in temporary files by a hash of the keys, so that rows that match are in buckets of the same
//! number. The buckets are joined one after the other, each with its smaller side in memory. A bucket that is still too
//! large is split again.
//!
//! DataFusion chooses the side by estimates, which take each condition for one that keeps a fifth of the rows. So before
//! much is in memory, the other side is tried. Measured: `agent_cooccurrence` by ranks over 9.96 million captures keeps a
//! list of a million hosts, 0.6 GB, and not all sites, 2.3 GB.
//!
//! If threads share a side, the first one that needs it reads it for all. If it goes to buckets, each thread splits its
//! own rows and reads the buckets of the shared side again.
//!
//! This is for joins whose rows have no order. If a statement still finds too little memory, it is run again with plans in
//! which all joins can spill (`able_to_spill`). Measured: with 24 MiB, 93 questions over 99,600 captures take 19 CPU
//! seconds with such plans, and took 36 if all joins were merges, as DataFusion can plan them.
//!
//! This waits for [apache/datafusion#24768](https://github.com/apache/datafusion/issues/24768).

mod buckets;
mod shared;
#[cfg(test)]
mod tests;

use super::join_order::{hide_order, without_order};
use super::shared_pool::SPILLING_JOIN_NAME;
use super::stated::PlannedRows;
use buckets::{Bucket, split};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::utils::memory::{RecordBatchMemoryCounter, estimate_memory_size};
use datafusion::common::{JoinType, Result, Statistics, internal_datafusion_err, internal_err};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryLimit, MemoryReservation};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::distribution_requirements::InputDistributionRequirements;
use datafusion::physical_plan::execution_plan::CardinalityEffect;
use datafusion::physical_plan::joins::{HashJoinExec, PartitionMode};
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, MetricsSet, SpillMetrics};
use datafusion::physical_plan::statistics::{ChildStats, StatisticsArgs};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties as _, PlanProperties,
};
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use futures_util::{FutureExt as _, Stream, StreamExt as _, TryStreamExt as _};
use parking_lot::Mutex;
use shared::{SharedSide, joined_with_shared};
use std::fmt;
use std::sync::Arc;

/// How often rows are split into buckets. Rows with the same keys stay together, so more would not help.
const MOST_LEVELS: u64 = 3;

/// If the side that was estimated to be the smaller one has more than this part of the memory, and the other one has
/// less, the other one stays in memory.
const FEW_PART: usize = 32;

/// The same join in plans in which all joins spill: nothing above needs the order of its rows.
pub(super) fn able_to_spill(join: &HashJoinExec) -> Result<Option<PlannedRows>> {
    let mode = match join.partition_mode() {
        PartitionMode::CollectLeft if !join.null_aware && !may_share(*join.join_type()) => PartitionMode::Partitioned,
        mode => *mode,
    };
    Ok(Some(hide_order(join.builder().with_partition_mode(mode).build_exec()?)))
}

/// Whether threads can join their own rows with buckets of a shared side. In other joins, some rows of that side count
/// only if they have no match in any thread.
fn may_share(join_type: JoinType) -> bool {
    matches!(
        join_type,
        JoinType::Inner | JoinType::Right | JoinType::RightSemi | JoinType::RightAnti | JoinType::RightMark
    )
}

/// A join that spills in place of a hash join whose rows have no order.
pub(super) fn spilling(node: &PlannedRows) -> Result<Option<PlannedRows>> {
    if node.output_ordering().is_some() { Ok(None) } else { spilling_in_any_order(node) }
}

/// A join that spills in place of a hash join; `None` if there is none. Nothing may need the order of its rows.
pub(super) fn spilling_in_any_order(node: &PlannedRows) -> Result<Option<PlannedRows>> {
    let Some(join) = node.downcast_ref::<HashJoinExec>() else { return Ok(None) };
    let is_able = match join.partition_mode() {
        PartitionMode::Partitioned => true,
        PartitionMode::CollectLeft => is_single(join) || may_share(*join.join_type()),
        PartitionMode::Auto => false,
    };
    // `NOT IN` must know whether any row of a side is null.
    let may_be_split = !join.null_aware && join.fetch().is_none();
    Ok(if is_able && may_be_split { Some(Arc::new(SpillingHashJoinExec::new(join)?)) } else { None })
}

/// Whether one thread makes all rows of a join.
fn is_single(join: &HashJoinExec) -> bool {
    join.right().output_partitioning().partition_count() == 1
}

/// A hash join that spills.
#[derive(Debug)]
struct SpillingHashJoinExec {
    join: Arc<HashJoinExec>,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
    shared: SharedSide,
}

impl SpillingHashJoinExec {
    fn new(join: &HashJoinExec) -> Result<Self> {
        let columns = join.join_schema().fields().len();
        // Its sides can be exchanged without a node that brings the columns into their order.
        let join = match join.join_type() {
            JoinType::Inner | JoinType::Left | JoinType::Right | JoinType::Full if join.projection.is_none() => {
                join.with_projection(Some((0..columns).collect()))?
            }
            _ => join.builder().build()?,
        };
        let join = Arc::new(join);
        let properties = Arc::new(without_order(&(Arc::clone(&join) as PlannedRows)));
        let (metrics, shared) = Default::default();
        Ok(SpillingHashJoinExec { join, properties, metrics, shared })
    }
}

impl DisplayAs for SpillingHashJoinExec {
    fn fmt_as(&self, format: DisplayFormatType, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Spilling")?;
        self.join.fmt_as(format, formatter)
    }
}

impl ExecutionPlan for SpillingHashJoinExec {
    fn name(&self) -> &'static str {
        "SpillingHashJoinExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn input_distribution_requirements(&self) -> InputDistributionRequirements {
        self.join.input_distribution_requirements()
    }

    fn children(&self) -> Vec<&PlannedRows> {
        self.join.children()
    }

    fn apply_expressions(
        &self,
        visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.join.apply_expressions(visit)
    }

    fn with_new_children(self: Arc<Self>, children: Vec<PlannedRows>) -> Result<PlannedRows> {
        let join = self.join.builder().with_new_children(children)?.recompute_properties().build()?;
        Ok(Arc::new(SpillingHashJoinExec::new(&join)?))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let running = Running { context, metrics: SpillMetrics::new(&self.metrics, partition), partition };
        let (running, join) = (Arc::new(running), Arc::clone(&self.join));
        let rows = if *join.partition_mode() == PartitionMode::CollectLeft && !is_single(&join) {
            joined_with_shared(Arc::clone(&running), Arc::clone(&join), self.shared.read_once(running, join)).boxed()
        } else {
            let [left, right] =
                [join.left(), join.right()].map(|side| side.execute(partition, Arc::clone(&running.context)));
            joined(running, join, left?.boxed(), right?.boxed(), 0)
        };
        let rows = futures_util::stream::once(rows).try_flatten();
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), rows)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        let mut all = self.metrics.clone_inner();
        // The joins of all buckets count there.
        self.join.metrics()?.iter().for_each(|metric| all.push(Arc::clone(metric)));
        Some(all)
    }

    fn child_stats_requests(&self, partition: Option<usize>) -> Vec<ChildStats> {
        self.join.child_stats_requests(partition)
    }

    fn statistics_from_inputs(
        &self,
        inputs: &[Arc<Statistics>],
        arguments: &StatisticsArgs,
    ) -> Result<Arc<Statistics>> {
        self.join.statistics_from_inputs(inputs, arguments)
    }

    fn cardinality_effect(&self) -> CardinalityEffect {
        self.join.cardinality_effect()
    }
}

/// A partition of a join that is running.
struct Running {
    context: Arc<TaskContext>,
    metrics: SpillMetrics,
    partition: usize,
}

/// The rows of a side, in batches.
type SideRows = BoxStream<'static, Result<RecordBatch>>;

/// Joins rows. Those of one side stay in memory, or all rows are split into buckets.
fn joined(
    running: Arc<Running>,
    join: Arc<HashJoinExec>,
    mut left: SideRows,
    mut right: SideRows,
    level: u64,
) -> BoxFuture<'static, Result<SendableRecordBatchStream>> {
    async move {
        let few = match running.context.memory_pool().memory_limit() {
            MemoryLimit::Finite(bytes) => bytes / FEW_PART,
            MemoryLimit::Infinite | MemoryLimit::Unknown => usize::MAX,
        };
        let mut held = HeldSide::new(&running);
        // The sides of buckets are known.
        let mut is_compared = level > 0;
        while let Some(batch) = left.next().await.transpose()? {
            if let Err(full) = held.add(batch) {
                if level == MOST_LEVELS {
                    return Err(full);
                }
                return in_buckets(running, join, held.rows().chain(left).boxed(), right, level).await;
            }
            if !is_compared && held.bytes.memory_usage() > few {
                is_compared = true;
                let mut other = HeldSide::new(&running);
                if other.holds_all(&mut right, few).await? {
                    let swapped = swapped(&join)?;
                    return in_memory(&running, &swapped, other, held.rows().chain(left).boxed());
                }
                right = other.rows().chain(right).boxed();
            }
        }
        in_memory(&running, &join, held, right)
    }
    .boxed()
}

/// The rows of the side that a join keeps in memory.
struct HeldSide {
    batches: Vec<RecordBatch>,
    bytes: RecordBatchMemoryCounter,
    count: usize,
    reservation: MemoryReservation,
}

impl HeldSide {
    fn new(running: &Running) -> Self {
        let consumer = MemoryConsumer::new(format!("{SPILLING_JOIN_NAME}[{}]", running.partition));
        let reservation = consumer.register(running.context.memory_pool());
        HeldSide { batches: Vec::new(), bytes: RecordBatchMemoryCounter::new(), count: 0, reservation }
    }

    /// Adds rows. Fails if there is no memory for all rows, a copy of them, and the table of their hashes.
    fn add(&mut self, batch: RecordBatch) -> Result<()> {
        self.bytes.count_batch(&batch);
        self.count += batch.num_rows();
        self.batches.push(batch);
        self.reservation.try_resize(self.needed()? + self.bytes.memory_usage())
    }

    /// Adds rows until it has more than `few` bytes. Returns whether it has all rows.
    async fn holds_all(&mut self, rows: &mut SideRows, few: usize) -> Result<bool> {
        while let Some(batch) = rows.next().await.transpose()? {
            if self.add(batch).is_err() || self.bytes.memory_usage() > few {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What DataFusion's join reserves: all but the copy.
    fn needed(&self) -> Result<usize> {
        let table = if self.count == 0 { 0 } else { estimate_memory_size::<(u32, u64)>(self.count, 0)? };
        Ok(self.bytes.memory_usage() + table)
    }

    /// The rows for DataFusion's join, which reserves memory for them, and the memory for the copy that it makes before the
    /// first rows come.
    fn given_to_join(self) -> Result<(SideRows, MemoryReservation)> {
        let needed = self.needed()?;
        self.reservation.shrink(needed);
        Ok((futures_util::stream::iter(self.batches).map(Ok).boxed(), self.reservation))
    }

    /// The rows. Their memory is free again once all were read.
    fn rows(self) -> impl Stream<Item = Result<RecordBatch>> + Send + 'static {
        let HeldSide { batches, reservation, .. } = self;
        futures_util::stream::iter(batches).map(move |batch| (&reservation, Ok(batch)).1)
    }
}

/// Joins rows. Those of one side are in memory.
fn in_memory(
    running: &Running,
    join: &HashJoinExec,
    held: HeldSide,
    right: SideRows,
) -> Result<SendableRecordBatchStream> {
    let (left, copy) = held.given_to_join()?;
    let sides = vec![source(join.left(), left)?, source(join.right(), right)?];
    // In the other mode, it would keep the first side that it reads for all buckets.
    let join = join.builder().with_partition_mode(PartitionMode::Partitioned).with_new_children(sides)?;
    let join = join.recompute_properties().build()?;
    let rows = join.execute(0, Arc::clone(&running.context))?;
    let mut copy = Some(copy);
    let schema = rows.schema();
    Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows.inspect(move |_| drop(copy.take())))))
}

/// Joins rows bucket by bucket.
async fn in_buckets(
    running: Arc<Running>,
    join: Arc<HashJoinExec>,
    left: SideRows,
    right: SideRows,
    level: u64,
) -> Result<SendableRecordBatchStream> {
    let (left_keys, right_keys): (Vec<_>, Vec<_>) = join.on().iter().cloned().unzip();
    let left = split(&running, left, &join.left().schema(), &left_keys, level).await?;
    let right = split(&running, right, &join.right().schema(), &right_keys, level).await?;
    Ok(bucket_by_bucket(running, join, left, right, level))
}

/// Joins the rows of buckets of the same number.
fn bucket_by_bucket(
    running: Arc<Running>,
    join: Arc<HashJoinExec>,
    left: Vec<Bucket>,
    right: Vec<Bucket>,
    level: u64,
) -> SendableRecordBatchStream {
    let schema = join.schema();
    let rows = futures_util::stream::iter(left.into_iter().zip(right)).then(move |(left, right)| {
        let (running, join) = (Arc::clone(&running), Arc::clone(&join));
        async move {
            let (join, left, right) =
                if right.bytes() < left.bytes() { (swapped(&join)?, right, left) } else { (join, left, right) };
            joined(running, join, left.rows(), right.rows(), level + 1).await
        }
    });
    Box::pin(RecordBatchStreamAdapter::new(schema, rows.try_flatten()))
}

/// The same join with its sides exchanged.
fn swapped(join: &HashJoinExec) -> Result<Arc<HashJoinExec>> {
    let swapped = join.swap_inputs(PartitionMode::Partitioned)?;
    let join = swapped.downcast_ref::<HashJoinExec>().map(HashJoinExec::builder);
    join.ok_or_else(|| internal_datafusion_err!("a join with a projection has no node above it"))?.build().map(Arc::new)
}

/// A node that produces these rows of a side.
fn source(side: &PlannedRows, rows: SideRows) -> Result<PlannedRows> {
    let schema = side.schema();
    let once = Once { schema: Arc::clone(&schema), rows: Mutex::new(Some(rows)) };
    Ok(Arc::new(StreamingTableExec::try_new(schema, vec![Arc::new(once)], None, [], false, None)?))
}

/// Rows that are read once.
struct Once {
    schema: SchemaRef,
    rows: Mutex<Option<SideRows>>,
}

impl fmt::Debug for Once {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Once").finish_non_exhaustive()
    }
}

impl PartitionStream for Once {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let rows = self.rows.lock().take();
        let read_twice = || futures_util::stream::iter([internal_err!("the rows of a side are read twice")]).boxed();
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), rows.unwrap_or_else(read_twice)))
    }
}
