//! The page of reasons: each kind with its catalogues.

use super::BLESS;
use ingest::{answer, archive, capture, site};
use std::fmt::Write;

/// A kind of reason, as in `skips.kind`.
pub(crate) struct ReasonKind {
    pub(crate) name: &'static str,
    /// The unit that it counts.
    text: &'static str,
    pub(crate) catalogues: &'static [Catalogue],
}

/// Reasons that are declared together in one catalogue.
pub(crate) struct Catalogue {
    /// The subject of the reasons, as a part of a heading.
    pub(crate) of: &'static str,
    /// The subject of the sentences, which say *it*.
    subject: &'static str,
    /// Name and sentence of each.
    pub(crate) reasons: fn() -> Vec<(&'static str, &'static str)>,
}

macro_rules! reasons {
    ($catalogue:ty) => {
        || <$catalogue>::ALL.iter().map(|reason| (reason.name(), reason.text())).collect()
    };
}

pub(crate) const KINDS: &[ReasonKind] = &[
    ReasonKind {
        name: "skipped",
        text: "A record that is not a capture. It has one reason, the first that applies.",
        catalogues: &[Catalogue {
            of: "of a record",
            subject: "*It* is the record.",
            reasons: reasons!(capture::Skip),
        }],
    },
    ReasonKind {
        name: "damaged",
        text: "A stretch of bytes without a readable record. The reason says what the stretch starts with. Reading \
               continues at the next member or record. Damage is counted in bytes (`inputs.damaged_bytes`) and in \
               stretches. It is never counted in records, since it is mostly unknown how many there were.",
        catalogues: &[Catalogue {
            of: "of a stretch of bytes",
            subject: "*They* are the bytes.",
            reasons: reasons!(archive::Cause),
        }],
    },
    ReasonKind {
        name: "remark",
        text: "An unusual fact about a record that could be read. Most records have no remark and some have several, so the \
               counts do not add up. Each count is the number of records with that remark.",
        catalogues: &[
            Catalogue {
                of: "on a record",
                subject: "Counted for every record, whether it is a capture or skipped.",
                reasons: reasons!(archive::RecordRemark),
            },
            Catalogue {
                of: "on a response",
                subject: "Counted for captures: the HTTP head, and the body with its codings.",
                reasons: reasons!(answer::AnswerRemark),
            },
            Catalogue {
                of: "on a target",
                subject: "Counted for captures. *It* is the target, the URL of the record.",
                reasons: reasons!(site::TargetRemark),
            },
            Catalogue {
                of: "on a location",
                subject: "Counted for captures with an unusable redirect. *It* is the `Location` of the HTTP head. Then \
                          `captures.fetch_redirect` is null and `sites.redirect_end` is `unusable-location`. A capture \
                          without a `Location` has no remark, and the site has `no-location`.",
                reasons: reasons!(site::Unresolved),
            },
        ],
    },
];

/// The page.
pub(crate) fn page() -> String {
    let count: usize = KINDS.iter().flat_map(|kind| kind.catalogues).map(|catalogue| (catalogue.reasons)().len()).sum();
    let without_bytes: Vec<String> = archive::Cause::ALL
        .iter()
        .filter(|cause| cause.has_no_bytes())
        .map(|cause| format!("'{}'", cause.name()))
        .collect();
    assert_eq!(without_bytes.len(), 3, "the page names their number");
    let without_bytes = without_bytes.join(", ");
    let mut page = format!(
        r"<!-- Made by ingest/tests/all/reasons.rs. To update it: {BLESS} -->

# Reasons

Every record of an archive is a row of `captures`, or `skips` counts it under a reason. `skips` also counts stretches of bytes without a record, and remarks. There are {count} reasons of three kinds. A reason never changes its name, so you can compare counts from different years, and no two reasons share a name. `skips` has one row for each archive and reason that occurs in it. The row has the offset of the first occurrence, so you can look at it.

## How the sums add up

Every record is counted: `inputs.records` is `inputs.captures` plus the `skips` of kind `skipped`. This query returns no row:

```sql
SELECT crawl, warc_filename, records, captures, skipped
FROM inputs
LEFT JOIN (
    SELECT crawl, warc_filename, sum(occurrences) AS skipped
    FROM skips
    WHERE kind = 'skipped'
    GROUP BY crawl, warc_filename
) AS of_input USING (crawl, warc_filename)
WHERE records <> captures + coalesce(skipped, 0)
```

Every byte is counted: `inputs.bytes = good_bytes + damaged_bytes`. An archive has damaged bytes if and only if it has a reason of kind `damaged`, except for three reasons whose bytes count as good. This query returns no row:

```sql
SELECT crawl, warc_filename, bytes, good_bytes, damaged_bytes, stretches
FROM inputs
LEFT JOIN (
    SELECT crawl, warc_filename, sum(occurrences) AS stretches
    FROM skips
    WHERE kind = 'damaged' AND reason NOT IN ({without_bytes})
    GROUP BY crawl, warc_filename
) AS of_input USING (crawl, warc_filename)
WHERE bytes <> good_bytes + damaged_bytes OR (damaged_bytes > 0) <> (coalesce(stretches, 0) > 0)
```

Both are also true for an archive that could not be read to its end. Then `inputs.error` says why, and the sums cover the bytes that were read. `robocensus check` verifies both for every archive, and compares `bytes` with the file size in the plan.
"
    );
    for ReasonKind { name, text, catalogues } in KINDS {
        let _ = write!(page, "\n## {name}\n\n{text}\n");
        for Catalogue { of, subject, reasons } in *catalogues {
            if catalogues.len() > 1 {
                let _ = write!(page, "\n### {name} {of}\n");
            }
            let _ = write!(page, "\n{subject}\n\n| reason | what it means |\n|---|---|\n");
            for (reason, meaning) in reasons() {
                let _ = writeln!(page, "| `{reason}` | {meaning} |");
            }
        }
    }
    page
}
