//! Texts for the tests of properties of every file: texts near the grammar, pieces of files in random order, and any
//! bytes.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;

/// A number of cases, the same in every run.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(9309), failure_persistence: None, ..ProptestConfig::default() }
}

const BLANKS: [&str; 5] = ["", "", " ", "\t", " \t "];
const NAMES: [&str; 7] = ["*", "foobot", "FooBot", "barbot", "foo-bot_", "a", "b"];
const KEYS: [&str; 4] = ["Disallow", "disallow", "Allow", "aLLow"];
const COMMENTS: [&str; 6] = ["", "", "", "#", "# of \u{e9}", "#a#\u{7f}\tb"];
const ENDS: [&str; 5] = ["\n", "\n", "\n", "\r\n", "\r"];
const PIECES: [&str; 20] = [
    "/", "/", "a", "b", "ab", "*", "$", "%41", "%2F", "%2f", "%c3%a9", "\u{e9}", "\u{30c4}", "%", "?", "=", "~", ".",
    "|", "\u{7f}",
];

fn path() -> impl Strategy<Value = String> {
    proptest::collection::vec(select(&PIECES[..]), 0..5).prop_map(|pieces| format!("/{}", pieces.concat()))
}

/// Blanks before the key, before and after the colon, and after the value.
fn spaces() -> impl Strategy<Value = [&'static str; 4]> {
    [select(&BLANKS[..]), select(&BLANKS[..]), select(&BLANKS[..]), select(&BLANKS[..])]
}

fn keyed(key: &str, value: &str, [a, b, c, d]: [&str; 4]) -> String {
    format!("{a}{key}{b}:{c}{value}{d}")
}

fn agent_line() -> impl Strategy<Value = String> {
    (select(&["User-agent", "user-agent", "USER-AGENT"][..]), select(&NAMES[..]), spaces())
        .prop_map(|(key, name, spaces)| keyed(key, name, spaces))
}

fn conforming_line() -> impl Strategy<Value = String> {
    let rule = (select(&KEYS[..]), prop_oneof![5 => path(), 1 => Just(String::new())], spaces())
        .prop_map(|(key, path, spaces)| keyed(key, &path, spaces));
    prop_oneof![3 => agent_line(), 6 => rule, 1 => select(&BLANKS[..]).prop_map(str::to_owned)]
}

fn ended(line: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (line, select(&COMMENTS[..]), select(&ENDS[..])).prop_map(|(line, comment, end)| line + comment + end)
}

/// Replacements for a piece of a text that the grammar derives.
const DEPARTURES: [&[u8]; 24] = [
    b"",
    b" ",
    b"\n",
    b"\r",
    b":",
    b"#",
    b"/",
    b"*",
    b"1",
    b".",
    b"x",
    b"\0",
    b"\x0b",
    b"\x7f",
    b"\x80",
    b"\xc3",
    b"\xc3\xa9",
    b"\xe0\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xef\xbb\xbf",
    b"Sitemap: https://example.com/s.xml\n",
    b"Crawl-delay: 5\n",
    b"go away\n",
];

/// A text that the grammar derives, or one departure from it.
pub(crate) fn near_conforming() -> impl Strategy<Value = Vec<u8>> {
    let head = prop_oneof![4 => ended(agent_line()), 1 => Just(String::new())];
    let lines = proptest::collection::vec(ended(conforming_line()), 0..10);
    let departure = proptest::option::of((any::<Index>(), 0..3usize, select(&DEPARTURES[..])));
    (head, lines, departure).prop_map(|(head, lines, departure)| {
        let mut text = (head + &lines.concat()).into_bytes();
        if let Some((at, length, instead)) = departure {
            let start = at.index(text.len() + 1);
            let end = text.len().min(start + length);
            text.splice(start..end, instead.iter().copied());
        }
        text
    })
}

const FRAGMENTS: [&[u8]; 40] = [
    b"User-agent",
    b"user-agent: ",
    b"User-agent: *",
    b"Disallow",
    b"disallow: ",
    b"Disallow: /",
    b"Allow: ",
    b"allow:/a",
    b"Sitemap: ",
    b"Crawl-delay: ",
    b"Useragent: ",
    b"Dis allow: ",
    b"Disalow: ",
    b":",
    b"#",
    b" ",
    b"\t",
    b"\n",
    b"\n",
    b"\n",
    b"\r",
    b"\r\n",
    b"*",
    b"$",
    b"/",
    b"%",
    b"%41",
    b"%2f",
    b"a",
    b"foobot",
    b"MJ12bot",
    b"FooBot/2.1",
    b"<html>",
    b"http://a",
    b"\0",
    b"\x0c",
    b"\xff",
    b"\xc3\xa9",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
];

/// Pieces of files, in random order.
pub(crate) fn fragments() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(select(&FRAGMENTS[..]), 0..30).prop_map(|pieces| pieces.concat())
}

/// Any bytes.
pub(crate) fn bytes() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 0..200)
}
