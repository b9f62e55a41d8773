//! `robocensus sql`: statements that DataFusion alone would refuse, answer wrongly or never answer.

use crate::sample;
use crate::sql::ask;

/// A panic of the engine once ended the rows as if they were all, with exit code 0.
#[test]
fn a_panic_of_the_engine_is_a_failure() {
    let folder = sample::ingested("sql_panic");
    // No batch of this size fits into memory.
    let statements = "SET datafusion.execution.batch_size = 18446744073709551615; \
                      SELECT url FROM captures ORDER BY url LIMIT 1";
    for format in ["table", "csv"] {
        let run = ask(&folder, statements, &["--read-write", "--format", format]);
        run.exits_with(2).prints("").complains_among_others("statement failed: statement, number 2: ");
    }
}

/// In DataFusion 55.2, such a filter makes the threads of a join wait for each other, and forever for a thread that is
/// not needed.
#[test]
fn joins_push_no_filter_to_the_tables_while_they_run() {
    let folder = sample::ingested("sql_join_filters");
    let statement = "EXPLAIN SELECT count(*) FROM captures AS c JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id \
                     WHERE c.url_host_name LIKE 'a%'";
    let run = folder.run(&["sql", "--tables", "tables", "--format", "csv", statement]);
    run.exits_with(0).prints_among_others("HashJoinExec");
    assert!(!run.stdout.contains("DynamicFilter"), "{run}");
}

/// The scan of `captures` has a copy of the condition, with the query.
#[test]
fn a_query_in_the_condition_of_a_join_is_answered() {
    let folder = sample::ingested("sql_join_conditions");
    let statement = "SELECT count(*) AS rows FROM captures AS c JOIN bodies AS b ON b.crawl = c.crawl AND b.body_id = c.body_id \
                     AND c.url_host_tld IN (SELECT url_host_tld FROM captures WHERE fetch_status = 404)";
    ask(&folder, statement, &["--format", "csv"]).exits_with(0).prints("rows\n155\n");
}

/// DataFusion plans the repeated condition as a column that may be null, although it said that it never is.
#[test]
fn groups_of_a_repeated_condition_are_answered() {
    let folder = sample::ingested("sql_repeated_conditions");
    let statement = "SELECT (group_no = 1) IS TRUE AND allow AND ((group_no = 1) IS TRUE AND octets > 3) AS is_such, \
                     count(*) > 0 AS has_rows FROM rules GROUP BY is_such ORDER BY is_such";
    ask(&folder, statement, &["--format", "csv"]).exits_with(0).prints("is_such,has_rows\nfalse,true\ntrue,true\n");
}

/// Each part of the union is sorted without columns that are the same in all of its rows, or equal to another one.
#[test]
fn a_sorted_union_of_parts_with_other_constants_is_answered() {
    let folder = sample::ingested("sql_sorted_union");
    let part = |condition: &str| {
        format!(
            "SELECT crawl, url_host_tld AS tld, fetch_status AS status, count(*) AS n FROM captures WHERE {condition} GROUP BY ALL"
        )
    };
    let (of_crawl, of_status) = (part("crawl = 'SAMPLE-2025-10' AND fetch_status <> 200"), part("fetch_status = 304"));
    let statement = format!("{of_crawl} UNION ALL {of_status} ORDER BY crawl, tld, status + 1, n");
    ask(&folder, &statement, &["--jobs", "1", "--format", "csv"])
        .exits_with(0)
        .prints("crawl,tld,status,n\nSAMPLE-2024-10,com,304,1\nSAMPLE-2025-10,com,403,1\nSAMPLE-2025-10,com,404,1\n");

    let total = "SELECT 'all' AS crawl, 'all' AS protocol, count(*) AS n FROM captures WHERE fetch_status =";
    let protocols = "SELECT crawl, url_protocol, count(*) FROM captures WHERE fetch_status = 304 GROUP BY ALL";
    let statement = format!("{total} 304 UNION ALL {total} 403 UNION ALL {protocols} ORDER BY crawl, protocol, n DESC");
    ask(&folder, &statement, &["--format", "csv"])
        .exits_with(0)
        .prints("crawl,protocol,n\nSAMPLE-2024-10,http,1\nall,all,4\nall,all,1\n");
    let equal = "SELECT fetch_status AS one, fetch_status AS other FROM captures WHERE fetch_status >= 500";
    let unequal = "SELECT fetch_status, length(crawl) FROM captures WHERE fetch_status = 304";
    let statement = format!("{equal} UNION ALL {unequal} ORDER BY one, other LIMIT 2");
    ask(&folder, &statement, &["--format", "csv"]).exits_with(0).prints("one,other\n304,14\n500,500\n");
}

/// DataFusion 55.2 names an expression of a later part as the first part names the column.
#[test]
fn parts_of_a_union_may_have_columns_in_another_order() {
    let folder = sample::ingested("sql_union_names");
    for (statement, expected) in [
        (
            "SELECT kind, reason FROM skips WHERE false UNION SELECT 'x', kind FROM skips ORDER BY 2 LIMIT 1",
            "x,damaged",
        ),
        (
            "SELECT kind, reason FROM skips WHERE false UNION SELECT kind, kind FROM skips ORDER BY 1 LIMIT 1",
            "damaged,damaged",
        ),
        (
            "(SELECT kind, reason FROM skips WHERE false) UNION (SELECT upper(reason), kind FROM skips) ORDER BY 1 LIMIT 1",
            "AFTER-DAMAGE,remark",
        ),
        (
            "SELECT kind, reason FROM skips EXCEPT SELECT kind, lower(reason) FROM skips UNION ALL SELECT 'a', 'b'",
            "a,b",
        ),
        (
            "SELECT kind, reason FROM skips WHERE occurrences IS NULL UNION (SELECT DISTINCT reason, kind FROM skips) \
             ORDER BY 1 LIMIT 1",
            "after-damage,remark",
        ),
        (
            "SELECT kind, reason FROM skips WHERE false UNION SELECT reason, skips.Reason FROM skips ORDER BY 1 LIMIT 1",
            "after-damage,after-damage",
        ),
        (
            "SELECT kind, reason FROM skips EXCEPT (SELECT kind, reason FROM skips ORDER BY 1) \
             UNION ALL (SELECT reason, upper(reason) FROM skips ORDER BY upper(reason) LIMIT 1)",
            "after-damage,AFTER-DAMAGE",
        ),
        (
            "SELECT kind, reason FROM skips EXCEPT SELECT kind, reason FROM skips \
             UNION ALL (SELECT DISTINCT 'x', count(*) FROM skips GROUP BY crawl ORDER BY count(*) DESC LIMIT 1)",
            "x,35",
        ),
        (
            "WITH RECURSIVE kind AS (SELECT 1 AS kind, 2 AS reason UNION ALL SELECT kind + 1, kind FROM kind WHERE kind < 3) \
             SELECT kind, reason FROM kind ORDER BY 1 DESC LIMIT 1",
            "3,2",
        ),
    ] {
        ask(&folder, statement, &["--format", "csv"]).exits_with(0).prints(&format!("kind,reason\n{expected}\n"));
    }
}

#[test]
fn distinct_rows_are_sorted_by_selected_expressions() {
    let folder = sample::ingested("sql_distinct_order");
    let statement =
        "SELECT DISTINCT upper(kind) AS k, length(kind) FROM skips ORDER BY length(kind) DESC, upper(kind) LIMIT 2";
    ask(&folder, statement, &["--format", "csv"]).exits_with(0).prints("k,length(skips.kind)\nDAMAGED,7\nSKIPPED,7\n");
    let by_key = "SELECT DISTINCT 10 - length(token) AS token FROM groups JOIN policies USING (crawl, body_id, token) \
                  ORDER BY 10 - length(token) DESC LIMIT 1";
    ask(&folder, by_key, &["--format", "csv"]).exits_with(0).prints("token\n9\n");
    let advice = "with SELECT DISTINCT, ORDER BY takes columns of the answer; write them as there, or as numbers\n";
    ask(&folder, "SELECT DISTINCT kind FROM skips ORDER BY reason", &[]).exits_with(2).complains_among_others(advice);
}

/// DataFusion 55.2 ignores the name in `OVER (w ORDER BY x)`, and reads `OVER w` only after SELECT.
#[test]
fn windows_build_on_others() {
    let folder = sample::ingested("sql_windows");
    let statement = "SELECT crawl, row_number() OVER (w ORDER BY fetch_time, url) AS n FROM captures \
                     WINDOW w AS (PARTITION BY crawl) QUALIFY rank() OVER (w ORDER BY url) = 1 ORDER BY count(*) OVER w";
    ask(&folder, statement, &["--format", "csv"])
        .exits_with(0)
        .prints("crawl,n\nSAMPLE-2025-10,14\nSAMPLE-2024-10,86\n");
    ask(&folder, "SELECT count(*) OVER (w) FROM captures", &[]).exits_with(2).complains_among_others("no window w\n");
}

/// In DataFusion 55.2, `*` has the key of the table whose name sorts first, and others come before it.
#[test]
fn all_columns_of_a_join_have_the_keys_of_its_left_side() {
    let folder = sample::ingested("sql_left_keys");
    for (statement, expected) in [
        (
            "SELECT count(*) AS rows, count(crawl) AS crawls, count(kind) < count(*) AS has_more \
             FROM (SELECT * FROM captures LEFT JOIN bodies USING (crawl, body_id)) AS x",
            "rows,crawls,has_more\n236,236,true\n",
        ),
        (
            "WITH t (a, k) AS (VALUES ('x', 1), ('y', 2)), s (k, b) AS (VALUES (2, 'z')), r (b, k) AS (VALUES ('w', 1)) \
             SELECT * FROM t LEFT JOIN s USING (k) LEFT JOIN r AS q USING (K) ORDER BY k",
            "a,k,b,b\nx,1,,w\ny,2,z,\n",
        ),
        (
            "SELECT crawl, count(*) AS rows FROM captures LEFT JOIN bodies USING (crawl, body_id) \
             LEFT JOIN policies USING (crawl, body_id) WHERE crawl = 'SAMPLE-2025-10' AND body_id IS NULL GROUP BY crawl",
            "crawl,rows\nSAMPLE-2025-10,2\n",
        ),
        (
            "SELECT kind FROM captures AS c JOIN bodies USING (crawl, body_id) JOIN policies USING (crawl, body_id) \
             WHERE crawl = 'SAMPLE-2025-10' ORDER BY body_id LIMIT 1",
            "kind\nrobots\n",
        ),
        (
            "SELECT crawl, count(*) AS rows FROM captures JOIN bodies USING (crawl, body_id) \
             JOIN policies USING (crawl, body_id) LEFT JOIN groups USING (crawl, body_id) WHERE body_id > 0 GROUP BY crawl ORDER BY crawl",
            "crawl,rows\nSAMPLE-2024-10,1157\nSAMPLE-2025-10,612\n",
        ),
        (
            "SELECT * FROM (VALUES (1, 2)) AS a (k, a) JOIN (VALUES (1, 3)) AS b (k, b) USING (k) \
             JOIN (VALUES (1, 4)) AS c (k, c) USING (k) JOIN (VALUES (1, 5)) AS d (k, d) USING (k)",
            "k,a,b,c,d\n1,2,3,4,5\n",
        ),
    ] {
        ask(&folder, statement, &["--format", "csv"]).exits_with(0).prints(expected);
    }
    let ambiguous = "several tables have a column crawl; write t.crawl for that of t, \
                     and ON t.crawl = u.crawl in place of USING (crawl)";
    let of_three = "SELECT count(*) AS n FROM captures AS c JOIN bodies AS b USING (crawl, body_id) \
                    JOIN policies AS p USING (crawl, body_id) JOIN groups AS g ";
    for statement in [
        "SELECT 1 AS x FROM captures JOIN bodies ON bodies.body_id = captures.body_id WHERE crawl = 'x'",
        &format!("{of_three} USING (crawl, body_id, token)"),
    ] {
        ask(&folder, statement, &[]).exits_with(2).complains_among_others(ambiguous);
    }
    let condition = "ON c.crawl = g.crawl AND c.body_id = g.body_id AND p.token = g.token";
    ask(&folder, &format!("{of_three} {condition}"), &["--format", "csv"]).exits_with(0);
    let refused =
        "this * over LEFT JOIN with USING or NATURAL is not supported; write a.*, b.* EXCLUDE (x) for its key x";
    ask(&folder, "SELECT * FROM captures NATURAL LEFT JOIN bodies", &[]).exits_with(2).complains_among_others(refused);
}

/// `site_access` takes only some columns from `policies`, which has each body and token once.
#[test]
fn a_side_that_nothing_reads_is_left_out() {
    let folder = sample::modelled("sql_unused_sides");
    let bodies = "captures AS c LEFT JOIN bodies AS b";
    for (read, table, is_read) in [
        ("agent, count(*) AS n FROM site_access GROUP BY agent", "policies", false),
        ("agent, max(deciding_line) AS line FROM site_access GROUP BY agent", "policies", true),
        (&format!("c.server FROM {bodies} ON b.body_id = c.body_id AND b.body_bytes > 9"), "bodies", false),
        (&format!("c.server FROM {bodies} ON b.body_id = c.body_id AND b.crawl = c.crawl"), "bodies", false),
        (&format!("b.kind FROM {bodies} ON b.body_id = c.body_id"), "bodies", true),
        // Several bodies have as many bytes.
        (&format!("c.server FROM {bodies} ON b.body_bytes = c.body_bytes"), "bodies", true),
        ("g.agent FROM groups AS g LEFT JOIN policies AS p ON p.body_id = g.body_id", "policies", true),
        (
            "c.server FROM captures AS c LEFT JOIN (SELECT body_id + 0 AS body_id FROM bodies) AS b USING (body_id)",
            "bodies",
            true,
        ),
        ("g.agent FROM groups AS g RIGHT JOIN bodies AS b ON b.body_id = g.body_id", "bodies", true),
    ] {
        let run = ask(&folder, &format!("EXPLAIN FORMAT indent SELECT {read}"), &["--format", "csv"]);
        assert_eq!(run.exits_with(0).stdout.contains(&format!("/{table}/")), is_read, "{read}: {run}");
    }
    let agents = |condition: &str| {
        let statement =
            format!("SELECT agent, count(*) AS n FROM site_access {condition} GROUP BY agent ORDER BY agent");
        ask(&folder, &statement, &["--format", "csv"]).exits_with(0).stdout.clone()
    };
    assert_eq!(agents(""), agents("WHERE coalesce(deciding_line, 1) > 0"));
}
