//! `robots_outcome_access(outcome, status [, dialect [, path]])`.

use super::SECTION;
use super::access::dialect_named;
use super::texts::Texts;
use datafusion::arrow::array::{Array as _, StringArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::cast::as_int64_array;
use datafusion::common::utils::take_function_args;
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature, TypeSignature, Volatility,
};
use robots::{AccessClass, Dialect, SiteOutcome, Target};
use std::sync::{Arc, LazyLock};

const NAME: &str = "robots_outcome_access";

/// The access of a crawler to a site if no rule decides.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct RobotsOutcomeAccess {
    signature: Signature,
}

impl Default for RobotsOutcomeAccess {
    fn default() -> Self {
        RobotsOutcomeAccess {
            signature: Signature::one_of(
                vec![
                    TypeSignature::Exact(vec![DataType::Utf8, DataType::Int64]),
                    TypeSignature::Exact(vec![DataType::Utf8, DataType::Int64, DataType::Utf8]),
                    TypeSignature::Exact(vec![DataType::Utf8, DataType::Int64, DataType::Utf8, DataType::Utf8]),
                ],
                Volatility::Immutable,
            ),
        }
    }
}

static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
    Documentation::builder(
        SECTION,
        "What a crawler may fetch on a site if no rule decides (RFC 9309): `all` if there is a file or it is \
         unavailable (section 2.3.1.3), `none` if it is unreachable (section 2.3.1.4), null if that is not known. \
         `/robots.txt` itself may always be fetched (section 2.2.2), except by `google`. The column \
         `access_without_rules` of `sites` has this value for `rfc9309`.",
        "robots_outcome_access(outcome, status [, dialect [, path]]) -> text",
    )
    .with_argument("outcome", "an outcome, as in `sites`; any other text is an error")
    .with_argument("status", "the status of the response that decides the outcome, as `final_status` in `sites`")
    .with_argument("dialect", "`rfc9309` (the default) or another dialect of `robots_access`")
    .with_argument("path", "a path or URL: the access to it alone. Only `/robots.txt` differs from other paths")
    .with_sql_example(
        "SELECT outcome, status, robots_outcome_access(outcome, status) AS access\n\
         FROM (VALUES ('no_rules', 200), ('unavailable', 404), ('unreachable', 503), ('no_capture', 304)) AS sites(outcome, status);",
    )
    .build()
});

impl ScalarUDFImpl for RobotsOutcomeAccess {
    fn name(&self) -> &str {
        NAME
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(DataType::Utf8)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let dialects = match args.args.get(2) {
            Some(dialects) => Texts::from_argument(dialects)?,
            None => Texts::Constant(Some(Dialect::Rfc9309.name())),
        };
        let paths = args.args.get(3).map(Texts::from_argument).transpose()?;
        let [outcomes, statuses] = take_function_args(NAME, args.args.get(..2).unwrap_or_default())?;
        let (outcomes, statuses) = (Texts::from_argument(outcomes)?, statuses.to_array(args.number_rows)?);
        let statuses = as_int64_array(&statuses)?;
        let mut access = Vec::with_capacity(args.number_rows);
        for row in 0..args.number_rows {
            let status = statuses.is_valid(row).then(|| statuses.value(row));
            let (Some(outcome), Some(dialect)) = (outcomes.get(row), dialects.get(row)) else {
                access.push(None);
                continue;
            };
            let Some(outcome) = SiteOutcome::named(outcome) else {
                return exec_err!("outcome is unknown: {NAME}: {outcome}");
            };
            let dialect = dialect_named(NAME, dialect)?;
            let by_outcome = outcome.access(status, dialect);
            access.push(match &paths {
                None => by_outcome.without_rules(),
                Some(paths) => {
                    paths.get(row).and_then(|path| by_outcome.allows(&Target::new(path.as_bytes(), dialect)))
                }
            });
        }
        let names: StringArray =
            access.into_iter().map(|all: Option<bool>| all.map(|all| AccessClass::all_or_none(all).name())).collect();
        Ok(ColumnarValue::Array(Arc::new(names)))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&DOCUMENTATION)
    }
}

#[cfg(test)]
mod tests {
    use crate::functions::fixture::column;

    #[test]
    fn by_outcome() {
        let of = "SELECT robots_outcome_access(o, s) FROM (VALUES ('rules', 200), ('not_robots', 200), ('unavailable', 403), \
                  ('unreachable', NULL), ('redirect_unresolved', 301), ('no_capture', 304), (NULL, 200)) AS of(o, s)";
        assert_eq!(column(of), ["all", "all", "all", "none", "", "", ""]);
    }

    #[test]
    fn by_outcome_and_dialect() {
        let of = "SELECT robots_outcome_access('unavailable', s, d) FROM (VALUES (403, 'rfc9309'), (403, 'original-1996'), \
                  (429, 'google'), (404, 'google'), (404, NULL)) AS of(s, d)";
        assert_eq!(column(of), ["all", "none", "none", "all", ""]);
    }

    /// RFC 9309 § 2.2.2: "The /robots.txt URI is implicitly allowed".
    #[test]
    fn by_path() {
        let of = "SELECT robots_outcome_access('unreachable', 503, d, p) FROM (VALUES ('rfc9309', '/robots.txt'), \
                  ('rfc9309', '/%72obots.txt#x'), ('rfc9309', 'https://a.example/robots.txt'), ('google', '/robots.txt'), \
                  ('rfc9309', '/'), ('rfc9309', NULL)) AS of(d, p)";
        assert_eq!(column(of), ["all", "all", "all", "none", "none", ""]);
    }
}
