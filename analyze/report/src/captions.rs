//! A chart in words, and sentences below or in place of it.

use crate::answer_table::AnswerCell;
use crate::answers::ShownFigure;
use crate::contents::{ChartKind, Plot};
use crate::crawl_days::CrawlDays;
use crate::denominators::{name_denominator, name_unit};
use crate::formatting::{self, Measure};
use crate::grid::Grid;

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
    let is_over_time = matches!(kind, ChartKind::Areas | ChartKind::Lines) && grid.categories.len() > 1;
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

/// The sentence in place of a chart: that all numbers are zero, or that nothing was counted. The caption below it has the
/// denominators; those of single rows have no sum.
pub(crate) fn explain_absence(shown: &ShownFigure) -> String {
    let (column, _) = shown.figure.counted;
    let place = shown.answer.column_index(column);
    let is_counted = |row: &Vec<AnswerCell>| {
        place.and_then(|place| row.get(place)?.number()).is_some_and(|denominator| denominator > 0.0)
    };
    let (is_empty, zero) = (shown.answer.rows.is_empty(), shown.figure.zero);
    let has_counted = shown.answer.rows.iter().any(is_counted);
    match shown.figure.empty {
        empty if is_empty && !empty.is_empty() => format!("{empty}."),
        _ if (is_empty || has_counted) && !zero.is_empty() => format!("{zero}."),
        _ if place.is_some() && !has_counted => {
            format!("There is nothing to draw: there are no {}.", name_denominator(shown))
        }
        _ if is_empty => "There is nothing to draw: the answer has no rows.".to_owned(),
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
pub(crate) fn explain_marks(grid: &Grid, kind: ChartKind, plot: &Plot, crawl_days: &CrawlDays) -> String {
    let mut remarks = Vec::new();
    let small: Vec<usize> = (0..grid.categories.len()).filter(|category| grid.small(*category).is_some()).collect();
    if !small.is_empty() {
        let show = match kind {
            _ if grid.measure != Measure::Share => "",
            // They have no place for a count beside a mark.
            ChartKind::Lines | ChartKind::Histogram => "; the table has the counts",
            _ => " and show counts",
        };
        let least = formatting::format_real(formatting::LEAST_COUNTED);
        remarks.push(format!("Grey marks have a denominator (n) below {least}{show}."));
    }
    if !small.is_empty() && kind == ChartKind::Dots && grid.measure == Measure::Share && grid.series.len() > 1 {
        let lacks_one = |category: &usize| (0..grid.series.len()).any(|series| grid.value(*category, series).is_none());
        let missing = if small.iter().any(lacks_one) { "; \u{2013} means that there is no count" } else { "" };
        remarks.push(format!("The counts after a name are in the order of the legend{missing}."));
    }
    if kind == ChartKind::Lines && plot.x == "crawl" && crawl_days.gaps(&grid.categories).contains(&true) {
        remarks.push("Lines are interrupted where more than 13 months passed without a crawl.".to_owned());
    }
    remarks.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contents::figure;
    use crate::denominators::describe_denominator;
    use crate::denominators::tests::shown;

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

    /// The rows of named agents are only in the table.
    #[test]
    fn the_caption_has_the_denominator_of_the_drawn_rows() {
        for (rows, denominator) in [
            (&[("wildcard", 0.0), ("agent", 66.0)][..], "n = 0 rule sets"),
            (&[("wildcard", 5.0), ("agent", 66.0)], "n = 5 rule sets"),
            (&[("wildcard", 1.0)], "n = 1 rule set"),
        ] {
            let figure = shown("ruleset_length", "named", rows);
            assert_eq!(explain_absence(&figure), "No file has a wildcard group.");
            assert_eq!(describe_denominator(&figure).as_deref(), Some(denominator));
        }
    }

    /// Of 13 hosts that refuse with the status 403, and 13 with 5xx, none is 0 of 13 hosts.
    #[test]
    fn a_sentence_about_several_denominators_has_none_of_them() {
        let refusals = shown("status_vs_rules", "refusal", &[("403", 13.0), ("5xx", 13.0)]);
        assert_eq!(explain_absence(&refusals), "No host that refuses robots.txt serves it another time.");
    }

    #[test]
    fn a_denominator_of_one_is_in_the_singular() {
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
        let explain = |grid: &Grid| explain_marks(grid, figure.plot.kind, &figure.plot, &CrawlDays::default());
        let order = "The counts after a name are in the order of the legend";
        assert!(explain(&two).ends_with(&format!(" {order}.")), "{}", explain(&two));
        two.values = vec![vec![None, Some(1.0)]];
        assert_eq!(two.counts_note(0), " (\u{2013}, 30 of 30)");
        assert!(explain(&two).ends_with(&format!(" {order}; \u{2013} means that there is no count.")));
        two.sizes = vec![Some(300.0)];
        assert_eq!(explain(&two), "");
    }

    /// A line has a mark for each crawl, and no room for the counts.
    #[test]
    fn grey_marks_of_lines_show_no_counts() {
        let mut few = grid(2);
        (few.sizes, few.measure, few.needs_size) = (vec![Some(30.0); 2], Measure::Share, true);
        let explain = |kind| explain_marks(&few, kind, &figure("ai_overview").plot, &CrawlDays::default());
        let grey = "Grey marks have a denominator (n) below 50";
        assert_eq!(explain(ChartKind::Lines), format!("{grey}; the table has the counts."));
        // Lines of one crawl are drawn as bars.
        assert_eq!(explain(ChartKind::Bars), format!("{grey} and show counts."));
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
