//! The date of a record, in milliseconds since 1970.

/// The time of a `WARC-Date`, such as `2017-08-21T03:12:07Z`. From WARC/1.1 on, it may have a fraction of a second, or
/// end after the minute, day, month or year (WARC/1.1 § 5.4, after W3C-DTF); it is then the start of that period.
/// Digits after the milliseconds are dropped. ARC writes only the digits: `20170821031207`. `None` if the text is not
/// such a date, the calendar does not have it, or readers of tables may not: Python has the years 1 to 9999.
#[must_use]
pub fn milliseconds(date: &[u8]) -> Option<i64> {
    let mut rest = date.trim_ascii();
    let mut part = |separator: &[u8], digits: usize| -> Option<Option<i64>> {
        if rest.is_empty() || rest == b"Z" {
            return Some(None);
        }
        let (number, tail) = rest.strip_prefix(separator)?.split_at_checked(digits)?;
        rest = tail;
        number
            .iter()
            .try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0')))
            .map(Some)
    };
    if date.len() == 14 && date.iter().all(u8::is_ascii_digit) {
        let [year, month, day, hour, minute, second] = [4, 2, 2, 2, 2, 2].map(|digits| part(b"", digits).flatten());
        return time([year?, month?, day?, hour?, minute?, second?], 0);
    }
    let year = part(b"", 4)??;
    let month = part(b"-", 2)?.unwrap_or(1);
    let day = part(b"-", 2)?.unwrap_or(1);
    let hour = part(b"T", 2)?.unwrap_or(0);
    let minute = part(b":", 2)?.unwrap_or(0);
    let second = part(b":", 2)?.unwrap_or(0);
    time([year, month, day, hour, minute, second], fraction(rest)?)
}

/// The years 1 to 9999, in seconds since 1970.
const SECONDS: std::ops::Range<i64> = -62_135_596_800..253_402_300_800;

/// A time of the calendar in milliseconds.
fn time([year, month, day, hour, minute, second]: [i64; 6], milliseconds: i64) -> Option<i64> {
    // A leap second counts as the first second of the next minute.
    let is_in_range = (1..=12).contains(&month)
        && day > 0
        && days_since_1970(year, month, day) < days_since_1970(year, month + 1, 1)
        && hour < 24
        && minute < 60
        && second <= 60;
    let seconds = ((days_since_1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
    (is_in_range && SECONDS.contains(&seconds)).then_some(seconds * 1_000 + milliseconds)
}

/// The milliseconds in `.123456Z`, `Z` or an empty text.
fn fraction(rest: &[u8]) -> Option<i64> {
    let rest = rest.strip_suffix(b"Z").unwrap_or(rest);
    let Some(digits) = rest.strip_prefix(b".") else { return rest.is_empty().then_some(0) };
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let hundreds = [100, 10, 1].iter().zip(digits).map(|(weight, digit)| weight * i64::from(digit - b'0'));
    is_number.then(|| hundreds.sum())
}

/// Days of the Gregorian calendar. Years start in March here, so a leap day is the last day of a year. A month 13 is the
/// next January.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days_of_year = (153 * month + 2) / 5 + day - 1;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + days_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(date: &str, expected: Option<i64>) {
        assert_eq!(milliseconds(date.as_bytes()), expected, "{date:?}");
    }

    #[test]
    fn dates() {
        check("1970-01-01T00:00:00Z", Some(0));
        check("2017-08-21T03:12:07Z", Some(1_503_285_127_000));
        check("20170821031207", Some(1_503_285_127_000));
        check("2024-02-29T23:59:59.999999999Z", Some(1_709_251_199_999));
        check("2000-03-01T00:00:00.5Z", Some(951_868_800_500));
        check("1969-12-31T23:59:59Z", Some(-1_000));
        check("0001", Some(-62_135_596_800_000));
        check("9999-12-31T23:59:59.999Z", Some(253_402_300_799_999));
        check(" 2017-08-21T03:12:07Z\r", Some(1_503_285_127_000));
    }

    #[test]
    fn dates_of_less_precision() {
        check("2016", Some(1_451_606_400_000));
        check("2016-01", Some(1_451_606_400_000));
        check("2016-01-01", Some(1_451_606_400_000));
        check("2016-01-01T00:00Z", Some(1_451_606_400_000));
    }

    #[test]
    fn invalid_dates() {
        for date in [
            "",
            "Z",
            "201",
            "2017-13-01",
            "2017-00-01",
            "2017-02-29",
            "1900-02-29",
            "2017-04-31",
            "2017-12-32",
            "2017-8-21",
            "20171321031207",
            "2017082103120",
            "2017-08-21T24:00:00Z",
            "2017-08-21T03:12:07+02:00",
            "2017-08-21 03:12:07",
            "2017-08-21T03:12:07.Z",
            "2017-08-21T03:12:07.1xZ",
            "+017-01-01",
            "0000-12-31T23:59:59Z",
            "00001231235959",
            "9999-12-31T23:59:60Z",
        ] {
            check(date, None);
        }
    }
}
