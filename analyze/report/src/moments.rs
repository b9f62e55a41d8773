//! When crawls were, and what happened between them.

use crate::answer::{Answer, Cell};
use std::collections::BTreeMap;

/// What is marked on axes of time: the day, counted from the first of January 1970, and its name.
pub(crate) const EVENTS: [(f64, &str); 2] = [(19_244.0, "RFC 9309, September 2022"), (19_576.0, "GPTBot, August 2023")];

/// When each crawl began.
#[derive(Debug, Clone, Default)]
pub(crate) struct Moments(BTreeMap<String, f64>);

impl Moments {
    /// Reads the answer to what was read.
    pub(crate) fn of(answer: &Answer) -> Self {
        let days = answer.column("crawl").zip(answer.column("first_fetch")).filter_map(|pair| match pair {
            (Cell::Text(crawl), Cell::Text(time)) => Some((crawl.clone(), day(time)?)),
            _ => None,
        });
        Moments(days.collect())
    }

    /// The day on which a crawl began.
    pub(crate) fn day(&self, crawl: &str) -> Option<f64> {
        self.0.get(crawl).copied()
    }
}

/// The day of a time as tables write it, `2024-03-01T12:00:08Z`.
fn day(time: &str) -> Option<f64> {
    let mut parts = time.get(..10)?.split('-').map(str::parse::<i64>);
    let (year, month, day) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    // Years begin in March here, so that the day that is not in every one is their last.
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    let of_era = year.rem_euclid(400) * 365 + year.rem_euclid(400) / 4 - year.rem_euclid(400) / 100 + of_year;
    Some((year.div_euclid(400) * 146_097 + of_era - 719_468) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        assert_eq!(day("1970-01-01T00:00:00Z"), Some(0.0));
        assert_eq!(day("2022-09-09T00:00:00Z"), Some(19_244.0));
        assert_eq!(day("2023-08-07T00:00:00Z"), Some(19_576.0));
        assert_eq!(day("2024-02-29T12:00:00Z"), Some(19_782.0));
        assert_eq!(day("never"), None);
    }
}
