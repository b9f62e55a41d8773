//! Compares committed pages with those that the code generates.

use std::path::Path;

/// Compares a page with the text that the code generates, or rewrites it if `ROBOCENSUS_BLESS` is 1.
pub(crate) fn check(page: &str, made: &str, bless: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page);
    if std::env::var_os("ROBOCENSUS_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let same = committed.lines().zip(made.lines()).take_while(|(old, new)| old == new).count();
    assert!(
        committed == made,
        "page differs from the code: {page}: line {}\n  on the page: {}\n  by the code: {}\nto write it anew: {bless}",
        same + 1,
        committed.lines().nth(same).unwrap_or("(end)"),
        made.lines().nth(same).unwrap_or("(end)"),
    );
}
