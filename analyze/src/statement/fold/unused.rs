//! Drops columns of steps that nothing names, and steps that only repeat another table.
//!
//! A column is dropped by its name, wherever it occurs: a name is in use if an expression outside such columns has it.
//! Only columns without functions are dropped, since a call may be an aggregate or return several rows.

use crate::statement::join_keys::{column_ident, constraint};
use crate::statement::{TableNames, walk};
use datafusion::sql::sqlparser::ast::{
    Cte, Expr, GroupByExpr, Ident, JoinConstraint, JoinOperator, ObjectName, Query, Select, SelectItem, SetExpr,
    TableAlias, TableFactor, Visit, Visitor, VisitorMut, WildcardAdditionalOptions,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Drops the columns of steps and of queries in FROM that nothing names.
pub(super) fn drop_unused_columns(query: &mut Query) {
    let mut rest = query.clone();
    let mut found = SelectFacts::default();
    let mut columns: Vec<(String, BTreeSet<String>)> = Vec::new();
    change_steps(&mut rest, QueryRole::Output, &mut found, &mut |select| {
        select.projection.retain(|item| match droppable(item) {
            None => true,
            Some(name) => {
                columns.push((name.value.to_lowercase(), names_in(item)));
                false
            }
        });
    });
    if found.has_open_output {
        return;
    }
    let mut used = found.joined;
    used.extend(names_in(&rest));
    loop {
        let before = used.len();
        for (_, names) in columns.iter().filter(|(name, _)| used.contains(name)).collect::<Vec<_>>() {
            used.extend(names.iter().cloned());
        }
        if used.len() == before {
            break;
        }
    }
    change_steps(query, QueryRole::Output, &mut SelectFacts::default(), &mut |select| {
        let is_unused =
            |item: &SelectItem| droppable(item).is_some_and(|name| !used.contains(&name.value.to_lowercase()));
        // A select needs a column.
        let first_is_kept = select.projection.iter().all(is_unused);
        let mut place = 0;
        select.projection.retain(|item| {
            place += 1;
            !is_unused(item) || (place == 1 && first_is_kept)
        });
    });
}

/// The names of all columns in expressions, in lower case.
fn names_in(node: &impl Visit) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    walk::read_expressions(node, |expr| names.extend(column_ident(expr).map(|name| name.value.to_lowercase())));
    names
}

/// Who reads the columns of a query.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QueryRole {
    /// Its columns are those of the answer, or of one side of a union.
    Output,
    /// Other queries read its columns by name.
    Step,
}

/// What matters for all selects of a statement.
#[derive(Default)]
struct SelectFacts {
    /// Whether a select has a star that reads columns without naming them.
    has_open_output: bool,
    /// Columns in USING.
    joined: BTreeSet<String>,
}

/// Changes the selects of all steps and queries in FROM whose columns are read by name.
fn change_steps(query: &mut Query, role: QueryRole, found: &mut SelectFacts, change: &mut dyn FnMut(&mut Select)) {
    for step in query.with.iter_mut().flat_map(|with| &mut with.cte_tables) {
        change_steps(&mut step.query, role_of(Some(&step.alias)), found, change);
    }
    // An order may name columns by their places.
    let role = if query.order_by.is_some() { QueryRole::Output } else { role };
    change_body(&mut query.body, role, found, change);
}

/// The role of a query with this name. Names for its columns, as in `a (b, c)`, go by place.
fn role_of(alias: Option<&TableAlias>) -> QueryRole {
    if alias.is_some_and(|alias| !alias.columns.is_empty()) { QueryRole::Output } else { QueryRole::Step }
}

fn change_body(body: &mut SetExpr, role: QueryRole, found: &mut SelectFacts, change: &mut dyn FnMut(&mut Select)) {
    match body {
        SetExpr::Select(select) => {
            for table in &mut select.from {
                let joins = table.joins.iter_mut();
                for join in joins {
                    found.join(&join.join_operator);
                    change_factor(&mut join.relation, found, change);
                }
                change_factor(&mut table.relation, found, change);
            }
            found.has_open_output |= select.projection.iter().any(is_star_without);
            // Distinct rows and groups of all columns depend on each column.
            if role == QueryRole::Output || select.distinct.is_some() || has_groups_by_place(select) {
                found.has_open_output |= select.projection.iter().any(|item| star(item).is_some());
            } else {
                change(select);
            }
        }
        SetExpr::Query(query) => change_steps(query, role, found, change),
        SetExpr::SetOperation { left, right, .. } => {
            change_body(left, QueryRole::Output, found, change);
            change_body(right, QueryRole::Output, found, change);
        }
        _ => {}
    }
}

fn change_factor(factor: &mut TableFactor, found: &mut SelectFacts, change: &mut dyn FnMut(&mut Select)) {
    match factor {
        TableFactor::Derived { subquery, alias, .. } => {
            change_steps(subquery, role_of(alias.as_ref()), found, change);
        }
        TableFactor::NestedJoin { .. } => found.has_open_output = true,
        _ => {}
    }
}

impl SelectFacts {
    fn join(&mut self, operator: &JoinOperator) {
        match constraint(operator) {
            Some(JoinConstraint::Using(names)) => {
                self.joined.extend(names.iter().map(|name| name.to_string().to_lowercase()));
            }
            Some(JoinConstraint::Natural) => self.has_open_output = true,
            _ => {}
        }
    }
}

fn star(item: &SelectItem) -> Option<&WildcardAdditionalOptions> {
    match item {
        SelectItem::Wildcard(options) | SelectItem::QualifiedWildcard(_, options) => Some(options),
        _ => None,
    }
}

/// Whether an item is a star that leaves out or renames columns.
fn is_star_without(item: &SelectItem) -> bool {
    star(item).is_some_and(|options| *options != WildcardAdditionalOptions::default())
}

/// Whether a select has groups that name columns by their places, or all columns.
fn has_groups_by_place(select: &Select) -> bool {
    match &select.group_by {
        GroupByExpr::All(_) => true,
        GroupByExpr::Expressions(keys, _) => keys.iter().any(|key| matches!(key, Expr::Value(_))),
    }
}

/// The name of a column that may be dropped: it is computed without functions and subqueries.
fn droppable(item: &SelectItem) -> Option<&Ident> {
    let (name, expr) = match item {
        SelectItem::UnnamedExpr(expr) => (column_ident(expr)?, expr),
        SelectItem::ExprWithAlias { expr, alias } => (alias, expr),
        _ => return None,
    };
    let calls = walk::has_expression(expr, |part| {
        matches!(part, Expr::Function(_) | Expr::Subquery(_) | Expr::InSubquery { .. } | Expr::Exists { .. })
    });
    (!calls).then_some(name)
}

/// Reads another table in place of each step that only repeats it: `SELECT * FROM table`.
pub(super) fn drop_repeating_steps(query: &mut Query) {
    let _ = walk::change(query, &mut RepeatingSteps);
}

struct RepeatingSteps;

impl VisitorMut for RepeatingSteps {
    type Break = ();

    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        let mut at = 0;
        while let Some(step) = steps(query).get(at) {
            let name = step.alias.name.to_string();
            match repeated_table(step).filter(|table| !is_hidden(query, at, &name, &table.to_string())) {
                None => at += 1,
                Some(table) => {
                    query.with.as_mut().map(|with| with.cte_tables.remove(at));
                    let _ = walk::change(query, &mut TableNames([(name, table)].into()));
                }
            }
        }
        query.with.take_if(|with| with.cte_tables.is_empty());
        ControlFlow::Continue(())
    }
}

fn steps(query: &Query) -> &[Cte] {
    query.with.as_ref().filter(|with| !with.recursive).map_or(&[], |with| &with.cte_tables)
}

/// The table that a step repeats.
fn repeated_table(step: &Cte) -> Option<ObjectName> {
    let SetExpr::Select(select) = step.query.body.as_ref() else { return None };
    let relation = &select.from.first()?.relation;
    let TableFactor::Table { name, args: None, alias, .. } = relation else { return None };
    let own = alias.as_ref().map_or_else(|| name.to_string(), |alias| alias.name.to_string());
    let all = ["*", &format!("{own}.*")].map(|all| format!("SELECT {all} FROM {relation}"));
    let renames = alias.iter().chain([&step.alias]).any(|alias| !alias.columns.is_empty());
    (!renames && all.contains(&step.query.to_string())).then(|| name.clone())
}

/// Whether a later or an inner step has the name of a step, or of the table that the step repeats.
fn is_hidden(query: &Query, at: usize, step: &str, table: &str) -> bool {
    let mut names = StepNames::default();
    let _ = walk::read(query, &mut names);
    let earlier = steps(query).iter().take(at).filter(|earlier| earlier.alias.name.to_string() == table);
    names.0.iter().filter(|name| *name == step || *name == table).count() > 1 + earlier.count()
}

/// The names of all steps.
#[derive(Default)]
struct StepNames(Vec<String>);

impl Visitor for StepNames {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.0.extend(query.with.iter().flat_map(|with| &with.cte_tables).map(|step| step.alias.name.to_string()));
        ControlFlow::Continue(())
    }
}
