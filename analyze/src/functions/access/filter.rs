//! Drops the user-agent lines and rules that do not affect a verdict, before the others are sorted. The functions are not
//! registered in a session.

use super::question::Question;
use datafusion::arrow::array::{BooleanArray, StringArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::cast::as_string_array;
use datafusion::common::utils::take_function_args;
use datafusion::logical_expr::{ColumnarValue, Expr, Volatility, create_udf};
use robots::Transcript;
use std::collections::HashMap;
use std::sync::Arc;

/// Whether a user-agent line names the crawler, or all, in any of the dialects.
pub(super) fn names_the_crawler(agent: Expr, questions: &Arc<[Question]>) -> Expr {
    let questions = Arc::clone(questions);
    over(agent, "names_the_crawler", move |agents| {
        // Many lines have the same name.
        let (mut transcript, mut known) = (Transcript::default(), HashMap::new());
        let mut is_kept = |agent| {
            *known
                .entry(agent)
                .or_insert_with(|| questions.iter().any(|question| question.is_named_by(agent, &mut transcript)))
        };
        agents.iter().map(|agent| agent.map(&mut is_kept)).collect()
    })
}

/// Whether a pattern matches the path in any of the dialects.
pub(super) fn matches_the_path(pattern: Expr, questions: &[Question]) -> Expr {
    // Most dialects compare the same form of the path.
    let mut distinct: Vec<Question> = Vec::new();
    for question in questions {
        if !distinct.iter().any(|other| other.matches_the_same(question)) {
            distinct.push(question.clone());
        }
    }
    over(pattern, "matches_the_path", move |patterns| {
        let is_kept = |pattern| distinct.iter().any(|question| question.is_matched_by(pattern));
        patterns.iter().map(|pattern| pattern.map(is_kept)).collect()
    })
}

/// A condition on a column of texts.
fn over(
    text: Expr,
    name: &'static str,
    is_kept: impl Fn(&StringArray) -> BooleanArray + Send + Sync + 'static,
) -> Expr {
    let keep = move |arguments: &[ColumnarValue]| {
        let [texts] = take_function_args(name, ColumnarValue::values_to_arrays(arguments)?)?;
        Ok(ColumnarValue::Array(Arc::new(is_kept(as_string_array(&texts)?))))
    };
    create_udf(name, vec![DataType::Utf8], DataType::Boolean, Volatility::Immutable, Arc::new(keep)).call(vec![text])
}
