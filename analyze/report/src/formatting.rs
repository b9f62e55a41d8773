//! Formats numbers, dates and names for readers.

use crate::answer_table::{AnswerCell, AnswerTable};
use crate::glossary::{self, DEFINITIONS};
use crate::outside;
use datafusion::arrow::compute::kernels::cast_utils::Parser as _;
use datafusion::arrow::datatypes::Date32Type;

/// The least denominator of a share. Below it, counts are shown, in grey: one site more or less would move the share by
/// 2 percentage points or more.
pub(crate) const LEAST_COUNTED: f64 = 50.0;

/// A share, or a difference of shares, as a count.
pub(crate) fn format_count(share: f64, all: f64) -> String {
    format_real((share * all).round())
}

/// The same with the denominator, such as `4 of 30`.
pub(crate) fn format_count_of(share: f64, all: f64) -> String {
    format!("{} of {}", format_count(share, all), format_real(all))
}

/// The day of a time: `1 March 2024` for `2024-03-01T12:00:08Z`.
pub(crate) fn format_date(time: &str) -> Option<String> {
    format_day(time, "%-d %B %Y")
}

/// The day of a time, in a format of chrono.
pub(crate) fn format_day(time: &str, format: &str) -> Option<String> {
    let day = Date32Type::parse(time.get(..10)?)?;
    Some(Date32Type::to_naive_date_opt(day)?.format(format).to_string())
}

/// The no-break space between a number and its unit.
pub(crate) const NO_BREAK: char = '\u{a0}';

/// A whole number with commas between thousands.
pub(crate) fn format_whole(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "\u{2212}" } else { "" });
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number, with fewer decimal places the greater it is.
pub(crate) fn format_real(number: f64) -> String {
    if !number.is_finite() {
        return number.to_string();
    }
    if number.abs() > 1e18 {
        return format!("{number:e}").replace('-', "\u{2212}");
    }
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return format_whole(number as i64);
    }
    match number.abs() {
        1000.0.. => format_whole(number.round() as i64),
        10.0..1000.0 => format!("{number:.1}"),
        0.01..10.0 => format!("{number:.2}"),
        _ => format!("{number:.4}"),
    }
    .replace('-', "\u{2212}")
}

/// A share as a percentage. Small and great shares have more decimal places, so that none is rounded to zero or to 100.
pub(crate) fn format_percent(share: f64) -> String {
    let percent = share * 100.0;
    let text = match percent.abs() {
        0.0 => "0".to_owned(),
        // The parts of a shared weight are rounded, so a sum may miss 100 in its last digits.
        size if (99.95..100.0 - 1e-9).contains(&size) => match 100.0 - size {
            rest if rest >= 0.01 => format!("{percent:.2}"),
            rest if rest >= 0.000_5 => format!("{percent:.3}"),
            _ if percent > 0.0 => ">99.999".to_owned(),
            _ => "<\u{2212}99.999".to_owned(),
        },
        size if size >= 1.0 => format!("{percent:.1}"),
        size if size >= 0.1 => format!("{percent:.2}"),
        size if size >= 0.001 => format!("{percent:.3}"),
        _ if percent > 0.0 => "<0.001".to_owned(),
        _ => ">\u{2212}0.001".to_owned(),
    };
    // All other numbers keep their last digit, so that they align in a column.
    let text = text.strip_suffix("100.0").map_or(text.clone(), |sign| format!("{sign}100"));
    format!("{}{NO_BREAK}%", text.replace('-', "\u{2212}"))
}

/// The measure of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// A share of a whole.
    Share,
    /// A count or a size.
    Number,
    /// The logarithm of a ratio, to the base 2.
    LogRatio,
    /// The difference of two shares.
    Difference,
}

impl Measure {
    /// The measure of a column, judged by its name.
    pub(crate) fn of_column(column: &str) -> Self {
        let is_definition = DEFINITIONS.iter().any(|(known, _)| *known == column);
        if column.starts_with("share") || is_definition || ["least", "greatest", "coverage"].contains(&column) {
            Measure::Share
        } else if column == "log_ratio" {
            Measure::LogRatio
        } else if column == "change" {
            Measure::Difference
        } else {
            Measure::Number
        }
    }

    /// A number as text, with its unit.
    pub(crate) fn format(self, number: f64) -> String {
        match self {
            Measure::Share => format_percent(number),
            Measure::Number => format_real(number),
            Measure::LogRatio => format_times(number.exp2()),
            Measure::Difference => format_points(number),
        }
    }
}

/// A difference of shares in percentage points, with its sign.
fn format_points(difference: f64) -> String {
    let points = format_percent(difference);
    format!("{}{}{NO_BREAK}points", plus(difference), points.trim_end_matches(['%', NO_BREAK]))
}

/// The sign of a difference that is not negative.
pub(crate) fn plus(difference: f64) -> &'static str {
    if difference > 0.0 { "+" } else { "" }
}

fn format_times(ratio: f64) -> String {
    let text = if ratio >= 10.0 { format!("{ratio:.0}") } else { format!("{ratio:.2}") };
    format!("{text}\u{d7}")
}

/// The text of a cell.
pub(crate) fn format_cell(column: &str, cell: &AnswerCell) -> String {
    match cell {
        AnswerCell::Null => glossary::name_missing(column).to_owned(),
        AnswerCell::Whole(1) if column == "hops" => "1 redirect".to_owned(),
        AnswerCell::Whole(1) if column == "captures_of_site" => "1 capture".to_owned(),
        AnswerCell::Whole(number) if column == "captures_of_site" => format!("{} captures", format_whole(*number)),
        AnswerCell::Whole(number) if column == "hops" => format!("{} redirects", format_whole(*number)),
        AnswerCell::Whole(number) => format_whole(*number),
        AnswerCell::Real(number) => match Measure::of_column(column) {
            // Tables show a logarithm as it is: the ratio has a column of its own.
            Measure::LogRatio | Measure::Number => format_real(*number),
            measure => measure.format(*number),
        },
        AnswerCell::Flag(true) => "yes".to_owned(),
        AnswerCell::Flag(false) => "no".to_owned(),
        // Crawls have names that their archives gave them, and the report compares them.
        AnswerCell::Text(text) if column.contains("crawl") => glossary::name_value(column, text),
        AnswerCell::Text(text) => outside::isolate(glossary::name_value(column, text)),
    }
}

/// Names joined for a sentence: `one, two and three`.
pub(crate) fn join_names(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The value of a column in a row, as text; `None` if the answer has no such column.
pub(crate) fn format_column(answer: &AnswerTable, row: &[AnswerCell], column: &str) -> Option<String> {
    Some(format_cell(column, row.get(answer.column_index(column)?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(format_whole(1_234_567), "1,234,567");
        assert_eq!(format_whole(-999), "\u{2212}999");
        assert_eq!(format_whole(0), "0");
        assert_eq!(format_real(35.0), "35");
        assert_eq!(format_real(0.25), "0.25");
        assert_eq!(format_real(-1e300), "\u{2212}1e300");
        assert_eq!(format_percent(0.123_4), "12.3\u{a0}%");
        assert_eq!(format_percent(1.0), "100\u{a0}%");
        assert_eq!(format_percent(0.000_6), "0.060\u{a0}%");
        for (counted, all, expected) in [
            (11_999.0, 12_000.0, "99.992"),
            (9_996.0, 10_000.0, "99.96"),
            (9_994.0, 10_000.0, "99.9"),
            (99_999.0, 100_000.0, "99.999"),
            (999_999.0, 1_000_000.0, ">99.999"),
            (-999_999.0, 1_000_000.0, "<\u{2212}99.999"),
            (-1.0, 1.0, "\u{2212}100"),
            (1.0 - f64::EPSILON, 1.0, "100"),
            (3.0, 2.0, "150.0"),
        ] {
            assert_eq!(format_percent(counted / all), format!("{expected}\u{a0}%"));
        }
        assert_eq!(format_percent(0.13), "13.0\u{a0}%");
        assert_eq!(format_percent(0.0), "0\u{a0}%");
        assert_eq!(Measure::LogRatio.format(1.0), "2.00\u{d7}");
        assert_eq!(Measure::Difference.format(0.015), "+1.5\u{a0}points");
        assert_eq!(Measure::Difference.format(-0.015), "\u{2212}1.5\u{a0}points");
        assert_eq!(Measure::Difference.format(0.0), "0\u{a0}points");
        assert_eq!(format_count_of(4.0 / 30.0, 30.0), "4 of 30");
        assert_eq!(format_date("2024-03-01T12:00:08Z").as_deref(), Some("1 March 2024"));
        assert_eq!(format_date("never"), None);
        assert_eq!(format_date("2024-03-99"), None);
    }

    /// Names from right to left are isolated, except those of crawls, which are compared.
    #[test]
    fn names() {
        let hebrew = || AnswerCell::Text("\u{5e9}\u{5dc}\u{5d5}\u{5dd}".to_owned());
        assert_eq!(format_cell("agent", &hebrew()), "\u{2068}\u{5e9}\u{5dc}\u{5d5}\u{5dd}\u{2069}");
        assert_eq!(format_cell("crawl", &hebrew()), "\u{5e9}\u{5dc}\u{5d5}\u{5dd}");
        assert_eq!(join_names(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }
}
