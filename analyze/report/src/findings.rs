//! The key findings: sentences with numbers. A rule makes each of them from a row of a figure's answer.

use crate::answer_table::{AnswerCell, AnswerTable};
use crate::answers::{ReportAnswers, ShownFigure};
use crate::captions;
use crate::contents::FigureSpec;
use crate::figure_text;
use crate::formatting;
use crate::sentence::capitalise;
use std::collections::BTreeSet;

/// The greatest number of findings in a report.
const MOST: usize = 8;

/// A sentence about a figure.
pub(crate) struct Finding {
    pub(crate) figure: &'static FigureSpec,
    pub(crate) sentence: String,
}

/// How a finding is made.
struct FindingRule {
    /// The id of the figure.
    figure: &'static str,
    /// Which row of the answer it is about, among the rows of the report's crawl.
    row: RowChoice,
    /// The parts of the sentence.
    words: &'static [Word],
    /// How to treat it if all its shares are 0.
    zero: Zero,
    /// Whether it is left out if an earlier finding is about the same agent.
    new_agent: bool,
}

/// How a rule treats an answer if all its shares are 0, apart from those of the first crawl.
enum Zero {
    /// It makes the same sentence.
    Same,
    /// It makes no finding.
    None,
    /// It makes this sentence about the report's crawl, with the denominator.
    Sentence(&'static str),
}

/// Which row a finding is about.
enum RowChoice {
    /// The first row.
    First,
    /// The first row with this label in a column.
    Is(&'static str, &'static str),
    /// The first row without this label in a column.
    IsNot(&'static str, &'static str),
    /// The row with the greatest number in a column; the first of several.
    Greatest(&'static str),
}

/// A part of a sentence.
enum Word {
    /// Fixed words.
    Text(&'static str),
    /// A share with its count and its denominator; only the count if the denominator is small.
    Share(&'static str),
    /// A share with its count, and its denominator in words of its own.
    ShareOf(&'static str, &'static [Word]),
    /// A share alone, for a share whose denominator another part of the sentence names.
    Only(&'static str),
    /// A verb whose subject is the last share.
    Verb(&'static str),
    /// The shares that are not 0, the greatest first, each with an adverb, and the verb of all. The first share has its
    /// count and its denominator.
    Changes(&'static [(&'static str, &'static str)], &'static str),
    /// The label of the value in a column.
    Value(&'static str),
    /// Parts about the row of the first crawl; nothing if the report's crawl is the first.
    InFirstCrawl(&'static [Word]),
}

use RowChoice::{First, Greatest, Is, IsNot};
use Word::{Changes, InFirstCrawl, Only, Share, ShareOf, Text, Value, Verb};

/// The rules, the most important first. A report has the findings of the first `MOST` rules that apply to its figures.
const RULES: &[FindingRule] = &[
    FindingRule {
        figure: "ai_overview",
        row: First,
        words: &[
            Share("share_by_name"),
            Verb("block"),
            Text(" an AI agent by name. By name or by the wildcard group, it is "),
            Only("share"),
            Text("."),
            InFirstCrawl(&[
                Text(" In "),
                Value("crawl"),
                Text(" it was "),
                Only("share_by_name"),
                Text(" by name and "),
                Only("share"),
                Text(" by name or by the wildcard group."),
            ]),
        ],
        zero: Zero::Sentence("no site blocks an AI agent"),
        new_agent: false,
    },
    FindingRule {
        figure: "ai_agents_by_purpose",
        row: Greatest("share_by_name"),
        words: &[
            Text("The AI agent that the most sites block by name is "),
            Value("agent"),
            Text(": "),
            Share("share_by_name"),
            Text("."),
        ],
        zero: Zero::None,
        new_agent: false,
    },
    FindingRule {
        figure: "blocked_by_agent",
        row: IsNot("agent", "wildcard (*)"),
        words: &[
            Text("The tracked agent that the most sites block by name is "),
            Value("agent"),
            Text(": "),
            Share("share_by_name"),
            Text("."),
        ],
        zero: Zero::None,
        new_agent: true,
    },
    FindingRule {
        figure: "blocked_by_agent",
        row: Is("agent", "wildcard (*)"),
        words: &[Share("share"), Verb("block"), Text(" every crawler without a group of its own.")],
        zero: Zero::None,
        new_agent: false,
    },
    FindingRule {
        figure: "train_no_search_yes",
        // All operators together may be one, or many whose agents no sentence can name.
        row: IsNot("operator", "all operators"),
        words: &[
            ShareOf(
                "share_by_name_search_allowed",
                &[
                    Text("sites that block an agent of "),
                    Value("operator"),
                    Text(" for training by name ("),
                    Value("training"),
                    Text(")"),
                ],
            ),
            Verb("block"),
            Text(" none of its search crawlers ("),
            Value("search"),
            Text(")."),
        ],
        zero: Zero::None,
        new_agent: false,
    },
    FindingRule {
        figure: "policy_flips",
        row: IsNot("agent", "wildcard (*)"),
        words: &[
            Text("Between "),
            Value("crawl_from"),
            Text(" and "),
            Value("crawl_to"),
            Text(", the largest change by rules that name the agent is that of "),
            Value("agent"),
            Text(": "),
            Changes(
                &[("share_newly_blocked_by_name", "newly"), ("share_no_longer_blocked_by_name", "no longer")],
                "block",
            ),
            Text(" it."),
        ],
        zero: Zero::None,
        new_agent: false,
    },
    FindingRule {
        figure: "signal_adoption",
        row: Is("record", "any of these"),
        words: &[Share("share"), Verb("have"), Text(" a line on the use of content, such as Content-Signal.")],
        zero: Zero::Sentence("no site has a line on the use of its content"),
        new_agent: false,
    },
    FindingRule {
        figure: "access_overview",
        row: Is("outcome", "rules"),
        words: &[Share("share"), Verb("have"), Text(" a robots.txt with rules.")],
        zero: Zero::Same,
        new_agent: false,
    },
    FindingRule {
        figure: "violation_tiers",
        row: Is("tier", "tier A: breaks the grammar"),
        words: &[Share("share"), Verb("break"), Text(" the grammar of RFC 9309 at least once.")],
        zero: Zero::Same,
        new_agent: false,
    },
    FindingRule {
        figure: "limit_effect",
        row: Is("agent", "wildcard (*)"),
        words: &[
            Text("For crawlers that a file does not name, the limit of 500 KiB changes the verdict of "),
            Share("share_changed"),
            Text("."),
        ],
        zero: Zero::Sentence("the limit of 500 KiB changes no verdict for crawlers that a file does not name"),
        new_agent: false,
    },
];

/// The findings of a report.
pub(crate) fn find(asked: &ReportAnswers) -> Vec<Finding> {
    let mut agents = BTreeSet::new();
    let found = RULES.iter().filter_map(|rule| {
        let shown = asked.shown().find(|shown| shown.figure.id == rule.figure)?;
        let row = choose_row(rule, &shown.answer, &asked.crawl)?;
        if let Some(agent) = formatting::format_column(&shown.answer, row, "agent")
            && !agents.insert(agent)
            && rule.new_agent
        {
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
        let sentence = write_words(rule.words, shown, row, first)?;
        Some(Finding { figure: shown.figure, sentence: capitalise(&sentence) })
    });
    found.take(MOST).collect()
}

/// The row of a crawl that a rule chooses, among the rows with a number for each share of its sentence. In answers
/// without a crawl column, all rows count.
fn choose_row<'a>(rule: &FindingRule, answer: &'a AnswerTable, crawl: &str) -> Option<&'a Vec<AnswerCell>> {
    let has_crawls = answer.column_index("crawl").is_some();
    let is_of_crawl = |row: &&Vec<AnswerCell>| !has_crawls || has_label(answer, row, "crawl", crawl);
    let has_shares = |row: &&Vec<AnswerCell>| shares(rule.words, answer, row).all(|share| share.is_some());
    let mut rows = answer.rows.iter().filter(is_of_crawl).filter(has_shares);
    match rule.row {
        First => rows.next(),
        Is(column, label) => rows.find(|row| has_label(answer, row, column, label)),
        IsNot(column, label) => rows.find(|row| !has_label(answer, row, column, label)),
        Greatest(column) => {
            let number = |row: &Vec<AnswerCell>| row.get(answer.column_index(column)?)?.number();
            rows.filter_map(|row| Some((number(row).filter(|number| *number > 0.0)?, row)))
                .reduce(|one, next| if next.0 > one.0 { next } else { one })
                .map(|(_, row)| row)
        }
    }
}

/// The shares of a sentence, apart from those of the first crawl.
fn shares(words: &[Word], answer: &AnswerTable, row: &[AnswerCell]) -> impl Iterator<Item = Option<f64>> {
    let columns = words.iter().flat_map(|word| match word {
        Share(column) | ShareOf(column, _) | Only(column) => vec![*column],
        Changes(changes, _) => changes.iter().map(|(column, _)| *column).collect(),
        Text(_) | Verb(_) | Value(_) | InFirstCrawl(_) => Vec::new(),
    });
    columns.map(|column| find_number(answer, row, column))
}

fn find_number(answer: &AnswerTable, row: &[AnswerCell], column: &str) -> Option<f64> {
    row.get(answer.column_index(column)?)?.number()
}

/// A sentence for shares of 0, with the crawl and the denominator.
fn write_zero(zero: &str, crawl: &str, shown: &ShownFigure, row: &[AnswerCell]) -> Option<String> {
    let all = find_number(&shown.answer, row, shown.figure.counted.0)?;
    let what = captions::name_denominator(shown);
    Some(format!("In {crawl}, {zero} (0 of {} {what}).", formatting::format_real(all)))
}

fn has_label(answer: &AnswerTable, row: &[AnswerCell], column: &str, label: &str) -> bool {
    formatting::format_column(answer, row, column).as_deref() == Some(label)
}

/// A verb of the present tense for one or for several.
fn inflect(verb: &str, is_one: bool) -> String {
    match (verb, is_one) {
        (_, false) => verb.to_owned(),
        ("have", true) => "has".to_owned(),
        (_, true) => format!("{verb}s"),
    }
}

/// The parts as a sentence; `None` if a number is missing.
fn write_words(
    words: &[Word],
    shown: &ShownFigure,
    row: &[AnswerCell],
    first: Option<&Vec<AnswerCell>>,
) -> Option<String> {
    let answer = &shown.answer;
    let number = |column: &str| find_number(answer, row, column);
    let share_of = |column: &str, what: &str| {
        let (share, all) = (number(column)?, number(shown.figure.counted.0)?);
        let count = formatting::format_count_of(share, all);
        Some(if all < formatting::LEAST_COUNTED {
            format!("{count} {what}")
        } else {
            format!("{} ({count}) of {what}", formatting::format_percent(share))
        })
    };
    // The count of a small denominator is the subject of its verb.
    let counts_one = |column: &str| {
        let count = number(column).zip(number(shown.figure.counted.0));
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
            Share(column) => sentence.push_str(&share_of(column, captions::name_denominator(shown))?),
            ShareOf(column, what) => sentence.push_str(&share_of(column, &write_words(what, shown, row, None)?)?),
            Only(column) => sentence.push_str(&figure_text::format_in_row(shown.figure, answer, row, column)),
            Verb(verb) => sentence.push_str(&format!(" {}", inflect(verb, is_one))),
            Changes(changes, verb) => {
                let mut sorted = changes.to_vec();
                sorted.retain(|(column, _)| number(column) != Some(0.0));
                sorted.sort_by(|(one, _), (other, _)| f64::total_cmp(&greatest(other), &greatest(one)));
                for (nth, (column, adverb)) in sorted.into_iter().enumerate() {
                    let share = match nth {
                        0 => share_of(column, captions::name_denominator(shown))?,
                        _ => format!(" it, and {}", figure_text::format_in_row(shown.figure, answer, row, column)),
                    };
                    sentence.push_str(&format!("{share} {adverb} {}", inflect(verb, counts_one(column))));
                }
            }
            InFirstCrawl(words) => {
                if let Some(first) = first {
                    sentence.push_str(&write_words(words, shown, first, None)?);
                }
            }
        }
    }
    Some(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contents::SECTIONS;
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

    #[test]
    fn one_site_has_a_verb_of_its_own() {
        assert_eq!(
            [("block", true), ("have", true), ("have", false)].map(|(verb, one)| inflect(verb, one)),
            ["blocks", "has", "have"]
        );
    }

    #[test]
    fn each_rule_has_a_figure_and_a_sentence() {
        for rule in RULES {
            let mut figures = SECTIONS.iter().flat_map(|section| section.figures);
            assert!(figures.any(|figure| figure.id == rule.figure), "{}", rule.figure);
            let Some(Text(end) | InFirstCrawl([.., Text(end)])) = rule.words.last() else {
                panic!("sentence has no end: {}", rule.figure)
            };
            assert!(end.ends_with('.'), "{}: {end}", rule.figure);
        }
    }
}
