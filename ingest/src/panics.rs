//! Catches panics of the Parquet reader and of the crate `warc`, which some invalid files cause.

use std::cell::Cell;
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::thread;

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Runs a function that reads a file. Returns its error, or its panic, as text.
pub(crate) fn catch_panic<T, E: Display>(read: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match quietly(read) {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no reason was given");
            Err(format!("the Parquet reader panicked: {text}"))
        }
    }
}

/// Runs a function and catches its panic, which is not printed.
pub(crate) fn quietly<T>(read: impl FnOnce() -> T) -> thread::Result<T> {
    keep_quiet();
    IS_CAUGHT.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(read));
    IS_CAUGHT.set(false);
    done
}

/// Silences the panics that [`quietly`] catches, since they are reported as damage. Other panics are printed as before.
fn keep_quiet() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_CAUGHT.get() {
                before(panic);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        let check = |read: fn() -> Result<u8, String>, expected: Result<u8, &str>| {
            assert_eq!(catch_panic(read), expected.map_err(str::to_owned));
        };
        check(|| Ok(1), Ok(1));
        check(|| Err("no footer".to_owned()), Err("no footer"));
        check(|| panic!("at {}", 5), Err("the Parquet reader panicked: at 5"));
        check(|| panic!("here"), Err("the Parquet reader panicked: here"));
    }
}
