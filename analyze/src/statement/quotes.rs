//! Quotes in texts and names: they are doubled, so that a printed statement has the values of the parsed one.
//!
//! sqlparser prints two quotes in a row, and a quote after a backslash, as they are: it takes them for escaped ones. So
//! `'a''''b'` would be printed as `'a''b'`, and a text that ends in a backslash and a quote would not end there. Texts
//! whose quotes are doubled are printed unchanged.

use crate::statement::walk;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, ObjectName, ObjectNamePart, Query, Select, SelectItem, TableFactor, Value, ValueWithSpan, Visitor,
    VisitorMut,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Prepares a query for printing. It must not be planned afterwards.
pub(super) struct DoubledQuotes;

impl VisitorMut for DoubledQuotes {
    type Break = ();

    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        for step in query.with.iter_mut().flat_map(|with| &mut with.cte_tables) {
            double(&mut step.alias.name);
            step.alias.columns.iter_mut().for_each(|column| double(&mut column.name));
        }
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        for item in &mut select.projection {
            if let SelectItem::ExprWithAlias { alias, .. } = item {
                double(alias);
            }
        }
        ControlFlow::Continue(())
    }

    fn post_visit_relation(&mut self, relation: &mut ObjectName) -> ControlFlow<()> {
        for part in &mut relation.0 {
            if let ObjectNamePart::Identifier(name) = part {
                double(name);
            }
        }
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } = factor
        {
            double(&mut alias.name);
            alias.columns.iter_mut().for_each(|column| double(&mut column.name));
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        match expr {
            Expr::Identifier(name) => double(name),
            Expr::CompoundIdentifier(names) => names.iter_mut().for_each(double),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn post_visit_value(&mut self, value: &mut ValueWithSpan) -> ControlFlow<()> {
        if let Value::SingleQuotedString(text) = &mut value.value {
            *text = text.replace('\'', "''");
        }
        ControlFlow::Continue(())
    }
}

fn double(name: &mut Ident) {
    if let Some(quote) = name.quote_style {
        name.value = name.value.replace(quote, &String::from_iter([quote, quote]));
    }
}

/// The names in double quotes that a statement has as values. Many mean them as texts.
pub(crate) fn quoted_names(statement: &Statement) -> BTreeSet<String> {
    let mut names = QuotedNames(BTreeSet::new());
    let _ = walk::read_statement(statement, &mut names);
    names.0
}

struct QuotedNames(BTreeSet<String>);

impl Visitor for QuotedNames {
    type Break = ();

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        if let Expr::Identifier(Ident { value, quote_style: Some('"'), .. }) = expression {
            self.0.insert(value.clone());
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use crate::statement::ParsedQuery;

    #[test]
    fn a_printed_query_has_the_same_texts_and_names() {
        for text in [
            "SELECT 'it''s'",
            "SELECT 'a''''b', '''''', '\\''', 'x\\'' OR 1 = 1 -- '''",
            "SELECT t.\"a\"\"\"\"b\" AS \"c\\\"\"\" FROM \"d\"\"\"\"e\" AS t",
            "WITH \"a\"\"\"\"b\" (\"c\"\"\"\"d\") AS (SELECT 1) SELECT \"c\"\"\"\"d\" FROM \"a\"\"\"\"b\"",
            "SELECT s.`a````b` FROM (SELECT 1) AS s (`a````b`)",
        ] {
            assert_eq!(ParsedQuery::parse(text).unwrap().to_string(), text);
        }
    }
}
