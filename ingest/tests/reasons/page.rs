//! The page: each kind, and the catalogues whose reasons are of it.

use super::BLESS;
use ingest::{answer, archive, capture, site};
use std::fmt::Write;

/// A kind, as in `skips.kind`.
pub(crate) struct ReasonKind {
    pub(crate) name: &'static str,
    /// What is counted under it.
    text: &'static str,
    pub(crate) catalogues: &'static [Catalogue],
}

/// Reasons that are declared together.
pub(crate) struct Catalogue {
    /// What they are about.
    pub(crate) of: &'static str,
    /// What the sentences speak of.
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
        text: "A record that was found and is no capture. It has one reason, the first that applies.",
        catalogues: &[Catalogue {
            of: "of a record",
            subject: "*It* is the record.",
            reasons: reasons!(capture::Skip),
        }],
    },
    ReasonKind {
        name: "damaged",
        text: "A stretch of bytes that holds no record, or none that can be read. It is named by what it begins \
               with, and what follows is read again from the next member or record on. It is counted in bytes \
               (`inputs.damaged_bytes`) and in stretches, never in records, since it mostly cannot be known how \
               many it held.",
        catalogues: &[Catalogue {
            of: "of a stretch of bytes",
            subject: "*They* are the bytes.",
            reasons: reasons!(archive::Cause),
        }],
    },
    ReasonKind {
        name: "remark",
        text: "Something odd that did not keep a record from being read. One record may have several remarks and \
               most have none, so that they add up to nothing; each is the number of records that have it.",
        catalogues: &[
            Catalogue {
                of: "on a record",
                subject: "Counted of every record that was read, be it a capture or skipped.",
                reasons: reasons!(archive::RecordOddity),
            },
            Catalogue {
                of: "on an answer",
                subject: "Counted of captures: their HTTP head, and their body with its codings.",
                reasons: reasons!(answer::Flag),
            },
            Catalogue {
                of: "on a target",
                subject: "Counted of captures: the URL that the record names, which *it* is.",
                reasons: reasons!(site::TargetOddity),
            },
            Catalogue {
                of: "on a location",
                subject: "Counted of captures that redirect: the `Location` of their head, which *it* is, leads nowhere. \
                          `captures.fetch_redirect` is null then and `sites.redirect_end` is `no-location`, as they are \
                          without a `Location`, which has no remark.",
                reasons: reasons!(site::Unresolved),
            },
        ],
    },
];

/// The page.
pub(crate) fn page() -> String {
    let count: usize = KINDS.iter().flat_map(|kind| kind.catalogues).map(|catalogue| (catalogue.reasons)().len()).sum();
    let mut page = format!(
        r"<!-- Made by ingest/tests/reasons.rs. To write it anew: {BLESS} -->

# Reasons

A record is a row of `captures`, or is counted in `skips` under a reason; so are bytes that hold no record, and what is odd. There are {count} reasons of three kinds. A reason keeps its name, so that counts from different years can be compared, and no two have the same. `skips` has a row for each archive and reason that occurred in it, with the offset of the first, so that it can be looked at.

## How the sums add up

Every record: `inputs.records = inputs.captures + skips` of kind `skipped`. This query returns no row:

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

Every byte: `inputs.bytes = good_bytes + damaged_bytes`, and there are damaged bytes where there is a reason of kind `damaged`, and only there. This query returns no row:

```sql
SELECT crawl, warc_filename, bytes, good_bytes, damaged_bytes, stretches
FROM inputs
LEFT JOIN (
    SELECT crawl, warc_filename, sum(occurrences) AS stretches
    FROM skips
    WHERE kind = 'damaged'
    GROUP BY crawl, warc_filename
) AS of_input USING (crawl, warc_filename)
WHERE bytes <> good_bytes + damaged_bytes OR (damaged_bytes > 0) <> (coalesce(stretches, 0) > 0)
```

Both hold for an archive that could not be read to its end as well: `inputs.error` says why, and the sums are those of what was read before. `robocensus check` proves them for every archive, and `bytes` against the size that the plan has written down.
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
