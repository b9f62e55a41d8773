//! Judges the texts of files, for dialects that find other user-agent lines and rules than the tables have. The functions
//! are not registered in a session.

use super::BODY_ACCESS;
use super::columns::{BodyFinding, FindingColumns, finding_fields, verdict_fields};
use super::question::Question;
use datafusion::arrow::array::{Array as _, ArrayRef, BooleanBuilder, StringArray, StructArray};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{DataType, Fields};
use datafusion::common::cast::{as_int64_array, as_string_array};
use datafusion::common::utils::take_function_args;
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::{ColumnarValue, Expr, Volatility, create_udf};
use robots::{Encoding, Parsed, Parser, Reading};
use std::borrow::Cow;
use std::sync::Arc;

/// The finding for a text with this encoding; null for a null text.
pub(super) fn judge_the_text(text: Expr, encoding: Expr, question: &Arc<Question>) -> Expr {
    const NAME: &str = "judge_the_text";
    let question = Arc::clone(question);
    let judge = move |arguments: &[ColumnarValue]| {
        let [texts, encodings] = take_function_args(NAME, ColumnarValue::values_to_arrays(arguments)?)?;
        let (texts, encodings) = (as_string_array(&texts)?, as_string_array(&encodings)?);
        let mut findings = FindingColumns::default();
        each_file(texts, encodings, |parsed| {
            let reading = Reading::new(parsed, question.dialect);
            findings.push(&BodyFinding::new(&question.verdict(&reading), &reading));
        });
        let is_known = (0..texts.len()).map(|row| texts.is_valid(row)).collect::<NullBuffer>();
        let found = StructArray::try_new(finding_fields(), findings.arrays().into(), Some(is_known))?;
        Ok(ColumnarValue::Array(Arc::new(found)))
    };
    let types = vec![DataType::Utf8, DataType::Utf8];
    let found = DataType::Struct(finding_fields());
    create_udf(NAME, types, found, Volatility::Immutable, Arc::new(judge)).call(vec![text, encoding])
}

/// For each question, which needs the text, whether the path is allowed. `columns` are the crawl, the body, its text and
/// its encoding. Fails on a null text.
pub(super) fn judge_the_text_by_all(columns: Vec<Expr>, questions: &Arc<[Question]>) -> Expr {
    const NAME: &str = "judge_the_text_by_all";
    let questions = Arc::clone(questions);
    let verdicts = Fields::from(verdict_fields(&questions));
    let found = DataType::Struct(verdicts.clone());
    let judge = move |arguments: &[ColumnarValue]| {
        let [crawls, bodies, texts, encodings] = take_function_args(NAME, ColumnarValue::values_to_arrays(arguments)?)?;
        let (texts, encodings) = (as_string_array(&texts)?, as_string_array(&encodings)?);
        if let Some(row) = (0..texts.len()).find(|row| texts.is_null(*row)) {
            let (crawls, bodies) = (as_string_array(&crawls)?, as_int64_array(&bodies)?);
            return text_is_missing(BODY_ACCESS, (crawls.value(row), bodies.value(row)), questions.first());
        }
        let mut allowed: Vec<BooleanBuilder> = questions.iter().map(|_| BooleanBuilder::new()).collect();
        each_file(texts, encodings, |parsed| {
            for (question, allowed) in questions.iter().zip(&mut allowed) {
                allowed.append_value(question.verdict(&Reading::new(parsed, question.dialect)).allowed);
            }
        });
        let columns = allowed.iter_mut().map(|allowed| Arc::new(allowed.finish()) as ArrayRef).collect();
        Ok(ColumnarValue::Array(Arc::new(StructArray::try_new(verdicts.clone(), columns, None)?)))
    };
    let types = vec![DataType::Utf8, DataType::Int64, DataType::Utf8, DataType::Utf8];
    create_udf(NAME, types, found, Volatility::Immutable, Arc::new(judge)).call(columns)
}

/// Fails for a body whose text is needed but was not kept.
pub(super) fn text_is_missing<T>(function: &str, (crawl, body): (&str, i64), question: Option<&Question>) -> Result<T> {
    exec_err!(
        "text is missing: {crawl}: body {body}: {function} by {} reads the texts of files, which only `ingest \
         --keep-text` stores",
        question.map(|question| question.dialect.name()).unwrap_or_default()
    )
}

/// Calls `with` for each text, parsed. A null text is parsed as an empty one.
fn each_file(texts: &StringArray, encodings: &StringArray, mut with: impl FnMut(&Parsed<'_>)) {
    let mut parser = Parser::default();
    for (text, encoding) in texts.iter().zip(encodings) {
        let body = original_octets(text.unwrap_or_default(), encoding.unwrap_or_default());
        let parsed = parser.parse(&body);
        with(&parsed);
        parser.recycle(parsed);
    }
}

/// The octets of a body as they were captured, except that U+FFFD stands for octets that are not valid. The table stores
/// UTF-16 as UTF-8, but a dialect that reads only UTF-8 must see the original octets.
fn original_octets<'t>(text: &'t str, encoding: &str) -> Cow<'t, [u8]> {
    let octets: fn(u16) -> [u8; 2] = match Encoding::named(encoding) {
        Some(Encoding::Utf16Le) => u16::to_le_bytes,
        Some(Encoding::Utf16Be) => u16::to_be_bytes,
        _ => return Cow::Borrowed(text.as_bytes()),
    };
    // The text does not have the byte order mark.
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    Cow::Owned(units.flat_map(octets).collect())
}
