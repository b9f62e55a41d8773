//! Which lines with a slip, a mistake in the key or the separator, are obeyed here and by other parsers, and how often
//! real files have them.
//!
//! The counts and the columns of other parsers are measurements, kept here. The column of this project comes from the
//! judge.

use super::cell;
use robots::Dialect;
use std::fmt::Write;

/// The parsers that were run, each with the letter that stands for it in [`Slip::obeyed_by`].
const PARSERS: [(char, &str); 7] = [
    ('G', "Google"),
    ('R', "robotstxt"),
    ('T', "texting_robots"),
    ('C', "crawler-commons"),
    ('P', "Protego"),
    ('J', "robots-parser"),
    ('U', "urllib"),
];

/// A line with one slip, measured.
#[derive(Debug)]
pub(crate) struct Slip {
    /// The line. It disallows or allows `/x`, or names `foobot`.
    line: &'static str,
    means: Means,
    /// How many lines of the corpus have it.
    lines: u32,
    /// How many distinct bodies have it.
    bodies: u32,
    /// The letters of the parsers that obey it.
    obeyed_by: &'static str,
}

#[derive(Debug, Clone, Copy)]
enum Means {
    Agent,
    /// The first line of the file.
    FirstAgent,
    Disallow,
    Allow,
}

impl Slip {
    /// Whether a dialect does what the line means.
    pub(crate) fn is_obeyed(&self, dialect: Dialect) -> bool {
        let line = self.line;
        let file = match self.means {
            // If the line is not understood, the rule belongs to `other`.
            Means::Agent => format!("User-agent: other\nDisallow: /y\n\n{line}\nDisallow: /x\n"),
            Means::FirstAgent => format!("{line}\nDisallow: /x\n\nUser-agent: other\nDisallow: /y\n"),
            Means::Disallow => format!("User-agent: foobot\n{line}\n"),
            Means::Allow => format!("User-agent: foobot\n{line}\nDisallow: /\n"),
        };
        let allowed = robots::judge(&robots::parse(file.as_bytes()), "foobot", "/x", dialect).allowed;
        allowed == matches!(self.means, Means::Allow)
    }

    /// Whether Google's parser obeyed it when it was run.
    pub(crate) fn was_obeyed_by_google(&self) -> bool {
        self.obeyed_by.contains('G')
    }
}

const fn agent(line: &'static str, lines: u32, bodies: u32, obeyed_by: &'static str) -> Slip {
    Slip { line, means: Means::Agent, lines, bodies, obeyed_by }
}

const fn disallow(line: &'static str, lines: u32, bodies: u32, obeyed_by: &'static str) -> Slip {
    Slip { line, means: Means::Disallow, lines, bodies, obeyed_by }
}

const fn allow(line: &'static str, lines: u32, bodies: u32, obeyed_by: &'static str) -> Slip {
    Slip { line, means: Means::Allow, lines, bodies, obeyed_by }
}

pub(crate) const SLIPS: &[Slip] = &[
    agent("User-agent : foobot", 15, 15, "GRTCPJU"),
    agent("Useragent: foobot", 2, 2, "GRTCP"),
    agent("User agent: foobot", 17, 2, "GRTCP"),
    agent("User_agent: foobot", 0, 0, ""),
    agent("User=agent: foobot", 1, 1, ""),
    agent("User-agents: foobot", 0, 0, "GRC"),
    agent("User-agnet: foobot", 2, 2, "C"),
    agent("User-agency: foobot", 1, 1, ""),
    agent("User-agent foobot", 2, 2, "GRTCP"),
    agent("User-agent; foobot", 4, 1, "GR"),
    agent("-en User-agent: foobot", 1, 1, ""),
    Slip { means: Means::FirstAgent, ..agent("\u{ef}\u{bb}\u{bf}User-agent: foobot", 24, 24, "R") },
    disallow("Disallow : /x", 37, 17, "GRTCPJU"),
    disallow("Dissallow: /x", 1, 1, "GRTCP"),
    disallow("Dissalow: /x", 5, 3, "GRTCP"),
    disallow("Disalow: /x", 2, 2, "GRTCP"),
    disallow("Diasllow: /x", 0, 0, "GRTCP"),
    disallow("Disallaw: /x", 0, 0, "GRTCP"),
    disallow("Diisallow: /x", 1, 1, ""),
    disallow("Disaloow: /x", 5, 1, ""),
    disallow("Disalloww: /x", 1, 1, "GR"),
    disallow("Dsallow: /x", 0, 0, "C"),
    disallow("Dssalow: /x", 0, 0, "C"),
    disallow("Desallow: /x", 0, 0, "C"),
    disallow("Diallow: /x", 0, 0, "C"),
    disallow("Disllow: /x", 0, 0, "C"),
    disallow("Disallows: /x", 0, 0, "GRC"),
    disallow("Disallowed: /x", 0, 0, "GR"),
    disallow("Dis allow: /x", 0, 0, ""),
    disallow("Disallow\u{a0}: /x", 0, 0, "GRPJU"),
    disallow("\u{200e}Disallow: /x", 2, 1, ""),
    disallow("- Disallow: /x", 0, 0, ""),
    disallow("*Disallow: /x", 1, 1, ""),
    disallow("Disallow /x", 53, 15, "GRTCP"),
    disallow("Disallow * /x", 1, 1, ""),
    disallow("Disallow= /x", 0, 0, "GR"),
    disallow("Disallow; /x", 1, 1, "GR"),
    disallow("Disallow_ /x", 1, 1, "GR"),
    disallow("Disallow\u{ff1a}/x", 1, 1, ""),
    allow("Allow : /x", 46, 10, "GRTCPJU"),
    allow("Alow: /x", 0, 0, ""),
    allow("Allows: /x", 0, 0, "GR"),
    allow("Allow /x", 9, 4, "GRTCP"),
    allow("Allow= /x", 0, 0, "GR"),
];

/// The section of the page.
pub(crate) fn section(page: &mut String) {
    page.push_str(
        r#"
## Which misspelt lines are obeyed

RFC 9309 § 2.2.4 lets a crawler accept common misspellings and requires none. The column "robocensus" of the table shows what the dialects `rfc9309`, `draft-00` and `draft-12` obey. Three rules decide:

- A key counts if one character is missing, added, replaced or swapped with its neighbour. Two further misspellings count, `dissalow` and `dssalow`. A misspelt key consists of letters, digits, hyphens and underscores, and starts and ends with a letter or a digit.
- Blanks, no-break spaces and zero-width spaces around or inside a key are ignored. They may also stand in place of a hyphen, as in `Content Signal`. The grammar itself allows blanks before the colon.
- A line without a colon counts if it consists of a key that counts by these two rules, blanks and exactly one word. The key is `User-agent`, `Allow`, `Disallow`, `Sitemap` or `Crawl-delay`. The colon of a URL is a colon, so `Sitemap https://a.example/s.xml` has no valid key. A key of two words, such as `user agent`, counts only if it has no other mistake: `Allow a crawler` is a sentence.

The dialect `google` follows Google's parser: a key counts if it starts with one of that parser's spellings. The dialect `original-1996` accepts exact keys only.

The counts are of 2026-11-22, from 552,142 lines in 13,914 distinct bodies; blank lines and comment lines are not counted. The bodies come from 26,779 captures of 2017 to 2025 with status 200; bodies that are empty or start with `<` are left out. Some bodies were chosen because they are unusual, so the counts show which misspellings occur, not how frequent they are on the web. "Lines" counts the lines with this key and separator, in any case and with any value. "Bodies" counts the distinct bodies with such a line.

The other parsers were run on the same day, on a file with the line: google/robotstxt at 22b355f, the crates robotstxt 0.3.0 and texting_robots 0.2.2, crawler-commons at 8e14e27, Protego 0.7.0, robots-parser 3.0.1, and urllib.robotparser of Python 3.11. The source code of further parsers shows: jimsmart/grobotstxt has the spellings of Google's parser; seomoz/rep-cpp and urllib.robotparser of CPython's main branch need an exact key and a colon; temoto/robotstxt accepts exact keys and `useragent`, and needs no colon.

"#,
    );
    page.push_str("| line | lines | bodies | robocensus |");
    for (_, name) in PARSERS {
        let _ = write!(page, " {name} |");
    }
    let _ = writeln!(page, "\n|---|--:|--:|---|{}", "---|".repeat(PARSERS.len()));
    for slip in SLIPS {
        let Slip { line, lines, bodies, obeyed_by, .. } = slip;
        let _ = write!(page, "| {} | {lines} | {bodies} | {} |", cell(line), word(slip.is_obeyed(Dialect::Rfc9309)));
        for (letter, _) in PARSERS {
            let _ = write!(page, " {} |", word(obeyed_by.contains(letter)));
        }
        page.push('\n');
    }
    let in_bodies = |is_meant: fn(&Slip) -> bool| -> u32 {
        SLIPS.iter().filter(|slip| is_meant(slip)).map(|slip| slip.bodies).sum()
    };
    let _ = writeln!(
        page,
        "\nrobocensus obeys {} of these lines that no other parser in the table obeys. They occur in at most {} bodies, \
         so its rule for misspelt keys needs no list. It ignores {} of these lines that Google's parser obeys; they occur in \
         at most {} bodies. `ï»¿` is a byte order mark that was encoded twice.",
        SLIPS.iter().filter(|slip| is_obeyed_here_alone(slip)).count(),
        in_bodies(is_obeyed_here_alone),
        SLIPS.iter().filter(|slip| is_obeyed_by_google_alone(slip)).count(),
        in_bodies(is_obeyed_by_google_alone),
    );
}

fn is_obeyed_here_alone(slip: &Slip) -> bool {
    slip.is_obeyed(Dialect::Rfc9309) && slip.obeyed_by.is_empty()
}

fn is_obeyed_by_google_alone(slip: &Slip) -> bool {
    !slip.is_obeyed(Dialect::Rfc9309) && slip.was_obeyed_by_google()
}

fn word(is_obeyed: bool) -> &'static str {
    if is_obeyed { "yes" } else { "no" }
}
