//! Generated questions about a file, and files generated group by group.

use proptest::prelude::*;
use proptest::sample::select;

const AGENTS: [&str; 10] = ["foobot", "FOOBOT", "barbot", "a", "b", "foo-bot_", "MJ12bot", "MJ", "", "otherbot"];
const PIECES: [&str; 16] =
    ["/", "/", "a", "b", "ab", "*", "$", "%41", "%2F", "%c3%a9", "\u{e9}", "\u{30c4}", "?", "~", "#", "|"];

/// A body of any of the three kinds.
pub(crate) fn body() -> impl Strategy<Value = Vec<u8>> {
    use crate::text::{bytes, fragments, near_conforming};
    prop_oneof![4 => near_conforming(), 3 => fragments(), 1 => bytes()]
}

/// A crawler and a path.
pub(crate) fn question() -> impl Strategy<Value = (&'static str, String)> {
    let path = proptest::collection::vec(select(&PIECES[..]), 0..5).prop_map(|pieces| format!("/{}", pieces.concat()));
    (select(&AGENTS[..]), path)
}

/// A group: its user-agent lines and its rules, at least one of each.
pub(crate) type Group = (Vec<&'static str>, Vec<(bool, String)>);

/// Groups for crawlers with names of letters only, and rules of plain ASCII, wildcards, and an anchor at the end.
pub(crate) fn groups() -> impl Strategy<Value = Vec<Group>> {
    const NAMES: [&str; 5] = ["*", "foobot", "FooBot", "barbot", "bazbot"];
    let agents = proptest::collection::vec(select(&NAMES[..]), 1..3);
    let rules = proptest::collection::vec((any::<bool>(), "/[ab/*]{0,4}\\$?"), 1..5);
    proptest::collection::vec((agents, rules), 0..5)
}

/// A path that rules of such groups may match.
pub(crate) fn plain_path() -> impl Strategy<Value = String> {
    "/[ab/]{0,5}"
}

/// The text of a file with these groups.
pub(crate) fn text_of(groups: &[Group]) -> String {
    let agents = |agents: &[&str]| agents.iter().map(|agent| format!("User-agent: {agent}\n")).collect::<String>();
    let rule = |(allow, path): &(bool, String)| format!("{}: {path}\n", if *allow { "Allow" } else { "Disallow" });
    let group = |group: &Group| agents(&group.0) + &group.1.iter().map(rule).collect::<String>();
    groups.iter().map(group).collect()
}
