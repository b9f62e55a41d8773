//! Reads the built-in lists, for callers that have no session.

use crate::catalog::dimension::{agents, normal_form, templates};
use datafusion::arrow::array::AsArray;
use folder::Failure;
use std::collections::BTreeMap;
use std::path::Path;

/// A row of the list of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownAgent {
    /// The name as its operator spells it.
    pub name: String,
    /// The name in the form of the tables.
    pub token: String,
    /// The kind of name.
    pub kind: String,
    /// Whether it is an AI agent.
    pub is_ai: bool,
    /// Whether the derived tables have verdicts for it.
    pub is_tracked: bool,
}

/// The built-in list of agents, or the list in a file with the same columns. Fails if the file is not such a list.
pub fn known_agents(path: Option<&Path>) -> Result<Vec<KnownAgent>, Failure> {
    let rows = agents(path)?;
    let text = |name| rows[name].as_string::<i32>().iter().map(|value| value.unwrap_or_default().to_owned());
    let flag = |name| rows[name].as_boolean().iter().map(|value| value.unwrap_or_default());
    Ok(text("token")
        .zip(text("kind"))
        .zip(flag("is_ai").zip(flag("tracked")))
        .map(|((name, kind), (is_ai, is_tracked))| KnownAgent {
            token: normal_form(&name),
            name,
            kind,
            is_ai,
            is_tracked,
        })
        .collect())
}

/// The names of templates, by their codes.
pub fn template_names() -> Result<BTreeMap<String, String>, Failure> {
    let rows = templates()?;
    let codes_and_names = rows["template"].as_string::<i32>().iter().zip(rows["name"].as_string::<i32>());
    Ok(codes_and_names.filter_map(|(code, name)| Some((code?.to_owned(), name?.to_owned()))).collect())
}
