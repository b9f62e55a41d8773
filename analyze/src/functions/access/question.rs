//! The arguments of `robots_access`: a crawler, a path and a dialect.

use super::NAME;
use crate::functions::texts;
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::Expr;
use robots::{Dialect, Naming, Pattern, Reading, SiteAccess, SiteOutcome, Target, Transcript, Verdict};
use std::hash::{Hash, Hasher};

const ARGUMENTS: [&str; 3] = ["agent", "path", "dialect"];

/// The arguments, with the path in its normal form.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) agent: String,
    pub(super) path: String,
    pub(super) dialect: Dialect,
    target: Target,
}

impl Question {
    /// Reads the arguments. Fails if their number is wrong, if one is not a text literal (parameters are bound before), or
    /// if the dialect is unknown.
    pub(super) fn from_arguments(arguments: &[Expr]) -> Result<Self> {
        let texts = arguments.iter().zip(ARGUMENTS).map(|(argument, name)| text(argument, name));
        let texts = texts.collect::<Result<Vec<&str>>>()?;
        let (agent, path, dialect) = match *texts.as_slice() {
            [agent, path] if arguments.len() == 2 => (agent, path, Dialect::Rfc9309),
            [agent, path, dialect] if arguments.len() == 3 => (agent, path, dialect_named(dialect)?),
            _ => return plan_err!("arguments are {} and not 2 or 3: {NAME}(agent, path [, dialect])", arguments.len()),
        };
        Ok(Question {
            agent: agent.to_owned(),
            path: path.to_owned(),
            dialect,
            target: Target::new(path.as_bytes(), dialect),
        })
    }

    /// Whether user-agent lines and rules are enough for a verdict. Otherwise the text of the files is needed.
    pub(super) fn needs_only_lines(&self) -> bool {
        self.dialect.has_lines_of_rfc_9309()
    }

    /// What a crawler may do on a site, by the columns `outcome` and `final_status` of `sites`.
    pub(super) fn access(&self, outcome: &str, status: Option<i32>) -> Result<SiteAccess> {
        match SiteOutcome::named(outcome) {
            Some(outcome) => Ok(outcome.access(status, self.dialect)),
            None => plan_err!("outcome is unknown: {NAME}: {outcome}"),
        }
    }

    /// The verdict for a file by its user-agent lines and rules; `None` if they are not enough.
    pub(super) fn judge(&self, transcript: &Transcript) -> Option<Verdict> {
        Some(self.verdict(&transcript.reading(self.dialect)?))
    }

    /// The verdict for a file.
    pub(super) fn verdict(&self, reading: &Reading<'_>) -> Verdict {
        reading.select(self.agent.as_bytes(), Naming::default()).judge(&self.target)
    }

    /// Whether a user-agent line may affect the verdict: it names the crawler, or all crawlers.
    pub(super) fn is_named_by(&self, agent: &str, transcript: &mut Transcript) -> bool {
        transcript.clear();
        transcript.push_agent(0, 1, agent.as_bytes());
        self.judge(transcript).is_some_and(|verdict| verdict.matched != robots::MatchKind::None)
    }

    /// Whether a rule may affect the verdict: its pattern matches the path.
    pub(super) fn is_matched_by(&self, pattern: &str) -> bool {
        Pattern::is_match(pattern.as_bytes(), &self.target)
    }
}

impl PartialEq for Question {
    fn eq(&self, other: &Self) -> bool {
        (&self.agent, &self.path, self.dialect) == (&other.agent, &other.path, other.dialect)
    }
}

impl Eq for Question {}

impl Hash for Question {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.agent, &self.path, self.dialect).hash(state);
    }
}

fn text<'e>(argument: &'e Expr, name: &str) -> Result<&'e str> {
    if let Expr::Literal(value, _) = argument
        && let Ok(Some(text)) = texts::constant(value)
    {
        return Ok(text);
    }
    plan_err!("argument is not a text literal: {NAME}: {name} is {argument}")
}

fn dialect_named(name: &str) -> Result<Dialect> {
    match Dialect::named(name) {
        Some(dialect) => Ok(dialect),
        None => {
            let known = Dialect::ALL.map(Dialect::name).join(", ");
            plan_err!("dialect is unknown: {NAME}: {name}; known dialects are {known}")
        }
    }
}
