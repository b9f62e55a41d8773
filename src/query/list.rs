//! The list of questions, by group.

use crate::exit::Exit;
use crate::failures::CommandResult;
use crate::streams::Streams;
use analyze::queries::{self, Query, QueryKind};
use std::collections::BTreeMap;

/// Writes the name and title of each question.
pub(super) fn write(streams: &mut Streams<'_>) -> CommandResult {
    let questions = queries::all(QueryKind::Question)?;
    let width = questions.iter().map(|question| question.name.len()).max().unwrap_or_default();
    let mut groups: BTreeMap<Option<(char, &str)>, Vec<&Query>> = BTreeMap::new();
    for question in &questions {
        groups.entry(question.header.group()).or_default().push(question);
    }
    let style = streams.screen.palette.message;
    for (group, mut questions) in groups {
        let (letter, title) = group.unwrap_or(('-', "Others"));
        writeln!(streams.out, "{style}{letter}  {title}{style:#}")?;
        questions.sort_by(|one, other| one.header.id.cmp(&other.header.id));
        for question in questions {
            let id = question.header.id.as_deref().unwrap_or_default();
            writeln!(streams.out, "   {id:<4} {:<width$}  {}", question.name, question.header.title)?;
        }
        writeln!(streams.out)?;
    }
    writeln!(streams.out, "robocensus query NAME answers a question, and robocensus query NAME --help describes it")?;
    Ok(Exit::Good)
}
