//! `docs/dialects.md`: the dialects, how lines name a crawler, where the dialects differ, which misspelt keys are
//! obeyed, and what a status lets a crawler fetch.

#[path = "differences.rs"]
mod differences;

use super::{BLESS, cell, tolerance};
pub(crate) use differences::{AGREEMENT, cases, verdicts};
use differences::{DIFFERENCES, Difference};
use robots::{AccessResult, Dialect, MatchKind, Naming, Reading, SiteAccess};
use std::fmt::Write;

const STATUSES: [u16; 16] = [100, 200, 204, 301, 304, 308, 400, 401, 403, 404, 410, 429, 451, 500, 503, 999];

/// User-agent lines and crawlers that may be named by them.
const NAMES: [(&str, &str); 9] = [
    ("FooBot", "foobot"),
    ("FooBot/2.1", "FooBot"),
    ("FooBot", "FooBot/2.1"),
    ("FooBot-News", "FooBot"),
    ("MJ12bot", "MJ12bot"),
    ("MJ12bot", "MJ"),
    ("008", "008"),
    ("Sogou web spider", "Sogou"),
    ("Sogou web spider/4.0", "Sogou web spider"),
];

const VALUES: [&str; 10] = [
    "GPTBot",
    "FooBot/2.1",
    "Sogou web spider",
    "MJ12bot",
    "archive.org_bot",
    "Mediapartners-Google*",
    "One, Two",
    "Mozilla/4.0 (compatible; Foo)",
    "*",
    "* everyone",
];

/// The page.
pub(crate) fn page() -> String {
    let mut page = format!(
        r#"<!-- Made by ingest/robots/tests/all/pages.rs. To write it anew: {BLESS} -->

# Dialects

A dialect is the text that a verdict follows. `rfc9309` is the default. The other dialects show how much an answer depends on the text. The judge of robocensus computes all verdicts on this page.

| dialect | text |
|---|---|
"#
    );
    for dialect in Dialect::ALL {
        let _ = writeln!(page, "| `{}` | {} |", dialect.name(), text_of(dialect));
    }
    names(&mut page);
    page.push_str(
        r#"
## Differences

Each row has a file, a crawler, the path that it wants to fetch, and the verdicts. Verdicts that differ from `rfc9309` are in bold. Braces enclose a description.
"#,
    );
    for difference in DIFFERENCES.iter().chain([&AGREEMENT]) {
        section(&mut page, difference);
    }
    tolerance::section(&mut page);
    statuses(&mut page);
    page
}

fn text_of(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Rfc9309 => "RFC 9309, September 2022",
        Dialect::Google => {
            "Google's parser and matcher, <https://github.com/google/robotstxt>, by its behaviour; the functions named below are in its `robots.cc`"
        }
        Dialect::Draft00 => "draft-koster-rep-00, July 2019, the first Internet-Draft of what became RFC 9309",
        Dialect::Draft12 => "draft-koster-rep-12, 2022, the last one",
        Dialect::Original1996 => "draft-koster-robots-00, December 1996, \"A Method for Web Robots Control\"",
    }
}

fn names(page: &mut String) {
    page.push_str(
        r#"
## The name of a crawler

RFC 9309 § 2.2.1 allows only letters, hyphens and underscores in a product token. Real crawlers have names with digits, and user-agent lines in real files have versions, blanks and `*`. So this page distinguishes three things. The *value* of a line is its text as written. Its *token* is the form under which a census counts it. Its *product token* is the longest valid product token at the start of the value, which is the part that a crawler can use (§ 2.3.1.5: "Crawlers MUST use the parseable rules").

The token is the value up to the first `/`, `,`, `;` or `(`, in lower case, without blanks and `*` at its end. Blanks between words, digits and dots stay. The token of `*`, alone or before a blank and more text, is `*`. If nothing would be left of a value, the whole value is the token. The grammar does not derive a list with commas (reported as erratum 8895); only its first name counts.

| value | token | product token |
|---|---|---|
"#,
    );
    for value in VALUES {
        let file = format!("User-agent: {value}\n");
        let parsed = robots::parse(file.as_bytes());
        let product = parsed.agents().first().and_then(|agent| value.get(..agent.product_len as usize));
        let product = product.filter(|product| !product.is_empty()).map_or("none".to_owned(), cell);
        let token = String::from_utf8_lossy(&robots::token(value.as_bytes())).into_owned();
        let _ = writeln!(page, "| {} | {} | {product} |", cell(value), cell(&token));
    }
    page.push_str(
        r#"
In `rfc9309` and `draft-12`, the caller chooses which lines name a crawler. The other dialects have their own rules.

| naming | a line names a crawler if |
|---|---|
"#,
    );
    for naming in Naming::ALL {
        let _ = writeln!(page, "| `{}` | {} |", naming.name(), text_of_naming(naming));
    }
    page.push_str("\nNames are compared without regard to case. Does the line name the crawler?\n\n| line | crawler |");
    for naming in Naming::ALL {
        let _ = write!(page, " `{}` |", naming.name());
    }
    page.push_str("\n|---|---|---|---|---|\n");
    for (line, crawler) in NAMES {
        let file = format!("User-agent: {line}\n");
        let parsed = robots::parse(file.as_bytes());
        let reading = Reading::new(&parsed, Dialect::Rfc9309);
        let _ = write!(page, "| {} | {} |", cell(line), cell(crawler));
        for naming in Naming::ALL {
            let is_named = reading.select(crawler.as_bytes(), naming).matched == MatchKind::Explicit;
            let _ = write!(page, " {} |", if is_named { "yes" } else { "no" });
        }
        page.push('\n');
    }
}

fn text_of_naming(naming: Naming) -> &'static str {
    match naming {
        Naming::Named => {
            "the default: the line's product token is the crawler's name, if that name is a product token; otherwise the line's token is the crawler's token"
        }
        Naming::ProductToken => "the line's product token is the crawler's name, as the standard says",
        Naming::Exact => "the line's token is the crawler's token",
    }
}

fn section(page: &mut String, difference: &Difference) {
    let _ = write!(page, "\n### {}\n\n{}\n\n", difference.title, difference.text);
    heading(page, "| file | crawler | path |");
    for case in difference.cases {
        let lines: Vec<String> =
            case.file.lines().map(|line| if line.is_empty() { String::new() } else { cell(line) }).collect();
        let _ = write!(page, "| {} | {} | {} |", lines.join("<br>"), cell(case.crawler), cell(case.path));
        row(page, &verdicts(case).map(|(_, allowed)| if allowed { "allowed" } else { "disallowed" }));
    }
}

fn statuses(page: &mut String) {
    page.push_str(
        r#"
## What a status lets a crawler fetch

The class is that of RFC 9309 § 2.3.1. The standard does not mention statuses outside the ranges of § 2.3.1. For these, draft-00 § 2.3.1.4 says "the crawler MUST assume the robots.txt is unreachable", and all dialects do so here. Two dialects differ from the standard. Google's crawler treats 429 as a server error, by its documentation. The draft of 1996, § 3.1, says about 401 and 403: "a robot should regard access to the site completely restricted". Of the other statuses from 400 on, that draft names only 404; here the others are treated like 404.

"#,
    );
    heading(page, "| status | class |");
    for status in STATUSES.map(Some).into_iter().chain([None]) {
        let shown = status.map_or("no response".to_owned(), |status| status.to_string());
        let _ = write!(page, "| {shown} | {} |", AccessResult::from_status(status).name());
        row(page, &Dialect::ALL.map(|dialect| text_of_access(SiteAccess::from_status(status, dialect))));
    }
}

fn text_of_access(access: SiteAccess) -> &'static str {
    match access {
        SiteAccess::ByRules => "what the rules allow",
        SiteAccess::ByRedirect => "follow the redirect",
        SiteAccess::All => "anything",
        SiteAccess::None => "nothing",
        SiteAccess::Unknown => "unknown",
    }
}

fn heading(page: &mut String, first: &str) {
    page.push_str(first);
    for dialect in Dialect::ALL {
        let _ = write!(page, " `{}` |", dialect.name());
    }
    let columns = first.matches('|').count() - 1 + Dialect::ALL.len();
    let _ = writeln!(page, "\n|{}", "---|".repeat(columns));
}

/// Writes a cell for each dialect, in bold if it differs from the first.
fn row(page: &mut String, cells: &[&str; 5]) {
    for cell in cells {
        let mark = if *cell == cells[0] { "" } else { "**" };
        let _ = write!(page, " {mark}{cell}{mark} |");
    }
    page.push('\n');
}
