//! `robots_allowed(allow, pattern, path)`.

mod standing;
#[cfg(test)]
mod tests;

use super::{SECTION, texts};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::{AggregateOrderSensitivity, format_state_name};
use datafusion::logical_expr::{
    Accumulator, AggregateUDFImpl, Documentation, GroupsAccumulator, ReversedUDAF, Signature, Volatility,
};
use standing::{Standing, Standings};
use std::sync::{Arc, LazyLock};

const NAME: &str = "robots_allowed";
const ARGUMENTS: [&str; 3] = ["allow", "pattern", "path"];

/// Whether rules let a path be fetched.
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
        "Whether a path may be fetched, over the rules of the groups that hold for a crawler, by RFC 9309 section 2.2.2: the \
         longest pattern that matches decides, of equals the one that allows, and where none matches all is allowed. The \
         order of the rows does not count. Rows whose pattern is null say nothing, so that a left join of bodies and rules \
         gives true for a body without rules; a path that is null makes the answer null. Which groups hold is for the query \
         to say; `robots_access` says it itself.",
        "robots_allowed(allow, pattern, path) -> boolean",
    )
    .with_argument("allow", "whether the rule allows, as in `rules.allow`")
    .with_argument("pattern", "what the rule says, as in `rules.pattern`")
    .with_argument("path", "a path with its query, or a URL, of which the path and the query count")
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
            return plan_err!("argument is no boolean: {NAME}: allow is of type {allow}");
        }
        let texts = ["pattern", "path"].iter().zip(rest).map(|(name, data_type)| texts::type_of(NAME, name, data_type));
        std::iter::once(Ok(DataType::Boolean)).chain(texts).collect()
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn accumulator(&self, _args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::<Standing>::default())
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new(format_state_name(args.name, "weight"), DataType::Int64, false))])
    }

    fn groups_accumulator_supported(&self, _args: AccumulatorArgs) -> bool {
        true
    }

    fn create_groups_accumulator(&self, _args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::<Standings>::default())
    }

    /// What no row at all comes to: where there is no rule, all is allowed.
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
