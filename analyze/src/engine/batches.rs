//! The batches of an answer, computed on another thread. The thread that takes them can then notice Ctrl-C.

use datafusion::arrow::array::RecordBatch;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SendableRecordBatchStream;
use futures_util::StreamExt as _;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// How many computed batches may wait to be taken.
const AHEAD: usize = 4;

/// The batches of an answer. Dropping this ends the work.
#[derive(Debug)]
pub struct AnswerBatches {
    computed: mpsc::Receiver<Result<RecordBatch>>,
    work: JoinHandle<()>,
}

impl AnswerBatches {
    /// Starts the work on a thread of `runtime`.
    pub fn start(
        runtime: &Handle,
        stream: impl Future<Output = Result<SendableRecordBatchStream>> + Send + 'static,
    ) -> Self {
        let (sender, computed) = mpsc::channel(AHEAD);
        let work = runtime.spawn(async move {
            match stream.await {
                Err(error) => _ = sender.send(Err(error)).await,
                Ok(mut stream) => {
                    while let Some(batch) = stream.next().await {
                        if sender.send(batch).await.is_err() {
                            break;
                        }
                    }
                }
            }
        });
        AnswerBatches { computed, work }
    }

    /// The next batch; `None` after the last. A panic is an error. It may be dropped before it is ready, but not called
    /// again after `None`.
    pub async fn next(&mut self) -> Option<Result<RecordBatch>> {
        match self.computed.recv().await {
            Some(batch) => Some(batch),
            // A panic ends the batches, too.
            None => (&mut self.work).await.err().map(|error| Err(DataFusionError::ExecutionJoin(Box::new(error)))),
        }
    }

    /// All batches.
    pub async fn all(mut self) -> Result<Vec<RecordBatch>> {
        let mut batches = Vec::new();
        while let Some(batch) = self.next().await {
            batches.push(batch?);
        }
        Ok(batches)
    }
}

impl Drop for AnswerBatches {
    fn drop(&mut self) {
        self.work.abort();
    }
}
