//! Labels for the columns of answers. A column that is not listed is labelled by its words.

use super::DEFINITIONS;

/// Labels of columns.
const COLUMNS: &[(&str, &str)] = &[
    ("apex_access", "without www."),
    ("bodies", "distinct files"),
    ("bodies_counted", "distinct files counted"),
    ("body_bytes", "bytes"),
    ("captures_of_site", "captures of the site"),
    ("code", "what"),
    ("commonest_value", "commonest value"),
    ("conflict", "preference and rules"),
    ("contents", "distinct files"),
    ("contents_over", "distinct files longer"),
    ("counted", "what"),
    ("damaged_bytes", "damaged bytes"),
    ("days_between", "days between the crawls"),
    ("distinct_values", "distinct values"),
    ("first_crawl", "first named in"),
    ("from_bytes", "from bytes"),
    ("from_rules", "from rules"),
    ("hops", "redirects followed"),
    ("host_name", "host"),
    ("hosts_at_one_url", "hosts that do both at one URL"),
    ("hosts_captured_again", "hosts captured several times"),
    ("hosts_counted", "hosts counted"),
    ("hosts_refusing", "hosts that refuse"),
    ("http_access", "over http"),
    ("https_access", "over https"),
    ("is_country", "domain of a country"),
    ("is_read_by_google", "accepted by Google's parser"),
    ("least_s", "shortest, in seconds"),
    ("line_is", "the line is"),
    ("line_no", "line number"),
    ("lines_counted", "lines counted"),
    ("longest_bytes", "longest, in bytes"),
    ("log_ratio", "logarithm of the ratio, base 2"),
    ("majors", "major agents"),
    ("mean_agents_by_name", "mean number of agents blocked by name, on sites that block one"),
    ("mean_agents_if_any", "mean number"),
    ("most_s", "longest, in seconds"),
    ("named", "rules for"),
    ("other", "also blocked"),
    ("other_agent", "other agent"),
    ("other_purpose", "purpose of the other agent"),
    ("p10", "10th percentile"),
    ("p25", "25th percentile"),
    ("p75", "75th percentile"),
    ("p90", "90th percentile"),
    ("p99", "99th percentile"),
    ("pairs_counted", "pairs counted"),
    ("preferred_use", "use"),
    ("quantile_25", "25th percentile"),
    ("quantile_75", "75th percentile"),
    ("quantile_90", "90th percentile"),
    ("quantile_99", "99th percentile"),
    ("records_skipped", "skipped records"),
    ("redirect_end", "end of the redirects"),
    ("rules_beyond_500_kib", "rules beyond 500 KiB"),
    ("rules_gained", "rules gained"),
    ("rules_lost", "rules lost"),
    ("rulesets", "rule sets"),
    ("rulesets_all_allowed", "rule sets that disallow nothing"),
    ("rulesets_counted", "rule sets counted"),
    ("rulesets_only_disallow_root", "rule sets with only Disallow: /"),
    ("preferences", "preference"),
    ("seconds", "value in seconds"),
    ("share_after", "share in the crawl after"),
    ("share_all_by_name", "share, all blocked by name"),
    ("share_all_majors", "share that name all major agents"),
    ("share_before", "share in the crawl before"),
    ("share_blocked", "share blocked"),
    ("share_blocked_by_owners", "share blocked without a template"),
    ("share_both", "share, both blocked by name or wildcard"),
    ("share_both_by_name", "share, both blocked by name"),
    ("share_by_name", "share by name"),
    ("share_by_name_fetching_allowed", "share by name, fetching for users not blocked"),
    ("share_by_name_search_allowed", "share by name, search not blocked"),
    ("share_changed", "share with another verdict"),
    ("share_fetching_allowed", "share by name or wildcard, fetching for users not blocked"),
    ("share_losing_rules", "share losing rules"),
    ("share_many_by_name", "share, five or more by name"),
    ("share_named", "share naming it"),
    ("share_named_by_owners", "share naming it without a template"),
    ("share_newly_blocked", "share newly blocked, named or not"),
    ("share_newly_blocked_by_name", "share newly blocked, named"),
    ("share_no_longer_blocked", "share no longer blocked, named or not"),
    ("share_no_longer_blocked_by_name", "share no longer blocked, named"),
    ("share_not_by_name", "share by wildcard"),
    ("share_not_robots", "share, not robots.txt"),
    ("share_of_blocked_by_name", "share of the sites that block the retired agent by name"),
    ("share_of_bodies", "share of distinct files"),
    ("share_of_captured_again", "share of hosts captured several times"),
    ("share_of_lines", "share of lines"),
    ("share_only_allowed_here", "share allowed only by the draft"),
    ("share_only_blocked_here", "share disallowed only by the draft"),
    ("share_only_disallow_root", "share with only Disallow: /"),
    ("share_other_only", "share, only the other agent by name or wildcard"),
    ("share_other_only_by_name", "share, only the other agent by name"),
    ("share_part", "share partly blocked"),
    ("share_disallowing", "share disallowing something"),
    ("share_disallowing_nothing", "share with rules that disallow nothing"),
    ("share_search_allowed", "share by name or wildcard, search not blocked"),
    ("share_so_far", "share of this length or less"),
    ("share_wildcard", "share blocking *"),
    ("share_training_only", "share, only the training agent by name or wildcard"),
    ("share_training_only_by_name", "share, only the training agent by name"),
    ("share_with_any", "share with any"),
    ("share_without_file", "share without a file"),
    ("share_without_rules", "share without rules"),
    ("signal", "record"),
    ("sites_after", "sites in the crawl after"),
    ("sites_agent", "sites blocking the agent by name"),
    ("sites_all_by_name", "sites, all blocked by name"),
    ("sites_all_majors", "sites that name all major agents"),
    ("sites_gaining_all", "sites where every path becomes allowed"),
    ("sites_before", "sites in the crawl before"),
    ("sites_blocked_by_name", "sites blocking the retired agent by name"),
    ("sites_blocked_by_rfc9309", "sites where RFC 9309 disallows the path"),
    ("sites_blocked_first", "sites blocking it in the first crawl"),
    ("sites_blocked_last", "sites blocking it in the last crawl"),
    ("sites_blocking", "sites blocking it by name"),
    ("sites_blocking_by_owners", "sites blocking it by name without a template"),
    ("sites_both", "sites, both blocked by name or wildcard"),
    ("sites_both_by_name", "sites, both blocked by name"),
    ("sites_both_named", "sites, both named"),
    ("sites_by_name", "sites by name"),
    ("sites_by_name_fetching_allowed", "sites by name, fetching for users not blocked"),
    ("sites_by_name_search_allowed", "sites by name, search not blocked"),
    ("sites_changed", "sites with another verdict"),
    ("sites_counted", "sites counted"),
    ("sites_favouring", "sites blocking only *"),
    ("sites_fetching_allowed", "sites by name or wildcard, fetching for users not blocked"),
    ("sites_blocked_by_fallback", "sites whose block the successor follows"),
    ("sites_long", "sites with 60 seconds or more"),
    ("sites_losing_rules", "sites losing rules"),
    ("sites_many_by_name", "sites, five or more by name"),
    ("sites_naming", "sites naming it"),
    ("sites_naming_by_owners", "sites naming it without a template"),
    ("sites_newly_blocked", "sites newly blocking it, named or not"),
    ("sites_newly_blocked_by_name", "sites newly blocking it, named"),
    ("sites_no_longer_blocked", "sites no longer blocking it, named or not"),
    ("sites_no_longer_blocked_by_name", "sites no longer blocking it, named"),
    ("sites_not_a_number", "sites with an invalid value"),
    ("sites_not_robots", "sites, not robots.txt"),
    ("sites_only_allowed_here", "sites allowed only by the draft"),
    ("sites_only_blocked_here", "sites disallowed only by the draft"),
    ("sites_other", "sites blocking the other by name"),
    ("sites_other_body", "sites with several files"),
    ("sites_other_only", "sites, only the other agent by name or wildcard"),
    ("sites_other_only_by_name", "sites, only the other agent by name"),
    ("sites_other_result", "sites with several results"),
    ("sites_over", "sites with a longer file"),
    ("sites_over_with_rules", "sites with a longer file with rules"),
    ("sites_part", "sites partly blocking"),
    ("sites_penalising", "sites blocking only the agent"),
    ("sites_redirected", "sites redirected"),
    ("sites_redirecting", "sites that redirect"),
    ("sites_disallowing", "sites disallowing something"),
    ("sites_disallowing_nothing", "sites with rules that disallow nothing"),
    ("sites_losing_root", "sites where / becomes disallowed"),
    ("sites_gaining_root", "sites where / becomes allowed"),
    ("sites_same_answer", "sites with the same answer each time"),
    ("sites_search_allowed", "sites by name or wildcard, search not blocked"),
    ("sites_wildcard", "sites blocking *"),
    ("sites_started", "sites with it only after"),
    ("sites_stopped", "sites with it only before"),
    ("sites_to_other_domain", "sites to another domain"),
    ("sites_to_other_host", "sites to another host"),
    ("sites_to_other_path", "sites to another path"),
    ("sites_to_own_host", "sites to their own host"),
    ("sites_training_only", "sites, only the training agent by name or wildcard"),
    ("sites_training_only_by_name", "sites, only the training agent by name"),
    ("sites_with_any", "sites with any"),
    ("sites_without_file", "sites without a file"),
    ("sites_without_rules", "sites without rules"),
    ("sites_zero", "sites with 0 seconds"),
    ("to_bytes", "to bytes"),
    ("to_rules", "to rules"),
    ("training_agent", "training agent"),
    ("valid_to", "retired"),
    ("what", "kind"),
    ("www_access", "with www."),
];

/// Labels of columns in the answers to some questions, whose meaning differs from that in others.
const COLUMNS_OF: &[(&[&str], &str, &str)] = &[
    (BLOCKS, "sites", "sites by name or wildcard"),
    (BLOCKS, "share", "share by name or wildcard"),
    (&["blocked_by_agent"], "sites_all", "sites allowing"),
    (&["blocked_by_agent"], "share_all", "share allowed"),
    (&["ai_by_operator"], "sites_all", "sites, all by name or wildcard"),
    (&["ai_by_operator"], "share_all", "share, all by name or wildcard"),
    (&["agent_bias"], "sites", "sites blocking the agent"),
    (&["agent_bias"], "share", "share blocking the agent"),
    (&["agent_cooccurrence"], "sites", "sites blocking both by name"),
    (&["ai_agents_named"], "sites", "sites that name an AI agent"),
    (&["dialect_disagreement"], "sites_blocked", "sites blocked by the draft"),
    (&["dialect_disagreement"], "share_blocked", "share blocked by the draft"),
    (&["event_change"], "change", "change of the share"),
    (&["stale_tokens"], "sites", "sites not blocking the successor"),
];

/// Questions whose columns count blocks by name or by the wildcard group, if their names do not say by name.
const BLOCKS: &[&str] = &[
    "ai_agents_by_purpose",
    "ai_by_operator",
    "ai_by_purpose",
    "ai_overview",
    "blocked_by_agent",
    "train_no_search_yes",
];

/// The label of a column in the answer to a question, such as the heading of a table.
pub(crate) fn name_column(question: &str, column: &str) -> String {
    let of_question = COLUMNS_OF.iter().find(|(questions, known, _)| questions.contains(&question) && *known == column);
    let of_any = || DEFINITIONS.iter().chain(COLUMNS).find(|(known, _)| *known == column).map(|(_, label)| *label);
    let label = of_question.map(|(.., label)| *label).or_else(of_any);
    label.map_or_else(|| column.replace('_', " "), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contents::figures;

    #[test]
    fn columns_by_question() {
        assert_eq!(name_column("definition_sensitivity", "d3_named_root"), "d3: named with Disallow: /");
        assert_eq!(name_column("blocked_by_agent", "share_all"), "share allowed");
        assert_eq!(name_column("ai_by_operator", "share_all"), "share, all by name or wildcard");
    }

    /// A column without a label of its own would have its code as heading.
    #[test]
    fn each_column_of_a_table_has_a_label() {
        for figure in figures() {
            assert!(!figure.columns.is_empty(), "{}: the table has no columns", figure.id);
            let labels: Vec<String> =
                figure.columns.iter().map(|column| crate::figure_text::name_heading(figure, column)).collect();
            for (column, label) in figure.columns.iter().zip(&labels) {
                let known = DEFINITIONS.iter().chain(COLUMNS).any(|(known, _)| known == column)
                    || COLUMNS_OF.iter().any(|(of, known, _)| of.contains(&figure.question) && known == column);
                assert!(known || !column.contains('_'), "{}: {column} has no label", figure.id);
                assert_eq!(labels.iter().filter(|other| *other == label).count(), 1, "{}: {label}", figure.id);
            }
        }
    }

    #[test]
    fn each_label_is_of_a_column() {
        let shown = |known: &str| figures().any(|figure| figure.columns.contains(&known));
        for (column, _) in COLUMNS {
            assert!(shown(column), "no table has {column}");
        }
    }
}
