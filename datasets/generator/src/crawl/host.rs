//! Hosts below real suffixes that cannot exist: each has an underscore in the label that would be registered, and no
//! registry allows that (RFC 1123 § 2.1 allows letters, digits and hyphens). So public suffixes are as in a real crawl,
//! but no real site is named.

use super::random::Random;
use super::words::WORDS;

/// Suffixes, with the weight of each.
const SUFFIXES: [(&str, u32); 24] = [
    ("com", 480),
    ("org", 70),
    ("de", 60),
    ("net", 45),
    ("ru", 40),
    ("co.uk", 35),
    ("fr", 25),
    ("nl", 25),
    ("it", 22),
    ("pl", 20),
    ("com.br", 20),
    ("jp", 18),
    ("cz", 15),
    ("eu", 15),
    ("com.au", 15),
    ("es", 14),
    ("info", 14),
    ("co.jp", 12),
    ("ch", 12),
    ("edu", 10),
    ("ca", 10),
    ("blogspot.com", 10),
    ("github.io", 8),
    ("ac.uk", 5),
];

/// A name without `www.`.
pub(super) fn name(random: &mut Random) -> String {
    let (one, two) = (random.one_of(&WORDS), random.one_of(&WORDS));
    let number = random.below(1_000_000);
    let suffix = random.weighted(&SUFFIXES).copied().unwrap_or_default();
    format!("{one}_{two}{number}.{suffix}")
}
