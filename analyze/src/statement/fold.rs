//! Drops the parts of a query that the values of its parameters exclude.
//!
//! A parameter often chooses between branches: `WHERE $by = 'rank'`, one side of a `UNION ALL`, a `WHEN`. With its
//! value in place, the other branches are dead. Without them, the statement is readable, and engines have less to plan.
//!
//! Only literals are evaluated. An expression that depends on a column does not change.

use crate::statement::walk;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, CaseWhen, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr, Ident,
    Join, JoinConstraint, JoinOperator, Query, Select, SelectItem, SetExpr, SetOperator, SetQuantifier, TableFactor,
    UnaryOperator, Value as Literal, VisitorMut,
};
use std::collections::BTreeSet;
use std::mem;
use std::ops::ControlFlow;

/// Evaluates conditions of literals, and drops branches, steps and joins without rows.
pub(super) fn fold(query: &mut Query) {
    let _ = walk::change(query, &mut Fold);
}

struct Fold;

impl VisitorMut for Fold {
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

    /// A step comes before the steps that read it, so one pass finds all empty steps.
    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        let mut empty = BTreeSet::new();
        if let Some(with) = &mut query.with
            && !with.recursive
        {
            for step in &mut with.cte_tables {
                without_empty_steps(&mut step.query, &empty);
                if is_empty(&step.query.body) {
                    empty.insert(step.alias.name.value.clone());
                }
            }
        }
        settle(&mut query.body, &empty);
        drop_unread_steps(query);
        ControlFlow::Continue(())
    }
}

fn null() -> Expr {
    Expr::Value(Literal::Null.into())
}

fn boolean(value: bool) -> Expr {
    Expr::Value(Literal::Boolean(value).into())
}

fn literal(expr: &Expr) -> Option<&Literal> {
    match expr {
        Expr::Value(value) => Some(&value.value),
        Expr::Nested(inner) => literal(inner),
        _ => None,
    }
}

fn flag(expr: &Expr) -> Option<bool> {
    match literal(expr)? {
        Literal::Boolean(value) => Some(*value),
        _ => None,
    }
}

fn text(expr: &Expr) -> Option<&str> {
    match literal(expr)? {
        Literal::SingleQuotedString(text) => Some(text),
        _ => None,
    }
}

fn number(expr: &Expr) -> Option<i64> {
    match literal(expr)? {
        Literal::Number(digits, _) => digits.parse().ok(),
        _ => None,
    }
}

/// Whether an expression is null: the literal, or a CASE whose only branch is dead. That branch is kept for its type.
fn is_null(expr: &Expr) -> bool {
    match expr {
        Expr::Case { conditions, else_result: None, operand: None, .. } => {
            conditions.iter().all(|branch| flag(&branch.condition) == Some(false))
        }
        expr => literal(expr) == Some(&Literal::Null),
    }
}

/// An expression that replaces another, in parentheses if it may bind less tightly.
fn in_place(expr: Expr) -> Expr {
    match expr {
        Expr::Value(_)
        | Expr::Identifier(_)
        | Expr::CompoundIdentifier(_)
        | Expr::Function(_)
        | Expr::Nested(_)
        | Expr::Case { .. }
        | Expr::Cast { .. } => expr,
        other => Expr::Nested(Box::new(other)),
    }
}

/// The expression after its literals are evaluated; `None` if it does not change. Its parts are already folded.
fn folded(expr: &mut Expr) -> Option<Expr> {
    match expr {
        Expr::Nested(inner) if literal(inner).is_some() => Some(mem::replace(inner, null())),
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => flag(expr).map(|value| boolean(!value)),
        Expr::BinaryOp { left, op, right } => match op {
            BinaryOperator::And | BinaryOperator::Or => {
                // The value that decides by itself: false AND x, true OR x.
                let decides = *op == BinaryOperator::Or;
                match (flag(left), flag(right)) {
                    (Some(value), _) | (_, Some(value)) if value == decides => Some(boolean(value)),
                    (Some(_), _) => Some(mem::replace(right.as_mut(), null())),
                    (_, Some(_)) => Some(mem::replace(left.as_mut(), null())),
                    (None, None) => None,
                }
            }
            _ => compared(left, op, right).map(boolean),
        },
        Expr::InList { expr, list, negated } => {
            let sought = text(expr)?;
            let listed = list.iter().map(text).collect::<Option<Vec<_>>>()?;
            Some(boolean(listed.contains(&sought) != *negated))
        }
        Expr::Case { operand, conditions, else_result, .. } => folded_case(operand, conditions, else_result),
        Expr::Function(function) => folded_call(function),
        _ => None,
    }
}

fn compared(left: &Expr, op: &BinaryOperator, right: &Expr) -> Option<bool> {
    if let (Some(left), Some(right)) = (text(left), text(right)) {
        return match op {
            BinaryOperator::Eq => Some(left == right),
            BinaryOperator::NotEq => Some(left != right),
            _ => None,
        };
    }
    let (left, right) = (number(left)?, number(right)?);
    Some(match op {
        BinaryOperator::Eq => left == right,
        BinaryOperator::NotEq => left != right,
        BinaryOperator::Lt => left < right,
        BinaryOperator::LtEq => left <= right,
        BinaryOperator::Gt => left > right,
        BinaryOperator::GtEq => left >= right,
        _ => return None,
    })
}

fn folded_case(
    operand: &mut Option<Box<Expr>>,
    conditions: &mut Vec<CaseWhen>,
    else_result: &mut Option<Box<Expr>>,
) -> Option<Expr> {
    let sought = operand.as_deref().map(|operand| text(operand).map(str::to_owned));
    match sought {
        // CASE column WHEN …
        Some(None) => return None,
        Some(Some(sought)) => {
            if !conditions.iter().all(|branch| text(&branch.condition).is_some()) {
                return None;
            }
            for branch in conditions.iter_mut() {
                branch.condition = boolean(text(&branch.condition) == Some(&sought));
            }
            *operand = None;
        }
        None => {}
    }
    if let Some(at) = conditions.iter().position(|branch| flag(&branch.condition) == Some(true)) {
        *else_result = conditions.drain(at..).next().map(|branch| Box::new(branch.result));
    }
    let is_dead = |branch: &CaseWhen| flag(&branch.condition) == Some(false);
    if else_result.is_none() && conditions.iter().all(is_dead) {
        // One branch stays, since the type of a null depends on it.
        conditions.truncate(1);
        return None;
    }
    conditions.retain(|branch| !is_dead(branch));
    if conditions.is_empty() { else_result.take().map(|result| in_place(*result)) } else { None }
}

/// The arguments of a call without names, filters or windows.
fn arguments(function: &mut Function) -> Option<&mut Vec<FunctionArg>> {
    let FunctionArguments::List(list) = &mut function.args else { return None };
    let is_plain = |argument: &FunctionArg| matches!(argument, FunctionArg::Unnamed(FunctionArgExpr::Expr(_)));
    list.args.iter().all(is_plain).then_some(&mut list.args)
}

fn argument(argument: &FunctionArg) -> Option<&Expr> {
    match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    }
}

fn folded_call(function: &mut Function) -> Option<Expr> {
    let name = function.name.to_string().to_ascii_lowercase();
    let arguments = arguments(function)?;
    let is_dead = |one: &FunctionArg| argument(one).is_some_and(is_null);
    match name.as_str() {
        "coalesce" => {
            if arguments.iter().all(is_dead) {
                // A CASE keeps the type of the null.
                arguments.retain(|one| argument(one).is_some_and(|expr| literal(expr).is_none()));
                return match arguments.as_slice() {
                    [] => Some(null()),
                    [one, ..] => argument(one).cloned(),
                };
            }
            arguments.retain(|one| !is_dead(one));
            let is_literal = |one: &FunctionArg| argument(one).is_some_and(|expr| literal(expr).is_some());
            if let Some(at) = arguments.iter().position(is_literal) {
                arguments.truncate(at + 1);
            }
            match arguments.as_slice() {
                [one] => argument(one).cloned().map(in_place),
                _ => None,
            }
        }
        "nullif" => match arguments.as_slice() {
            [one, _] if literal(argument(one)?) == Some(&Literal::Null) => Some(null()),
            [one, other] if text(argument(one)?)? == text(argument(other)?)? => Some(null()),
            _ => None,
        },
        "concat_ws" => {
            let mut place = 0;
            arguments.retain(|one| {
                place += 1;
                place == 1 || !is_dead(one)
            });
            let texts = arguments.iter().map(|one| text(argument(one)?)).collect::<Option<Vec<_>>>()?;
            let (separator, texts) = texts.split_first()?;
            Some(Expr::Value(Literal::SingleQuotedString(texts.join(separator)).into()))
        }
        _ => None,
    }
}

/// Whether a query has no rows for any content of its tables.
fn is_empty(body: &SetExpr) -> bool {
    match body {
        SetExpr::Select(select) => select.selection.as_ref().and_then(flag) == Some(false) && !counts_all(select),
        SetExpr::Query(query) => is_empty(&query.body),
        SetExpr::SetOperation { left, op: SetOperator::Union, right, .. } => is_empty(left) && is_empty(right),
        _ => false,
    }
}

/// Whether a select has one row even for an empty input: an aggregate without groups.
fn counts_all(select: &Select) -> bool {
    let has_groups = match &select.group_by {
        GroupByExpr::All(_) => true,
        GroupByExpr::Expressions(keys, _) => !keys.is_empty(),
    };
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
            walk::read_expressions(expr, |part| match part {
                Expr::Function(_) => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            })
            .is_break()
        }
        _ => false,
    };
    !has_groups && select.projection.iter().any(calls) && !select.projection.iter().any(is_column)
}

/// Folds a query that may read these empty steps.
fn without_empty_steps(query: &mut Query, empty: &BTreeSet<String>) {
    let mut empty = empty.clone();
    if let Some(with) = &mut query.with {
        for step in &mut with.cte_tables {
            without_empty_steps(&mut step.query, &empty);
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
        SetExpr::Query(query) => without_empty_steps(query, empty),
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

fn no_values() -> datafusion::sql::sqlparser::ast::Values {
    datafusion::sql::sqlparser::ast::Values { explicit_row: false, value_keyword: false, rows: Vec::new() }
}

/// The first select of a union, which names its columns.
fn first_select(body: &SetExpr) -> Option<&Select> {
    match body {
        SetExpr::Select(select) => Some(select),
        SetExpr::SetOperation { left, .. } => first_select(left),
        _ => None,
    }
}

/// Gives the columns of one side of a union the names of the other side's columns. Returns whether that is possible.
fn take_names(side: &mut SetExpr, other: &SetExpr) -> bool {
    let Some(other) = first_select(other) else { return false };
    let mut side = side;
    let select = loop {
        match side {
            SetExpr::Select(select) => break select,
            SetExpr::SetOperation { left, .. } => side = left,
            _ => return false,
        }
    };
    if select.projection.len() != other.projection.len() {
        return false;
    }
    let is_star = |item: &SelectItem| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..));
    let mut pairs = select.projection.iter().zip(&other.projection);
    if !pairs.all(|(own, theirs)| is_star(own) == is_star(theirs) && (is_star(own) || name_of(theirs).is_some())) {
        return false;
    }
    for (own, theirs) in select.projection.iter_mut().zip(&other.projection) {
        let Some(name) = name_of(theirs).filter(|name| name_of(own) != Some(*name)) else { continue };
        if let SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } = own {
            *own = SelectItem::ExprWithAlias { expr: mem::replace(expr, null()), alias: name.clone() };
        }
    }
    true
}

fn name_of(item: &SelectItem) -> Option<&Ident> {
    match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(alias),
        SelectItem::UnnamedExpr(Expr::Identifier(name)) => Some(name),
        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(names)) => names.last(),
        _ => None,
    }
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
            without_empty_steps(subquery, empty);
        }
    }
    if empty.is_empty() || reads_unqualified(select) {
        return;
    }
    let mut dropped = BTreeSet::new();
    let mut needs_empty = false;
    for table in &mut select.from {
        let is_outer = table.joins.iter().any(|join| {
            !matches!(
                join.join_operator,
                JoinOperator::Join(_) | JoinOperator::Inner(_) | JoinOperator::Left(_) | JoinOperator::CrossJoin(_)
            )
        });
        if is_outer {
            return;
        }
        needs_empty |= empty_step(&table.relation, empty).is_some();
        table.joins.retain(|Join { relation, join_operator, .. }| match (empty_step(relation, empty), join_operator) {
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

/// Whether a select has columns whose table is not stated.
fn reads_unqualified(select: &Select) -> bool {
    walk::read_expressions(select, |expr| match expr {
        Expr::Identifier(_) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    })
    .is_break()
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
    fn empty_steps_are_left_out() {
        check(
            "WITH r AS (SELECT host, rank FROM ranks WHERE 'rank' IN ('none')), \
             s AS (SELECT w.*, coalesce(r.rank, 0) AS rank FROM sites AS w LEFT JOIN r ON r.host = w.host) SELECT a FROM s",
            "WITH s AS (SELECT w.*, 0 AS rank FROM sites AS w) SELECT a FROM s",
        );
        // A join that needs a row of an empty step is empty, and so is a union of such joins.
        check(
            "WITH r AS (SELECT a FROM t WHERE false), s AS (SELECT r.a FROM r JOIN u ON u.a = r.a) \
             SELECT b FROM v UNION ALL SELECT s.a FROM s",
            "SELECT b FROM v",
        );
        // The table of an unqualified column is unknown.
        check(
            "WITH r AS (SELECT a FROM t WHERE false) SELECT b FROM u LEFT JOIN r ON r.a = u.a",
            "WITH r AS (SELECT a FROM t WHERE false) SELECT b FROM u LEFT JOIN r ON r.a = u.a",
        );
    }
}
