//! Tests that the guard changes no answer, and that it stops attacks.

mod answers;
#[path = "../benches/flood/collisions.rs"]
mod collisions;
mod floods;

use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use tokio::runtime::{Builder, Runtime};

use super::{Origin, guarded};

/// Two sessions, one with the guard and one without.
struct Sessions {
    plain: SessionContext,
    guarded: SessionContext,
    runtime: Runtime,
}

impl Sessions {
    fn new(partitions: usize) -> Self {
        let builder = || {
            let config = SessionConfig::new().with_target_partitions(partitions);
            SessionStateBuilder::new().with_config(config).with_default_features()
        };
        Self {
            plain: SessionContext::new_with_state(builder().build()),
            guarded: SessionContext::new_with_state(guarded(builder(), |_, _| Origin::Untrusted).build()),
            runtime: Builder::new_current_thread().build().unwrap(),
        }
    }

    fn table(&self, name: &str, batches: &[RecordBatch]) {
        for session in [&self.plain, &self.guarded] {
            let table = datafusion::datasource::MemTable::try_new(batches[0].schema(), vec![batches.to_vec()]).unwrap();
            session.register_table(name, Arc::new(table)).unwrap();
        }
    }

    fn run(&self, session: &SessionContext, statement: &str) -> Vec<RecordBatch> {
        let answer = self.runtime.block_on(async { session.sql(statement).await?.collect().await });
        answer.unwrap_or_else(|error| panic!("{statement}: {error}"))
    }
}
