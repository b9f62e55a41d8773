//! Texts that state a limit by its number. Columns, figures and questions declare their texts as literals, so the
//! number cannot come from the constant. If a limit changes, these tests name each line that still states the old
//! number.

use robots::limits;
use std::fs;
use std::path::Path;

#[test]
fn texts_state_the_limit_of_a_file() {
    let bytes = limits::FIVE_HUNDRED_KIB;
    let is_stated = |line: &str| ["512,000", "512000", "500 KiB"].iter().any(|text| line.contains(text));
    let stated = stating(&is_stated);
    assert!(!stated.is_empty(), "no text states it");
    assert!(bytes == 512_000, "the limit is {bytes} bytes now; change these texts:\n{}", stated.join("\n"));
}

#[test]
fn texts_state_the_limit_of_redirects() {
    let is_stated =
        |line: &str| ["five redirects", "at most five", "follows five"].iter().any(|text| line.contains(text));
    let stated = stating(&is_stated);
    assert!(!stated.is_empty(), "no text states it");
    let redirects = limits::REDIRECTS;
    assert!(redirects == 5, "{redirects} redirects are followed now; change these texts:\n{}", stated.join("\n"));
}

/// The lines of texts and code that state a limit, each with its place.
fn stating(is_stated: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for top in ["README.md", "analyze", "datasets/agents.md", "ingest", "queries", "src"] {
        read(Path::new(top), is_stated, &mut found);
    }
    found
}

fn read(path: &Path, is_stated: &dyn Fn(&str) -> bool, found: &mut Vec<String>) {
    let whole = committed::path("").join(path);
    if whole.is_dir() {
        let mut names: Vec<_> = fs::read_dir(whole).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        return names.iter().for_each(|name| read(&path.join(name), is_stated, found));
    }
    // Tests have their own numbers.
    let is_test = path.components().any(|part| part.as_os_str() == "tests");
    let is_text = path.extension().is_some_and(|end| ["rs", "sql", "md"].iter().any(|known| end == *known));
    if is_text && !is_test {
        let text = fs::read_to_string(whole).unwrap();
        let lines = text.lines().zip(1..).filter(|(line, _)| is_stated(line));
        found.extend(lines.map(|(_, number)| format!("{}:{number}", path.display())));
    }
}
