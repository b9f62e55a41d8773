//! Rewrites a parsed statement for the SQL of Spark 4, so that it has the same answer there.

use crate::statement::walk;
use datafusion::sql::sqlparser::ast::{
    CastKind, DataType, ExactNumberInfo, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArguments, Ident, ObjectName, ObjectNamePart, OrderByExpr, OrderByKind, Query, Select, SelectItem,
    TimezoneInfo, Value, ValueWithSpan, VisitorMut, WindowType,
};
use std::ops::ControlFlow;

/// Rewrites a query.
pub(super) fn rewrite(query: &mut Query) {
    let _ = walk::change(query, &mut ForSpark);
}

/// The names of functions in DataFusion and in Spark.
const NAMES: [(&str, &str); 4] =
    [("starts_with", "startswith"), ("ends_with", "endswith"), ("string_agg", "listagg"), ("strpos", "locate")];

struct ForSpark;

impl VisitorMut for ForSpark {
    type Break = ();

    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        if let Some(order) = &mut query.order_by
            && let OrderByKind::Expressions(keys) = &mut order.kind
        {
            keys.iter_mut().for_each(place_nulls);
        }
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        for item in &mut select.projection {
            if let SelectItem::ExprWithAlias { alias, .. } = item {
                quote(alias);
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
    let cast = |expr, data_type| Expr::Cast {
        kind: CastKind::Cast,
        expr: Box::new(expr),
        data_type,
        array: false,
        format: None,
    };
    cast(cast(time, DataType::Timestamp(None, TimezoneInfo::None)), DataType::Double(ExactNumberInfo::None))
}

fn call(function: &mut Function) {
    if let Some(WindowType::WindowSpec(window)) = &mut function.over {
        window.order_by.iter_mut().for_each(place_nulls);
    }
    let name = function.name.to_string().to_ascii_lowercase();
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
        check("SELECT CAST(a AS VARCHAR), CAST(b AS BIGINT)", "SELECT CAST(a AS STRING), CAST(b AS BIGINT)");
        check("SELECT date_part('epoch', a)", "SELECT CAST(CAST(a AS TIMESTAMP) AS DOUBLE)");
        check("SELECT 1, 1.5, 'a\\b'", "SELECT 1, 1.5D, 'a\\\\b'");
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
