//! Pairs of a text and its key, for calls and grouping sets that take a single column.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BooleanArray, ListArray, StructArray};
use datafusion::arrow::compute::nullif;
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use super::key;

/// `with_key(text)`: the text and its key. Null if the text is null, so that nulls stay nulls.
///
/// The text comes first, so that pairs are ordered by their text.
pub(super) fn with_key(text: Expr) -> Expr {
    static FUNCTION: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Arc::new(ScalarUDF::new_from_impl(WithKey::new())));
    FUNCTION.call(vec![text])
}

/// `without_key(pair)`: the text of a pair, or the list of the texts of a list of pairs.
pub(super) fn without_key(pairs: Expr) -> Expr {
    static FUNCTION: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Arc::new(ScalarUDF::new_from_impl(WithoutKey::new())));
    FUNCTION.call(vec![pairs])
}

fn fields(text: &DataType) -> Fields {
    Fields::from(vec![Field::new("text", text.clone(), true), Field::new("key", DataType::Int64, true)])
}

fn text_of(pair: &DataType) -> Result<&Arc<Field>> {
    match pair {
        DataType::Struct(fields) if fields.len() == 2 => match fields.first() {
            Some(text) => Ok(text),
            None => exec_err!("without_key: expected a text with its key: got {pair}"),
        },
        _ => exec_err!("without_key: expected a text with its key: got {pair}"),
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct WithKey {
    signature: Signature,
}

impl WithKey {
    fn new() -> Self {
        Self { signature: Signature::any(1, Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for WithKey {
    fn name(&self) -> &str {
        "with_key"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types {
            [text] => Ok(DataType::Struct(fields(text))),
            _ => exec_err!("with_key: expected one text: got {}", types.len()),
        }
    }

    fn invoke_with_args(&self, call: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [text] = call.args.as_slice() else {
            return exec_err!("with_key: expected one text: got {}", call.args.len());
        };
        let text = text.to_array(call.number_rows)?;
        let keys = key::keys(std::slice::from_ref(&text))?;
        let nulls = text.logical_nulls();
        let pairs = StructArray::try_new(fields(text.data_type()), vec![text, Arc::new(keys)], nulls)?;
        Ok(ColumnarValue::Array(Arc::new(pairs)))
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct WithoutKey {
    signature: Signature,
}

impl WithoutKey {
    fn new() -> Self {
        Self { signature: Signature::any(1, Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for WithoutKey {
    fn name(&self) -> &str {
        "without_key"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types {
            [DataType::List(pair)] => Ok(DataType::List(listed(text_of(pair.data_type())?))),
            [pair] => Ok(text_of(pair)?.data_type().clone()),
            _ => exec_err!("without_key: expected one value: got {}", types.len()),
        }
    }

    fn invoke_with_args(&self, call: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [pairs] = call.args.as_slice() else {
            return exec_err!("without_key: expected one value: got {}", call.args.len());
        };
        let pairs = pairs.to_array(call.number_rows)?;
        let texts: ArrayRef = match pairs.data_type() {
            DataType::List(_) => {
                let (pair, offsets, values, nulls) = pairs.as_list::<i32>().clone().into_parts();
                let field = listed(text_of(pair.data_type())?);
                Arc::new(ListArray::try_new(field, offsets, texts(&values)?, nulls)?)
            }
            _ => texts(&pairs)?,
        };
        Ok(ColumnarValue::Array(texts))
    }
}

/// The field that `array_agg` of the texts has.
fn listed(text: &Arc<Field>) -> Arc<Field> {
    Arc::new(Field::new_list_field(text.data_type().clone(), true))
}

/// The texts of pairs. The text of a null pair is null, whatever the child array has there.
fn texts(pairs: &ArrayRef) -> Result<ArrayRef> {
    match (pairs.as_struct_opt().and_then(|pairs| pairs.columns().first()), pairs.nulls()) {
        (Some(texts), None) => Ok(Arc::clone(texts)),
        (Some(texts), Some(nulls)) => Ok(nullif(texts, &BooleanArray::new(!nulls.inner(), None))?),
        (None, _) => exec_err!("without_key: expected a text with its key: got {}", pairs.data_type()),
    }
}
