//! `robocensus judge` with URLs.

use crate::run::{Run, TestFolder};

const ROBOTS: &str = "\
User-agent: ExampleBot
User-agent: OtherBot
Disallow: /private
Allow: /private/open

User-agent: *
Disallow: /
";

fn judge(test: &str, arguments: &[&str]) -> Run {
    let folder = TestFolder::new(test).with("robots.txt", ROBOTS);
    folder.run(&[&["judge", "--robots", "robots.txt"], arguments].concat())
}

#[test]
fn verdicts_are_shown_with_their_lines() {
    let run = judge("judge_text", &["--agent", "examplebot", "https://example.com/private/x", "/private/open", "/"]);
    run.exits_with(0).complains("").prints(
        "\
disallowed: https://example.com/private/x
  rule:  robots.txt:3: Disallow: /private
  group: robots.txt:1: User-agent: ExampleBot
  group: robots.txt:2: User-agent: OtherBot
  match: explicit
allowed: /private/open
  rule:  robots.txt:4: Allow: /private/open
  group: robots.txt:1: User-agent: ExampleBot
  group: robots.txt:2: User-agent: OtherBot
  match: explicit
allowed: /
  rule:  no rule decides
  group: robots.txt:1: User-agent: ExampleBot
  group: robots.txt:2: User-agent: OtherBot
  match: explicit
",
    );
}

/// A text without a slash before it was read as a host, and its verdict was that of another path.
#[test]
fn a_text_that_is_neither_a_path_nor_a_url_is_refused() {
    for typed in ["private/x", "private/x?next=https://e.com/", "view-source:https://e.com/", "example.com", ""] {
        let shown = if typed.is_empty() { "''" } else { typed };
        let expected =
            format!("URL cannot be judged: {shown}: a path starts with /, and a URL with https:// or http://\n");
        judge("judge_relative", &["--agent", "x", "/a", typed]).exits_with(2).prints("").complains(&expected);
    }
}

/// No line names a whole header, so it was allowed what its crawler is not.
#[test]
fn a_whole_header_is_judged_with_a_note() {
    let header = "Mozilla/5.0 (compatible; ExampleBot/1.2; +https://bot.example)";
    judge("judge_header", &["--agent", header, "/a"]).exits_with(0).prints_among_others("match: wildcard").complains(
        &format!("agent looks like a whole header: {header}: its product token is needed, such as GPTBot\n"),
    );
    judge("judge_header_quiet", &["-q", "--agent", header, "/a"]).exits_with(0).complains("");
    // This one starts with the product token, which a line names.
    let header = "ExampleBot/1.2 (+https://bot.example)";
    judge("judge_header_named", &["--agent", header, "/a"]).prints_among_others("match: explicit").complains("");
}

#[test]
fn json_has_one_object_per_url() {
    judge("judge_json", &["--format", "json", "--agent", "x", "/a", "/robots.txt"]).exits_with(0).complains("").prints(
        r#"{"url":"/a","allowed":false,"line":7,"match":"wildcard","pattern":"/","group_lines":[6]}
{"url":"/robots.txt","allowed":true,"line":null,"match":"wildcard","pattern":null,"group_lines":[6]}
"#,
    );
}

#[test]
fn an_empty_file_allows_everything() {
    let folder = TestFolder::new("judge_empty");
    folder.run(&["judge", "--robots", "-", "--agent", "x", "/a"]).exits_with(0).complains("").prints(
        "\
allowed: /a
  rule:  no rule decides
  match: none
",
    );
}

#[test]
fn dialect_and_naming_change_verdicts() {
    let folder =
        TestFolder::new("judge_dialects").with("robots.txt", "User-agent: MJ12bot\nDisallow: /a\nAllow: /a/b\n");
    let check = |options: &[&str], agent: &str, url: &str, expected: &str| {
        let arguments = [&["judge", "--robots", "robots.txt", "--agent", agent], options, &[url]].concat();
        folder.run(&arguments).exits_with(0).prints_among_others(&format!("{expected}: {url}\n"));
    };
    check(&[], "MJ12bot", "/a/b", "allowed");
    check(&["--dialect", "original-1996"], "MJ12bot", "/a/b", "disallowed");
    check(&["--naming", "product-token"], "MJ12bot", "/a", "allowed");
    check(&["--naming", "product-token"], "MJ", "/a", "disallowed");
    check(&["--naming", "exact"], "MJ", "/a", "allowed");
    check(&["--dialect", "google"], "MJ", "/a", "disallowed");
}

#[test]
fn hostile_text_is_escaped() {
    let body = b"User-agent: *\x1b[31m\xe2\x80\xae\r\nDisallow: /a\x1b[2J\xff\r\n";
    let folder = TestFolder::new("judge_hostile").with("\u{1b}.txt", body);
    let url = "/a\u{1b}[2J%ff\u{202e}";
    let judge = |format: &str| {
        folder.run(&["judge", "--robots", "\u{1b}.txt", "--agent", "x", "--format", format, "--dialect", "google", url])
    };
    let run = judge("text");
    run.exits_with(0).complains("").prints_among_others(": /a\\u{1b}[2J%ff\\u{202e}\n");
    assert!(!run.stdout.contains(['\u{1b}', '\u{202e}']), "{run}");
    let run = judge("json");
    run.exits_with(0).complains("");
    assert!(!run.stdout.contains(['\u{1b}', '\u{202e}']), "{run}");
    assert_eq!(run.objects()[0]["url"], url, "{run}");
}

#[test]
fn a_pattern_that_is_not_utf_8_is_percent_encoded() {
    let folder = TestFolder::new("judge_not_utf_8").with("robots.txt", b"User-agent: *\nDisallow: /caf\xe9\n");
    let judge =
        |format| folder.run(&["judge", "--robots", "robots.txt", "--agent", "x", "--format", format, "/caf%E9"]);
    judge("text").exits_with(0).prints_among_others("  rule:  robots.txt:2: Disallow: /caf\\xe9\n");
    judge("json").exits_with(0).prints_among_others(r#""line":2,"match":"wildcard","pattern":"/caf%E9","#);
}

#[test]
fn only_eight_user_agent_lines_are_shown() {
    let agents: String = (0..20).map(|nth| format!("User-agent: bot{}\n", char::from(b'a' + nth))).collect();
    let folder = TestFolder::new("judge_many_lines").with("robots.txt", agents + "Disallow: /\n");
    let run = folder.run(&["judge", "--robots", "robots.txt", "--agent", "botc", "/"]);
    run.exits_with(0)
        .prints_among_others("  group: robots.txt:8: User-agent: both\n  group: and 12 more user-agent lines\n");
}

#[test]
fn a_file_that_cannot_be_read_is_reported() {
    let folder = TestFolder::new("judge_unreadable");
    let check = |path: &str, expected: &str| {
        folder.run(&["judge", "--robots", path, "--agent", "x", "/"]).exits_with(2).prints("").complains(expected);
    };
    check("missing.txt", "file cannot be read: missing.txt: no such file or directory (os error 2)\n");
    check(".", "file cannot be read: .: is a directory (os error 21)\n");
}
