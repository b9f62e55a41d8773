//! Values of CSV in the type of their column: one of four.

use datafusion::arrow::array::{ArrayRef, new_empty_array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue};

/// A value in the type of its column; `None` if it is not of that type.
pub(super) fn parse(value: Option<&str>, data_type: &DataType) -> Option<ScalarValue> {
    Some(match data_type {
        // Spreadsheets write TRUE.
        DataType::Boolean => {
            ScalarValue::Boolean(value.map(|value| value.to_ascii_lowercase().parse()).transpose().ok()?)
        }
        DataType::Int64 => ScalarValue::Int64(value.map(str::parse).transpose().ok()?),
        DataType::Float64 => ScalarValue::Float64(value.map(str::parse).transpose().ok()?),
        _ => ScalarValue::Utf8(value.map(str::to_owned)),
    })
}

/// The column of these values.
pub(super) fn array(values: Vec<ScalarValue>, data_type: &DataType) -> Result<ArrayRef> {
    if values.is_empty() { Ok(new_empty_array(data_type)) } else { ScalarValue::iter_to_array(values) }
}
