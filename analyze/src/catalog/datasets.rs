//! Tests that `datasets/agents.md` and `datasets/templates.md` describe their files correctly.

use csv::StringRecord;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The text of a file in `datasets`.
fn read(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets").join(name)).unwrap()
}

/// The part of a page below a heading; with an empty heading, the part above all headings.
fn section<'p>(page: &'p str, heading: &str) -> &'p str {
    let mut sections = page.split("\n## ");
    let found = if heading.is_empty() { sections.next() } else { sections.find(|text| text.starts_with(heading)) };
    found.unwrap_or_else(|| panic!("the page has no section {heading}"))
}

/// The cells of the first table, below its header and without backticks.
fn table(section: &str) -> Vec<Vec<String>> {
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    rows.skip(1).map(|row| row.split(" | ").map(|cell| cell.replace('`', "")).collect()).collect()
}

/// The columns that the first table of a page describes.
fn described_columns(page: &str) -> Vec<String> {
    let names = table(section(page, "")).into_iter().filter_map(|row| row.into_iter().next());
    names.flat_map(|names| names.split(", ").map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// A number with commas between thousands, as the page writes it.
fn with_commas(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", with_commas(number / 1000), number % 1000) }
}

/// The text of a file and its rows, each by column name.
fn rows(name: &str) -> (String, Vec<BTreeMap<String, String>>) {
    let text = read(name);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let named = |record: StringRecord| header.iter().map(str::to_owned).zip(record.iter().map(str::to_owned)).collect();
    let rows = reader.records().map(|record| named(record.unwrap())).collect();
    (text, rows)
}

fn is_one_of(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

#[test]
fn agents_are_as_their_page_says() {
    let (text, agents) = rows("agents.csv");
    let page = read("agents.md");
    assert_eq!(described_columns(&page).join(","), text.lines().next().unwrap());
    let purposes: BTreeSet<&str> = section(&page, "Purposes").split('`').skip(1).step_by(2).collect();
    let kinds: BTreeSet<String> = table(section(&page, "Kinds")).into_iter().map(|row| row[0].clone()).collect();
    assert!(text.ends_with('\n') && !text.contains('\r') && !text.starts_with('\u{feff}'));
    let spelled: BTreeSet<&str> = agents.iter().map(|agent| agent["token"].as_str()).collect();
    let mut seen = BTreeSet::new();
    let mut before: Option<(i64, String)> = None;
    for agent in &agents {
        let token = &agent["token"];
        let lower = token.to_lowercase();
        assert_eq!(robots::token(token.as_bytes()).as_ref(), lower.as_bytes(), "the normal form of {token}");
        assert!(token.trim() == token && token != "*" && seen.insert(lower.clone()), "{token}");
        let mentions: i64 = agent["mentions"].parse().unwrap();
        let place = (-mentions, lower);
        assert!(
            mentions >= 0 && before.replace(place.clone()).is_none_or(|before| before < place),
            "{token} is not in order"
        );
        assert!(agent["purposes"].split_whitespace().all(|purpose| purposes.contains(purpose)), "{token}");
        assert!(kinds.contains(&agent["kind"]), "{token}");
        for column in ["is_ai", "tracked"] {
            assert!(is_one_of("true false", &agent[column]), "{token}: {column}");
        }
        let until = &agent["valid_to"];
        assert!(until.is_empty() || agent["valid_from"] <= *until, "{token} ends before it starts");
        let replaced = agent["replaced_by"].as_str();
        for other in agent["fallback_tokens"].split_whitespace().chain([replaced]).filter(|other| !other.is_empty()) {
            assert!(spelled.contains(other) && other != token, "{token} refers to {other}");
        }
        let has_source = agent["source"] != "none";
        assert_eq!(has_source, !agent["source_date"].is_empty(), "{token}: a source has a date");
        // Names of firms and misspellings are not names of crawlers.
        let can_be_tracked = is_one_of("crawler control tool", &agent["kind"]);
        assert!(can_be_tracked || agent["tracked"] == "false", "{token} is tracked");
        assert!(agent["is_ai"] == "false" || agent["tracked"] == "true", "{token} is AI and not tracked");
        if is_one_of("unknown generic-word", &agent["kind"]) {
            assert!(agent["operator"].is_empty(), "{token} has no operator");
        }
    }
    let chained = |agent: &&BTreeMap<String, String>| {
        let next = agents.iter().find(|other| other["token"] == agent["replaced_by"]);
        next.is_some_and(|next| !next["replaced_by"].is_empty())
    };
    assert_eq!(agents.iter().find(chained), None, "a token that replaces another is replaced itself");
    counts_are_those_of_the_page(&page, &agents);
}

/// Compares each count and share of the page with the rows. A share is that of all mentions in Common Crawl's list.
fn counts_are_those_of_the_page(page: &str, agents: &[BTreeMap<String, String>]) {
    let coverage = section(page, "Coverage");
    let all: f64 = coverage.split_whitespace().find_map(|word| word.replace(',', "").parse().ok()).unwrap();
    let count = |is_meant: &dyn Fn(usize, &BTreeMap<String, String>) -> bool| {
        let meant = agents.iter().enumerate().filter(|(place, agent)| is_meant(*place, agent));
        let mentions = meant.clone().map(|(_, agent)| agent["mentions"].parse::<f64>().unwrap());
        (with_commas(meant.clone().count()), format!("{:.1} %", mentions.sum::<f64>() / all * 100.0))
    };
    for row in table(section(page, "Kinds")) {
        assert_eq!(count(&|_, agent| agent["kind"] == row[0]), (row[2].clone(), row[3].clone()), "{}", row[0]);
    }
    for row in table(section(page, "Sources")) {
        assert_eq!(count(&|_, agent| agent["source"] == row[0]).0, row[1], "{}", row[0]);
    }
    for row in table(coverage) {
        let first: usize = row[0].trim_start_matches("all ").replace(',', "").parse().unwrap();
        assert!(!row[0].starts_with("all") || first == agents.len(), "{row:?}");
        assert_eq!(count(&|place, _| place < first).1, row[1], "{row:?}");
    }
    let (operated, operated_share) = count(&|_, agent| !agent["operator"].is_empty());
    let (tracked, tracked_share) = count(&|_, agent| agent["tracked"] == "true");
    let (ai, ai_share) = count(&|_, agent| agent["is_ai"] == "true");
    let (_, listed) = count(&|_, agent| is_one_of("legacy-blocklist site-copier", &agent["kind"]));
    let said = format!(
        "{operated} rows have an operator, with {operated_share} of the mentions. {tracked} rows are tracked, with \
         {tracked_share}. {ai} are AI, with {ai_share}. Blocklists and site copiers together have {listed}."
    );
    assert!(coverage.contains(&said), "{said}");
}

#[test]
fn templates_are_as_their_page_says() {
    let (text, templates) = rows("templates.csv");
    assert_eq!(described_columns(&read("templates.md")).join(","), text.lines().next().unwrap());
    assert!(text.ends_with('\n') && !text.contains('\r') && !text.starts_with('\u{feff}'));
    let (_, agents) = rows("agents.csv");
    let tokens: BTreeSet<String> = agents.iter().map(|agent| agent["token"].to_lowercase()).collect();
    let mut needed: BTreeMap<&str, usize> = BTreeMap::new();
    let mut constant: BTreeMap<&str, (&str, &str, &str)> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for row in &templates {
        let template = row["template"].as_str();
        let is_slug =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        assert!(is_slug(template) && is_slug(&row["family"]), "{template}");
        let agent = row["agent"].as_str();
        assert!(agent.is_empty() || agent == "*" || tokens.contains(agent), "{template}: {agent}");
        let key = (row["part"].as_str(), agent, row["pattern_or_key"].as_str());
        let is_whole = match row["part"].as_str() {
            "rule" => !agent.is_empty() && !row["allow"].is_empty() && row["value"].is_empty(),
            "group" => !agent.is_empty() && row["allow"].is_empty() && row["value"].is_empty(),
            "record" => agent.is_empty() && row["allow"].is_empty() && key.2 == key.2.to_lowercase(),
            _ => false,
        };
        assert!(is_whole, "{template}: {key:?}");
        let whole = (template, key, row["allow"].as_str(), row["value"].as_str());
        assert!(seen.insert(whole), "{whole:?} occurs twice");
        *needed.entry(template).or_default() += usize::from(row["is_required"] == "true");
        let same = (row["family"].as_str(), row["name"].as_str(), row["source"].as_str());
        assert_eq!(*constant.entry(template).or_insert(same), same, "{template}");
        assert!(!row["source_date"].is_empty(), "{template}");
    }
    assert!(needed.values().all(|rows| (1..=10).contains(rows)), "{needed:?}");
}
