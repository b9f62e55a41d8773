//! Remarks on Content-Signal and Content-Usage lines.

use super::file::is_one_violation;
use crate::parsed::Parsed;
use crate::preference::preferences;
use crate::violation::Violation;

/// Notes each preference that does not count, at its line. Other groups may overrule it, so all lines must be read.
pub(super) fn note_problems(parsed: &mut Parsed<'_>) {
    if is_one_violation(&parsed.facts, &parsed.lists) {
        return;
    }
    let before = parsed.lists.violations.len();
    for preference in preferences(parsed) {
        if let Some(problem) = preference.problem {
            let violation = Violation { code: problem.code(), line_no: preference.line_no, span: preference.member };
            parsed.lists.violations.push(violation);
        }
    }
    let violations = &mut parsed.lists.violations;
    let noted = violations.len() - before;
    if noted > 0 {
        let [_, _, c] = &mut parsed.facts.violations_by_tier;
        *c += noted as u32;
        // Stable: of one line, the remarks on preferences are last. Violations of the whole file follow all lines.
        violations.sort_by_key(|violation| (violation.line_no == 0, violation.line_no));
    }
}
