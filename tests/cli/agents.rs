//! `robocensus agents`: compares the list of agents with another list.

use crate::questions::sample_tables;
use crate::run::TestFolder;

const OURS: &str = "token,operator,kind,is_ai,tracked
GPTBot,OpenAI,crawler,true,true
Code,,generic-word,false,false
ClaudeBot,Anthropic,crawler,true,true
Googlebot,Google,crawler,false,true
";

fn folder(test: &str) -> TestFolder {
    TestFolder::new(test)
        .with("ours.csv", OURS)
        .with("newer.json", "{\"GPTBot\": {}, \"gptbot/1.0\": {}, \"Code\": {}, \"NewBot\\u001b[31m\": {}}")
        .with("same.txt", "# all tracked\nGPTBot\n*\nclaudebot\n")
}

/// Each row of a token would count its files again. All commands read the list in the same way.
#[test]
fn a_list_with_a_mistake_is_refused() {
    let folder = folder("agents_refused")
        .with("twice.csv", format!("{OURS}gptbot,,crawler,true,true\n"))
        .with("nameless.csv", "operator\nOpenAI\nGoogle\n")
        .with("doubtful.csv", "token,is_ai,tracked\nGPTBot,perhaps,true\n")
        .with("other.csv", "token,tracked,Notes\nGPTBot,true,\n")
        .with("untracked.csv", "token,tracked\nGPTBot,false\n")
        .with("empty.csv", "");
    let tables = sample_tables();
    for (list, expected) in [
        (
            "twice.csv",
            "value is listed twice: twice.csv: token: gptbot: line 2 and line 6; case and versions make no difference\n",
        ),
        ("nameless.csv", "column is missing: nameless.csv: token\n"),
        ("empty.csv", "column is missing: empty.csv: token\n"),
        (
            "untracked.csv",
            "agents cannot be read: untracked.csv: no agent is tracked; the column tracked says true for those that \
            derived tables include\n",
        ),
        ("doubtful.csv", "value cannot be read: doubtful.csv: is_ai is not true or false: perhaps: line 2\n"),
        (
            "other.csv",
            "column is unknown: other.csv: the header has Notes, but the columns are token, operator, purposes, kind, is_ai, \
            obeys_wildcard, fallback_tokens, valid_from, valid_to, replaced_by, tracked, mentions, source, source_date\n",
        ),
    ] {
        for arguments in [
            &["agents", "--agents", list, "same.txt"][..],
            &["query", "longpre_levels", "--agents", list, "--tables", tables],
            &["sql", "--agents", list, "--tables", tables, "SELECT count(*) FROM agents"],
        ] {
            folder.run(arguments).exits_with(2).prints("").complains(expected);
        }
    }
}

/// An agent of a short list would not count as AI otherwise.
#[test]
fn values_that_a_list_leaves_out_are_those_of_the_built_in_list() {
    let folder = TestFolder::new("agents_short")
        .with("short.csv", "tracked,is_ai,token\ntrue,,gptbot/1.0\ntrue,false,ClaudeBot\ntrue,,Own\n");
    let statement = "SELECT token, operator, purposes, is_ai FROM agents ORDER BY token";
    let arguments = ["sql", "--agents", "short.csv", "--tables", sample_tables(), "--format", "csv", statement];
    let rows = "claudebot,Anthropic,training,false\ngptbot,OpenAI,training,true\nown,,,\n";
    folder.run(&arguments).exits_with(0).prints(&format!("token,operator,purposes,is_ai\n{rows}"));

    // The built-in source is one of the built-in values.
    let statement =
        "SELECT token, source IS NOT NULL AS source, source_date IS NOT NULL AS dated FROM agents ORDER BY token";
    let arguments = ["sql", "--agents", "short.csv", "--tables", sample_tables(), "--format", "csv", statement];
    let rows = "claudebot,false,false\ngptbot,true,true\nown,false,false\n";
    folder.run(&arguments).exits_with(0).prints(&format!("token,source,dated\n{rows}"));
}

#[test]
fn missing_untracked_and_own_names_are_listed() {
    let folder = folder("agents_compared");
    folder.run(&["agents", "--agents", "ours.csv", "newer.json"]).exits_with(1).complains("").prints(
        "missing    NewBot\\u{1b}[31m
untracked  Code (generic-word)
only here  ClaudeBot
3 names: 1 tracked, 1 untracked, 1 missing; 1 AI agents only here
",
    );
    let all = folder.run(&["agents", "--agents", "ours.csv", "--all", "newer.json"]);
    all.exits_with(1).prints_among_others("only here  Googlebot\n");
}

#[test]
fn a_list_of_tracked_agents_exits_with_0() {
    let folder = folder("agents_tracked");
    let run = folder.run(&["agents", "--agents", "ours.csv", "same.txt"]);
    run.exits_with(0).prints("2 names: 2 tracked, 0 untracked, 0 missing; 0 AI agents only here\n");
}

#[test]
fn json_has_an_object_for_each_name() {
    let folder = folder("agents_json");
    let run = folder.run(&["agents", "--agents", "ours.csv", "--format", "json", "same.txt"]);
    run.exits_with(0).prints(
        "{\"standing\":\"tracked\",\"token\":\"claudebot\",\"name\":\"ClaudeBot\",\"kind\":\"crawler\",\"is_ai\":true,\"is_tracked\":true}
{\"standing\":\"tracked\",\"token\":\"gptbot\",\"name\":\"GPTBot\",\"kind\":\"crawler\",\"is_ai\":true,\"is_tracked\":true}
",
    );
}

/// The built-in list tracks the agents that `datasets/agents.md` names.
#[test]
fn the_built_in_list_tracks_its_ai_agents() {
    let folder = TestFolder::new("agents_built_in").with("list.txt", "KimiBot\nKimi-SearchBot\nMistralAI-Training\nMistralAI-Index\nDiffbot-User\nMistralAI-User/1.0\niaskspider/2.0\n");
    folder.run(&["agents", "list.txt"]).exits_with(0);
}

#[test]
fn an_invalid_list_is_a_failure() {
    let folder = folder("agents_failures").with("empty.txt", "# nothing\n").with("bad.json", "{\"a\"");
    folder.run(&["agents", "absent"]).exits_with(2).complains_among_others("file cannot be read: absent: ");
    folder.run(&["agents", "empty.txt"]).exits_with(2).complains("list cannot be read: empty.txt: it has no name\n");
    folder.run(&["agents", "bad.json"]).exits_with(2).complains_among_others("list cannot be read: bad.json: ");
}
