//! Days as texts write them.

use chrono::NaiveDate;

/// Whether a text is a day of the calendar, `YYYY-MM-DD`.
#[must_use]
pub fn is_day(text: &str) -> bool {
    let has_form = text.bytes().enumerate().all(|(place, byte)| match place {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    text.len() == 10 && has_form && NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        for day in ["2026-11-23", "2024-02-29"] {
            assert!(is_day(day), "{day}");
        }
        for other in ["", "2026", "2026-13-01", "2026-00-01", "26-01-01", "2026-1-1", "2026-01-01-01", "2026-02-29"] {
            assert!(!is_day(other), "{other}");
        }
    }
}
