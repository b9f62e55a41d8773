//! Functions of texts, and their arguments.

use datafusion::arrow::array::{Array as _, ArrayRef, StringArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::cast::as_string_array;
use datafusion::common::{Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

/// A function whose arguments are texts. Functions with the same name are equal.
#[derive(Debug)]
pub(super) struct TextFunction {
    pub(super) name: &'static str,
    pub(super) arguments: &'static [&'static str],
    pub(super) result: DataType,
    pub(super) documentation: &'static LazyLock<Documentation>,
    /// Makes the values of so many rows.
    pub(super) answer: fn(&[Texts<'_>], usize) -> Result<ArrayRef>,
}

static SIGNATURE: LazyLock<Signature> = LazyLock::new(|| Signature::user_defined(Volatility::Immutable));

impl PartialEq for TextFunction {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for TextFunction {}

impl Hash for TextFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl ScalarUDFImpl for TextFunction {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &SIGNATURE
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        check_count(self.name, self.arguments, types)?;
        check_texts(self.name, self.arguments, types)
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(self.result.clone())
    }

    /// One value if all arguments are constants, otherwise a column.
    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let texts = args.args.iter().map(Texts::from_argument).collect::<Result<Vec<_>>>()?;
        if texts.iter().all(|texts| matches!(texts, Texts::Constant(_))) {
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&(self.answer)(&texts, 1)?, 0)?));
        }
        Ok(ColumnarValue::Array((self.answer)(&texts, args.number_rows)?))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(self.documentation)
    }
}

/// The texts of an argument, one per row.
pub(super) enum Texts<'a> {
    /// The same text in every row.
    Constant(Option<&'a str>),
    /// A column.
    Column(&'a StringArray),
}

impl<'a> Texts<'a> {
    /// The texts of a constant or a column. Fails if it has another type.
    pub(super) fn from_argument(argument: &'a ColumnarValue) -> Result<Self> {
        match argument {
            ColumnarValue::Array(array) => as_string_array(array).map(Texts::Column),
            ColumnarValue::Scalar(scalar) => Ok(Texts::Constant(constant(scalar)?)),
        }
    }

    /// The text of a row, if it has one.
    #[inline]
    pub(super) fn get(&self, row: usize) -> Option<&'a str> {
        match self {
            Texts::Constant(text) => *text,
            Texts::Column(texts) => (row < texts.len() && texts.is_valid(row)).then(|| texts.value(row)),
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

/// The types to which text arguments are cast. Fails if one is not a text.
pub(super) fn check_texts(function: &str, arguments: &[&str], types: &[DataType]) -> Result<Vec<DataType>> {
    let of_text = |(argument, data_type): (&&str, &DataType)| {
        let values = if let DataType::Dictionary(_, values) = data_type { values } else { data_type };
        match values {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => Ok(DataType::Utf8),
            other => plan_err!("argument is not a text: {function}: {argument} is of type {other}"),
        }
    };
    arguments.iter().zip(types).map(of_text).collect()
}

/// Fails if the number of arguments is wrong.
pub(super) fn check_count(function: &str, arguments: &[&str], types: &[DataType]) -> Result<()> {
    if types.len() == arguments.len() {
        return Ok(());
    }
    plan_err!("wrong number of arguments: {function}({}): {} given", arguments.join(", "), types.len())
}
