//! SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014). It is short, and gives
//! the same numbers on every machine and in every version, which crates do not promise.

/// A source of pseudorandom numbers.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The numbers of one stream of a seed.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut random = Random(seed);
        let start = random.next() ^ stream.wrapping_mul(GOLDEN);
        Random(Random(start).next())
    }

    /// Any number.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        // The upper half of 32 bits times the bound. Its error of one in 4 billion does not matter here.
        (((self.next() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A number of a range, both ends included.
    pub(super) fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most - least + 1)
    }

    /// True in `of_ten_thousand` of 10,000 cases.
    pub(super) fn happens(&mut self, of_ten_thousand: u32) -> bool {
        self.below(10_000) < of_ten_thousand
    }

    /// One of several, all equally likely.
    pub(super) fn one_of(&mut self, several: &[&'static str]) -> &'static str {
        let number = self.below(u32::try_from(several.len()).unwrap_or(u32::MAX));
        several.get(number as usize).copied().unwrap_or_default()
    }

    /// One of several, by Zipf's law: the first is twice as likely as the second and three times as likely as the
    /// third, as closely as integers allow.
    pub(super) fn zipf<'t, T>(&mut self, several: &'t [T]) -> Option<&'t T> {
        const WHOLE: u32 = 1 << 16;
        let weight = |rank: usize| WHOLE / u32::try_from(rank + 1).unwrap_or(WHOLE);
        let sum = (0..several.len()).map(weight).sum();
        let mut drawn = self.below(sum);
        several.iter().enumerate().find_map(|(rank, one)| match drawn.checked_sub(weight(rank)) {
            Some(rest) => {
                drawn = rest;
                None
            }
            None => Some(one),
        })
    }

    /// One of several with weights.
    pub(super) fn weighted<'t, T>(&mut self, several: &'t [(T, u32)]) -> Option<&'t T> {
        let mut drawn = self.below(several.iter().map(|(_, weight)| weight).sum());
        several.iter().find_map(|(one, weight)| match drawn.checked_sub(*weight) {
            Some(rest) => {
                drawn = rest;
                None
            }
            None => Some(one),
        })
    }

    /// A number from a distribution. Each point says how many of 10,000 numbers are at most that large; between points
    /// the distribution is linear.
    pub(super) fn quantile(&mut self, points: &[(u32, u32)]) -> u32 {
        let drawn = self.below(10_000);
        let mut below = (0, 0);
        for &(share, value) in points {
            if drawn < share {
                let (from, least) = below;
                let along = u64::from(value - least) * u64::from(drawn - from) / u64::from(share - from);
                return least + along as u32;
            }
            below = (share, value);
        }
        below.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the authors' code for the seed 1234567.
    #[test]
    fn numbers_are_those_of_the_authors() {
        let mut random = Random(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn numbers_have_their_distribution() {
        let mut random = Random::new(1, 2);
        let count = |of: &mut dyn FnMut() -> bool| (0..10_000).filter(|_| of()).count();
        assert!((2_800..3_200).contains(&count(&mut || random.happens(3_000))));
        assert!((6_300..6_900).contains(&count(&mut || random.zipf(&[true, false]) == Some(&true))));
        assert!((7_300..7_700).contains(&count(&mut || random.weighted(&[(true, 3), (false, 1)]) == Some(&true))));
        let points = [(0, 10), (5_000, 100), (10_000, 200)];
        assert!((4_800..5_200).contains(&count(&mut || random.quantile(&points) < 100)));
        assert!((0..1_000).all(|_| (10..=200).contains(&random.quantile(&points))));
        assert!((0..1_000).all(|_| (3..=5).contains(&random.between(3, 5))));
    }
}
