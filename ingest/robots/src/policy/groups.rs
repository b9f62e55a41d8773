//! Which groups apply to a token, RFC 9309 § 2.2.1.
//!
//! A token's groups are those of the lines with that token, and of the lines that start with it as a product token: the
//! line `FooBot2` also names `FooBot`. Most tokens have one group, that of the only line with the token.

use crate::parsed::{Agent, Parsed};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// A token that a file names, and the groups that apply to it.
pub(super) struct NamedToken<'p> {
    pub(super) token: &'p [u8],
    /// A line has this whole token.
    pub(super) is_written: bool,
    pub(super) groups: TokenGroups,
}

/// The groups of a token, sorted. Few tokens have several, so few are on the heap.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TokenGroups {
    One(u32),
    Several(Vec<u32>),
}

impl TokenGroups {
    pub(super) fn as_slice(&self) -> &[u32] {
        match self {
            TokenGroups::One(group) => std::slice::from_ref(group),
            TokenGroups::Several(groups) => groups,
        }
    }

    pub(super) fn are_several(&self) -> bool {
        matches!(self, TokenGroups::Several(_))
    }
}

/// All tokens that a file names, in the order of first mention. Product tokens that no line has as its whole token come
/// last.
pub(super) fn named_tokens<'p>(parsed: &'p Parsed<'_>) -> Vec<NamedToken<'p>> {
    let further = further_groups(parsed);
    let mut further = further.chunk_by(|a, b| a.0 == b.0).peekable();
    let mut named = Vec::with_capacity(parsed.agents().len());
    for (agent, agent_no) in first_lines(parsed) {
        let is_of_this = |groups: &&[(u32, u32)]| groups.first().is_some_and(|(first, _)| *first == agent_no);
        let groups = match further.next_if(is_of_this) {
            None => TokenGroups::One(agent.group),
            Some(further) => {
                let mut groups: Vec<u32> = further.iter().map(|(_, group)| *group).chain([agent.group]).collect();
                groups.sort_unstable();
                TokenGroups::Several(groups)
            }
        };
        named.push(NamedToken { token: parsed.token(agent), is_written: true, groups });
    }
    named.extend(unwritten_products(parsed).into_iter().map(|(token, groups)| {
        let groups = match groups.as_slice() {
            [group] => TokenGroups::One(*group),
            _ => TokenGroups::Several(groups),
        };
        NamedToken { token, is_written: false, groups }
    }));
    named
}

/// The first user-agent line of each token, and its index.
fn first_lines<'p>(parsed: &'p Parsed<'_>) -> impl Iterator<Item = (&'p Agent, u32)> {
    parsed.agents().iter().zip(0..).filter(|(agent, agent_no)| agent.value.len > 0 && agent.first_of_token == *agent_no)
}

/// The groups that apply to a token in addition to the group of its first line, as sorted pairs of that line's index
/// and the group.
fn further_groups(parsed: &Parsed<'_>) -> Vec<(u32, u32)> {
    let agents = parsed.agents();
    let mut further = Vec::new();
    let mut products = 0;
    let mut add = |first: u32, group: u32| {
        if agents.get(first as usize).is_some_and(|first| first.group != group) {
            further.push((first, group));
        }
    };
    for (agent, agent_no) in agents.iter().zip(0..) {
        if agent.first_of_token != agent_no && agent.value.len > 0 {
            add(agent.first_of_token, agent.group);
        }
        if let Some(product) = parsed.other_product_token(agent) {
            products |= name_bit(product);
        }
    }
    if products != 0 {
        // Few tokens share a bit with such a product token, so few are hashed.
        let is_wanted =
            |agent: &Agent| agent.product_len == agent.token.len && products & name_bit(parsed.token(agent)) != 0;
        let wanted = first_lines(parsed).filter(|(agent, _)| is_wanted(agent));
        let firsts: HashMap<&[u8], u32, RandomState> =
            wanted.map(|(agent, agent_no)| (parsed.token(agent), agent_no)).collect();
        for (agent, product) in partial_names(parsed) {
            if let Some(first) = firsts.get(product) {
                add(*first, agent.group);
            }
        }
    }
    further.sort_unstable();
    further.dedup();
    further
}

/// The product tokens that no line has as its whole token, in the order of the file. Each comes with the groups of the
/// lines that start with it: `GPTBot Foo` names `gptbot`, and `MJ12bot` names `mj`.
fn unwritten_products<'p>(parsed: &'p Parsed<'_>) -> Vec<(&'p [u8], Vec<u32>)> {
    let mut products: Vec<(&[u8], Vec<u32>)> = Vec::new();
    if partial_names(parsed).next().is_none() {
        return products;
    }
    let mut places: HashMap<&[u8], usize, RandomState> = HashMap::default();
    for (agent, product) in partial_names(parsed) {
        let place = *places.entry(product).or_insert(products.len());
        match products.get_mut(place) {
            Some((_, groups)) if groups.last() == Some(&agent.group) => {}
            Some((_, groups)) => groups.push(agent.group),
            None => products.push((product, vec![agent.group])),
        }
    }
    for (agent, _) in first_lines(parsed).filter(|(agent, _)| agent.product_len == agent.token.len) {
        if let Some((_, groups)) = places.get(parsed.token(agent)).and_then(|place| products.get_mut(*place)) {
            groups.clear();
        }
    }
    products.retain(|(_, groups)| !groups.is_empty());
    products
}

/// The groups that apply to each crawler that the file names. Crawlers with the same groups are counted as one.
pub(crate) fn groups_by_crawler(parsed: &Parsed<'_>) -> Vec<Vec<u32>> {
    let mut crawlers: Vec<Vec<u32>> =
        named_tokens(parsed).iter().map(|token| token.groups.as_slice().to_vec()).collect();
    crawlers.sort_unstable();
    crawlers.dedup();
    crawlers
}

/// The groups that are combined with another group for some token, sorted.
pub(crate) fn combined_groups(parsed: &Parsed<'_>) -> Vec<u32> {
    let tokens = named_tokens(parsed);
    let several = tokens.iter().filter(|token| token.groups.are_several()).flat_map(|token| token.groups.as_slice());
    let mut combined: Vec<u32> = several.copied().collect();
    combined.sort_unstable();
    combined.dedup();
    combined
}

/// The lines whose token is longer than its product token, with the latter.
fn partial_names<'p>(parsed: &'p Parsed<'_>) -> impl Iterator<Item = (&'p Agent, &'p [u8])> {
    parsed.agents().iter().filter_map(|agent| Some((agent, parsed.other_product_token(agent)?)))
}

/// A cheap hash to one of 64 bits, from the length of a name and its first and last letters.
fn name_bit(name: &[u8]) -> u64 {
    let (Some(first), Some(last)) = (name.first(), name.last()) else { return 0 };
    1 << ((name.len() + 7 * usize::from(*first) + 31 * usize::from(*last)) % 64)
}
