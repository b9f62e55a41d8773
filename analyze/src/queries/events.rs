//! Generates the view `events` from `datasets/events.csv`.

use super::{ParameterKind, QueryKind, find};
use crate::events::events;
use crate::quoted::literal;
use chrono::NaiveDate;
use std::fmt::Write as _;

const BLESS: &str = "ROBOCENSUS_BLESS=1 cargo test -p analyze events";

#[test]
fn the_view_of_events() {
    committed::check("queries/views/events.sql", &text(), BLESS);
}

#[test]
fn events_have_a_day_and_a_source() {
    let mut reader = csv::Reader::from_reader(include_str!("../../../datasets/events.csv").as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), events().len());
    for row in &rows {
        assert!(row.iter().all(|field| !field.is_empty()), "{row:?}");
        for day in [&row[1], &row[4]] {
            assert!(NaiveDate::parse_from_str(day, "%Y-%m-%d").is_ok(), "{row:?}");
        }
    }
    assert!(rows.is_sorted_by_key(|row| row[1].to_owned()), "events are in order of time");
}

/// The question `event_change` accepts the name of each event.
#[test]
fn a_question_knows_all_events() {
    let question = find(QueryKind::Question, "event_change").unwrap().unwrap();
    let parameter = question.header.parameters.iter().find(|parameter| parameter.name == "event").unwrap();
    let ParameterKind::OneOf(words) = &parameter.kind else { panic!("{}", parameter.kind) };
    assert_eq!(*words, events().into_iter().map(|event| event.event).collect::<Vec<_>>());
}

fn text() -> String {
    let mut sql = String::from(
        "-- title: Events
-- question: Which events may have changed files, and when did they happen?
-- grain: one row per event
-- caveat: Made by analyze/src/queries/events.rs from datasets/events.csv, which has the sources.
SELECT event, CAST(event_day AS date) AS event_day, name
FROM (VALUES\n",
    );
    let rows: Vec<String> = events()
        .iter()
        .map(|event| format!("    ('{}', '{}', {})", event.event, event.day, literal(&event.name)))
        .collect();
    let _ = write!(sql, "{}\n) AS e (event, event_day, name)\n", rows.join(",\n"));
    sql
}
