//! The time of a fetch: in the first ten days of March of a year, whatever the name of the crawl.

use super::random::Random;

/// A year, and a second of those days.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment(u32, u32);

impl Moment {
    pub(super) fn new(random: &mut Random, year: u32) -> Self {
        Moment(year, random.below(10 * 86_400))
    }

    fn parts(self) -> (u32, u32, u32, u32) {
        (1 + self.1 / 86_400, self.1 / 3_600 % 24, self.1 / 60 % 60, self.1 % 60)
    }

    /// In the format of `WARC-Date`.
    pub(super) fn warc(self) -> String {
        let (day, hour, minute, second) = self.parts();
        format!("{}-03-{day:02}T{hour:02}:{minute:02}:{second:02}Z", self.0)
    }

    /// In the format of `Date`, RFC 9110 § 5.6.7.
    pub(super) fn http(self) -> String {
        const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
        let (year, (day, hour, minute, second)) = (self.0, self.parts());
        // In the Gregorian calendar, the day 0 of March of the year 0 is a Tuesday, and each day of March comes after
        // the leap day of its year.
        let weekday = 2 + year + year / 4 - year / 100 + year / 400 + day;
        let name = DAYS.get(weekday as usize % 7).copied().unwrap_or_default();
        format!("{name}, {day:02} Mar {year} {hour:02}:{minute:02}:{second:02} GMT")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_names() {
        for (year, day, expected) in
            [(2024, 1, "Fri, 01 Mar 2024"), (2023, 1, "Wed, 01 Mar 2023"), (2026, 10, "Tue, 10 Mar 2026")]
        {
            assert!(Moment(year, (day - 1) * 86_400).http().starts_with(expected), "{expected}");
        }
    }
}
