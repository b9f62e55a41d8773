//! Colliding texts take at most 3 times as long as harmless ones with the guard, and at least 9 times without it.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringViewArray};
use datafusion::common::hash_utils::{RandomState, create_hashes};
use datafusion::physical_plan::collect;
use datafusion::prelude::SessionContext;

use super::Sessions;
use super::collisions::{GROUP, crafted, harmless};

/// The seed of grouping by several columns: `AGGREGATION_HASH_SEED` of datafusion-physical-plan.
const GROUPS: u64 = 15395726432021054657;

/// The seed of joins: `HASH_JOIN_SEED` of datafusion-physical-plan.
const JOIN: u64 = 12210250226015887276;

#[test]
fn group_by() {
    flood(GROUP, 1000, "select text, count(*) from TEXTS group by text");
}

#[test]
fn group_by_several_columns() {
    flood(GROUPS, 1000, "select text, one, count(*) from TEXTS group by text, one");
}

#[test]
fn rollup() {
    flood(GROUPS, 1000, "select text, one, count(*) from TEXTS group by rollup(text, one)");
}

#[test]
fn distinct_rows() {
    flood(GROUP, 1000, "select distinct text from TEXTS");
}

#[test]
fn topmost_groups() {
    flood(GROUP, 2500, "select text, max(id) as m from TEXTS group by text order by m desc limit 2500");
}

#[test]
fn count_of_one_distinct() {
    flood(GROUP, 1000, "select count(distinct text) from TEXTS");
}

#[test]
fn count_of_several_distinct() {
    flood(GROUP, 1000, "select count(distinct text), count(distinct id) from TEXTS");
}

#[test]
fn count_of_distinct_in_windows() {
    flood(GROUP, 4000, "select count(distinct text) over (order by id rows 5000 preceding) from TEXTS");
}

#[test]
fn list_of_distinct() {
    flood(GROUP, 1500, "select array_agg(distinct text), string_agg(distinct text, ',') from TEXTS");
}

#[test]
fn joins() {
    flood(JOIN, 500, "select a.id, b.id from TEXTS a join TEXTS b on a.text = b.text");
    flood(JOIN, 1000, "select id from TEXTS where text not in (select text from TEXTS where id % 2 = 0)");
}

#[test]
fn set_operations() {
    flood(GROUP, 700, "select text from TEXTS union select concat(text, '') from TEXTS");
    flood(JOIN, 800, "select text from TEXTS intersect select concat(text, '') from TEXTS");
}

#[test]
fn recursion() {
    let statement = "with recursive r as (select text from TEXTS union select text from r) select * from r";
    flood(GROUP, 700, statement);
}

/// The least ratio of colliding to harmless texts without the guard.
const MUCH: f64 = 9.0;

/// Runs a statement with crafted and with harmless texts in place of `TEXTS`, with and without the guard.
fn flood(seed: u64, many: usize, statement: &str) {
    // One at a time, so that tests do not slow down each other's measurements.
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock();
    let sessions = Sessions::new(1);
    sessions.table("crafted", &[table(crafted(seed, many))]);
    sessions.table("harmless", &[table(harmless(seed, many))]);
    let without = ratio(&sessions, &sessions.plain, statement, |_, ratio| ratio >= MUCH);
    let with = ratio(&sessions, &sessions.guarded, statement, |turn, ratio| turn >= 5 && ratio <= 2.0);
    println!("{without:6.1} without the guard, {with:4.2} with it: {statement}");
    assert!(with <= 3.0, "crafted texts take {with:.1} times as long with the guard: {statement}");
    assert!(without >= MUCH, "crafted texts take only {without:.1} times as long without the guard: {statement}");
}

/// How many times as long crafted texts take as harmless ones. Both are run in turns until `is_plain`, and the fastest
/// runs are compared, since a busy machine slows down single runs.
fn ratio(sessions: &Sessions, session: &SessionContext, statement: &str, is_plain: impl Fn(usize, f64) -> bool) -> f64 {
    let (mut flood, mut control) = (f64::MAX, f64::MAX);
    for turn in 0..40 {
        control = control.min(time(sessions, session, &statement.replace("TEXTS", "harmless")));
        flood = flood.min(time(sessions, session, &statement.replace("TEXTS", "crafted")));
        if is_plain(turn, flood / control) {
            break;
        }
    }
    flood / control
}

/// The seconds of one run, without planning, which takes the same time for both.
fn time(sessions: &Sessions, session: &SessionContext, statement: &str) -> f64 {
    sessions.runtime.block_on(async {
        let plan = session.sql(statement).await.unwrap().create_physical_plan().await.unwrap();
        let start = Instant::now();
        collect(plan, session.task_ctx()).await.unwrap();
        start.elapsed().as_secs_f64()
    })
}

fn table(texts: Vec<String>) -> RecordBatch {
    let ids = Int64Array::from_iter_values(0..texts.len() as i64);
    let columns: [(&str, ArrayRef); 3] = [
        ("id", Arc::new(ids)),
        ("one", Arc::new(Int64Array::from(vec![1; texts.len()]))),
        ("text", Arc::new(StringViewArray::from_iter_values(texts))),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

/// Fails if DataFusion changes its hash, so that the measurements would measure nothing.
#[test]
fn crafted_texts_have_one_hash() {
    for seed in [GROUP, GROUPS, JOIN] {
        let hashes = |texts: Vec<String>| {
            let texts: ArrayRef = Arc::new(StringViewArray::from_iter_values(texts));
            let mut hashes = vec![0; texts.len()];
            create_hashes([&texts], &RandomState::with_seed(seed), &mut hashes).unwrap();
            hashes.sort_unstable();
            hashes.dedup();
            hashes.len()
        };
        assert_eq!(hashes(crafted(seed, 1000)), 1, "{seed}");
        assert_eq!(hashes(harmless(seed, 1000)), 1000, "{seed}");
    }
}
