//! The rows of a step, stored in memory or in a spill file until the statement ends; if they are kept, in a spill file
//! until the session ends.

use datafusion::arrow::array::{AsArray as _, RecordBatch};
use datafusion::arrow::datatypes::{Int64Type, SchemaRef};
use datafusion::common::runtime::JoinSet;
use datafusion::common::{DataFusionError, Result, internal_datafusion_err};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use datafusion::execution::spill_file::SpillFile;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::SpillManager;
use datafusion::physical_plan::execution_plan::reset_plan_states;
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, SpillMetrics};
use datafusion::physical_plan::spill::get_record_batch_memory_size;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties as _};
use futures_util::future::{BoxFuture, Shared};
use futures_util::{FutureExt as _, StreamExt as _, TryFutureExt as _};
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Weak};

/// The rows of a step, computed when the first reader asks for them.
#[derive(Default)]
pub(super) struct SharedRows {
    rows: Mutex<Option<Shared<BoxFuture<'static, SharedResult>>>>,
    reading: Arc<Mutex<StepReading>>,
    /// Whether later statements read them, too.
    is_kept: bool,
}

/// How far the plan that computes the rows is.
#[derive(Default)]
enum StepReading {
    #[default]
    NotStarted,
    Running(Weak<dyn ExecutionPlan>),
    /// How many rows it has read from files.
    Ended(u64),
}

/// The rows, or the error, that all readers get.
type SharedResult = Result<Arc<StepRows>, Arc<DataFusionError>>;

impl fmt::Debug for SharedRows {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SharedRows")
    }
}

impl SharedRows {
    /// Rows that later statements read, too.
    pub(super) fn kept() -> Self {
        SharedRows { is_kept: true, ..SharedRows::default() }
    }

    /// Whether later statements read them, too.
    pub(super) fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// The rows. The first call starts to compute them, and every caller waits for the same result. If later statements
    /// read them, too, `forget` then drops the rows of the steps that the plan reads.
    pub(super) fn compute_once(
        &self,
        plan: &Arc<dyn ExecutionPlan>,
        context: Arc<TaskContext>,
        forget: fn(&dyn ExecutionPlan),
    ) -> impl Future<Output = Result<Arc<StepRows>>> + Send + use<> {
        let is_kept = self.is_kept;
        let mut shared = self.rows.lock();
        // The next statement may have the memory that this one had not.
        if is_kept && matches!(shared.as_ref().and_then(Shared::peek), Some(Err(_))) {
            *shared = None;
        }
        let started = shared.get_or_insert_with(|| {
            let (plan, reading) = (Arc::clone(plan), Arc::clone(&self.reading));
            async move {
                let set = |now| *reading.lock() = now;
                // A copy: the joins of a plan keep one side in memory until it is dropped, and a plan that failed cannot
                // run again.
                let copy = reset_plan_states(Arc::clone(&plan))?;
                set(StepReading::Running(Arc::downgrade(&copy)));
                let rows = StepRows::compute(&copy, &context, is_kept).await;
                set(StepReading::Ended(rows_of_leaves(copy.as_ref())));
                if is_kept {
                    forget(plan.as_ref());
                }
                rows.map(Arc::new).map_err(Arc::new)
            }
            .boxed()
            .shared()
        });
        started.clone().map_err(DataFusionError::Shared)
    }

    /// How many rows the plan has read from files so far, without those that other steps read for it.
    pub(super) fn rows_read(&self) -> u64 {
        match &*self.reading.lock() {
            StepReading::NotStarted => 0,
            StepReading::Running(plan) => plan.upgrade().map_or(0, |plan| rows_of_leaves(plan.as_ref())),
            StepReading::Ended(rows) => *rows,
        }
    }

    /// Drops the rows, unless later statements read them.
    pub(super) fn forget(&self) {
        if !self.is_kept {
            *self.rows.lock() = None;
        }
    }
}

/// How many rows the leaves of a plan have read from files so far.
pub(super) fn rows_of_leaves(plan: &dyn ExecutionPlan) -> u64 {
    match plan.children().as_slice() {
        [] => plan.metrics().and_then(|metrics| metrics.output_rows()).unwrap_or_default() as u64,
        children => children.iter().map(|child| rows_of_leaves(child.as_ref())).sum(),
    }
}

/// The rows of a step.
pub(super) struct StepRows(Vec<Partition>);

/// Where the rows of one partition are.
enum Partition {
    Memory { batches: Arc<Vec<RecordBatch>>, schema: SchemaRef, _reserved: MemoryReservation },
    File { file: Arc<dyn SpillFile>, spill: SpillManager },
}

impl StepRows {
    async fn compute(plan: &Arc<dyn ExecutionPlan>, context: &Arc<TaskContext>, is_kept: bool) -> Result<Self> {
        let count = plan.output_partitioning().partition_count();
        let mut tasks: JoinSet<Result<(usize, Partition)>> = JoinSet::new();
        for nth in 0..count {
            let rows = plan.execute(nth, Arc::clone(context))?;
            let context = Arc::clone(context);
            tasks.spawn(async move { Ok((nth, Partition::collect(rows, &context, is_kept).await?)) });
        }
        let mut partitions = Vec::with_capacity(count);
        while let Some(ended) = tasks.join_next().await {
            match ended {
                Ok(partition) => partitions.push(partition?),
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                Err(error) => return Err(DataFusionError::ExecutionJoin(Box::new(error))),
            }
        }
        partitions.sort_by_key(|(nth, _)| *nth);
        Ok(StepRows(partitions.into_iter().map(|(_, partition)| partition).collect()))
    }

    /// The distinct numbers of a column, sorted. `None` if there are more than `most` or the rows are not in memory.
    pub(super) fn few_numbers(&self, column: usize, most: usize) -> Option<Vec<i64>> {
        let mut numbers = BTreeSet::new();
        for partition in &self.0 {
            let Partition::Memory { batches, .. } = partition else { return None };
            for batch in batches.iter() {
                let column = batch.columns().get(column)?.as_primitive_opt::<Int64Type>()?;
                for number in column.iter().flatten() {
                    numbers.insert(number);
                    if numbers.len() > most {
                        return None;
                    }
                }
            }
        }
        Some(numbers.into_iter().collect())
    }

    /// The rows of one partition.
    pub(super) fn partition(&self, partition: usize) -> Result<SendableRecordBatchStream> {
        match self.0.get(partition) {
            Some(Partition::Memory { batches, schema, .. }) => {
                let batches = Arc::clone(batches);
                let rows = futures_util::stream::iter(
                    (0..batches.len()).filter_map(move |nth| batches.get(nth).cloned()).map(Ok),
                );
                Ok(Box::pin(RecordBatchStreamAdapter::new(Arc::clone(schema), rows)))
            }
            Some(Partition::File { file, spill }) => spill.read_spill_as_stream(Arc::clone(file), None),
            None => Err(internal_datafusion_err!("a step has no partition {partition}")),
        }
    }
}

impl Partition {
    /// Stores all rows: in memory, or all in a file if they are kept or the memory pool refuses one of their batches.
    async fn collect(mut rows: SendableRecordBatchStream, context: &TaskContext, is_kept: bool) -> Result<Self> {
        let metrics = SpillMetrics::new(&ExecutionPlanMetricsSet::new(), 0);
        let spill = SpillManager::new(context.runtime_env(), metrics, rows.schema())
            .with_compression_type(context.session_config().spill_compression());
        let reserved = MemoryConsumer::new("step").with_can_spill(true).register(context.memory_pool());
        let mut batches: Vec<RecordBatch> = Vec::new();
        while let Some(batch) = rows.next().await {
            let batch = batch?;
            // Rows that are kept would take memory from all later statements.
            let fits = !is_kept && reserved.try_grow(get_record_batch_memory_size(&batch)).is_ok();
            batches.push(batch);
            if !fits {
                let mut file = spill.create_in_progress_file("step")?;
                for batch in batches.drain(..) {
                    file.append_batch(&batch)?;
                }
                reserved.free();
                while let Some(batch) = rows.next().await {
                    file.append_batch(&batch?)?;
                }
                if let Some(file) = file.finish()? {
                    return Ok(Partition::File { file, spill });
                }
            }
        }
        Ok(Partition::Memory { batches: Arc::new(batches), schema: rows.schema(), _reserved: reserved })
    }
}
