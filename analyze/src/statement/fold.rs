//! Drops the parts of a query that the values of its parameters exclude.
//!
//! A parameter often chooses between branches: `WHERE $by = 'rank'`, one side of a `UNION ALL`, a `WHEN`. With its
//! value in place, the other branches are dead. Without them, the statement is readable, and engines have less to plan.
//!
//! Only literals are evaluated. An expression that depends on a column does not change.

mod empty;
mod literals;
mod unused;

use crate::statement::walk;
use datafusion::sql::sqlparser::ast::{Expr, Query, Select, VisitorMut};
use empty::drop_empty_steps;
use literals::{flag, folded, null};
use std::collections::BTreeSet;
use std::mem;
use std::ops::ControlFlow;
use unused::{drop_repeating_steps, drop_unused_columns};

/// Evaluates conditions of literals, and drops steps and joins without rows, and columns that nothing names. It knows the
/// forms that built-in queries have; another query might get another answer.
pub(super) fn fold(query: &mut Query) {
    let _ = walk::change(query, &mut DeadBranches);
    drop_empty_steps(query, &BTreeSet::new());
    drop_unused_columns(query);
    drop_repeating_steps(query);
}

/// Evaluates conditions of literals, and drops dead branches of expressions.
struct DeadBranches;

impl VisitorMut for DeadBranches {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Some(folded) = folded(expr) {
            *expr = folded;
        }
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        if let Some(Expr::Nested(inner)) = &mut select.selection {
            select.selection = Some(mem::replace(inner.as_mut(), null()));
        }
        if select.selection.as_ref().and_then(flag) == Some(true) {
            select.selection = None;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::ParsedQuery;

    #[track_caller]
    fn check(query: &str, expected: &str) {
        let mut parsed = ParsedQuery::parse(query).unwrap();
        parsed.fold();
        assert_eq!(parsed.to_string(), expected);
        let before = expected.to_owned();
        parsed.fold();
        assert_eq!(parsed.to_string(), before, "folding twice");
    }

    #[test]
    fn conditions_of_literals_are_computed() {
        check("SELECT a FROM t WHERE ('' = '' OR crawl = '') AND b > 1", "SELECT a FROM t WHERE b > 1");
        check("SELECT a FROM t WHERE 'x' IN ('y', 'z') OR b", "SELECT a FROM t WHERE b");
        check("SELECT a FROM t WHERE 'x' NOT IN ('y', 'z')", "SELECT a FROM t");
        check("SELECT a FROM t WHERE NOT ('x' <> 'x') AND (b OR c)", "SELECT a FROM t WHERE b OR c");
        check("SELECT a FROM t WHERE 20 > 1 AND 1 <= 1 AND a = 1", "SELECT a FROM t WHERE a = 1");
        check("SELECT a FROM t WHERE a = 'x' AND b IN ('x')", "SELECT a FROM t WHERE a = 'x' AND b IN ('x')");
    }

    #[test]
    fn cases_and_calls_lose_their_dead_branches() {
        check("SELECT CASE 'b' WHEN 'a' THEN x WHEN 'b' THEN y ELSE z END AS c FROM t", "SELECT y AS c FROM t");
        check("SELECT a AND CASE 'b' WHEN 'b' THEN x OR y END AS c FROM t", "SELECT a AND (x OR y) AS c FROM t");
        check("SELECT CASE 'c' WHEN 'a' THEN x ELSE z END AS c FROM t", "SELECT z AS c FROM t");
        check(
            "SELECT CASE WHEN a THEN x WHEN false THEN y WHEN true THEN z END AS c FROM t",
            "SELECT CASE WHEN a THEN x ELSE z END AS c FROM t",
        );
        // Without the branch, the null would have no type.
        check("SELECT CASE WHEN false THEN x END AS c FROM t", "SELECT CASE WHEN false THEN x END AS c FROM t");
        check("SELECT CASE a WHEN 'b' THEN x END AS c FROM t", "SELECT CASE a WHEN 'b' THEN x END AS c FROM t");
        check(
            "SELECT coalesce(nullif(concat_ws(' / ', CASE WHEN false THEN x END, CASE WHEN 'a' IN ('a') THEN y END), ''), 'all') AS s FROM t",
            "SELECT coalesce(nullif(concat_ws(' / ', y), ''), 'all') AS s FROM t",
        );
        check(
            "SELECT coalesce(nullif(concat_ws(' / ', CASE WHEN false THEN x END), ''), 'all') AS s FROM t",
            "SELECT 'all' AS s FROM t",
        );
    }

    #[test]
    fn empty_sides_of_unions_are_dropped() {
        check("SELECT a FROM t WHERE 'x' = 'x' UNION ALL SELECT b FROM u WHERE 'x' = 'y'", "SELECT a FROM t");
        // The first side names the columns.
        check("SELECT a, 1 AS b FROM t WHERE false UNION ALL SELECT c, 2 FROM u", "SELECT c AS a, 2 AS b FROM u");
        check(
            "SELECT *, 1 AS b FROM t WHERE false UNION ALL SELECT c FROM u",
            "SELECT *, 1 AS b FROM t WHERE false UNION ALL SELECT c FROM u",
        );
        check(
            "SELECT a FROM t UNION ALL SELECT b, 1 / count(*) OVER (PARTITION BY c) FROM u WHERE 'x' = 'y'",
            "SELECT a FROM t",
        );
        // A count of nothing is a row.
        check(
            "SELECT count(*) FROM t WHERE false UNION ALL SELECT b FROM u",
            "SELECT count(*) FROM t WHERE false UNION ALL SELECT b FROM u",
        );
    }

    #[test]
    fn columns_that_nothing_names_are_left_out() {
        check(
            "WITH a AS (SELECT s.*, NULL AS rank, 'none' AS category FROM sites AS s), b AS (SELECT *, 'all' AS stratum FROM a) \
             SELECT crawl, stratum FROM b",
            "WITH b AS (SELECT *, 'all' AS stratum FROM sites AS a) SELECT crawl, stratum FROM b",
        );
        check(
            "WITH a AS (SELECT t.x, t.y, t.z + 1 AS w FROM t), b AS (SELECT x, y, w FROM a) SELECT b.x FROM b WHERE b.y > 1",
            "WITH a AS (SELECT t.x, t.y FROM t), b AS (SELECT x, y FROM a) SELECT b.x FROM b WHERE b.y > 1",
        );
        check(
            "WITH a AS (SELECT x, y, z FROM t), b AS (SELECT x, y AS v, z AS w FROM a) SELECT v FROM b",
            "WITH a AS (SELECT y FROM t), b AS (SELECT y AS v FROM a) SELECT v FROM b",
        );
        check("SELECT a FROM (SELECT a, 1 AS b FROM t) AS x", "SELECT a FROM (SELECT a FROM t) AS x");
        check(
            "WITH a AS (SELECT 1 AS b FROM t) SELECT 2 AS c FROM a",
            "WITH a AS (SELECT 1 AS b FROM t) SELECT 2 AS c FROM a",
        );
        for kept in [
            // The sides of a union have the same columns, distinct rows depend on all of theirs, and calls may be aggregates.
            "WITH a AS (SELECT x, 1 AS y FROM t UNION ALL SELECT x, 2 FROM u) SELECT x FROM a",
            "WITH a AS (SELECT DISTINCT x, y FROM t) SELECT x FROM a",
            "WITH a AS (SELECT count(*) AS y FROM t) SELECT 1 AS x FROM a",
            "WITH a AS (SELECT x, y FROM t GROUP BY 1, 2) SELECT x FROM a",
            "WITH a AS (SELECT x, y FROM t) SELECT x FROM a JOIN u USING(y)",
            "WITH a AS (SELECT x, y FROM t) SELECT * FROM a",
            "WITH a AS (SELECT x, y FROM t), b AS (SELECT DISTINCT * FROM a) SELECT count(b.x) AS n FROM b",
            "WITH a AS (SELECT x, y FROM t), b AS (SELECT * FROM a GROUP BY ALL) SELECT count(b.x) AS n FROM b",
            "WITH a (p, q) AS (SELECT x, y FROM t) SELECT p FROM a",
            "SELECT x FROM t WHERE x IN (SELECT y FROM u)",
        ] {
            check(kept, kept);
        }
    }

    #[test]
    fn steps_that_repeat_a_table_are_left_out() {
        check("WITH a AS (SELECT * FROM t) SELECT a.x FROM a", "SELECT a.x FROM t AS a");
        check(
            "WITH a AS (SELECT s.* FROM t AS s), b AS (SELECT x FROM a AS c) SELECT x FROM b",
            "WITH b AS (SELECT x FROM t AS c) SELECT x FROM b",
        );
        for kept in [
            "WITH a AS (SELECT * FROM t WHERE x > 1) SELECT x FROM a",
            "WITH a AS (SELECT * FROM t LIMIT 1) SELECT x FROM a",
            "WITH a AS (SELECT * FROM t, u) SELECT x FROM a",
            // In the inner query, t is another table.
            "WITH a AS (SELECT * FROM t) SELECT x FROM (WITH t AS (SELECT x FROM u) SELECT t.x FROM t JOIN a ON a.x = t.x) AS b",
        ] {
            check(kept, kept);
        }
    }

    #[test]
    fn empty_steps_are_left_out() {
        check(
            "WITH r AS (SELECT host, rank FROM ranks WHERE 'rank' IN ('none')), \
             s AS (SELECT w.*, coalesce(r.rank, 0) AS rank FROM sites AS w LEFT JOIN r ON r.host = w.host) SELECT a, rank FROM s",
            "WITH s AS (SELECT w.*, 0 AS rank FROM sites AS w) SELECT a, rank FROM s",
        );
        // A join that needs a row of an empty step is empty, and so is a union of such joins.
        check(
            "WITH r AS (SELECT a FROM t WHERE false), s AS (SELECT r.a FROM r JOIN u ON u.a = r.a) \
             SELECT b FROM v UNION ALL SELECT s.a FROM s",
            "SELECT b FROM v",
        );
        check(
            "WITH r AS (SELECT a FROM t WHERE false), s AS (SELECT a FROM r) SELECT b FROM v UNION ALL SELECT a FROM s",
            "SELECT b FROM v",
        );
        // The table of an unqualified column is unknown.
        check(
            "WITH r AS (SELECT a FROM t WHERE false) SELECT b FROM u LEFT JOIN r ON r.a = u.a",
            "WITH r AS (SELECT a FROM t WHERE false) SELECT b FROM u LEFT JOIN r ON r.a = u.a",
        );
        for kept in [
            // A star names the columns of the step.
            "WITH r AS (SELECT a FROM t WHERE false) SELECT * FROM u LEFT JOIN r ON r.a = u.a",
            "WITH r AS (SELECT a FROM t WHERE false) SELECT r.*, u.a AS b FROM u LEFT JOIN r ON r.a = u.a",
            // In the inner query, r is another table.
            "WITH r AS (SELECT a FROM t WHERE false) \
             SELECT u.a, (SELECT max(r.b) FROM (SELECT 5 AS b) AS r) AS m FROM u LEFT JOIN r ON r.a = u.a",
            "WITH r AS (SELECT a FROM t WHERE false) \
             SELECT r.a FROM u LEFT JOIN r ON r.a = u.a, v RIGHT JOIN w ON w.a = v.a",
            // These have a row without a row of the step.
            "WITH r AS (SELECT a FROM t WHERE false) SELECT 1 AS one FROM r HAVING count(*) = 0",
            "WITH r AS (SELECT a FROM t WHERE false) SELECT r.a, count(*) AS n FROM r GROUP BY ROLLUP (r.a)",
            "WITH r AS (SELECT a FROM t WHERE false) SELECT count(*) AS n FROM r GROUP BY ALL",
        ] {
            check(kept, kept);
        }
    }
}
