//! The arguments of `robots_access` and `robots_body_access`: a crawler, a path and dialects.

use super::ACCESS;
use super::columns::BodyFinding;
use crate::functions::matches::target;
use crate::functions::texts;
use datafusion::common::{Result, internal_err, plan_err};
use datafusion::logical_expr::Expr;
use robots::{Dialect, MatchKind, Naming, Pattern, Reading, SiteAccess, SiteOutcome, Target, Transcript, Verdict};

/// The arguments for one dialect, with the path in its normal form.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) agent: String,
    pub(super) path: String,
    pub(super) dialect: Dialect,
    /// Whether it is asked beside the question of the call, about crawlers that a file does not name.
    is_about_others: bool,
    target: Target,
}

impl Question {
    /// Reads the arguments: one question per dialect; RFC 9309 if no dialect is given. Fails if an argument is missing
    /// or is not a text literal (parameters are already bound), or if a dialect is unknown or given twice.
    pub(super) fn from_arguments(function: &str, arguments: &[Expr]) -> Result<Vec<Self>> {
        let (agent, path, dialects) = match arguments {
            [agent, path, dialects @ ..] => (text(function, agent, "agent")?, text(function, path, "path")?, dialects),
            _ => {
                return plan_err!(
                    "wrong number of arguments: {function}: {} given, 2 or more expected",
                    arguments.len()
                );
            }
        };
        let mut named = Vec::with_capacity(dialects.len().max(1));
        for dialect in dialects {
            let dialect = dialect_named(function, text(function, dialect, "dialect")?)?;
            // The verdicts of a dialect have one column.
            if named.contains(&dialect) {
                return plan_err!("dialect is given twice: {function}: {}", dialect.name());
            }
            named.push(dialect);
        }
        if named.is_empty() {
            named.push(Dialect::Rfc9309);
        }
        let of_dialect = |dialect| {
            Ok(Question {
                agent: agent.to_owned(),
                path: path.to_owned(),
                dialect,
                is_about_others: false,
                target: target(function, path, dialect)?,
            })
        };
        named.into_iter().map(of_dialect).collect()
    }

    /// The same question about crawlers that a file does not name.
    pub(super) fn about_others(&self) -> Self {
        Question { agent: "*".to_owned(), is_about_others: true, ..self.clone() }
    }

    /// The column of `robots_body_access` with the verdicts.
    pub(super) fn column(&self) -> String {
        let asked = if self.is_about_others { "others_allowed" } else { "allowed" };
        format!("{asked}_{}", self.dialect.name().replace('-', "_"))
    }

    /// Whether user-agent lines and rules are enough for a verdict. Otherwise the text of the files is needed.
    pub(super) fn needs_only_lines(&self) -> bool {
        self.dialect.has_lines_of_rfc_9309()
    }

    /// The access of a crawler to a site, by the columns `outcome` and `final_status` of `sites`.
    pub(super) fn access(&self, outcome: &str, status: Option<i32>) -> Result<SiteAccess> {
        match SiteOutcome::named(outcome) {
            Some(outcome) => Ok(outcome.access(status, self.dialect)),
            None => plan_err!("outcome is unknown: {}: {outcome}", ACCESS),
        }
    }

    /// The finding for a site whose rules are unknown.
    pub(super) fn finding_without_rules(&self, access: SiteAccess) -> BodyFinding {
        BodyFinding {
            allowed: access.allows(&self.target),
            match_kind: MatchKind::None.name().into(),
            line: None,
            pattern: None,
        }
    }

    /// Judges the file with these user-agent lines and rules, and returns what `say` makes of the verdict. Fails if
    /// the dialect needs the text of the file.
    pub(super) fn with_reading<T>(
        &self,
        transcript: &Transcript,
        say: impl FnOnce(&Verdict, &Reading<'_>) -> T,
    ) -> Result<T> {
        match transcript.reading(self.dialect) {
            Some(reading) => Ok(say(&self.verdict(&reading), &reading)),
            None => internal_err!("lines are not enough: {}", self.dialect.name()),
        }
    }

    /// The verdict for a file.
    pub(super) fn verdict(&self, reading: &Reading<'_>) -> Verdict {
        reading.select(self.agent.as_bytes(), Naming::default()).judge(&self.target)
    }

    /// Whether a user-agent line may affect the verdict: it names the crawler, or all crawlers.
    pub(super) fn is_named_by(&self, agent: &str, transcript: &mut Transcript) -> bool {
        transcript.clear();
        transcript.push_agent(0, 1, agent.as_bytes());
        let is_named = |verdict: &Verdict, _: &Reading<'_>| verdict.matched != MatchKind::None;
        self.with_reading(transcript, is_named).unwrap_or(false)
    }

    /// Whether the same patterns match the path as for another question.
    pub(super) fn matches_the_same(&self, other: &Question) -> bool {
        self.target.path() == other.target.path()
    }

    /// Whether a rule may affect the verdict: its pattern matches the path.
    pub(super) fn is_matched_by(&self, pattern: &str) -> bool {
        Pattern::is_match(pattern.as_bytes(), &self.target)
    }
}

fn text<'e>(function: &str, argument: &'e Expr, name: &str) -> Result<&'e str> {
    if let Expr::Literal(value, _) = argument
        && let Ok(Some(text)) = texts::constant(value)
    {
        return Ok(text);
    }
    plan_err!("argument is not a text literal: {function}: {name} is {argument}")
}

/// The dialect of this name. Fails for an unknown name.
pub(in crate::functions) fn dialect_named(function: &str, name: &str) -> Result<Dialect> {
    match Dialect::named(name) {
        Some(dialect) => Ok(dialect),
        None => {
            let known = Dialect::ALL.map(Dialect::name).join(", ");
            plan_err!("dialect is unknown: {function}: {name}; known dialects are {known}")
        }
    }
}
