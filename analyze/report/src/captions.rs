//! The denominator of a figure, and a chart in words.

use crate::answer_table::AnswerCell;
use crate::answers::ShownFigure;
use crate::contents::{ChartKind, CrawlScope, Plot};
use crate::crawl_days::CrawlDays;
use crate::formatting::{self, Measure};
use crate::grid::Grid;
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

/// Describes a chart in words, for readers who cannot see it.
pub(crate) fn describe_chart(grid: &Grid, kind: ChartKind) -> String {
    let format = |category: usize, number: f64| grid.label(category, number);
    let name = |category: usize, series: usize| {
        let category = grid.categories.get(category).map_or("", String::as_str);
        match grid.series.get(series).map_or("", String::as_str) {
            "" => category.to_owned(),
            series => format!("{category}, {series}"),
        }
    };
    let form = match kind {
        ChartKind::Table | ChartKind::Bars => "Bars",
        ChartKind::Lines => "Lines",
        ChartKind::Stacked => "Stacked bars",
        ChartKind::Areas => "Stacked areas",
        ChartKind::Dots => "Marks on lines",
        ChartKind::Histogram => "Columns",
        ChartKind::Heat => "A heat map",
        ChartKind::Ratio => "Bars to both sides of 1",
    };
    let mut text = format!("{form} for {}", count_noun(grid.categories.len(), "category", "categories"));
    if grid.series.len() > 1 {
        text.push_str(&format!(" and {}", count_noun(grid.series.len(), "series", "series")));
    }
    text.push('.');
    let is_over_time = match kind {
        ChartKind::Areas | ChartKind::Lines => grid.categories.len() > 1,
        ChartKind::Table
        | ChartKind::Bars
        | ChartKind::Stacked
        | ChartKind::Dots
        | ChartKind::Histogram
        | ChartKind::Heat
        | ChartKind::Ratio => false,
    };
    if is_over_time {
        for (series, name) in grid.series.iter().enumerate() {
            if let Some(course) = describe_course(grid, series) {
                text.push_str(&format!(" {}: {course}.", if name.is_empty() { "The line" } else { name }));
            }
        }
        return text;
    }
    let mut all: Vec<(usize, usize, f64)> = Vec::new();
    for category in 0..grid.categories.len() {
        for series in 0..grid.series.len() {
            all.extend(grid.value(category, series).map(|number| (category, series, number)));
        }
    }
    let by_size = |one: &&(usize, usize, f64), other: &&(usize, usize, f64)| one.2.total_cmp(&other.2);
    // Of equal numbers, the first.
    let greatest = all.iter().rev().max_by(by_size);
    let least = all.iter().min_by(by_size);
    if let (Some(greatest), Some(least)) = (greatest, least) {
        text.push_str(&format!(" Greatest: {}, {}.", name(greatest.0, greatest.1), format(greatest.0, greatest.2)));
        text.push_str(&format!(" Least: {}, {}.", name(least.0, least.1), format(least.0, least.2)));
    }
    if let (Some(first), Some(last)) = (all.first(), all.last())
        && all.len() > 2
    {
        text.push_str(&format!(" First: {}, {}.", name(first.0, first.1), format(first.0, first.2)));
        text.push_str(&format!(" Last: {}, {}.", name(last.0, last.1), format(last.0, last.2)));
    }
    text
}

/// The course of a line or a band in words: its first and its last number, and those between that exceed both. `None` if
/// it has no number.
fn describe_course(grid: &Grid, series: usize) -> Option<String> {
    let number = |category: usize| Some((category, grid.value(category, series)?));
    let known: Vec<(usize, f64)> = (0..grid.categories.len()).filter_map(number).collect();
    let value = |(category, number): &(usize, f64)| grid.label(*category, *number);
    let crawl = |(category, _): &(usize, f64)| grid.categories.get(*category).map_or("", String::as_str);
    let point = |point| format!("{} in {}", value(point), crawl(point));
    Some(match known.as_slice() {
        [] => return None,
        [only] => format!("{}, only in {}", value(only), crawl(only)),
        [first, between @ .., last] => {
            let by_size = |one: &&(usize, f64), other: &&(usize, f64)| one.1.total_cmp(&other.1);
            // Of equal numbers, the first.
            let greatest = between.iter().rev().max_by(by_size).filter(|(_, number)| *number > first.1.max(last.1));
            let least = between.iter().min_by(by_size).filter(|(_, number)| *number < first.1.min(last.1));
            let greatest = greatest.map(|greatest| format!("greatest: {}", point(greatest)));
            let least = least.map(|least| format!("least: {}", point(least)));
            let ends = format!("{}, {}", point(first), point(last));
            [Some(ends), greatest, least].into_iter().flatten().collect::<Vec<_>>().join("; ")
        }
    })
}

/// How much of the answer a chart shows; `None` if it shows all of it. `top` is what the answer is limited to, if it is.
pub(crate) fn describe_extent(drawn: &Grid, whole: &Grid, top: Option<usize>) -> Option<String> {
    let extent = |drawn: usize, whole: usize, more| {
        let rest = match top.filter(|top| *top <= whole) {
            Some(top) => format!("these {whole}, limited by --top {top}"),
            None => "all of them".to_owned(),
        };
        format!("The chart shows {drawn} of {whole} {more}; the CSV has {rest}.")
    };
    let (categories, all_categories) = (drawn.categories.len(), whole.categories.len());
    if categories < all_categories {
        let other_than_zero = |grid: &Grid| grid.clone().without_zeros().categories.len();
        let leaves_out_zeros = [drawn, whole].iter().all(|grid| other_than_zero(grid) == categories);
        let which = if leaves_out_zeros { "categories, those with a number other than 0" } else { "categories" };
        return Some(extent(categories, all_categories, which));
    }
    // Series without a number leave no gap.
    let all_series = whole.clone().without_empty_series().series.len();
    (drawn.series.len() < all_series).then(|| extent(drawn.series.len(), all_series, "series"))
}

/// How many rows of an answer a table shows; `None` if it shows all of them.
pub(crate) fn describe_rows(shown: usize, all: usize) -> Option<String> {
    let all_rows = formatting::format_whole(i64::try_from(all).unwrap_or(i64::MAX));
    (shown < all).then(|| format!("The first {shown} of the {all_rows} rows in the CSV."))
}

/// How many panels of a figure have a chart; `None` if all have one.
pub(crate) fn describe_panels(drawn: usize, all: usize) -> Option<String> {
    (drawn < all).then(|| {
        format!("{drawn} of {all} parts have a chart, those with a number other than 0; the CSV has all of them.")
    })
}

fn count_noun(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// Why a figure has no chart.
pub(crate) const AMBIGUOUS: &str =
    "There is no chart: several rows of the answer belong to one mark. The table has all rows.";

/// The sentence in place of a chart: that all numbers are zero, with the denominator of the rows that the chart would
/// show, or that nothing was counted.
pub(crate) fn explain_absence(shown: &ShownFigure) -> String {
    let (column, _) = shown.figure.counted;
    let what = name_denominator(shown);
    let place = shown.answer.column_index(column);
    let counted = |row: &Vec<AnswerCell>| place.and_then(|place| row.get(place)?.number()).filter(|size| *size > 0.0);
    let drawn = |row: &&Vec<AnswerCell>| shown.figure.plot.shows(&shown.answer, row);
    let sizes: Vec<f64> = shown.answer.rows.iter().filter(drawn).filter_map(counted).collect();
    let has_others = shown.answer.rows.iter().any(|row| counted(row).is_some());
    let least_and_greatest = sizes.iter().copied().reduce(f64::min).zip(sizes.iter().copied().reduce(f64::max));
    match least_and_greatest {
        Some((least, greatest)) if !shown.figure.zero.is_empty() => {
            let range =
                if least < greatest { format!("{} to ", formatting::format_real(least)) } else { String::new() };
            let what = name_unit(what, greatest);
            format!("{} (0 of {range}{} {what}).", shown.figure.zero, formatting::format_real(greatest))
        }
        None if shown.answer.rows.is_empty() && !shown.figure.empty.is_empty() => format!("{}.", shown.figure.empty),
        None if shown.answer.rows.is_empty() && !shown.figure.zero.is_empty() => format!("{}.", shown.figure.zero),
        // Only rows of the table have a denominator.
        None if has_others && !shown.figure.zero.is_empty() => format!("{}.", shown.figure.zero),
        None if place.is_some() => format!("There is nothing to draw: there are no {what}."),
        _ if shown.answer.rows.is_empty() => "There is nothing to draw: the answer has no rows.".to_owned(),
        _ => "There is nothing to draw. The table has all rows.".to_owned(),
    }
}

/// The only number of a figure as a sentence; `None` if it has several.
pub(crate) fn describe_only_number(grid: &Grid, shown: &ShownFigure) -> Option<String> {
    let ([category], [series]) = (grid.categories.as_slice(), grid.series.as_slice()) else { return None };
    let number = grid.value(0, 0)?;
    let name = [category.as_str(), series.as_str()].into_iter().filter(|name| !name.is_empty());
    let name = name.collect::<Vec<_>>().join(", ");
    let what = name_denominator(shown);
    let size = grid.sizes.first().copied().flatten();
    Some(match size {
        Some(size) if grid.measure == Measure::Share && grid.small(0).is_none() => {
            let count = formatting::format_count_of(number, size);
            format!("{name}: {} ({count} {what}).", grid.measure.format(number))
        }
        Some(size) if grid.measure == Measure::Share => {
            format!("{name}: {} {}.", grid.label(0, number), name_unit(what, size))
        }
        _ => format!("{name}: {}.", grid.measure.format(number)),
    })
}

/// Explains grey marks, counts after names, and gaps in lines; empty if a chart has none of them.
pub(crate) fn explain_marks(grid: &Grid, plot: &Plot, crawl_days: &CrawlDays) -> String {
    let mut remarks = Vec::new();
    let small: Vec<usize> = (0..grid.categories.len()).filter(|category| grid.small(*category).is_some()).collect();
    if !small.is_empty() {
        let show = if grid.measure == Measure::Share { " and show counts" } else { "" };
        let least = formatting::format_real(formatting::LEAST_COUNTED);
        remarks.push(format!("Grey marks have a denominator (n) below {least}{show}."));
    }
    if !small.is_empty() && plot.kind == ChartKind::Dots && grid.measure == Measure::Share && grid.series.len() > 1 {
        let lacks_one = |category: &usize| (0..grid.series.len()).any(|series| grid.value(*category, series).is_none());
        let missing = if small.iter().any(lacks_one) { "; \u{2013} means that there is no count" } else { "" };
        remarks.push(format!("The counts after a name are in the order of the key{missing}."));
    }
    if plot.kind == ChartKind::Lines && plot.x == "crawl" && crawl_days.gaps(&grid.categories).contains(&true) {
        remarks.push("Lines are interrupted where more than 13 months passed without a crawl.".to_owned());
    }
    remarks.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer_table::AnswerTable;
    use crate::contents::{figure, figures};
    use analyze::queries::{QueryKind, find};
    use analyze::statement::ParameterValues;
    use datafusion::arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray};
    use std::sync::Arc;

    fn grid(categories: usize) -> Grid {
        Grid {
            categories: (1..=categories).map(|nth| format!("agent-{nth}")).collect(),
            series: vec![String::new()],
            values: (1..=categories).map(|nth| vec![Some(nth as f64)]).collect(),
            sizes: vec![None; categories],
            notes: vec![String::new(); categories],
            inks: vec![0],
            measure: Measure::Number,
            needs_size: false,
            is_ambiguous: false,
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

    /// A figure with an answer of these rows: the text in a column and the denominator.
    fn shown(id: &str, column: &str, rows: &[(&str, f64)]) -> ShownFigure {
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

    /// The rows of named agents are only in the table.
    #[test]
    fn sentence_and_caption_have_the_denominator_of_the_drawn_rows() {
        let none = shown("ruleset_length", "named", &[("wildcard", 0.0), ("agent", 66.0)]);
        assert_eq!(explain_absence(&none), "No file has a wildcard group.");
        assert_eq!(describe_denominator(&none).as_deref(), Some("n = 0 rule sets"));
        let some = shown("ruleset_length", "named", &[("wildcard", 5.0), ("agent", 66.0)]);
        assert_eq!(explain_absence(&some), "No file has a wildcard group (0 of 5 rule sets).");
        assert_eq!(describe_denominator(&some).as_deref(), Some("n = 5 rule sets"));
        let one = shown("ruleset_length", "named", &[("wildcard", 1.0)]);
        assert_eq!(explain_absence(&one), "No file has a wildcard group (0 of 1 rule set).");
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
        let one = shown("access_overview", "crawl", &[("A", 1.0)]);
        let mut drawn = grid(1);
        (drawn.sizes, drawn.measure, drawn.needs_size) = (vec![Some(1.0)], Measure::Share, true);
        let sentence = describe_only_number(&drawn, &one);
        assert_eq!(sentence.as_deref(), Some("agent-1: 1 of 1 site that was captured."));
        assert_eq!(describe_denominator(&one).as_deref(), Some("n = 1 site that was captured"));
    }

    #[test]
    fn a_line_in_words_has_its_course() {
        let course = |numbers: [Option<f64>; 4]| {
            let values = numbers.iter().map(|number| vec![*number]).collect();
            describe_course(
                &Grid { values, categories: ["A", "B", "C", "D"].map(str::to_owned).to_vec(), ..grid(4) },
                0,
            )
        };
        for (numbers, expected) in [
            ([None; 4], None),
            ([None, None, Some(4.0), None], Some("4, only in C")),
            ([Some(1.0), None, None, Some(2.0)], Some("1 in A, 2 in D")),
            ([Some(1.0), Some(2.0), Some(1.0), Some(2.0)], Some("1 in A, 2 in D")),
            ([Some(1.0), Some(5.0), Some(0.0), Some(2.0)], Some("1 in A, 2 in D; greatest: 5 in B; least: 0 in C")),
        ] {
            assert_eq!(course(numbers).as_deref(), expected);
        }
    }

    /// A reader would take the counts for a range.
    #[test]
    fn counts_after_names_are_explained() {
        let figure = figure("ai_by_operator");
        let mut two = grid(1);
        two.series.push("any".to_owned());
        two.values = vec![vec![Some(0.5), Some(1.0)]];
        (two.sizes, two.measure, two.needs_size) = (vec![Some(30.0)], Measure::Share, true);
        let explain = |grid: &Grid| explain_marks(grid, &figure.plot, &CrawlDays::default());
        let order = "The counts after a name are in the order of the key";
        assert!(explain(&two).ends_with(&format!(" {order}.")), "{}", explain(&two));
        two.values = vec![vec![None, Some(1.0)]];
        assert_eq!(two.counts_note(0), " (\u{2013}, 30 of 30)");
        assert!(explain(&two).ends_with(&format!(" {order}; \u{2013} means that there is no count.")));
        two.sizes = vec![Some(300.0)];
        assert_eq!(explain(&two), "");
    }

    #[test]
    fn a_chart_that_omits_categories_says_so() {
        let extent = |top| describe_extent(&grid(20), &grid(26), top).unwrap();
        assert_eq!(extent(None), "The chart shows 20 of 26 categories; the CSV has all of them.");
        assert_eq!(extent(Some(27)), extent(None));
        // An answer has the row for `*`, or for any agent, besides.
        for top in [25, 26] {
            let limited = format!("the CSV has these 26, limited by --top {top}.");
            assert_eq!(extent(Some(top)), format!("The chart shows 20 of 26 categories; {limited}"));
        }
        assert_eq!(describe_extent(&grid(20), &grid(20), Some(20)), None);
        let mut whole = grid(4);
        whole.values = vec![vec![Some(0.0)], vec![Some(0.5)], vec![None], vec![Some(0.1)]];
        assert_eq!(
            describe_extent(&whole.clone().without_zeros(), &whole, None).as_deref(),
            Some("The chart shows 2 of 4 categories, those with a number other than 0; the CSV has all of them.")
        );
    }
}
