//! Aligned columns, with numbers to the right. Nothing is written before the last row, since the widths depend on all
//! rows.

use super::answer_writer::AnswerWriter;
use super::cell_value::{CellValue, rows};
use super::manner::{Ink, Manner, TableLayout};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use std::io::{self, Write};
use visible::Safe;

pub(super) struct TextTable<W> {
    ink: Ink,
    layout: TableLayout,
    out: W,
    columns: Vec<TextColumn>,
    rows: Vec<Vec<Cell>>,
}

struct TextColumn {
    name: Cell,
    is_number: bool,
    /// Whether it has floating-point numbers, and only whole ones so far.
    is_whole: bool,
    width: usize,
}

/// The text of a cell, and its width in columns of a terminal.
struct Cell {
    text: String,
    width: usize,
    is_null: bool,
}

impl Cell {
    fn new(value: &CellValue) -> Self {
        if *value == CellValue::Null {
            return Cell { text: NULL.to_owned(), width: NULL.len(), is_null: true };
        }
        let readable = value.readable();
        let safe = Safe(readable.as_bytes());
        Cell { text: safe.to_string(), width: safe.columns(), is_null: false }
    }
}

/// Shown for null, which must differ from an empty text.
const NULL: &str = "-";

/// The fraction that `readable` writes for a whole number.
const FRACTION: &str = ".0000";

const GAP: &str = "  ";

/// The most columns of a terminal that shorter cells are padded to. A crawled file chooses how long its values are: one
/// of 64 KiB would widen each row to as much.
const MOST_WIDTH: usize = 120;

impl<W: Write> TextTable<W> {
    pub(super) fn new(schema: &SchemaRef, manner: Manner, out: W) -> Self {
        let column = |field: &datafusion::arrow::datatypes::Field| {
            let name = Cell::new(&CellValue::Text(field.name().clone()));
            TextColumn {
                width: name.width,
                name,
                is_number: field.data_type().is_numeric(),
                is_whole: field.data_type().is_floating(),
            }
        };
        let columns = schema.fields().iter().map(|field| column(field)).collect();
        TextTable { ink: manner.ink, layout: manner.layout, out, columns, rows: Vec::new() }
    }

    /// Shows a column of whole numbers without fractions. Sums of weights are whole if each weight is 1.
    fn drop_fractions(&mut self) {
        for (nth, column) in self.columns.iter_mut().enumerate().filter(|(_, column)| column.is_whole) {
            column.width = column.name.width;
            for cell in self.rows.iter_mut().filter_map(|row| row.get_mut(nth)) {
                if !cell.is_null {
                    cell.text.truncate(cell.text.len() - FRACTION.len());
                    cell.width -= FRACTION.len();
                }
                column.width = column.width.max(cell.width);
            }
        }
    }

    /// Writes the line of a row into `line`. Returns whether it was cut.
    fn write_line<'c>(&self, cells: impl Iterator<Item = &'c Cell>, style: &str, line: &mut String) -> bool {
        line.clear();
        let mut padding_after = 0;
        // The columns of the terminal that are left.
        let mut columns_left = match self.layout {
            TableLayout::CutLines(columns) => columns,
            _ => usize::MAX,
        };
        for (nth, (column, cell)) in self.columns.iter().zip(cells).enumerate() {
            let pad = column.width.saturating_sub(cell.width);
            let before = if column.is_number { pad } else { 0 };
            // Padding is written before the next cell, so that no line ends with blanks.
            let blanks = padding_after + before + if nth == 0 { 0 } else { GAP.len() };
            padding_after = pad - before;
            if cell.text.is_empty() {
                padding_after += blanks;
                continue;
            }
            let is_last = nth + 1 == self.columns.len();
            // Except in the last cell, one column stays free for the ellipsis.
            let needed = blanks + cell.width + usize::from(!is_last);
            let is_cut = needed > columns_left;
            let shown = if is_cut { start_of(&cell.text, columns_left.saturating_sub(blanks + 1)) } else { &cell.text };
            line.extend(std::iter::repeat_n(' ', blanks.min(columns_left.saturating_sub(1))));
            let style = if cell.is_null { DIM } else { style };
            match self.ink {
                Ink::Coloured if !style.is_empty() => line.extend([style, shown, RESET]),
                _ => line.push_str(shown),
            }
            if is_cut {
                line.push(CUT);
                line.push('\n');
                return true;
            }
            columns_left = columns_left.saturating_sub(blanks + cell.width);
        }
        line.push('\n');
        false
    }

    /// Writes each value on a line, after the name of its column.
    fn write_values(&mut self) -> io::Result<()> {
        let names = self.columns.iter().map(|column| column.name.width).max().unwrap_or_default();
        let (bold, dim, reset) = match self.ink {
            Ink::Plain => ("", "", ""),
            Ink::Coloured => (BOLD, DIM, RESET),
        };
        for (nth, row) in self.rows.iter().enumerate() {
            writeln!(self.out, "{dim}-- row {} {}{reset}", nth + 1, "-".repeat(names))?;
            for (column, cell) in self.columns.iter().zip(row) {
                let pad = " ".repeat(names - column.name.width);
                writeln!(self.out, "{bold}{}{reset}{pad}{GAP}{}", column.name.text, cell.text)?;
            }
        }
        Ok(())
    }

    fn write_lines(&mut self) -> io::Result<bool> {
        let mut line = String::new();
        let mut is_cut = self.write_line(self.columns.iter().map(|column| &column.name), BOLD, &mut line);
        self.out.write_all(line.as_bytes())?;
        let rules: Vec<Cell> = (self.columns.iter())
            .map(|column| Cell { text: "-".repeat(column.width), width: column.width, is_null: false })
            .collect();
        is_cut |= self.write_line(rules.iter(), "", &mut line);
        self.out.write_all(line.as_bytes())?;
        let rows = std::mem::take(&mut self.rows);
        for row in &rows {
            is_cut |= self.write_line(row.iter(), "", &mut line);
            self.out.write_all(line.as_bytes())?;
        }
        self.rows = rows;
        Ok(is_cut)
    }
}

/// The longest start of a text that fits into this many columns.
fn start_of(text: &str, columns: usize) -> &str {
    let mut shown = 0;
    let overflows = |(_, character): &(usize, char)| {
        shown += Safe(character.encode_utf8(&mut [0; 4]).as_bytes()).columns();
        shown > columns
    };
    let end = text.char_indices().find(overflows).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

/// The ellipsis at the end of a cut line.
const CUT: char = '\u{2026}';

const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const RESET: &str = "\u{1b}[0m";

impl<W: Write> AnswerWriter for TextTable<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        for row in rows(batch)? {
            let values = row?;
            let cells: Vec<Cell> = values.iter().map(Cell::new).collect();
            for ((column, cell), value) in self.columns.iter_mut().zip(&cells).zip(&values) {
                column.width = column.width.max(cell.width);
                // A share of 0.99999 must not become 1.
                column.is_whole &= matches!(value, CellValue::Null)
                    || matches!(value, CellValue::Real(number) if number.fract() == 0.0)
                        && cell.text.ends_with(FRACTION);
            }
            self.rows.push(cells);
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.drop_fractions();
        self.columns.iter_mut().for_each(|column| column.width = column.width.min(MOST_WIDTH));
        let is_cut = match self.layout {
            TableLayout::Values => self.write_values().map(|()| false)?,
            TableLayout::Lines | TableLayout::CutLines(_) => self.write_lines()?,
        };
        let (count, mark) = (self.rows.len(), if is_cut { r"; cut to the window, \x shows whole rows" } else { "" });
        writeln!(self.out, "{count} {}{mark}", if count == 1 { "row" } else { "rows" })
    }
}
