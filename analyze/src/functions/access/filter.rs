//! Drops the user-agent lines and rules that do not affect a verdict, before the others are sorted.

use super::question::Question;
use datafusion::arrow::array::BooleanArray;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::cast::as_string_array;
use datafusion::common::utils::take_function_args;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use robots::Transcript;
use std::collections::HashMap;
use std::sync::Arc;

/// A filter on one text column. Only the plans of this function use it; it is not registered in a session.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Filter {
    kept: Kept,
    questions: Arc<[Question]>,
    signature: Signature,
}

/// The rows that a filter keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kept {
    /// User-agent lines that name the crawler, or all, in any of the dialects.
    Agents,
    /// Patterns that match the path in any of the dialects.
    Patterns,
}

impl Filter {
    /// The filter over a column of texts.
    pub(super) fn over(text: Expr, kept: Kept, questions: &Arc<[Question]>) -> Expr {
        let signature = Signature::exact(vec![DataType::Utf8], Volatility::Immutable);
        let questions = match kept {
            Kept::Agents => Arc::clone(questions),
            Kept::Patterns => {
                // Most dialects compare the same form of the path.
                let mut distinct: Vec<Question> = Vec::new();
                for question in questions.iter() {
                    if !distinct.iter().any(|other| other.matches_the_same(question)) {
                        distinct.push(question.clone());
                    }
                }
                distinct.into()
            }
        };
        ScalarUDF::from(Filter { kept, questions, signature }).call(vec![text])
    }
}

impl ScalarUDFImpl for Filter {
    fn name(&self) -> &str {
        match self.kept {
            Kept::Agents => "names_the_crawler",
            Kept::Patterns => "matches_the_path",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [texts] = take_function_args(self.name(), ColumnarValue::values_to_arrays(&args.args)?)?;
        let texts = as_string_array(&texts)?.iter();
        let kept: BooleanArray = match self.kept {
            Kept::Agents => {
                // Many lines have the same name.
                let (mut transcript, mut known) = (Transcript::default(), HashMap::new());
                let mut is_kept = |text| {
                    *known.entry(text).or_insert_with(|| {
                        self.questions.iter().any(|question| question.is_named_by(text, &mut transcript))
                    })
                };
                texts.map(|text| text.map(&mut is_kept)).collect()
            }
            Kept::Patterns => {
                let is_kept = |text| self.questions.iter().any(|question| question.is_matched_by(text));
                texts.map(|text| text.map(is_kept)).collect()
            }
        };
        Ok(ColumnarValue::Array(Arc::new(kept)))
    }
}
