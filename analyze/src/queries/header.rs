//! The header of a query: the comments at its start, `-- key: value`.

use super::column::AnswerColumn;
use super::parameter::Parameter;
use folder::Failure;
use std::path::Path;

/// The header of a query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Header {
    /// The title, such as that of a figure.
    pub title: String,
    /// Its topic: the letter of a group and a number. Only questions have one.
    pub id: Option<String>,
    /// The question that it answers.
    pub question: Option<String>,
    /// The meaning of one row of its answer.
    pub grain: String,
    /// The tables and views that it reads.
    pub reads: Vec<String>,
    /// Its own parameters, without those of the views that it reads.
    pub parameters: Vec<Parameter>,
    /// Parameters that users can set only in a question that declares them as its own: parameters of a view that suit
    /// few of its questions, and values that a question fixes.
    pub hidden_parameters: Vec<Parameter>,
    /// Why the answer has no strata; `None` if it has them.
    pub no_strata: Option<String>,
    /// Why users cannot choose one crawl with the parameter `crawl`; `None` if they can.
    pub no_crawl: Option<String>,
    /// The columns of its answer, without those whose meaning questions share.
    pub columns: Vec<AnswerColumn>,
    /// Caveats for readers of the answer.
    pub caveats: Vec<String>,
}

/// The groups of questions, by the first letter of their ids.
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
    /// Reads the comments at the start of a text. Fails on an unknown key, and without a title or a grain.
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
                return Err(Failure::new("header cannot be read", path, format_args!("{key} is missing")));
            }
        }
        Ok(header)
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        let Some((key, value)) = line.split_once(": ") else { return Err(format!("no key: {line}")) };
        let value = value.trim();
        let once = |is_first| if is_first { Ok(value.to_owned()) } else { Err(format!("{key} occurs twice")) };
        match key {
            "title" => self.title = once(self.title.is_empty())?,
            "grain" => self.grain = once(self.grain.is_empty())?,
            "id" => self.id = Some(once(self.id.is_none())?),
            "question" => self.question = Some(once(self.question.is_none())?),
            "no strata" => self.no_strata = Some(once(self.no_strata.is_none())?),
            "no crawl" => self.no_crawl = Some(once(self.no_crawl.is_none())?),
            "reads" => self.reads.extend(value.split(',').map(|name| name.trim().to_owned())),
            "parameter" => self.parameters.push(Parameter::parse(value)?),
            "hidden parameter" => self.hidden_parameters.push(Parameter::parse(value)?),
            "column" => self.columns.push(AnswerColumn::parse(value)?),
            "caveat" => self.caveats.push(value.to_owned()),
            _ => return Err(format!("unknown key: {key}")),
        }
        Ok(())
    }

    /// Its own parameters, hidden or not.
    pub(super) fn declared_parameters(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().chain(&self.hidden_parameters)
    }

    /// The letter and the name of its group; `None` without an id, or if its letter is unknown.
    #[must_use]
    pub fn group(&self) -> Option<(char, &'static str)> {
        let letter = self.id.as_ref()?.chars().next()?;
        GROUPS.iter().find(|(group, _)| *group == letter).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lists_have_several_lines() {
        let valid = "-- title: A\n-- id: A01\n-- question: B?\n-- grain: one row\n-- no strata: C\n-- no crawl: D\n-- caveat: E\n";
        for line in valid.lines() {
            let found = Header::parse(&format!("{valid}{line}\n"), Path::new("a.sql")).map_err(|failure| failure.cause);
            let (key, _) = line.trim_start_matches("-- ").split_once(": ").unwrap();
            let expected = format!("line {}: {key} occurs twice", valid.lines().count() + 1);
            assert_eq!(found.err(), (key != "caveat").then_some(expected));
        }
    }
}
