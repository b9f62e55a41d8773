//! `robots_token(agent)`.

use super::texts::Texts;
use super::{SECTION, texts};
use datafusion::arrow::array::StringArray;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::utils::take_function_args;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

const NAME: &str = "robots_token";

/// The product token of a crawler's name.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct RobotsToken {
    signature: Signature,
}

impl Default for RobotsToken {
    fn default() -> Self {
        RobotsToken { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
    Documentation::builder(
        SECTION,
        "The name of a crawler in the normal form of `groups.token` and `policies.token`: in lower case, without version, \
         blanks and stars at its end. Null if it is null.",
        "robots_token(agent) -> text",
    )
    .with_argument("agent", "a name, as a user-agent line or a crawler writes it")
    .with_sql_example(
        "SELECT agent, robots_token(agent) AS token\n\
         FROM (VALUES ('GPTBot'), ('FooBot/2.1'), ('Sogou web spider/4.0'), ('Mediapartners-Google*'), ('* all')) AS names(agent);",
    )
    .build()
});

impl ScalarUDFImpl for RobotsToken {
    fn name(&self) -> &str {
        NAME
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        texts::types_of(NAME, &["agent"], types)
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Utf8)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [agents] = take_function_args(NAME, &args.args)?;
        let agents = Texts::from_argument(agents)?;
        texts::answer(&args.args, args.number_rows, |rows| {
            Arc::new((0..rows).map(|row| agents.get(row).map(token)).collect::<StringArray>())
        })
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&DOCUMENTATION)
    }
}

/// The token of a text is text: it ends before an ASCII character, and only ASCII letters change to lower case.
fn token(agent: &str) -> Cow<'_, str> {
    match robots::token(agent.as_bytes()) {
        Cow::Borrowed(token) => String::from_utf8_lossy(token),
        Cow::Owned(token) => String::from_utf8_lossy(&token).into_owned().into(),
    }
}

#[cfg(test)]
mod tests {
    use crate::functions::fixture::{column, scalar};

    #[test]
    fn a_token() {
        assert_eq!(scalar("robots_token('  FooBot/2.1 ')"), "foobot");
        assert_eq!(scalar("robots_token('Xenu\u{2019}s')"), "xenu\u{2019}s");
        assert_eq!(scalar("robots_token('\u{c9}tat')"), "\u{c9}tat");
        assert_eq!(scalar("robots_token('')"), "");
        assert_eq!(scalar("robots_token(NULL) IS NULL"), "true");
        assert_eq!(column("SELECT robots_token(x) FROM (VALUES ('A b/1'), (NULL), ('*')) AS of(x)"), ["a b", "", "*"]);
    }
}
