//! `robots_token(agent)` and `robots_product_token(agent)`.

use super::section::SECTION;
use super::texts;
use super::texts::Texts;
use datafusion::arrow::array::StringArray;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::utils::take_function_args;
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

/// A part of a crawler's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum NamePart {
    /// Its token.
    Token,
    /// Its product token.
    Product,
}

/// The function that returns a part of a crawler's name.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct RobotsToken {
    part: NamePart,
    signature: Signature,
}

impl RobotsToken {
    pub(super) fn new(part: NamePart) -> Self {
        RobotsToken { part, signature: Signature::user_defined(Volatility::Immutable) }
    }
}

static TOKEN: LazyLock<Documentation> = LazyLock::new(|| {
    Documentation::builder(
        SECTION,
        "The name of a crawler in the normal form of `groups.token` and `policies.token`: in lower case, without a \
         version and without blanks and `*` at its end. Null if the name is null.",
        "robots_token(agent) -> text",
    )
    .with_argument("agent", "a name, as a user-agent line or a crawler writes it")
    .with_sql_example(
        "SELECT agent, robots_token(agent) AS token\n\
         FROM (VALUES ('GPTBot'), ('FooBot/2.1'), ('Sogou web spider/4.0'), ('Mediapartners-Google*'), ('* all')) AS names(agent);",
    )
    .build()
});

static PRODUCT: LazyLock<Documentation> = LazyLock::new(|| {
    Documentation::builder(
        SECTION,
        "The product token of a crawler's name: the letters, underscores and hyphens at its start (RFC 9309 § 2.2.1), \
         in lower case. A user-agent line names the crawlers with its token and those with its product token. Empty if \
         the name starts with another character, null if the name is null.",
        "robots_product_token(agent) -> text",
    )
    .with_argument("agent", "a name, as a user-agent line or a crawler writes it")
    .with_sql_example(
        "SELECT agent, robots_product_token(agent) AS product_token\n\
         FROM (VALUES ('GPTBot Foo'), ('MJ12bot'), ('*')) AS names(agent);",
    )
    .build()
});

impl ScalarUDFImpl for RobotsToken {
    fn name(&self) -> &str {
        match self.part {
            NamePart::Token => "robots_token",
            NamePart::Product => "robots_product_token",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        texts::types_of(self.name(), &["agent"], types)
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Utf8)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [agents] = take_function_args(self.name(), &args.args)?;
        let agents = Texts::from_argument(agents)?;
        let part = self.part;
        texts::answer(&args.args, args.number_rows, |rows| {
            Arc::new((0..rows).map(|row| agents.get(row).map(|agent| part_of(part, agent))).collect::<StringArray>())
        })
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(match self.part {
            NamePart::Token => &TOKEN,
            NamePart::Product => &PRODUCT,
        })
    }
}

/// The part of a name. It is valid UTF-8, since it ends before an ASCII character and only ASCII letters change case.
fn part_of(part: NamePart, agent: &str) -> Cow<'_, str> {
    let found = match part {
        NamePart::Token => robots::token(agent.as_bytes()),
        NamePart::Product => robots::product_token(agent.as_bytes()),
    };
    match found {
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
        assert_eq!(scalar("robots_product_token(' FooBot/2.1')"), "foobot");
        assert_eq!(scalar("robots_product_token('MJ12bot')"), "mj");
        assert_eq!(scalar("robots_product_token('*')"), "");
        assert_eq!(scalar("robots_product_token('\u{c9}tat')"), "");
        assert_eq!(scalar("robots_token(NULL) IS NULL"), "true");
        assert_eq!(column("SELECT robots_token(x) FROM (VALUES ('A b/1'), (NULL), ('*')) AS of(x)"), ["a b", "", "*"]);
    }
}
