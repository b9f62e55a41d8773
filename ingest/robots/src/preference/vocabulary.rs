//! Which labels Content-Signal and Content-Usage had, and when.
//!
//! They are declared here only. The view `vocabularies` and `docs/signals.md` are generated from this list.

use super::stated::{Purpose, SignalKind};
use Purpose::{Any, Extent, Input, Search, Training};

/// The labels that a record had between two days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// The record.
    pub signal: SignalKind,
    /// The day on which it was published, as year-month-day.
    pub published: &'static str,
    /// The text that defines it.
    pub source: &'static str,
    /// Its labels.
    pub labels: &'static [Label],
}

/// A label of a vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The label in the form that is compared.
    pub name: &'static str,
    /// The kind of use that it is about.
    pub purpose: Purpose,
}

const fn label(name: &'static str, purpose: Purpose) -> Label {
    Label { name, purpose }
}

/// All vocabularies, by record and date. Each is valid until the next one of its record.
pub const VOCABULARIES: [Vocabulary; 8] = [
    Vocabulary {
        signal: SignalKind::ContentSignal,
        published: "2025-09-24",
        source: "Cloudflare, Content Signals Policy; draft-romm-aipref-contentsignals-00",
        labels: &[label("search", Search), label("ai-input", Input), label("ai-train", Training)],
    },
    Vocabulary {
        signal: SignalKind::ContentSignal,
        published: "2026-07-01",
        source: "Cloudflare, Your site, your rules (blog); changelog of 2026-08-31 on the use directive",
        labels: &[label("search", Search), label("ai-input", Input), label("ai-train", Training), label("use", Extent)],
    },
    Vocabulary {
        signal: SignalKind::ContentUsage,
        published: "2025-06-19",
        source: "draft-ietf-aipref-vocab-01",
        labels: &[
            label("tdm", Any),
            label("ai", Training),
            label("genai", Training),
            label("search", Search),
            label("inference", Input),
        ],
    },
    Vocabulary {
        signal: SignalKind::ContentUsage,
        published: "2025-07-20",
        source: "draft-ietf-aipref-vocab-02",
        labels: &[
            label("all", Any),
            label("train-ai", Training),
            label("train-genai", Training),
            label("ai-use", Input),
            label("search", Search),
        ],
    },
    Vocabulary {
        signal: SignalKind::ContentUsage,
        published: "2025-09-05",
        source: "draft-ietf-aipref-vocab-03",
        labels: &[
            label("bots", Any),
            label("train-ai", Training),
            label("train-genai", Training),
            label("search", Search),
        ],
    },
    Vocabulary {
        signal: SignalKind::ContentUsage,
        published: "2025-10-28",
        source: "draft-ietf-aipref-vocab-04",
        labels: &[label("bots", Any), label("train-ai", Training), label("ai-output", Input), label("search", Search)],
    },
    Vocabulary {
        signal: SignalKind::ContentUsage,
        published: "2025-12-01",
        source: "draft-ietf-aipref-vocab-05; 06 and 07 have the same labels",
        labels: &[label("train-ai", Training), label("search", Search)],
    },
    Vocabulary {
        signal: SignalKind::ContentUsage,
        published: "2026-09-13",
        source: "draft-ietf-aipref-vocab-08",
        labels: &[label("train-ai", Training), label("ai-use", Input), label("search", Search)],
    },
];

impl Vocabulary {
    /// The day from which it is valid. `None` for the first of a record, which is also used for older files.
    #[must_use]
    pub fn valid_from(&self) -> Option<&'static str> {
        let is_later = self.others().any(|other| other.published < self.published);
        is_later.then_some(self.published)
    }

    /// The first day on which it is no longer valid; `None` for the current one.
    #[must_use]
    pub fn valid_until(&self) -> Option<&'static str> {
        self.others().map(|other| other.published).filter(|day| *day > self.published).min()
    }

    fn others(&self) -> impl Iterator<Item = &'static Vocabulary> {
        let signal = self.signal;
        VOCABULARIES.iter().filter(move |other| other.signal == signal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::violation::Code;

    #[test]
    fn the_message_lists_the_labels_of_today() {
        let text = Code::PreferenceUnknownLabel.text();
        let lists: Vec<&str> = text.split(" has ").skip(1).collect();
        for (signal, list) in SignalKind::ALL.into_iter().zip(lists) {
            let vocabulary = VOCABULARIES.iter().rfind(|vocabulary| vocabulary.signal == signal).unwrap();
            let labels: Vec<&str> = vocabulary.labels.iter().map(|label| label.name).collect();
            assert_eq!(list.split('`').skip(1).step_by(2).collect::<Vec<_>>(), labels, "{text}");
        }
    }
}
