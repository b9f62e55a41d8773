//! Evaluates expressions of literals.

use datafusion::sql::sqlparser::ast::{
    BinaryOperator, CaseWhen, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, UnaryOperator,
    Value as Literal,
};
use std::mem;

pub(super) fn null() -> Expr {
    Expr::Value(Literal::Null.into())
}

pub(super) fn boolean(value: bool) -> Expr {
    Expr::Value(Literal::Boolean(value).into())
}

fn literal(expr: &Expr) -> Option<&Literal> {
    match expr {
        Expr::Value(value) => Some(&value.value),
        Expr::Nested(inner) => literal(inner),
        _ => None,
    }
}

pub(super) fn flag(expr: &Expr) -> Option<bool> {
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
pub(super) fn folded(expr: &mut Expr) -> Option<Expr> {
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
