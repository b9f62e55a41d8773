//! Aligned columns, with numbers to the right. Nothing is written before the last row: the widths depend on all rows.

use super::cell_value::{CellValue, rows};
use super::{AnswerWriter, Ink};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use std::io::{self, Write};
use visible::Safe;

pub(super) struct TextTable<W> {
    ink: Ink,
    out: W,
    columns: Vec<TextColumn>,
    rows: Vec<Vec<Cell>>,
}

struct TextColumn {
    name: Cell,
    is_number: bool,
    is_real: bool,
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

/// How null is shown, to tell it from an empty text.
const NULL: &str = "-";

/// The fraction of a whole number, as `readable` writes it.
const FRACTION: &str = ".0000";

const GAP: &str = "  ";

impl<W: Write> TextTable<W> {
    pub(super) fn new(schema: &SchemaRef, ink: Ink, out: W) -> Self {
        let column = |field: &datafusion::arrow::datatypes::Field| {
            let name = Cell::new(&CellValue::Text(field.name().clone()));
            TextColumn {
                width: name.width,
                name,
                is_number: field.data_type().is_numeric(),
                is_real: field.data_type().is_floating(),
            }
        };
        TextTable { ink, out, columns: schema.fields().iter().map(|field| column(field)).collect(), rows: Vec::new() }
    }

    /// Shows a column of whole numbers without fractions. Sums of weights are whole if each weight is 1.
    fn drop_fractions(&mut self) {
        for (nth, column) in self.columns.iter_mut().enumerate().filter(|(_, column)| column.is_real) {
            let cells = || self.rows.iter().filter_map(|row| row.get(nth)).filter(|cell| !cell.is_null);
            if cells().any(|cell| !cell.text.ends_with(FRACTION)) {
                continue;
            }
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

    fn write_line<'c>(&self, cells: impl Iterator<Item = &'c Cell>, style: &str, line: &mut String) {
        line.clear();
        let mut owed = 0;
        for (nth, (column, cell)) in self.columns.iter().zip(cells).enumerate() {
            let pad = column.width.saturating_sub(cell.width);
            let before = if column.is_number { pad } else { 0 };
            // Padding is written before the next cell, so that no line ends with blanks.
            line.extend(std::iter::repeat_n(' ', owed + before + if nth == 0 { 0 } else { GAP.len() }));
            owed = pad - before;
            let style = if cell.is_null { DIM } else { style };
            match self.ink {
                Ink::Coloured if !style.is_empty() => line.extend([style, &cell.text, RESET]),
                _ => line.push_str(&cell.text),
            }
        }
        line.push('\n');
    }
}

const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const RESET: &str = "\u{1b}[0m";

impl<W: Write> AnswerWriter for TextTable<W> {
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        for row in rows(batch)? {
            let cells: Vec<Cell> = row?.iter().map(Cell::new).collect();
            for (column, cell) in self.columns.iter_mut().zip(&cells) {
                column.width = column.width.max(cell.width);
            }
            self.rows.push(cells);
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.drop_fractions();
        let mut line = String::new();
        self.write_line(self.columns.iter().map(|column| &column.name), BOLD, &mut line);
        self.out.write_all(line.as_bytes())?;
        let rules: Vec<String> = self.columns.iter().map(|column| "-".repeat(column.width)).collect();
        writeln!(self.out, "{}", rules.join(GAP))?;
        let rows = std::mem::take(&mut self.rows);
        for row in &rows {
            self.write_line(row.iter(), "", &mut line);
            self.out.write_all(line.as_bytes())?;
        }
        writeln!(self.out, "{} {}", rows.len(), if rows.len() == 1 { "row" } else { "rows" })
    }
}
