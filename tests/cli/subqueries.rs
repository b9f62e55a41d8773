//! Answers of statements with subqueries that read the query around them, or that `IN` compares. DataFusion rewrites each
//! into a join, and some versions do that wrongly. The expected rows are those of the SQL standard.

use crate::questions::sample_tables;
use crate::run::TestFolder;

const TABLES: &str = "WITH t (x, n) AS (VALUES ('a', 1), ('b', 2), ('b', 3), (NULL, 7)),
                           u (x, m) AS (VALUES ('a', 10), ('a', 20), ('c', 30))";

/// Statements, and the lines of their answers. An empty cell is null.
const ANSWERS: &[(&str, &str)] = &[
    ("SELECT n FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.x = t.x) ORDER BY n", "n 1"),
    ("SELECT n FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.x = t.x) ORDER BY n", "n 2 3 7"),
    ("SELECT n FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.x = t.x AND u.m > 15 * t.n) ORDER BY n", "n 1"),
    ("SELECT x FROM u WHERE EXISTS (SELECT 1 FROM t JOIN t AS o ON o.n = t.n WHERE t.x = u.x)", "x a a"),
    ("SELECT n FROM t WHERE x IN (SELECT x FROM u) ORDER BY n", "n 1"),
    // Whether null is in a list is unknown.
    ("SELECT n FROM t WHERE x NOT IN (SELECT x FROM u) ORDER BY n", "n 2 3"),
    ("SELECT count(*) AS n FROM t WHERE x NOT IN (SELECT x FROM t)", "n 0"),
    ("SELECT n FROM t WHERE n = 7 OR x IN (SELECT x FROM u) ORDER BY n", "n 1 7"),
    ("SELECT n FROM t WHERE n IN (SELECT m / 10 FROM u WHERE u.x = t.x) ORDER BY n", "n 1"),
    ("SELECT n FROM t WHERE n < ANY (SELECT m / 10 FROM u WHERE u.x = t.x) ORDER BY n", "n 1"),
    ("SELECT x FROM t GROUP BY x HAVING x IN (SELECT x FROM u) OR count(*) > 1 ORDER BY x", "x a b"),
    // A count of no rows is 0, and a sum of none is null.
    ("SELECT n, (SELECT count(*) + 1 FROM u WHERE u.x = t.x) AS c FROM t ORDER BY n", "n,c 1,3 2,1 3,1 7,1"),
    ("SELECT n, (SELECT sum(m) FROM u WHERE u.x = t.x) AS c FROM t ORDER BY n", "n,c 1,30 2, 3, 7,"),
    ("SELECT n FROM t WHERE n > (SELECT avg(n) FROM t AS o WHERE o.x = t.x) ORDER BY n", "n 3"),
    ("SELECT n, m FROM t CROSS JOIN LATERAL (SELECT m FROM u WHERE u.x = t.x) ORDER BY n, m", "n,m 1,10 1,20"),
    (
        "SELECT n, m FROM t LEFT JOIN LATERAL (SELECT m FROM u WHERE u.x = t.x AND m < 15) ON true ORDER BY n",
        "n,m 1,10 2, 3, 7,",
    ),
    (
        "SELECT n, m FROM t CROSS JOIN LATERAL (SELECT max(m) AS m FROM u WHERE u.x = t.x) ORDER BY n",
        "n,m 1,20 2, 3, 7,",
    ),
    (
        "SELECT n, m FROM t LEFT JOIN LATERAL (SELECT count(*) AS m FROM u WHERE u.x = t.x) ON true ORDER BY n",
        "n,m 1,2 2,0 3,0 7,0",
    ),
];

#[test]
fn subqueries_have_the_answers_of_the_standard() {
    let statements: Vec<String> = ANSWERS.iter().map(|(statement, _)| format!("{TABLES} {statement};\n")).collect();
    let folder = TestFolder::new("subqueries").with("all.sql", statements.concat());
    let run = folder.run(&["sql", "--file", "all.sql", "--tables", sample_tables(), "--format", "csv"]);
    let mut rest = run.exits_with(0).complains("").stdout.as_str();
    for (statement, lines) in ANSWERS {
        let expected = lines.replace(' ', "\n") + "\n";
        rest =
            rest.strip_prefix(&expected).unwrap_or_else(|| panic!("{statement}: {lines:?} is not the start of {rest}"));
    }
    assert_eq!(rest, "");
}
