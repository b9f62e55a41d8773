//! Failures of this workspace as errors of DataFusion.

use datafusion::error::DataFusionError;
use folder::Failure;

/// The error that carries a failure through DataFusion.
pub(crate) fn external(failure: Failure) -> DataFusionError {
    DataFusionError::External(Box::new(failure))
}
