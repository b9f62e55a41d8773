//! Code that reads, plans and runs a statement recurses once per level. The stack is large enough for each statement that
//! is not refused.

use crate::sample;
use crate::sql::ask;

#[test]
fn the_deepest_statements_are_answered() {
    let folder = sample::ingested("sql_deepest");
    let (or, and) = (vec!["octets = line_no"; 490].join(" OR "), vec!["octets IS NOT NULL"; 490].join(" AND "));
    let step = |nth: usize| format!("c{nth} AS (SELECT n, count(*) AS m FROM c{} GROUP BY n)", nth - 1);
    let steps: Vec<String> = (1..98).map(step).collect();
    let join = |nth: usize| format!("LEFT JOIN agents AS a{nth} ON a{nth}.token = a{}.token", nth - 1);
    let joins: Vec<String> = (1..60).map(join).collect();
    for statement in [
        format!("SELECT count(octets{}) AS n FROM rules", "::BIGINT".repeat(990)),
        format!("SELECT count(*) AS n FROM rules WHERE ({or}) AND {and}"),
        format!("WITH c0 AS (SELECT octets AS n FROM rules), {} SELECT count(*) AS n FROM c97", steps.join(", ")),
        format!("SELECT count(*) AS n FROM agents AS a0 {}", joins.join(" ")),
        format!("SELECT CAST(NULL AS {}INT{}) IS NULL AS n", "ARRAY<".repeat(190), ">".repeat(190)),
        format!("SELECT {}1{} AS n", "(".repeat(20), ")".repeat(20)),
    ] {
        ask(&folder, &statement, &[]).exits_with(0);
    }
    for (start, prefix) in [("", "EXPLAIN "), ("SELECT ", "INTERVAL ")] {
        let statement = format!("{start}{}'1'", prefix.repeat(90_000));
        let run = folder.run_with_stdin(&["sql", "--tables", sample::OUT], statement.as_bytes());
        run.exits_with(2).complains("statement cannot be read: standard input: it is nested too deeply\n");
    }
}
