//! A side of a join that all threads share.

use super::buckets::{Bucket, split};
use super::{HeldSide, Running, bucket_by_bucket, source};
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::memory_pool::MemoryReservation;
use datafusion::physical_plan::ExecutionPlan as _;
use datafusion::physical_plan::joins::HashJoinExec;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use futures_util::future::{BoxFuture, Shared};
use futures_util::{FutureExt as _, StreamExt as _};
use parking_lot::Mutex;
use std::sync::Arc;

/// The rows of the side, once a thread has read them.
type ReadSide = Shared<BoxFuture<'static, Result<Arc<SharedSideRows>, Arc<DataFusionError>>>>;

/// Reads the side once for all threads.
#[derive(Default)]
pub(super) struct SharedSide(Mutex<Option<ReadSide>>);

impl std::fmt::Debug for SharedSide {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SharedSide").finish_non_exhaustive()
    }
}

impl SharedSide {
    /// The rows of the side, which the first caller reads.
    pub(super) fn read_once(&self, running: Arc<Running>, join: Arc<HashJoinExec>) -> ReadSide {
        let read = || async move { read(running, join).await.map(Arc::new).map_err(Arc::new) }.boxed().shared();
        self.0.lock().get_or_insert_with(read).clone()
    }
}

/// The rows of a side that all threads share.
pub(super) enum SharedSideRows {
    /// The join of these rows, and the memory for the copy that it makes before the first rows come.
    InMemory(Arc<HashJoinExec>, Arc<Mutex<Option<MemoryReservation>>>),
    InBuckets(Vec<Bucket>),
}

async fn read(running: Arc<Running>, join: Arc<HashJoinExec>) -> Result<SharedSideRows> {
    let side = join.left();
    let mut rows = side.execute(0, Arc::clone(&running.context))?;
    let mut held = HeldSide::new(&running);
    while let Some(batch) = rows.next().await.transpose()? {
        if held.add(batch).is_err() {
            let keys: Vec<_> = join.on().iter().map(|(left, _)| Arc::clone(left)).collect();
            let buckets = split(&running, held.rows().chain(rows).boxed(), &side.schema(), &keys, 0).await?;
            return Ok(SharedSideRows::InBuckets(buckets));
        }
    }
    let (rows, copy) = held.given_to_join()?;
    let sides = vec![source(side, rows)?, Arc::clone(join.right())];
    let join = join.builder().with_new_children(sides)?.recompute_properties().build()?;
    Ok(SharedSideRows::InMemory(Arc::new(join), Arc::new(Mutex::new(Some(copy)))))
}

/// Joins the rows of a thread with those of the shared side.
pub(super) async fn joined_with_shared(
    running: Arc<Running>,
    join: Arc<HashJoinExec>,
    side: ReadSide,
) -> Result<SendableRecordBatchStream> {
    let side = side.await.map_err(DataFusionError::Shared)?;
    let Running { context, partition, .. } = &*running;
    match &*side {
        SharedSideRows::InMemory(join, copy) => {
            let (rows, copy) = (join.execute(*partition, Arc::clone(context))?, Arc::clone(copy));
            let schema = rows.schema();
            let rows = rows.inspect(move |_| drop(copy.lock().take()));
            Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
        }
        SharedSideRows::InBuckets(left) => {
            let keys: Vec<_> = join.on().iter().map(|(_, right)| Arc::clone(right)).collect();
            let right = join.right().execute(*partition, Arc::clone(context))?;
            let right = split(&running, right.boxed(), &join.right().schema(), &keys, 0).await?;
            Ok(bucket_by_bucket(running, join, left.clone(), right, 0))
        }
    }
}
