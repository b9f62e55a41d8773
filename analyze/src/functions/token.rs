//! `robots_token(agent)` and `robots_product_token(agent)`.

use super::SECTION;
use super::texts::{TextFunction, Texts};
use datafusion::arrow::array::{ArrayRef, StringArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::utils::take_function_args;
use datafusion::logical_expr::Documentation;
use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

/// The token of a crawler's name.
pub(super) fn robots_token() -> TextFunction {
    TextFunction {
        name: "robots_token",
        arguments: &["agent"],
        result: DataType::Utf8,
        documentation: &TOKEN,
        answer: |texts, rows| parts(texts, rows, robots::token),
    }
}

/// The product token of a crawler's name.
pub(super) fn robots_product_token() -> TextFunction {
    TextFunction {
        name: "robots_product_token",
        documentation: &PRODUCT,
        answer: |texts, rows| parts(texts, rows, robots::product_token),
        ..robots_token()
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

fn parts(texts: &[Texts<'_>], rows: usize, part: fn(&[u8]) -> Cow<'_, [u8]>) -> Result<ArrayRef> {
    let [agents] = take_function_args("robots_token", texts)?;
    let parts = (0..rows).map(|row| agents.get(row).map(|agent| text(part(agent.as_bytes()))));
    Ok(Arc::new(parts.collect::<StringArray>()))
}

/// A part of a name. It is valid UTF-8, since it ends before an ASCII character and only ASCII letters change case.
fn text(part: Cow<'_, [u8]>) -> Cow<'_, str> {
    match part {
        Cow::Borrowed(part) => String::from_utf8_lossy(part),
        Cow::Owned(part) => String::from_utf8_lossy(&part).into_owned().into(),
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
