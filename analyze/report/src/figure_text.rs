//! The headings and values of a figure's rows.

use crate::answer_table::{AnswerCell, AnswerTable};
use crate::answers::ShownFigure;
use crate::contents::FigureSpec;
use crate::formatting::{LEAST_COUNTED, Measure, format_cell, format_count_of, plus};
use crate::glossary;

/// The text of a value in a row of a figure. With a small denominator, a share is a count, as in charts.
pub(crate) fn format_in_row(figure: &FigureSpec, answer: &AnswerTable, row: &[AnswerCell], column: &str) -> String {
    let found = answer.cell(row, column);
    let (number, all) = (found.number(), answer.cell(row, figure.denominator(column)).number());
    let (Some(share), Some(all), AnswerCell::Real(_)) = (number, all.filter(|all| *all < LEAST_COUNTED), found) else {
        return format_cell(column, found);
    };
    match Measure::of_column(column) {
        Measure::Share => format_count_of(share, all),
        Measure::Difference => format!("{}{}", plus(share), format_count_of(share, all)),
        Measure::Number | Measure::LogRatio => format_cell(column, found),
    }
}

/// The label of a column of a figure.
pub(crate) fn name_column(figure: &FigureSpec, column: &str) -> String {
    name_counted(figure, &glossary::name_column(figure.question, column))
}

/// A text of a question with what the figure counts. Questions that can count a host once still speak of sites.
pub(crate) fn name_counted(figure: &FigureSpec, text: &str) -> String {
    match figure.counts_hosts() {
        true => text.replace("sites", "hosts").replace("Sites", "Hosts"),
        false => text.to_owned(),
    }
}

/// The question of a figure.
pub(crate) fn write_question(shown: &ShownFigure) -> String {
    name_counted(shown.figure, shown.question.header.question.as_deref().unwrap_or_default())
}

/// The heading of a column in the table of a figure. The denominator is marked, as in the caption.
pub(crate) fn name_heading(figure: &FigureSpec, column: &str) -> String {
    let label = name_column(figure, column);
    if column == figure.counted.0 { format!("{label} (n)") } else { label }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::{ArrayRef, Float64Array, RecordBatch};
    use std::sync::Arc;

    /// The denominator of a share in a table is that of its column.
    #[test]
    fn shares_of_few_are_counts() {
        let figure = crate::contents::figure("train_no_search_yes");
        let column = |number: f64| -> ArrayRef { Arc::new(Float64Array::from(vec![number])) };
        let batch = RecordBatch::try_from_iter([
            ("sites_by_name", column(30.0)),
            ("share_by_name_search_allowed", column(0.1)),
            ("sites", column(300.0)),
            ("share_search_allowed", column(0.1)),
        ]);
        let batch = batch.unwrap();
        let answer = AnswerTable::read(batch.schema(), vec![batch]).unwrap();
        let row = answer.rows.first().unwrap();
        assert_eq!(format_in_row(figure, &answer, row, "share_by_name_search_allowed"), "3 of 30");
        assert_eq!(format_in_row(figure, &answer, row, "share_search_allowed"), "10.0\u{a0}%");
        assert_eq!(format_in_row(figure, &answer, row, "sites_by_name"), "30");
    }

    /// A difference has its sign, and its unit is that of the shares.
    #[test]
    fn differences_of_few_are_counts() {
        let figure = crate::contents::figures().find(|figure| figure.question == "event_change").unwrap();
        let row = |change: f64, all: f64| {
            let column = |number: f64| -> ArrayRef { Arc::new(Float64Array::from(vec![number])) };
            let batch =
                RecordBatch::try_from_iter([("sites_counted", column(all)), ("change", column(change))]).unwrap();
            let answer = AnswerTable::read(batch.schema(), vec![batch]).unwrap();
            format_in_row(figure, &answer, answer.rows.first().unwrap(), "change")
        };
        assert_eq!(row(1.0 / 13.0, 13.0), "+1 of 13");
        assert_eq!(row(-1.0 / 13.0, 13.0), "\u{2212}1 of 13");
        assert_eq!(row(0.0, 13.0), "0 of 13");
        assert_eq!(row(0.25, 80.0), "+25.0\u{a0}points");
    }
}
