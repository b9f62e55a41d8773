//! One line about a file.

use crate::input::Input;
use robots::{Facts, Parsed, Severity, Tier};
use std::fmt;

/// How many violations a file has, whether they are printed or not.
pub(crate) struct Summary<'s> {
    input: &'s Input,
    errors: usize,
    warnings: usize,
    infos: usize,
    facts: Facts,
}

impl<'s> Summary<'s> {
    pub(crate) fn new(input: &'s Input, parsed: &Parsed<'_>) -> Self {
        let count = |severity: Severity| {
            parsed.violations().iter().filter(|violation| violation.code.severity() == severity).count()
        };
        Summary {
            input,
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            facts: parsed.facts,
        }
    }
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { input, errors, warnings, infos, facts } = self;
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        write!(formatter, "{input}: {errors} error{}, {warnings} warning{}, ", plural(*errors), plural(*warnings))?;
        write!(formatter, "{infos} info{}; ", plural(*infos))?;
        let [a, b, c] = [Tier::A, Tier::B, Tier::C].map(|tier| facts.violations(tier));
        let conforms = if facts.conforms { "yes" } else { "no" };
        write!(formatter, "tier A {a}, tier B {b}, tier C {c}; conforms: {conforms}")
    }
}
