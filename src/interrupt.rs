//! Ctrl-C and SIGTERM: the first signal asks for a clean end, the second ends the process at once.

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Shells report a killed process as 128 plus the number of the signal.
const KILLED: i32 = 128;

/// A flag that is set at the first signal.
pub(crate) fn flag() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order, so that the first signal still finds the flag unset.
        flag::register_conditional_shutdown(signal, KILLED + signal, Arc::clone(&stop))?;
        flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}

/// Lets a write to a file that grows too large for the user's limit fail with an error. The system's signal for that would
/// end the process without a word.
pub(crate) fn report_large_files() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::default()).map(|_| ())
}
