//! The key findings: sentences with numbers. A rule makes each of them from a row of a figure's answer.

mod rules;

use crate::answer_table::{AnswerCell, AnswerTable};
use crate::answers::{ReportAnswers, ShownFigure};
use crate::contents::FigureSpec;
use crate::denominators;
use crate::figure_text;
use crate::formatting;
use crate::sentence::{capitalise, inflect};
use rules::RowChoice::{First, Greatest, Is, IsNot};
use rules::Word::{Changes, InFirstCrawl, Leaders, Only, Share, ShareOf, Text, Tied, Value, Verb};
use rules::{FindingRule, RULES, Word, Zero};
use std::collections::BTreeSet;

/// The greatest number of findings in a report.
const MOST: usize = 8;

/// A sentence about a figure.
pub(crate) struct Finding {
    pub(crate) figure: &'static FigureSpec,
    pub(crate) sentence: String,
}

/// The findings of a report.
pub(crate) fn find(asked: &ReportAnswers) -> Vec<Finding> {
    let mut agents = BTreeSet::new();
    let found = RULES.iter().filter_map(|rule| {
        let shown = asked.shown().find(|shown| shown.figure.id == rule.figure)?;
        let row = choose_row(rule, &shown.answer, &asked.crawl)?;
        let tied = list_tied(rule, &shown.answer, row);
        let named = name_rows(&shown.answer, &tied, "agent");
        let is_new = named.is_empty() || named.iter().any(|agent| !agents.contains(agent));
        agents.extend(named);
        if rule.new_agent && !is_new {
            return None;
        }
        let is_zero = || shares(rule.words, &shown.answer, row).all(|share| share == Some(0.0));
        match rule.zero {
            Zero::None if is_zero() => return None,
            Zero::Sentence(zero) if is_zero() => {
                let sentence = write_zero(zero, &asked.crawl, shown, row)?;
                return Some(Finding { figure: shown.figure, sentence });
            }
            _ => {}
        }
        let first = asked.crawls.first().filter(|first| **first != asked.crawl);
        let first = first.and_then(|first| choose_row(rule, &shown.answer, first));
        let sentence = write_words(rule.words, shown, &FoundRows { row, tied, first })?;
        Some(Finding { figure: shown.figure, sentence: capitalise(&sentence) })
    });
    found.take(MOST).collect()
}

/// The rows that a finding is about.
struct FoundRows<'a> {
    row: &'a [AnswerCell],
    /// The row and those that tie with it, in the order of the answer.
    tied: Vec<&'a [AnswerCell]>,
    /// The row of the first crawl; `None` if the report's crawl is the first.
    first: Option<&'a Vec<AnswerCell>>,
}

/// A row, and the other rows of its crawls that its rule can choose and that have as great a number.
fn list_tied<'a>(rule: &FindingRule, answer: &'a AnswerTable, row: &'a [AnswerCell]) -> Vec<&'a [AnswerCell]> {
    let number =
        |row: &[AnswerCell]| rule.leads.iter().filter_map(|column| answer.cell(row, column).number()).reduce(f64::max);
    let Some(greatest) = number(row) else { return vec![row] };
    let is_like = |other: &[AnswerCell]| {
        ["crawl", "crawl_from", "crawl_to", "stratum"].iter().all(|column| {
            formatting::format_column(answer, other, column) == formatting::format_column(answer, row, column)
        })
    };
    // The parts of a shared weight are rounded, so equal sums may differ in their last digits.
    let is_as_great = |other: &[AnswerCell]| number(other).is_some_and(|other| (other - greatest).abs() < 1e-9);
    let can_be_chosen = |other: &[AnswerCell]| match rule.row {
        IsNot(column, value) => !answer.cell(other, column).is_text(value),
        First | Is(..) | Greatest(_) => true,
    };
    let rows = answer.rows.iter().map(Vec::as_slice);
    rows.filter(|other| can_be_chosen(other) && is_like(other) && is_as_great(other)).collect()
}

/// The labels of the values in a column, each once; none if the answer has no such column.
fn name_rows(answer: &AnswerTable, rows: &[&[AnswerCell]], column: &str) -> Vec<String> {
    let mut names = Vec::new();
    for name in rows.iter().filter_map(|row| formatting::format_column(answer, row, column)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Names of a tie. An answer may omit some of the agents that tie, since it has only the first of each kind.
fn join_leaders(mut names: Vec<String>) -> String {
    if names.len() > 3 {
        let others = names.split_off(2).len();
        names.push(format!("at least {others} others"));
    }
    formatting::join_names(&names)
}

/// The row of a crawl that a rule chooses, among the rows with a number for each share of its sentence. In answers
/// without a crawl column, all rows count.
fn choose_row<'a>(rule: &FindingRule, answer: &'a AnswerTable, crawl: &str) -> Option<&'a Vec<AnswerCell>> {
    let has_crawls = answer.column_index("crawl").is_some();
    let is_of_crawl = |row: &&Vec<AnswerCell>| !has_crawls || answer.cell(row, "crawl").is_text(crawl);
    let has_shares = |row: &&Vec<AnswerCell>| shares(rule.words, answer, row).all(|share| share.is_some());
    let mut rows = answer.rows.iter().filter(is_of_crawl).filter(has_shares);
    match rule.row {
        First => rows.next(),
        Is(column, value) => rows.find(|row| answer.cell(row, column).is_text(value)),
        IsNot(column, value) => rows.find(|row| !answer.cell(row, column).is_text(value)),
        Greatest(column) => rows
            .filter_map(|row| Some((answer.cell(row, column).number().filter(|number| *number > 0.0)?, row)))
            .reduce(|one, next| if next.0 > one.0 { next } else { one })
            .map(|(_, row)| row),
    }
}

/// The shares of a sentence, apart from those of the first crawl.
fn shares(words: &[Word], answer: &AnswerTable, row: &[AnswerCell]) -> impl Iterator<Item = Option<f64>> {
    let columns = words.iter().flat_map(|word| match word {
        Share(column) | ShareOf(column, _) | Only(column) => vec![*column],
        Changes(changes, _) => changes.iter().map(|(column, _)| *column).collect(),
        Text(_) | Verb(_) | Value(_) | Leaders(_) | Tied(..) | InFirstCrawl(_) => Vec::new(),
    });
    columns.map(|column| answer.cell(row, column).number())
}

/// A sentence for shares of 0, with the crawl and the denominator.
fn write_zero(zero: &str, crawl: &str, shown: &ShownFigure, row: &[AnswerCell]) -> Option<String> {
    let all = shown.answer.cell(row, shown.figure.counted.0).number()?;
    let what = denominators::name_unit(denominators::name_denominator(shown), all);
    Some(format!("In {crawl}, {zero} (0 of {} {what}).", formatting::format_real(all)))
}

/// The parts as a sentence; `None` if a number is missing.
fn write_words(words: &[Word], shown: &ShownFigure, rows: &FoundRows<'_>) -> Option<String> {
    let (answer, row) = (&shown.answer, rows.row);
    let number = |column: &str| answer.cell(row, column).number();
    let share_of = |column: &str, what: &str| {
        let (share, all) = (number(column)?, number(shown.figure.denominator(column))?);
        let count = formatting::format_count_of(share, all);
        let what = denominators::name_unit(what, all);
        Some(if all < formatting::LEAST_COUNTED {
            format!("{count} {what}")
        } else {
            format!("{} ({count}) of {what}", formatting::format_percent(share))
        })
    };
    // The count of a small denominator is the subject of its verb.
    let counts_one = |column: &str| {
        let count = number(column).zip(number(shown.figure.denominator(column)));
        count.is_some_and(|(share, all)| all < formatting::LEAST_COUNTED && (share * all).round() == 1.0)
    };
    let greatest = |column: &str| number(column).unwrap_or_default();
    let mut sentence = String::new();
    let mut is_one = false;
    for word in words {
        if let Share(column) | ShareOf(column, _) = word {
            is_one = counts_one(column);
        }
        match word {
            Text(text) => sentence.push_str(text),
            Value(column) => sentence.push_str(&formatting::format_column(answer, row, column)?),
            Share(column) => sentence.push_str(&share_of(column, denominators::name_denominator(shown))?),
            ShareOf(column, what) => sentence.push_str(&share_of(column, &write_words(what, shown, rows)?)?),
            Only(column) => sentence.push_str(&figure_text::format_in_row(shown.figure, answer, row, column)),
            Verb(verb) => sentence.push_str(&format!(" {}", inflect(verb, is_one))),
            Changes(changes, verb) => {
                let mut sorted = changes.to_vec();
                sorted.retain(|(column, _)| number(column) != Some(0.0));
                sorted.sort_by(|(one, _), (other, _)| f64::total_cmp(&greatest(other), &greatest(one)));
                for (nth, (column, adverb)) in sorted.into_iter().enumerate() {
                    let share = match nth {
                        0 => share_of(column, denominators::name_denominator(shown))?,
                        _ => format!(" it, and {}", figure_text::format_in_row(shown.figure, answer, row, column)),
                    };
                    sentence.push_str(&format!("{share} {adverb} {}", inflect(verb, counts_one(column))));
                }
            }
            Leaders(column) => sentence.push_str(&join_leaders(name_rows(answer, &rows.tied, column))),
            Tied(one, several) => {
                let is_tied = name_rows(answer, &rows.tied, "agent").len() > 1;
                let words = if is_tied { several } else { one };
                sentence.push_str(&write_words(words, shown, rows)?);
            }
            InFirstCrawl(words) => {
                if let Some(first) = rows.first {
                    let rows = FoundRows { row: first, tied: vec![first.as_slice()], first: None };
                    sentence.push_str(&write_words(words, shown, &rows)?);
                }
            }
        }
    }
    Some(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray};
    use std::sync::Arc;

    /// An operator without a search crawler has no share.
    #[test]
    fn rows_without_a_share_are_passed_over() {
        let rule = RULES.iter().find(|rule| rule.figure == "train_no_search_yes").unwrap();
        let choose = |operators: &[&str], shares: &[Option<f64>]| {
            let operators: ArrayRef = Arc::new(StringArray::from(operators.to_vec()));
            let shares: ArrayRef = Arc::new(Float64Array::from(shares.to_vec()));
            let columns = [("operator", operators), ("share_by_name_search_allowed", shares)];
            let batch = RecordBatch::try_from_iter(columns).unwrap();
            let answer = AnswerTable::read(batch.schema(), vec![batch]).unwrap();
            choose_row(rule, &answer, "A").and_then(|row| formatting::format_column(&answer, row, "operator"))
        };
        let operators = ["all operators", "OpenAI", "Google"];
        assert_eq!(choose(&operators, &[Some(0.5), None, Some(0.9)]).as_deref(), Some("Google"));
        assert_eq!(choose(&operators, &[Some(0.5), Some(0.1), Some(0.9)]).as_deref(), Some("OpenAI"));
        assert_eq!(choose(&operators, &[Some(0.5), None, None]), None);
    }

    /// Of equals, none is the first.
    #[test]
    fn rows_that_tie_are_named_together() {
        let rule = RULES.iter().find(|rule| rule.figure == "ai_agents_by_purpose").unwrap();
        let name = |agents: &[&str], shares: &[f64]| {
            let agents: ArrayRef = Arc::new(StringArray::from(agents.to_vec()));
            let shares: ArrayRef = Arc::new(Float64Array::from(shares.to_vec()));
            let batch = RecordBatch::try_from_iter([("agent", agents), ("share_by_name", shares)]).unwrap();
            let answer = AnswerTable::read(batch.schema(), vec![batch]).unwrap();
            let row = choose_row(rule, &answer, "A").unwrap();
            join_leaders(name_rows(&answer, &list_tied(rule, &answer, row), "agent"))
        };
        assert_eq!(name(&["CCBot", "GPTBot", "Bytespider"], &[0.5, 0.25, 0.5]), "CCBot and Bytespider");
        assert_eq!(name(&["CCBot", "GPTBot", "CCBot"], &[0.5, 0.25, 0.5]), "CCBot");
        assert_eq!(name(&["a", "b", "c", "d"], &[1.0; 4]), "a, b and at least 2 others");
    }
}
