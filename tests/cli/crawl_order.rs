//! Crawls are in the order in which they were made, whatever their names: in questions about two crawls or several, in
//! the report, and in explanations.

use crate::crawls::{record, tables_of};
use crate::run::TestFolder;
use std::fs;
use std::sync::OnceLock;

/// Crawls whose names sort against time. In each, one site stops or starts to block GPTBot.
fn crawls() -> &'static TestFolder {
    static FOLDER: OnceLock<TestFolder> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let blocks = "User-agent: GPTBot\nDisallow: /\n";
        let allows = "User-agent: *\nDisallow: /tmp\n";
        let captures = |day: &str, files: [&str; 2]| {
            let url = |nth: usize| format!("https://host{nth}.example.com/robots.txt");
            [0, 1].map(|nth| record(&url(nth), &format!("{day}T12:00:00Z"), 200, "", files[nth]))
        };
        let [first, last] = captures("2024-03-01", [blocks, blocks]);
        // One capture among many has a wrong date. It does not make alfa the first crawl.
        let alfa = [first, last.repeat(200), last.replace("2024-03-01", "1996-03-01")];
        let (zulu, mike) = (captures("2023-03-01", [allows, allows]), captures("2023-09-01", [blocks, allows]));
        tables_of("crawl_order", &[("zulu", zulu.concat()), ("mike", mike.concat()), ("alfa", alfa.concat())])
    })
}

/// Runs a question and returns these columns of its answer.
fn ask(arguments: &[&str], columns: &[&str]) -> Vec<String> {
    let arguments: Vec<&str> = ["query"].iter().chain(arguments).chain(&["--format", "ndjson"]).copied().collect();
    let text = |value: &serde_json::Value| value.as_str().map_or(value.to_string(), str::to_owned);
    let rows = crawls().run(&arguments).exits_with(0).objects();
    rows.iter().map(|row| columns.iter().map(|column| text(&row[column])).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn two_crawls_are_the_last_two_in_time() {
    let of_pair = |options: &[&str]| {
        let arguments = [&["policy_flips", "--tokens", "GPTBot"], options].concat();
        ask(&arguments, &["crawl_from", "crawl_to", "agent", "sites_newly_blocked", "sites_no_longer_blocked"])
    };
    assert_eq!(of_pair(&[])[0], "mike alfa gptbot 1 0");
    assert_eq!(of_pair(&["--crawl-to", "mike"])[0], "zulu mike gptbot 1 0");
    assert_eq!(of_pair(&["--crawl-from", "zulu"])[0], "zulu alfa gptbot 2 0");
    // The last crawl is not compared with itself.
    assert!(of_pair(&["--crawl-from", "alfa"]).is_empty());
}

#[test]
fn changes_over_crawls_follow_time() {
    let curve = ask(
        &["agent_adoption_curve", "--tokens", "GPTBot"],
        &["crawl", "agent", "first_crawl", "share", "share_gained"],
    );
    assert_eq!(curve, ["zulu gptbot mike 0.0 null", "mike gptbot mike 0.5 0.5", "alfa gptbot mike 1.0 0.5"]);
    let refusals = ask(&["forbidden_trend"], &["crawl", "refusal"]);
    assert_eq!((refusals[0].as_str(), refusals[14].as_str()), ("zulu 401", "alfa 5xx"));
    let read = ask(&["what_was_read"], &["crawl"]);
    assert_eq!(read, ["zulu", "mike", "alfa"]);
}

/// An AI agent counts from the first crawl in which a site names it. By name, that would be alfa.
#[test]
fn agents_are_known_from_the_first_crawl_that_names_them() {
    let known =
        ["sql", "SELECT crawl, first_crawl FROM known_ai_agents WHERE agent = 'gptbot' ORDER BY crawl", "-f", "csv"];
    crawls().run(&known).exits_with(0).prints("crawl,first_crawl\nalfa,mike\nmike,mike\n");
}

#[test]
fn the_report_shows_crawls_in_their_order() {
    crawls().run(&["report", "tables", "--out", "report", "--only", "access", "--format", "md"]).exits_with(0);
    let page = fs::read_to_string(crawls().path().join("report/report.md")).unwrap_or_default();
    assert!(page.contains("The report covers 3 crawls, from zulu to alfa. Figures on one crawl show alfa."), "{page}");
    assert!(page.contains("3 crawls from zulu to alfa"), "{page}");
    assert!(!page.contains("from alfa"), "{page}");
    // Not from 1996, as one capture says.
    assert!(page.contains("alfa: 1 March 2024\n"), "{page}");
    let explained = crawls().run(&["explain", "https://host1.example.com/", "--agent", "GPTBot"]);
    let text = explained.exits_with(0).to_string();
    let place = |crawl: &str| text.find(crawl);
    assert!(place("zulu") < place("mike") && place("mike") < place("alfa"), "{text}");
}
