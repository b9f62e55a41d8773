//! Reads the list of agents, for commands that compare lists.

use crate::catalog::dimension::agents_text;
use csv::ReaderBuilder;
use folder::Failure;
use std::path::Path;

/// A row of the list of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownAgent {
    /// The name as its operator spells it.
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
    let text = agents_text(path)?;
    let named = path.unwrap_or(Path::new("datasets/agents.csv"));
    let cannot = |cause: csv::Error| Failure::new("agents cannot be read", named, cause);
    let mut reader = ReaderBuilder::new().from_reader(text.as_bytes());
    let header = reader.headers().map_err(cannot)?.clone();
    let place = |name: &str| header.iter().position(|column| column == name);
    let Some(token) = place("token") else { return Err(Failure::new("column is missing", named, "token")) };
    let (kind, is_ai, tracked) = (place("kind"), place("is_ai"), place("tracked"));
    let mut agents = Vec::new();
    for record in reader.records() {
        let record = record.map_err(cannot)?;
        let text = |place: Option<usize>| place.and_then(|place| record.get(place)).unwrap_or_default();
        agents.push(KnownAgent {
            token: text(Some(token)).to_owned(),
            kind: text(kind).to_owned(),
            is_ai: text(is_ai) == "true",
            is_tracked: text(tracked) == "true",
        });
    }
    Ok(agents)
}
