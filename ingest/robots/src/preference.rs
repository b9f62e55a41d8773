//! Preferences on the use of content, in Content-Signal and Content-Usage lines.
//!
//! A preference belongs to the group that is open at its line. It does not say what may be fetched. Labels are compared
//! with all vocabularies, because a body has no date; [`vocabulary`] has the dates.

mod conflict;
mod dictionary;
pub(crate) mod stated;
mod vocabulary;

use crate::byte::{is_blank, strip, trim};
use crate::extension::Extension;
use crate::limits;
use crate::parsed::{OtherRecord, Parsed};
use crate::span::Span;
use dictionary::DictionaryMember;
pub use stated::{Preference, PreferenceEffect, PreferenceProblem, Purpose, SignalKind, Stated};
pub use vocabulary::{Label, VOCABULARIES, Vocabulary};

impl SignalKind {
    /// The signal of a record; `None` for other records.
    fn of_record(extension: Extension) -> Option<Self> {
        match extension {
            Extension::ContentSignal => Some(SignalKind::ContentSignal),
            Extension::ContentUsage => Some(SignalKind::ContentUsage),
            _ => None,
        }
    }
}

/// Reads the preferences of a file, in its order. Only the first [`limits::PREFERENCES`] of a line are read.
pub(crate) fn read(parsed: &Parsed<'_>, all: &mut Vec<Preference>) {
    for record in parsed.records() {
        match SignalKind::of_record(record.extension) {
            Some(SignalKind::ContentSignal) => read_signal(parsed, record, all),
            Some(SignalKind::ContentUsage) => read_usage(parsed, record, all),
            None => {}
        }
    }
    for preference in all.iter_mut().filter(|preference| preference.group.is_none()) {
        preference.problem.get_or_insert(PreferenceProblem::BeforeGroup);
    }
    conflict::overrule(parsed, all);
}

/// Reads members separated by commas, each a label, an equals sign and a value.
fn read_signal(parsed: &Parsed<'_>, record: &OtherRecord, all: &mut Vec<Preference>) {
    let signal = SignalKind::ContentSignal;
    let text = parsed.bytes(record.value);
    let mut start = 0;
    for (member, place) in text.split(|&byte| byte == b',').zip(1..).take(limits::PREFERENCES) {
        let (label, value) = match member.iter().position(|&byte| byte == b'=') {
            Some(at) => (member.get(..at), member.get(at + 1..)),
            None => (Some(member), None),
        };
        let place_of = |part: Option<&[u8]>, after: usize| part.map(|part| inner(record.value, start + after, part));
        let after = label.map_or(0, |label| label.len() + 1);
        let mut preference = Preference {
            line_no: record.line_no,
            group: record.group,
            signal,
            path: Span::default(),
            place,
            member: inner(record.value, start, member),
            label: place_of(label, 0).unwrap_or_default(),
            value: place_of(value, after).unwrap_or_default(),
            stated: None,
            problem: None,
        };
        let (label, value_text) = (preference.label(parsed.text()), preference.value(parsed.text()));
        (preference.stated, preference.problem) = match trim(member) {
            [] => (None, Some(PreferenceProblem::Empty)),
            _ if value_text.is_empty() => (None, Some(PreferenceProblem::NoValue)),
            _ => signal.meaning(&label, &value_text),
        };
        start += member.len() + 1;
        all.push(preference);
    }
}

/// Reads an optional path and a dictionary.
fn read_usage(parsed: &Parsed<'_>, record: &OtherRecord, all: &mut Vec<Preference>) {
    let signal = SignalKind::ContentUsage;
    let text = parsed.bytes(record.value);
    // draft-ietf-aipref-attach-05 § 3.2: a path starts with a slash and ends before the first space or tab.
    let path_len = match text {
        [b'/', ..] => text.iter().position(|&byte| is_blank(byte)).unwrap_or(text.len()),
        _ => 0,
    };
    let written = text.get(path_len..).unwrap_or_default();
    let start = path_len + written.iter().take_while(|&&byte| is_blank(byte)).count();
    let statement = text.get(start..).unwrap_or_default();
    let at = |start: usize, len: usize| Span { start: record.value.start + start as u32, len: len as u32 };
    let base = Preference {
        line_no: record.line_no,
        group: record.group,
        signal,
        path: at(0, path_len),
        place: 1,
        member: at(start, statement.len()),
        label: Span::default(),
        value: Span::default(),
        stated: None,
        problem: Some(PreferenceProblem::Void),
    };
    let Some(members) = dictionary::read(statement, limits::PREFERENCES) else {
        all.push(base);
        return;
    };
    let first = all.len();
    for (member, place) in members.iter().zip(1..) {
        let DictionaryMember { whole, key, value } = member.clone();
        let span = |range: std::ops::Range<usize>| at(start + range.start, range.len());
        let mut preference = Preference { place, member: span(whole), label: span(key), value: span(value), ..base };
        let (label, value) = (parsed.bytes(preference.label), parsed.bytes(preference.value));
        // A string differs from a token by its quotation marks.
        (preference.stated, preference.problem) = signal.meaning(label, value);
        // RFC 9651 § 4.2.2: of several members with one key, the last counts. § 6.5.1 of the vocabulary says the same.
        for earlier in all.iter_mut().skip(first) {
            if parsed.bytes(earlier.label) == label {
                earlier.problem = Some(PreferenceProblem::Repeated);
            }
        }
        all.push(preference);
    }
}

impl SignalKind {
    /// The preference in a label and its value, by all vocabularies of the record.
    fn meaning(self, label: &[u8], value: &[u8]) -> (Option<Stated>, Option<PreferenceProblem>) {
        let labels = VOCABULARIES.iter().filter(|vocabulary| vocabulary.signal == self).flat_map(|v| v.labels);
        let Some(label) = labels.into_iter().find(|known| known.name.as_bytes() == label) else {
            return (None, Some(PreferenceProblem::UnknownLabel));
        };
        let stated = match (self, label.purpose) {
            (SignalKind::ContentSignal, Purpose::Extent) => match value {
                b"immediate" => Some(Stated::Immediate),
                b"reference" => Some(Stated::Reference),
                b"full" => Some(Stated::Full),
                _ => None,
            },
            (SignalKind::ContentSignal, _) => allow_or_disallow(value, b"yes", b"no"),
            (SignalKind::ContentUsage, _) => allow_or_disallow(value, b"y", b"n"),
        };
        (stated, if stated.is_none() { Some(PreferenceProblem::UnknownValue) } else { None })
    }
}

fn allow_or_disallow(value: &[u8], allow: &[u8], disallow: &[u8]) -> Option<Stated> {
    match value {
        value if value == allow => Some(Stated::Allow),
        value if value == disallow => Some(Stated::Disallow),
        _ => None,
    }
}

/// The span of `part`, which starts at offset `start` of `value`, without the blanks around it.
fn inner(value: Span, start: usize, part: &[u8]) -> Span {
    let (blanks, part) = strip(part, is_blank);
    Span { start: value.start + (start + blanks) as u32, len: part.len() as u32 }
}
