//! A horizontal bar for each category, with its number after it.

use super::drawn::Chart;
use super::lettering::{self, SIZE};
use super::paint::{self, AXIS, DrawError, MUTED, SMALL, Scale, Sheet, Side, TEXT, Width};
use crate::grid::Grid;

const ROW: i32 = 26;
const BAR: i32 = 16;

/// The measures that all panels share, so that a number has the same length in each.
pub(super) struct BarFrame {
    greatest: f64,
    /// The widths of the labels before the bars and of the numbers after them.
    sides: (i32, i32),
    /// The height of a name above its bar: in a narrow chart or a panel, long names have no space beside the bars.
    above: i32,
}

impl BarFrame {
    pub(super) fn measure(grids: &[Grid], width: Width) -> Self {
        let all = width.pixels();
        let most = if width == Width::Wide { all * 2 / 5 } else { all / 2 };
        let names = || grids.iter().flat_map(|grid| &grid.categories);
        let is_above = width != Width::Wide && lettering::widest(names(), SIZE, i32::MAX) > most;
        let labels = if is_above { 0 } else { lettering::widest(names(), SIZE, most) + 10 };
        let labels_of = |grid: &Grid| {
            let label = |category| grid.value(category, 0).map(|number| grid.label(category, number));
            (0..grid.categories.len()).filter_map(label).collect::<Vec<_>>()
        };
        let numbers: Vec<String> = grids.iter().flat_map(labels_of).collect();
        let after = lettering::widest(numbers.iter(), SIZE, all / 4);
        BarFrame {
            greatest: Grid::greatest_of_all(grids),
            sides: (labels, after + 10),
            above: if is_above { 16 } else { 0 },
        }
    }
}

pub(super) fn draw(grid: &Grid, axis: &str, frame: &BarFrame, width: Width) -> Result<Chart, DrawError> {
    let all = width.pixels();
    let (labels, after) = frame.sides;
    let scale = Scale::up_to(frame.greatest, (labels, all - after));
    let rows = i32::try_from(grid.categories.len()).unwrap_or_default();
    let (top, row_height) = (22, ROW + frame.above);
    let sheet = Sheet::draw(all, top + rows * row_height + 4, |pen| {
        pen.heading(axis, (labels, 8), all)?;
        for (place, (row, category)) in (0..).zip(grid.categories.iter().enumerate()) {
            let middle = top + place * row_height + frame.above + ROW / 2;
            if frame.above > 0 {
                let name = lettering::fit_text(category, SIZE, all);
                pen.text(&name, (0, middle - ROW / 2 - frame.above / 2 + 4), Side::Start, TEXT)?;
            } else {
                let name = lettering::fit_text(category, SIZE, labels - 10);
                pen.text(&name, (labels - 8, middle), Side::End, TEXT)?;
            }
            let Some(number) = grid.value(row, 0) else {
                pen.text("not known", (labels + 6, middle), Side::Start, MUTED)?;
                continue;
            };
            let mut end = scale.place(number.max(0.0));
            if number > 0.0 {
                end = end.max(labels + 1);
                let ink = if grid.small(row).is_some() { SMALL } else { paint::series_colours(0).0 };
                pen.rectangle((labels, middle - BAR / 2), (end, middle + BAR / 2), ink)?;
            }
            pen.text(&grid.label(row, number), (end + 6, middle), Side::Start, TEXT)?;
        }
        pen.line(&[(labels, top), (labels, top + rows * row_height)], AXIS, 1)
    })?;
    Ok(sheet.into())
}
