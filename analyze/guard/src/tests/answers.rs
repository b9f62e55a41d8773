//! Each statement is guarded, and has the same answer as without the guard.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BinaryArray, DictionaryArray, Float64Array, Int64Array, LargeStringArray, ListArray, ListBuilder,
    RecordBatch, StringArray, StringBuilder, StringViewArray,
};
use datafusion::arrow::datatypes::Int32Type;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::prelude::SessionContext;

use super::Sessions;

#[test]
fn groups() {
    check("select pattern, count(*) from rules group by pattern", "text_key(");
    check("select pattern, id, count(*) from rules group by pattern, id", "gby=[text_order(");
    check("select agent, count(*), sum(id), min(pattern) from rules group by agent", "text_key(");
    check("select host, max(id) from rules group by host", "text_key(");
    check("select bytes, max(id) from rules group by bytes", "text_key(");
    check("select kind, max(id) from rules group by kind", "text_key(");
    check("select names, max(id) from rules group by names", "text_key(");
    check("select pattern, agent, id % 3 as m, count(*) from rules group by 1, 2, 3", "text_key(");
    check("select upper(pattern) as p, count(*) from rules group by upper(pattern)", "text_key(");
    check("select r.pattern from rules r group by r.pattern having count(*) > 1", "text_key(");
    check("select pattern, avg(score) filter (where id > 3) from rules group by pattern", "text_key(");
    check("select pattern, first_value(id order by id desc) from rules group by pattern", "text_key(");
    check("select pattern, array_agg(id order by id desc) from rules group by pattern", "text_key(");
    check("select pattern, count(*) from rules where id < 0 group by pattern", "text_key(");
    check("select pattern, count(*) from rules group by pattern order by pattern desc nulls last limit 2", "text_key(");
    check("select pattern, max(id) m from rules group by pattern order by m desc limit 2", "text_key(");
    check("select length(pattern), count(*) from (select pattern from rules group by pattern) group by 1", "text_key(");
    check("select id, (select count(distinct agent) from rules) c from rules", "text_key(");
    check("select 'x' as x, pattern, count(*) from rules group by x, pattern", "text_key(");
    check("select distinct on (agent) agent, id from rules order by agent, id", "text_key(");
    let view = "with v as (select agent, count(*) n from rules group by agent) select * from v a join v b on a.n = b.n";
    check(view, "text_key(");
}

#[test]
fn sets_of_groups() {
    check("select pattern, agent, count(*) from rules group by rollup(pattern, agent)", "with_key(");
    check("select pattern, id % 2, count(*) from rules group by cube(pattern, id % 2)", "with_key(");
    check(
        "select pattern, agent, grouping(pattern), grouping(agent), grouping(pattern, agent), count(*) from rules \
         group by grouping sets ((pattern), (agent), (pattern, agent), ())",
        "with_key(",
    );
    check(
        "select host, kind, grouping(kind), count(distinct pattern), array_agg(distinct agent order by agent) \
         from rules group by rollup(host, kind)",
        "with_key(",
    );
    check("select pattern, count(*) from rules group by rollup(pattern, coalesce(pattern))", "with_key(");
}

/// Each use of a random text draws another one.
#[test]
fn random_texts_get_no_key() {
    let sessions = tables(1);
    for (statement, expected) in [
        ("select cast(floor(random() * 2) as varchar) as k from rules group by k", 2),
        ("select distinct case when random() < 0.5 then 'a' else 'b' end as k from rules", 2),
        (
            "select r.id from (select 1 as id) r join (select 'a' as k) o on o.k = case when random() < 2 then 'a' end",
            1,
        ),
    ] {
        let found: usize = sessions.run(&sessions.guarded, statement).iter().map(RecordBatch::num_rows).sum();
        assert_eq!(found, expected, "{statement}");
    }
}

/// The correlation must not get lost.
#[test]
fn not_in_with_a_second_pair_is_refused_as_without_the_guard() {
    let sessions = tables(1);
    let statement = "select id from rules r where pattern not in (select pattern from others o where o.id = r.id)";
    for session in [&sessions.plain, &sessions.guarded] {
        let answer = sessions.runtime.block_on(async { session.sql(statement).await?.collect().await });
        assert!(answer.is_err_and(|error| error.to_string().contains("null_aware")), "{statement}");
    }
}

#[test]
fn sets() {
    check("select distinct pattern from rules", "text_key(");
    check("select distinct pattern, agent, id % 2 from rules", "text_key(");
    check("select distinct * from rules", "text_key(");
    check("select distinct pattern from rules order by pattern limit 3", "text_key(");
    check("select pattern from rules union select pattern from others", "text_key(");
    check("select pattern from rules intersect select pattern from others", "text_key(");
    check("select pattern from rules except select pattern from others", "text_key(");
    check("select pattern from rules intersect all select pattern from others", "text_key(");
    check("select pattern, id from rules except all select pattern, id from others", "text_key(");
}

#[test]
fn distinct_values() {
    check("select count(distinct pattern) from rules", "text_");
    check("select count(distinct pattern), count(distinct agent) from rules", "text_digest(");
    check("select count(distinct host), count(distinct bytes), count(distinct kind) from rules", "text_digest(");
    check("select count(distinct pattern), count(distinct names) from rules", "text_digest(");
    check("select agent, count(distinct pattern) as n from rules group by agent", "text_key(");
    check("select agent, count(distinct pattern), count(distinct id) from rules group by agent", "text_digest(");
    check(
        "select id % 2, count(distinct pattern) filter (where id > 2), sum(id) from rules group by 1",
        "text_digest(",
    );
    check("select count(distinct pattern) from rules where id < 0", "text_");
    check("select id, count(distinct pattern) over (order by id) from rules", "text_digest(");
    check("select id, count(distinct agent) over (partition by host order by id) as n from rules", "text_digest(");
    check("select array_agg(distinct pattern order by pattern) from rules", "with_key(");
    check("select array_agg(distinct pattern order by pattern desc) from rules", "with_key(");
    check("select array_agg(distinct pattern order by pattern desc nulls last) from rules", "with_key(");
    check("select array_agg(distinct pattern order by pattern) ignore nulls from others", "with_key(");
    check("select id % 2, array_sort(array_agg(distinct agent)) as a, count(*) from rules group by 1", "with_key(");
    check("select array_agg(distinct pattern), count(*) from rules where id < 0", "with_key(");
    check("select string_agg(distinct pattern, ', ' order by pattern) from rules", "with_key(");
    check("select id % 2, string_agg(distinct host, '|' order by host desc) from rules group by 1", "with_key(");
    check("select string_agg(distinct pattern, ',') from rules where pattern is null", "with_key(");
    check("select string_agg(distinct pattern, ',') from rules where id < 0", "with_key(");
    check("select string_agg(distinct pattern, ',' order by pattern) from rules where pattern = ''", "with_key(");
}

#[test]
fn joins() {
    for kind in ["inner", "left", "right", "full"] {
        check(
            &format!("select r.id, o.id, r.pattern from rules r {kind} join others o on r.pattern = o.pattern"),
            "text_key(",
        );
        check(
            &format!(
                "select r.id, o.id from rules r {kind} join others o on r.agent = o.agent and r.pattern = o.pattern \
                 and r.id < o.id + 3"
            ),
            "text_key(",
        );
        check(
            &format!("select r.id, o.id from rules r {kind} join others o on lower(r.pattern) = lower(o.pattern)"),
            "text_key(",
        );
        check(
            &format!("select * from rules r {kind} join others o on r.pattern is not distinct from o.pattern"),
            "text_key(",
        );
    }
    for kind in ["left semi", "left anti", "right semi", "right anti"] {
        check(&format!("select * from rules r {kind} join others o on r.pattern = o.pattern"), "text_key(");
    }
    // The sides have different text types.
    check("select r.id, o.id from rules r join others o on r.agent = o.pattern", "text_key(");
    check("select r.id, o.id from rules r join others o on r.host = o.pattern", "text_key(");
    check("select r.id, o.id from rules r join others o on r.kind = o.pattern", "text_key(");
    check("select r.id, o.id from rules r join rules o on r.names = o.names", "text_key(");
    check("select r.id from rules r join others o using (pattern) join rules q using (pattern)", "text_key(");
    check(
        "select pattern, count(*) from rules natural join (select pattern from others) group by pattern",
        "text_key(",
    );
    check("select id from rules where pattern in (select pattern from others)", "text_key(");
    check("select id from rules where pattern not in (select pattern from others)", "text_digest(");
    check(
        "select id from rules where pattern not in (select pattern from others where pattern is not null)",
        "text_digest(",
    );
    check("select id from rules where pattern in (select pattern from others) or id > 5", "text_key(");
    check("select id from rules r where exists (select 1 from others o where o.pattern = r.pattern)", "text_key(");
    check("select id, (select max(id) from others o where o.pattern = r.pattern) as m from rules r", "text_key(");
}

#[test]
fn recursion() {
    check(
        "with recursive hops as (select id, pattern from rules where id < 3 union \
         select h.id, o.agent from hops h join others o on h.pattern = o.pattern) select * from hops",
        "__text_key",
    );
    check(
        "with recursive hops(name) as (select pattern from rules union \
         select concat('/', name) from hops where length(name) < 4) select name, count(*) from hops group by name",
        "__text_key",
    );
}

#[test]
fn statements_that_hash_no_text_get_no_key() {
    let sessions = tables(2);
    for statement in [
        "select id, count(distinct score) from rules group by id",
        "select r.id from rules r join others o on r.id = o.id",
        "select max(pattern), min(distinct agent), approx_distinct(agent) from rules",
        "select id, row_number() over (partition by pattern order by id) from rules",
        "with recursive n(i) as (select 1 union select i + 1 from n where i < 5) select i from n",
    ] {
        let statement = format!("explain {statement}");
        let plan = lines(&sessions, &sessions.guarded, &statement).join("\n");
        for key in ["text_key", "text_digest", "with_key"] {
            assert!(!plan.contains(key), "{statement}: {plan}");
        }
    }
}

#[test]
fn names_and_types_stay() {
    let sessions = tables(2);
    for statement in [
        "select pattern, agent as a, count(distinct host), array_agg(distinct agent), string_agg(distinct host, ',') \
         from rules group by pattern, agent",
        "select pattern, kind, names from rules group by cube(pattern, kind, names)",
        "select * from rules r full join others o on r.pattern = o.pattern",
        "select array_agg(distinct pattern) over (order by id) as a from rules",
    ] {
        let [plain, guarded] = [&sessions.plain, &sessions.guarded].map(|session| {
            let plan = sessions.runtime.block_on(async { session.sql(statement).await?.create_physical_plan().await });
            plan.unwrap_or_else(|error| panic!("{statement}: {error}")).schema()
        });
        assert_eq!(plain, guarded, "{statement}");
    }
}

/// Checks that the sorted rows are the same with and without the guard, on one thread and on several, and that the plan
/// has the key.
fn check(statement: &str, key: &str) {
    for partitions in [1, 3] {
        let sessions = tables(partitions);
        let [mut plain, mut guarded] =
            [&sessions.plain, &sessions.guarded].map(|session| lines(&sessions, session, statement));
        plain.sort();
        guarded.sort();
        assert_eq!(plain, guarded, "{statement}");
        let plan = lines(&sessions, &sessions.guarded, &format!("explain {statement}")).join("\n");
        assert!(plan.contains(key), "{statement}: {plan}");
    }
}

fn lines(sessions: &Sessions, session: &SessionContext, statement: &str) -> Vec<String> {
    let batches = sessions.run(session, statement);
    pretty_format_batches(&batches).unwrap().to_string().lines().map(str::to_owned).collect()
}

fn tables(partitions: usize) -> Sessions {
    let sessions = Sessions::new(partitions);
    let long = "/a/path/that/is/longer/than/a/view/holds/by/itself";
    let patterns =
        [Some("/"), Some("/a"), None, Some("/"), Some(""), Some(long), Some("/B"), None, Some("/a"), Some("/b")];
    sessions.table("rules", &[rows(&patterns, 0), rows(&patterns[2..7], 10), rows(&[], 0)]);
    let patterns = [Some("/a"), Some("/a"), None, Some("/"), Some("/c"), Some(long), Some("")];
    sessions.table("others", &[rows(&patterns, 4)]);
    sessions
}

fn rows(patterns: &[Option<&str>], from: usize) -> RecordBatch {
    let names = ["GPTBot", "*", "/", "/a", "a bot whose name is a long one indeed"];
    let rows = || 0..patterns.len();
    let name = |row: usize| names[(row * 7 + from) % names.len()];
    let maybe = |row: usize| (row % 4 != 1).then(|| name(row + 1));
    let columns: [(&str, ArrayRef); 8] = [
        ("id", Arc::new(Int64Array::from_iter_values(rows().map(|row| (row + from) as i64)))),
        ("pattern", Arc::new(StringArray::from(patterns.to_vec()))),
        ("agent", Arc::new(StringViewArray::from_iter(rows().map(maybe)))),
        ("host", Arc::new(LargeStringArray::from_iter(rows().map(|row| Some(name(row)))))),
        ("bytes", Arc::new(BinaryArray::from_iter(rows().map(|row| maybe(row + 2).map(str::as_bytes))))),
        ("kind", Arc::new(DictionaryArray::<Int32Type>::from_iter(rows().map(|row| maybe(row / 2))))),
        ("names", Arc::new(names_of(patterns.len(), maybe))),
        ("score", Arc::new(Float64Array::from_iter_values(rows().map(|row| row as f64 / 2.0)))),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

/// Lists of up to two names; some names are null.
fn names_of<'a>(rows: usize, name: impl Fn(usize) -> Option<&'a str>) -> ListArray {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for row in 0..rows {
        for of in 0..row % 3 {
            lists.values().append_option(name(row + of));
        }
        lists.append(row % 5 != 0);
    }
    lists.finish()
}
