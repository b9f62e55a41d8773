//! The summary line of a file.

use crate::input::RobotsInput;
use crate::terminal::counted;
use robots::{Parsed, Severity, Tier};

/// The numbers of violations of a file, printed or not.
pub(super) fn file_summary(input: &RobotsInput, parsed: &Parsed<'_>) -> String {
    let count = |severity: Severity| {
        let found = parsed.violations().iter().filter(|violation| violation.code.severity() == severity).count();
        counted(found as u64, severity.name())
    };
    let [errors, warnings, infos] = [Severity::Error, Severity::Warning, Severity::Info].map(count);
    let [a, b, c] = [Tier::A, Tier::B, Tier::C].map(|tier| parsed.facts.violations(tier));
    let conforms = if parsed.facts.conforms { "yes" } else { "no" };
    format!("{input}: {errors}, {warnings}, {infos}; tier A {a}, tier B {b}, tier C {c}; conforms: {conforms}")
}
