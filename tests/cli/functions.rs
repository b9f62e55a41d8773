//! The SQL functions over tables return the verdicts of the judge over bodies, for every body and many crawlers and
//! paths.

use crate::questions::{NULL, corpus, texts, wait};
use crate::run::TestFolder;
use crate::sample;
use committed::full::step;
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use robots::{Dialect, Naming, Reading, Target};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tables::PARTITION;

const AGENTS: [&str; 42] = [
    "GPTBot",
    "gptbot/1.2",
    "CCBot",
    "Googlebot",
    "googlebot-news",
    "Googlebot-Image/1.0",
    "bingbot",
    "*",
    "",
    "MJ12bot",
    "MJ",
    "008",
    "AI2Bot",
    "AI2",
    "Sogou web spider",
    "Sogou",
    "archive.org_bot",
    "ia_archiver",
    "Mediapartners-Google",
    "Mediapartners-Google*",
    "Yandex",
    "YandexBot",
    "Baiduspider",
    "Slurp",
    "msnbot",
    "TurnitinBot",
    "wget",
    "HTTrack 3.0",
    "Screaming Frog SEO Spider",
    "ClaudeBot",
    "anthropic-ai",
    "PerplexityBot",
    "Bytespider",
    "AhrefsBot",
    "SemrushBot",
    "dotbot",
    "rogerbot",
    "Twitterbot",
    "facebookexternalhit/1.1",
    "Mozilla/5.0 (compatible; Foo)",
    "Xenu's Link Sleuth",
    "no-file-names-me",
];

const PATHS: [&str; 30] = [
    "/",
    "https://example.com",
    "/robots.txt",
    "/admin/",
    "/wp-admin/",
    "/wp-admin/admin-ajax.php",
    "/search?q=x",
    "/search",
    "/cgi-bin/x.cgi",
    "/images/a.gif",
    "/a.pdf",
    "/index.html",
    "/index.php?option=com_content&id=1",
    "/?s=x",
    "/*",
    "/$",
    "/caf%C3%A9/",
    "/caf\u{e9}/",
    "/press/drafts/1",
    "/private",
    "/tmp/",
    "/user/login/",
    "/node/1",
    "/checkout/cart/",
    "/products?page=2&sort=x",
    "https://example.com/a/b/c.php?x=1#y",
    "https://example.com/~user/",
    "/a b%20c",
    "/%61dmin/x.js",
    "/it's/feed/",
];

/// A verdict, as it is written in answers: whether the path is allowed, the kind of match, the line that decides, and
/// its pattern.
type ExpectedVerdict = [String; 4];

/// The crawl and the number of a body or a capture.
type Key = [String; 2];

/// Tables, and the bodies and captures in them.
struct Census {
    context: SessionContext,
    /// The bodies by crawl and number, without those that are not UTF-8: no column has their bytes.
    bodies: BTreeMap<Key, String>,
    /// The outcome, status and body of the captures, by crawl and number.
    captures: BTreeMap<Key, [String; 3]>,
}

impl Census {
    async fn read(folder: &Path) -> Self {
        let context = SessionContext::new();
        analyze::functions::register(&context);
        for table in ["captures", "bodies", "groups", "rules", "policies"] {
            let partition = vec![(PARTITION.name.to_owned(), PARTITION.data_type)];
            let options = ParquetReadOptions::new().table_partition_cols(partition);
            let path = format!("{}/", folder.join(table).display());
            context.register_parquet(table, path, options).await.unwrap_or_else(|error| panic!("{error}"));
        }
        // Here, each capture counts as a site.
        let sites = "CREATE VIEW sites AS SELECT crawl, capture_id AS site_id, url_protocol, url_host_name, url_port, \
                     CASE access_result WHEN 'successful' THEN 'rules' WHEN 'redirect' THEN 'redirect_unresolved' \
                     ELSE access_result END AS outcome, fetch_status AS final_status, body_id FROM captures";
        let mut census = Census { context, bodies: BTreeMap::new(), captures: BTreeMap::new() };
        census.rows::<0>(sites).await;
        let bodies = census.rows("SELECT crawl, body_id, text FROM bodies WHERE is_utf8").await;
        census.bodies.extend(bodies.into_iter().map(|[crawl, body, text]| ([crawl, body], text)));
        let captures = census.rows("SELECT crawl, site_id, outcome, final_status, body_id FROM sites").await;
        census.captures.extend(captures.into_iter().map(|[crawl, site, facts @ ..]: [_; 5]| ([crawl, site], facts)));
        census
    }

    async fn rows<const COLUMNS: usize>(&self, sql: &str) -> Vec<[String; COLUMNS]> {
        let collected = async { self.context.sql(sql).await?.collect().await };
        texts(&collected.await.unwrap_or_else(|error| panic!("{error}\n{sql}")))
    }

    /// The verdicts of `robots_access` for every capture, by crawl and capture.
    async fn access(&self, agent: &str, path: &str, dialect: Dialect) -> BTreeMap<Key, ExpectedVerdict> {
        let sql = format!(
            "SELECT crawl, site_id, allowed, match_kind, deciding_line, deciding_pattern \
             FROM robots_access({}, {}, '{}')",
            quoted(agent),
            quoted(path),
            dialect.name()
        );
        let rows = self.rows(&sql).await.into_iter();
        rows.map(|[crawl, site, verdict @ ..]: [_; 6]| ([crawl, site], verdict)).collect()
    }
}

pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Every crawler with this number of paths, chosen so that every path occurs. Without `ROBOCENSUS_FULL`, every tenth
/// of these pairs.
fn questions(paths_a_crawler: usize) -> impl Iterator<Item = (&'static str, &'static str)> {
    let apart = PATHS.len() / paths_a_crawler;
    let all = AGENTS.iter().enumerate().flat_map(move |(nth, agent)| {
        let places = (0..paths_a_crawler).map(move |turn| (nth + turn * apart) % PATHS.len());
        places.map(move |place| (*agent, PATHS[place]))
    });
    all.step_by(step(10))
}

async fn assert_access_agrees_with_judge(census: &Census, paths_a_crawler: usize, dialects: &[Dialect]) {
    let parsed: BTreeMap<_, _> =
        census.bodies.iter().map(|(key, body)| (key.clone(), robots::parse(body.as_bytes()))).collect();
    let mut compared = 0;
    for &dialect in dialects {
        let readings: BTreeMap<_, _> = parsed.iter().map(|(key, file)| (key, Reading::new(file, dialect))).collect();
        for (agent, path) in questions(paths_a_crawler) {
            let target = Target::new(path.as_bytes(), dialect);
            let mut found = census.access(agent, path, dialect).await;
            for (capture, [outcome, status, body_id]) in &census.captures {
                let what = || format!("{capture:?} {agent:?} {path:?} {}", dialect.name());
                let found = found.remove(capture).unwrap_or_else(|| panic!("no row: {}", what()));
                let unknown = |allowed: &str| [allowed, "none", NULL, NULL].map(str::to_owned);
                let is_always_allowed = path == "/robots.txt" && dialect != Dialect::Google;
                let expected = match (outcome.as_str(), status.as_str(), dialect) {
                    ("unavailable" | "unreachable" | "redirect_unresolved", ..) if is_always_allowed => unknown("true"),
                    ("unavailable", "429", Dialect::Google) => unknown("false"),
                    ("unavailable", "401" | "403", Dialect::Original1996) => unknown("false"),
                    ("unavailable", ..) => unknown("true"),
                    ("unreachable", ..) => unknown("false"),
                    ("redirect_unresolved", ..) => unknown(NULL),
                    _ if body_id == NULL => unknown("true"),
                    _ => {
                        let Some(reading) = readings.get(&[capture[0].clone(), body_id.clone()]) else { continue };
                        let verdict = reading.select(agent.as_bytes(), Naming::default()).judge(&target);
                        let pattern = verdict.rule.map_or(NULL.as_bytes(), |rule| rule.pattern.slice(reading.text()));
                        compared += 1;
                        [
                            verdict.allowed.to_string(),
                            verdict.matched.name().to_owned(),
                            verdict.line.map_or(NULL.to_owned(), |line| line.to_string()),
                            String::from_utf8(pattern.to_vec()).expect("the body is UTF-8"),
                        ]
                    }
                };
                assert_eq!(found, expected, "{}", what());
            }
            assert!(found.is_empty(), "rows without a capture: {found:?}");
        }
    }
    assert!(compared > 0, "no verdict was compared");
}

/// Chooses groups by token and rules in plain SQL. The judge does the same with the naming `exact`.
async fn assert_allowed_agrees_with_judge(census: &Census, paths_a_crawler: usize) {
    let parsed: BTreeMap<_, _> =
        census.bodies.iter().map(|(key, body)| (key.clone(), robots::parse(body.as_bytes()))).collect();
    for (agent, path) in questions(paths_a_crawler).filter(|(agent, _)| !agent.is_empty()) {
        let (name, quoted_path) = (quoted(agent), quoted(path));
        let sql = format!(
            "WITH named AS (SELECT DISTINCT crawl, body_id, group_no FROM groups WHERE token = robots_token({name})), \
             wildcard AS (SELECT DISTINCT crawl, body_id, group_no FROM groups LEFT ANTI JOIN named USING (crawl, body_id) \
                         WHERE token = '*'), \
             chosen AS (SELECT * FROM named UNION ALL SELECT * FROM wildcard) \
             SELECT b.crawl, b.body_id, robots_allowed(r.allow, r.pattern, {quoted_path}) \
             FROM bodies b LEFT JOIN chosen h ON b.crawl = h.crawl AND b.body_id = h.body_id \
             LEFT JOIN rules r ON h.crawl = r.crawl AND h.body_id = r.body_id AND h.group_no = r.group_no \
             GROUP BY b.crawl, b.body_id"
        );
        let mut bodies = BTreeSet::new();
        let target = Target::new(path.as_bytes(), Dialect::Rfc9309);
        for [crawl, body, allowed] in census.rows(&sql).await {
            let key = [crawl, body];
            assert!(bodies.insert(key.clone()), "{key:?} twice");
            let Some(file) = parsed.get(&key) else { continue };
            let reading = Reading::new(file, Dialect::Rfc9309);
            let (expected, _) = reading.select(agent.as_bytes(), Naming::Exact).decide(&target);
            assert_eq!(allowed, expected.to_string(), "{key:?} {agent:?} {path:?}");
        }
        assert!(parsed.keys().all(|key| bodies.contains(key)), "not every body has a row");
    }
}

/// Compares with the verdicts that the table policies stores.
async fn assert_access_agrees_with_policies(census: &Census) {
    let mut compared = 0;
    let is_token = |agent: &&&str| robots::token(agent.as_bytes()) == agent.to_ascii_lowercase().as_bytes();
    for agent in AGENTS.iter().filter(is_token).step_by(step(6)) {
        let name = quoted(agent);
        let sql = format!(
            "SELECT count(*), count(*) FILTER (WHERE a.allowed IS DISTINCT FROM p.root_allowed \
                                               OR a.deciding_line IS DISTINCT FROM p.deciding_line) \
             FROM robots_access({name}, '/') a JOIN sites s ON a.crawl = s.crawl AND a.site_id = s.site_id \
             JOIN policies p ON p.crawl = s.crawl AND p.body_id = s.body_id AND p.token = robots_token({name}) \
             WHERE s.outcome = 'rules'"
        );
        let [count, other] = &census.rows(&sql).await[0];
        assert_eq!(other, "0", "{agent}");
        compared += count.parse::<u64>().expect("it is a number");
    }
    assert!(compared > 0, "no policy was compared");
}

fn ingested(folder: &TestFolder, archives: &str, exit_code: i32) -> PathBuf {
    folder.run(&["ingest", archives, "--out", sample::OUT, "--keep-text", "--quiet"]).exits_with(exit_code);
    folder.path().join(sample::OUT)
}

#[test]
fn functions_agree_with_the_judge_on_the_sample() {
    let folder = sample::folder("functions_sample");
    let tables = ingested(&folder, "crawl-data", 1);
    wait(async {
        let census = Census::read(&tables).await;
        assert!(census.bodies.len() > 80, "{}", census.bodies.len());
        assert_access_agrees_with_judge(&census, 3, &[Dialect::Rfc9309]).await;
        let others = [Dialect::Draft00, Dialect::Draft12, Dialect::Google, Dialect::Original1996];
        assert_access_agrees_with_judge(&census, 1, &others).await;
        assert_allowed_agrees_with_judge(&census, 2).await;
        assert_access_agrees_with_policies(&census).await;
    });
}

#[test]
fn functions_agree_with_the_judge_on_real_archives() {
    let Some(small) = corpus("small") else { return };
    let folder = TestFolder::new("functions_real");
    let tables = ingested(&folder, &small, 0);
    wait(async {
        let census = Census::read(&tables).await;
        assert_access_agrees_with_judge(&census, 1, &Dialect::ALL).await;
        assert_allowed_agrees_with_judge(&census, 1).await;
        assert_access_agrees_with_policies(&census).await;
    });
}
