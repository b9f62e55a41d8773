//! `judge`, `robots_access`, `site_access` and `explain` give one verdict for every site and agent of the sample and of
//! real archives. Here, each site is judged from its outcome and from its body in the archive.

use crate::crawls::crawl;
use crate::functions::quoted;
use crate::questions::{self, NULL, awkward, corpus, modelled, wait};
use crate::run::TestFolder;
use crate::sample;
use analyze::explain::explain;
use analyze::{Session, SessionOptions};
use committed::full::{is_full, step};
use ingest::answer::Decoder;
use ingest::archive::{RecordOrDamage, Workshop, read};
use ingest::rows::Sha1Base32;
use robots::{Dialect, Naming, Parsed, Reading, SiteOutcome, Target};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::Path;

/// Whether `/` may be fetched, the kind of match, and the deciding line, as they are written in answers.
type Verdict = [String; 3];

/// The sites with these crawls and numbers.
type Verdicts = BTreeMap<[String; 2], Verdict>;

/// How many agents are read from `site_access` by one statement.
const AGENTS_AT_ONCE: usize = 16;

struct Site {
    key: [String; 2],
    url: String,
    outcome: String,
    /// The digest of its body, or null.
    digest: String,
}

/// Files for which different implementations of the choice of a group once disagreed.
const HARD_FILES: [&str; 7] = [
    "User-agent: GPTBot Foo\nDisallow: /\n",
    "User-agent: gptbot.x\nDisallow: /\n\nUser-agent: GPTBot/2 beta\nAllow: /$\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n",
    "User-agent: MJ12bot\nDisallow: /\n",
    "User-agent: * everyone\nDisallow: /\n",
    "User-agent: *\nAllow: /\nDisallow: /%\n\nUser-agent: CCBot\nUser-agent: ccbot 2\nDisallow:\n",
    "Disallow: /\n",
    "User-agent: Googlebot-News\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /x\n",
];

/// Agents that these files name, and the wildcard group. They are compared in every run.
const AGENTS: [&str; 5] = ["*", "gptbot", "ccbot", "googlebot", "mj12bot"];

#[test]
fn there_is_one_verdict_on_hard_files() {
    let hosts = ["a.example", "b.example", "c.example", "d.example", "e.example", "f.example", "g.example"];
    let captures: Vec<_> = hosts.into_iter().zip(HARD_FILES).map(|(host, file)| (host, 200, file)).collect();
    let folder = crawl("one_verdict_hard", &captures);
    assert_one_verdict(&folder.path().join("tables"), &folder.path().join("crawl-data"), 1);
}

/// The command `judge` gives the verdict of the library.
#[test]
fn the_command_judges_hard_files() {
    for (nth, file) in HARD_FILES.iter().enumerate() {
        let folder = TestFolder::new(&format!("one_verdict_{nth}")).with("robots.txt", file);
        for agent in AGENTS.into_iter().filter(|agent| *agent != "*") {
            let run = folder.run(&["judge", "--robots", "robots.txt", "--agent", agent, "--format", "json", "/"]);
            let found = &run.objects()[0];
            let found = ["allowed", "match", "line"].map(|name| match &found[name] {
                serde_json::Value::Null => NULL.to_owned(),
                serde_json::Value::String(text) => text.clone(),
                value => value.to_string(),
            });
            assert_eq!(found, verdict_of_rules(&robots::parse(file.as_bytes()), agent), "{agent}: {file}");
        }
    }
}

#[test]
fn there_is_one_verdict_on_the_sample() {
    let outcomes = assert_one_verdict(modelled(), &sample::root().join("crawl-data"), 1);
    assert_eq!(outcomes, BTreeSet::from(SiteOutcome::WORDS.map(str::to_owned)), "not all outcomes were compared");
}

#[test]
fn there_is_one_verdict_on_real_files() {
    let (Some(tables), Some(small)) = (awkward(), corpus("small")) else { return };
    assert_one_verdict(tables, Path::new(&small), 16);
}

/// Compares all of them by outer join. Without `ROBOCENSUS_FULL`, for every 64th agent. `explain` runs statements for
/// each site, so it is asked about one agent of each verdict on a site, for every `nth` site of the full run. Returns
/// the outcomes of these sites.
fn assert_one_verdict(tables: &Path, archives: &Path, nth: usize) -> BTreeSet<String> {
    let bodies = read_bodies(archives);
    let mut explained = BTreeSet::new();
    wait(async {
        let session = Session::open(tables, &SessionOptions::default()).await.expect("the folder opens");
        let sites = read_sites(&session).await;
        let agents = texts(&session, "SELECT DISTINCT agent FROM site_access ORDER BY agent").await;
        assert!(agents.len() > 50, "{agents:?}");
        let agents: BTreeSet<String> = agents
            .into_iter()
            .map(|[agent]| agent)
            .enumerate()
            .filter(|(place, agent)| place % step(64) == 0 || AGENTS.contains(&agent.as_str()))
            .map(|(_, agent)| agent)
            .collect();
        let files: BTreeMap<&str, Parsed> =
            bodies.iter().map(|(digest, body)| (digest.as_str(), robots::parse(body))).collect();
        let mut by_agent: BTreeMap<&str, Verdicts> = BTreeMap::new();
        let agents: Vec<&str> = agents.iter().map(String::as_str).collect();
        for agents in agents.chunks(AGENTS_AT_ONCE) {
            let mut by_view = read_site_access(&session, agents).await;
            for agent in agents {
                let expected = judge(&sites, &files, agent);
                let sql = format!(
                    "SELECT crawl, site_id, allowed, match_kind, deciding_line FROM robots_access({}, '/')",
                    quoted(agent)
                );
                let by_function = verdicts(texts(&session, &sql).await.into_iter());
                assert_same(&expected, &by_function, &format!("robots_access, {agent}"));
                assert_same(&expected, &by_view.remove(*agent).unwrap_or_default(), &format!("site_access, {agent}"));
                by_agent.insert(agent, expected);
            }
        }
        let mut seen = BTreeSet::new();
        for (place, site) in sites.iter().enumerate() {
            // Different agents for different sites.
            let mut agents: Vec<&str> = by_agent.keys().copied().filter(|agent| *agent != "*").collect();
            let first = place % agents.len();
            agents.rotate_left(first);
            let mut verdicts = BTreeSet::new();
            for agent in agents {
                let expected = &by_agent[agent][&site.key];
                let kind = (&site.outcome, &expected[0], &expected[1], expected[2] == NULL);
                let is_asked =
                    if is_full() { place % nth == 0 && verdicts.insert(expected) } else { seen.insert(kind) };
                if is_asked && assert_explained(&session, site, agent, expected).await {
                    explained.insert(site.outcome.clone());
                }
            }
        }
    });
    explained
}

/// The bodies of all responses, by the digest of `bodies`.
fn read_bodies(archives: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut workshop, mut decoder) = (Workshop::default(), Decoder::default());
    let mut bodies = BTreeMap::new();
    for archive in sample::files(archives).into_values() {
        let read = read(Cursor::new(archive), &mut workshop, |found| {
            if let RecordOrDamage::Record(record, _) = found {
                let body = decoder.answer(record.block).body.bytes.to_vec();
                bodies.insert(Sha1Base32::digest(&body).as_str().to_owned(), body);
            }
            ControlFlow::Continue(())
        });
        // Some archives are damaged at their end. The bodies before it are read.
        drop(read);
    }
    bodies
}

async fn read_sites(session: &Session) -> Vec<Site> {
    let sql = "SELECT s.crawl, s.site_id, s.url_protocol || '://' || s.url_host_name || ':' || s.url_port || '/', \
               s.outcome, b.content_digest FROM sites AS s \
               LEFT JOIN bodies AS b ON b.crawl = s.crawl AND b.body_id = s.body_id ORDER BY s.crawl, s.site_id";
    let rows = texts(session, sql).await.into_iter();
    rows.map(|[crawl, site, url, outcome, digest]| Site { key: [crawl, site], url, outcome, digest }).collect()
}

/// The verdict on each site: by the rules of its body, or by RFC 9309 § 2.3.1 if it has none.
fn judge(sites: &[Site], files: &BTreeMap<&str, Parsed>, agent: &str) -> Verdicts {
    let judge = |site: &Site| {
        let without_rules = |allowed: &str| [allowed, "none", NULL].map(str::to_owned);
        match site.outcome.as_str() {
            "rules" | "no_rules" | "not_robots" => {
                let file = files.get(site.digest.as_str()).unwrap_or_else(|| panic!("{} has no body", site.url));
                verdict_of_rules(file, agent)
            }
            "unavailable" => without_rules("true"),
            "unreachable" => without_rules("false"),
            _ => without_rules(NULL),
        }
    };
    sites.iter().map(|site| (site.key.clone(), judge(site))).collect()
}

fn verdict_of_rules(file: &Parsed, agent: &str) -> Verdict {
    let reading = Reading::new(file, Dialect::Rfc9309);
    let verdict = reading.select(agent.as_bytes(), Naming::default()).judge(&Target::new(b"/", Dialect::Rfc9309));
    let line = verdict.line.map_or(NULL.to_owned(), |line| line.to_string());
    [verdict.allowed.to_string(), verdict.matched.name().to_owned(), line]
}

/// Asks `explain` about a site. Returns false if no URL can have its host, such as 192.0.2.256, which tables keep.
async fn assert_explained(session: &Session, site: &Site, agent: &str, expected: &Verdict) -> bool {
    let explanations = match explain(session, &site.url, agent).await {
        Ok(explanations) => explanations,
        Err(failure) if failure.to_string().starts_with("URL cannot be read: ") => return false,
        Err(failure) => panic!("{failure}"),
    };
    let of_crawl = explanations.into_iter().find(|explanation| explanation.crawl == site.key[0]);
    let found = of_crawl.and_then(|explanation| explanation.site).unwrap_or_else(|| panic!("{}", site.url));
    assert_eq!(found.outcome.name(), site.outcome, "{}", site.url);
    let found = [
        found.allowed.map_or(NULL.to_owned(), |allowed| allowed.to_string()),
        found.match_kind.name().to_owned(),
        found.rule.map_or(NULL.to_owned(), |rule| rule.line_no.to_string()),
    ];
    assert_eq!(found, *expected, "explain, {agent}: {} in {}", site.url, site.key[0]);
    true
}

#[track_caller]
fn assert_same(expected: &Verdicts, found: &Verdicts, what: &str) {
    let keys: BTreeSet<_> = expected.keys().chain(found.keys()).collect();
    let other = keys.into_iter().find(|key| expected.get(*key) != found.get(*key));
    if let Some(key) = other {
        panic!("{what}, {key:?}: {:?}, and judge says {:?}", found.get(key), expected.get(key));
    }
}

async fn read_site_access(session: &Session, agents: &[&str]) -> BTreeMap<String, Verdicts> {
    let names: Vec<String> = agents.iter().map(|agent| quoted(agent)).collect();
    let sql = format!(
        "SELECT agent, crawl, site_id, root_allowed, match_kind, deciding_line FROM site_access WHERE agent IN ({})",
        names.join(", ")
    );
    let mut rows: BTreeMap<String, Vec<[String; 5]>> = BTreeMap::new();
    for [agent, row @ ..] in texts::<6>(session, &sql).await {
        rows.entry(agent).or_default().push(row);
    }
    rows.into_iter().map(|(agent, rows)| (agent, verdicts(rows.into_iter()))).collect()
}

/// A verdict from each row, with the crawl and the site before it. No site may have two.
fn verdicts(rows: impl Iterator<Item = [String; 5]>) -> Verdicts {
    let mut verdicts = Verdicts::new();
    for [crawl, site, allowed, kind, line] in rows {
        let earlier = verdicts.insert([crawl, site], [allowed, kind, line]);
        assert!(earlier.is_none(), "a site has two rows: {earlier:?}");
    }
    verdicts
}

async fn texts<const COLUMNS: usize>(session: &Session, sql: &str) -> Vec<[String; COLUMNS]> {
    let collected = async { session.query(sql).await?.collect().await };
    let batches = collected.await.unwrap_or_else(|error| panic!("{error}\n{sql}"));
    questions::texts(&batches)
}
