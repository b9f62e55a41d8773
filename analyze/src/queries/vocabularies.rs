//! Generates the view `vocabularies` from the vocabularies that `robots` declares.

use robots::{Purpose, SignalKind, VOCABULARIES, Vocabulary};
use std::fmt::Write as _;

const BLESS: &str = "ROBOCENSUS_BLESS=1 cargo test -p analyze vocabularies";

#[test]
fn the_view_of_vocabularies() {
    committed::check("queries/views/vocabularies.sql", &text(), BLESS);
}

/// Each vocabulary is valid until the next one of its record, so that every day has one.
#[test]
fn vocabularies_follow_each_other() {
    for signal in SignalKind::ALL {
        let all: Vec<&Vocabulary> = VOCABULARIES.iter().filter(|vocabulary| vocabulary.signal == signal).collect();
        assert_eq!(all.first().and_then(|first| first.valid_from()), None);
        assert_eq!(all.last().and_then(|last| last.valid_until()), None);
        for pair in all.windows(2) {
            assert!(pair[0].published < pair[1].published, "{pair:?}");
            assert_eq!(pair[0].valid_until(), pair[1].valid_from());
        }
    }
}

fn text() -> String {
    let mut sql = "-- title: Vocabularies of signals
-- question: Which labels did Content-Signal and Content-Usage have, for which purposes, and when?
-- grain: one row per label of a vocabulary
-- caveat: Made by analyze/src/queries/vocabularies.rs from the crate robots; docs/signals.md explains it. A vocabulary is valid from valid_from to the day before valid_until; null means without end. The first vocabulary of a record applies to all older files.
-- caveat: place orders labels by purpose, then by name.
SELECT signal, label, place, purpose, CAST(valid_from AS date) AS valid_from, CAST(valid_until AS date) AS valid_until, source
FROM (VALUES
"
    .to_owned();
    let rows: Vec<String> = VOCABULARIES.iter().flat_map(rows).collect();
    let _ =
        write!(sql, "{}\n) AS v (signal, label, place, purpose, valid_from, valid_until, source)\n", rows.join(",\n"));
    sql
}

fn rows(vocabulary: &Vocabulary) -> Vec<String> {
    let day = |day: Option<&str>| day.map_or_else(|| "NULL".to_owned(), |day| format!("'{day}'"));
    let (from, until) = (day(vocabulary.valid_from()), day(vocabulary.valid_until()));
    let (signal, source) = (vocabulary.signal.name(), vocabulary.source);
    let row = |label: &robots::Label| {
        let (name, purpose) = (label.name, label.purpose.name());
        let place = place(vocabulary.signal, name);
        format!("    ('{signal}', '{name}', {place}, '{purpose}', {from}, {until}, '{source}')")
    };
    vocabulary.labels.iter().map(row).collect()
}

/// The place of a label among all labels of its record.
fn place(signal: SignalKind, name: &str) -> usize {
    let of_record = VOCABULARIES.iter().filter(|vocabulary| vocabulary.signal == signal);
    let order = |purpose| Purpose::ALL.iter().position(|other| *other == purpose);
    let mut labels: Vec<_> =
        of_record.flat_map(|vocabulary| vocabulary.labels).map(|label| (order(label.purpose), label.name)).collect();
    labels.sort_unstable();
    labels.dedup();
    labels.iter().position(|(_, other)| *other == name).unwrap() + 1
}
