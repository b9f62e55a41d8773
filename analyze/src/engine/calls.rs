//! Refuses clauses of calls that DataFusion 55.2 ignores, such as `lower(x) FILTER (WHERE y)`. Without an error, such a
//! statement would get the answer to another question. No issue about it is known.

use crate::statement::join_keys::normal;
use crate::statement::walk;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::session_state::SessionState;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArgumentClause, FunctionArguments, ObjectNamePart, Visitor,
};
use std::ops::ControlFlow;

/// Aggregate functions that count equal rows as often as they occur, also with DISTINCT.
const WITHOUT_DISTINCT: [&str; 15] = [
    "approx_percentile_cont",
    "corr",
    "covar",
    "covar_pop",
    "covar_samp",
    "nth_value",
    "regr_avgx",
    "regr_avgy",
    "regr_count",
    "regr_intercept",
    "regr_r2",
    "regr_slope",
    "regr_sxx",
    "regr_sxy",
    "regr_syy",
];

/// Fails if a statement has such a clause.
pub(super) fn check_calls(statement: &Statement, state: &SessionState) -> Result<()> {
    let mut calls = IgnoredClauses { state, ignored: None };
    let _ = walk::read_statement(statement, &mut calls);
    calls.ignored.map_or(Ok(()), |cause| Err(DataFusionError::Plan(cause)))
}

struct IgnoredClauses<'s> {
    state: &'s SessionState,
    /// The first such clause.
    ignored: Option<String>,
}

impl Visitor for IgnoredClauses<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expression: &Expr) -> ControlFlow<()> {
        if let Expr::Function(function) = expression
            && let [ObjectNamePart::Identifier(name)] = function.name.0.as_slice()
        {
            self.ignored = self.ignored(function, &normal(name));
        }
        if self.ignored.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl IgnoredClauses<'_> {
    fn ignored(&self, function: &Function, name: &str) -> Option<String> {
        let (is_distinct, clauses) = match &function.args {
            FunctionArguments::List(list) => {
                (list.duplicate_treatment == Some(DuplicateTreatment::Distinct), list.clauses.as_slice())
            }
            _ => (false, [].as_slice()),
        };
        let is_sorted = clauses.iter().any(|clause| matches!(clause, FunctionArgumentClause::OrderBy(_)));
        let skips_nulls =
            |clause: &FunctionArgumentClause| matches!(clause, FunctionArgumentClause::IgnoreOrRespectNulls(_));
        let is_of_values = self.state.scalar_functions().contains_key(name)
            || self.state.higher_order_functions().contains_key(name)
            || ["unnest", "unnest_outer"].contains(&name);
        let is_of_windows = !self.state.aggregate_functions().contains_key(name) && function.over.is_some();
        let counts_equal_rows = is_of_values || is_of_windows || WITHOUT_DISTINCT.contains(&name);
        [
            (function.parameters != FunctionArguments::None, "second list of arguments"),
            (counts_equal_rows && is_distinct, "DISTINCT"),
            (is_of_values && is_sorted, "ORDER BY"),
            (is_of_values && !function.within_group.is_empty(), "WITHIN GROUP"),
            (is_of_values && function.filter.is_some(), "FILTER"),
            (is_of_values && function.over.is_some(), "OVER"),
            (is_of_values && (function.null_treatment.is_some() || clauses.iter().any(skips_nulls)), "NULLS"),
        ]
        .into_iter()
        .find_map(|(is_ignored, clause)| is_ignored.then(|| format!("{name} takes no {clause}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions;
    use crate::statement::parse_statements;
    use datafusion::arrow::util::display::array_value_to_string;
    use datafusion::prelude::SessionContext;

    fn session() -> SessionContext {
        let context = SessionContext::new();
        functions::register(&context);
        context
    }

    fn check(statement: &str, state: &SessionState) -> Result<()> {
        check_calls(&parse_statements(statement)?[0].0, state)
    }

    #[test]
    fn ignored_clauses_are_refused() {
        let state = session().state();
        for (call, expected) in [
            ("lower(x) FILTER (WHERE y)", Some("lower takes no FILTER")),
            ("1 + Registered_Domain(x) OVER ()", Some("registered_domain takes no OVER")),
            ("lower(DISTINCT x)", Some("lower takes no DISTINCT")),
            ("array_filter(x ORDER BY y)", Some("array_filter takes no ORDER BY")),
            ("unnest(x) WITHIN GROUP (ORDER BY y)", Some("unnest takes no WITHIN GROUP")),
            ("lower(x IGNORE NULLS)", Some("lower takes no NULLS")),
            ("lower(x) RESPECT NULLS", Some("lower takes no NULLS")),
            ("lag(DISTINCT x) OVER (ORDER BY x)", Some("lag takes no DISTINCT")),
            ("corr(DISTINCT x, y)", Some("corr takes no DISTINCT")),
            ("median(0.5)(x)", Some("median takes no second list of arguments")),
            ("count(DISTINCT x) FILTER (WHERE y) OVER ()", None),
            ("lag(x) IGNORE NULLS OVER (ORDER BY x)", None),
            ("percentile_cont(0.5) WITHIN GROUP (ORDER BY lower(x))", None),
            ("nosuch(DISTINCT x)", None),
        ] {
            let error = check(&format!("SELECT {call} FROM t"), &state).err().map(|error| error.message().into_owned());
            assert_eq!(error.as_deref(), expected, "{call}");
        }
    }

    async fn value(context: &SessionContext, statement: &str) -> Result<String> {
        let rows = context.sql(statement).await?.collect().await?;
        let text = array_value_to_string(rows[0].column(0), 0)?;
        if let (true, Ok(number)) = (text.contains('.'), text.parse::<f64>()) {
            return Ok(format!("{number:.6}"));
        }
        // Lists have any order.
        let mut bytes = text.into_bytes();
        bytes.sort_unstable();
        Ok(String::from_utf8(bytes).unwrap())
    }

    /// When this fails, a function takes DISTINCT that did not, or the reverse.
    #[tokio::test]
    async fn other_aggregate_functions_take_distinct() {
        const ROWS: &str =
            "(VALUES (1, 1, true), (1, 1, true), (1, 1, true), (2, 5, false), (7, 9, NULL)) AS t (x, y, b)";
        let context = session();
        let mut ignore = Vec::new();
        let mut names: Vec<String> = context.state().aggregate_functions().keys().cloned().collect();
        // Any row is right for these, and `grouping` gives a constant.
        names.retain(|name| !["any_value", "first_value", "last_value", "grouping"].contains(&name.as_str()));
        names.sort();
        for name in names {
            let mut is_known = false;
            for arguments in ["x", "x, y", "b", "x, 2", "x, 0.4", "x, y, 0.4", "x::text, ','", "true, x::text, '/'"] {
                let [all, distinct] = ["", "DISTINCT "].map(|word| format!("SELECT {name}({word}{arguments}) FROM "));
                let Ok(expected) = value(&context, &format!("{all} (SELECT DISTINCT * FROM {ROWS})")).await else {
                    continue;
                };
                is_known = true;
                // An error is right, too.
                let found = value(&context, &format!("{distinct} {ROWS}")).await;
                if found.is_ok_and(|found| found != expected) && !ignore.contains(&name) {
                    ignore.push(name.clone());
                }
            }
            assert!(is_known, "{name}");
        }
        assert_eq!(ignore, WITHOUT_DISTINCT);
    }
}
