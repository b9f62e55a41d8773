//! Writes the table before a key of `JOIN … USING`.
//!
//! DataFusion 55.2 calls the name of such a key ambiguous in WHERE, and everywhere after two joins by the same key, also
//! in a third one. The key is that of the left table, and that of the right one in an inner join, too.

use crate::statement::walk;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, Join, JoinConstraint, JoinOperator, ObjectName, ObjectNamePart, Query, Select,
    SelectItem, SetExpr, TableFactor, TableWithJoins, VisitorMut,
};
use std::ops::ControlFlow;

/// Does so in all queries of a statement, where no other table can have a column of the same name.
pub(crate) fn write_tables_of_keys(statement: &mut Statement) {
    let _ = walk::change_statement(statement, &mut Selects);
}

/// How a join of two tables that shows the columns of both is constrained.
pub(super) fn constraint(join: &JoinOperator) -> Option<&JoinConstraint> {
    match join {
        JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::Left(constraint)
        | JoinOperator::LeftOuter(constraint)
        | JoinOperator::Right(constraint)
        | JoinOperator::RightOuter(constraint)
        | JoinOperator::FullOuter(constraint) => Some(constraint),
        _ => None,
    }
}

/// Whether a join is by columns that have the same name in both tables.
pub(super) fn is_by_name(join: &JoinOperator) -> bool {
    matches!(constraint(join), Some(JoinConstraint::Using(_) | JoinConstraint::Natural))
}

/// The keys that a join gives the right side besides the left; `None` if they are unknown.
pub(super) fn keys_of(join: &JoinOperator) -> Option<&[ObjectName]> {
    match join {
        JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::Left(constraint)
        | JoinOperator::LeftOuter(constraint) => match constraint {
            JoinConstraint::Using(keys) => Some(keys),
            JoinConstraint::Natural => None,
            JoinConstraint::On(_) | JoinConstraint::None => Some(&[]),
        },
        JoinOperator::Right(JoinConstraint::On(_))
        | JoinOperator::RightOuter(JoinConstraint::On(_))
        | JoinOperator::FullOuter(JoinConstraint::On(_))
        | JoinOperator::CrossJoin(_) => Some(&[]),
        _ => None,
    }
}

/// Whether a join shows no columns of its right side.
pub(super) fn hides_right(join: &JoinOperator) -> bool {
    matches!(
        join,
        JoinOperator::Semi(_) | JoinOperator::LeftSemi(_) | JoinOperator::Anti(_) | JoinOperator::LeftAnti(_)
    )
}

/// The name by which a statement knows a table of its FROM.
pub(super) fn name_of(table: &TableFactor) -> Option<ObjectName> {
    let alias = match table {
        TableFactor::Table { alias: None, args: None, name, .. } => return Some(name.clone()),
        TableFactor::Table { alias, .. }
        | TableFactor::Derived { alias, .. }
        | TableFactor::TableFunction { alias, .. }
        | TableFactor::Function { alias, .. }
        | TableFactor::UNNEST { alias, .. } => alias.as_ref()?,
        _ => return None,
    };
    Some(ObjectName::from(vec![alias.name.clone()]))
}

struct Selects;

impl VisitorMut for Selects {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        let SetExpr::Select(select) = query.body.as_ref() else { return ControlFlow::Continue(()) };
        let [joined] = select.from.as_slice() else { return ControlFlow::Continue(()) };
        let mut names = TablesOfKeys { tables: tables_of_keys(joined).unwrap_or_default(), depth: 0 };
        // ORDER BY prefers columns of the answer.
        names.tables.retain(|(key, _)| !select.projection.iter().any(|item| may_show(item, key)));
        walk::change(&mut query.order_by, &mut names)
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        let [joined] = select.from.as_mut_slice() else { return ControlFlow::Continue(()) };
        let mut names = TablesOfKeys { tables: tables_of_keys(joined).unwrap_or_default(), depth: 0 };
        if names.tables.is_empty() {
            return ControlFlow::Continue(());
        }
        // There, `*` would have the keys of each table.
        if !select.projection.iter().any(|item| matches!(item, SelectItem::Wildcard(_))) {
            write_conditions(joined, &names.tables);
        }
        walk::change(&mut select.projection, &mut names)?;
        walk::change(&mut select.selection, &mut names)?;
        walk::change(&mut select.group_by, &mut names)?;
        walk::change(&mut select.having, &mut names)?;
        walk::change(&mut select.qualify, &mut names)
    }
}

/// A name as DataFusion compares it.
pub(crate) fn normal(name: &Ident) -> String {
    if name.quote_style.is_none() { name.value.to_lowercase() } else { name.value.clone() }
}

/// The name of a column as typed, without its table.
pub(super) fn column_ident(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Identifier(name) => Some(name),
        Expr::CompoundIdentifier(path) => path.last(),
        _ => None,
    }
}

/// The name, as typed, of the column that a part of a SELECT makes; `None` for `*`, and for an expression without a
/// name.
pub(super) fn shown_ident(item: &SelectItem) -> Option<&Ident> {
    match item {
        SelectItem::UnnamedExpr(expr) => column_ident(expr),
        SelectItem::ExprWithAlias { alias, .. } => Some(alias),
        _ => None,
    }
}

/// The name of a column, without its table.
pub(super) fn column_name(expr: &Expr) -> Option<String> {
    column_ident(expr).map(normal)
}

/// The name of the column that a part of a SELECT makes.
pub(super) fn shown_name(item: &SelectItem) -> Option<String> {
    shown_ident(item).map(normal)
}

/// Whether the answer may have a column of this name by this part of a SELECT.
fn may_show(item: &SelectItem, name: &str) -> bool {
    matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..))
        || shown_name(item).as_deref() == Some(name)
}

/// Each key whose name only the tables of the joins by it can have, and one of these tables.
fn tables_of_keys(joined: &TableWithJoins) -> Option<Vec<(String, ObjectName)>> {
    let mut left = name_of(&joined.relation);
    let mut tables: Vec<(String, ObjectName)> = Vec::new();
    for Join { relation, join_operator, .. } in joined.joins.iter().filter(|join| !hides_right(&join.join_operator)) {
        let names = keys_of(join_operator)?.iter().map(|key| match key.0.as_slice() {
            [ObjectNamePart::Identifier(name)] => Some(normal(name)),
            _ => None,
        });
        let names = names.collect::<Option<Vec<_>>>()?;
        let is_inner = matches!(join_operator, JoinOperator::Join(_) | JoinOperator::Inner(_));
        let right = name_of(relation).filter(|_| is_inner);
        // The right side may have columns with the names of other keys.
        tables.retain(|(name, _)| names.contains(name));
        for name in names {
            let is_new = tables.iter().all(|(known, _)| *known != name);
            // With several tables on the left, it is unknown which one has the key.
            if let Some(table) = left.as_ref().or(right.as_ref()).filter(|_| is_new) {
                tables.push((name, table.clone()));
            }
        }
        left = None;
    }
    Some(tables)
}

/// Writes `ON a.x = d.x` for USING in the third join and later, if the first table has the keys.
fn write_conditions(joined: &mut TableWithJoins, tables: &[(String, ObjectName)]) {
    let Some(first) = name_of(&joined.relation) else { return };
    for Join { relation, join_operator, .. } in joined.joins.iter_mut().skip(2) {
        let (Some(right), Some(keys)) = (name_of(relation), keys_of(join_operator)) else { continue };
        let equal = |key: &ObjectName| {
            let key = key.0.first()?.as_ident()?;
            tables.iter().find(|(name, table)| *name == normal(key) && *table == first)?;
            Some(Expr::BinaryOp {
                left: Box::new(column_of(&first, key)),
                op: BinaryOperator::Eq,
                right: Box::new(column_of(&right, key)),
            })
        };
        let Some(equal) = keys.iter().map(equal).collect::<Option<Vec<_>>>() else { continue };
        let all = equal.into_iter().reduce(|left, right| Expr::BinaryOp {
            left: Box::new(left),
            op: BinaryOperator::And,
            right: Box::new(right),
        });
        if let JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::Left(constraint)
        | JoinOperator::LeftOuter(constraint) = join_operator
            && let Some(condition) = all
        {
            *constraint = JoinConstraint::On(condition);
        }
    }
}

fn column_of(table: &ObjectName, column: &Ident) -> Expr {
    let mut path: Vec<Ident> = table.0.iter().filter_map(ObjectNamePart::as_ident).cloned().collect();
    path.push(column.clone());
    Expr::CompoundIdentifier(path)
}

/// Writes the tables in one query, and not in the queries within it.
struct TablesOfKeys {
    tables: Vec<(String, ObjectName)>,
    depth: usize,
}

impl VisitorMut for TablesOfKeys {
    type Break = ();

    fn pre_visit_query(&mut self, _query: &mut Query) -> ControlFlow<()> {
        self.depth += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _query: &mut Query) -> ControlFlow<()> {
        self.depth -= 1;
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<()> {
        if let (0, Expr::Identifier(column)) = (self.depth, &*expression) {
            let name = normal(column);
            if let Some((_, table)) = self.tables.iter().find(|(key, _)| *key == name) {
                *expression = column_of(table, column);
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::write_tables_of_keys;
    use crate::statement::parse_statements;

    #[test]
    fn keys_get_the_table_that_they_come_from() {
        for (query, expected) in [
            ("SELECT X FROM b JOIN a USING (x) WHERE x = 1", "SELECT b.X FROM b JOIN a USING (x) WHERE b.x = 1"),
            (
                "SELECT x, count(x) FROM b AS d LEFT JOIN s.a USING (X) LEFT JOIN c USING (x) WHERE y > 1 GROUP BY x",
                "SELECT d.x, count(d.x) FROM b AS d LEFT JOIN s.a USING (X) LEFT JOIN c USING (x) WHERE y > 1 GROUP BY d.x",
            ),
            (
                "SELECT 1 FROM b JOIN a USING (x, y) JOIN (SELECT 1) AS c USING (y, z) WHERE x + y + z > 1",
                "SELECT 1 FROM b JOIN a USING (x, y) JOIN (SELECT 1) AS c USING (y, z) WHERE x + b.y + c.z > 1",
            ),
            (
                "SELECT 1 FROM s.b JOIN a USING (x) LEFT SEMI JOIN c USING (y) HAVING x > 1",
                "SELECT 1 FROM s.b JOIN a USING (x) LEFT SEMI JOIN c USING (y) HAVING s.b.x > 1",
            ),
            (
                "SELECT x FROM b JOIN a USING (x, y) JOIN c USING (x, y) LEFT JOIN d AS e USING (y, X) JOIN f USING (x, z)",
                "SELECT b.x FROM b JOIN a USING (x, y) JOIN c USING (x, y) LEFT JOIN d AS e USING (y, X) JOIN f USING (x, z)",
            ),
            (
                "SELECT x FROM b JOIN a USING (x, y) JOIN c USING (x, y) LEFT JOIN d AS e USING (y, X)",
                "SELECT b.x FROM b JOIN a USING (x, y) JOIN c USING (x, y) LEFT JOIN d AS e ON b.y = e.y AND b.X = e.X",
            ),
            (
                "SELECT x, y AS z FROM b JOIN a USING (x, y, z) ORDER BY -y, x, z",
                "SELECT b.x, b.y AS z FROM b JOIN a USING (x, y, z) ORDER BY -b.y, x, z",
            ),
            (
                "SELECT 1 FROM b WHERE EXISTS (SELECT 1 FROM c JOIN a USING (\"X\") WHERE \"X\" = x)",
                "SELECT 1 FROM b WHERE EXISTS (SELECT 1 FROM c JOIN a USING (\"X\") WHERE c.\"X\" = x)",
            ),
        ] {
            let mut statement = parse_statements(query).unwrap().remove(0).0;
            write_tables_of_keys(&mut statement);
            assert_eq!(statement.to_string(), parse_statements(expected).unwrap().remove(0).0.to_string());
        }
    }

    #[test]
    fn other_names_stay() {
        for query in [
            "SELECT x FROM b JOIN a ON a.x = b.x WHERE x = 1",
            "SELECT x FROM b JOIN a USING(x) JOIN c ON c.y = b.y WHERE x = 1",
            "SELECT x FROM b JOIN a ON a.y = b.y LEFT JOIN c USING(x) WHERE x = 1",
            "SELECT x FROM b JOIN a USING(x), c WHERE x = 1",
            "SELECT x FROM b NATURAL JOIN a WHERE x = 1",
            "SELECT a.* FROM b JOIN a USING(x) ORDER BY x",
            "SELECT * EXCLUDE (y) FROM b JOIN a USING(x) JOIN c USING(x) JOIN d USING(x)",
            "SELECT y FROM b JOIN a USING(x) WHERE EXISTS (SELECT y FROM c WHERE x = 1) AND a.x = 1 AND \"X\" = 1",
        ] {
            let mut statement = parse_statements(query).unwrap().remove(0).0;
            write_tables_of_keys(&mut statement);
            assert_eq!(statement.to_string(), query);
        }
    }
}
