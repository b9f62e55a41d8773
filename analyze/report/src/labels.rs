//! Names of categories in charts.

use crate::answer_table::{AnswerCell, AnswerTable};
use crate::contents::FigureSpec;
use crate::figure_text;
use crate::formatting;

/// The name of a row's category, made of the values in the columns of the figure's axis.
pub(crate) fn name_category(figure: &FigureSpec, answer: &AnswerTable, row: &[AnswerCell]) -> String {
    let columns = figure.plot.x;
    let cell = |column: &str| answer.cell(row, column);
    if let Some((from, to)) = columns.split_once(' ')
        && from.starts_with("from_")
        && to.starts_with("to_")
    {
        return name_range(cell(from), cell(to), from == "from_bytes");
    }
    let texts: Vec<String> = columns
        .split(' ')
        .map(|column| name_part(column, figure_text::format_in_row(figure, answer, row, column)))
        .collect();
    match texts.as_slice() {
        [difference, first, second] if columns.starts_with("difference ") => name_pair(difference, first, second),
        texts => texts.join(", "),
    }
}

/// The name of a pair of sites: how they differ, and the access of each, which is written once if it is the same.
fn name_pair(difference: &str, first: &str, second: &str) -> String {
    match first == second {
        true if difference.ends_with(first) => difference.to_owned(),
        true => format!("{difference}: {first}"),
        false => format!("{difference}: {first}, then {second}"),
    }
}

fn name_part(column: &str, text: String) -> String {
    if column == "successor" { format!("successor {text}") } else { text }
}

/// The name of a bin: its ends, or the upper end only for a bin of bytes.
fn name_range(from: &AnswerCell, to: &AnswerCell, is_of_bytes: bool) -> String {
    match (from, to) {
        (AnswerCell::Whole(from), AnswerCell::Null) if is_of_bytes => format!(">{}", name_bytes(from - 1)),
        (AnswerCell::Whole(from), AnswerCell::Null) => format!("{}+", formatting::format_whole(*from)),
        (_, AnswerCell::Whole(to)) if is_of_bytes => name_bytes(*to),
        (AnswerCell::Whole(from), AnswerCell::Whole(to)) if from < to => {
            format!("{}\u{2013}{}", formatting::format_whole(*from), formatting::format_whole(*to))
        }
        (from, _) => formatting::format_cell("", from),
    }
}

fn name_bytes(number: i64) -> String {
    for (unit, size) in [("MiB", 1 << 20), ("KiB", 1 << 10)] {
        if number >= size && number % size == 0 {
            return format!("{}\u{a0}{unit}", formatting::format_whole(number / size));
        }
    }
    formatting::format_whole(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs() {
        assert_eq!(name_pair("same rules", "allowed", "allowed"), "same rules: allowed");
        assert_eq!(name_pair("other verdict", "allowed", "blocked"), "other verdict: allowed, then blocked");
        assert_eq!(name_pair("not known", "not known", "not known"), "not known");
    }

    #[test]
    fn bins() {
        assert_eq!(name_range(&AnswerCell::Whole(262_145), &AnswerCell::Whole(512_000), true), "500\u{a0}KiB");
        assert_eq!(name_range(&AnswerCell::Whole(1_048_577), &AnswerCell::Null, true), ">1\u{a0}MiB");
        assert_eq!(name_range(&AnswerCell::Whole(3), &AnswerCell::Whole(5), false), "3\u{2013}5");
        assert_eq!(name_range(&AnswerCell::Whole(1), &AnswerCell::Whole(1), false), "1");
        assert_eq!(name_range(&AnswerCell::Whole(1000), &AnswerCell::Null, false), "1,000+");
    }
}
