//! Scans that are joined with a step of few bodies.

use super::{Groups, JOINS};
use crate::engine::fixture::answer_with_steps;
use tables::keys::first_id;

/// Two readers of a step with the bodies for which a condition holds. One of them joins it with all groups.
fn joined(condition: &str, join: &str) -> String {
    format!(
        "WITH few AS (SELECT crawl, body_id, count(*) AS n FROM groups WHERE {condition} GROUP BY crawl, body_id) \
         SELECT * FROM ({join}) UNION ALL SELECT crawl, body_id, 'few' FROM few ORDER BY 1, 2, 3"
    )
}

#[tokio::test]
async fn only_their_parts_are_read() {
    let groups = Groups::of_two_crawls("few");
    let context = groups.context(2);
    // One body in each of the parts 3, of 3 * 3 bodies with two groups. The table has 180 rows.
    let few = format!("body_id = {}", first_id(3) + 1);
    let of_few = "g.crawl = f.crawl AND g.body_id = f.body_id";
    for join in [
        format!("SELECT g.crawl, g.body_id, g.token FROM few AS f JOIN groups AS g ON {of_few}"),
        format!("SELECT g.crawl, g.body_id, g.token FROM groups AS g JOIN few AS f ON {of_few} WHERE g.group_no = 1"),
        format!(
            "SELECT g.crawl, g.body_id, g.token FROM groups AS g JOIN few AS f ON {of_few} AND g.agent_no + 2 = f.n"
        ),
        // The join of a join.
        format!(
            "SELECT g.crawl, g.body_id, h.token FROM few AS f JOIN groups AS g ON {of_few} \
             JOIN groups AS h ON h.crawl = g.crawl AND h.body_id = f.body_id"
        ),
        format!(
            "SELECT g.crawl, g.body_id, g.token FROM (SELECT crawl, body_id, max(n) FROM few GROUP BY crawl, body_id) AS f \
             JOIN groups AS g ON {of_few}"
        ),
    ] {
        let sql = joined(&few, &join);
        let (found, plan, rows) = answer_with_steps(&context, &sql).await;
        assert!(plan.contains("FewBodies"), "{sql}: {plan}");
        let scans = plan.matches("FewBodies").count() as u64;
        // The step reads its parts, too.
        assert!(rows > 0 && rows <= (scans + 1) * 36, "{rows}: {sql}: {plan}");
        assert_eq!(found, groups.expected(&sql).await, "{sql}");
    }
}

#[tokio::test]
async fn joins_have_the_same_rows_with_few_bodies_and_with_many() {
    let groups = Groups::of_two_crawls("few-or-many").part("A", 6, first_id(6)..first_id(6) + 200);
    let context = groups.context(2);
    let one = format!("body_id = {}", first_id(3) + 1);
    for kind in JOINS.into_iter().chain(["RIGHT SEMI JOIN", "RIGHT ANTI JOIN"]) {
        for sides in ["few AS f KIND groups AS g", "groups AS g KIND few AS f"] {
            let shown = if kind.starts_with("RIGHT ") { sides.rsplit(' ').next() } else { sides.split(' ').nth(2) };
            let columns = match (kind.ends_with("I JOIN"), shown) {
                (true, Some("f")) => "f.crawl, f.body_id, CAST(f.n AS varchar)",
                (true, _) => "g.crawl, g.body_id, g.token",
                (false, _) => "g.crawl, f.body_id, g.token",
            };
            let from = sides.replace("KIND", kind);
            let join = format!("SELECT {columns} FROM {from} ON g.crawl = f.crawl AND g.body_id = f.body_id");
            let conditions =
                if kind == "JOIN" { vec![one.as_str(), "true", "body_id < 0"] } else { vec![one.as_str()] };
            for condition in conditions {
                let sql = joined(condition, &join);
                let (found, _, _) = answer_with_steps(&context, &sql).await;
                assert_eq!(found, groups.expected(&sql).await, "{sql}");
            }
        }
    }
}

/// They are the first of all bodies, not of few.
#[tokio::test]
async fn the_first_rows_of_a_table_stay_the_same() {
    let groups = Groups::of_two_crawls("few-first");
    let few = format!("body_id = {}", first_id(3) + 1);
    for (first, rows) in [(3, 0), (500, 4)] {
        let join = format!(
            "SELECT g.crawl, g.body_id, g.token FROM few AS f JOIN \
             (SELECT * FROM groups ORDER BY crawl, body_id, group_no LIMIT {first}) AS g \
             ON g.crawl = f.crawl AND g.body_id = f.body_id"
        );
        for partitions in [1, 2] {
            let (found, plan, _) = answer_with_steps(&groups.context(partitions), &joined(&few, &join)).await;
            assert_eq!(found.matches("| few ").count(), 2, "{found}");
            assert_eq!(found.lines().count() - 4 - 2, rows, "{first}: {found}: {plan}");
        }
    }
}
