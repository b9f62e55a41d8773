//! Tests which statements the guard leaves unchanged, and which similar ones it rewrites.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use datafusion::arrow::util::pretty::pretty_format_batches;

use super::origin_by_name;
use crate::engine::once;
use crate::engine::once::kept::KeptSteps;
use datafusion::datasource::MemTable;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use guard::guarded;
use tokio::runtime::{Builder, Runtime};

/// Two sessions, one with the guard and one without.
struct SessionPair {
    plain: SessionContext,
    guarded: SessionContext,
    runtime: Runtime,
}

impl SessionPair {
    fn new() -> Self {
        let builder = || {
            let config = SessionConfig::new().with_target_partitions(2);
            SessionStateBuilder::new().with_config(config).with_default_features()
        };
        SessionPair {
            plain: SessionContext::new_with_state(builder().build()),
            guarded: SessionContext::new_with_state(guarded(builder(), origin_by_name).build()),
            runtime: Builder::new_current_thread().build().unwrap(),
        }
    }

    fn table(&self, name: &str, batch: &RecordBatch) {
        for session in [&self.plain, &self.guarded] {
            let table = MemTable::try_new(batch.schema(), vec![vec![batch.clone()]]).unwrap();
            session.register_table(name, Arc::new(table)).unwrap();
        }
    }

    /// Runs a statement as users' statements are run: steps that are read several times become tables.
    fn run_in_steps(&self, session: &SessionContext, statement: &str) -> Vec<RecordBatch> {
        let answer = self.runtime.block_on(async {
            let plan = session.state().create_logical_plan(statement).await?;
            once::execute(plan, session, &KeptSteps::default()).await?.collect().await
        });
        answer.unwrap_or_else(|error| panic!("{statement}: {error}"))
    }
}

fn sessions() -> SessionPair {
    let sessions = SessionPair::new();
    let text = |text: &'static str| Arc::new(StringArray::from(vec![text; 3])) as ArrayRef;
    let policies = RecordBatch::try_from_iter([
        ("crawl", text("TEST-1")),
        ("body_id", Arc::new(Int64Array::from(vec![1, 2, 3])) as ArrayRef),
        ("token", text("gptbot")),
        ("access", text("none")),
    ]);
    let policies = policies.unwrap();
    sessions.table("policies", &policies);
    // The same columns in a table that is not declared.
    sessions.table("mine", &policies);
    sessions
}

/// Whether the plan of a statement has a key. Asserts that its answer is the same in both sessions.
fn is_keyed(sessions: &SessionPair, statement: &str) -> bool {
    let text = |session, statement: &str| {
        pretty_format_batches(&sessions.run_in_steps(session, statement)).unwrap().to_string()
    };
    let rows = |session| {
        let mut rows: Vec<_> = text(session, statement).lines().map(str::to_owned).collect();
        rows.sort_unstable();
        rows
    };
    assert_eq!(rows(&sessions.guarded), rows(&sessions.plain), "{statement}");
    let plan = text(&sessions.guarded, &format!("explain {statement}"));
    ["text_key(", "with_key(", "text_digest("].iter().any(|key| plan.contains(key))
}

#[test]
fn trusted_texts() {
    let sessions = sessions();
    for statement in [
        "select crawl, access, count(*) from policies group by crawl, access",
        "select p.a, max(n) from (select access a, crawl c, sum(body_id) n from policies group by 1, 2) p group by p.a",
        "select distinct case when access = 'none' then 'blocked' else crawl end from policies",
        "select count(distinct access) from policies",
        "select access, crawl, sum(body_id) from policies group by rollup(access, crawl)",
        "select a.body_id from policies a join policies b on a.crawl = b.crawl and a.access = b.access order by 1",
        "select a.body_id from policies a join mine b on a.access = b.access order by 1, b.body_id",
        "select b.body_id from policies a right join mine b on a.crawl = b.crawl and a.access = b.token order by 1",
        "select p.access from policies p where p.access not in (select token from mine)",
        "select m.token from mine m where m.token not in (select access from policies)",
        "select m.token from mine m where m.token in ('none', 'all') or m.token in (select access from policies)",
        "select x from (select access x from policies union all select 'other') group by x order by x",
        "with none as (select a.token x, a.body_id n from mine a join mine b on a.body_id = b.body_id where 1 = 2) \
         select a.body_id from policies a join (select crawl x from policies \
         union all select b.x from none b join none c on b.n = c.n) b on a.crawl = b.x order by 1",
        "select a.access, count(*) from policies a left join mine m on a.body_id = m.body_id group by a.access",
        "select v.x, count(*) from policies p join (values ('none'), ('all')) v(x) on v.x = p.access group by v.x",
        "select access, n from (select access, row_number() over (order by body_id) n from policies) group by 1, 2 order by 2",
    ] {
        assert!(!is_keyed(&sessions, statement), "{statement}");
    }
}

/// A key has only the texts that files can choose on both sides.
#[test]
fn a_key_leaves_out_trusted_texts() {
    let sessions = sessions();
    let statement =
        "explain select a.body_id from policies a join policies b on a.crawl = b.crawl and a.token = b.token";
    let plan = pretty_format_batches(&sessions.run_in_steps(&sessions.guarded, statement)).unwrap().to_string();
    assert!(plan.contains("text_key(token@") && !plan.contains("text_key(crawl@"), "{plan}");
}

#[test]
fn texts_of_crawled_files() {
    let sessions = sessions();
    for statement in [
        "select token, count(*) from policies group by token",
        "select access || token, count(*) from policies group by 1",
        "select crawl, token, count(*) from policies group by crawl, token",
        "select access, count(*) from mine group by access",
        "select count(distinct case when access = 'none' then token end) from policies",
        "select x from (select access x from policies union all select token from policies) group by x order by x",
        "select a.body_id from policies a join mine b on a.token = b.access order by 1, b.body_id",
        "select p.access from policies p where p.token not in (select token from mine)",
        // Each side could have many rows with the hash of one row of the other.
        "select a.body_id from policies a join policies b on a.access = b.token and a.token = b.access order by 1",
        // A text joined from words is not a word: a file can choose any number of such texts.
        "select s, count(*) from (select string_agg(access, ',') s from policies group by body_id) group by s",
        "select m, count(*) from (select body_id, max(token) m from policies group by body_id) group by m",
        "select (select max(token) from mine) t, count(*) from policies group by 1",
        "select m.access, count(*) from policies a join mine m on a.body_id = m.body_id group by m.access",
    ] {
        assert!(is_keyed(&sessions, statement), "{statement}");
    }
}
