//! What a file says to each crawler that it names, in one row: the facts that every published definition of "blocked"
//! is made of.

mod access;

use crate::dialect::Dialect;

use crate::key::Extension;
use crate::parse::seconds;
use crate::parsed::{Agent, Parsed};
use crate::reading::{Match, Reading, Selection};
use access::{Budget, Summary, access};
use std::collections::HashMap;

/// What a file says to one token.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy<'p> {
    /// The token, see [`crate::token`]; `*` is one.
    pub token: &'p [u8],
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
/// A pattern that begins with neither a slash nor a star matches no path and has no witness; and `/robots.txt`, which
/// is allowed whatever the rules say, is none.
///
/// Witnesses are judged as long as a budget lasts that no file comes near which was not built to. What is left then
/// counts as [`AccessClass::Part`], since there are rules of both kinds.
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
/// Groups are chosen by RFC 9309 with [`crate::Naming::Named`]. Tokens for which the same groups hold share one look
/// at the rules, so that a group of many crawlers and many rules costs their sum and not their product.
#[must_use]
pub fn policies<'p>(parsed: &'p Parsed<'_>) -> Vec<Policy<'p>> {
    let reading = Reading::new(parsed, Dialect::Rfc9309);
    let groups = 0..parsed.groups().len() as u32;
    let mut shared = Shared {
        reading: &reading,
        summaries: groups.map(|group| Summary::of(&reading, group)).collect(),
        by_groups: HashMap::new(),
        delays: crawl_delays(parsed),
        budget: Budget::default(),
    };
    let mut policies = Vec::new();
    for_each_token(parsed, |agent, groups| {
        let terms = shared.terms(groups);
        policies.push(Policy { token: parsed.token(agent), merged_groups: groups.len() as u32, terms });
    });
    policies
}

/// What is known of groups so far.
struct Shared<'r, 'p> {
    reading: &'r Reading<'p>,
    summaries: Vec<Summary<'r>>,
    by_groups: HashMap<Vec<u32>, Terms>,
    delays: Vec<(u32, f64)>,
    budget: Budget,
}

impl<'r> Shared<'r, '_> {
    fn terms(&mut self, groups: &[u32]) -> Terms {
        if let Some(terms) = self.by_groups.get(groups) {
            return *terms;
        }
        let terms = self.decide(groups);
        self.by_groups.insert(groups.to_vec(), terms);
        terms
    }

    /// A group is looked at once, whoever shares it: what it says is summed up, and sums are combined.
    fn decide(&mut self, groups: &[u32]) -> Terms {
        let mut all = Summary::default();
        for summary in groups.iter().filter_map(|group| self.summaries.get(*group as usize)) {
            all.combine(summary, self.reading);
        }
        let selection = Selection { reading: self.reading, groups: groups.to_vec(), matched: Match::Explicit };
        Terms {
            allow_rules: all.allow_rules,
            disallow_rules: all.disallow_rules,
            crawl_delay_s: groups.iter().find_map(|group| first_delay(&self.delays, *group)),
            root_allowed: all.root_allowed(),
            deciding_line: all.root.map(|rule| rule.line_no),
            access: access(&selection, &all, &mut self.budget),
            has_disallow_root: all.disallow_roots > 0,
            is_only_disallow_root: all.disallow_roots > 0
                && all.allow_rules == 0
                && all.disallow_roots == all.disallow_rules,
        }
    }
}

/// Each token, by the first line that has it, and the groups that hold for it.
///
/// They are those of the lines with that token, and those of the lines that begin with it as a product token, § 2.2.1:
/// `FooBot2` holds for `FooBot` too. Of the latter, most files have none.
fn for_each_token<'p>(parsed: &'p Parsed<'_>, mut each: impl FnMut(&'p Agent, &[u32])) {
    let agents = parsed.agents();
    let is_partial = |agent: &&Agent| agent.product_len > 0 && agent.product_len != agent.token.len;
    let named = || agents.iter().zip(0u32..).filter(|(agent, _)| agent.value.len > 0);
    let has_repeats = named().any(|(agent, agent_no)| agent.first_of_token != agent_no);
    if !has_repeats && !agents.iter().any(|agent| is_partial(&agent)) {
        named().for_each(|(agent, _)| each(agent, &[agent.group]));
        return;
    }
    let mut held: Vec<(u32, u32)> = named().map(|(agent, _)| (agent.first_of_token, agent.group)).collect();
    let firsts: HashMap<&[u8], u32> = match agents.iter().any(|agent| is_partial(&agent)) {
        true => named().map(|(agent, _)| (parsed.token(agent), agent.first_of_token)).collect(),
        false => HashMap::new(),
    };
    for agent in agents.iter().filter(is_partial) {
        let product = parsed.token(agent).get(..agent.product_len as usize).unwrap_or_default();
        held.extend(firsts.get(product).map(|first| (*first, agent.group)));
    }
    held.sort_unstable();
    held.dedup();
    let mut groups = Vec::new();
    for of_one in held.chunk_by(|a, b| a.0 == b.0) {
        groups.clear();
        groups.extend(of_one.iter().map(|(_, group)| *group));
        if let Some(agent) = of_one.first().and_then(|(first, _)| agents.get(*first as usize)) {
            each(agent, &groups);
        }
    }
}

/// The crawl delays of the groups, in the order of the file.
fn crawl_delays(parsed: &Parsed<'_>) -> Vec<(u32, f64)> {
    let delays = parsed.records().iter().filter(|record| record.extension == Extension::CrawlDelay);
    delays.filter_map(|record| Some((record.group?, seconds(parsed.bytes(record.value))?))).collect()
}

fn first_delay(delays: &[(u32, f64)], group: u32) -> Option<f64> {
    let first = delays.partition_point(|(earlier, _)| *earlier < group);
    delays.get(first).filter(|(found, _)| *found == group).map(|(_, delay_s)| *delay_s)
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
                let token = std::str::from_utf8(policy.token).unwrap();
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
        one("Disallow: /\nAllow: /robots.txt$\n", 1, 1, AccessClass::None);
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
