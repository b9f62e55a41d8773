//! Texts that state a limit by its number. Columns, figures and questions declare their texts as literals, so the
//! number cannot come from the constant. If a limit changes, these tests name each line that still states the old
//! number.

use robots::limits;
use std::fs;
use std::path::Path;

/// A limit, the number that texts give it, and how they write that number.
type Stated = (&'static str, f64, f64, &'static [&'static str]);

const STATED: &[Stated] = &[
    ("the limit of a file", limits::FIVE_HUNDRED_KIB as f64, 512_000.0, &["512,000", "512000", "512_000", "500 KiB"]),
    ("the hard cap", limits::HARD_CAP_BYTES as f64, 16_777_216.0, &["16 MiB"]),
    ("redirects", limits::REDIRECTS as f64, 5.0, &["five redirects", "at most five", "follows five", "over five"]),
    ("bytes of a path", limits::PATH_BYTES as f64, 1_024.0, &["1,024 bytes", "SELECT 1024"]),
    ("rules", limits::RULES as f64, 2_048.0, &["2,048 rules", "2,049 rules"]),
    ("bytes of a line", limits::LINE_BYTES as f64, 2_083.0, &["2,083", "2083", "2,084 bytes"]),
    ("bytes of a line that Google reads", limits::LINE_BYTES_GOOGLE as f64, 16_663.0, &["16,663", "16663", "16,664"]),
    ("bytes of a value", limits::VALUE_BYTES as f64, 65_536.0, &["64 KiB of a pattern", "64 KiB of a value"]),
    ("bytes of a name", limits::NAME_BYTES as f64, 16_384.0, &["16 KiB of a name"]),
    ("preferences of a line", limits::PREFERENCES as f64, 32.0, &["32nd of a line", "first 32 of a line"]),
    ("compared groups", limits::COMPARED_GROUPS as f64, 1_048_576.0, &["1,048,576 groups", "at most: 1,048,576"]),
    ("a crawl delay", limits::CRAWL_DELAY_S, 300.0, &["300 seconds"]),
];

#[test]
fn texts_state_the_limits() {
    for (limit, now, stated, texts) in STATED {
        let lines = stating(&|line| texts.iter().any(|text| line.contains(text)));
        assert!(lines.len() > 1, "no text states {limit}");
        assert!(now == stated, "{limit}: {now} now; change these texts:\n{}", lines.join("\n"));
    }
}

/// The lines of texts and code that state a limit, each with its place.
fn stating(is_stated: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let tops = [
        "CHANGELOG.md",
        "README.md",
        "analyze",
        "benches",
        "datasets/README.md",
        "datasets/agents.md",
        "docs",
        "ingest",
        "notebooks",
        "queries",
        "src",
    ];
    for top in tops {
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
    let is_text = path.extension().is_some_and(|end| ["rs", "sql", "md", "py"].iter().any(|known| end == *known));
    if is_text && !is_test {
        let text = fs::read_to_string(whole).unwrap();
        let lines = text.lines().zip(1..).filter(|(line, _)| is_stated(line));
        found.extend(lines.map(|(_, number)| format!("{}:{number}", path.display())));
    }
}
