//! Preferences on the use of content.

use crate::declare::table;

table! { "preferences", "one row per preference of a Content-Signal or Content-Usage line, up to the 32nd of a line" {
    body_id: Large as Near + Ranged = "The body, in bodies.",
    line_no: Small as Near = "The line, from 1.",
    group_no: Maybe<Small> as Near = "The group that is open at this line, to whose agents the preference speaks; null before the first user-agent line.",
    signal: Word = "The record." in robots::SignalKind::WORDS,
    path: Text as Repeated = "The path for which the line speaks, as written; empty for the whole site.",
    place: Small = "Its position in the line, from 1.",
    member: Text as Repeated = "The preference as written; the whole statement if it is void. Bytes that are not UTF-8 are replaced.",
    label: Text as Repeated = "What it is about, as it is compared: labels of Content-Signal in lower case. Empty if the line is void.",
    value: Text as Repeated = "Its value, as it is compared; empty if it has none.",
    stated: Maybe<Word> = "What it says by any vocabulary; null if none has this label and value." in robots::Stated::WORDS,
    problem: Maybe<Word> = "Why it does not stand; null if it does. Whether the vocabulary of its day has the label is in the view signals." in robots::PreferenceProblem::WORDS,
    effect: Word = "What becomes of it." in robots::PreferenceEffect::WORDS,
} }
