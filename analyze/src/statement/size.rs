//! Limits the size of statements.
//!
//! A chain such as `a OR b OR c` is a tree as deep as the chain is long, and so is a chain of joins or of `UNION`. Code
//! that plans, compares or drops such a tree recurses once per level. So the depth is limited to what fits into the
//! stacks of [`crate::engine::threads`]. The length of a list is not limited, since `IN ('a', 'b', …)` is flat.

pub(super) mod text;

use crate::statement::walk;
use datafusion::error::{DataFusionError, Result};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, ObjectName, ObjectNamePart, Query, Select, SetExpr, TableFactor, Visitor,
};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::ptr;

/// The most nested operators. DuckDB has the same limit.
const MOST_NESTED: usize = 1_000;

/// The most tables, subqueries and parts without tables of a query, with those of its largest subquery or step. They may
/// be one chain of joins or of `UNION`, and the time to plan a chain of joins grows with more than its square.
const MOST_TABLES: usize = 200;

/// The most tables if each step of a `WITH` stands in place of its name, as it does when a statement is planned. If
/// each step reads the one before it twice, every step doubles their number. The printed statement of a question about
/// an untracked agent has up to 800 of them for each crawl.
const MOST_EXPANDED: usize = 50_000;

/// The most columns of a `SELECT`. The time to plan them grows with their square.
const MOST_COLUMNS: usize = 4_000;

/// The most columns of a `CUBE`. It groups by each set of them, and DataFusion makes at most 4,096 sets elsewhere.
const MOST_CUBED: usize = 12;

/// Fails if a statement is too deep to be planned and run, or if planning would take minutes.
pub(super) fn check_statement(statement: &Statement) -> Result<()> {
    // An UPDATE has tables outside of any query.
    let mut size = Size { queries: vec![QuerySize::default()], ..Size::default() };
    let _ = walk::read_statement(statement, &mut size);
    size.leave_query();
    check("operators within operators", size.most_nested, MOST_NESTED, LONG_CHAIN)?;
    check("tables, subqueries and parts of a UNION in one query", size.most_tables, MOST_TABLES, "")?;
    check("tables with each step of WITH in place of its name", size.most_expanded, MOST_EXPANDED, "")?;
    check("columns in one SELECT", size.most_columns, MOST_COLUMNS, "")?;
    check("columns in one CUBE", size.most_cubed, MOST_CUBED, "")
}

/// Advice for a statement with too many operators, since most of these are chains of `OR`.
const LONG_CHAIN: &str = "; in place of a chain of OR, IN takes a list of any length";

fn check(what: &str, found: usize, most: usize, advice: &str) -> Result<()> {
    if found <= most {
        return Ok(());
    }
    Err(DataFusionError::Plan(format!("it has {found} {what}; the limit is {most}{advice}")))
}

/// The measures of a statement that are limited.
#[derive(Debug, Default)]
struct Size {
    nested: usize,
    most_nested: usize,
    /// The queries of the steps of each `WITH`, by their places in the tree, and the names of the steps.
    step_queries: HashMap<*const Query, String>,
    steps: HashMap<String, QuerySize>,
    /// The queries around the current place.
    queries: Vec<QuerySize>,
    most_tables: usize,
    most_expanded: usize,
    most_columns: usize,
    most_cubed: usize,
}

/// The measures of a query, up to the current place.
#[derive(Debug, Clone, Copy, Default)]
struct QuerySize {
    /// Its tables, subqueries and parts without tables, without those of its subqueries and steps.
    own: usize,
    /// Those of its largest subquery or step.
    largest_inner: usize,
    /// Its tables, with subqueries and steps expanded.
    expanded: usize,
}

impl QuerySize {
    fn tables(self) -> usize {
        self.own.saturating_add(self.largest_inner)
    }

    fn contain(&mut self, inner: QuerySize) {
        self.largest_inner = self.largest_inner.max(inner.tables());
        self.expanded = self.expanded.saturating_add(inner.expanded);
    }
}

/// The name of a step, with or without quotes. Names that differ only in case count as one.
fn step_name(name: &Ident) -> String {
    name.value.to_lowercase()
}

impl Size {
    fn leave_query(&mut self) -> QuerySize {
        let mut size = self.queries.pop().unwrap_or_default();
        // A step without tables also doubles with each step that reads it twice.
        size.expanded = size.expanded.max(1);
        self.most_tables = self.most_tables.max(size.tables());
        self.most_expanded = self.most_expanded.max(size.expanded);
        size
    }
}

impl Visitor for Size {
    type Break = ();

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        self.nested += 1;
        self.most_nested = self.most_nested.max(self.nested);
        if let Expr::Cube(columns) = expression {
            self.most_cubed = self.most_cubed.max(columns.len());
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, _: &Expr) -> ControlFlow<()> {
        self.nested -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        for step in query.with.iter().flat_map(|with| &with.cte_tables) {
            self.step_queries.insert(ptr::from_ref(step.query.as_ref()), step_name(&step.alias.name));
        }
        let mut size = QuerySize::default();
        let mut parts = vec![query.body.as_ref()];
        while let Some(part) = parts.pop() {
            match part {
                SetExpr::SetOperation { left, right, .. } => parts.extend([left.as_ref(), right.as_ref()]),
                // The tables and subqueries of other parts count.
                SetExpr::Select(select) if !select.from.is_empty() => {}
                _ => size.own += 1,
            }
        }
        self.queries.push(size);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let size = self.leave_query();
        // The whole statement is around the outermost query.
        let is_inner = self.queries.len() > 1;
        match (self.step_queries.remove(&ptr::from_ref(query)), self.queries.last_mut()) {
            (Some(step), _) => _ = self.steps.insert(step, size),
            (None, Some(outer)) => {
                outer.own += usize::from(is_inner);
                outer.contain(size);
            }
            (None, None) => {}
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<()> {
        let step = name.0.last().and_then(ObjectNamePart::as_ident).and_then(|name| self.steps.get(&step_name(name)));
        if let Some(query) = self.queries.last_mut() {
            query.contain(step.copied().unwrap_or(QuerySize { expanded: 1, ..QuerySize::default() }));
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.most_columns = self.most_columns.max(select.projection.len());
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        // A subquery counts when its query ends.
        if let (false, Some(query)) = (matches!(factor, TableFactor::Derived { .. }), self.queries.last_mut()) {
            query.own += 1;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use crate::statement::parse_statements;

    /// The error of a statement, if it is too large. Smaller statements are parsed.
    pub(super) fn check(text: &str, expected: Option<&str>) {
        let error = parse_statements(text).err().map(|error| error.strip_backtrace());
        let start = text.chars().take(80).collect::<String>();
        let expected = expected.map(|what| format!("Error during planning: it has {what}"));
        assert_eq!(error, expected, "{start}");
    }

    #[test]
    fn deep_statements_are_refused_and_long_lists_are_not() {
        crate::with_large_stack(deep_and_long).unwrap();
    }

    fn deep_and_long() {
        let chain = |operator: &str, terms: usize| format!("SELECT {}", vec!["1"; terms].join(operator));
        let advice = "in place of a chain of OR, IN takes a list of any length";
        let nested = |terms: usize| format!("{terms} operators within operators; the limit is 1000; {advice}");
        check(&chain("-", 1_000), None);
        for operator in ["-", " OR ", " AND ", "||", " IS NULL OR "] {
            assert!(parse_statements(&chain(operator, 3_000)).is_err(), "{operator}");
        }
        check(&chain("-", 50_000), Some(&nested(50_000)));
        let in_text = format!("200000 operators and keywords in one text; the limit is 100000; {advice}");
        check(&chain("-", 200_000), Some(&in_text));
        check(&format!("SELECT 1{}", "::INT".repeat(2_000)), Some(&nested(2_001)));
        let values: Vec<String> = (0..200_000).map(|number| format!("'h{number}'")).collect();
        check(&format!("SELECT 'a' IN ({})", values.join(",")), None);
    }

    #[test]
    fn many_tables_and_columns_are_refused() {
        let tables = |number: usize| {
            Some(format!("{number} tables, subqueries and parts of a UNION in one query; the limit is 200"))
        };
        check(&vec!["SELECT 1"; 300].join(" UNION ALL "), tables(300).as_deref());
        check(&vec!["VALUES (1)"; 300].join(" UNION ALL "), tables(300).as_deref());
        // A part counts with its tables, so there can be as many parts as tables.
        check(&vec!["SELECT a FROM t"; 200].join(" UNION ALL "), None);
        check(&vec!["SELECT 1"; 200].join(" UNION ALL "), None);
        check(&vec!["SELECT 1"; 201].join(" UNION ALL "), tables(201).as_deref());
        check(&vec!["SELECT a FROM t"; 300].join(" UNION ALL "), tables(300).as_deref());
        check(&format!("SELECT * FROM {}", vec!["t"; 300].join(",")), tables(300).as_deref());
        check(&format!("SELECT * FROM t{}", " JOIN t ON true".repeat(300)), tables(301).as_deref());
        check(&format!("EXPLAIN SELECT * FROM t{}", " JOIN t ON true".repeat(300)), tables(301).as_deref());
        check(&format!("COPY (SELECT * FROM t{}) TO 'a.csv'", ", t".repeat(300)), tables(301).as_deref());
        check(&format!("UPDATE t SET a = 1 FROM t AS u{}", " JOIN t ON true".repeat(300)), tables(302).as_deref());
        check(&format!("SELECT 1 WHERE {}", vec!["EXISTS (SELECT 1)"; 300].join(" AND ")), tables(302).as_deref());
        // Subqueries and steps lengthen a chain. Beside each other, they are no chain.
        let tables_of = |number: usize, from: &str| format!("SELECT 1 FROM {from}{}", ", t".repeat(number));
        let inner = format!("({}) AS s", tables_of(150, "t"));
        check(&tables_of(100, &inner), tables(252).as_deref());
        let steps = format!("WITH s AS ({}), r AS ({}) ", tables_of(150, "t"), tables_of(150, "t"));
        check(&format!("{steps}{}", tables_of(100, "s")), tables(252).as_deref());
        check(&format!("{steps}SELECT 1 FROM s, r"), None);
        let columns: Vec<String> = (0..20_000).map(|number| format!("{number} AS c{number}")).collect();
        check(&format!("SELECT {}", columns.join(",")), Some("20000 columns in one SELECT; the limit is 4000"));
        let cube = |number: usize| format!("SELECT 1 FROM t GROUP BY CUBE ({})", vec!["a"; number].join(","));
        check(&cube(12), None);
        // Planning this took more than 6 GB.
        check(&cube(30), Some("30 columns in one CUBE; the limit is 12"));
    }

    /// Planning 18 such steps took 28 s and 1 GB.
    #[test]
    fn steps_that_double_are_refused() {
        let steps = |number: usize| {
            let step = |nth: usize| format!("c{nth} AS (SELECT a.x FROM c{} AS a, C{} AS b)", nth - 1, nth - 1);
            let steps: Vec<String> = (1..=number).map(step).collect();
            format!("WITH c0 AS (SELECT 1 AS x FROM t), {} SELECT count(*) FROM c{number}", steps.join(", "))
        };
        check(&steps(15), None);
        check(&steps(16), Some("65536 tables with each step of WITH in place of its name; the limit is 50000"));
        // With quotes, without a table, and in steps of steps.
        for (from, to) in [("c1 AS", r#""c1" AS"#), (" FROM t)", ")"), (" FROM t)", " FROM (SELECT 1) AS s)")] {
            assert!(parse_statements(&steps(16).replace(from, to)).is_err(), "{to}");
        }
        let inner = steps(8).replace("SELECT 1 AS x FROM t", "SELECT d.x FROM d").replace("count(*)", "x");
        check(&format!("WITH d AS (SELECT 1 AS x), e AS ({inner}) SELECT * FROM e"), None);
        let twice = format!("WITH d AS (SELECT 1 AS x), d AS ({inner}), d AS ({inner}) SELECT * FROM d");
        assert!(parse_statements(&twice).is_err());
        // More than a number can count.
        assert!(parse_statements(&steps(60)).is_err());
    }
}
