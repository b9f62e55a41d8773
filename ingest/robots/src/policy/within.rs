//! The policies of a file for a crawler that stops at 500 KiB, RFC 9309 § 2.5.

use super::terms::{AccessClass, Policy, Terms};
use crate::body::BodyOffsets;
use crate::limits;
use crate::parsed::Parsed;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Where the first line of a rule or user agent starts that ends beyond 500 KiB; `None` if none does.
pub(super) fn end(parsed: &Parsed<'_>) -> Option<usize> {
    if !parsed.facts.exceeds_500_kib() {
        return None;
    }
    let mut offsets = BodyOffsets::new(parsed.facts.encoding);
    let mut agents = parsed.agents().iter().map(|agent| agent.value);
    let agent = agents.find(|value| offsets.find(parsed.text(), value.end()) > limits::FIVE_HUNDRED_KIB);
    let rule = parsed.rules().iter().find(|rule| rule.beyond_500_kib).map(|rule| rule.pattern);
    let first = agent.into_iter().chain(rule).map(|span| span.start).min()?;
    Some(parsed.line_at(first as usize).0)
}

/// Sets the `_within_500_kib` fields of all policies, from the policies of the lines that are read.
pub(super) fn limit(policies: &mut [Policy<'_>], read: &[Policy<'_>]) {
    let terms_of: HashMap<&[u8], &Terms, RandomState> =
        read.iter().map(|policy| (policy.token, &policy.terms)).collect();
    let wildcard = terms_of.get(&b"*"[..]);
    for policy in policies {
        // § 2.2.1: "If no group matches the product token and there is no group with a user-agent line with the "*"
        // value, […] no rules apply."
        let terms = terms_of.get(policy.token).or(wildcard);
        policy.root_allowed_within_500_kib = terms.is_none_or(|terms| terms.root_allowed);
        policy.access_within_500_kib = terms.map_or(AccessClass::All, |terms| terms.access);
    }
}
