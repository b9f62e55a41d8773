//! Refuses clauses that the parser reads and DataFusion 55.2 ignores, and those that one of them misreads. Without an
//! error, such a statement would get the answer to another question.

use crate::statement::join_keys::is_by_name;
use crate::statement::walk;
use datafusion::error::{DataFusionError, Result};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, DataType, Expr, GroupByExpr, GroupByWithModifier, JoinOperator, Query, Select, SelectItem, SetExpr,
    SetOperator, SetQuantifier, TableFactor, TableWithJoins, Visitor, WildcardAdditionalOptions,
};
use std::ops::ControlFlow;

/// Fails if a statement has such a clause.
pub(super) fn check_statement(statement: &Statement) -> Result<()> {
    let mut found = Ignored::default();
    let _ = walk::read_statement(statement, &mut found);
    match found.clause {
        Some(clause) => {
            let (clause, advice) = clause.split_at(clause.find(';').unwrap_or(clause.len()));
            Err(DataFusionError::Plan(format!("{clause} is not supported{advice}")))
        }
        None => Ok(()),
    }
}

#[derive(Debug, Default)]
struct Ignored {
    /// The first such clause. After a semicolon, what to write in its place.
    clause: Option<&'static str>,
}

impl Ignored {
    fn find(&mut self, clauses: &[(bool, &'static str)]) -> ControlFlow<()> {
        self.clause = clauses.iter().find_map(|(is_there, clause)| is_there.then_some(*clause));
        if self.clause.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Visitor for Ignored {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.find(&[
            (query.settings.is_some(), "SETTINGS"),
            (query.format_clause.is_some(), "FORMAT after a query"),
            (query.for_clause.is_some(), "FOR after a query"),
            (counts_equal_rows(&query.body), "INTERSECT ALL or EXCEPT ALL; INTERSECT and EXCEPT are"),
        ])
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        let (GroupByExpr::All(modifiers) | GroupByExpr::Expressions(_, modifiers)) = &select.group_by;
        let is_ilike = |wildcard: &WildcardAdditionalOptions| wildcard.opt_ilike.is_some();
        let has_ilike = select.projection.iter().any(|item| match item {
            SelectItem::Wildcard(wildcard) | SelectItem::QualifiedWildcard(_, wildcard) => is_ilike(wildcard),
            _ => false,
        });
        self.find(&[
            (select.prewhere.is_some(), "PREWHERE"),
            (!select.connect_by.is_empty(), "CONNECT BY"),
            (has_ilike, "* ILIKE"),
            (modifiers.contains(&GroupByWithModifier::Rollup), "WITH ROLLUP; write GROUP BY ROLLUP (a, b)"),
            (modifiers.contains(&GroupByWithModifier::Cube), "WITH CUBE; write GROUP BY CUBE (a, b)"),
            (modifiers.contains(&GroupByWithModifier::Totals), "WITH TOTALS"),
            (!modifiers.is_empty(), "GROUPING SETS without a comma before it"),
            (select.from.iter().any(loses_keys), LOSES_KEYS),
        ])
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        match factor {
            TableFactor::Table { sample, partitions, .. } => self
                .find(&[(sample.is_some(), "a sample of a table"), (!partitions.is_empty(), "PARTITION of a table")]),
            TableFactor::Derived { sample, .. } => self.find(&[(sample.is_some(), "a sample of a query")]),
            TableFactor::NestedJoin { table_with_joins, .. } => {
                self.find(&[(loses_keys(table_with_joins), LOSES_KEYS)])
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        match expression {
            Expr::Cast { data_type, .. } => {
                let has_length = matches!(
                    data_type,
                    DataType::Varchar(Some(_)) | DataType::Char(Some(_)) | DataType::String(Some(_))
                );
                self.find(&[(has_length, "the length of a text, as in varchar(2); substr(text, 1, 2) shortens it")])
            }
            // sqlparser takes all that follows for the right side, though `AND` and `OR` bind less tightly than `IS`.
            Expr::IsDistinctFrom(_, right) | Expr::IsNotDistinctFrom(_, right) => {
                let is_misread = matches!(
                    right.as_ref(),
                    Expr::BinaryOp { op: BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor, .. }
                );
                self.find(&[(is_misread, "IS DISTINCT FROM before AND or OR; write (a IS DISTINCT FROM b) AND c")])
            }
            // DataFusion searches for a regular expression. SQL compares the whole text, and has `%` and `_`.
            Expr::SimilarTo { .. } => self.find(&[(true, "SIMILAR TO; LIKE and ~ are")]),
            _ => ControlFlow::Continue(()),
        }
    }
}

const LOSES_KEYS: &str = "RIGHT or FULL JOIN with USING or NATURAL; write ON, and coalesce(a.x, b.x) for its key";

/// Whether a join takes the key of its left side, which is null where only the right side has a row.
fn loses_keys(joined: &TableWithJoins) -> bool {
    let keeps_right = |join: &JoinOperator| {
        matches!(join, JoinOperator::Right(_) | JoinOperator::RightOuter(_) | JoinOperator::FullOuter(_))
    };
    joined.joins.iter().any(|join| keeps_right(&join.join_operator) && is_by_name(&join.join_operator))
}

/// Whether it matters to a set operation how often a row occurs. DataFusion makes it a semi join or an anti join.
fn counts_equal_rows(set: &SetExpr) -> bool {
    let SetExpr::SetOperation { op, set_quantifier, left, right } = set else { return false };
    (*op != SetOperator::Union && *set_quantifier == SetQuantifier::All)
        || counts_equal_rows(left)
        || counts_equal_rows(right)
}

#[cfg(test)]
mod tests {
    use super::LOSES_KEYS;
    use crate::statement::parse_statements;

    const EQUAL_ROWS: &str = "INTERSECT ALL or EXCEPT ALL; INTERSECT and EXCEPT are";

    #[test]
    fn clauses_without_effect_are_refused() {
        for (statement, clause) in [
            ("SELECT count(*) FROM t TABLESAMPLE BERNOULLI (1)", "a sample of a table"),
            ("SELECT count(*) FROM t SAMPLE 0.01", "a sample of a table"),
            ("SELECT count(*) FROM (SELECT 1) AS t TABLESAMPLE SYSTEM (1)", "a sample of a query"),
            ("SELECT a FROM t UNION ALL SELECT a FROM u AS v TABLESAMPLE (10 ROWS)", "a sample of a table"),
            ("SELECT count(*) FROM t PARTITION (p)", "PARTITION of a table"),
            ("SELECT a FROM t PREWHERE a = 1", "PREWHERE"),
            ("SELECT a FROM t START WITH a = 1 CONNECT BY PRIOR a = b", "CONNECT BY"),
            ("SELECT * ILIKE '%a%' FROM t", "* ILIKE"),
            ("SELECT t.* ILIKE '%a%' FROM t", "* ILIKE"),
            ("SELECT a FROM t GROUP BY a WITH ROLLUP", "WITH ROLLUP; write GROUP BY ROLLUP (a, b)"),
            ("EXPLAIN SELECT a FROM t GROUP BY a WITH CUBE", "WITH CUBE; write GROUP BY CUBE (a, b)"),
            ("COPY (SELECT a FROM t GROUP BY a WITH TOTALS) TO 'a.csv'", "WITH TOTALS"),
            ("SELECT 1 WHERE 1 IN (SELECT a FROM t GROUP BY ALL WITH TOTALS)", "WITH TOTALS"),
            ("SELECT a FROM t SETTINGS a = 1", "SETTINGS"),
            ("SELECT a FROM t FORMAT JSON", "FORMAT after a query"),
            ("SELECT a FROM t FOR JSON AUTO", "FOR after a query"),
            (
                "SELECT a FROM t WHERE CAST(a AS varchar(2)) = 'a'",
                "the length of a text, as in varchar(2); substr(text, 1, 2) shortens it",
            ),
            (
                "SELECT a FROM t WHERE a IS DISTINCT FROM b AND c",
                "IS DISTINCT FROM before AND or OR; write (a IS DISTINCT FROM b) AND c",
            ),
            (
                "SELECT NOT a IS NOT DISTINCT FROM b = 1 OR c FROM t",
                "IS DISTINCT FROM before AND or OR; write (a IS DISTINCT FROM b) AND c",
            ),
            ("SELECT a FROM t RIGHT JOIN u USING (a)", LOSES_KEYS),
            ("SELECT 1 IN (SELECT a FROM t NATURAL RIGHT OUTER JOIN u)", LOSES_KEYS),
            ("SELECT a FROM v JOIN (t FULL JOIN u USING (a)) ON v.b = u.b", LOSES_KEYS),
            ("SELECT a FROM v, t NATURAL FULL JOIN u", LOSES_KEYS),
            ("SELECT a FROM t INTERSECT ALL SELECT a FROM u", EQUAL_ROWS),
            ("SELECT a FROM t UNION (SELECT a FROM u EXCEPT ALL VALUES (1) UNION VALUES (2))", EQUAL_ROWS),
            ("SELECT a FROM t WHERE NOT a NOT SIMILAR TO 'a%'", "SIMILAR TO; LIKE and ~ are"),
            ("SELECT a::char(1) FROM t", "the length of a text, as in varchar(2); substr(text, 1, 2) shortens it"),
        ] {
            let error = parse_statements(statement).err().map(|error| error.strip_backtrace());
            let expected = match clause.split_once(';') {
                Some((clause, advice)) => format!("Error during planning: {clause} is not supported;{advice}"),
                None => format!("Error during planning: {clause} is not supported"),
            };
            assert_eq!(error, Some(expected), "{statement}");
        }
        for statement in [
            "SELECT a, count(*) FROM t AS sample GROUP BY ROLLUP (a)",
            "SELECT * EXCEPT (a) FROM t FOR UPDATE",
            "SELECT a FROM t GROUP BY ALL",
            "SELECT a FROM t JOIN u USING (a) NATURAL LEFT JOIN v FULL JOIN w ON w.a = v.a RIGHT SEMI JOIN x USING (a)",
            "SELECT a FROM t UNION ALL SELECT a FROM u EXCEPT SELECT a FROM v INTERSECT DISTINCT SELECT a FROM w",
            "SELECT CAST(a AS varchar), CAST(a AS decimal(4, 2)) FROM t",
            "SELECT c AND a IS DISTINCT FROM b, (a IS DISTINCT FROM b) OR c, a IS DISTINCT FROM (b AND c) FROM t",
        ] {
            assert!(parse_statements(statement).is_ok(), "{statement}");
        }
    }
}
