//! `docs/signals.md`: what Content-Signal and Content-Usage lines mean, and the dates of their labels.

use super::BLESS;
use robots::{PreferenceEffect, PreferenceProblem, SignalKind, VOCABULARIES};
use std::fmt::Write;

/// The page.
pub(crate) fn page() -> String {
    let mut page = format!(
        r"<!-- Made by ingest/robots/tests/all/pages.rs. To write it anew: {BLESS} -->

# Preference signals

Content-Signal and Content-Usage lines say how content may be used. They do not say what may be fetched. The table `preferences` has a row for each preference of such a line.

## What a preference applies to

- A line belongs to the group that is open at it, and applies to the agents of that group. A line before the first user-agent line applies to no agent. By the AIPREF draft a Content-Usage line is a rule, so a user-agent line after it starts a new group. By RFC 9309, which decides here, a new group starts only after an Allow or Disallow line.
- A Content-Usage line may start with a path, up to the first space or tab. Of the lines whose path matches, the one with the longest path counts (draft-ietf-aipref-attach-05 § 3). The tables keep the path and do not decide for single URLs.
- If Content-Usage lines for the same path contradict each other, the one that disallows counts. For Allow and Disallow lines it is the other way round. The groups of one agent are combined, as RFC 9309 § 2.2.1 requires. So a preference is `overruled` if a line of its group disallows the same use, or if for every agent of its group a line of another group does. If this is true for only some of the agents, the preference stands, since it counts for the others. At most 1,048,576 groups of a file are looked at to find lines of other groups. After them, only lines of the same group are compared. No file that we know comes near.
- The value of a Content-Usage line is a dictionary by RFC 9651. If it is not valid, for example because a label is in upper case, nothing on the line counts. If a label occurs twice, the last one counts.
- Content-Signal has no grammar of its own. Its labels and values are compared without regard to case. If two of its preferences contradict each other, both stand.

## Vocabularies

Labels changed from draft to draft. A file is read with the vocabulary that was valid on its day: the view `signals` compares these dates with those of the crawl. A label that no vocabulary of those days has is `earlier_label` if one had it before, and `later_label` otherwise. It is not understood, which is not an error. The first vocabulary of a record is also used for older files.
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
Values are `yes` and `no` in Content-Signal, and `y` and `n` in Content-Usage. The values of `use` are `immediate`, `reference` and `full`. The word in parentheses is the kind of use that a label is about: `any` is any automated use, and `extent` is how much of the content may be kept and shown.

Cloudflare's managed files have had `use=reference` since 1 July 2026, according to reports about its blog post of that day; Cloudflare's changelog of 31 August 2026 confirms the label. The date of a draft is the one on its first page, or that of its tag in the working group's repository, as found on 23 November 2026.

## Whether a preference counts

| problem | effect | violation |
|---|---|---|
"
    );
    for problem in PreferenceProblem::ALL {
        let _ =
            writeln!(page, "| `{}` | `{}` | `{}` |", problem.name(), problem.effect().name(), problem.code().name());
    }
    let _ = write!(
        page,
        "
A preference without a problem has the effect `{}`. Only `{}` is an error in the grammar or vocabulary of the record. For RFC 9309 these lines are other records, so each [violation](violations.md) is a remark of tier C. `lint` and the violations of the tables do not know the day of a file, so for them the labels of all vocabularies count.

## Other records

| record | also written | source |
|---|---|---|
| `content-signal` | `content-signals`, with the remark `record-key-misspelt` | crawler-commons #595, July 2026 |
| `llms` | `llm-policy` | crawler-commons #569, 2026-06-30 |
| `noindex` | `no-index` | crawler-commons #569, 2026-06-30 |
| `user-agent-purpose` | | draft-illyes-rep-purpose-00, 2024-10-18. By that draft it starts a group for all crawlers of a purpose. Here it is another record and starts no group |

draft-kelley-aipref-training-preference-signal-00 (2026-10-30) proposes user-agent lines with a policy token for a purpose, without a new record. We found its abstract but not its tokens, so the list of agents has none of them.
",
        PreferenceEffect::Stands.name(),
        PreferenceEffect::Invalid.name()
    );
    page
}
