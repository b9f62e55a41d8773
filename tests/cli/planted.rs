//! Each check of `queries/checks` finds a planted defect: a table gets the defect, and the check returns a row. Without
//! `ROBOCENSUS_FULL`, each check is tried with a defect in its first table, the third and so on.

use crate::full::is_full;
use crate::questions::{modelled, wait};
use analyze::queries::{self, QueryKind};
use analyze::statement::ParsedQuery;
use analyze::{Session, SessionOptions};
use std::collections::BTreeSet;

/// A check, a table, and the SELECT that gives the table a defect. `{t}` is the correct table.
type Planted = (&'static str, &'static str, &'static str);

/// The defects to plant.
const PLANTED: &[Planted] = &[
    ("captures_against_bodies", "captures", "SELECT * REPLACE (body_bytes + 1 AS body_bytes) FROM {t}"),
    (
        "dangling_groups",
        "rules",
        "SELECT * REPLACE (CASE WHEN group_no IS NOT NULL THEN CAST(77777 AS int) END AS group_no) FROM {t}",
    ),
    (
        "dangling_groups",
        "records",
        "SELECT * REPLACE (CASE WHEN group_no IS NOT NULL THEN CAST(77777 AS int) END AS group_no) FROM {t}",
    ),
    (
        "dangling_groups",
        "preferences",
        "SELECT * REPLACE (CASE WHEN group_no IS NOT NULL THEN CAST(77777 AS int) END AS group_no) FROM {t}",
    ),
    ("dangling_groups", "groups", "SELECT * FROM {t} WHERE group_no > 0"),
    ("repeated_keys", "bodies", "SELECT * FROM {t} UNION ALL SELECT * REPLACE (body_id + 100000 AS body_id) FROM {t}"),
    ("repeated_keys", "rules", "SELECT * FROM {t} UNION ALL SELECT * FROM {t} WHERE body_id = 0"),
    ("repeated_keys", "policies", "SELECT * FROM {t} UNION ALL SELECT * FROM {t} WHERE body_id = 0"),
    ("repeated_keys", "sites", "SELECT * FROM {t} UNION ALL SELECT * REPLACE (site_id + 1000000 AS site_id) FROM {t}"),
    ("repeated_keys", "tracked_agents", "SELECT * FROM {t} UNION ALL SELECT * FROM {t}"),
    ("repeated_keys", "body_classes", "SELECT * FROM {t} UNION ALL SELECT * FROM {t} WHERE body_id = class_id"),
    ("repeated_keys", "class_verdicts", "SELECT * FROM {t} UNION ALL SELECT * FROM {t} WHERE class_id = 0"),
    ("body_counts", "bodies", "SELECT * REPLACE (CAST(group_count + 1 AS int) AS group_count) FROM {t}"),
    ("body_counts", "bodies", "SELECT * REPLACE (CAST(allow_count + 1 AS int) AS allow_count) FROM {t}"),
    ("body_counts", "bodies", "SELECT * REPLACE (CAST(violations_tier_b + 1 AS int) AS violations_tier_b) FROM {t}"),
    ("body_counts", "bodies", "SELECT * REPLACE (NOT conforms AS conforms) FROM {t}"),
    ("body_counts", "rules", "SELECT * FROM {t} WHERE rule_no > 0"),
    ("body_counts", "violations", "SELECT * REPLACE (CASE tier WHEN 'B' THEN 'A' ELSE tier END AS tier) FROM {t}"),
    (
        "policies_against_groups",
        "policies",
        "SELECT * REPLACE (CAST(merged_groups + 1 AS int) AS merged_groups) FROM {t}",
    ),
    ("policies_against_groups", "policies", "SELECT * REPLACE (NOT is_written AS is_written) FROM {t}"),
    (
        "policies_against_groups",
        "policies",
        "SELECT * REPLACE (CAST(disallow_rules + 1 AS int) AS disallow_rules) FROM {t}",
    ),
    ("policies_against_groups", "policies", "SELECT * REPLACE (NOT has_disallow_root AS has_disallow_root) FROM {t}"),
    ("policies_against_groups", "policies", "SELECT * REPLACE (NOT is_only_allow_all AS is_only_allow_all) FROM {t}"),
    ("policies_against_groups", "policies", "SELECT * FROM {t} WHERE body_id <> 0"),
    (
        "policies_against_groups",
        "policies",
        "SELECT * REPLACE (CAST(rules_beyond_500_kib + 1 AS int) AS rules_beyond_500_kib) FROM {t}",
    ),
    ("policies_against_groups", "groups", "SELECT * FROM {t} WHERE agent_no > 0"),
    ("group_roots", "groups", "SELECT * REPLACE (NOT root_allowed AS root_allowed) FROM {t}"),
    ("group_roots", "rules", "SELECT * REPLACE (NOT allow AS allow) FROM {t}"),
    ("policies_against_groups", "groups", "SELECT * REPLACE (CAST(0 AS int) AS root_weight) FROM {t}"),
    ("policies_against_groups", "policies", "SELECT * REPLACE (NOT root_allowed AS root_allowed) FROM {t}"),
    (
        "policies_against_groups",
        "policies",
        "SELECT * REPLACE (CASE access WHEN 'part' THEN 'all' ELSE 'part' END AS access) FROM {t}",
    ),
    (
        "policies_against_groups",
        "policies",
        "SELECT * REPLACE (CAST(coalesce(deciding_line, 0) + 1 AS int) AS deciding_line) FROM {t}",
    ),
    ("policies_against_groups", "rules", "SELECT * REPLACE (NOT allow AS allow) FROM {t}"),
    ("policy_gains", "policies", "SELECT * REPLACE (CAST(gained_paths + 1 AS int) AS gained_paths) FROM {t}"),
    (
        "policy_gains",
        "policies",
        "SELECT * REPLACE (CASE gain WHEN 'paths' THEN 'undecided' ELSE gain END AS gain) FROM {t}",
    ),
    (
        "policy_gains",
        "policies",
        "SELECT * REPLACE (CASE gain WHEN 'undecided' THEN 'paths' ELSE gain END AS gain) FROM {t}",
    ),
    ("policy_gains", "policies", "SELECT * REPLACE ('nothing' AS gain, 0 AS gained_paths) FROM {t}"),
    (
        "policy_gains",
        "policies",
        "SELECT * REPLACE (CAST(NULL AS varchar) AS gain, CAST(NULL AS int) AS gained_paths) FROM {t}",
    ),
    ("policy_gains", "groups", "SELECT * FROM {t} WHERE token <> '*'"),
    ("policy_gains", "rules", "SELECT * FROM {t} WHERE allow"),
    ("rule_patterns", "rules", "SELECT * REPLACE (NOT matches_root AS matches_root) FROM {t}"),
    ("rule_patterns", "rules", "SELECT * REPLACE (CAST(octets + 1 AS int) AS octets) FROM {t}"),
    ("rule_patterns", "rules", "SELECT * REPLACE (CAST(wildcards + 1 AS int) AS wildcards) FROM {t}"),
    ("rule_patterns", "rules", "SELECT * REPLACE (NOT anchored AS anchored) FROM {t}"),
    ("rule_patterns", "rules", "SELECT * REPLACE (pattern AS pattern_normal) FROM {t}"),
    ("sites_against_captures", "sites", "SELECT * FROM {t} WHERE site_id <> 0"),
    ("sites_against_captures", "sites", "SELECT * REPLACE (captures + 1 AS captures) FROM {t}"),
    ("sites_against_captures", "sites", "SELECT * REPLACE (CAST(8080 AS int) AS url_port) FROM {t}"),
    (
        "site_outcomes",
        "sites",
        "SELECT * REPLACE (CASE outcome WHEN 'unavailable' THEN 'unreachable' ELSE outcome END AS outcome) FROM {t}",
    ),
    (
        "site_outcomes",
        "sites",
        "SELECT * REPLACE (CASE outcome WHEN 'no_rules' THEN 'rules' ELSE outcome END AS outcome) FROM {t}",
    ),
    ("site_outcomes", "sites", "SELECT * REPLACE ('all' AS access_without_rules) FROM {t}"),
    ("site_outcomes", "captures", "SELECT * REPLACE ('other.example' AS url_host_name) FROM {t}"),
    ("site_outcomes", "bodies", "SELECT * REPLACE (false AS may_be_robots) FROM {t}"),
    (
        "site_outcomes",
        "sites",
        "SELECT * REPLACE (CASE WHEN body_id = 0 THEN 999999 ELSE body_id END AS body_id) FROM {t}",
    ),
    ("class_verdicts_against_policies", "class_verdicts", "SELECT * FROM {t} WHERE agent <> 'gptbot'"),
    ("class_verdicts_against_policies", "class_verdicts", "SELECT * FROM {t} WHERE agent <> '*' OR class_id <> 0"),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * FROM {t} UNION ALL SELECT * REPLACE ('nobot' AS agent) FROM {t} WHERE class_id = 0",
    ),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * FROM {t} UNION ALL SELECT * REPLACE (9999999 AS class_id) FROM {t} WHERE class_id = 0",
    ),
    ("class_verdicts_against_policies", "class_verdicts", "SELECT * REPLACE ('none' AS match_kind) FROM {t}"),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * REPLACE (CASE access WHEN 'none' THEN 'all' ELSE access END AS access) FROM {t}",
    ),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * REPLACE (NOT root_allowed AS root_allowed) FROM {t}",
    ),
    ("class_verdicts_against_policies", "class_verdicts", "SELECT * REPLACE (NOT has_rules AS has_rules) FROM {t}"),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * REPLACE (NOT has_allow_rules AS has_allow_rules) FROM {t}",
    ),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * REPLACE (NOT is_one_disallow_rule AS is_one_disallow_rule) FROM {t}",
    ),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * REPLACE (NOT has_disallow_root AS has_disallow_root) FROM {t}",
    ),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * REPLACE (NOT is_only_disallow_root AS is_only_disallow_root) FROM {t}",
    ),
    ("class_verdicts_against_policies", "body_classes", "SELECT * FROM {t} WHERE body_id <> class_id"),
    ("class_verdicts_against_policies", "body_classes", "SELECT * REPLACE (body_id AS class_id) FROM {t}"),
    ("class_verdicts_against_policies", "body_classes", "SELECT * REPLACE (0 AS class_id) FROM {t}"),
    ("class_verdicts_against_policies", "sites", "SELECT * REPLACE (body_id AS class_id) FROM {t} WHERE body_id >= 0"),
    ("class_verdicts_against_policies", "sites", "SELECT * REPLACE (0 AS class_id) FROM {t}"),
    ("class_verdicts_against_policies", "sites", "SELECT * REPLACE (-1 AS class_id) FROM {t}"),
    ("class_verdicts_against_policies", "tracked_agents", "SELECT * FROM {t} WHERE agent <> 'gptbot'"),
    ("class_verdicts_against_policies", "policies", "SELECT * FROM {t} WHERE token <> '*'"),
    ("class_verdicts_against_policies", "policies", "SELECT * REPLACE (NOT root_allowed AS root_allowed) FROM {t}"),
    ("class_verdicts_against_policies", "sites", "SELECT * FROM {t} WHERE class_id >= 0"),
    (
        "class_verdicts_against_policies",
        "sites",
        "SELECT * REPLACE (coalesce(access_without_rules, 'all') AS access_without_rules) FROM {t}",
    ),
];

#[test]
fn each_check_finds_its_planted_defects() {
    let checks = queries::all(QueryKind::Check).unwrap_or_else(|failure| panic!("{failure}"));
    let mut wrong = Vec::new();
    wait(async {
        let session = Session::open(modelled(), &SessionOptions::default()).await.expect("the folder opens");
        let mut tried = BTreeSet::new();
        for (name, table, planted) in PLANTED {
            let is_new = tried.insert((name, table));
            let of_check = tried.iter().filter(|(check, _)| *check == name).count();
            let is_tried = is_full() || is_new && of_check % 2 == 1;
            if !is_tried {
                continue;
            }
            let check = checks.iter().find(|check| check.name == *name).unwrap_or_else(|| panic!("no check {name}"));
            let mut statement = check.parsed().unwrap_or_else(|failure| panic!("{failure}"));
            let planted = planted.replace("{t}", &format!("public.{table}"));
            let replaced = ParsedQuery::parse(&planted).unwrap_or_else(|error| panic!("{planted}: {error}"));
            statement.with(vec![((*table).to_owned(), replaced)]);
            let found = async { session.answer(statement.into()).await?.collect().await };
            match found.await {
                Err(error) => wrong.push(format!("{name}, {planted}: {}", error.strip_backtrace())),
                Ok(found) if found.iter().all(|batch| batch.num_rows() == 0) => {
                    wrong.push(format!("{name} does not find {planted}"));
                }
                Ok(_) => {}
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let names: BTreeSet<&str> = checks.iter().map(|check| check.name.as_str()).collect();
    let planted: BTreeSet<&str> = PLANTED.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, planted, "each check needs a planted defect");
}
