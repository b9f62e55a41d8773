//! What became of the robots.txt of a site, and what that lets a crawler do.

use crate::access::{Access, AccessResult};
use crate::dialect::Dialect;
use crate::words::words;

words! {
    /// What became of the robots.txt of a site, once redirects are followed. The column `outcome` of `sites` has its names.
    Outcome {
        /// A file with rules.
        Rules "rules",
        /// A file without rules.
        NoRules "no_rules",
        /// A page or a file of another kind in its place.
        NotRobots "not_robots",
        /// § 2.3.1.3.
        Unavailable "unavailable",
        /// § 2.3.1.4.
        Unreachable "unreachable",
        /// A redirect whose end was not captured.
        RedirectUnresolved "redirect_unresolved",
        /// An answer that says that the file is what it was before, and that was not captured.
        NoCapture "no_capture",
    }
}

impl Outcome {
    /// What a crawler may do. `status` is that of the answer that counts, after redirects.
    #[must_use]
    pub fn access(self, status: Option<u16>, dialect: Dialect) -> Access {
        match self {
            Outcome::Rules | Outcome::NoRules | Outcome::NotRobots => Access::ByRules,
            Outcome::RedirectUnresolved | Outcome::NoCapture => Access::Unknown,
            // Of an answer without a status that can be stored, the outcome alone is known.
            Outcome::Unavailable if AccessResult::of(status) != AccessResult::Unavailable => Access::All,
            Outcome::Unavailable | Outcome::Unreachable => Access::of(status, dialect),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_dialect() {
        let check = |outcome: Outcome, status: Option<u16>, expected: [Access; 5]| {
            let found = Dialect::ALL.map(|dialect| outcome.access(status, dialect));
            assert_eq!(found, expected, "{outcome:?} {status:?}");
        };
        // In the order of Dialect::ALL: RFC 9309, Google, draft-00, draft-12, 1996.
        for outcome in [Outcome::Rules, Outcome::NoRules, Outcome::NotRobots] {
            check(outcome, Some(200), [Access::ByRules; 5]);
        }
        check(Outcome::Unavailable, Some(404), [Access::All; 5]);
        check(Outcome::Unavailable, None, [Access::All; 5]);
        check(Outcome::Unavailable, Some(403), [Access::All, Access::All, Access::All, Access::All, Access::None]);
        check(Outcome::Unavailable, Some(429), [Access::All, Access::None, Access::All, Access::All, Access::All]);
        check(Outcome::Unreachable, Some(503), [Access::None; 5]);
        check(Outcome::Unreachable, None, [Access::None; 5]);
        check(Outcome::RedirectUnresolved, Some(301), [Access::Unknown; 5]);
        check(Outcome::NoCapture, Some(304), [Access::Unknown; 5]);
    }
}
