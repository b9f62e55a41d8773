//! However a file is built, no question takes more steps than in proportion to its lines: a robots.txt must not make the
//! answer about a whole crawl late.

use crate::crawls::crawl;
use crate::questions::all;
use analyze::queries::QueryKind;
use committed::full::step;
use std::collections::BTreeSet;

/// How many lines of each kind the file has.
const LINES: usize = 400;

/// The number of rows that no step of an answer may have. A join of two kinds of lines by their group has 160,000.
const MOST_ROWS: f64 = 40_000.0;

/// It once joined all preferences of a group with all of its agents.
const SUSPECT: &str = "signal_conflicts";

/// A file with one long group. Its agents differ, and its other lines are the same.
fn file() -> String {
    let agents = (0..LINES).map(|agent| format!("User-agent: {agent:09b}\n").replace('0', "a").replace('1', "b"));
    let mut file: String = agents.collect();
    let lines = ["Disallow: /", "Allow: /a", "Disallow: /a", "Noindex: /a", "Content-Signal: search=yes, ai-train=no"];
    for line in lines.into_iter().chain(["Crawl-delay: 5", "Sitemap: https://a.example/s.xml", "Host: a.example"]) {
        file.push_str(&format!("{line}\n").repeat(LINES));
    }
    file
}

/// The number of rows of a step, as it is printed: 325, 125.7 K or 1.31 M.
fn number(printed: &str) -> Option<f64> {
    let (digits, unit) = printed.split_once(' ').unwrap_or((printed, ""));
    Some(
        digits.parse::<f64>().ok()?
            * if unit.is_empty() {
                1.0
            } else if unit == "K" {
                1e3
            } else {
                1e6
            },
    )
}

#[test]
fn no_step_of_an_answer_has_more_rows_than_in_proportion_to_a_file() {
    let folder = crawl("proportion", &[("a.example", 200, &file())]);
    let mut names: BTreeSet<String> =
        all(QueryKind::Question).into_iter().step_by(step(12)).map(|query| query.name).collect();
    names.insert(SUSPECT.to_owned());
    for name in names {
        let printed = folder.run(&["query", &name, "--tables", "tables", "--print-sql"]);
        if !printed.status.success() {
            // It needs a parameter or a table.
            continue;
        }
        let statement = format!("EXPLAIN ANALYZE {}", printed.stdout);
        let run = folder.run(&["sql", "--tables", "tables", "--format", "csv", &statement]);
        run.exits_with(0);
        let rows = run.stdout.split("output_rows=").skip(1).filter_map(|rest| number(rest.split([',', ']']).next()?));
        let most = rows.fold(0.0, f64::max);
        assert!(most < MOST_ROWS, "{name}: a step has {most} rows: {run}");
        assert!(most >= LINES as f64 || name != SUSPECT, "{name} reads no lines: {run}");
    }
}
