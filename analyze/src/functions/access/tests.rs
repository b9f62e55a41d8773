//! Compares the table function with the judge.

use crate::functions::fixture::{Site, UNKEPT, error, rows, session_of, wait};
use datafusion::arrow::array::RecordBatch;
use datafusion::common::stats::Precision;
use datafusion::physical_plan::statistics::{StatisticsArgs, StatisticsContext};
use robots::Dialect;

const NAMED: &str = "User-agent: GPTBot/1.0\nDisallow: /\nAllow: /caf\u{e9}$\n\nUser-agent: *\nDisallow: /x\n";
const WILDCARD: &str = "Disallow: /before\nUser-agent: * all\nDisallow: /x\nUser-agent: *\nDisallow: /y\nAllow: /%78\n";
const SPLIT: &str = "User-agent: gptbot\nAllow: /x\n\nUser-agent: Other\nDisallow: /\n\nUser-agent: GPTBOT\nDisallow: /x\nDisallow: /caf%C3%A9\n";

const SITES: [Site; 13] = [
    ("named.example", "rules", Some(200), Some(NAMED)),
    ("star.example", "rules", Some(200), Some(WILDCARD)),
    ("split.example", "rules", Some(200), Some(SPLIT)),
    ("same.example", "rules", Some(200), Some(NAMED)),
    ("empty.example", "no_rules", Some(200), Some("")),
    ("page.example", "not_robots", Some(200), Some("<p>User-agent: *</p>")),
    ("gone.example", "unavailable", Some(404), None),
    ("closed.example", "unavailable", Some(403), None),
    ("busy.example", "unavailable", Some(429), None),
    ("broken.example", "unreachable", Some(503), None),
    ("mute.example", "unreachable", None, None),
    ("lost.example", "redirect_unresolved", Some(301), None),
    ("before.example", "no_capture", Some(304), None),
];

#[test]
fn each_site_has_the_verdict_of_its_file() {
    let context = session_of(&SITES);
    for dialect in Dialect::ALL {
        for agent in ["GPTBot", "gptbot/2", "Other", "", "Nobody", "*"] {
            for path in ["/", "/x", "/y?z", "https://example.com/caf%c3%a9", "/robots.txt", "/before"] {
                let sql = format!(
                    "SELECT url_host_name, allowed, match_kind, deciding_line, deciding_pattern \
                     FROM robots_access('{agent}', '{path}', '{}') ORDER BY site_id",
                    dialect.name()
                );
                let is_always_allowed = path == "/robots.txt" && dialect != Dialect::Google;
                let expected = SITES.map(|(host, _, status, body)| match (host, dialect) {
                    // From the text of each standard, not from the code under test.
                    _ if is_always_allowed && body.is_none() => format!("{host} true none  "),
                    ("closed.example", Dialect::Original1996) => format!("{host} false none  "),
                    ("busy.example", Dialect::Google) => format!("{host} false none  "),
                    ("gone.example" | "closed.example" | "busy.example", _) => format!("{host} true none  "),
                    ("broken.example" | "mute.example", _) => format!("{host} false none  "),
                    ("lost.example" | "before.example", _) => format!("{host}  none  "),
                    _ => {
                        assert_eq!(status, Some(200), "{host}");
                        let parsed = robots::parse(body.unwrap_or_default().as_bytes());
                        let verdict = robots::judge(&parsed, agent, path, dialect);
                        let line = verdict.line.map(|line| line.to_string()).unwrap_or_default();
                        let pattern = verdict.rule.map(|rule| String::from_utf8_lossy(parsed.bytes(rule.pattern)));
                        let pattern = pattern.unwrap_or_default();
                        format!("{host} {} {} {line} {pattern}", verdict.allowed, verdict.matched.name())
                    }
                });
                assert_eq!(rows(&context, &sql), expected, "{sql}");
            }
        }
    }
}

/// A join of them keeps its smaller side in memory.
#[test]
fn the_number_of_verdicts_is_estimated() {
    let context = session_of(&SITES);
    for (function, expected) in [("robots_access", SITES.len()), ("robots_body_access", 5)] {
        let sql = format!("SELECT * FROM {function}('GPTBot', '/')");
        let plan = wait(async { context.sql(&sql).await.unwrap().create_physical_plan().await.unwrap() });
        let statistics = StatisticsContext::new().compute(plan.as_ref(), &StatisticsArgs::new()).unwrap();
        assert_eq!(statistics.num_rows, Precision::Inexact(expected), "{function}");
    }
}

#[test]
fn each_body_has_the_verdict_of_each_dialect() {
    let context = session_of(&SITES);
    let bodies = rows(&context, "SELECT body_id, text FROM bodies ORDER BY 1");
    let texts = [NAMED, WILDCARD, SPLIT, "", "<p>User-agent: *</p>"];
    for dialects in [&[][..], &[Dialect::Draft00, Dialect::Rfc9309, Dialect::Draft12], &Dialect::ALL] {
        let named: String = dialects.iter().map(|dialect| format!(", '{}'", dialect.name())).collect();
        let dialects = if dialects.is_empty() { &[Dialect::Rfc9309] } else { dialects };
        for agent in ["GPTBot", "Other", "Nobody", "*"] {
            for path in ["/", "/x", "/y?z", "https://example.com/caf%c3%a9"] {
                let sql = format!("SELECT * FROM robots_body_access('{agent}', '{path}'{named}) ORDER BY body_id");
                let found = rows(&context, &sql);
                assert_eq!(found.len(), bodies.len(), "{sql}");
                for (found, body) in found.iter().zip(&bodies) {
                    let (id, text) = body.split_once(' ').unwrap();
                    let text = texts.into_iter().find(|known| *known == text).unwrap();
                    let parsed = robots::parse(text.as_bytes());
                    let allowed = |agent| {
                        let parsed = &parsed;
                        let judge = move |dialect| robots::judge(parsed, agent, path, dialect).allowed.to_string();
                        dialects.iter().copied().map(judge)
                    };
                    let key = ["TEST-1".to_owned(), id.to_owned()].into_iter();
                    let expected: Vec<_> = key.chain(allowed(agent)).chain(allowed("*")).collect();
                    assert_eq!(*found, expected.join(" "), "{sql} {text}");
                }
            }
        }
    }
    let check = |sql: &str, expected: &[&str]| assert_eq!(rows(&context, sql), expected, "{sql}");
    check("SELECT count(*) FROM robots_body_access('GPTBot', '/')", &["5"]);
    check("SELECT count(*) FROM robots_body_access('GPTBot', '/') WHERE crawl = 'TEST-2'", &["0"]);
    check(
        "SELECT allowed_draft_12, body_id FROM robots_body_access('GPTBot', '/', 'draft-00', 'draft-12') \
         WHERE NOT allowed_draft_12 AND crawl = 'TEST-1'",
        &["false 3"],
    );
    check(
        "SELECT others_allowed_draft_12, body_id FROM robots_body_access('GPTBot', '/', 'google', 'draft-12') \
         WHERE others_allowed_draft_12 <> allowed_draft_12",
        &["true 3"],
    );
}

#[test]
fn columns_and_rows_may_be_left_out() {
    let context = session_of(&SITES);
    let check = |sql: &str, expected: &[&str]| assert_eq!(rows(&context, sql), expected, "{sql}");
    check("SELECT count(*) FROM robots_access('GPTBot', '/')", &["13"]);
    check("SELECT count(*) FROM robots_access('GPTBot', '/') WHERE NOT allowed", &["4"]);
    check(
        "SELECT deciding_pattern, url_protocol FROM robots_access('GPTBot', '/') WHERE url_host_name LIKE 's%' ORDER BY 1",
        &["/ https", " https", " https"],
    );
    check(
        "SELECT outcome FROM robots_access('GPTBot', '/') WHERE crawl = 'TEST-1' AND url_port = 443 AND site_id < 1",
        &["rules"],
    );
    check("SELECT outcome FROM robots_access('GPTBot', '/') WHERE crawl = 'TEST-2'", &[]);
    check("SELECT allowed FROM robots_access('GPT' || 'Bot', '/') LIMIT 0", &[]);
    check(
        "SELECT a.url_host_name FROM robots_access('GPTBot', '/') a JOIN robots_access('Nobody', '/') b USING (site_id) \
         WHERE a.allowed <> b.allowed ORDER BY 1",
        &["named.example", "same.example"],
    );
}

/// A pattern of 64 KiB that decides for many sites is not copied for all of them into one batch.
#[test]
fn a_long_pattern_makes_short_batches() {
    let file: &str =
        Box::leak(format!("User-agent: *\nDisallow: /{}\n", "*".repeat(robots::limits::VALUE_BYTES)).into_boxed_str());
    let context = session_of(&[("a.example", "rules", Some(200), Some(file)); 1_000]);
    let sql = "SELECT deciding_pattern FROM robots_access('a', '/')";
    let batches = wait(async { context.sql(sql).await?.collect().await }).unwrap();
    assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 1_000);
    assert!(batches.iter().all(|batch| batch.num_rows() <= 129), "{}", batches.len());
}

#[test]
fn invalid_calls_are_errors() {
    let check = |arguments: &str, expected: &str| {
        let found = error(&format!("SELECT * FROM robots_access({arguments})"));
        assert!(found.contains(expected), "{arguments}: {found}");
    };
    check("'a', '/'", "table is missing: sites: robots_access or robots_body_access in the statement reads it");
    check("'a'", "wrong number of arguments: robots_access: 1 given, 2 or more expected");
    check("'a', '/', 'rfc9309', 'google'", "wrong number of arguments: robots_access: 4 given, 2 or 3 expected");
    check("'a', 5", "argument is not a text literal: robots_access: path is Int64(5)");
    check(
        "'a', 'private/x'",
        "URL cannot be judged: robots_access: 'private/x': a path starts with /, and a URL with https:// or http://",
    );
    let failure = error("SELECT * FROM robots_body_access('a', '')");
    assert!(failure.contains("URL cannot be judged: robots_body_access: '': a path starts with /"), "{failure}");
    check("NULL, '/'", "argument is not a text literal: robots_access: agent is ");
    check("$agent, '/'", "argument is not a text literal: robots_access: agent is $agent");
    let failure = error("SELECT * FROM robots_body_access('a', '/', 'google', 'rfc9309', 'google')");
    assert!(failure.contains("dialect is given twice: robots_body_access: google"), "{failure}");
    let failure = error("SELECT * FROM robots_body_access('a', '/', 'google', 'rfc')");
    assert!(failure.contains("dialect is unknown: robots_body_access: rfc; known dialects are "), "{failure}");
    check(
        "'a', '/', 'rfc'",
        "dialect is unknown: robots_access: rfc; known dialects are rfc9309, google, draft-00, draft-12",
    );
}

/// In these dialects, a body without a text is an error if the statement reads one of its sites.
#[test]
fn texts_that_were_not_kept() {
    let context = session_of(&[
        ("kept.example", "rules", Some(200), Some(NAMED)),
        ("lost.example", "rules", Some(200), Some(UNKEPT)),
    ]);
    for (dialect, name) in [(Dialect::Google, "google"), (Dialect::Original1996, "original-1996")] {
        let sql = format!("SELECT allowed FROM robots_access('a', '/', '{}')", dialect.name());
        let failure = wait(async { context.sql(&sql).await?.collect().await }).unwrap_err().to_string();
        let expected = format!("text is missing: TEST-1: body 1: robots_access by {name} reads the texts of files");
        assert!(failure.contains(&expected), "{failure}");
        let of_bodies = format!("SELECT * FROM robots_body_access('a', '/', 'rfc9309', '{}')", dialect.name());
        let failure = wait(async { context.sql(&of_bodies).await?.collect().await }).unwrap_err().to_string();
        let expected = expected.replace("robots_access", "robots_body_access");
        assert!(failure.contains(&expected), "{failure}");
        // A statement that does not read a site of that body does not fail.
        assert_eq!(rows(&context, &format!("{sql} WHERE url_host_name LIKE 'kept%'")), ["true"]);
    }
}

/// Only the dialects that need the text judge U+FFFD, whatever other dialects are asked for.
#[test]
fn a_text_that_was_not_utf_8() {
    let context = session_of(&[("latin.example", "rules", Some(200), Some("User-agent: *\nDisallow: /caf%E9\n"))]);
    context.deregister_table("bodies").unwrap();
    rows(
        &context,
        "CREATE VIEW bodies AS SELECT 'TEST-1' AS crawl, 0 AS body_id, 'other' AS encoding, \
         'User-agent: *' || chr(10) || 'Disallow: /caf\u{fffd}' AS text",
    );
    let check = |dialects: &str, columns: &str, expected: &str| {
        let sql = format!("SELECT {columns} FROM robots_body_access('a', '/caf%E9', {dialects})");
        assert_eq!(rows(&context, &sql), [expected], "{sql}");
    };
    check("'rfc9309'", "*", "TEST-1 0 false false");
    check("'rfc9309', 'google'", "*", "TEST-1 0 false true false true");
    check("'google', 'draft-12'", "others_allowed_draft_12, allowed_google", "false true");
    check("'google', 'draft-12'", "allowed_google", "true");
    check("'google', 'draft-12'", "allowed_draft_12, body_id", "false 0");
}

/// The table stores a file in UTF-16 as UTF-8. One of the dialects cannot read UTF-16.
#[test]
fn a_text_that_was_utf_16() {
    check_utf_16("User-agent: *\nDisallow: /\n", [true, false]);
    // The first byte order mark is not part of the text. A second one is.
    check_utf_16("\u{feff}User-agent: *\nDisallow: /\n", [true, true]);
}

/// Judges a file by `google` and `original-1996`.
#[track_caller]
fn check_utf_16(file: &'static str, allowed: [bool; 2]) {
    let context = session_of(&[("wide.example", "rules", Some(200), Some(file))]);
    for (name, order) in [("utf-16le", u16::to_le_bytes as fn(u16) -> [u8; 2]), ("utf-16be", u16::to_be_bytes)] {
        context.deregister_table("bodies").unwrap();
        let bodies = format!(
            "CREATE VIEW bodies AS SELECT 'TEST-1' AS crawl, 0 AS body_id, '{name}' AS encoding, '{file}' AS text"
        );
        rows(&context, &bodies);
        let body: Vec<u8> = format!("\u{feff}{file}").encode_utf16().flat_map(order).collect();
        let parsed = robots::parse(&body);
        assert_eq!(parsed.facts.encoding.name(), name);
        for (dialect, allowed) in [Dialect::Google, Dialect::Original1996].into_iter().zip(allowed) {
            let found = rows(&context, &format!("SELECT allowed FROM robots_access('a', '/', '{}')", dialect.name()));
            let expected = robots::judge(&parsed, "a", "/", dialect).allowed;
            assert_eq!(found, [expected.to_string()], "{name} {}", dialect.name());
            assert_eq!(expected, allowed, "{name} {}", dialect.name());
        }
    }
}
