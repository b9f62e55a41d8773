//! Visits the syntax tree of a statement.
//!
//! sqlparser's walk is generic over its visitor. Each visitor type adds 400 KB of code, one function for each type of
//! node. So there is only one type that reads and one that changes, and both pass each node to a `dyn` visitor.

use datafusion::sql::parser::{CopyToSource, Statement as Parsed};
use datafusion::sql::sqlparser::ast::{
    Expr, ObjectName, Query, Select, SetExpr, Statement, TableFactor, ValueWithSpan, Visit, VisitMut, Visitor,
    VisitorMut,
};
use std::ops::ControlFlow;

/// Passes all nodes to a visitor, until it ends the walk.
pub(super) fn read(node: &impl Visit, visitor: &mut dyn Visitor<Break = ()>) -> ControlFlow<()> {
    node.visit(&mut Reads(visitor))
}

/// Passes all nodes of what a statement, an `EXPLAIN` or a `COPY` asks to a visitor, until it ends the walk.
pub(crate) fn read_statement(statement: &Parsed, visitor: &mut dyn Visitor<Break = ()>) -> ControlFlow<()> {
    let mut statement = statement;
    while let Parsed::Explain(explain) = statement {
        statement = &explain.statement;
    }
    match statement {
        Parsed::Statement(statement) => read(statement, visitor),
        Parsed::CopyTo(copy) => match &copy.source {
            CopyToSource::Query(query) => read(query, visitor),
            CopyToSource::Relation(_) => ControlFlow::Continue(()),
        },
        _ => ControlFlow::Continue(()),
    }
}

/// Lets a visitor change all nodes of what a statement, an `EXPLAIN` or a `COPY` asks, until it ends the walk.
pub(super) fn change_statement(statement: &mut Parsed, visitor: &mut dyn VisitorMut<Break = ()>) -> ControlFlow<()> {
    match statement {
        Parsed::Explain(explain) => change_statement(&mut explain.statement, visitor),
        Parsed::Statement(statement) => change(statement, visitor),
        Parsed::CopyTo(copy) => match &mut copy.source {
            CopyToSource::Query(query) => change(query, visitor),
            CopyToSource::Relation(_) => ControlFlow::Continue(()),
        },
        _ => ControlFlow::Continue(()),
    }
}

/// Lets a visitor change all nodes, until it ends the walk.
pub(super) fn change(node: &mut impl VisitMut, visitor: &mut dyn VisitorMut<Break = ()>) -> ControlFlow<()> {
    node.visit(&mut Changes(visitor))
}

/// The first select of a union, which names its columns.
pub(super) fn first_select(body: &SetExpr) -> Option<&Select> {
    match body {
        SetExpr::Select(select) => Some(select),
        SetExpr::SetOperation { left, .. } => first_select(left),
        SetExpr::Query(query) => first_select(&query.body),
        _ => None,
    }
}

/// The same, for other names. A query with ORDER BY may name its columns there, too, and is none.
pub(super) fn first_select_mut(body: &mut SetExpr) -> Option<&mut Select> {
    match body {
        SetExpr::Select(select) => Some(select),
        SetExpr::SetOperation { left, .. } => first_select_mut(left),
        SetExpr::Query(query) if query.order_by.is_none() => first_select_mut(&mut query.body),
        _ => None,
    }
}

/// Reads all expressions, each before its parts.
pub(super) fn read_expressions(node: &impl Visit, mut action: impl FnMut(&Expr)) {
    let action = |expr: &Expr| {
        action(expr);
        ControlFlow::Continue(())
    };
    let _ = read(node, &mut Expressions(action));
}

/// Whether there is such an expression.
pub(super) fn has_expression(node: &impl Visit, is_meant: impl Fn(&Expr) -> bool) -> bool {
    let find = |expr: &Expr| if is_meant(expr) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    read(node, &mut Expressions(find)).is_break()
}

/// Changes all expressions, each after its parts.
pub(super) fn change_expressions(node: &mut impl VisitMut, mut action: impl FnMut(&mut Expr)) {
    let action = |expr: &mut Expr| {
        action(expr);
        ControlFlow::Continue(())
    };
    let _ = change(node, &mut Expressions(action));
}

/// Reads the names of all tables that are read.
pub(super) fn read_relations(node: &impl Visit, mut action: impl FnMut(&ObjectName)) {
    let action = |name: &ObjectName| {
        action(name);
        ControlFlow::Continue(())
    };
    let _ = read(node, &mut Relations(action));
}

struct Expressions<F>(F);

impl<F: FnMut(&Expr) -> ControlFlow<()>> Visitor for Expressions<F> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.0(expr)
    }
}

impl<F: FnMut(&mut Expr) -> ControlFlow<()>> VisitorMut for Expressions<F> {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        self.0(expr)
    }
}

struct Relations<F>(F);

impl<F: FnMut(&ObjectName) -> ControlFlow<()>> Visitor for Relations<F> {
    type Break = ();

    fn pre_visit_relation(&mut self, name: &ObjectName) -> ControlFlow<()> {
        self.0(name)
    }
}

struct Reads<'v>(&'v mut dyn Visitor<Break = ()>);

struct Changes<'v>(&'v mut dyn VisitorMut<Break = ()>);

macro_rules! pass_on {
    ($($method:ident($node:ty),)*) => {
        type Break = ();

        $(fn $method(&mut self, node: $node) -> ControlFlow<()> {
            self.0.$method(node)
        })*
    };
}

impl Visitor for Reads<'_> {
    pass_on! {
        pre_visit_query(&Query),
        post_visit_query(&Query),
        pre_visit_select(&Select),
        post_visit_select(&Select),
        pre_visit_relation(&ObjectName),
        post_visit_relation(&ObjectName),
        pre_visit_table_factor(&TableFactor),
        post_visit_table_factor(&TableFactor),
        pre_visit_expr(&Expr),
        post_visit_expr(&Expr),
        pre_visit_statement(&Statement),
        post_visit_statement(&Statement),
        pre_visit_value(&ValueWithSpan),
        post_visit_value(&ValueWithSpan),
    }
}

impl VisitorMut for Changes<'_> {
    pass_on! {
        pre_visit_query(&mut Query),
        post_visit_query(&mut Query),
        pre_visit_select(&mut Select),
        post_visit_select(&mut Select),
        pre_visit_relation(&mut ObjectName),
        post_visit_relation(&mut ObjectName),
        pre_visit_table_factor(&mut TableFactor),
        post_visit_table_factor(&mut TableFactor),
        pre_visit_expr(&mut Expr),
        post_visit_expr(&mut Expr),
        pre_visit_statement(&mut Statement),
        post_visit_statement(&mut Statement),
        pre_visit_value(&mut ValueWithSpan),
        post_visit_value(&mut ValueWithSpan),
    }
}
