//! The preferences of Content-Signal and Content-Usage lines, and remarks on them.

use super::file::is_one_violation;
use crate::parsed::Parsed;
use crate::preference;
use crate::violation::Violation;
use std::mem;

/// Reads the preferences, and notes each one that does not count, at its line. Other groups may overrule it, so all lines
/// must be read.
pub(super) fn read_preferences(parsed: &mut Parsed<'_>) {
    let mut preferences = mem::take(&mut parsed.lists.preferences);
    preference::read(parsed, &mut preferences);
    parsed.lists.preferences = preferences;
    if is_one_violation(&parsed.facts, &parsed.lists) {
        return;
    }
    let violations = &mut parsed.lists.violations;
    let before = violations.len();
    violations.extend(parsed.lists.preferences.iter().filter_map(|preference| {
        let code = preference.problem?.code();
        Some(Violation { code, line_no: preference.line_no, span: preference.member })
    }));
    let noted = violations.len() - before;
    if noted > 0 {
        let [_, _, c] = &mut parsed.facts.violations_by_tier;
        *c += noted as u32;
        // Stable: of one line, the remarks on preferences are last. Violations of the whole file follow all lines.
        violations.sort_by_key(|violation| (violation.line_no == 0, violation.line_no));
    }
}
