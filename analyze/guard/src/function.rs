//! Functions that only plans call.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility};

/// A function of any columns, at least one. Two functions with the same name are the same.
#[derive(Debug)]
struct GuardFunction {
    name: &'static str,
    signature: Signature,
    returns: fn(&[DataType]) -> Result<DataType>,
    invoke: fn(&[ArrayRef]) -> Result<ArrayRef>,
}

/// The function with this name, type and work.
#[must_use]
pub fn function(
    name: &'static str,
    returns: fn(&[DataType]) -> Result<DataType>,
    invoke: fn(&[ArrayRef]) -> Result<ArrayRef>,
) -> Arc<ScalarUDF> {
    let signature = Signature::variadic_any(Volatility::Immutable);
    Arc::new(ScalarUDF::new_from_impl(GuardFunction { name, signature, returns, invoke }))
}

impl PartialEq for GuardFunction {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for GuardFunction {}

impl Hash for GuardFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl ScalarUDFImpl for GuardFunction {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        (self.returns)(types)
    }

    fn invoke_with_args(&self, call: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let columns = call.args.iter().map(|text| text.to_array(call.number_rows)).collect::<Result<Vec<_>>>()?;
        Ok(ColumnarValue::Array((self.invoke)(&columns)?))
    }
}
