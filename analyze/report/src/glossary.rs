//! Labels for the values of answers; those for their columns are in `columns`.
//!
//! A value that is not listed is its own label: names from files, from the lists of agents and templates, statuses, and
//! ranges of ranks.

mod columns;
mod violations;

pub(crate) use columns::name_column;

/// Labels of values: the columns, the value and its label.
const VALUES: &[(&[&str], &str, &str)] = &[
    (AGENTS, "*", "wildcard (*)"),
    (&["named"], "wildcard", "wildcard group"),
    (&["named"], "agent", "named agents"),
    (ACCESS, "all", "allowed"),
    (ACCESS, "part", "partly blocked"),
    (ACCESS, "none", "blocked"),
    (&["outcome"], "rules", "rules"),
    (&["outcome"], "no_rules", "no rules"),
    (&["outcome"], "not_robots", "not a robots.txt"),
    (&["outcome"], "unavailable", "unavailable (4xx)"),
    (&["outcome"], "unreachable", "unreachable"),
    (&["outcome"], "redirect_unresolved", "redirect without an answer"),
    (&["outcome"], "no_capture", "no capture"),
    (&["redirect_end"], "loop", "loop"),
    (&["redirect_end"], "no-location", "no target named"),
    (&["redirect_end"], "unusable-location", "target is not a URL"),
    (&["redirect_end"], "not-captured", "target not captured"),
    (&["redirect_end"], "not-http", "target is not http or https"),
    (&["redirect_end"], "too-many", "too many redirects"),
    (&["refusal"], "401", "status 401"),
    (&["refusal"], "402", "status 402"),
    (&["refusal"], "403", "status 403"),
    (&["refusal"], "429", "status 429"),
    (&["refusal"], "5xx", "status 5xx"),
    (&["record", "signal"], "any", "any of these"),
    (&["record", "signal"], "content-signal", "Content-Signal"),
    (&["record", "signal"], "content-signals", "Content-Signals"),
    (&["record", "signal"], "content-usage", "Content-Usage"),
    (&["record", "signal"], "disallowaitraining", "DisallowAITraining"),
    (&["record", "signal"], "license", "License"),
    (&["record", "signal"], "llms", "LLMs"),
    (&["record", "signal"], "tdm", "TDM"),
    (&["record", "signal"], "acap", "ACAP"),
    (&["what"], "value", "each preference"),
    (&["what"], "combination", "exact set of preferences"),
    (&["preferred_use"], "input", "AI input"),
    (&["conflict"], "any", "any conflict"),
    (&["conflict"], "no_and_allowed", "no, and an agent for it allowed by name"),
    (&["conflict"], "yes_and_blocked", "yes, and an agent for it blocked by name"),
    (&["conflict"], "yes_where_all_is_blocked", "yes, and the group blocked"),
    (&["conflict"], "yes_and_no", "yes and no"),
    (&["tier"], "A", "tier A: breaks the grammar"),
    (&["tier"], "B", "tier B: permitted records"),
    (&["tier"], "C", "tier C: remarks"),
    (&["tier"], "none", "follows the grammar"),
    (&["code"], "any", "any"),
    (&["code"], "conforms", "none"),
    (&["change"], "same_file", "same file"),
    (&["change"], "same_rules", "same rules, other text"),
    (&["change"], "other_rules", "other rules"),
    (&["change"], "file_gained", "file appeared"),
    (&["change"], "file_lost", "file disappeared"),
    (&["change"], "no_file_in_either", "no file in either"),
    (&["change"], "only_in_the_first", "only in the first crawl"),
    (&["change"], "only_in_the_last", "only in the last crawl"),
    (&["fact"], "none", "no Sitemap line"),
    (&["fact"], "one", "1 Sitemap line"),
    (&["fact"], "some", "2 to 50 Sitemap lines"),
    (&["fact"], "many", "more than 50 Sitemap lines"),
    (&["fact"], "blocks an AI agent by name", "blocks AI by name"),
    (&["fact"], "blocks all others", "blocks unnamed crawlers"),
    // Search engines count, too.
    (&["other_purpose"], "search", "search"),
    (&["purpose"], "search", "AI search"),
    (PURPOSES, "user-fetch", "fetch for a user"),
    (PURPOSES, "agent", "act for a user"),
    (PURPOSES, "data-provider", "data provider"),
    (PURPOSES, "other", "other or unknown"),
    (&["suffix", "stratum"], "none", "no suffix"),
    (&["level"], "any", "any template"),
    (&["kind"], "robots", "robots.txt"),
    (&["kind"], "html", "web page"),
    (&["kind"], "xml", "XML"),
    (&["kind"], "json", "JSON"),
    (&["kind"], "binary", "not text"),
    (&["kind"], "comments_only", "only comments"),
    (&["kind"], "text", "other text"),
    (&["reason"], "ip-address", "IP address"),
];

/// Columns that may have agents, or lists of them.
pub(crate) const AGENTS: &[&str] =
    &["agent", "other", "name", "successor", "training_agent", "other_agent", "training", "search", "fetching"];

const PURPOSES: &[&str] = &["purpose", "other_purpose"];

const ACCESS: &[&str] = &["access", "http_access", "https_access", "apex_access", "www_access"];

/// Labels of missing values: the column and the label.
const MISSING: &[(&str, &str)] =
    &[("agent", "any agent"), ("status", "no answer"), ("line_no", "whole file"), ("host", "\u{2013}")];

/// Labels of the definitions of blocking, which are columns in the answer to `definition_sensitivity`. They start with
/// the name that all other texts use.
pub(crate) const DEFINITIONS: [(&str, &str); 10] = [
    ("exact", "exact: no path allowed"),
    ("d1_named", "d1: named"),
    ("d2_named_with_rules", "d2: named with rules"),
    ("d3_named_root", "d3: named with Disallow: /"),
    ("d4_only_root", "d4: only Disallow: /"),
    ("d5_root_no_allow", "d5: Disallow: / and no Allow"),
    ("d6_one_root_rule", "d6: one rule, blocks all"),
    ("d7_named_none", "d7: named, no path allowed"),
    ("d8_root", "d8: the path / blocked"),
    ("d9_any_subdomain", "d9: any site of the domain"),
];

/// Columns whose values are words joined by hyphens or underscores.
const CODES: &[&str] =
    &["outcome", "change", "conflict", "reason", "family", "purpose", "other_purpose", "redirect_end", "level"];

/// The label of a text in a column.
pub(crate) fn name_value(column: &str, value: &str) -> String {
    if let Some((.., word)) = VALUES.iter().find(|(columns, known, _)| columns.contains(&column) && *known == value) {
        return (*word).to_owned();
    }
    match column {
        // Facts are codes in some answers and words in others.
        "code" | "fact" if !value.contains(' ') => violations::name(value),
        _ if CODES.contains(&column) => value.replace(['_', '-'], " "),
        _ if value.is_empty() => "(empty)".to_owned(),
        _ if value.bytes().all(|byte| byte == b' ') => "(spaces)".to_owned(),
        _ => value.to_owned(),
    }
}

/// The label of a code that a text mentions; `None` for an ordinary word.
pub(crate) fn name_code(word: &str) -> Option<&'static str> {
    if !word.contains(['-', '_']) {
        return None;
    }
    let value = VALUES.iter().find(|(_, value, _)| *value == word).map(|(.., label)| *label);
    value.or_else(|| violations::label(word))
}

/// The label of a missing value in a column.
pub(crate) fn name_missing(column: &str) -> &'static str {
    MISSING.iter().find(|(known, _)| *known == column).map_or("\u{2013}", |(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use analyze::queries::{ParameterKind, QueryKind, find};

    /// The list of definitions is the parameter `definition`. Each has a label.
    #[test]
    fn each_definition_has_a_label() {
        let view = find(QueryKind::View, "site_blocking_classes").unwrap().unwrap();
        let parameter = view.header.parameters.into_iter().find(|parameter| parameter.name == "definition").unwrap();
        let ParameterKind::OneOf(words) = parameter.kind else { panic!("{}", parameter.kind) };
        assert_eq!(DEFINITIONS.map(|(column, _)| column.replace('_', "-")).as_slice(), words);
        for (column, label) in DEFINITIONS {
            let name = column.split('_').next().unwrap();
            assert!(label.starts_with(&format!("{name}: ")), "{column}: {label}");
        }
    }

    #[test]
    fn labels_are_words() {
        for (column, value, word) in [
            ("code", "path-no-slash", "path starts without a slash"),
            ("code", "ext-sitemap", "Sitemap record"),
            ("code", "a-new-code", "a new code"),
            ("fact", "sitemap-empty", "Sitemap line without a URL"),
            ("tier", "A", "tier A: breaks the grammar"),
            // Caveats have this word.
            ("difference", "one answer", "one answer"),
            ("redirect_end", "answered", "answered"),
            ("template", "WP-Optimize", "WP-Optimize"),
            ("agent", "*", "wildcard (*)"),
            ("agent", "gptbot", "gptbot"),
            ("change", "a_new_word", "a new word"),
            ("stratum", "de", "de"),
            ("text", "", "(empty)"),
            ("text", "  ", "(spaces)"),
        ] {
            assert_eq!(name_value(column, value), word);
        }
        assert_eq!(name_missing("agent"), "any agent");
    }
}
