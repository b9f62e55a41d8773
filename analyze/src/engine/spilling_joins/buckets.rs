//! Rows in temporary files, in buckets by a hash of their keys.

use super::{Running, SideRows};
use datafusion::arrow::array::{RecordBatch, UInt32Array};
use datafusion::arrow::compute::BatchCoalescer;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::hash_utils::{RandomState, create_hashes};
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::spill_file::SpillFile;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::SpillManager;
use futures_util::{StreamExt as _, TryStreamExt as _};
use std::sync::Arc;

/// Into how many buckets rows are split.
const BUCKETS: usize = 16;

/// Rows whose keys have the same hash. Each batch has a file of its own: with one file, each bucket would have it open
/// until all rows are split.
#[derive(Clone)]
pub(super) struct Bucket {
    files: Vec<Arc<dyn SpillFile>>,
    bytes: usize,
    spill: SpillManager,
}

impl Bucket {
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The rows.
    pub(super) fn rows(self) -> SideRows {
        let Bucket { files, spill, .. } = self;
        let rows = futures_util::stream::iter(files).map(move |file| spill.read_spill_as_stream_unbuffered(file, None));
        rows.try_flatten().boxed()
    }

    fn write(&mut self, batch: RecordBatch) -> Result<()> {
        self.bytes += batch.get_array_memory_size();
        self.files.extend(self.spill.spill_record_batch_and_finish(&[batch], "a bucket of a join")?);
        Ok(())
    }
}

/// Splits rows into buckets by their keys. Each level splits by another hash.
pub(super) async fn split(
    running: &Running,
    mut rows: SideRows,
    schema: &SchemaRef,
    keys: &[Arc<dyn PhysicalExpr>],
    level: u64,
) -> Result<Vec<Bucket>> {
    let Running { context, metrics, .. } = running;
    let config = context.session_config();
    let spill = SpillManager::new(context.runtime_env(), metrics.clone(), Arc::clone(schema))
        .with_compression_type(config.spill_compression());
    let bucket = || {
        let bucket = Bucket { files: Vec::new(), bytes: 0, spill: spill.clone() };
        (bucket, BatchCoalescer::new(Arc::clone(schema), config.batch_size()), Vec::new())
    };
    let mut buckets: Vec<(Bucket, BatchCoalescer, Vec<u32>)> = std::iter::repeat_with(bucket).take(BUCKETS).collect();
    // Not the hashes by which rows came to this thread: they would fill only some of the buckets.
    let state = RandomState::with_seed(level + 1);
    let mut hashes = Vec::new();
    while let Some(batch) = rows.try_next().await? {
        let count = batch.num_rows();
        let values = keys.iter().map(|key| key.evaluate(&batch)?.into_array(count)).collect::<Result<Vec<_>>>()?;
        hashes.clear();
        hashes.resize(count, 0);
        create_hashes(&values, &state, &mut hashes)?;
        for (row, hash) in (0..).zip(&hashes) {
            if let Some((.., rows)) = buckets.get_mut(*hash as usize % BUCKETS) {
                rows.push(row);
            }
        }
        for (bucket, waiting, rows) in &mut buckets {
            waiting.push_batch_with_indices(batch.clone(), &UInt32Array::from(std::mem::take(rows)))?;
            while let Some(batch) = waiting.next_completed_batch() {
                bucket.write(batch)?;
            }
        }
    }
    let finished = buckets.into_iter().map(|(mut bucket, mut waiting, _)| {
        waiting.finish_buffered_batch()?;
        waiting.next_completed_batch().map_or(Ok(()), |batch| bucket.write(batch))?;
        Ok(bucket)
    });
    finished.collect::<Result<_, DataFusionError>>()
}
