//! `docs/violations.md`: the catalogue, by tier.

use super::{BLESS, cell};
use robots::{Code, Tier};
use std::fmt::Write;

const TIERS: [(Tier, &str); 3] =
    [(Tier::A, "what the grammar does not derive"), (Tier::B, "other records"), (Tier::C, "remarks")];

/// The page.
pub(crate) fn page() -> String {
    let count = Code::ALL.len();
    let mut page = format!(
        r#"<!-- Made by ingest/robots/tests/all/pages.rs. To write it anew: {BLESS} -->

# Violations

Parsing never fails. The parser lists violations beside the groups and rules that it finds. There are {count} codes. A code never changes its name, so you can compare counts from different years.

## Tiers

- **A**: the ABNF of RFC 9309 § 2.2 does not derive the line, and it is not another record either.
- **B**: the line is another record, which crawlers may interpret by § 2.2.4. The ABNF does not derive it, but it breaks no rule.
- **C**: a remark. The grammar may derive the line or the file, but parsers read it differently, or it cannot do what it seems to be for.

The key of a line has at most one code of tier A or B, and so does its value with the comment after it: the first that applies. A line that is not understood, such as `Please note: x`, has only one of them. A line can have any number of codes of tier C. A byte order mark at the start of the file and a missing last end of line are counted separately. If a body is HTML, XML, JSON or binary and has neither a user-agent line nor a rule, only the codes of the whole file are listed: that is one mistake, not one per line.

A file **conforms** if the ABNF derives all of it: it has no violation of tier A or B. A page, data, binary content and UTF-16 never conform, and neither does a file over 16 MiB, since its end is not read. The empty file conforms. The standard's own example in § 5.1 does not conform: it has `Disallow: *.gif$`, but the grammar requires a path to start with a slash (erratum 7995). Most files name a sitemap or lack the last end of line, so a figure on conformance says little unless it is given by tier.

## Severity and effect

The severity says what a violation can mean for a crawler that follows the grammar strictly. **error**: a rule or a group may be lost or mean something else. **warning**: crawlers differ. **info**: neither; the message may still advise a change. A code has the same severity on every line: `bom-misplaced` is an error before a sitemap, too, and `html-line` on any line of markup.

The effect says what the violation did to the line in this parser. **none**: the line means what it would mean without the violation. **kept by tolerance**: the grammar does not derive the line, but it was understood (§ 2.3.1.5, § 2.2.4). **lost**: the line, or the preference on it, does not do what it was written for.

## What is not here

Some facts belong to the capture and not to the bytes of the body. The table `captures` has them: whether the archive or the server truncated the body, the media type of the response (§ 2.3 requires `text/plain`), and its charset.

Examples are as short as possible and omit the group before a rule. Braces enclose a description.
"#
    );
    for (tier, title) in TIERS {
        let codes = || Code::ALL.iter().filter(|code| code.tier() == tier);
        let _ = write!(
            page,
            "\n## Tier {}: {title}\n\n{} codes.\n\n| code | severity | effect | source | example | message of `lint` |\n|---|---|---|---|---|---|\n",
            tier.name(),
            codes().count()
        );
        for code in codes() {
            let (severity, effect) = (code.severity().name(), code.effect().name());
            let (section, example, text) = (code.section(), cell(code.example()), code.text());
            let _ = writeln!(page, "| `{}` | {severity} | {effect} | {section} | {example} | {text} |", code.name());
        }
    }
    page
}
