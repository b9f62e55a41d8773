//! The days on which crawls started, and events between them.

use crate::answer_table::{AnswerCell, AnswerTable};
use crate::formatting::format_day;
use datafusion::arrow::compute::kernels::cast_utils::Parser;
use datafusion::arrow::datatypes::Date32Type;
use std::collections::BTreeMap;

/// The events that time axes mark: the day, counted from 1 January 1970, and the name with month and year.
pub(crate) fn events() -> Vec<(f64, String)> {
    let event = |event: analyze::Event| {
        Some((parse_day(&event.day)?, format!("{}, {}", event.name, format_day(&event.day, "%B %Y")?)))
    };
    analyze::events().into_iter().filter_map(event).collect()
}

/// The greatest number of days without a crawl that lines and bands are drawn across: a year and a month.
pub(crate) const GAP_DAYS: f64 = 396.0;

/// The day on which each crawl started, counted from 1 January 1970.
#[derive(Debug, Clone, Default)]
pub(crate) struct CrawlDays(BTreeMap<String, f64>);

impl CrawlDays {
    /// Reads the days from the answer to `what_was_read`.
    pub(crate) fn read(answer: &AnswerTable) -> Self {
        let days = answer.column("crawl").zip(answer.column("first_day")).filter_map(|pair| match pair {
            (AnswerCell::Text(crawl), AnswerCell::Text(day)) => Some((crawl.clone(), parse_day(day)?)),
            _ => None,
        });
        CrawlDays(days.collect())
    }

    #[cfg(test)]
    pub(crate) fn from_days(days: impl IntoIterator<Item = (String, f64)>) -> Self {
        CrawlDays(days.into_iter().collect())
    }

    /// Whether the day of every crawl is known and the crawls are in chronological order.
    pub(crate) fn ascend(&self, crawls: &[String]) -> bool {
        let days: Option<Vec<f64>> = crawls.iter().map(|crawl| self.day(crawl)).collect();
        days.is_some_and(|days| days.is_sorted())
    }

    /// For each crawl, whether it started more than `GAP_DAYS` after the one before it.
    pub(crate) fn gaps(&self, crawls: &[String]) -> Vec<bool> {
        let days: Vec<Option<f64>> = crawls.iter().map(|crawl| self.day(crawl)).collect();
        let before = std::iter::once(&None).chain(&days);
        let is_gap = |(day, before): (&Option<f64>, &Option<f64>)| matches!((day, before), (Some(day), Some(before)) if day - before > GAP_DAYS);
        days.iter().zip(before).map(is_gap).collect()
    }

    /// The day on which a crawl started.
    pub(crate) fn day(&self, crawl: &str) -> Option<f64> {
        self.0.get(crawl).copied()
    }
}

/// Reads a day such as `2024-03-01`.
fn parse_day(day: &str) -> Option<f64> {
    Date32Type::parse(day).map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_is_marked() {
        let marked = events();
        assert_eq!(marked.len(), analyze::events().len());
        assert_eq!(marked[0], (19_244.0, "RFC 9309, September 2022".to_owned()));
        assert_eq!(marked[1], (19_576.0, "GPTBot, August 2023".to_owned()));
        assert_eq!(marked.last().map(|(_, name)| name.as_str()), Some("Cloudflare's defaults, September 2026"));
    }

    #[test]
    fn days() {
        assert_eq!(parse_day("1970-01-01"), Some(0.0));
        assert_eq!(parse_day("2022-09-09"), Some(19_244.0));
        assert_eq!(parse_day("2023-08-07"), Some(19_576.0));
        assert_eq!(parse_day("2024-02-29"), Some(19_782.0));
        assert_eq!(parse_day("never"), None);
    }
}
