//! Questions about signals and statuses of 2025 and 2026. The answers depend on the days of the captures.

use crate::crawls::{ask, crawl, record, tables, tables_of};
use crate::run::TestFolder;

/// Runs a statement over the tables in a folder, and compares its answer.
#[track_caller]
fn check(folder: &TestFolder, statement: &str, expected: &str) {
    folder.run(&["sql", statement, "--format", "csv"]).exits_with(0).prints(expected);
}

const SIGNALS: &str = "User-agent: *
Content-Signal: search=yes,ai-train=no,use=reference
Content-Usage: train-ai=n, ai-use=n
Content-Usage: bots=n, train-genai=n
Content-Usage: search=y, AI-USE=n
Allow: /
";

/// One file in four crawls: `use` was valid in July 2026, `ai-use` from July to September 2025 and again since
/// September 2026, `bots` from September to December 2025.
#[test]
fn a_file_is_judged_by_the_vocabulary_of_its_day() {
    let captures: &[(&str, u16, &str)] = &[("a.example", 200, SIGNALS)];
    let folder = tables(
        "signals_by_day",
        &[
            ("TEST-2025-31", "2025-08-01", captures),
            ("TEST-2025-45", "2025-11-05", captures),
            ("TEST-2026-27", "2026-06-30", captures),
            ("TEST-2026-46", "2026-11-10", captures),
        ],
    );
    let sql =
        "SELECT crawl, label, problem, effect FROM signals WHERE effect <> 'stands' ORDER BY crawl, line_no, place";
    let expected = "\
crawl,label,problem,effect
TEST-2025-31,use,later_label,not_understood
TEST-2025-31,bots,later_label,not_understood
TEST-2025-31,\"\",void,invalid
TEST-2025-45,use,later_label,not_understood
TEST-2025-45,ai-use,earlier_label,not_understood
TEST-2025-45,train-genai,earlier_label,not_understood
TEST-2025-45,\"\",void,invalid
TEST-2026-27,use,later_label,not_understood
TEST-2026-27,ai-use,earlier_label,not_understood
TEST-2026-27,bots,earlier_label,not_understood
TEST-2026-27,train-genai,earlier_label,not_understood
TEST-2026-27,\"\",void,invalid
TEST-2026-46,bots,earlier_label,not_understood
TEST-2026-46,train-genai,earlier_label,not_understood
TEST-2026-46,\"\",void,invalid
";
    check(&folder, sql, expected);
}

/// `use` is valid since July 2026. One capture of 102 has a date of November.
#[test]
fn one_wrong_date_does_not_change_the_days_of_a_crawl() {
    let captures = (0..102).map(|place| {
        let day = if place == 0 { "2026-11-10" } else { "2026-06-30" };
        let body = if place == 1 { SIGNALS } else { "" };
        record(&format!("https://host{place}.example/robots.txt"), &format!("{day}T12:00:00Z"), 200, "", body)
    });
    let folder = tables_of("signals_wrong_date", &[("TEST-2026-27", captures.collect())]);
    let sql = "SELECT CAST(c.first_day AS varchar) AS first_day, CAST(c.last_day AS varchar) AS last_day, s.problem \
               FROM crawls AS c JOIN signals AS s ON s.crawl = c.crawl WHERE s.label = 'use'";
    check(&folder, sql, "first_day,last_day,problem\n2026-06-30,2026-06-30,later_label\n");
}

/// The line of Cloudflare's managed files has no problem, and its set names the level of use.
#[test]
fn the_managed_file_of_2026_has_no_problem() {
    let managed = "User-agent: *\nContent-Signal: search=yes,ai-train=no,use=reference\nAllow: /\n";
    let folder = crawl("signals_managed", &[("a.example", 200, managed)]);
    ask(&folder, "signal_invalid", &[])
        .prints("crawl,stratum,signal,problem,effect,lines,sites,sites_counted,share,example\n");
    ask(&folder, "signal_values", &[]).prints_among_others("combination,search=yes ai-train=no use=reference,1,1,1\n");
    ask(&folder, "signal_conflicts", &[]).prints_among_others("TEST-2026-46,all,training,any,0,1,0\n");
}

/// `use` neither allows nor disallows, so two of its values are no contradiction.
#[test]
fn a_contradiction_allows_and_disallows_by_one_label() {
    let signals = "User-agent: *\nContent-Signal: use=immediate\nContent-Signal: use=reference\nContent-Signal: search=yes\n\
                   Content-Signal: search=no\nContent-Usage: train-ai=n\nDisallow: /x\n";
    let folder = crawl("signals_contradiction", &[("a.example", 200, signals)]);
    let found = ask(&folder, "signal_invalid", &[]);
    let expected = "TEST-2026-46,all,content-signal,contradiction,stands,1,1,1,1,search\n";
    assert_eq!(found.stdout.lines().skip(1).collect::<Vec<_>>(), expected.lines().collect::<Vec<_>>(), "{found}");
}

#[test]
fn status_402_has_its_own_class() {
    let captures: &[(&str, u16, &str)] =
        &[("a.example", 402, ""), ("bb.example", 403, ""), ("ccc.example", 200, "User-agent: *\nDisallow: /x\n")];
    let folder = crawl("signals_402", captures);
    ask(&folder, "forbidden_trend", &[]).prints_among_others("TEST-2026-46,all,402,1,3,0.3333333333333333,\n");
    ask(&folder, "access_classes", &[]).prints_among_others("TEST-2026-46,all,payment_required,1,3,");
    let strict = "TEST-2026-46,all,strict,0,1,1,0,2,3,";
    ask(&folder, "rfc_vs_crawler_policy", &[]).prints_among_others(strict);
    ask(&folder, "status_vs_rules", &[]).prints_among_others("TEST-2026-46,402,1,0,0,");
}
