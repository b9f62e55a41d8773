//! Catches panics of the Parquet reader.
//!
//! Some invalid files make it panic. A check reports such a file as damaged.

use std::cell::Cell;
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Runs a function that reads a file. Returns its error, or its panic, as text.
pub(super) fn catch_panic<T, E: Display>(read: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    keep_quiet();
    IS_CAUGHT.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(read));
    IS_CAUGHT.set(false);
    match done {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no reason was given");
            Err(format!("the Parquet reader panicked: {text}"))
        }
    }
}

/// Silences the panics that [`catch_panic`] catches, since they are reported as damage. Other panics are printed as before.
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
