//! Events that may have changed files, from `datasets/events.csv`.

use csv::Reader;

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its name in the question `event_change`.
    pub event: String,
    /// Its day, as YYYY-MM-DD.
    pub day: String,
    /// Its name in figures.
    pub name: String,
}

/// The events, in order of time.
#[must_use]
pub fn events() -> Vec<Event> {
    let mut reader = Reader::from_reader(include_str!("../../datasets/events.csv").as_bytes());
    let field = |row: &csv::StringRecord, place| row.get(place).unwrap_or_default().to_owned();
    // A test checks that every row can be read.
    let rows = reader.records().filter_map(Result::ok);
    rows.map(|row| Event { event: field(&row, 0), day: field(&row, 1), name: field(&row, 2) }).collect()
}
