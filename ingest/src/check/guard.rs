//! The reader of Parquet, kept from taking the process with it.
//!
//! It is written for files that are as they should be, and some that are not make it panic. Such a file is damaged, and
//! that is all there is to say of it.

use std::cell::Cell;
use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Does what reads a file, and tells why it could not, a panic among the reasons.
pub(super) fn guarded<T, E: Display>(read: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    keep_quiet();
    IS_GUARDED.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(false);
    match done {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no reason was given");
            Err(format!("the reader of Parquet gave up: {text}"))
        }
    }
}

/// A panic that is caught is told as damage and needs no report of its own; all others go where they went before.
fn keep_quiet() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                before(panic);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_reason() {
        let check = |read: fn() -> Result<u8, String>, expected: Result<u8, &str>| {
            assert_eq!(guarded(read), expected.map_err(str::to_owned));
        };
        check(|| Ok(1), Ok(1));
        check(|| Err("no footer".to_owned()), Err("no footer"));
        check(|| panic!("at {}", 5), Err("the reader of Parquet gave up: at 5"));
        check(|| panic!("here"), Err("the reader of Parquet gave up: here"));
    }
}
