//! Writes the `*` of a SELECT over `JOIN … USING` as `a.*, b.* EXCLUDE (key)`.
//!
//! DataFusion 55.2 keeps only the key of the table whose name sorts first. If that is the right side of a LEFT JOIN, the
//! key is null in rows without a match. The columns then also have another order than in the standard and in DuckDB. No
//! issue about LEFT JOIN is known.

use super::join_keys::{hides_right, is_by_name, keys_of, name_of, normal};
use crate::statement::walk;
use datafusion::error::{DataFusionError, Result};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    ExcludeSelectItem, Ident, Join, JoinOperator, ObjectName, ObjectNamePart, Select, SelectItem,
    SelectItemQualifiedWildcardKind, TableFactor, TableWithJoins, VisitorMut, WildcardAdditionalOptions,
};
use std::ops::ControlFlow;

/// Does so in all queries of a statement. Fails if a key of a LEFT JOIN may be lost otherwise.
pub(crate) fn keep_left_keys(statement: &mut Statement) -> Result<()> {
    match walk::change_statement(statement, &mut LeftKeys) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(DataFusionError::Plan(LOSES_KEYS.to_owned())),
    }
}

const LOSES_KEYS: &str = "this * over LEFT JOIN with USING or NATURAL is not supported; \
                          write a.*, b.* EXCLUDE (x) for its key x";

struct LeftKeys;

impl VisitorMut for LeftKeys {
    type Break = ();

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        let has_all = select.projection.iter().any(|item| matches!(item, SelectItem::Wildcard(_)));
        if !has_all || !has_join(&select.from, &|join| !matches!(keys_of(join), Some([]))) {
            return ControlFlow::Continue(());
        }
        let mut columns = Vec::new();
        let is_named = select.from.iter().all(|joined| add_columns(joined, &mut columns).is_some());
        let is_plain = |item: &SelectItem| match item {
            SelectItem::Wildcard(options) => *options == WildcardAdditionalOptions::default(),
            _ => true,
        };
        if is_named && select.projection.iter().all(is_plain) {
            let written = |item| match item {
                SelectItem::Wildcard(_) => columns.clone(),
                other => vec![other],
            };
            select.projection = std::mem::take(&mut select.projection).into_iter().flat_map(written).collect();
        } else if has_join(&select.from, &may_lose_key) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

fn has_join(from: &[TableWithJoins], is_meant: &dyn Fn(&JoinOperator) -> bool) -> bool {
    let within = |factor: &TableFactor| match factor {
        TableFactor::NestedJoin { table_with_joins, .. } => has_join(std::slice::from_ref(table_with_joins), is_meant),
        _ => false,
    };
    from.iter().any(|joined| {
        let joins = &joined.joins;
        within(&joined.relation) || joins.iter().any(|join| is_meant(&join.join_operator) || within(&join.relation))
    })
}

fn may_lose_key(join: &JoinOperator) -> bool {
    matches!(join, JoinOperator::Left(_) | JoinOperator::LeftOuter(_)) && is_by_name(join)
}

/// Adds the columns of each table; `None` if they cannot be written.
fn add_columns(joined: &TableWithJoins, columns: &mut Vec<SelectItem>) -> Option<()> {
    add_columns_of(&joined.relation, &[], columns)?;
    for Join { relation, join_operator, .. } in &joined.joins {
        if !hides_right(join_operator) {
            add_columns_of(relation, keys_of(join_operator)?, columns)?;
        }
    }
    Some(())
}

fn add_columns_of(table: &TableFactor, keys: &[ObjectName], columns: &mut Vec<SelectItem>) -> Option<()> {
    match table {
        TableFactor::NestedJoin { table_with_joins, alias: None } if keys.is_empty() => {
            add_columns(table_with_joins, columns)
        }
        table => {
            columns.push(all_of(name_of(table)?, keys)?);
            Some(())
        }
    }
}

/// `table.* EXCLUDE (keys)`
fn all_of(table: ObjectName, keys: &[ObjectName]) -> Option<SelectItem> {
    // DataFusion reads the names after EXCLUDE as they are written.
    let in_lower_case = |key: &ObjectName| match key.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => {
            Some(ObjectName::from(vec![Ident { value: normal(name), ..name.clone() }]))
        }
        [_] => Some(key.clone()),
        _ => None,
    };
    let keys = keys.iter().map(in_lower_case).collect::<Option<Vec<_>>>()?;
    let opt_exclude = (!keys.is_empty()).then_some(ExcludeSelectItem::Multiple(keys));
    let options = WildcardAdditionalOptions { opt_exclude, ..Default::default() };
    Some(SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(table), options))
}

#[cfg(test)]
mod tests {
    use super::{LOSES_KEYS, keep_left_keys};
    use crate::statement::parse_statements;

    fn written(statement: &str) -> Result<String, String> {
        let mut statement = parse_statements(statement).unwrap().remove(0).0;
        keep_left_keys(&mut statement).map_err(|error| error.strip_backtrace())?;
        Ok(statement.to_string())
    }

    #[test]
    fn columns_of_a_join_have_the_keys_of_its_left_side() {
        for (from, columns) in [
            ("b LEFT JOIN a USING (X, \"Y\")", "b.*, a.* EXCLUDE (x, \"Y\")"),
            ("b AS d JOIN (SELECT 1) AS a USING (x)", "d.*, a.* EXCLUDE (x)"),
            ("d, c JOIN b ON b.x = c.x LEFT JOIN s.a USING (x)", "d.*, c.*, b.*, s.a.* EXCLUDE (x)"),
            (
                "(d FULL JOIN c ON d.x = c.x) LEFT JOIN b USING (x) LEFT SEMI JOIN a USING (x)",
                "d.*, c.*, b.* EXCLUDE (x)",
            ),
            ("range(0, 3) AS b (x) LEFT JOIN a USING (x) CROSS JOIN c", "b.*, a.* EXCLUDE (x), c.*"),
            ("b LEFT JOIN a ON a.x = b.x", "*"),
            ("b NATURAL JOIN a", "*"),
            ("(SELECT 1 AS x) JOIN a USING (x)", "*"),
        ] {
            let query = |columns: &str| format!("SELECT {columns} FROM {from}");
            let expected = parse_statements(&query(columns)).unwrap().remove(0).0.to_string();
            assert_eq!(written(&query("*")), Ok(expected), "{from}");
        }
        let within = "COPY (SELECT count(*) FROM t WHERE EXISTS (SELECT * FROM b LEFT JOIN a USING (x))) TO 'a.csv'";
        assert!(written(within).unwrap().contains("EXISTS (SELECT b.*, a.* EXCLUDE (x) FROM"), "{within}");
    }

    #[test]
    fn others_are_refused_if_they_may_lose_keys() {
        for query in [
            "SELECT * FROM b NATURAL LEFT JOIN a",
            "SELECT * EXCLUDE (y) FROM b LEFT JOIN a USING (x)",
            "SELECT * REPLACE (1 AS y) FROM b LEFT JOIN a USING (x)",
            "SELECT * FROM (SELECT 1 AS x) LEFT JOIN a USING (x)",
            "WITH t AS (SELECT * FROM c JOIN (b NATURAL LEFT JOIN a) ON b.y = c.y) SELECT 1 FROM t",
        ] {
            assert_eq!(written(query), Err(format!("Error during planning: {LOSES_KEYS}")), "{query}");
        }
    }
}
