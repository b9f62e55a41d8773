//! `registered_domain(host)`.

use super::SECTION;
use super::texts::{TextFunction, Texts};
use datafusion::arrow::array::{ArrayRef, StringBuilder};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::common::utils::take_function_args;
use datafusion::logical_expr::Documentation;
use std::sync::{Arc, LazyLock};

const NAME: &str = "registered_domain";

/// The domain below a public suffix.
pub(super) fn registered_domain() -> TextFunction {
    TextFunction {
        name: NAME,
        arguments: &["host"],
        result: DataType::Utf8,
        documentation: &DOCUMENTATION,
        answer: domains,
    }
}

static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
    Documentation::builder(
        SECTION,
        "The domain below a public suffix, by the ICANN section of the public suffix list, as in \
         `url_host_registered_domain`. Null for an IP address, for a host that is itself a suffix, and for a suffix \
         that is not on the list.",
        "registered_domain(host) -> text",
    )
    .with_argument(
        "host",
        "a host name, not a URL; internationalised names as Punycode. Case and a trailing dot are ignored",
    )
    .with_sql_example(
        "SELECT host, registered_domain(host) AS domain\n\
         FROM (VALUES ('www.bbc.co.uk'), ('myblog.blogspot.com'), ('WWW.Example.com.'), ('co.uk'), ('192.0.2.1')) AS hosts(host);",
    )
    .build()
});

fn domains(texts: &[Texts<'_>], rows: usize) -> Result<ArrayRef> {
    let [hosts] = take_function_args(NAME, texts)?;
    let mut domains = StringBuilder::with_capacity(rows, rows * 16);
    for row in 0..rows {
        let host = hosts.get(row).map(|host| host.strip_suffix('.').unwrap_or(host));
        match host {
            Some(host) if host.bytes().any(|byte| byte.is_ascii_uppercase()) => {
                domains.append_option(hosts::registered_domain(&host.to_ascii_lowercase()));
            }
            host => domains.append_option(host.and_then(hosts::registered_domain)),
        }
    }
    Ok(Arc::new(domains.finish()))
}

#[cfg(test)]
mod tests {
    use crate::functions::fixture::column;

    #[test]
    fn a_domain() {
        let check = |host: &str, expected: &str| {
            let found = column(&format!("SELECT registered_domain(x) FROM (VALUES ({host})) AS of(x)"));
            assert_eq!(found, [expected], "{host}");
        };
        check("'www.bbc.co.uk'", "bbc.co.uk");
        check("'A.B.Example.COM.'", "example.com");
        check("'x.s3.amazonaws.com'", "amazonaws.com");
        check("'co.uk'", "");
        check("'[2001:db8::1]'", "");
        check("'192.0.2.1'", "");
        check("'example.com..'", "");
        check("''", "");
        check("NULL", "");
        check("'https://example.com/x'", "");
    }
}
