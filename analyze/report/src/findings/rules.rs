//! The rules that make the key findings.

use RowChoice::{First, Greatest, Is, IsNot};
use Word::{Changes, InFirstCrawl, Leaders, Only, Share, ShareOf, Text, Tied, Value, Verb};

/// How a finding is made.
pub(super) struct FindingRule {
    /// The id of the figure.
    pub(super) figure: &'static str,
    /// Which row of the answer it is about, among the rows of the report's crawl.
    pub(super) row: RowChoice,
    /// The columns that rank rows. Rows with the same greatest number in them tie.
    /// Empty if the sentence compares no rows.
    pub(super) leads: &'static [&'static str],
    /// The parts of the sentence.
    pub(super) words: &'static [Word],
    /// How to treat it if all its shares are 0.
    pub(super) zero: Zero,
    /// Whether it is left out if an earlier finding is about the same agent.
    pub(super) new_agent: bool,
}

/// How a rule treats an answer if all its shares are 0, apart from those of the first crawl.
pub(super) enum Zero {
    /// It makes the same sentence.
    Same,
    /// It makes no finding.
    None,
    /// It makes this sentence about the report's crawl, with the denominator.
    Sentence(&'static str),
}

/// Which row a finding is about.
pub(super) enum RowChoice {
    /// The first row.
    First,
    /// The first row with this value in a column.
    Is(&'static str, &'static str),
    /// The first row without this value in a column.
    IsNot(&'static str, &'static str),
    /// The row with the greatest number in a column; the first of several, which `leads` names with it.
    Greatest(&'static str),
}

/// A part of a sentence.
pub(super) enum Word {
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
    /// The labels of the values that the row and those that tie with it have in a column.
    Leaders(&'static str),
    /// Parts if no row ties with this one, and parts if some do.
    Tied(&'static [Word], &'static [Word]),
    /// Parts about the row of the first crawl; nothing if the report's crawl is the first.
    InFirstCrawl(&'static [Word]),
}

/// The rules, the most important first. A report has the findings of the first `MOST` rules that apply to its figures.
pub(super) const RULES: &[FindingRule] = &[
    FindingRule {
        figure: "ai_overview",
        row: First,
        leads: &[],
        words: &[
            Share("share_by_name"),
            Verb("block"),
            Text(" an AI agent by name. The share by name or by the wildcard group is "),
            Only("share"),
            Text("."),
            InFirstCrawl(&[
                Text(" In "),
                Value("crawl"),
                Text(", the shares were "),
                Only("share_by_name"),
                Text(" and "),
                Only("share"),
                Text("."),
            ]),
        ],
        zero: Zero::Sentence("no site blocks an AI agent"),
        new_agent: false,
    },
    FindingRule {
        figure: "ai_agents_by_purpose",
        row: Greatest("share_by_name"),
        leads: &["share_by_name"],
        words: &[
            Tied(
                &[Text("The AI agent that the most sites block by name is "), Value("agent"), Text(": ")],
                &[Text("The AI agents that the most sites block by name are "), Leaders("agent"), Text(": each by ")],
            ),
            Share("share_by_name"),
            Text("."),
        ],
        zero: Zero::None,
        new_agent: false,
    },
    FindingRule {
        figure: "blocked_by_agent",
        row: IsNot("agent", "*"),
        leads: &["share_by_name"],
        words: &[
            Tied(
                &[Text("The tracked agent that the most sites block by name is "), Value("agent"), Text(": ")],
                &[
                    Text("The tracked agents that the most sites block by name are "),
                    Leaders("agent"),
                    Text(": each by "),
                ],
            ),
            Share("share_by_name"),
            Text("."),
        ],
        zero: Zero::None,
        new_agent: true,
    },
    FindingRule {
        figure: "blocked_by_agent",
        row: Is("agent", "*"),
        leads: &[],
        words: &[Share("share"), Verb("block"), Text(" every crawler without a group of its own.")],
        zero: Zero::None,
        new_agent: false,
    },
    FindingRule {
        figure: "train_no_search_yes",
        // All operators together may be one, or many whose agents no sentence can name.
        row: IsNot("operator", "all operators"),
        leads: &[],
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
        row: IsNot("agent", "*"),
        leads: &["share_newly_blocked_by_name", "share_no_longer_blocked_by_name"],
        words: &[
            Text("Between "),
            Value("crawl_from"),
            Text(" and "),
            Value("crawl_to"),
            Tied(
                &[
                    Text(", the largest change on hosts that name the agent in at least one of the two is that of "),
                    Value("agent"),
                    Text(": "),
                ],
                &[
                    Text(", the largest changes on hosts that name the agent in at least one of the two are those of "),
                    Leaders("agent"),
                    Text(". For "),
                    Value("agent"),
                    Text(": "),
                ],
            ),
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
        row: Is("record", "any"),
        leads: &[],
        words: &[Share("share"), Verb("have"), Text(" a line on the use of content, such as Content-Signal.")],
        zero: Zero::Sentence("no site has a line on the use of its content"),
        new_agent: false,
    },
    FindingRule {
        figure: "access_overview",
        row: Is("outcome", "rules"),
        leads: &[],
        words: &[Share("share"), Verb("have"), Text(" a robots.txt with rules.")],
        zero: Zero::Same,
        new_agent: false,
    },
    FindingRule {
        figure: "violation_tiers",
        row: Is("tier", "A"),
        leads: &[],
        words: &[Share("share"), Verb("break"), Text(" the grammar of RFC 9309 at least once.")],
        zero: Zero::Same,
        new_agent: false,
    },
    FindingRule {
        figure: "limit_effect",
        row: Is("agent", "*"),
        leads: &[],
        words: &[
            Text("For crawlers that a file does not name, the limit of 500 KiB changes the verdict of "),
            Share("share_changed"),
            Text("."),
        ],
        zero: Zero::Sentence("the limit of 500 KiB changes no verdict for crawlers that a file does not name"),
        new_agent: false,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contents::figures;

    #[test]
    fn each_rule_has_a_figure_and_a_sentence() {
        for rule in RULES {
            assert!(figures().any(|figure| figure.id == rule.figure), "{}", rule.figure);
            let Some(Text(end) | InFirstCrawl([.., Text(end)])) = rule.words.last() else {
                panic!("sentence has no end: {}", rule.figure)
            };
            assert!(end.ends_with('.'), "{}: {end}", rule.figure);
        }
    }
}
