//! The date of a record, in milliseconds since 1970.

/// The time of a `WARC-Date`, such as `2017-08-21T03:12:07Z`. From WARC/1.1 on, it may have a fraction of a second, or
/// end after the minute, day, month or year (WARC/1.1 § 5.4, after W3C-DTF); it is then the start of that period.
/// Digits after the milliseconds are dropped. Zones other than `Z` are understood, too, and a blank for `T`. ARC writes
/// only the digits: `20170821031207`; some crawlers left out the last fields, or wrote more digits, which are dropped.
/// `None` if the text is not such a date, the calendar does not have it, or readers of tables may not: Python has the
/// years 1 to 9999.
#[must_use]
pub fn milliseconds(date: &[u8]) -> Option<i64> {
    let date = date.trim_ascii();
    if matches!(date.len(), 8 | 10 | 12 | 14..=18) && date.iter().all(u8::is_ascii_digit) {
        let (fields, _) = fields(date.get(..14).unwrap_or(date), [b""; 6])?;
        return time(fields, 0, 0).filter(|_| fields[0] >= FIRST_YEAR);
    }
    let (local, minutes_ahead) = split_zone(date)?;
    let (fields, rest) = fields(local, [b"", b"-", b"-", b"Tt ", b":", b":"])?;
    time(fields, minutes_ahead, fraction(rest)?)
}

/// The web is from this year. Digits for an earlier one are no date: seconds since 1970, or a year of two digits.
const FIRST_YEAR: i64 = 1990;

/// Year, month, day, hour, minute and second at the start of a text, each after one of its separators, and the rest. The
/// last fields may be missing.
fn fields<'d>(mut rest: &'d [u8], separators: [&[u8]; 6]) -> Option<([i64; 6], &'d [u8])> {
    let mut fields = [0, 1, 1, 0, 0, 0];
    for ((field, separators), digits) in fields.iter_mut().zip(separators).zip([4, 2, 2, 2, 2, 2]) {
        if rest.is_empty() {
            break;
        }
        if !separators.is_empty() {
            let (separator, after) = rest.split_first()?;
            rest = separators.contains(separator).then_some(after)?;
        }
        let (written, after) = rest.split_at_checked(digits)?;
        (*field, rest) = (number(written)?, after);
    }
    Some((fields, rest))
}

fn number(digits: &[u8]) -> Option<i64> {
    let add = |number, digit: &u8| digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0'));
    digits.iter().try_fold(0, add)
}

/// The text before the zone, and how many minutes the zone is ahead of UTC: `Z`, `+02:00`, `+0200` or `+02`. A text
/// without a zone is in UTC.
fn split_zone(date: &[u8]) -> Option<(&[u8], i64)> {
    if let Some((b'Z' | b'z', local)) = date.split_last() {
        return Some((local.trim_ascii_end(), 0));
    }
    // Before the time, a hyphen separates fields.
    let sign = date.iter().rposition(|byte| matches!(byte, b'+' | b'-')).filter(|at| *at > b"2017-08-21T".len());
    let Some((local, [sign, zone @ ..])) = sign.and_then(|at| date.split_at_checked(at)) else {
        return Some((date, 0));
    };
    let (hours, minutes) = match zone {
        [hours @ .., b':', _, _] if hours.len() == 2 => (hours, zone.get(3..)?),
        [_, _, _, _] => zone.split_at_checked(2)?,
        _ => (zone, &b""[..]),
    };
    let (hours, minutes) = (number(hours).filter(|_| hours.len() == 2)?, number(minutes)?);
    let minutes_ahead = (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)?;
    Some((local.trim_ascii_end(), if *sign == b'-' { -minutes_ahead } else { minutes_ahead }))
}

/// The years 1 to 9999, in seconds since 1970.
const SECONDS: std::ops::Range<i64> = -62_135_596_800..253_402_300_800;

/// A time of the calendar in milliseconds.
fn time([year, month, day, hour, minute, second]: [i64; 6], minutes_ahead: i64, milliseconds: i64) -> Option<i64> {
    // A leap second counts as the first second of the next minute.
    let is_in_range = (1..=12).contains(&month)
        && day > 0
        && days_since_1970(year, month, day) < days_since_1970(year, month + 1, 1)
        && hour < 24
        && minute < 60
        && second <= 60;
    let minutes = (days_since_1970(year, month, day) * 24 + hour) * 60 + minute - minutes_ahead;
    let seconds = minutes * 60 + second;
    (is_in_range && SECONDS.contains(&seconds)).then_some(seconds * 1_000 + milliseconds)
}

/// The milliseconds in `.123456`, or in an empty text.
fn fraction(rest: &[u8]) -> Option<i64> {
    let Some((b'.' | b',', digits)) = rest.split_first() else { return rest.is_empty().then_some(0) };
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
    fn zones_and_variants() {
        for same in [
            "2017-08-21T05:12:07+02:00",
            "2017-08-21T05:12:07.0+0200",
            "2017-08-20T22:42:07-04:30",
            "2017-08-21T03:12:07-00:00",
            "2017-08-21T02:12:07-01",
            "2017-08-21t03:12:07z",
            "2017-08-21T03:12:07",
            "2017-08-21 03:12:07 +0000",
            "2017-08-21 03:12:07,000 Z",
            "201708210312071",
            "201708210312079999",
        ] {
            check(same, Some(1_503_285_127_000));
        }
        check("2017-08-21T05:12+02:00", Some(1_503_285_120_000));
        check("201708210312", Some(1_503_285_120_000));
        check("2017082103", Some(1_503_284_400_000));
        check("20170821", Some(1_503_273_600_000));
        check("0001-01-01T01:00:00+01:00", Some(-62_135_596_800_000));
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
            "2017-08-21  03:12:07",
            "2017-08-21T03:12:07+24:00",
            "2017-08-21T03:12:07+02:60",
            "2017-08-21T03:12:07+2",
            "2017-08-21T03:12:07+",
            "2017-08-21T03:12:07+020",
            "2017-08-21T03:12:07+02:0",
            "2017-08-21T03:12:07+02:00Z",
            "2017-08-21+02:00",
            "2017-08-21T03:12:07 CET",
            "20170821031207jpg",
            "1712010203",
            "001110112006",
            "2017082103120700000",
            "201708210",
            "201708",
            "2017-08-21T03:12:07.Z",
            "2017-08-21T03:12:07.1xZ",
            "+017-01-01",
            "0000-12-31T23:59:59Z",
            "00001231235959",
            "9999-12-31T23:59:60Z",
            "9999-12-31T23:59:59-00:01",
            "0001-01-01T00:59:59+01:00",
        ] {
            check(date, None);
        }
    }
}
