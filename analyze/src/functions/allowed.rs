//! `robots_allowed(allow, pattern, path)`.

mod deciding_weight;
#[cfg(test)]
mod tests;

use super::SECTION;
use super::texts;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::{AggregateOrderSensitivity, format_state_name};
use datafusion::logical_expr::{
    Accumulator, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF, Signature, Volatility,
};
use deciding_weight::{DecidingWeight, DecidingWeights};
use std::sync::{Arc, LazyLock};

const NAME: &str = "robots_allowed";
const ARGUMENTS: [&str; 3] = ["allow", "pattern", "path"];

/// Whether rules allow a path.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct RobotsAllowed {
    signature: Signature,
}

impl Default for RobotsAllowed {
    fn default() -> Self {
        RobotsAllowed { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
    Documentation::builder(
        SECTION,
        "Whether the rules of a crawler's groups allow a path (RFC 9309 section 2.2.2). The longest pattern that \
         matches decides; if several are equally long, a rule that allows decides. If none matches, the path is \
         allowed. The order of the rows does not matter. Rows with a null pattern are ignored, so a left join of \
         bodies and rules gives true for a body without rules. A null path makes the result null. The query must \
         choose the groups; `robots_access` chooses them itself.",
        "robots_allowed(allow, pattern, path) -> boolean",
    )
    .with_argument("allow", "whether the rule allows, as in `rules.allow`")
    .with_argument("pattern", "the pattern of the rule, as in `rules.pattern`")
    .with_argument("path", format!("{}. For any other text, the result is null", super::matches::PATH))
    .with_sql_example(
        "SELECT robots_allowed(allow, pattern, '/private/open/x') AS allowed\n\
         FROM (VALUES (false, '/private'), (true, '/private/open'), (false, '/*.pdf$')) AS rules(allow, pattern);",
    )
    .build()
});

impl AggregateUDFImpl for RobotsAllowed {
    fn name(&self) -> &str {
        NAME
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        texts::check_count(NAME, &ARGUMENTS, types)?;
        let [allow, rest @ ..] = types else { return Ok(types.to_vec()) };
        if !matches!(allow, DataType::Boolean | DataType::Null) {
            return plan_err!("argument is not a boolean: {NAME}: allow is of type {allow}");
        }
        let texts = texts::check_texts(NAME, &["pattern", "path"], rest)?;
        Ok(std::iter::once(DataType::Boolean).chain(texts).collect())
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn accumulator(&self, _args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::<DecidingWeight>::default())
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new(format_state_name(args.name, "weight"), DataType::Int64, false))])
    }

    fn groups_accumulator_supported(&self, _args: AccumulatorArgs) -> bool {
        true
    }

    fn create_groups_accumulator(&self, _args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::<DecidingWeights>::default())
    }

    /// The value for no rows: without a rule, the path is allowed.
    fn default_value(&self, _data_type: &DataType) -> Result<ScalarValue> {
        Ok(ScalarValue::Boolean(Some(true)))
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::Insensitive
    }

    fn reverse_expr(&self) -> ReversedUDAF {
        ReversedUDAF::Identical
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&DOCUMENTATION)
    }
}
