//! Preferences on the use of content.

use crate::declare::table;

table! { "preferences", "one row per preference of a Content-Signal or Content-Usage line, up to the 32nd of a line" {
    body_id: Large as Near + Ranged = "The body, in bodies.",
    line_no: Small as Near = "The line, from 1.",
    group_no: Maybe<Small> as Near = "The group of this line, to whose agents the preference applies; null before the first user-agent line.",
    signal: Word = "The record." in robots::SignalKind::WORDS,
    path: Text as Repeated = "The path that the line applies to, as written; empty for the whole site.",
    place: Small = "Its position in the line, from 1.",
    member: Text as Repeated = "The preference as written; the whole statement if it is void. Bytes that are not UTF-8 are replaced.",
    label: Text as Repeated = "Its label, as it is compared; that of a Content-Signal is in lower case. Empty if the line is void.",
    value: Text as Repeated = "Its value, as it is compared; empty if it has none.",
    stated: Maybe<Word> = "What it says; null if no vocabulary has this label and value." in robots::Stated::WORDS,
    problem: Maybe<Word> = "Why it does not count; null if it does. The view signals also considers whether the vocabulary of the day has the label." in robots::PreferenceProblem::WORDS,
    effect: Word = "Whether it counts; a preference that stands does." in robots::PreferenceEffect::WORDS,
} }
