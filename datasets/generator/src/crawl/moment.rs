//! When something was fetched: within ten days of March 2024, whatever the crawl is called.

use super::random::Random;

/// A second of those days.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment(u32);

impl Moment {
    pub(super) fn new(random: &mut Random) -> Self {
        Moment(random.below(10 * 86_400))
    }

    fn parts(self) -> (u32, u32, u32, u32) {
        (1 + self.0 / 86_400, self.0 / 3_600 % 24, self.0 / 60 % 60, self.0 % 60)
    }

    /// As `WARC-Date` has it.
    pub(super) fn warc(self) -> String {
        let (day, hour, minute, second) = self.parts();
        format!("2024-03-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }

    /// As `Date` has it, RFC 9110 § 5.6.7.
    pub(super) fn http(self) -> String {
        // The first of March 2024 was a Friday.
        const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
        let (day, hour, minute, second) = self.parts();
        let name = DAYS.get(day as usize % 7).copied().unwrap_or_default();
        format!("{name}, {day:02} Mar 2024 {hour:02}:{minute:02}:{second:02} GMT")
    }
}
