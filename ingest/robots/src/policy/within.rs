//! What a file says to a crawler that stops at 500 KiB, RFC 9309 § 2.5.

use super::{AccessClass, Policy, Terms, of_all_lines};
use crate::parse::parse;
use crate::parsed::Parsed;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Sets the `_within_500_kib` fields of all policies, from the lines before the first rule that ends beyond 500 KiB.
pub(super) fn judge(parsed: &Parsed<'_>, policies: &mut [Policy<'_>]) {
    let Some(first_lost) = parsed.rules().iter().find(|rule| rule.beyond_500_kib) else { return };
    let (end, _) = parsed.line_at(first_lost.pattern.start as usize);
    let kept = parse(parsed.text().get(..end).unwrap_or_default());
    let terms_of: HashMap<&[u8], Terms, RandomState> =
        of_all_lines(&kept).into_iter().map(|policy| (policy.token, policy.terms)).collect();
    let wildcard = terms_of.get(&b"*"[..]);
    for policy in policies {
        // § 2.2.1: "If no group matches the product token and there is no group with a user-agent line with the "*"
        // value, […] no rules apply."
        let terms = terms_of.get(policy.token).or(wildcard);
        policy.root_allowed_within_500_kib = terms.is_none_or(|terms| terms.root_allowed);
        policy.access_within_500_kib = terms.map_or(AccessClass::All, |terms| terms.access);
    }
}
