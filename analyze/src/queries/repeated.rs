//! Compares what statements repeat with the code, data and pages that declare it.

use super::{ParameterKind, QueryKind, all, find};
use crate::known_agents;
use crate::statement::ParameterValue;
use robots::{Dialect, NoEffect, SiteAccess, SiteOutcome};
use std::collections::{BTreeMap, BTreeSet};

fn text(kind: QueryKind, name: &str) -> String {
    find(kind, name).unwrap().unwrap().text
}

/// The texts between `before` and the next quote.
fn quoted<'t>(text: &'t str, before: &str) -> Vec<&'t str> {
    text.split(before).skip(1).filter_map(|rest| rest.split('\'').next()).collect()
}

/// The choices of the parameter `definition` are those of the views, of the question `definition_sensitivity` and of
/// `docs/definitions.md`.
#[test]
fn definitions_have_the_same_names_everywhere() {
    let view = find(QueryKind::View, "site_blocking_classes").unwrap().unwrap();
    let parameter = view.header.parameters.iter().find(|parameter| parameter.name == "definition").unwrap();
    let ParameterKind::OneOf(words) = &parameter.kind else { panic!("{}", parameter.kind) };
    let page = include_str!("../../../docs/definitions.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let described: Vec<&str> = rows.map(|(word, _)| word).filter(|word| words.iter().any(|one| one == word)).collect();
    assert_eq!(described, *words, "docs/definitions.md");
    for word in words {
        let column = word.replace('-', "_");
        let formula = format!(" AS {column},");
        // A policy class does not know the other sites of a domain: the view `class_blocking` adds them for d9.
        let is_in_view = text(QueryKind::View, "definitions").replace("\nFROM", ",\nFROM").contains(&formula);
        assert_eq!(is_in_view, word != "d9-any-subdomain", "definitions: {word}");
        let is_chosen = text(QueryKind::View, "class_blocking").contains(&format!("'{word}'"));
        assert_eq!(is_chosen, word != "exact", "class_blocking: {word}");
        let is_counted = text(QueryKind::Question, "definition_sensitivity").contains(&format!(" AS sites_{column},"));
        assert!(is_counted, "definition_sensitivity: {word}");
    }
}

/// The view `class_access` chooses between the group that names an agent and the wildcard group. A question that joined
/// policies to agents by itself would choose again.
#[test]
fn no_question_chooses_a_group() {
    for question in all(QueryKind::Question).unwrap() {
        assert!(!question.text.contains("LEFT JOIN policies"), "{}: read class_access", question.name);
    }
}

/// `/robots.txt?x` is no robots.txt, as [`robots::is_robots_txt`] says. A URL without a port has that of its protocol.
#[test]
fn captures_of_a_robots_txt_are_found_by_the_same_rule() {
    let port = format!("WHEN 'https' THEN {} ELSE {} END", hosts::default_port("https"), hosts::default_port("http"));
    let (mut queries, mut ports) = (0, 0);
    for query in
        [QueryKind::View, QueryKind::Question, QueryKind::Check].into_iter().flat_map(|kind| all(kind).unwrap())
    {
        let count = |part: &str| query.text.matches(part).count();
        let paths = count("url_path = '/robots.txt'");
        assert_eq!(count("url_query IS NULL"), paths, "{}", query.name);
        assert_eq!(count("THEN 443"), count(&port), "{}", query.name);
        queries += paths;
        ports += count(&port);
    }
    assert!(queries > 3 && ports > 2, "{queries} {ports}");
}

/// The question has a row for each policy of crawlers. The rows of dialects agree with the crate `robots`.
#[test]
fn policies_of_crawlers_are_those_of_their_dialects() {
    let question = find(QueryKind::Question, "rfc_vs_crawler_policy").unwrap().unwrap();
    for (place, dialect) in [(1, Dialect::Rfc9309), (2, Dialect::Google), (3, Dialect::Original1996)] {
        let policy = dialect.name();
        let blocked =
            [401, 402, 403, 429].map(|status| SiteAccess::from_status(Some(status), dialect) == SiteAccess::None);
        let [by_401, by_402, by_403, by_429] = blocked;
        let row = format!("({place}, '{policy}', {by_401}, {by_402}, {by_403}, {by_429})");
        assert!(question.text.contains(&row), "{row}");
    }
}

/// The question compares each dialect with RFC 9309, for sites with a file and for others.
#[test]
fn dialects_are_compared_with_the_standard() {
    let question = text(QueryKind::Question, "dialect_disagreement");
    for dialect in Dialect::ALL {
        let (name, column) = (dialect.name(), dialect.name().replace('-', "_"));
        let by_outcome = format!("final_status, '{name}', $path) = 'all' AS allowed_{column},");
        assert!(question.contains(&by_outcome), "{name}");
        assert!(question.contains(&format!("others_allowed_{column} AS allowed_{column},")), "{name}");
        let is_compared = question.contains(&format!("'{name}' AS dialect, allowed_{column} AS allowed,"));
        assert_eq!(is_compared, dialect != Dialect::Rfc9309, "{name}");
    }
}

/// The view lists each outcome, in the order of the crate `robots`.
#[test]
fn outcomes_are_listed_in_their_order() {
    let view = text(QueryKind::View, "outcome_shares");
    let rows: Vec<String> =
        SiteOutcome::WORDS.iter().zip(1..).map(|(word, place)| format!("({place}, '{word}')")).collect();
    assert!(view.contains(&rows.join(",\n        ")), "{rows:?}");
}

/// The denominators of the view are those of the questions that choose sites of two crawls.
#[test]
fn denominators_have_the_same_outcomes_everywhere() {
    let view = text(QueryKind::View, "population");
    let list = |word: &str| {
        let (_, rest) = view.split_once(&format!("WHEN '{word}' THEN outcome IN (")).unwrap();
        rest.split_once(')').unwrap().0.to_owned()
    };
    let flips = text(QueryKind::Question, "policy_flips");
    assert!(flips.contains("CASE $counted WHEN 'read' THEN 1 WHEN 'answered' THEN 2 ELSE 3 END"));
    for (most, word) in [(1, "read"), (2, "answered"), (3, "decided")] {
        let outcomes = (1..=most).flat_map(|least| quoted(&flips, &format!("({least}, '")));
        let listed: Vec<String> = outcomes.map(|outcome| format!("'{outcome}'")).collect();
        assert_eq!(listed.join(", "), list(word), "{word}");
    }
    let answered = format!("outcome IN ({})", list("answered"));
    assert_eq!(text(QueryKind::Question, "event_change").matches(&answered).count(), 2, "{answered}");
}

/// The view places sites by rank as the question places hosts.
#[test]
fn ranks_have_the_same_strata_everywhere() {
    let [view, question] =
        [text(QueryKind::View, "site_strata"), text(QueryKind::Question, "missing_capture")].map(|text| {
            let ranges: Vec<String> =
                text.split("WHEN rank <= ").skip(1).map(|range| range.lines().next().unwrap().to_owned()).collect();
            let tops = text.split("(VALUES").find(|values| values.contains("'top 1,000'")).unwrap();
            let tops = tops.split(") AS t").next().unwrap().split_whitespace().collect::<String>();
            (ranges, tops, quoted(&text, "'beyond ").first().map(|end| (*end).to_owned()))
        });
    assert_eq!(view.0.len(), 4);
    assert_eq!(view, question);
}

/// The question lists each reason why a rule has no effect.
#[test]
fn reasons_without_effect_are_listed() {
    let question = text(QueryKind::Question, "dead_rules");
    let list = question.split("CROSS JOIN (VALUES").nth(1).unwrap().split(") AS k").next().unwrap();
    let listed: BTreeSet<&str> = quoted(list, "('").into_iter().collect();
    let declared: BTreeSet<&str> = NoEffect::WORDS.into_iter().chain(["any"]).collect();
    assert_eq!(listed, declared);
}

/// The question lists remarks of `ingest`, which this crate does not know.
#[test]
fn remarks_on_cut_bodies_exist() {
    let reasons = std::fs::read_to_string(committed::path("docs/reasons.md")).unwrap();
    let question = text(QueryKind::Question, "truncated_captures");
    let list = question.split("JOIN (VALUES").nth(1).unwrap().split(") AS l").next().unwrap();
    let listed = quoted(list, "('");
    assert!(listed.len() > 5, "{listed:?}");
    for reason in listed {
        assert!(reasons.contains(&format!("\n| `{reason}` |")), "{reason}");
    }
}

/// A part has a body again if `ingest` has forgotten it.
#[test]
fn bodies_are_forgotten_after_the_number_that_the_check_knows() {
    let most = tables::bodies::MOST_REMEMBERED_BODIES;
    assert!(text(QueryKind::Check, "repeated_keys").contains(&format!("(body_id & 4294967295) / {most},")));
}

/// The question tells from the spelling of a key whether Google's parser reads it. The judge of that dialect agrees for
/// all keys with one edit.
#[test]
fn google_reads_the_keys_that_the_question_lists() {
    let question = text(QueryKind::Question, "key_typos");
    let starts = quoted(&question, "starts_with(r.spelling, '");
    assert!(starts.len() > 5, "{starts:?}");
    let blocks = |body: String| !robots::judge(&robots::parse(body.as_bytes()), "a", "/", Dialect::Google).allowed;
    let is_read = |key: &str| {
        blocks(format!("{key}: a\ndisallow: /\n"))
            || blocks(format!("user-agent: a\n{key}: /\n"))
            || !blocks(format!("user-agent: a\ndisallow: /\n{key}: /\n"))
    };
    let mut read = 0;
    // The judge has no use for sitemaps, so keys like those are not compared.
    for key in starts.iter().copied().filter(|key| !key.starts_with("site")).chain(["crawl-delay", "host"]) {
        for edited in edits(key) {
            let is_listed = starts.iter().any(|start| edited.starts_with(start));
            assert_eq!(is_listed, is_read(&edited), "{edited}");
            read += usize::from(is_listed);
        }
    }
    assert!(read > 100, "{read}");
}

/// A key, and what it becomes by one edit: a character left out, added or replaced, or two swapped.
fn edits(key: &str) -> BTreeSet<String> {
    let mut edited = BTreeSet::from([key.to_owned()]);
    for place in 0..=key.len() {
        let (before, after) = key.split_at(place);
        for other in "abdegilnoprstuwy- ".chars() {
            edited.insert(format!("{before}{other}{after}"));
            edited.insert(format!("{before}{other}{}", after.get(1..).unwrap_or_default()));
        }
        edited.insert(format!("{before}{}", after.get(1..).unwrap_or_default()));
        if let (Some(first), Some(second)) = (after.get(..1), after.get(1..2)) {
            edited.insert(format!("{before}{second}{first}{}", after.get(2..).unwrap_or_default()));
        }
    }
    edited.into_iter().map(|key| key.trim().to_owned()).filter(|key| !key.is_empty()).collect()
}

/// A share is null if no site counts. In descending order, nulls come first by default.
#[test]
fn shares_in_descending_order_have_nulls_last() {
    let mut found = 0;
    for question in all(QueryKind::Question).unwrap() {
        for (before, after) in question.text.match_indices(" DESC").map(|(at, _)| question.text.split_at(at)) {
            let key = before.rsplit(" DESC").next().and_then(|text| text.rsplit("ORDER BY").next()).unwrap_or_default();
            if key.contains("share") || key.contains("nullif(") {
                assert!(after.starts_with(" DESC NULLS LAST"), "{}: {key} DESC", question.name);
                found += 1;
            }
        }
    }
    assert_eq!(found, 3);
}

/// The agents that questions list by default are tracked. Two questions compare the same agents.
#[test]
fn default_agents_are_tracked() {
    let known = known_agents(None).unwrap().into_iter().filter(|agent| agent.is_tracked);
    let tracked: BTreeSet<String> = known.map(|agent| agent.token).collect();
    let mut lists = BTreeMap::new();
    for question in all(QueryKind::Question).unwrap() {
        for parameter in question.header.parameters {
            let (ParameterKind::Agents, ParameterValue::Texts(agents)) = (parameter.kind, parameter.default) else {
                continue;
            };
            for agent in agents.iter().filter(|agent| !["", "*"].contains(&agent.as_str())) {
                assert!(tracked.contains(agent), "{}: {agent} is not tracked", question.name);
            }
            lists.insert(question.name.clone(), agents);
        }
    }
    assert!(lists["definition_sensitivity"].len() > 5);
    assert_eq!(lists["definition_sensitivity"], lists["agent_cooccurrence"]);
}
