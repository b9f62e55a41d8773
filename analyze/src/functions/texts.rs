//! Text arguments of any of Arrow's text types.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, LargeStringArray, StringArray, StringViewArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::ColumnarValue;

/// The texts of an argument, one per row.
pub(super) enum Texts<'a> {
    /// The same text in every row.
    Constant(Option<&'a str>),
    /// A column with 32-bit offsets.
    Short(&'a StringArray),
    /// A column with 64-bit offsets.
    Long(&'a LargeStringArray),
    /// A column of views.
    Views(&'a StringViewArray),
}

impl<'a> Texts<'a> {
    /// The texts of a constant or a column. Fails if it has another type.
    pub(super) fn from_argument(argument: &'a ColumnarValue) -> Result<Self> {
        match argument {
            ColumnarValue::Array(array) => Texts::from_array(array),
            ColumnarValue::Scalar(scalar) => Ok(Texts::Constant(constant(scalar)?)),
        }
    }

    /// The texts of a column. Fails if it has another type.
    pub(super) fn from_array(array: &'a ArrayRef) -> Result<Self> {
        match array.data_type() {
            DataType::Utf8 => Ok(Texts::Short(array.as_string())),
            DataType::LargeUtf8 => Ok(Texts::Long(array.as_string())),
            DataType::Utf8View => Ok(Texts::Views(array.as_string_view())),
            other => exec_err!("argument is not a text: it is of type {other}"),
        }
    }

    /// The text of a row, if it has one.
    #[inline]
    pub(super) fn get(&self, row: usize) -> Option<&'a str> {
        match self {
            Texts::Constant(text) => *text,
            Texts::Short(texts) => (row < texts.len() && texts.is_valid(row)).then(|| texts.value(row)),
            Texts::Long(texts) => (row < texts.len() && texts.is_valid(row)).then(|| texts.value(row)),
            Texts::Views(texts) => (row < texts.len() && texts.is_valid(row)).then(|| texts.value(row)),
        }
    }
}

/// The text of a constant; `None` for null. Fails if it has another type.
pub(super) fn constant(scalar: &ScalarValue) -> Result<Option<&str>> {
    match scalar.try_as_str() {
        Some(text) => Ok(text),
        None if scalar.is_null() => Ok(None),
        None => exec_err!("argument is not a text: it is of type {}", scalar.data_type()),
    }
}

/// The type to which a text argument is cast: a text type stays, a dictionary becomes its value type. Fails for other
/// types.
pub(super) fn type_of(function: &str, argument: &str, data_type: &DataType) -> Result<DataType> {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(data_type.clone()),
        DataType::Null => Ok(DataType::Utf8),
        DataType::Dictionary(_, value) => type_of(function, argument, value),
        other => plan_err!("argument is not a text: {function}: {argument} is of type {other}"),
    }
}

/// The types to which the arguments of a function are cast. Fails if their number is wrong or one is not a text.
pub(super) fn types_of(function: &str, arguments: &[&str], types: &[DataType]) -> Result<Vec<DataType>> {
    check_count(function, arguments, types)?;
    arguments.iter().zip(types).map(|(argument, data_type)| type_of(function, argument, data_type)).collect()
}

/// Fails if the number of arguments is wrong.
pub(super) fn check_count(function: &str, arguments: &[&str], types: &[DataType]) -> Result<()> {
    if types.len() == arguments.len() {
        return Ok(());
    }
    plan_err!("wrong number of arguments: {function}({}): {} given", arguments.join(", "), types.len())
}

/// The result of a function: one value if all arguments are constants, otherwise a column.
pub(super) fn answer(
    arguments: &[ColumnarValue],
    rows: usize,
    array: impl FnOnce(usize) -> ArrayRef,
) -> Result<ColumnarValue> {
    if arguments.iter().all(|argument| matches!(argument, ColumnarValue::Scalar(_))) {
        return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&array(1), 0)?));
    }
    Ok(ColumnarValue::Array(array(rows)))
}
