use super::*;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use tables::Rows;

const BODY: &[u8] =
    b"User-agent: GPTBot/1.0\nUser-agent: *\nDisallow: /caf\xe9\nAllow: /$x*\nSITEMAP: https://a.example/s\n";

/// The rows of [`BODY`].
fn rows(keep_text: KeepText) -> BodyTables<Vec<RecordBatch>> {
    let mut files = BodyTables::new(|_| Vec::new());
    let digest = Sha1Base32::digest(BODY);
    BodyRows::default().push(5, &digest, &robots::parse(BODY), keep_text, &mut files).unwrap();
    files
}

fn batch<B: Rows>(mut rows: RowWriter<B, Vec<RecordBatch>>) -> RecordBatch {
    rows.flush().unwrap();
    let [batch] = std::mem::take(rows.sink()).try_into().unwrap();
    batch
}

fn texts(batch: &RecordBatch, column: &str) -> Vec<Option<String>> {
    batch[column].as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
}

fn check(batch: &RecordBatch, column: &str, expected: &[&str]) {
    let expected: Vec<Option<String>> = expected.iter().map(|text| Some((*text).to_owned())).collect();
    assert_eq!(texts(batch, column), expected, "{column}");
}

#[test]
fn every_table_gets_its_rows() {
    let rows = rows(KeepText::No);
    let groups = batch(rows.groups);
    check(&groups, "agent", &["GPTBot/1.0", "*"]);
    check(&groups, "token", &["gptbot", "*"]);
    let rules = batch(rows.rules);
    check(&rules, "pattern", &["/caf%E9", "/$x*"]);
    assert_eq!(texts(&rules, "pattern_normal"), [None, Some("/%24x*".to_owned())]);
    assert_eq!(rules["octets"].as_primitive::<Int32Type>().values(), &[7, 6]);
    let records = batch(rows.records);
    check(&records, "key", &["sitemap"]);
    check(&records, "value", &["https://a.example/s"]);
    let policies = batch(rows.policies);
    check(&policies, "token", &["gptbot", "*"]);
    check(&policies, "access", &["part", "part"]);
    let violations = batch(rows.violations);
    check(
        &violations,
        "code",
        &[
            "ua-version",
            "path-invalid-utf8",
            "path-non-ascii",
            "path-dollar-inside",
            "path-star-trailing",
            "ext-sitemap",
            "file-not-utf8",
        ],
    );
    check(&violations, "excerpt", &["GPTBot/1.0", "\u{fffd}", "\u{fffd}", "$", "*", "SITEMAP", ""]);
    assert_eq!(violations["line_no"].null_count(), 1);
    let bodies = batch(rows.bodies);
    check(&bodies, "encoding", &["other"]);
    assert_eq!(texts(&bodies, "text"), [None]);
    assert_eq!(bodies["disallow_count"].as_primitive::<Int32Type>().values(), &[1]);
}

#[test]
fn text_is_kept_on_request() {
    let text = texts(&batch(rows(KeepText::Yes).bodies), "text");
    assert_eq!(text, [Some(String::from_utf8_lossy(BODY).into_owned())]);
}

/// `policies` has one row per body and token, and a query finds a line's token by its name.
#[test]
fn names_that_differ_have_different_texts() {
    let names: [&[u8]; 4] = [b"Bot\xe9", b"Bot\xe8", b"Bot\xef\xbf\xbd", b"Bot"];
    let body: Vec<u8> = names.iter().flat_map(|name| [b"User-agent: ", *name, b"\nDisallow: /\n"].concat()).collect();
    let mut files = BodyTables::new(|_| Vec::new());
    let digest = Sha1Base32::digest(&body);
    BodyRows::default().push(5, &digest, &robots::parse(&body), KeepText::No, &mut files).unwrap();
    let (groups, policies) = (batch(files.groups), batch(files.policies));
    let tokens = ["bot%e9", "bot%e8", "bot\u{fffd}", "bot"];
    check(&groups, "agent", &["Bot%E9", "Bot%E8", "Bot\u{fffd}", "Bot"]);
    check(&groups, "token", &tokens);
    check(&policies, "token", &tokens);
    for (agent, token) in texts(&groups, "agent").iter().zip(tokens) {
        assert_eq!(&*robots::token(agent.as_ref().unwrap().as_bytes()), token.as_bytes());
    }
}
