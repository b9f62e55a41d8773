//! Adds keys to GROUP BY, and to functions over groups and windows.

use std::sync::Arc;

use datafusion::arrow::datatypes::DataType;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, Result};
use datafusion::logical_expr::expr::GroupingSet;
use datafusion::logical_expr::logical_plan::{Aggregate, Projection, Window};
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan};

use super::distinct::{self, FromPairs};
use super::key::{is_text, text_key, text_order};
use super::origin::{OriginOf, is_trusted};
use super::pair::{with_key, without_key};

/// The same aggregate, which also groups by a key of its texts.
pub(super) fn keyed(aggregate: Aggregate, origin_of: OriginOf) -> Result<Transformed<LogicalPlan>> {
    let input = aggregate.input.as_ref();
    let Calls { keyed: calls, answers } = calls(&aggregate.aggr_expr, input, origin_of)?;
    let mut groups = aggregate.group_expr.clone();
    let mut pairs = false;
    // Where the key is. The order is the first column.
    let mut key = None;
    if let [Expr::GroupingSet(sets)] = groups.as_mut_slice() {
        pairs = pair_texts(sets, input, origin_of)?;
    } else {
        let texts = texts(&groups, input, origin_of)?;
        if !texts.is_empty() {
            groups.insert(0, text_order(texts.clone()));
            key = Some(groups.len());
            groups.push(text_key(texts));
        }
    }
    if !pairs && key.is_none() && calls.is_none() {
        return Ok(Transformed::no(LogicalPlan::Aggregate(aggregate)));
    }
    let calls = calls.unwrap_or(aggregate.aggr_expr);
    let found = Aggregate::try_new(aggregate.input, groups, calls)?;
    let mut columns = columns_of(&found.schema);
    if let Some(key) = key {
        columns.remove(key);
        columns.remove(0);
    }
    let columns = restored(columns, &found.schema, &aggregate.schema, answers)?;
    project(columns, LogicalPlan::Aggregate(found))
}

/// The same window, whose distinct values are found by a key.
pub(super) fn keyed_window(window: Window, origin_of: OriginOf) -> Result<Transformed<LogicalPlan>> {
    let Calls { keyed: Some(calls), answers } = calls(&window.window_expr, &window.input, origin_of)? else {
        return Ok(Transformed::no(LogicalPlan::Window(window)));
    };
    let found = Window::try_new(calls, window.input)?;
    let columns = restored(columns_of(&found.schema), &found.schema, &window.schema, answers)?;
    project(columns, LogicalPlan::Window(found))
}

/// The columns of the rewritten node as those of the original. The answers to calls come last.
fn restored(
    columns: Vec<Expr>,
    found: &DFSchema,
    original: &DFSchema,
    answers: Vec<Option<FromPairs>>,
) -> Result<Vec<Expr>> {
    let others = original.fields().len() - answers.len();
    let answers = std::iter::repeat_with(|| None).take(others).chain(answers);
    let mut restored = Vec::with_capacity(columns.len());
    for ((column, (qualifier, field)), answer) in columns.into_iter().zip(original.iter()).zip(answers) {
        let renamed = |value: Expr| value.alias_qualified(qualifier.cloned(), field.name());
        restored.push(match answer {
            Some(answer) => renamed(answer.into_expr(column, field.data_type())),
            None if column.get_type(found)? != *field.data_type() => renamed(without_key(column)),
            None => column,
        });
    }
    Ok(restored)
}

fn project(columns: Vec<Expr>, input: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    Ok(Transformed::yes(LogicalPlan::Projection(Projection::try_new(columns, Arc::new(input))?)))
}

/// All columns of a schema, as expressions.
pub(super) fn columns_of(schema: &DFSchema) -> Vec<Expr> {
    schema.iter().map(|(qualifier, field)| Expr::Column(Column::new(qualifier.cloned(), field.name()))).collect()
}

/// The same plan with one more column, after its own.
pub(super) fn with_column(plan: Arc<LogicalPlan>, column: Expr) -> Result<Arc<LogicalPlan>> {
    let columns = columns_of(plan.schema()).into_iter().chain([column]).collect();
    Ok(Arc::new(LogicalPlan::Projection(Projection::try_new(columns, plan)?)))
}

/// The expressions that need a key.
fn texts(expressions: &[Expr], input: &LogicalPlan, origin_of: OriginOf) -> Result<Vec<Expr>> {
    let mut texts = Vec::new();
    for expression in expressions {
        if is_untrusted(expression, input, origin_of)? {
            texts.push(expression.clone().unalias());
        }
    }
    Ok(texts)
}

fn is_untrusted(expression: &Expr, input: &LogicalPlan, origin_of: OriginOf) -> Result<bool> {
    let data_type: DataType = expression.get_type(input.schema())?;
    // The key of a random text would be that of another text.
    Ok(is_text(&data_type) && !expression.is_volatile() && !is_trusted(expression, input, origin_of))
}

/// Replaces each text that needs a key by a pair of text and key. Returns whether there was one.
fn pair_texts(sets: &mut GroupingSet, input: &LogicalPlan, origin_of: OriginOf) -> Result<bool> {
    let expressions: Vec<&mut Expr> = match sets {
        GroupingSet::Rollup(expressions) | GroupingSet::Cube(expressions) => expressions.iter_mut().collect(),
        GroupingSet::GroupingSets(sets) => sets.iter_mut().flatten().collect(),
    };
    let mut any = false;
    for expression in expressions {
        if is_untrusted(expression, input, origin_of)? {
            // Different expressions may be simplified to the same one. Only their names differ then.
            let name = expression.schema_name().to_string();
            *expression = with_key(expression.clone().unalias()).alias(name);
            any = true;
        }
    }
    Ok(any)
}

/// Calls of aggregate or window functions.
struct Calls {
    /// The rewritten calls; `None` if none needs a key.
    keyed: Option<Vec<Expr>>,
    /// For each call, how its result becomes the original result; `None` if it is the same.
    answers: Vec<Option<FromPairs>>,
}

fn calls(asked: &[Expr], input: &LogicalPlan, origin_of: OriginOf) -> Result<Calls> {
    let mut calls = Vec::with_capacity(asked.len());
    let mut answers = Vec::with_capacity(asked.len());
    let mut any = false;
    for call in asked {
        match distinct::keyed(call, input, origin_of)? {
            Some(keyed) => {
                any = true;
                calls.push(keyed.call);
                answers.push(keyed.answer);
            }
            None => {
                calls.push(call.clone());
                answers.push(None);
            }
        }
    }
    Ok(Calls { keyed: any.then_some(calls), answers })
}
