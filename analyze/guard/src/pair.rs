//! Pairs of a text and its key, for calls and grouping sets that take a single column.

use std::sync::{Arc, LazyLock};

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BooleanArray, ListArray, StructArray};
use datafusion::arrow::compute::nullif;
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::utils::take_function_args;
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::{Expr, ScalarUDF};

use super::function::function;
use super::key;

/// `with_key(text)`: the text and its key. Null if the text is null, so that nulls stay nulls.
///
/// The text comes first, so that pairs are ordered by their text.
pub(super) fn with_key(text: Expr) -> Expr {
    static FUNCTION: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| function("with_key", type_with_key, add_key));
    FUNCTION.call(vec![text])
}

/// `without_key(pair)`: the text of a pair, or the list of the texts of a list of pairs.
pub(super) fn without_key(pairs: Expr) -> Expr {
    static FUNCTION: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| function("without_key", type_without_key, drop_key));
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

fn type_with_key(types: &[DataType]) -> Result<DataType> {
    let [text] = take_function_args("with_key", types)?;
    Ok(DataType::Struct(fields(text)))
}

fn add_key(columns: &[ArrayRef]) -> Result<ArrayRef> {
    let [text] = take_function_args("with_key", columns)?;
    let values = vec![Arc::clone(text), Arc::new(key::keys(columns)?) as ArrayRef];
    Ok(Arc::new(StructArray::try_new(fields(text.data_type()), values, text.logical_nulls())?))
}

fn type_without_key(types: &[DataType]) -> Result<DataType> {
    match types {
        [DataType::List(pair)] => Ok(DataType::List(listed(text_of(pair.data_type())?))),
        [pair] => Ok(text_of(pair)?.data_type().clone()),
        _ => exec_err!("without_key: expected one value: got {}", types.len()),
    }
}

fn drop_key(columns: &[ArrayRef]) -> Result<ArrayRef> {
    let [pairs] = take_function_args("without_key", columns)?;
    if !matches!(pairs.data_type(), DataType::List(_)) {
        return texts(pairs);
    }
    let (pair, offsets, values, nulls) = pairs.as_list::<i32>().clone().into_parts();
    let field = listed(text_of(pair.data_type())?);
    Ok(Arc::new(ListArray::try_new(field, offsets, texts(&values)?, nulls)?))
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
