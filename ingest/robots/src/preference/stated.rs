//! A preference, and whether it counts.

use crate::span::Span;
use crate::violation::Code;
use crate::words::words;
use std::borrow::Cow;

words! {
    /// The record that states a preference.
    SignalKind {
        /// Content-Signal, by Cloudflare.
        ContentSignal "content-signal",
        /// Content-Usage, by the IETF's AIPREF group.
        ContentUsage "content-usage",
    }
}

words! {
    /// The kind of use that a label is about.
    Purpose {
        /// An index for search and its results.
        Search "search",
        /// Input to a model that answers questions.
        Input "input",
        /// Training of models.
        Training "training",
        /// How much of the content may be kept and shown, for whatever purpose.
        Extent "extent",
        /// Any automated use.
        Any "any",
    }
}

words! {
    /// A preference for a use.
    Stated {
        /// The use is allowed.
        Allow "allow",
        /// The use is disallowed.
        Disallow "disallow",
        /// Content may be used immediately, and not stored.
        Immediate "immediate",
        /// Content may be indexed, quoted and linked to.
        Reference "reference",
        /// Content may be summarised and reproduced.
        Full "full",
    }
}

words! {
    /// Why a preference does not count.
    PreferenceProblem {
        /// The line is not a dictionary by RFC 9651, so nothing on it counts.
        Void "void",
        /// There is nothing between two commas.
        Empty "empty",
        /// The label is written without a value.
        NoValue "no_value",
        /// No vocabulary has the label.
        UnknownLabel "unknown_label",
        /// The value is not one of the label's values.
        UnknownValue "unknown_value",
        /// The line is before the first user-agent line, so it applies to no crawler.
        BeforeGroup "before_group",
        /// The line has the label again later, and the last one counts.
        Repeated "repeated",
        /// For each crawler of the group, another line that applies to it disallows the same use of the same path.
        Overruled "overruled",
    }
}

words! {
    /// Whether a preference counts.
    PreferenceEffect {
        /// It counts, provided that the vocabulary of the crawl's day has its label.
        Stands "stands",
        /// It is ignored, which is not an error.
        NotUnderstood "not_understood",
        /// Another preference counts in its place.
        Overruled "overruled",
        /// It does not follow the grammar.
        Invalid "invalid",
    }
}

impl PreferenceProblem {
    /// The violation of its line.
    #[must_use]
    pub fn code(self) -> Code {
        match self {
            PreferenceProblem::Void => Code::PreferenceVoid,
            PreferenceProblem::Empty => Code::PreferenceEmpty,
            PreferenceProblem::NoValue => Code::PreferenceNoValue,
            PreferenceProblem::UnknownLabel => Code::PreferenceUnknownLabel,
            PreferenceProblem::UnknownValue => Code::PreferenceUnknownValue,
            PreferenceProblem::BeforeGroup => Code::PreferenceBeforeGroup,
            PreferenceProblem::Repeated => Code::PreferenceRepeated,
            PreferenceProblem::Overruled => Code::PreferenceOverruled,
        }
    }

    /// Whether a preference with this problem counts.
    #[must_use]
    pub fn effect(self) -> PreferenceEffect {
        match self {
            PreferenceProblem::Void
            | PreferenceProblem::Empty
            | PreferenceProblem::NoValue
            | PreferenceProblem::BeforeGroup => PreferenceEffect::Invalid,
            // draft-ietf-aipref-vocab-08 § 6.4, § 6.5: unknown labels are ignored, and other values are not errors.
            PreferenceProblem::UnknownLabel | PreferenceProblem::UnknownValue => PreferenceEffect::NotUnderstood,
            PreferenceProblem::Repeated | PreferenceProblem::Overruled => PreferenceEffect::Overruled,
        }
    }
}

/// One preference of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preference {
    /// The line, from 1.
    pub line_no: u32,
    /// The group that is open at the line.
    pub group: Option<u32>,
    /// The record.
    pub signal: SignalKind,
    /// The path that the line applies to; empty if it names none.
    pub path: Span,
    /// The position in the line, from 1.
    pub place: u32,
    /// The preference as written; all text after the path if the line is void.
    pub member: Span,
    /// The label; empty if the line is void.
    pub label: Span,
    /// The value; empty if there is none.
    pub value: Span,
    /// The preference, if some vocabulary has the label and the value.
    pub stated: Option<Stated>,
    /// Why it does not count; `None` if it counts.
    pub problem: Option<PreferenceProblem>,
}

impl Preference {
    /// The label in the form that is compared. `text` is the text of the file, [`crate::Parsed::text`].
    ///
    /// draft-ietf-aipref-vocab-08 § 6.1: labels are case-sensitive. Cloudflare does not say this about Content-Signal,
    /// so its labels are compared in lower case.
    #[must_use]
    pub fn label<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        self.signal.compared(self.label.slice(text))
    }

    /// The value in the form that is compared, from the same text.
    #[must_use]
    pub fn value<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        self.signal.compared(self.value.slice(text))
    }

    /// Whether it counts.
    #[must_use]
    pub fn effect(&self) -> PreferenceEffect {
        self.problem.map_or(PreferenceEffect::Stands, PreferenceProblem::effect)
    }
}

impl SignalKind {
    fn compared(self, text: &[u8]) -> Cow<'_, [u8]> {
        match self {
            SignalKind::ContentSignal if text.iter().any(u8::is_ascii_uppercase) => {
                Cow::Owned(text.to_ascii_lowercase())
            }
            _ => Cow::Borrowed(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_is_named_like_its_problem() {
        for problem in PreferenceProblem::ALL {
            assert_eq!(problem.code().name(), format!("preference-{}", problem.name().replace('_', "-")));
        }
    }
}
