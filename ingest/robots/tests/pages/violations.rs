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
        r#"<!-- Made by ingest/robots/tests/pages.rs. To write it anew: {BLESS} -->

# Violations

Parsing never fails; what is wrong with a file is told beside what it says. There are {count} codes. A code keeps its name, so that counts from different years can be compared.

## Tiers

- **A**: the line cannot be derived from the ABNF of RFC 9309 § 2.2, and is no other record either.
- **B**: the line is a record of which § 2.2.4 says that crawlers may interpret it. The ABNF does not derive it, and it breaks no rule.
- **C**: a remark. The line, or the file, may be all that the grammar asks for; parsers differ in what they make of it, or it cannot do what it seems to be for.

The key and the value of a line have one code of tier A or B each at most, the first cause that applies. A line has any number of codes of tier C. A byte order mark before it and a missing end of line behind it are counted apart. A body that is HTML, XML, JSON or binary, and has neither a user-agent line nor a rule, keeps the codes of the whole file alone: it is one mistake, not one a line.

A file **conforms** if all of it can be derived from the ABNF, to the letter: nothing of tier A, nothing of tier B, not in UTF-16, and not so long (16 MiB) that its end was not read. The empty file conforms. The standard's own example in § 5.1 does not, since it has `Disallow: *.gif$` and the grammar lets a path begin with a slash only (erratum 7995). Most files name a sitemap or lack the last end of line, so a figure on conformance says little unless it is given by tier.

## Severity and effect

The severity is the harm that is done for a crawler which keeps to the letter: **error**, a rule or a group is lost or means something else; **warning**, crawlers differ; **info**, there is nothing to mend.

The effect is what became of the line here: **none**, it means what it would have meant anyway; **kept by tolerance**, it cannot be derived and was understood all the same (§ 2.3.1.5, § 2.2.4); **lost**, it does nothing of what it was written for.

## What is not here

Some facts that a linter might report are facts of the capture and not of the bytes of the body, and stand in the table of captures: that the archive or the server cut the body short, which media type the answer had (§ 2.3 wants `text/plain`), and which charset it claimed.

Examples are as short as they can be, with a group before a rule left out. Braces hold a description.
"#
    );
    for (tier, title) in TIERS {
        let codes = || Code::ALL.iter().filter(|code| code.tier() == tier);
        let _ = write!(
            page,
            "\n## Tier {}: {title}\n\n{} codes.\n\n| code | severity | effect | where | example | meaning |\n|---|---|---|---|---|---|\n",
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
