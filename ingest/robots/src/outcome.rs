//! The outcome of fetching the robots.txt of a site, and the access that it gives to a crawler.

use crate::access::{AccessResult, SiteAccess};
use crate::dialect::Dialect;
use crate::words::words;

words! {
    /// The outcome of fetching the robots.txt of a site, with redirects followed.
    SiteOutcome {
        /// A file with rules.
        Rules "rules",
        /// A file without rules.
        NoRules "no_rules",
        /// A web page or another kind of file in its place.
        NotRobots "not_robots",
        /// § 2.3.1.3: a 4xx status.
        Unavailable "unavailable",
        /// § 2.3.1.4: a 5xx status, no response, or a status that the standard does not mention.
        Unreachable "unreachable",
        /// A redirect whose end was not captured.
        RedirectUnresolved "redirect_unresolved",
        /// No capture has the file: the response was stored without its body, repeats one that is not in the tables, or its
        /// record is doubtful.
        NoCapture "no_capture",
    }
}

words! {
    /// Why redirects do not lead to a robots.txt.
    RedirectEnd {
        /// The response has no `Location`.
        NoLocation "no-location",
        /// The response has a `Location` that cannot be resolved to a URL.
        UnusableLocation "unusable-location",
        /// The URL is neither http nor https.
        NotHttp "not-http",
        /// The URL was not captured.
        NotCaptured "not-captured",
        /// The redirects lead back to an earlier URL.
        Loop "loop",
        /// Another redirect follows the last one that is followed, § 2.3.1.2.
        TooMany "too-many",
    }
}

impl SiteOutcome {
    /// The access that the outcome gives. `status` is that of the final response, after redirects. A number that is out
    /// of range counts as no status.
    #[must_use]
    pub fn access(self, status: Option<impl Into<i64>>, dialect: Dialect) -> SiteAccess {
        let status = status.and_then(|status| u16::try_from(status.into()).ok());
        match self {
            SiteOutcome::Rules | SiteOutcome::NoRules | SiteOutcome::NotRobots => SiteAccess::ByRules,
            SiteOutcome::RedirectUnresolved | SiteOutcome::NoCapture => SiteAccess::Unknown,
            // If the status was out of range and not stored, only the outcome is known.
            SiteOutcome::Unavailable if AccessResult::from_status(status) != AccessResult::Unavailable => {
                SiteAccess::All
            }
            SiteOutcome::Unavailable | SiteOutcome::Unreachable => SiteAccess::from_status(status, dialect),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_dialect() {
        let check = |outcome: SiteOutcome, status: Option<u16>, expected: [SiteAccess; 5]| {
            let found = Dialect::ALL.map(|dialect| outcome.access(status, dialect));
            assert_eq!(found, expected, "{outcome:?} {status:?}");
        };
        // In the order of Dialect::ALL: RFC 9309, Google, draft-00, draft-12, 1996.
        for outcome in [SiteOutcome::Rules, SiteOutcome::NoRules, SiteOutcome::NotRobots] {
            check(outcome, Some(200), [SiteAccess::ByRules; 5]);
        }
        check(SiteOutcome::Unavailable, Some(404), [SiteAccess::All; 5]);
        check(SiteOutcome::Unavailable, None, [SiteAccess::All; 5]);
        check(
            SiteOutcome::Unavailable,
            Some(403),
            [SiteAccess::All, SiteAccess::All, SiteAccess::All, SiteAccess::All, SiteAccess::None],
        );
        check(
            SiteOutcome::Unavailable,
            Some(429),
            [SiteAccess::All, SiteAccess::None, SiteAccess::All, SiteAccess::All, SiteAccess::All],
        );
        check(SiteOutcome::Unreachable, Some(503), [SiteAccess::None; 5]);
        check(SiteOutcome::Unreachable, None, [SiteAccess::None; 5]);
        check(SiteOutcome::RedirectUnresolved, Some(301), [SiteAccess::Unknown; 5]);
        check(SiteOutcome::NoCapture, Some(304), [SiteAccess::Unknown; 5]);
    }
}
