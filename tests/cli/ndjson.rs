//! `robocensus judge --ndjson`.

use crate::run::{Run, TestFolder};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;
use std::io::{BufRead as _, BufReader, Write as _};

fn judge(test: &str, options: &[&str], stdin: &str) -> Run {
    TestFolder::new(test).run_with_stdin(&[&["judge", "--ndjson"], options].concat(), stdin.as_bytes())
}

fn question(robots: &str, agent: &str, url: &str) -> String {
    json!({"robots_base64": BASE64_STANDARD.encode(robots), "agent": agent, "url": url}).to_string() + "\n"
}

#[test]
fn answers_come_in_the_order_of_the_questions() {
    let block = "User-agent: *\nDisallow: /a\n";
    let named = "User-agent: ExampleBot\nDisallow: /\nAllow: /a\n";
    let stdin = [
        question(block, "x", "/a"),
        question(block, "x", "/b"),
        question(named, "ExampleBot", "https://example.com/a"),
        question(named, "x", "/a"),
        question(block, "ExampleBot", "/a"),
        question("", "x", "/"),
    ];
    judge("ndjson_order", &[], &stdin.concat()).exits_with(0).complains("").prints(
        r#"{"allowed":false,"line":2,"match":"wildcard"}
{"allowed":true,"line":null,"match":"wildcard"}
{"allowed":true,"line":3,"match":"explicit"}
{"allowed":true,"line":null,"match":"none"}
{"allowed":false,"line":2,"match":"wildcard"}
{"allowed":true,"line":null,"match":"none"}
"#,
    );
}

#[test]
fn an_invalid_question_is_answered_in_its_place() {
    let good = question("User-agent: *\nDisallow: /\n", "x", "/");
    let stdin = [
        &good,
        "nonsense\n",
        "{\"robots_base64\": \"\", \"agent\": \"x\"}\n",
        "\n  \r\n",
        "{\"robots_base64\": \"*\", \"agent\": \"x\", \"url\": \"/\"}\n",
        "{\"robots_base64\": \"\", \"agent\": \"x\", \"url\": \"/\", \"dialect\": \"\\u001b\u{9b}\u{202e}\"}\n",
        "{\"robots_base64\": \"\", \"agent\": 1, \"url\": \"/\"}\r\n",
        &good,
    ];
    judge("ndjson_errors", &[], &stdin.concat()).exits_with(1).complains("").prints(
        r#"{"allowed":false,"line":2,"match":"wildcard"}
{"error":"question cannot be read: line 2: expected ident at column 2"}
{"error":"question cannot be read: line 3: missing field `url` at column 35"}
{"error":"question cannot be read: line 6: robots_base64 is not valid base64: Invalid symbol 42, offset 0."}
{"error":"question cannot be read: line 7: unknown dialect `\u001b\u009b\u202e`, expected one of rfc9309, google, draft-00, draft-12, original-1996"}
{"error":"question cannot be read: line 8: invalid type: integer `1`, expected a string at column 32"}
{"allowed":false,"line":2,"match":"wildcard"}
"#,
    );
}

#[test]
fn bytes_that_are_not_utf_8_spoil_only_their_line() {
    let good = question("", "x", "/");
    let bad = b"{\"robots_base64\": \"\", \"agent\": \"\xff\", \"url\": \"/\"}\n\xff\n";
    let stdin = [good.as_bytes(), bad, good.as_bytes()].concat();
    let run = TestFolder::new("ndjson_not_utf_8").run_with_stdin(&["judge", "--ndjson"], &stdin);
    let answers: Vec<bool> = run.exits_with(1).objects().iter().map(|answer| answer["error"].is_null()).collect();
    assert_eq!(answers, [true, false, false, true], "{run}");
}

#[test]
fn the_last_line_needs_no_line_end() {
    let question = question("", "x", "/");
    let run = judge("ndjson_last_line", &[], question.trim_end());
    run.exits_with(0).prints("{\"allowed\":true,\"line\":null,\"match\":\"none\"}\n");
    judge("ndjson_nothing", &[], "").exits_with(0).complains("").prints("");
}

#[test]
fn a_question_may_have_its_own_dialect_and_naming() {
    // The same body twice in a row, in two dialects: it must be read again for the second.
    let robots = BASE64_STANDARD.encode("User-agent: *\nDisallow: /a\nAllow: /a/b\n");
    let ask =
        |more: &str| format!("{{{more}\"url\":\"/a/b\",\"agent\":\"x\",\"robots_base64\":\"{robots}\",\"id\":[1]}}\n");
    let stdin =
        [ask(""), ask("\"dialect\":\"original-1996\","), ask("\"dialect\":\"rfc9309\","), ask("\"dialect\":null,")];
    let lines = |options: &[&str]| -> Vec<u64> {
        let run = judge("ndjson_dialects", options, &stdin.concat());
        run.exits_with(0).objects().iter().map(|answer| answer["line"].as_u64().unwrap()).collect()
    };
    assert_eq!(lines(&[]), [3, 2, 3, 3]);
    assert_eq!(lines(&["--dialect", "original-1996"]), [2, 2, 3, 2]);
    let robots = "User-agent: MJ12bot\nDisallow: /\n";
    let product_token = question(robots, "MJ", "/").replacen('{', "{\"naming\":\"product-token\",", 1);
    let stdin = question(robots, "MJ", "/") + &product_token;
    let run = judge("ndjson_namings", &[], &stdin);
    let allowed: Vec<_> = run.objects().iter().map(|answer| answer["allowed"].as_bool()).collect();
    assert_eq!(allowed, [Some(false), Some(false)], "{run}");
    let run = judge("ndjson_namings", &["--naming", "exact"], &stdin);
    let allowed: Vec<_> = run.objects().iter().map(|answer| answer["allowed"].as_bool()).collect();
    assert_eq!(allowed, [Some(true), Some(false)], "{run}");
}

#[test]
fn each_answer_comes_before_the_next_question() {
    let mut child =
        TestFolder::new("ndjson_dialogue").command(&["judge", "--ndjson"]).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
    for nth in 1..=3 {
        stdin.write_all(question("User-agent: *\nAllow: /\n", "x", "/").as_bytes()).expect("a question can be asked");
        let mut answer = String::new();
        stdout.read_line(&mut answer).expect("an answer comes");
        assert_eq!(answer, "{\"allowed\":true,\"line\":2,\"match\":\"wildcard\"}\n", "answer {nth}");
    }
    drop(stdin);
    assert!(child.wait().expect("the binary ends").success());
}

#[test]
fn many_questions_are_answered_one_by_one() {
    // More than fits into any buffer. The body changes after every third question.
    let ask = |nth: usize| question(&format!("User-agent: *\n{}Disallow: /\n", "\n".repeat(nth / 3 % 50)), "x", "/");
    let run = judge("ndjson_many", &[], &(0..30_000).map(ask).collect::<String>());
    run.exits_with(0);
    for (nth, answer) in run.objects().iter().enumerate() {
        assert_eq!(answer["line"], nth / 3 % 50 + 2, "answer {nth}");
    }
    assert_eq!(run.stdout.lines().count(), 30_000);
}
