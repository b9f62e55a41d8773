//! The weight of a rule, which says which of several matching rules decides.

/// How many octets a matching rule has, and whether it allows. The greatest weight of all matching rules decides.
///
/// § 2.2.2: "The most specific match found MUST be used. The most specific match is the match that has the most octets.
/// […] If an "allow" rule and a "disallow" rule are equivalent, then the "allow" rule SHOULD be used."
///
/// A maximum can be computed in parts and in any order, so a caller can aggregate rules in any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Weight(u32);

impl Default for Weight {
    /// The weight if no rule matches: no octets, and "the URI is allowed". An empty pattern does not exceed it, so it
    /// never decides.
    fn default() -> Self {
        Weight::new(0, true)
    }
}

impl Weight {
    /// `octets` is the length of the pattern in normal form.
    #[inline]
    pub(crate) fn new(octets: usize, allow: bool) -> Self {
        Weight((octets as u32) << 1 | u32::from(allow))
    }

    /// Whether a path is allowed if a rule of this weight decides.
    #[must_use]
    #[inline]
    pub fn allows(self) -> bool {
        self.0 & 1 == 1
    }

    /// The weight as a number that sorts the same way.
    #[must_use]
    pub fn to_number(self) -> u32 {
        self.0
    }

    /// The weight of a number from [`Weight::to_number`].
    #[must_use]
    pub fn from_number(number: u32) -> Self {
        Weight(number)
    }
}
