//! Rewrites a parsed statement for the SQL of Spark 4, so that it has the same answer there.

use crate::statement::walk;
use datafusion::sql::sqlparser::ast::{
    CastKind, DataType, ExactNumberInfo, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArguments, Ident, ObjectName, ObjectNamePart, OrderByExpr, OrderByKind, Query, Select, SelectItem, SetExpr,
    TimezoneInfo, UnaryOperator, Value, ValueWithSpan, VisitorMut, WindowType,
};
use std::ops::ControlFlow;

/// Rewrites a query.
pub(super) fn rewrite(query: &mut Query) {
    let _ = walk::change(query, &mut ForSpark);
}

/// The names of functions in DataFusion and in Spark.
const NAMES: [(&str, &str); 5] = [
    ("starts_with", "startswith"),
    ("ends_with", "endswith"),
    ("string_agg", "listagg"),
    ("array_to_string", "array_join"),
    ("strpos", "locate"),
];

struct ForSpark;

impl VisitorMut for ForSpark {
    type Break = ();

    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        if let Some(order) = &mut query.order_by
            && let OrderByKind::Expressions(keys) = &mut order.kind
        {
            keys.iter_mut().for_each(place_nulls);
        }
        if let SetExpr::Values(values) = query.body.as_mut() {
            values.rows.iter_mut().flat_map(|row| &mut row.content).for_each(make_long);
        }
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        for item in &mut select.projection {
            match item {
                SelectItem::ExprWithAlias { expr, alias } => {
                    make_long(expr);
                    quote(alias);
                }
                SelectItem::UnnamedExpr(expr) => make_long(expr),
                _ => {}
            }
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        match expr {
            Expr::Cast { data_type, .. } if matches!(data_type, DataType::Varchar(_) | DataType::Text) => {
                *data_type = DataType::String(None);
            }
            Expr::Identifier(name) => quote(name),
            Expr::CompoundIdentifier(names) => names.iter_mut().for_each(quote),
            Expr::Case { conditions, else_result, .. } => {
                conditions.iter_mut().for_each(|when| make_long(&mut when.result));
                else_result.iter_mut().for_each(|expr| make_long(expr));
            }
            Expr::Function(function) => {
                if let Some(time) = epoch(function) {
                    *expr = seconds(time);
                } else if let Some(text) = character(function) {
                    *expr = Expr::value(Value::SingleQuotedString(text));
                } else {
                    call(function);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn post_visit_value(&mut self, value: &mut ValueWithSpan) -> ControlFlow<()> {
        match &mut value.value {
            // Without the suffix, Spark would read a decimal.
            Value::Number(number, _) if number.contains(['.', 'e', 'E']) => number.push('D'),
            // In Spark, a backslash starts an escape.
            Value::SingleQuotedString(text) => *text = text.replace('\\', "\\\\"),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// Spark quotes names by backticks. Double quotes enclose a text.
fn quote(name: &mut Ident) {
    if name.quote_style == Some('"') {
        name.quote_style = Some('`');
    }
}

/// By default, DataFusion orders null as the largest value, and Spark as the smallest.
fn place_nulls(key: &mut OrderByExpr) {
    let is_ascending = key.options.asc.unwrap_or(true);
    key.options.nulls_first.get_or_insert(!is_ascending);
}

/// A whole number is a BIGINT here, and without a suffix an INT in Spark. A column with such values must have the same
/// type in both. Elsewhere, Spark may require an INT, as after LIMIT.
fn make_long(expr: &mut Expr) {
    match expr {
        Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Minus, expr: inner } => make_long(inner),
        Expr::Value(ValueWithSpan { value: Value::Number(number, is_long), .. }) => {
            *is_long = number.bytes().all(|byte| byte.is_ascii_digit());
        }
        _ => {}
    }
}

fn expression(argument: &mut FunctionArg) -> Option<&mut Expr> {
    match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    }
}

/// Makes an argument an INT, which some functions of Spark require.
fn make_int(argument: &mut FunctionArg) {
    if let Some(expr) = expression(argument).filter(|expr| !matches!(expr, Expr::Value(_))) {
        *expr = cast(expr.clone(), DataType::Int(None));
    }
}

/// The time of `date_part('epoch', time)`, for which Spark has no field.
fn epoch(function: &Function) -> Option<Expr> {
    let FunctionArguments::List(arguments) = &function.args else { return None };
    let [FunctionArg::Unnamed(FunctionArgExpr::Expr(field)), FunctionArg::Unnamed(FunctionArgExpr::Expr(time))] =
        &*arguments.args
    else {
        return None;
    };
    let is_epoch = matches!(field, Expr::Value(value) if value.value == Value::SingleQuotedString("epoch".to_owned()));
    (is_epoch && function.name.to_string().eq_ignore_ascii_case("date_part")).then(|| time.clone())
}

/// The character of `chr(number)` as an escape in a text, since Spark's `chr` has only the first 256 characters.
fn character(function: &Function) -> Option<String> {
    let FunctionArguments::List(arguments) = &function.args else { return None };
    let [FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(value)))] = &*arguments.args else { return None };
    let Value::Number(number, _) = &value.value else { return None };
    let code: u32 = number.parse().ok()?;
    function.name.to_string().eq_ignore_ascii_case("chr").then(|| format!("\\U{code:08X}"))
}

/// A time as seconds since 1970.
fn seconds(time: Expr) -> Expr {
    cast(cast(time, DataType::Timestamp(None, TimezoneInfo::None)), DataType::Double(ExactNumberInfo::None))
}

fn cast(expr: Expr, data_type: DataType) -> Expr {
    Expr::Cast { kind: CastKind::Cast, expr: Box::new(expr), data_type, array: false, format: None }
}

fn call(function: &mut Function) {
    if let Some(WindowType::WindowSpec(window)) = &mut function.over {
        window.order_by.iter_mut().for_each(place_nulls);
    }
    let name = function.name.to_string().to_ascii_lowercase();
    if let FunctionArguments::List(arguments) = &mut function.args {
        match name.as_str() {
            "split_part" => arguments.args.iter_mut().skip(2).for_each(make_int),
            "coalesce" | "greatest" | "least" => arguments.args.iter_mut().filter_map(expression).for_each(make_long),
            _ => {}
        }
    }
    let Some((_, in_spark)) = NAMES.iter().find(|(here, _)| *here == name) else { return };
    function.name = ObjectName(vec![ObjectNamePart::Identifier(Ident::new(*in_spark))]);
    let FunctionArguments::List(arguments) = &mut function.args else { return };
    match name.as_str() {
        // Spark: locate(part, text).
        "strpos" => arguments.args.reverse(),
        "string_agg" => {
            for clause in std::mem::take(&mut arguments.clauses) {
                match clause {
                    FunctionArgumentClause::OrderBy(mut keys) => {
                        keys.iter_mut().for_each(place_nulls);
                        function.within_group = keys;
                    }
                    other => arguments.clauses.push(other),
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::statement::ParsedQuery;

    #[test]
    fn statements_for_spark() {
        let check = |here: &str, in_spark: &str| {
            let mut query = ParsedQuery::parse(here).unwrap();
            query.for_spark();
            assert_eq!(query.to_string(), in_spark, "{here}");
        };
        check("SELECT chr(65533) || chr(1114111)", r"SELECT '\U0000FFFD' || '\U0010FFFF'");
        check(
            "SELECT starts_with(a, 'b'), ends_with(a, 'c') FROM t",
            "SELECT startswith(a, 'b'), endswith(a, 'c') FROM t",
        );
        check("SELECT strpos(text, 'part')", "SELECT locate('part', text)");
        check(
            "SELECT string_agg(DISTINCT a, ' ' ORDER BY a DESC) FROM t",
            "SELECT listagg(DISTINCT a, ' ') WITHIN GROUP (ORDER BY a DESC NULLS FIRST) FROM t",
        );
        check(
            "SELECT array_to_string(array_sort(array_agg(a)), ' ') FROM t",
            "SELECT array_join(array_sort(array_agg(a)), ' ') FROM t",
        );
        check("SELECT CAST(a AS VARCHAR), CAST(b AS BIGINT)", "SELECT CAST(a AS STRING), CAST(b AS BIGINT)");
        check("SELECT date_part('epoch', a)", "SELECT CAST(CAST(a AS TIMESTAMP) AS DOUBLE)");
        check("SELECT 1, 1.5, 'a\\b'", "SELECT 1L, 1.5D, 'a\\\\b'");
        check("SELECT a + 1, (-2) AS b FROM t LIMIT 3", "SELECT a + 1, (-2L) AS b FROM t LIMIT 3");
        check("SELECT coalesce(a, 0) FROM t", "SELECT coalesce(a, 0L) FROM t");
        check("SELECT CASE a WHEN 1 THEN 2 ELSE 3 END FROM t", "SELECT CASE a WHEN 1 THEN 2L ELSE 3L END FROM t");
        check(
            "SELECT split_part(x, '/', n), split_part(x, '/', 2) FROM (VALUES (1), (2)) AS v (n)",
            "SELECT split_part(x, '/', CAST(n AS INT)), split_part(x, '/', 2) FROM (VALUES (1L), (2L)) AS v (n)",
        );
        check("SELECT t.\"a b\" AS \"c\" FROM t", "SELECT t.`a b` AS `c` FROM t");
        check(
            "SELECT a FROM t ORDER BY a, b DESC, c NULLS FIRST",
            "SELECT a FROM t ORDER BY a NULLS LAST, b DESC NULLS FIRST, c NULLS FIRST",
        );
        check(
            "SELECT row_number() OVER (PARTITION BY a ORDER BY b DESC) FROM t",
            "SELECT row_number() OVER (PARTITION BY a ORDER BY b DESC NULLS FIRST) FROM t",
        );
    }
}
