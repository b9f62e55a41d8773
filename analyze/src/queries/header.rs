//! What a query says of itself, in the comments that it begins with: `-- key: value`.

use super::parameter::Parameter;
use folder::Failure;
use std::path::Path;

/// What a query says of itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Header {
    /// A title, as a figure has one.
    pub title: String,
    /// By which question of the catalogue it is known: a letter, which is its group, and a number. Only questions have one.
    pub id: Option<String>,
    /// What it answers.
    pub question: Option<String>,
    /// What one row of its answer is.
    pub grain: String,
    /// The tables and views that it reads.
    pub reads: Vec<String>,
    /// What can be set.
    pub parameters: Vec<Parameter>,
    /// What is to be kept in mind with its answer.
    pub caveats: Vec<String>,
}

/// The groups of questions, by the letter of their ids.
const GROUPS: [(char, &str); 10] = [
    ('A', "Coverage and access"),
    ('B', "Size and limits"),
    ('C', "Grammar"),
    ('D', "Agents and blocking"),
    ('E', "AI agents"),
    ('F', "AI preference signals"),
    ('G', "Crawl delay, sitemaps and other records"),
    ('H', "Change over time"),
    ('I', "Duplicates and templates"),
    ('J', "Consistency"),
];

impl Header {
    /// Reads the lines at the beginning of a text that are comments.
    pub fn parse(text: &str, path: &Path) -> Result<Self, Failure> {
        let mut header = Header::default();
        for (line_no, line) in text.lines().enumerate() {
            let Some(line) = line.strip_prefix("--") else { break };
            header.take(line.trim()).map_err(|cause| {
                Failure::new("header cannot be read", path, format_args!("line {}: {cause}", line_no + 1))
            })?;
        }
        for (key, value) in [("title", &header.title), ("grain", &header.grain)] {
            if value.is_empty() {
                return Err(Failure::new("header cannot be read", path, format_args!("there is no {key}")));
            }
        }
        Ok(header)
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        let Some((key, value)) = line.split_once(": ") else { return Err(format!("no key: {line}")) };
        let value = value.trim();
        let once = |field: &mut Option<String>| match field.replace(value.to_owned()) {
            None => Ok(()),
            Some(_) => Err(format!("{key} stands there twice")),
        };
        match key {
            "title" => self.title = value.to_owned(),
            "grain" => self.grain = value.to_owned(),
            "id" => return once(&mut self.id),
            "question" => return once(&mut self.question),
            "reads" => self.reads.extend(value.split(',').map(|name| name.trim().to_owned())),
            "parameter" => self.parameters.push(Parameter::parse(value)?),
            "caveat" => self.caveats.push(value.to_owned()),
            _ => return Err(format!("nobody knows the key {key}")),
        }
        Ok(())
    }

    /// The group that its id puts it in.
    #[must_use]
    pub fn group(&self) -> Option<(char, &'static str)> {
        let letter = self.id.as_ref()?.chars().next()?;
        GROUPS.iter().find(|(group, _)| *group == letter).copied()
    }
}
