//! What the numbers of a figure are about: its crawls, and the unit and size of its denominator.

use crate::answer_table::AnswerCell;
use crate::answers::ShownFigure;
use crate::contents::CrawlScope;
use crate::formatting;
use crate::outside;
use crate::sentence::inflect;
use std::collections::BTreeSet;

/// The greatest number of denominators that a caption lists. If there are more, it has the least and the greatest.
const MOST_NAMED: usize = 6;

/// The crawls of a figure's rows, such as `Crawl A` or `Crawls A and B`; without rows, the crawl that the question is
/// about. `None` if neither names one.
pub(crate) fn name_crawls(shown: &ShownFigure) -> Option<String> {
    let column = |name: &'static str| shown.answer.column(name);
    // In the order of the answer, which is that of time.
    let mut crawls: Vec<String> = Vec::new();
    for name in ["crawl", "crawl_from", "crawl_to", "crawl_before", "crawl_after"] {
        for crawl in column(name).map(|cell| formatting::format_cell("crawl", cell)) {
            if !crawls.contains(&crawl) {
                crawls.push(crawl);
            }
        }
    }
    match crawls.as_slice() {
        [] => {
            let crawl = shown.value("crawl").filter(|crawl| !crawl.is_empty())?;
            Some(format!("Crawl {}", outside::shorten(crawl)))
        }
        [one] => Some(format!("Crawl {one}")),
        [one, other] => Some(format!("Crawls {one} and {other}")),
        [first, .., last] => Some(format!("{} crawls from {first} to {last}", crawls.len())),
    }
}

/// The unit of the denominator, by the figure's declaration or its parameter `denominator`.
pub(crate) fn name_denominator(shown: &ShownFigure) -> &'static str {
    let (_, what) = shown.figure.counted;
    match (what, shown.value("denominator")) {
        ("", Some("rules")) => "sites whose file has rules",
        ("", Some("read")) => "sites whose file was read",
        ("", Some("answered")) => "sites that answered with a file or with 4xx",
        ("", Some("decided")) => "sites that answered or were unreachable",
        ("", _) => "sites that were captured",
        (what, _) => what,
    }
}

/// The denominator, such as `n = 46 sites that were captured`. `None` if the answer has none.
pub(crate) fn describe_denominator(shown: &ShownFigure) -> Option<String> {
    let ((column, _), what) = (shown.figure.counted, name_denominator(shown));
    let has_crawls = match shown.figure.crawls {
        CrawlScope::All | CrawlScope::Several => shown.answer.column_index("crawl").is_some(),
        CrawlScope::One => false,
    };
    let counts = list_denominators(shown, column, has_crawls)?;
    let crawls: BTreeSet<&str> = counts.iter().map(|(crawl, _)| crawl.as_str()).collect();
    let by_crawl = has_crawls && crawls.len() == counts.len();
    let texts: Vec<String> = match counts.as_slice() {
        [] => return None,
        [(_, count)] => vec![formatting::format_real(*count)],
        many if by_crawl && many.len() <= MOST_NAMED => {
            many.iter().map(|(crawl, count)| format!("{} ({crawl})", formatting::format_real(*count))).collect()
        }
        many => {
            let numbers = || many.iter().map(|(_, count)| *count);
            let (least, most) = (numbers().fold(f64::MAX, f64::min), numbers().fold(0.0, f64::max));
            let [least, most] = [least, most].map(formatting::format_real);
            vec![if least == most { most } else { format!("{least} to {most}") }]
        }
    };
    let numbers = texts.join(", ");
    Some(if numbers == "1" { format!("n = 1 {}", name_one(what)) } else { format!("n = {numbers} {what}") })
}

/// The unit after a denominator of this size.
pub(crate) fn name_unit(what: &str, size: f64) -> String {
    if size == 1.0 { name_one(what) } else { what.to_owned() }
}

/// The unit of a denominator of 1, such as `site that was captured` for `sites that were captured`.
fn name_one(what: &str) -> String {
    let noun =
        ["sites", "captured sites", "hosts", "pairs", "rule sets"].into_iter().find(|noun| what.starts_with(noun));
    let Some((noun, rest)) = noun.and_then(|noun| Some((noun, what.strip_prefix(noun)?))) else {
        return what.to_owned();
    };
    let rest = match rest.strip_prefix(" that ").and_then(|rest| rest.split_once(' ').or(Some((rest, "")))) {
        Some((verb, more)) => format!(" that {} {more}", verb_for_one(verb)).trim_end().to_owned(),
        None => rest.to_owned(),
    };
    format!("{}{}", noun.trim_end_matches('s'), rest.replace(" were ", " was "))
}

fn verb_for_one(verb: &str) -> String {
    match verb {
        "are" => "is".to_owned(),
        "were" => "was".to_owned(),
        // The past has one form for all.
        verb if verb.ends_with("ed") => verb.to_owned(),
        verb => inflect(verb, true),
    }
}

/// The distinct denominators of the rows that a figure shows, each with its crawl, in the order of the answer.
fn list_denominators(shown: &ShownFigure, column: &str, by_crawl: bool) -> Option<Vec<(String, f64)>> {
    let answer = &shown.answer;
    let place = answer.column_index(column)?;
    let crawl = answer.column_index("crawl").filter(|_| by_crawl);
    let mut seen = BTreeSet::new();
    let mut counts = Vec::new();
    for row in answer.rows.iter().filter(|row| shown.figure.plot.shows(answer, row)) {
        let Some(count) = row.get(place).and_then(AnswerCell::number) else { continue };
        let name =
            crawl.and_then(|crawl| row.get(crawl)).map_or(String::new(), |cell| formatting::format_cell("crawl", cell));
        if seen.insert((name.clone(), count.to_bits())) {
            counts.push((name, count));
        }
    }
    Some(counts)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::answer_table::AnswerTable;
    use crate::contents::{figure, figures};
    use analyze::queries::{QueryKind, find};
    use analyze::statement::ParameterValues;
    use datafusion::arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray};
    use std::sync::Arc;

    /// A figure with an answer of these rows: the text in a column and the denominator.
    pub(crate) fn shown(id: &str, column: &str, rows: &[(&str, f64)]) -> ShownFigure {
        let figure = figure(id);
        let texts: ArrayRef = Arc::new(StringArray::from_iter_values(rows.iter().map(|(text, _)| *text)));
        let counted: ArrayRef = Arc::new(Float64Array::from_iter_values(rows.iter().map(|(_, counted)| *counted)));
        let batch = RecordBatch::try_from_iter([(column, texts), (figure.counted.0, counted)]).unwrap();
        ShownFigure {
            figure,
            question: find(QueryKind::Question, figure.question).unwrap().unwrap(),
            values: ParameterValues::default(),
            command: String::new(),
            sql: String::new(),
            answer: AnswerTable::read(batch.schema(), vec![batch]).unwrap(),
            is_given: false,
        }
    }

    /// The units of all figures have a form for one.
    #[test]
    fn a_denominator_of_one_has_a_noun_and_a_verb_for_one() {
        for (what, one) in [
            ("sites whose file was read", "site whose file was read"),
            ("sites that answered or were unreachable", "site that answered or was unreachable"),
            ("sites that were captured", "site that was captured"),
            ("sites that redirect", "site that redirects"),
            ("sites that have the record", "site that has the record"),
            ("hosts that are in both crawls", "host that is in both crawls"),
            ("rule sets", "rule set"),
            ("pairs of a domain and its www. host", "pair of a domain and its www. host"),
        ] {
            assert_eq!(name_one(what), one);
        }
        for what in figures().map(|figure| figure.counted.1).filter(|what| !what.is_empty()) {
            assert_ne!(name_one(what), what);
        }
    }

    #[test]
    fn denominators_that_are_equal_are_named_once() {
        let many = |greatest: f64| {
            let crawls = ["A", "B", "C", "D", "E", "F", "G"].map(|crawl| (crawl, 220.0));
            let shown = shown("access_overview", "crawl", &[&crawls[..], &[("H", greatest)]].concat());
            describe_denominator(&shown).unwrap()
        };
        assert_eq!(many(220.0), "n = 220 sites that were captured");
        assert_eq!(many(230.0), "n = 220 to 230 sites that were captured");
    }
}
