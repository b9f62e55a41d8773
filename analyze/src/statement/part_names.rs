//! Names the columns of the later parts of `UNION`, `INTERSECT` and `EXCEPT`.
//!
//! The first part names the columns of the answer. DataFusion 55.2 gives these names to the expressions of the later
//! parts, too, even if a part has another column of that name, and then calls the name ambiguous. It also refuses a
//! part that has a column twice. No issue about it is known.

use super::join_keys::column_name;
use crate::statement::walk;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{Ident, Query, SelectItem, SetExpr, SetQuantifier, VisitorMut};
use std::ops::ControlFlow;

/// Does so in all queries of a statement, unless columns are joined by their names.
pub(crate) fn name_later_parts(statement: &mut Statement) {
    let _ = walk::change_statement(statement, &mut Queries);
}

struct Queries;

impl VisitorMut for Queries {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        name_columns(&mut query.body, true);
        ControlFlow::Continue(())
    }
}

/// `is_first` for a part whose names somebody reads.
fn name_columns(mut part: &mut SetExpr, mut is_first: bool) {
    loop {
        part = match part {
            SetExpr::SetOperation { left, right, set_quantifier, .. } => {
                let is_by_name = matches!(
                    set_quantifier,
                    SetQuantifier::ByName | SetQuantifier::AllByName | SetQuantifier::DistinctByName
                );
                name_columns(right, is_by_name);
                is_first |= is_by_name;
                left
            }
            SetExpr::Query(query) => &mut query.body,
            SetExpr::Select(select) if !is_first => return name_items(&mut select.projection),
            _ => return,
        }
    }
}

fn name_items(items: &mut [SelectItem]) {
    for place in 0..items.len() {
        let (before, rest) = items.split_at_mut(place);
        let Some((item, _)) = rest.split_first_mut() else { return };
        let SelectItem::UnnamedExpr(expr) = item else { continue };
        let name = column_name(expr);
        let is_same =
            |other: &SelectItem| matches!(other, SelectItem::UnnamedExpr(other) if column_name(other) == name);
        if name.is_none() || before.iter().any(is_same) {
            let alias = Ident::with_quote('"', format!("column {}", place + 1));
            *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::name_later_parts;
    use crate::statement::parse_statements;

    #[test]
    fn expressions_and_repeated_columns_of_later_parts_get_names() {
        for (query, expected) in [
            ("SELECT a, 1 AS one UNION SELECT 1, b", "SELECT a, 1 AS one UNION SELECT 1 AS \"column 1\", b"),
            (
                "SELECT 1 AS one EXCEPT SELECT b.a, A, 2 AS c INTERSECT SELECT *, 3",
                "SELECT 1 AS one EXCEPT SELECT b.a, A AS \"column 2\", 2 AS c INTERSECT SELECT *, 3 AS \"column 2\"",
            ),
            (
                "SELECT 1 AS one UNION ALL (SELECT 2 UNION ALL (SELECT 3 ORDER BY 1)) UNION ALL SELECT 4",
                "SELECT 1 AS one UNION ALL (SELECT 2 AS \"column 1\" UNION ALL (SELECT 3 AS \"column 1\" ORDER BY 1)) \
                 UNION ALL SELECT 4 AS \"column 1\"",
            ),
            (
                "SELECT 1 AS one FROM (SELECT 2 UNION SELECT 3) AS a UNION ALL BY NAME SELECT 4",
                "SELECT 1 AS one FROM (SELECT 2 UNION SELECT 3 AS \"column 1\") AS a UNION ALL BY NAME SELECT 4",
            ),
            (
                "SELECT 1 AS one UNION ALL BY NAME (SELECT 2 UNION SELECT 3) UNION SELECT 4",
                "SELECT 1 AS one UNION ALL BY NAME (SELECT 2 UNION SELECT 3 AS \"column 1\") UNION SELECT 4 AS \"column 1\"",
            ),
        ] {
            let mut statement = parse_statements(query).unwrap().remove(0).0;
            name_later_parts(&mut statement);
            assert_eq!(statement.to_string(), expected);
        }
    }
}
