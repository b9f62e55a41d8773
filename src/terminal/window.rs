//! The visible part of a line, and the carets below it.

use std::fmt::Write as _;
use std::ops::Range;
use visible::{Character, characters, start_of_character};

/// The part of a line around a span on it, safe to print.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LineWindow {
    /// The visible text.
    pub(crate) text: String,
    /// The number of columns before the first caret.
    pub(crate) caret_at: usize,
    /// The number of carets. An empty span, such as the end of a line, has one.
    pub(crate) carets: usize,
}

/// Marks where a part of the line is left out.
const ELLIPSIS: &str = "...";

/// A tab is shown as spaces, as in rustc, because tab stops depend on the terminal.
const TAB: &str = "    ";

/// A character of the line.
struct WindowCell {
    character: Character,
    /// Its byte range on the line.
    bytes: Range<usize>,
    /// Its width in columns.
    columns: usize,
}

impl WindowCell {
    /// The columns that it takes up: at least 1, so that a line of combining marks, which have no width, is cut too.
    fn cost(&self) -> usize {
        self.columns.max(1)
    }
}

fn cost(cells: &[WindowCell]) -> usize {
    cells.iter().map(WindowCell::cost).sum()
}

impl LineWindow {
    /// Shows `span` of `line`, and as much around it as fits into `columns`.
    ///
    /// A line can be as long as its file, so only the part near the span is read.
    pub(crate) fn new(line: &[u8], span: Range<usize>, columns: usize) -> Self {
        let cells = cells_around(line, span.start, columns);
        let first = first_shown(&cells, &span, columns);
        let mut window = LineWindow { text: String::new(), caret_at: 0, carets: 0 };
        let mut shown_columns = 0;
        let shown = cells.get(first..).unwrap_or_default();
        if shown.first().is_some_and(|cell| cell.bytes.start > 0) {
            window.text.push_str(ELLIPSIS);
            shown_columns += ELLIPSIS.len();
        }
        window.caret_at = shown_columns;
        let reaches_end = shown.last().is_none_or(|cell| cell.bytes.end == line.len());
        let fits_whole = reaches_end && shown_columns + cost(shown) <= columns;
        let limit = if fits_whole { columns } else { columns.saturating_sub(ELLIPSIS.len()) };
        for cell in shown {
            shown_columns += cell.cost();
            if shown_columns > limit {
                window.text.push_str(ELLIPSIS);
                break;
            }
            match cell.character {
                Character::Escaped('\t') => window.text.push_str(TAB),
                // Writing to a string does not fail.
                character => _ = write!(window.text, "{character}"),
            }
            if cell.bytes.end <= span.start {
                window.caret_at += cell.columns;
            } else if cell.bytes.start < span.end {
                window.carets += cell.columns;
            }
        }
        window.carets = window.carets.max(1);
        window
    }
}

/// The characters around an offset: enough before and after it to fill the window.
fn cells_around(line: &[u8], offset: usize, window_columns: usize) -> Vec<WindowCell> {
    // No character has more than four bytes.
    let mut at = start_of_character(line, offset.saturating_sub(4 * window_columns));
    let mut cost_after = 0;
    let mut cells = Vec::new();
    for character in characters(line.get(at..).unwrap_or_default()) {
        let bytes = at..at + character.bytes();
        at = bytes.end;
        let columns = if character == Character::Escaped('\t') { TAB.len() } else { character.columns() };
        cells.push(WindowCell { character, bytes, columns });
        if at > offset {
            cost_after += cells.last().map_or(0, WindowCell::cost);
        }
        if cost_after > window_columns {
            break;
        }
    }
    cells
}

/// The index of the first cell to show. It is 0 if the span is visible then. Otherwise, the text before the span gets
/// the columns that the rest of the line leaves free, and at least a third of the window.
fn first_shown(cells: &[WindowCell], span: &Range<usize>, columns: usize) -> usize {
    let at_span = cells.iter().position(|cell| cell.bytes.end > span.start).unwrap_or(cells.len());
    let (before, rest) = cells.split_at(at_span);
    let in_span = rest.iter().take_while(|cell| cell.bytes.start < span.end).map(WindowCell::cost).sum::<usize>();
    let starts_line = cells.first().is_none_or(|cell| cell.bytes.start == 0);
    let is_seen = cost(before) + in_span.clamp(1, (columns / 3).max(1)) + ELLIPSIS.len() <= columns;
    if starts_line && (cost(cells) <= columns || is_seen) {
        return 0;
    }
    let free = columns.saturating_sub(cost(rest).max(1)).max(columns / 3).saturating_sub(ELLIPSIS.len());
    let mut taken = 0;
    let fits = |cell: &&WindowCell| {
        taken += cell.cost();
        taken <= free
    };
    at_span - before.iter().rev().take_while(fits).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws the window as it would be printed, and compares both lines.
    fn check(line: impl AsRef<[u8]>, span: Range<usize>, columns: usize, text: &str, carets: &str) {
        let window = LineWindow::new(line.as_ref(), span.clone(), columns);
        let drawn = format!("{:window$}{:^<carets$}", "", "", window = window.caret_at, carets = window.carets);
        let written = String::from_utf8_lossy(line.as_ref());
        assert_eq!((&*window.text, &*drawn), (text, carets), "{written:?} at {span:?}");
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        check("Disallow: private/", 10..18, 40, "Disallow: private/", "          ^^^^^^^^");
        check("User-agent:", 11..11, 40, "User-agent:", "           ^");
        check("", 0..0, 40, "", "^");
        check("a".repeat(40), 39..40, 40, &"a".repeat(40), &format!("{:39}^", ""));
    }

    #[test]
    fn carets_are_under_the_span_as_shown() {
        check("\tDisallow:\tx", 1..9, 40, "    Disallow:    x", "    ^^^^^^^^");
        check("/\u{6771}\u{4eac}x", 4..7, 40, "/\u{6771}\u{4eac}x", "   ^^");
        check("/\u{6771}\u{4eac}x", 7..8, 40, "/\u{6771}\u{4eac}x", "     ^");
        check("/e\u{301}x", 4..5, 40, "/e\u{301}x", "  ^");
        check("/e\u{301}x", 2..4, 40, "/e\u{301}x", "  ^");
        check(b"/\xe9\x1bx", 2..3, 40, r"/\xe9\u{1b}x", "     ^^^^^^");
        check(b"/\xe9\x1bx", 3..4, 40, r"/\xe9\u{1b}x", "           ^");
        check("\u{feff}Allow: /", 0..3, 40, r"\u{feff}Allow: /", "^^^^^^^^");
        // A span that starts or ends inside a character covers the character.
        check("a\u{6771}b", 2..3, 40, "a\u{6771}b", " ^^");
        // A span after the line is at its end.
        check("ab", 5..9, 40, "ab", "  ^");
    }

    #[test]
    fn a_long_line_is_shown_around_the_span() {
        let line = format!("Disallow: /{}!{}", "a".repeat(500), "b".repeat(500));
        check(&line, 10..15, 40, "Disallow: /aaaaaaaaaaaaaaaaaaaaaaaaaa...", "          ^^^^^");
        check(&line, 511..512, 40, "...aaaaaaaaaa!bbbbbbbbbbbbbbbbbbbbbbb...", "             ^");
        let end = format!("...{}", "b".repeat(37));
        check(&line, 1011..1012, 40, &end, &format!("{:39}^", ""));
        check(&line, 1012..1012, 40, &end[..39], &format!("{:39}^", ""));
        check(&line, 11..1012, 40, "Disallow: /aaaaaaaaaaaaaaaaaaaaaaaaaa...", "           ^^^^^^^^^^^^^^^^^^^^^^^^^^");
    }

    #[test]
    fn a_window_is_never_wider_than_its_columns() {
        let lines = ["a".repeat(300), "\u{301}".repeat(300), "\u{6771}".repeat(300), "\u{1b}".repeat(300)];
        for line in lines {
            for (start, columns) in
                (0..line.len()).step_by(7).flat_map(|start| [(start, 40), (start, 41), (start, 120)])
            {
                let window = LineWindow::new(line.as_bytes(), start..start + 20, columns);
                let width = unicode_width::UnicodeWidthStr::width(&*window.text);
                assert!(width <= columns, "{width} > {columns} at {start}: {window:?}");
                assert!(window.caret_at + window.carets <= columns, "{columns} at {start}: {window:?}");
                assert!(window.text.len() <= 4 * columns + 6, "{columns} at {start}: {window:?}");
            }
        }
    }
}
