//! `docs/signals.md`: what Content-Signal and Content-Usage lines mean, and which labels they had when.

use super::BLESS;
use robots::{PreferenceEffect, PreferenceProblem, SignalKind, VOCABULARIES};
use std::fmt::Write;

/// The page.
pub(crate) fn page() -> String {
    let mut page = format!(
        r"<!-- Made by ingest/robots/tests/pages.rs. To write it anew: {BLESS} -->

# Preference signals

Content-Signal and Content-Usage lines say what may be done with content. They say nothing about what may be fetched. The table `preferences` has a row for each preference of such a line.

## Where a preference holds

- A line belongs to the group that is open at it, and speaks to the agents of that group. A line before the first user-agent line speaks to none. By the AIPREF draft a Content-Usage line is a rule, so that a user-agent line after it starts a new group. By RFC 9309, which decides here, only Allow and Disallow lines do that.
- A Content-Usage line may start with a path, up to the first space or tab. The line with the longest path that matches counts (draft-ietf-aipref-attach-05 § 3). The tables keep the path and do not decide for single URLs.
- If lines for the same path contradict each other, the one that disallows counts. This is the opposite of Allow and Disallow. Groups of one agent are combined, as RFC 9309 § 2.2.1 demands. So a preference is `overruled` if a line of its group disallows the same, or if for each agent of its group a line of another group does. If that is so for some of the agents only, it stands, since it counts for the others.
- Content-Usage is a dictionary by RFC 9651. If a line is none, for example because a label is in upper case, none of it counts. If a label occurs twice, the last one counts.
- Content-Signal has no grammar of its own. Labels and values are compared without regard to case. If two preferences contradict each other, both stand.

## Vocabularies

Labels changed from draft to draft. A file is judged by the vocabulary of its day: the view `signals` compares these dates with those of the crawl. A label that no vocabulary had on that day is `earlier_label` or `later_label`. It is not understood, which is no error. The first vocabulary of a record also holds for older files.
"
    );
    for signal in SignalKind::ALL {
        let _ =
            write!(page, "\n### {}\n\n| from | until before | labels | source |\n|---|---|---|---|\n", signal.name());
        for vocabulary in VOCABULARIES.iter().filter(|vocabulary| vocabulary.signal == signal) {
            let labels: Vec<String> =
                vocabulary.labels.iter().map(|label| format!("`{}` ({})", label.name, label.purpose.name())).collect();
            let _ = writeln!(
                page,
                "| {} | {} | {} | {} |",
                vocabulary.published,
                vocabulary.valid_until().unwrap_or("today"),
                labels.join(", "),
                vocabulary.source
            );
        }
    }
    let _ = write!(
        page,
        "
Values are `yes` and `no` in Content-Signal, and `y` and `n` in Content-Usage. Those of `use` are `immediate`, `reference` and `full`. Words in parentheses are what a label is about: `any` is any automated use, and `extent` is how much of the content may be kept and shown.

Cloudflare's managed files have `use=reference` since 1 July 2026, by what others wrote about its blog of that day; Cloudflare's changelog of 31 August 2026 confirms the label. The days of the drafts are those on their first page or of their tag in the working group's repository, as we found them on 23 November 2026.

## What becomes of a preference

| problem | effect |
|---|---|
"
    );
    for problem in PreferenceProblem::ALL {
        let _ = writeln!(page, "| `{}` | `{}` |", problem.name(), problem.effect().name());
    }
    let _ = write!(
        page,
        "
A preference without a problem has the effect `{}`. Only `{}` is an error.

## Other records

| record | also written | source |
|---|---|---|
| `content-signal` | `content-signals`, which counts as misspelt | crawler-commons #595, July 2026 |
| `llms` | `llm-policy` | crawler-commons #569, 2026-06-30 |
| `noindex` | `no-index` | crawler-commons #569, 2026-06-30 |
| `user-agent-purpose` | | draft-illyes-rep-purpose-00, 2024-10-18. It would start a group for all crawlers of a purpose. Here it is a record, and starts none |

draft-kelley-aipref-training-preference-signal-00 (2026-10-30) proposes user-agent lines with a policy token for a purpose, without a new record. We found its abstract, and not its tokens, so no agent of the list stands for one.
",
        PreferenceEffect::Stands.name(),
        PreferenceEffect::Invalid.name()
    );
    page
}
