//! What a file says to each crawler that it names, in one row: the facts that every published definition of "blocked"
//! is made of.

use crate::dialect::Dialect;

use crate::key::Extension;
use crate::limits;
use crate::parse::seconds;
use crate::parsed::{Parsed, Rule};
use crate::pattern::glob;
use crate::reading::{Match, Reading, Selection};
use std::borrow::Cow;
use std::collections::HashMap;

/// What a file says to one token.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy<'p> {
    /// The token, see [`crate::token`]; `*` is one.
    pub token: Cow<'p, [u8]>,
    /// How many groups hold for it, § 2.2.1: "the matching groups' rules MUST be combined into one group".
    pub merged_groups: u32,
    /// What they say.
    pub terms: Terms,
}

/// What a set of groups says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terms {
    /// Allow lines.
    pub allow_rules: u32,
    /// Disallow lines.
    pub disallow_rules: u32,
    /// The first crawl delay that is a number of seconds.
    pub crawl_delay_s: Option<f64>,
    /// `/` may be fetched.
    pub root_allowed: bool,
    /// The line that decides on `/`.
    pub deciding_line: Option<u32>,
    /// How much may be fetched.
    pub access: AccessClass,
    /// A disallow line says exactly `/`.
    pub has_disallow_root: bool,
    /// Every line does, and there is one.
    pub is_only_disallow_root: bool,
}

/// How much may be fetched, by witness paths: `/`, a path that no rule speaks of, and each rule's own pattern turned
/// into a path.
///
/// A pattern's wildcards stand for nothing in its path. A pattern without an anchor has a second witness, which goes
/// on where the first ends: of `Disallow: /` and `Allow: /$`, the one page at `/` is allowed and all others are not.
/// A pattern that begins with neither a slash nor a star matches no path and has no witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccessClass {
    /// No witness is refused.
    All,
    /// Some are.
    Part,
    /// All are, `/` among them.
    None,
}

impl AccessClass {
    /// As the tables have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            AccessClass::All => "all",
            AccessClass::Part => "part",
            AccessClass::None => "none",
        }
    }
}

/// The policies of a file, one for each token that it names, in the order in which it first names them.
///
/// Groups are chosen by RFC 9309 with [`crate::Naming::Named`]. Tokens for which the same groups hold share one look at the
/// rules, so that a group of many crawlers and many rules costs their sum and not their product.
#[must_use]
pub fn policies<'p>(parsed: &'p Parsed<'_>) -> Vec<Policy<'p>> {
    let reading = Reading::new(parsed, Dialect::Rfc9309);
    let mut known: HashMap<Vec<u32>, Terms> = HashMap::new();
    let mut budget = limits::WITNESS_MATCHES;
    let delays = crawl_delays(parsed);
    let policy = |(token, groups): (Cow<'p, [u8]>, Vec<u32>)| {
        let merged_groups = groups.len() as u32;
        let terms = match known.get(&groups) {
            Some(terms) => *terms,
            None => {
                let selection = Selection { reading: &reading, groups, matched: Match::Explicit };
                let terms = terms(&selection, &delays, &mut budget);
                known.insert(selection.groups, terms);
                terms
            }
        };
        Policy { token, merged_groups, terms }
    };
    tokens(parsed).into_iter().map(policy).collect()
}

/// Each token and the groups that hold for it, in the order of the file.
fn tokens<'p>(parsed: &'p Parsed<'_>) -> Vec<(Cow<'p, [u8]>, Vec<u32>)> {
    let mut tokens: Vec<(Cow<'p, [u8]>, Vec<u32>)> = Vec::new();
    let mut places: HashMap<Cow<'p, [u8]>, usize> = HashMap::new();
    let mut add =
        |tokens: &mut Vec<(Cow<'p, [u8]>, Vec<u32>)>, token: Cow<'p, [u8]>, group: u32, is_new_welcome: bool| {
            let place = match places.get(&token) {
                Some(place) => *place,
                None if is_new_welcome => {
                    places.insert(token.clone(), tokens.len());
                    tokens.push((token, Vec::new()));
                    tokens.len() - 1
                }
                None => return,
            };
            if let Some((_, groups)) = tokens.get_mut(place) {
                groups.push(group);
            }
        };
    let mut has_partial = false;
    for agent in parsed.agents().iter().filter(|agent| agent.value.len > 0) {
        has_partial |= !agent.is_star && agent.product_len > 0 && agent.product_len != agent.token_len;
        add(&mut tokens, parsed.token(agent), agent.group, true);
    }
    // A line holds for the product token that it begins with, too, if another line names that.
    if has_partial {
        for agent in parsed.agents().iter().filter(|agent| !agent.is_star && agent.product_len != agent.token_len) {
            let value = parsed.bytes(agent.value);
            let product = value.get(..agent.product_len as usize).unwrap_or_default();
            if !product.is_empty() {
                add(&mut tokens, product.to_ascii_lowercase().into(), agent.group, false);
            }
        }
        for (_, groups) in &mut tokens {
            groups.sort_unstable();
        }
    }
    for (_, groups) in &mut tokens {
        groups.dedup();
    }
    tokens
}

/// The first crawl delay of each group that has one.
fn crawl_delays(parsed: &Parsed<'_>) -> HashMap<u32, f64> {
    let mut delays = HashMap::new();
    for record in parsed.records().iter().filter(|record| record.extension == Extension::CrawlDelay) {
        if let (Some(group), Some(delay_s)) = (record.group, seconds(parsed.bytes(record.value))) {
            delays.entry(group).or_insert(delay_s);
        }
    }
    delays
}

fn terms(selection: &Selection<'_, '_>, delays: &HashMap<u32, f64>, budget: &mut usize) -> Terms {
    let (mut allow_rules, mut disallow_rules, mut disallow_roots) = (0, 0, 0);
    for rule in selection.rules() {
        match rule.allow {
            true => allow_rules += 1,
            false => disallow_rules += 1,
        }
        disallow_roots += u32::from(!rule.allow && selection.reading.normal(rule) == b"/");
    }
    let root = selection.longest_match(b"/");
    let root_allowed = root.is_none_or(|rule| rule.allow);
    Terms {
        allow_rules,
        disallow_rules,
        crawl_delay_s: selection.groups.iter().find_map(|group| delays.get(group)).copied(),
        root_allowed,
        deciding_line: root.map(|rule| rule.line_no),
        access: access(selection, root_allowed, budget),
        has_disallow_root: disallow_roots > 0,
        is_only_disallow_root: disallow_roots > 0 && allow_rules == 0 && disallow_roots == disallow_rules,
    }
}

/// Looks for a witness that fares otherwise than `/`: allowed where `/` is refused, refused where it is allowed.
fn access(selection: &Selection<'_, '_>, root_allowed: bool, budget: &mut usize) -> AccessClass {
    let reading = selection.reading;
    let can_match = |rule: &&Rule| matches!(reading.normal(rule).first(), Some(b'/' | b'*'));
    let same_as_root = if root_allowed { AccessClass::All } else { AccessClass::None };
    let elsewhere = [b"/", CONTINUATION].concat();
    if selection.longest_match(&elsewhere).is_none_or(|rule| rule.allow) != root_allowed {
        return AccessClass::Part;
    }
    // Without a rule of the other kind, every witness fares as `/` does.
    if !selection.rules().filter(can_match).any(|rule| rule.allow != root_allowed) {
        return same_as_root;
    }
    let rules = selection.rules().count();
    // The longest rule of the other kind is the most likely to have its way; the rest follow in the order of the
    // file, those of the other kind first.
    let other_kind = || selection.rules().filter(can_match).filter(|rule| rule.allow != root_allowed);
    let own_kind = || selection.rules().filter(can_match).filter(|rule| rule.allow == root_allowed);
    let longest = other_kind().max_by_key(|rule| reading.normal(rule).len());
    let mut path = Vec::new();
    for rule in longest.into_iter().chain(other_kind()).chain(own_kind()) {
        let pattern = reading.normal(rule);
        for continuation in [&b""[..], CONTINUATION] {
            if !continuation.is_empty() && rule.anchored {
                continue;
            }
            if *budget < rules {
                return same_as_root;
            }
            *budget -= rules;
            witness(pattern, continuation, &mut path);
            let is_allowed = path == b"/robots.txt" || selection.longest_match(&path).is_none_or(|rule| rule.allow);
            if is_allowed != root_allowed {
                return AccessClass::Part;
            }
        }
    }
    same_as_root
}

/// How a path goes on behind what a pattern says: in no way that another pattern is likely to speak of.
const CONTINUATION: &[u8] = b"-robocensus-witness";

/// A path that a pattern matches: its wildcards stand for nothing, and its anchor for the end.
fn witness(pattern: &[u8], continuation: &[u8], path: &mut Vec<u8>) {
    path.clear();
    let pattern = pattern.strip_suffix(b"$").unwrap_or(pattern);
    if pattern.iter().find(|byte| **byte != b'*') != Some(&b'/') {
        path.push(b'/');
    }
    path.extend(pattern.iter().filter(|byte| **byte != b'*'));
    path.extend_from_slice(continuation);
    debug_assert!(glob::matches(pattern, path));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Token, groups, allow and disallow lines, access, of each policy.
    fn check(body: &str, expected: &[(&str, u32, u32, u32, AccessClass)]) {
        let parsed = crate::parse(body.as_bytes());
        let policies = policies(&parsed);
        let rows: Vec<_> = policies
            .iter()
            .map(|policy| {
                let token = std::str::from_utf8(&policy.token).unwrap();
                let terms = policy.terms;
                (token, policy.merged_groups, terms.allow_rules, terms.disallow_rules, terms.access)
            })
            .collect();
        assert_eq!(rows, expected, "{body:?}");
    }

    #[test]
    fn access_by_witness() {
        let one = |rules: &str, allow, disallow, access| {
            check(&format!("User-agent: a\n{rules}"), &[("a", 1, allow, disallow, access)]);
        };
        one("", 0, 0, AccessClass::All);
        one("Disallow:\n", 0, 1, AccessClass::All);
        one("Disallow: /\n", 0, 1, AccessClass::None);
        one("Disallow: /*\n", 0, 1, AccessClass::None);
        one("Disallow: *\n", 0, 1, AccessClass::None);
        one("Disallow: /x\n", 0, 1, AccessClass::Part);
        one("Disallow: x\n", 0, 1, AccessClass::All);
        one("Disallow: /\nAllow: /x\n", 1, 1, AccessClass::Part);
        one("Disallow: /\nAllow: /x\nDisallow: /x*\n", 1, 2, AccessClass::None);
        one("Disallow: /\nAllow: /\n", 1, 1, AccessClass::All);
        one("Disallow: /\nAllow: /$\n", 1, 1, AccessClass::Part);
        one("Disallow: /x\nAllow: /x\n", 1, 1, AccessClass::All);
        one("Disallow: /x\nAllow: /x$\n", 1, 1, AccessClass::Part);
        one("Disallow: /robots.txt$\n", 0, 1, AccessClass::All);
        one("Disallow: /robots.txt\n", 0, 1, AccessClass::Part);
        one("Disallow: /$\n", 0, 1, AccessClass::Part);
        one("Disallow: /*.gif$\n", 0, 1, AccessClass::Part);
        // The witness of a disallow rule is the only one that is allowed.
        one("Disallow: /\nAllow: /*b\nDisallow: /b*$\nDisallow: /ab\n", 1, 3, AccessClass::Part);
    }

    #[test]
    fn groups_are_merged_by_token_and_by_product_token() {
        check(
            "User-agent: A\nUser-agent: *\nDisallow: /\n\nUser-agent: a/2.0\nAllow: /x\n\nUser-agent: a2\nDisallow: /y\n",
            &[("a", 3, 1, 2, AccessClass::Part), ("*", 1, 0, 1, AccessClass::None), ("a2", 1, 0, 1, AccessClass::Part)],
        );
    }

    #[test]
    fn many_agents_and_many_rules_cost_their_sum() {
        let mut body = String::new();
        for agent in 0..14_000 {
            body.push_str(&format!("User-agent: bot{agent}\n"));
        }
        for rule in 0..20_000 {
            body.push_str(&format!("Allow: /{rule}\nDisallow: /{rule}*\n"));
        }
        body.push_str("Disallow: /\n");
        let parsed = crate::parse(body.as_bytes());
        let policies = policies(&parsed);
        assert_eq!(policies.len(), 14_000);
        assert!(policies.iter().all(|policy| policy.terms.disallow_rules == 20_001));
    }
}
