//! Each check of `queries/checks` finds a planted defect: a table gets the defect, and the check returns a row. If the
//! first text column of the check names what is wrong, each of its names must be found. Without `ROBOCENSUS_FULL`, each
//! check is tried with a defect in its first table, the third and so on, and with the first defect of each name.

use crate::questions::{modelled, wait};
use crate::rendering;
use analyze::queries::{self, QueryKind};
use analyze::statement::ParsedQuery;
use analyze::{Session, SessionOptions};
use arrow_schema::DataType;
use committed::full::is_full;
use std::collections::BTreeSet;
use tables::PARTITION;

/// A check, tables separated by blanks, the SELECT that gives each of them a defect, and names that the check must find.
/// `{t}` is the correct table.
type Planted = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// The defects to plant.
const PLANTED: &[Planted] = &[
    ("captures_against_bodies", "captures", "SELECT * REPLACE (body_bytes + 1 AS body_bytes) FROM {t}", &[]),
    (
        "dangling_groups",
        "rules records preferences",
        "SELECT * REPLACE (CASE WHEN group_no IS NOT NULL THEN CAST(77777 AS int) END AS group_no) FROM {t}",
        &["rules", "records", "preferences"],
    ),
    ("dangling_groups", "groups", "SELECT * FROM {t} WHERE group_no > 0", &[]),
    (
        "repeated_keys",
        "bodies groups rules policies skips tracked_agents body_classes sites class_verdicts",
        "SELECT * FROM {t} UNION ALL SELECT * FROM {t}",
        &[
            "bodies of a part",
            "groups",
            "rules",
            "policies",
            "skips",
            "tracked_agents",
            "body_classes",
            "sites",
            "sites of a host",
            "class_verdicts",
        ],
    ),
    (
        "repeated_keys",
        "bodies",
        "SELECT * FROM {t} UNION ALL SELECT * REPLACE (body_id + 100000 AS body_id) FROM {t}",
        &["bodies of a part"],
    ),
    (
        "repeated_keys",
        "rules policies",
        "SELECT * FROM {t} UNION ALL SELECT * FROM {t} WHERE body_id = 0",
        &["rules", "policies"],
    ),
    (
        "repeated_keys",
        "sites",
        "SELECT * FROM {t} UNION ALL SELECT * REPLACE (site_id + 1000000 AS site_id) FROM {t}",
        &["sites of a host"],
    ),
    (
        "repeated_keys",
        "body_classes",
        "SELECT * FROM {t} UNION ALL SELECT * FROM {t} WHERE body_id = class_id",
        &["body_classes"],
    ),
    (
        "body_counts",
        "bodies",
        "SELECT * REPLACE (CAST(group_count + 1 AS int) AS group_count, CAST(allow_count + 1 AS int) AS allow_count, CAST(disallow_count + 1 AS int) AS disallow_count, CAST(rules_beyond_500_kib + 1 AS int) AS rules_beyond_500_kib, CAST(sitemap_count + 1 AS int) AS sitemap_count, CAST(violations_tier_a + 1 AS int) AS violations_tier_a, CAST(violations_tier_b + 1 AS int) AS violations_tier_b, CAST(violations_tier_c + 1 AS int) AS violations_tier_c, NOT conforms AS conforms) FROM {t}",
        &[
            "group_count",
            "allow_count",
            "disallow_count",
            "rules_beyond_500_kib",
            "sitemap_count",
            "violations_tier_a",
            "violations_tier_b",
            "violations_tier_c",
            "conforms",
        ],
    ),
    ("body_counts", "groups", "SELECT * REPLACE (CAST(group_no + 1 AS int) AS group_no) FROM {t}", &["group_no"]),
    ("body_counts", "groups", "SELECT * FROM {t} WHERE group_no > 0", &["group_count"]),
    ("body_counts", "rules", "SELECT * FROM {t} WHERE rule_no > 0", &["allow_count", "disallow_count"]),
    (
        "body_counts",
        "rules",
        "SELECT * REPLACE (NOT beyond_500_kib AS beyond_500_kib) FROM {t}",
        &["rules_beyond_500_kib"],
    ),
    ("body_counts", "records", "SELECT * FROM {t} WHERE record <> 'sitemap'", &["sitemap_count"]),
    (
        "body_counts",
        "violations",
        "SELECT * REPLACE (CASE tier WHEN 'B' THEN 'A' ELSE 'C' END AS tier) FROM {t}",
        &["violations_tier_a", "violations_tier_b", "violations_tier_c"],
    ),
    (
        "policies_against_groups",
        "policies",
        "SELECT * REPLACE (CAST(merged_groups + 1 AS int) AS merged_groups) FROM {t}",
        &[],
    ),
    ("policies_against_groups", "policies", "SELECT * REPLACE (NOT is_written AS is_written) FROM {t}", &[]),
    (
        "policies_against_groups",
        "policies",
        "SELECT * REPLACE (CAST(disallow_rules + 1 AS int) AS disallow_rules) FROM {t}",
        &[],
    ),
    (
        "policies_against_groups",
        "policies",
        "SELECT * REPLACE (NOT has_disallow_root AS has_disallow_root) FROM {t}",
        &[],
    ),
    (
        "policies_against_groups",
        "policies",
        "SELECT * REPLACE (NOT is_only_allow_all AS is_only_allow_all) FROM {t}",
        &[],
    ),
    ("policies_against_groups", "policies", "SELECT * FROM {t} WHERE body_id <> 0", &[]),
    (
        "policies_against_groups",
        "policies",
        "SELECT * REPLACE (CAST(rules_beyond_500_kib + 1 AS int) AS rules_beyond_500_kib) FROM {t}",
        &[],
    ),
    ("policies_against_groups", "groups", "SELECT * FROM {t} WHERE agent_no > 0", &[]),
    ("group_roots", "groups", "SELECT * REPLACE (NOT root_allowed AS root_allowed) FROM {t}", &[]),
    ("group_roots", "rules", "SELECT * REPLACE (NOT allow AS allow) FROM {t}", &[]),
    ("policies_against_groups", "groups", "SELECT * REPLACE (CAST(0 AS int) AS root_weight) FROM {t}", &[]),
    ("policies_against_groups", "policies", "SELECT * REPLACE (NOT root_allowed AS root_allowed) FROM {t}", &[]),
    (
        "policies_against_groups",
        "policies",
        "SELECT * REPLACE (CASE access WHEN 'part' THEN 'all' ELSE 'part' END AS access) FROM {t}",
        &[],
    ),
    (
        "policies_against_groups",
        "policies",
        "SELECT * REPLACE (CAST(coalesce(deciding_line, 0) + 1 AS int) AS deciding_line) FROM {t}",
        &[],
    ),
    ("policies_against_groups", "rules", "SELECT * REPLACE (NOT allow AS allow) FROM {t}", &[]),
    ("policy_gains", "policies", "SELECT * REPLACE (CAST(gained_paths + 1 AS int) AS gained_paths) FROM {t}", &[]),
    (
        "policy_gains",
        "policies",
        "SELECT * REPLACE (CASE gain WHEN 'paths' THEN 'undecided' ELSE gain END AS gain) FROM {t}",
        &[],
    ),
    (
        "policy_gains",
        "policies",
        "SELECT * REPLACE (CASE gain WHEN 'undecided' THEN 'paths' ELSE gain END AS gain) FROM {t}",
        &[],
    ),
    ("policy_gains", "policies", "SELECT * REPLACE ('nothing' AS gain, 0 AS gained_paths) FROM {t}", &["*"]),
    (
        "policy_gains",
        "policies",
        "SELECT * REPLACE (CAST(NULL AS varchar) AS gain, CAST(NULL AS int) AS gained_paths) FROM {t}",
        &[],
    ),
    ("policy_gains", "groups", "SELECT * FROM {t} WHERE token <> '*'", &[]),
    ("policy_gains", "rules", "SELECT * FROM {t} WHERE allow", &[]),
    ("rule_patterns", "rules", "SELECT * REPLACE (NOT matches_root AS matches_root) FROM {t}", &[]),
    ("rule_patterns", "rules", "SELECT * REPLACE (CAST(octets + 1 AS int) AS octets) FROM {t}", &[]),
    ("rule_patterns", "rules", "SELECT * REPLACE (CAST(wildcards + 1 AS int) AS wildcards) FROM {t}", &[]),
    ("rule_patterns", "rules", "SELECT * REPLACE (NOT anchored AS anchored) FROM {t}", &[]),
    ("rule_patterns", "rules", "SELECT * REPLACE (pattern AS pattern_normal) FROM {t}", &[]),
    ("sites_against_captures", "sites", "SELECT * FROM {t} WHERE site_id <> 0", &[]),
    ("sites_against_captures", "sites", "SELECT * REPLACE (captures + 1 AS captures) FROM {t}", &[]),
    ("sites_against_captures", "sites", "SELECT * REPLACE (CAST(8080 AS int) AS url_port) FROM {t}", &[]),
    (
        "site_outcomes",
        "sites",
        "SELECT * REPLACE (captures + 9999999 AS capture_id) FROM {t}",
        &["its capture is not there", "it was not redirected, and its last capture is another"],
    ),
    (
        "site_outcomes",
        "sites",
        "SELECT * REPLACE (CAST(8080 AS int) AS url_port, CAST(999 AS int) AS fetch_status, CAST(999 AS int) AS final_status, CAST(NULL AS bigint) AS body_id, CASE outcome WHEN 'no_rules' THEN 'rules' ELSE outcome END AS outcome, 'all' AS access_without_rules, 'redirect' AS access_result, CAST(0 AS int) AS hops, CAST(NULL AS varchar) AS redirect_end) FROM {t}",
        &[
            "its capture is of another site",
            "its capture has another status",
            "its last capture has another status or host",
            "it has a body, or has none, against its outcome",
            "it has another outcome",
            "without rules it has another access",
            "it was redirected, and no redirect was followed",
            "its last capture is not there",
        ],
    ),
    (
        "site_outcomes",
        "captures",
        "SELECT * REPLACE ('other.example' AS url_host_name) FROM {t}",
        &["its capture is of another site", "its last capture has another status or host"],
    ),
    (
        "site_outcomes",
        "sites",
        "SELECT * REPLACE (CASE url_protocol WHEN 'http' THEN 'https' ELSE 'http' END AS url_protocol) FROM {t}",
        &["its capture is of another site"],
    ),
    (
        "site_outcomes",
        "sites",
        "SELECT * REPLACE (CASE outcome WHEN 'unavailable' THEN 'unreachable' ELSE outcome END AS outcome) FROM {t}",
        &["it has another outcome"],
    ),
    (
        "site_outcomes",
        "sites",
        "SELECT * REPLACE ('other.example' AS final_host_name) FROM {t}",
        &["its last capture has another status or host"],
    ),
    ("site_outcomes", "bodies", "SELECT * REPLACE (false AS may_be_robots) FROM {t}", &["it has another outcome"]),
    (
        "site_outcomes",
        "sites",
        "SELECT * REPLACE (CASE WHEN body_id = 0 THEN 999999 ELSE body_id END AS body_id) FROM {t}",
        &["it has another outcome"],
    ),
    ("class_verdicts_against_policies", "class_verdicts", "SELECT * FROM {t} WHERE agent <> 'gptbot'", &["sites"]),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * FROM {t} WHERE agent <> '*' OR class_id <> 0",
        &["sites"],
    ),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * FROM {t} UNION ALL SELECT * REPLACE ('nobot' AS agent) FROM {t} WHERE class_id = 0",
        &["sites"],
    ),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * FROM {t} UNION ALL SELECT * REPLACE (9999999 AS class_id) FROM {t} WHERE class_id = 0",
        &["class_verdicts"],
    ),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * REPLACE ('none' AS match_kind) FROM {t}",
        &["sites"],
    ),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * REPLACE (CASE access WHEN 'none' THEN 'all' ELSE access END AS access) FROM {t}",
        &["sites"],
    ),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * REPLACE (NOT root_allowed AS root_allowed) FROM {t}",
        &["sites"],
    ),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * REPLACE (NOT has_rules AS has_rules) FROM {t}",
        &["sites"],
    ),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * REPLACE (NOT has_allow_rules AS has_allow_rules) FROM {t}",
        &["sites"],
    ),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * REPLACE (NOT is_one_disallow_rule AS is_one_disallow_rule) FROM {t}",
        &["sites"],
    ),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * REPLACE (NOT has_disallow_root AS has_disallow_root) FROM {t}",
        &["sites"],
    ),
    (
        "class_verdicts_against_policies",
        "class_verdicts",
        "SELECT * REPLACE (NOT is_only_disallow_root AS is_only_disallow_root) FROM {t}",
        &["sites"],
    ),
    (
        "class_verdicts_against_policies",
        "body_classes",
        "SELECT * FROM {t} WHERE body_id <> class_id",
        &["body_classes", "sites"],
    ),
    ("class_verdicts_against_policies", "body_classes", "SELECT * REPLACE (body_id AS class_id) FROM {t}", &["sites"]),
    (
        "class_verdicts_against_policies",
        "body_classes",
        "SELECT * REPLACE (0 AS class_id) FROM {t}",
        &["body_classes", "sites"],
    ),
    (
        "class_verdicts_against_policies",
        "sites",
        "SELECT * REPLACE (body_id AS class_id) FROM {t} WHERE body_id >= 0",
        &["sites", "class_verdicts"],
    ),
    ("class_verdicts_against_policies", "sites", "SELECT * REPLACE (0 AS class_id) FROM {t}", &["sites"]),
    ("class_verdicts_against_policies", "sites", "SELECT * REPLACE (-1 AS class_id) FROM {t}", &["sites"]),
    ("class_verdicts_against_policies", "tracked_agents", "SELECT * FROM {t} WHERE agent <> 'gptbot'", &["sites"]),
    ("class_verdicts_against_policies", "policies", "SELECT * FROM {t} WHERE token <> '*'", &["sites"]),
    (
        "class_verdicts_against_policies",
        "policies",
        "SELECT * REPLACE (NOT root_allowed AS root_allowed) FROM {t}",
        &["sites"],
    ),
    ("class_verdicts_against_policies", "sites", "SELECT * FROM {t} WHERE class_id >= 0", &["class_verdicts"]),
    (
        "class_verdicts_against_policies",
        "sites",
        "SELECT * REPLACE (coalesce(access_without_rules, 'all') AS access_without_rules) FROM {t}",
        &["sites"],
    ),
];

#[test]
fn each_check_finds_its_planted_defects() {
    let checks = queries::all(QueryKind::Check).unwrap_or_else(|failure| panic!("{failure}"));
    let (mut wrong, mut tried, mut named) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    let mut possible = BTreeSet::new();
    wait(async {
        let session = Session::open(modelled(), &SessionOptions::default()).await.expect("the folder opens");
        for (name, tables, planted, names) in PLANTED {
            let is_new = tried.insert((name, tables));
            let of_check = tried.iter().filter(|(check, _)| *check == name).count();
            let names_anew = names.iter().filter(|found| named.insert((*name, **found))).count() > 0;
            let is_tried = is_full() || names_anew || is_new && of_check % 2 == 1;
            if !is_tried {
                continue;
            }
            let check = checks.iter().find(|check| check.name == *name).unwrap_or_else(|| panic!("no check {name}"));
            let mut statement = check.parsed().unwrap_or_else(|failure| panic!("{failure}"));
            let replaced = tables.split(' ').map(|table| {
                let planted = planted.replace("{t}", &format!("public.{table}"));
                (table.to_owned(), ParsedQuery::parse(&planted).unwrap_or_else(|error| panic!("{planted}: {error}")))
            });
            statement.with(replaced.collect());
            let found = async { session.answer(statement.into()).await?.collect().await };
            let found = match found.await {
                Ok(found) => found,
                Err(error) => {
                    wrong.push(format!("{name}, {planted}: {}", error.strip_backtrace()));
                    continue;
                }
            };
            let rows: Vec<String> = found.iter().flat_map(rendering::lines).collect();
            let is_named = |name: &&&str| {
                rows.iter().any(|row| format!("{row},").contains(&format!(",{},", rendering::text(name))))
            };
            let missing: Vec<_> = names.iter().filter(|name| !is_named(name)).collect();
            if rows.is_empty() || !missing.is_empty() {
                wrong.push(format!("{name} does not find {missing:?} of {planted}"));
            }
            if let Some(batch) = found.first() {
                let schema = batch.schema();
                let texts = schema.fields().iter().filter(|field| *field.data_type() == DataType::Utf8);
                if let Some(column) = texts.map(|field| field.name()).find(|column| *column != PARTITION.name) {
                    possible.extend(literals(&check.text, column).map(|literal| (*name, literal)));
                }
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let names: BTreeSet<&str> = checks.iter().map(|check| check.name.as_str()).collect();
    let planted: BTreeSet<&str> = PLANTED.iter().map(|(name, ..)| *name).collect();
    assert_eq!(names, planted, "each check needs a planted defect");
    assert_eq!(named, possible, "each name that a check gives to a defect needs a planted one");
}

/// The texts that a statement gives to a column.
fn literals<'t>(sql: &'t str, column: &str) -> impl Iterator<Item = &'t str> {
    let pieces = sql.split(&format!("' AS {column}")).collect::<Vec<_>>();
    let texts = pieces.len().saturating_sub(1);
    pieces.into_iter().take(texts).filter_map(|piece| piece.rsplit('\'').next())
}
