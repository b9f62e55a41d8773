//! The summary line of a file.

use crate::input::RobotsInput;
use crate::terminal::counted;
use robots::{Facts, Parsed, Severity, Tier};
use std::fmt;

/// The numbers of violations of a file, printed or not.
pub(crate) struct FileSummary<'s> {
    input: &'s RobotsInput,
    errors: u64,
    warnings: u64,
    infos: u64,
    facts: Facts,
}

impl<'s> FileSummary<'s> {
    pub(crate) fn new(input: &'s RobotsInput, parsed: &Parsed<'_>) -> Self {
        let count = |severity: Severity| {
            parsed.violations().iter().filter(|violation| violation.code.severity() == severity).count() as u64
        };
        FileSummary {
            input,
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            facts: parsed.facts,
        }
    }
}

impl fmt::Display for FileSummary<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileSummary { input, errors, warnings, infos, facts } = self;
        let [errors, warnings, infos] =
            [(errors, "error"), (warnings, "warning"), (infos, "info")].map(|(number, noun)| counted(*number, noun));
        write!(formatter, "{input}: {errors}, {warnings}, {infos}; ")?;
        let [a, b, c] = [Tier::A, Tier::B, Tier::C].map(|tier| facts.violations(tier));
        let conforms = if facts.conforms { "yes" } else { "no" };
        write!(formatter, "tier A {a}, tier B {b}, tier C {c}; conforms: {conforms}")
    }
}
