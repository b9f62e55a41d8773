//! Writes each named window where it is used.
//!
//! DataFusion 55.2 reads `OVER w` only after SELECT, and ignores the name in `OVER (w ORDER BY x)`. No issue about it is
//! known.

use super::join_keys::normal;
use crate::statement::walk;
use datafusion::error::{DataFusionError, Result};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, Function, Ident, NamedWindowDefinition, NamedWindowExpr, Query, Select, SetExpr, VisitorMut, WindowSpec,
    WindowType,
};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Does so in all queries of a statement. Fails for a window that there is not, or that another one may not build on.
pub(crate) fn write_windows(statement: &mut Statement) -> Result<()> {
    let mut windows = Windows::default();
    let _ = walk::change_statement(statement, &mut windows);
    windows.failure.map_or(Ok(()), |cause| Err(DataFusionError::Plan(cause)))
}

type NamedWindows = BTreeMap<String, WindowSpec>;

#[derive(Default)]
struct Windows {
    /// The windows of each query and SELECT around a place.
    scopes: Vec<NamedWindows>,
    failure: Option<String>,
}

impl Windows {
    /// Notes a failure.
    fn value_of<T>(&mut self, value: Result<T, String>) -> ControlFlow<(), T> {
        match value {
            Ok(value) => ControlFlow::Continue(value),
            Err(cause) => {
                self.failure = Some(cause);
                ControlFlow::Break(())
            }
        }
    }

    fn enter(&mut self, definitions: &[NamedWindowDefinition]) -> ControlFlow<()> {
        let named = self.value_of(named(definitions))?;
        self.scopes.push(named);
        ControlFlow::Continue(())
    }

    fn leave(&mut self) -> ControlFlow<()> {
        self.scopes.pop();
        ControlFlow::Continue(())
    }
}

impl VisitorMut for Windows {
    type Break = ();

    // For ORDER BY, which is outside of the SELECT.
    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        self.enter(if let SetExpr::Select(select) = query.body.as_ref() { &select.named_window } else { &[] })
    }

    fn post_visit_query(&mut self, _query: &mut Query) -> ControlFlow<()> {
        self.leave()
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        self.enter(&select.named_window)
    }

    fn post_visit_select(&mut self, _select: &mut Select) -> ControlFlow<()> {
        self.leave()
    }

    fn pre_visit_expr(&mut self, expression: &mut Expr) -> ControlFlow<()> {
        if let Expr::Function(function) = expression
            && let Some(window) = &function.over
            && let Some(scope) = self.scopes.last()
        {
            let whole = match window {
                WindowType::NamedWindow(name) => find(scope, name).cloned(),
                WindowType::WindowSpec(window) => built(scope, window),
            };
            function.over = Some(WindowType::WindowSpec(self.value_of(whole)?));
        }
        ControlFlow::Continue(())
    }
}

/// The windows that a SELECT names, each with the one that it builds on.
fn named(definitions: &[NamedWindowDefinition]) -> Result<NamedWindows, String> {
    let mut named = NamedWindows::new();
    for NamedWindowDefinition(name, window) in definitions {
        let window = match window {
            NamedWindowExpr::NamedWindow(other) => find(&named, other)?.clone(),
            NamedWindowExpr::WindowSpec(window) => built(&named, window)?,
        };
        let keys = window.order_by.iter().map(|key| &key.expr).chain(&window.partition_by);
        // No statement with such a one can be planned, and windows within windows could double its size each time.
        if keys.into_iter().any(|key| walk::has_expression(key, is_in_window)) {
            return Err(format!("the window {name} has a function with OVER; compute it in a subquery"));
        }
        if named.insert(normal(name), window).is_some() {
            return Err(format!("there are two windows {name}"));
        }
    }
    Ok(named)
}

fn is_in_window(part: &Expr) -> bool {
    matches!(part, Expr::Function(Function { over: Some(_), .. }))
}

fn find<'w>(named: &'w NamedWindows, name: &Ident) -> Result<&'w WindowSpec, String> {
    named.get(&normal(name)).ok_or_else(|| format!("there is no window {name}"))
}

/// A window with what the window that it builds on says. Both may not say the same.
fn built(named: &NamedWindows, window: &WindowSpec) -> Result<WindowSpec, String> {
    let Some(name) = &window.window_name else { return Ok(window.clone()) };
    let base = find(named, name)?;
    let is_ordered_twice = !base.order_by.is_empty() && !window.order_by.is_empty();
    if !window.partition_by.is_empty() || is_ordered_twice || base.window_frame.is_some() {
        return Err(format!(
            "({name} …) takes no PARTITION BY, no second ORDER BY, and no {name} with a frame; write the window in full"
        ));
    }
    let ordered = if window.order_by.is_empty() { base } else { window };
    Ok(WindowSpec {
        window_name: None,
        partition_by: base.partition_by.clone(),
        order_by: ordered.order_by.clone(),
        window_frame: window.window_frame.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::write_windows;
    use crate::statement::parse_statements;

    #[test]
    fn named_windows_are_written_where_they_are_used() {
        for (query, expected) in [
            (
                "SELECT f() OVER w FROM t WINDOW W AS (PARTITION BY a) QUALIFY g() OVER (w) ORDER BY h() OVER (w ORDER BY b)",
                Ok("SELECT f() OVER (PARTITION BY a) FROM t WINDOW W AS (PARTITION BY a) \
                    QUALIFY g() OVER (PARTITION BY a) ORDER BY h() OVER (PARTITION BY a ORDER BY b)"),
            ),
            (
                "SELECT f() OVER (v ROWS UNBOUNDED PRECEDING) FROM t WINDOW w AS (PARTITION BY a), u AS (w ORDER BY b), v AS u",
                Ok("SELECT f() OVER (PARTITION BY a ORDER BY b ROWS UNBOUNDED PRECEDING) FROM t \
                    WINDOW w AS (PARTITION BY a), u AS (w ORDER BY b), v AS u"),
            ),
            (
                "SELECT (SELECT f() OVER (w) FROM t WINDOW w AS (ORDER BY a)) UNION SELECT g() OVER w FROM t WINDOW w AS ()",
                Ok("SELECT (SELECT f() OVER (ORDER BY a) FROM t WINDOW w AS (ORDER BY a)) \
                    UNION SELECT g() OVER () FROM t WINDOW w AS ()"),
            ),
            ("SELECT f() OVER (w ORDER BY b) FROM t", Err("there is no window w")),
            ("SELECT f() OVER \"W\" FROM t WINDOW w AS ()", Err("there is no window \"W\"")),
            (
                "SELECT 1 FROM t WINDOW w AS (), v AS (ORDER BY f(g() OVER w))",
                Err("the window v has a function with OVER"),
            ),
            ("SELECT 1 FROM t WINDOW w AS (v), v AS ()", Err("there is no window v")),
            ("SELECT f() OVER w FROM t WINDOW w AS (ORDER BY a), W AS ()", Err("there are two windows W")),
            ("SELECT f() OVER (w PARTITION BY a) FROM t WINDOW w AS ()", Err("(w …) takes no PARTITION BY")),
            ("SELECT f() OVER (w ORDER BY a) FROM t WINDOW w AS (ORDER BY a)", Err("(w …) takes no PARTITION BY")),
            ("SELECT f() OVER (w) FROM t WINDOW w AS (ROWS UNBOUNDED PRECEDING)", Err("(w …) takes no PARTITION BY")),
        ] {
            let mut statement = parse_statements(query).unwrap().remove(0).0;
            match (write_windows(&mut statement), expected) {
                (Ok(()), Ok(expected)) => assert_eq!(statement.to_string(), expected),
                (Err(error), Err(expected)) => assert!(error.message().starts_with(expected), "{error}"),
                (found, expected) => panic!("{query}: {found:?}, not {expected:?}"),
            }
        }
    }
}
