//! Arguments that are texts, in whichever of the forms that Arrow has for them.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, LargeStringArray, StringArray, StringViewArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::ColumnarValue;

/// The texts of an argument, one a row.
pub(super) enum Texts<'a> {
    /// The same in every row.
    Constant(Option<&'a str>),
    /// In offsets of 32 bits.
    Short(&'a StringArray),
    /// In offsets of 64 bits.
    Long(&'a LargeStringArray),
    /// In views.
    Views(&'a StringViewArray),
}

impl<'a> Texts<'a> {
    /// Of an argument.
    pub(super) fn from_argument(argument: &'a ColumnarValue) -> Result<Self> {
        match argument {
            ColumnarValue::Array(array) => Texts::from_array(array),
            ColumnarValue::Scalar(scalar) => Ok(Texts::Constant(constant(scalar)?)),
        }
    }

    /// Of a column.
    pub(super) fn from_array(array: &'a ArrayRef) -> Result<Self> {
        match array.data_type() {
            DataType::Utf8 => Ok(Texts::Short(array.as_string())),
            DataType::LargeUtf8 => Ok(Texts::Long(array.as_string())),
            DataType::Utf8View => Ok(Texts::Views(array.as_string_view())),
            other => exec_err!("argument is no text: it is of type {other}"),
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

/// The text that an argument is in all rows.
pub(super) fn constant(scalar: &ScalarValue) -> Result<Option<&str>> {
    match scalar.try_as_str() {
        Some(text) => Ok(text),
        None if scalar.is_null() => Ok(None),
        None => exec_err!("argument is no text: it is of type {}", scalar.data_type()),
    }
}

/// To which type an argument that is to be a text is brought: all forms of text that are read as they are stay, what has a
/// dictionary loses it.
pub(super) fn type_of(function: &str, argument: &str, data_type: &DataType) -> Result<DataType> {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(data_type.clone()),
        DataType::Null => Ok(DataType::Utf8),
        DataType::Dictionary(_, value) => type_of(function, argument, value),
        other => plan_err!("argument is no text: {function}: {argument} is of type {other}"),
    }
}

/// The same for all arguments of a function, which are named.
pub(super) fn types_of(function: &str, arguments: &[&str], types: &[DataType]) -> Result<Vec<DataType>> {
    check_count(function, arguments, types)?;
    arguments.iter().zip(types).map(|(argument, data_type)| type_of(function, argument, data_type)).collect()
}

/// That there are as many arguments as the function has.
pub(super) fn check_count(function: &str, arguments: &[&str], types: &[DataType]) -> Result<()> {
    if types.len() == arguments.len() {
        return Ok(());
    }
    plan_err!("arguments are {} and not {}: {function}({})", types.len(), arguments.len(), arguments.join(", "))
}

/// How many rows an answer has, and whether it is one value for all.
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
