//! `robots_access`, `robots_body_access`, `site_access`, `explain` and `judge` give the same verdict for every site.

#![expect(clippy::expect_used, clippy::panic, reason = "called by tests, which fail by them")]

use crate::archives;
use crate::full::{is_full, step};
use crate::functions::quoted;
use crate::given::rows as csv_columns;
use crate::questions::{awkward, modelled, sample_tables, wait};
use crate::report::ingested;
use crate::run::TestFolder;
use analyze::explain::explain;
use analyze::{Session, SessionOptions};
use datafusion::arrow::array::{AsArray as _, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::arrow::util::pretty::pretty_format_batches;
use robots::SiteOutcome;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;

/// Files for which different implementations of the choice of a group once disagreed.
const FILES: [&str; 7] = [
    "User-agent: GPTBot Foo\nDisallow: /\n",
    "User-agent: gptbot.x\nDisallow: /\n\nUser-agent: GPTBot/2 beta\nAllow: /$\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n",
    "User-agent: MJ12bot\nDisallow: /\n",
    "User-agent: * everyone\nDisallow: /\n",
    "User-agent: *\nAllow: /\nDisallow: /%\n\nUser-agent: CCBot\nUser-agent: ccbot 2\nDisallow:\n",
    "Disallow: /\n",
    "User-agent: Googlebot-News\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /x\n",
];

/// Agents that [`FILES`] name, and the wildcard group.
const AGENTS: [&str; 4] = ["*", "gptbot", "ccbot", "googlebot"];

async fn rows(session: &Session, sql: &str) -> Vec<RecordBatch> {
    let collected = async { session.query(sql).await?.collect().await };
    collected.await.unwrap_or_else(|error| panic!("{error}\n{sql}"))
}

/// The number in the first row of a column.
fn number(batches: &[RecordBatch], column: usize) -> Option<i64> {
    batches.first().map(|batch| batch.column(column).as_primitive::<Int64Type>().value(0))
}

/// Compares `site_access` with `robots_access` for every site and agent, by outer join; for every 64th agent without
/// `ROBOCENSUS_FULL`, and always for the given ones.
fn views_agree(tables: &Path, always: &[&str]) {
    wait(async {
        let session = Session::open(tables, &SessionOptions::default()).await.expect("the folder opens");
        let agents = rows(&session, "SELECT DISTINCT agent FROM site_access ORDER BY agent").await;
        let agents: Vec<String> = agents
            .iter()
            .flat_map(|batch| batch.column(0).as_string::<i32>().iter().flatten())
            .map(str::to_owned)
            .collect();
        assert!(agents.len() > 50, "{agents:?}");
        let always = always.iter().map(|agent| (*agent).to_owned());
        for agent in agents.into_iter().step_by(step(64)).chain(always) {
            let name = quoted(&agent);
            let sql = format!(
                "SELECT count(*) AS sites, sum(CASE WHEN a.site_id IS NULL OR s.site_id IS NULL \
                    OR a.allowed IS DISTINCT FROM s.root_allowed OR a.match_kind <> s.match_kind \
                    OR a.deciding_line IS DISTINCT FROM s.deciding_line THEN 1 ELSE 0 END) AS differing \
                 FROM robots_access({name}, '/') AS a \
                 FULL JOIN (SELECT * FROM site_access WHERE agent = {name}) AS s \
                     ON s.crawl = a.crawl AND s.site_id = a.site_id"
            );
            let found = rows(&session, &sql).await;
            assert!(number(&found, 0) > Some(0), "{agent}: no site");
            assert_eq!(number(&found, 1), Some(0), "{agent}: robots_access and site_access differ");
        }
    });
}

/// A site of each outcome and verdict; all sites with `ROBOCENSUS_FULL`.
const VERDICTS: &str = "
WITH verdicts AS (
    SELECT
        s.crawl,
        s.url_protocol || '://' || s.url_host_name || ':' || CAST(s.url_port AS varchar) || '/' AS url,
        s.outcome,
        a.match_kind,
        a.root_allowed,
        a.deciding_line,
        row_number() OVER (
            PARTITION BY s.outcome, s.redirect_end, a.match_kind, a.root_allowed, a.deciding_line IS NULL
            ORDER BY s.crawl, s.site_id
        ) AS place
    FROM sites AS s
    LEFT JOIN site_access AS a ON a.crawl = s.crawl AND a.site_id = s.site_id AND a.agent = '{agent}'
)
SELECT crawl, url, outcome, match_kind, root_allowed, deciding_line FROM verdicts WHERE place <= {most} ORDER BY crawl, url";

/// Compares `explain` with `sites` and `site_access`.
fn explanations_agree(tables: &Path) {
    let most = if is_full() { i64::MAX } else { 1 };
    let mut outcomes = BTreeSet::new();
    wait(async {
        let session = Session::open(tables, &SessionOptions::default()).await.expect("the folder opens");
        for agent in ["gptbot", "ccbot"] {
            let sql = VERDICTS.replace("{agent}", agent).replace("{most}", &most.to_string());
            for batch in rows(&session, &sql).await {
                for row in 0..batch.num_rows() {
                    let cell = |column: usize| array_value_to_string(batch.column(column), row).expect("it is a value");
                    let url = cell(1);
                    let explained = match explain(&session, &url, agent).await {
                        Ok(explained) => explained,
                        // Tables keep hosts that no URL can have, such as 192.0.2.256. Nobody can ask about them.
                        Err(failure) if failure.to_string().starts_with("URL cannot be read: ") => continue,
                        Err(failure) => panic!("{failure}"),
                    };
                    let of_crawl = explained.into_iter().find(|explanation| explanation.crawl == cell(0));
                    let site = of_crawl.and_then(|explanation| explanation.site).unwrap_or_else(|| panic!("{url}"));
                    let found = [
                        site.outcome.name().to_owned(),
                        site.match_kind.name().to_owned(),
                        site.allowed.map(|allowed| allowed.to_string()).unwrap_or_default(),
                        site.rule.map(|rule| rule.line_no.to_string()).unwrap_or_default(),
                    ];
                    assert_eq!(found, [cell(2), cell(3), cell(4), cell(5)], "{agent} on {url} in {}", cell(0));
                    outcomes.insert(site.outcome.name());
                }
            }
        }
    });
    assert_eq!(outcomes, BTreeSet::from(SiteOutcome::WORDS), "not all outcomes were compared");
}

/// The statement that made `site_access` when its rows were stored: every agent and every site, with the policy of the
/// site's body joined by name.
const BY_NAME: &str = "
WITH tracked AS (
    SELECT '*' AS agent UNION SELECT lower(token) AS agent FROM agents WHERE tracked
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
        // As many rows, and none that the other lacks: they are the same.
        let sql = format!("SELECT count(*) FROM (SELECT * FROM site_access EXCEPT ALL SELECT * FROM ({BY_NAME}))");
        assert_eq!(count(&sql).await, 0, "rows that were not stored");
    });
}

#[test]
fn views_agree_on_hard_files() {
    let folder = ingested("verdicts", "200 OK", &FILES.map(str::to_owned));
    views_agree(&folder.path().join("tables"), &AGENTS);
    for (nth, file) in FILES.iter().enumerate() {
        let folder = TestFolder::new(&format!("verdicts_{nth}")).with("robots.txt", file);
        for agent in ["GPTBot", "CCBot", "Googlebot", "MJ12bot"] {
            let judged = folder.run(&["judge", "--robots", "robots.txt", "--agent", agent, "--format", "json", "/"]);
            let tables = "../verdicts/tables";
            let url = format!("https://host{nth}.example.com/");
            let explained = folder.run(&["explain", &url, "--agent", agent, "--tables", tables, "--format", "json"]);
            let (judged, explained) = (judged.objects(), explained.objects());
            let (judged, site) = (&judged[0], &explained[0]["site"]);
            let found = (&site["allowed"], &site["match_kind"], &site["rule"]["line_no"]);
            let line = judged.get("line").unwrap_or(&serde_json::Value::Null);
            assert_eq!(found, (&judged["allowed"], &judged["match"], line), "{agent}: {file}");
        }
    }
}

#[test]
fn views_agree_on_the_sample() {
    assert_view_has_the_stored_rows(modelled());
    views_agree(modelled(), &AGENTS);
    explanations_agree(modelled());
}

#[test]
fn views_agree_on_real_files() {
    if let Some(tables) = awkward() {
        // These are large tables, and the sample has sites of each outcome and verdict.
        if is_full() {
            assert_view_has_the_stored_rows(tables);
        }
        views_agree(tables, &["*"]);
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
