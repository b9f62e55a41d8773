//! Judges files by their text, for dialects that find other user-agent lines and rules in it.

use super::columns::{Finding, FindingColumns, finding_fields};
use super::question::Question;
use datafusion::arrow::array::{Array as _, StructArray};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::cast::as_string_array;
use datafusion::common::utils::take_function_args;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use robots::{Parser, Reading};
use std::borrow::Cow;
use std::sync::Arc;

/// A function of a text and its encoding; null without a text. It is not registered in a session.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Judge {
    question: Arc<Question>,
    signature: Signature,
}

impl Judge {
    pub(super) fn over(text: Expr, encoding: Expr, question: &Arc<Question>) -> Expr {
        let signature = Signature::exact(vec![DataType::Utf8, DataType::Utf8], Volatility::Immutable);
        ScalarUDF::from(Judge { question: Arc::clone(question), signature }).call(vec![text, encoding])
    }
}

impl ScalarUDFImpl for Judge {
    fn name(&self) -> &str {
        "judge_the_text"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Struct(finding_fields()))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [texts, encodings] = take_function_args(self.name(), ColumnarValue::values_to_arrays(&args.args)?)?;
        let (texts, encodings) = (as_string_array(&texts)?, as_string_array(&encodings)?);
        let (mut findings, mut parser) = (FindingColumns::default(), Parser::default());
        let mut is_known = Vec::with_capacity(texts.len());
        for (text, encoding) in texts.iter().zip(encodings) {
            is_known.push(text.is_some());
            let body = original_octets(text.unwrap_or_default(), encoding.unwrap_or_default());
            let parsed = parser.parse(&body);
            let reading = Reading::new(&parsed, self.question.dialect);
            findings.push(&Finding::new(&self.question.verdict(&reading), &reading));
            drop(reading);
            parser.recycle(parsed);
        }
        let fields = finding_fields();
        let found = StructArray::try_new(fields, findings.arrays().into(), Some(NullBuffer::from(is_known)))?;
        Ok(ColumnarValue::Array(Arc::new(found)))
    }
}

/// The octets of a body as it was captured. A body in UTF-16 is UTF-8 in the table, but a dialect that reads only UTF-8
/// must see the original octets.
fn original_octets<'t>(text: &'t str, encoding: &str) -> Cow<'t, [u8]> {
    let octets: fn(u16) -> [u8; 2] = match encoding {
        "utf-16le" => u16::to_le_bytes,
        "utf-16be" => u16::to_be_bytes,
        _ => return Cow::Borrowed(text.as_bytes()),
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    Cow::Owned(units.flat_map(octets).collect())
}
