//! What a category is called.

use crate::answer::{Answer, Cell};
use crate::words;

/// What the category of a row is called, by the columns that make it.
pub(crate) fn category(columns: &str, answer: &Answer, row: &[Cell]) -> String {
    let cell = |column: &str| answer.place(column).and_then(|place| row.get(place)).unwrap_or(&Cell::Null);
    if let Some((from, to)) = columns.split_once(' ')
        && from.starts_with("from_")
        && to.starts_with("to_")
    {
        return range(cell(from), cell(to), from == "from_bytes");
    }
    let texts: Vec<String> = columns.split(' ').map(|column| words::cell(column, cell(column))).collect();
    texts.join(" \u{b7} ")
}

/// A bin by its ends. Of lengths the upper end says enough.
fn range(from: &Cell, to: &Cell, is_of_bytes: bool) -> String {
    match (from, to) {
        (Cell::Whole(from), Cell::Null) if is_of_bytes => format!(">{}", bytes(from - 1)),
        (Cell::Whole(from), Cell::Null) => format!("{}+", words::whole(*from)),
        (_, Cell::Whole(to)) if is_of_bytes => bytes(*to),
        (Cell::Whole(from), Cell::Whole(to)) if from < to => {
            format!("{}\u{2013}{}", words::whole(*from), words::whole(*to))
        }
        (from, _) => words::cell("", from),
    }
}

fn bytes(number: i64) -> String {
    for (unit, size) in [("MiB", 1 << 20), ("KiB", 1 << 10)] {
        if number >= size && number % size == 0 {
            return format!("{}\u{a0}{unit}", words::whole(number / size));
        }
    }
    words::whole(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins() {
        assert_eq!(range(&Cell::Whole(262_145), &Cell::Whole(512_000), true), "500\u{a0}KiB");
        assert_eq!(range(&Cell::Whole(1_048_577), &Cell::Null, true), ">1\u{a0}MiB");
        assert_eq!(range(&Cell::Whole(3), &Cell::Whole(5), false), "3\u{2013}5");
        assert_eq!(range(&Cell::Whole(1), &Cell::Whole(1), false), "1");
        assert_eq!(range(&Cell::Whole(1000), &Cell::Null, false), "1,000+");
    }
}
