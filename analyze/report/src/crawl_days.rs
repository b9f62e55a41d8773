//! When crawls were, and what happened between them.

use crate::answer_table::{AnswerCell, AnswerTable};
use datafusion::arrow::compute::kernels::cast_utils::string_to_timestamp_nanos;
use std::collections::BTreeMap;

/// What is marked on axes of time: the day, counted from the first of January 1970, and its name.
pub(crate) const EVENTS: [(f64, &str); 2] = [(19_244.0, "RFC 9309, September 2022"), (19_576.0, "GPTBot, August 2023")];

/// When each crawl began.
#[derive(Debug, Clone, Default)]
pub(crate) struct CrawlDays(BTreeMap<String, f64>);

impl CrawlDays {
    /// Reads the answer to what was read.
    pub(crate) fn read(answer: &AnswerTable) -> Self {
        let days = answer.column("crawl").zip(answer.column("first_fetch")).filter_map(|pair| match pair {
            (AnswerCell::Text(crawl), AnswerCell::Text(time)) => Some((crawl.clone(), parse_day(time)?)),
            _ => None,
        });
        CrawlDays(days.collect())
    }

    /// Moments that are known already.
    #[cfg(test)]
    pub(crate) fn from_days(days: impl IntoIterator<Item = (String, f64)>) -> Self {
        CrawlDays(days.into_iter().collect())
    }

    /// Whether crawls, of which each is known, follow one another.
    pub(crate) fn ascend(&self, crawls: &[String]) -> bool {
        let days: Option<Vec<f64>> = crawls.iter().map(|crawl| self.day(crawl)).collect();
        days.is_some_and(|days| days.is_sorted())
    }

    /// The day on which a crawl began.
    pub(crate) fn day(&self, crawl: &str) -> Option<f64> {
        self.0.get(crawl).copied()
    }
}

/// The day of a time as tables write it, `2024-03-01T12:00:08Z`.
fn parse_day(time: &str) -> Option<f64> {
    const DAY_NS: i64 = 86_400_000_000_000;
    string_to_timestamp_nanos(time).ok().map(|time_ns| time_ns.div_euclid(DAY_NS) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        assert_eq!(parse_day("1970-01-01T00:00:00Z"), Some(0.0));
        assert_eq!(parse_day("2022-09-09T00:00:00Z"), Some(19_244.0));
        assert_eq!(parse_day("2023-08-07T00:00:00Z"), Some(19_576.0));
        assert_eq!(parse_day("2024-02-29T12:00:00Z"), Some(19_782.0));
        assert_eq!(parse_day("never"), None);
    }
}
