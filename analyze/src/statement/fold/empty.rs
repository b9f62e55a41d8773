//! Drops steps, joins and sides of unions that have no rows.

use super::literals::{boolean, flag, folded, null};
use crate::statement::join_keys::shown_ident;
use crate::statement::walk;
use datafusion::sql::sqlparser::ast::{
    Expr, GroupByExpr, Join, JoinConstraint, JoinOperator, Query, Select, SelectItem, SetExpr, SetOperator,
    SetQuantifier, TableFactor, Values, Visitor,
};
use std::collections::BTreeSet;
use std::mem;
use std::ops::ControlFlow;

/// Whether a query has no rows for any content of its tables.
fn is_empty(body: &SetExpr) -> bool {
    match body {
        SetExpr::Select(select) => select.selection.as_ref().and_then(flag) == Some(false) && !counts_all(select),
        SetExpr::Query(query) => is_empty(&query.body),
        SetExpr::SetOperation { left, op: SetOperator::Union, right, .. } => is_empty(left) && is_empty(right),
        _ => false,
    }
}

/// Whether a select may have a row even for an empty input: an aggregate without groups, or with a group of all rows.
fn counts_all(select: &Select) -> bool {
    let has_all = |key: &Expr| matches!(key, Expr::Rollup(_) | Expr::Cube(_) | Expr::GroupingSets(_));
    let has_groups = match &select.group_by {
        // Without a column, GROUP BY ALL has no groups.
        GroupByExpr::All(_) => false,
        GroupByExpr::Expressions(keys, _) if keys.iter().any(has_all) => return true,
        GroupByExpr::Expressions(keys, _) => !keys.is_empty(),
    };
    if !has_groups && select.having.is_some() {
        return true;
    }
    // A select with a plain column is not an aggregate without groups.
    let is_column = |item: &SelectItem| match item {
        SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..) => true,
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
            matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_))
        }
        _ => false,
    };
    // Any function may be an aggregate.
    let calls = |item: &SelectItem| match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
            walk::has_expression(expr, |part| matches!(part, Expr::Function(_)))
        }
        _ => false,
    };
    !has_groups && select.projection.iter().any(calls) && !select.projection.iter().any(is_column)
}

/// Drops the empty steps of a query, which may read these others, and what is empty without them. A step comes before the
/// steps that read it, so one pass finds all empty steps.
pub(super) fn drop_empty_steps(query: &mut Query, empty: &BTreeSet<String>) {
    let mut empty = empty.clone();
    if let Some(with) = query.with.as_mut().filter(|with| !with.recursive) {
        for step in &mut with.cte_tables {
            drop_empty_steps(&mut step.query, &empty);
            let name = &step.alias.name.value;
            // An inner step hides an outer step of the same name.
            if is_empty(&step.query.body) {
                empty.insert(name.clone())
            } else {
                empty.remove(name)
            };
        }
    }
    settle(&mut query.body, &empty);
    drop_unread_steps(query);
}

/// Drops joins with empty steps, and the empty sides of unions.
fn settle(body: &mut SetExpr, empty: &BTreeSet<String>) {
    match body {
        SetExpr::Select(select) => without_empty_joins(select, empty),
        SetExpr::Query(query) => drop_empty_steps(query, empty),
        SetExpr::SetOperation { left, op: SetOperator::Union, set_quantifier: SetQuantifier::All, right } => {
            settle(left, empty);
            settle(right, empty);
            if is_empty(right) {
                *body = mem::replace(left.as_mut(), SetExpr::Values(no_values()));
            } else if is_empty(left) && take_names(right, left) {
                *body = mem::replace(right.as_mut(), SetExpr::Values(no_values()));
            }
        }
        SetExpr::SetOperation { left, right, .. } => {
            settle(left, empty);
            settle(right, empty);
        }
        _ => {}
    }
}

fn no_values() -> Values {
    Values { explicit_row: false, value_keyword: false, rows: Vec::new() }
}

/// Gives the columns of one side of a union the names of the other side's columns. Returns whether that is possible.
fn take_names(side: &mut SetExpr, other: &SetExpr) -> bool {
    let (Some(other), Some(select)) = (walk::first_select(other), walk::first_select_mut(side)) else { return false };
    if select.projection.len() != other.projection.len() {
        return false;
    }
    let is_star = |item: &SelectItem| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..));
    let mut pairs = select.projection.iter().zip(&other.projection);
    if !pairs.all(|(own, theirs)| is_star(own) == is_star(theirs) && (is_star(own) || shown_ident(theirs).is_some())) {
        return false;
    }
    for (own, theirs) in select.projection.iter_mut().zip(&other.projection) {
        let Some(name) = shown_ident(theirs).filter(|name| shown_ident(own) != Some(*name)) else { continue };
        if let SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } = own {
            *own = SelectItem::ExprWithAlias { expr: mem::replace(expr, null()), alias: name.clone() };
        }
    }
    true
}

/// The name by which columns are read from a table, if the table is an empty step.
fn empty_step<'t>(table: &'t TableFactor, empty: &BTreeSet<String>) -> Option<&'t str> {
    match table {
        TableFactor::Table { name, alias, args: None, .. } => {
            let name = name.0.first().filter(|_| name.0.len() == 1)?.as_ident()?;
            empty.contains(&name.value).then(|| alias.as_ref().map_or(&*name.value, |alias| &*alias.name.value))
        }
        _ => None,
    }
}

/// Drops left joins with empty steps, and replaces their columns by nulls. A select that needs a row of an empty step
/// becomes empty itself.
fn without_empty_joins(select: &mut Select, empty: &BTreeSet<String>) {
    for derived in select.from.iter_mut().flat_map(|table| {
        std::iter::once(&mut table.relation).chain(table.joins.iter_mut().map(|join| &mut join.relation))
    }) {
        if let TableFactor::Derived { subquery, .. } = derived {
            drop_empty_steps(subquery, empty);
        }
    }
    if empty.is_empty() {
        return;
    }
    let is_other = |join: &Join| {
        !matches!(
            join.join_operator,
            JoinOperator::Join(_) | JoinOperator::Inner(_) | JoinOperator::Left(_) | JoinOperator::CrossJoin(_)
        )
    };
    if select.from.iter().any(|table| table.joins.iter().any(is_other)) {
        return;
    }
    let is_qualified = !reads_unqualified(select);
    let needed = names_needed(select);
    let mut dropped = BTreeSet::new();
    let mut needs_empty = false;
    for table in &mut select.from {
        needs_empty |= empty_step(&table.relation, empty).is_some();
        table.joins.retain(|Join { relation, join_operator, .. }| match (empty_step(relation, empty), join_operator) {
            (Some(alias), JoinOperator::Left(_)) if !is_qualified || needed.contains(alias) => true,
            (Some(alias), JoinOperator::Left(JoinConstraint::On(_))) => {
                dropped.insert(alias.to_owned());
                false
            }
            (Some(_), _) => {
                needs_empty = true;
                true
            }
            (None, _) => true,
        });
    }
    if !dropped.is_empty() {
        walk::change_expressions(select, |expr| {
            if let Expr::CompoundIdentifier(names) = expr
                && names.first().is_some_and(|name| dropped.contains(&name.value))
            {
                *expr = null();
            } else if let Some(folded) = folded(expr) {
                *expr = folded;
            }
        });
    }
    if needs_empty && !counts_all(select) {
        select.selection = Some(boolean(false));
    }
}

/// The names whose columns cannot be replaced by nulls: those of stars, such as `a.*`, and those of several tables,
/// such as one here and one in a subquery.
fn names_needed(select: &Select) -> BTreeSet<String> {
    #[derive(Default)]
    struct Named {
        once: BTreeSet<String>,
        needed: BTreeSet<String>,
    }

    impl Visitor for Named {
        type Break = ();

        fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
            let name = match factor {
                TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
                    alias.name.value.clone()
                }
                TableFactor::Table { name, .. } => name.to_string(),
                _ => return ControlFlow::Continue(()),
            };
            if !self.once.insert(name.clone()) {
                self.needed.insert(name);
            }
            ControlFlow::Continue(())
        }
    }

    let mut named = Named::default();
    let _ = walk::read(select, &mut named);
    named.needed.extend(select.projection.iter().filter_map(|item| match item {
        SelectItem::QualifiedWildcard(name, _) => Some(name.to_string().trim_end_matches(".*").to_owned()),
        _ => None,
    }));
    named.needed
}

/// Whether a select has columns whose table is not stated.
fn reads_unqualified(select: &Select) -> bool {
    let has_star = select.projection.iter().any(|item| matches!(item, SelectItem::Wildcard(_)));
    has_star || walk::has_expression(select, |expr| matches!(expr, Expr::Identifier(_)))
}

/// Drops the steps of a query that nothing in it reads.
fn drop_unread_steps(query: &mut Query) {
    loop {
        let Some(with) = &query.with else { return };
        if with.recursive {
            return;
        }
        let mut read = BTreeSet::new();
        walk::read_relations(query, |name| _ = read.insert(name.to_string()));
        let Some(with) = &mut query.with else { return };
        let before = with.cte_tables.len();
        with.cte_tables.retain(|step| read.contains(&step.alias.name.value));
        let after = with.cte_tables.len();
        if after == 0 {
            query.with = None;
            return;
        }
        if after == before {
            return;
        }
    }
}
