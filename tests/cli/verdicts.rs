//! `site_access`, the totals of questions and `robots_body_access` have the verdicts that other statements give.

use crate::archives;
use crate::crawls::rows as csv_columns;
use crate::questions::{awkward, modelled, sample_tables, wait};
use crate::run::TestFolder;
use analyze::{Session, SessionOptions};
use committed::full::is_full_or_skipped;
use datafusion::arrow::array::{AsArray as _, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::arrow::util::pretty::pretty_format_batches;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;

async fn rows(session: &Session, sql: &str) -> Vec<RecordBatch> {
    let collected = async { session.query(sql).await?.collect().await };
    collected.await.unwrap_or_else(|error| panic!("{error}\n{sql}"))
}

/// The number in the first row of a column.
fn number(batches: &[RecordBatch], column: usize) -> Option<i64> {
    batches.first().map(|batch| batch.column(column).as_primitive::<Int64Type>().value(0))
}

/// The statement that made `site_access` when its rows were stored: every agent and every site, with the policy of the
/// site's body joined by name.
const BY_NAME: &str = "
WITH tracked AS (
    SELECT '*' AS agent UNION SELECT token AS agent FROM agents WHERE tracked
),
joined AS (
    SELECT s.crawl, s.site_id, s.access_without_rules, a.agent, n.body_id AS named, w.body_id AS starred,
        coalesce(n.body_id, w.body_id) AS body_id, CASE WHEN n.body_id IS NULL THEN '*' ELSE a.agent END AS token
    FROM sites AS s
    CROSS JOIN tracked AS a
    LEFT JOIN policies AS n ON n.crawl = s.crawl AND n.body_id = s.body_id AND n.token = a.agent AND a.agent <> '*'
    LEFT JOIN policies AS w ON w.crawl = s.crawl AND w.body_id = s.body_id AND w.token = '*'
)
SELECT
    j.crawl,
    j.agent,
    j.site_id,
    CASE WHEN j.named IS NOT NULL THEN 'explicit' WHEN j.starred IS NOT NULL THEN 'wildcard' ELSE 'none' END AS match_kind,
    coalesce(p.access, j.access_without_rules) AS access,
    coalesce(p.root_allowed, j.access_without_rules = 'all') AS root_allowed,
    CAST(coalesce(p.allow_rules, 0) AS int) AS allow_rules,
    CAST(coalesce(p.disallow_rules, 0) AS int) AS disallow_rules,
    coalesce(p.has_disallow_root, false) AS has_disallow_root,
    coalesce(p.is_only_disallow_root, false) AS is_only_disallow_root,
    p.deciding_line
FROM joined AS j
LEFT JOIN policies AS p ON p.crawl = j.crawl AND p.body_id = j.body_id AND p.token = j.token";

/// The view has the rows that were stored before, no more and no fewer.
fn assert_view_has_the_stored_rows(tables: &Path) {
    wait(async {
        let session = Session::open(tables, &SessionOptions::default()).await.expect("the folder opens");
        let count = async |sql: &str| number(&rows(&session, sql).await, 0).expect("a count");
        let all_rows = count("SELECT count(*) FROM site_access").await;
        let tracked_rows = count("SELECT count(*) * (SELECT count(*) FROM agents WHERE tracked) FROM sites").await;
        assert!(all_rows > tracked_rows && tracked_rows > 0, "{all_rows} rows, {tracked_rows} without those of *");
        let stored_rows = count(&format!("SELECT count(*) FROM ({BY_NAME})")).await;
        assert_eq!(all_rows, stored_rows, "not as many rows");
        // As many rows, none of them twice, and none that the other lacks: they are the same.
        let keys = count("SELECT count(*) FROM (SELECT DISTINCT crawl, agent, site_id FROM site_access)").await;
        assert_eq!(keys, all_rows, "a site has two rows for an agent");
        let sql = format!("SELECT count(*) FROM (SELECT * FROM site_access EXCEPT SELECT * FROM ({BY_NAME}))");
        assert_eq!(count(&sql).await, 0, "rows that were not stored");
    });
}

#[test]
fn the_view_has_the_stored_rows() {
    assert_view_has_the_stored_rows(modelled());
    // These are large tables.
    if is_full_or_skipped() {
        awkward().into_iter().for_each(assert_view_has_the_stored_rows);
    }
}

/// Three questions count sites by agent from the verdicts of `*` and those on named agents. Counting the rows of
/// `site_access` must give the same.
#[test]
fn totals_by_agent_are_those_of_each_site() {
    let folder = TestFolder::new("verdicts_totals");
    let ask = |arguments: &[&str], columns: &[&str]| {
        let run = folder.run(&[arguments, &["--tables", sample_tables(), "--format", "csv"]].concat());
        csv_columns(&run, "", columns).lines().map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let columns = ["crawl", "agent", "sites_by_name", "sites_none", "sites_part", "sites_all"];
    let counted = "SELECT crawl, agent, \
         count(*) FILTER (WHERE access = 'none' AND match_kind = 'explicit') AS sites_by_name, \
         count(*) FILTER (WHERE access = 'none') AS sites_none, count(*) FILTER (WHERE access = 'part') AS sites_part, \
         count(*) FILTER (WHERE access = 'all') AS sites_all FROM site_access GROUP BY crawl, agent";
    let found = ask(&["query", "blocked_by_agent", "--top", "10000", "--denominator", "all"], &columns);
    assert!(found.len() > 100 && found == ask(&["sql", counted], &columns), "{found:?}");

    let columns = ["crawl", "agent", "sites_explicit_full", "sites_explicit_partial", "sites_wildcard_full"];
    let counted = "SELECT a.crawl, a.agent, \
         count(*) FILTER (WHERE match_kind = 'explicit' AND access = 'none') AS sites_explicit_full, \
         count(*) FILTER (WHERE match_kind = 'explicit' AND access = 'part') AS sites_explicit_partial, \
         count(*) FILTER (WHERE match_kind = 'wildcard' AND access = 'none') AS sites_wildcard_full \
         FROM site_access AS a JOIN sites AS s ON s.crawl = a.crawl AND s.site_id = a.site_id \
         WHERE s.final_status IN (200, 404) AND a.agent <> '*' GROUP BY a.crawl, a.agent";
    let found = ask(&["query", "liu_classes", "--top", "10000"], &columns);
    assert!(found.len() > 100 && found == ask(&["sql", counted], &columns), "{found:?}");

    // The question lists `*` and the agents that a file with rules beyond the limit names.
    let columns = ["crawl", "agent", "sites_losing_rules", "sites_changed"];
    let counted = "WITH verdicts AS ( \
             SELECT a.crawl, a.agent, a.match_kind, p.rules_beyond_500_kib AS rules_lost, \
                 p.root_allowed <> p.root_allowed_within_500_kib OR p.access <> p.access_within_500_kib AS changes \
             FROM site_access AS a JOIN sites AS s ON s.crawl = a.crawl AND s.site_id = a.site_id \
             JOIN bodies AS b ON b.crawl = s.crawl AND b.body_id = s.body_id \
             JOIN policies AS p ON p.crawl = s.crawl AND p.body_id = s.body_id \
                 AND p.token = CASE a.match_kind WHEN 'explicit' THEN a.agent ELSE '*' END \
             WHERE b.rules_beyond_500_kib > 0) \
         SELECT crawl, agent, count(*) FILTER (WHERE rules_lost > 0) AS sites_losing_rules, \
             count(*) FILTER (WHERE changes) AS sites_changed \
         FROM verdicts GROUP BY crawl, agent HAVING agent = '*' OR count(*) FILTER (WHERE match_kind = 'explicit') > 0";
    let found = ask(&["query", "limit_effect", "--top", "10000", "--denominator", "all"], &columns);
    let counted = ask(&["sql", counted], &columns);
    assert!(counted.len() > 1 && counted.is_subset(&found), "{found:?}\n{counted:?}");
    assert!(found.difference(&counted).all(|row| row.ends_with(",*,0,0")), "{found:?}\n{counted:?}");
}

/// If the tables have many parts, each thread judges its own bodies, and nothing is sorted.
#[test]
fn bodies_of_many_parts_have_the_verdicts_of_their_sites() {
    let folder = TestFolder::new("verdicts_many_parts");
    archives::write(&folder, "SYNTH-2024-10", 160, 8);
    folder.run(&["ingest", "--models", "latest", "--quiet", "crawl-data", "--out", "tables"]).exits_with(0);
    let options = SessionOptions { jobs: NonZeroUsize::new(2).expect("it is not zero"), ..SessionOptions::default() };
    wait(async {
        let session = Session::open(&folder.path().join("tables"), &options).await.expect("the folder has tables");
        let judged = "robots_body_access('GPTBot', '/', 'draft-00', 'rfc9309')";
        let plan = rows(&session, &format!("EXPLAIN SELECT * FROM {judged}")).await;
        let plan = pretty_format_batches(&plan).expect("it is text").to_string();
        assert!(plan.contains("VerdictsExec") && !plan.contains("Sort"), "{plan}");
        for dialect in ["rfc9309", "draft-00"] {
            let found = rows(
                &session,
                &format!(
                    "SELECT count(*), count(DISTINCT s.body_id), count(*) FILTER (WHERE NOT a.allowed), \
                     count(*) FILTER (WHERE a.allowed IS DISTINCT FROM b.allowed_{}) \
                     FROM robots_access('GPTBot', '/', '{dialect}') AS a \
                     JOIN sites AS s ON s.crawl = a.crawl AND s.site_id = a.site_id \
                     LEFT JOIN {judged} AS b ON b.crawl = s.crawl AND b.body_id = s.body_id WHERE s.body_id IS NOT NULL",
                    dialect.replace('-', "_")
                ),
            )
            .await;
            let [sites, bodies, blocked, other] = [0, 1, 2, 3].map(|column| number(&found, column).unwrap_or_default());
            assert!(sites > 500 && bodies > 100 && blocked > 5, "{dialect}: {sites}, {bodies}, {blocked}");
            assert_eq!(other, 0, "{dialect}");
        }
    });
}
