//! A bar for each category, to the right, with its number behind it.

use super::Chart;
use super::paint::{self, AXIS, Fault, MUTED, SIZE, Scale, Sheet, Side, TEXT, Width};
use crate::grid::Grid;

const ROW: i32 = 26;
const BAR: i32 = 16;

pub(super) fn draw(grid: &Grid, axis: &str, greatest: Option<f64>, width: Width) -> Result<Chart, Fault> {
    let all = width.pixels();
    let most = if width == Width::Wide { all * 2 / 5 } else { all / 2 };
    let labels = paint::widest(grid.categories.iter(), SIZE, most) + 10;
    let numbers: Vec<String> = grid.numbers().map(|number| grid.measure.told(number)).collect();
    let behind = paint::widest(numbers.iter(), SIZE, all / 4) + 10;
    let scale = Scale::up_to(greatest.unwrap_or_else(|| grid.greatest()), (labels, all - behind));
    let rows = i32::try_from(grid.categories.len()).unwrap_or_default();
    let top = 22;
    let sheet = Sheet::draw(all, top + rows * ROW + 4, |pen| {
        pen.heading(axis, (labels, 8), all)?;
        for (place, (row, category)) in (0..).zip(grid.categories.iter().enumerate()) {
            let middle = top + place * ROW + ROW / 2;
            let label = paint::fitted(category, SIZE, labels - 10);
            pen.text(&label, (labels - 8, middle), Side::End, TEXT)?;
            let Some(number) = grid.value(row, 0) else {
                pen.text("not known", (labels + 6, middle), Side::Start, MUTED)?;
                continue;
            };
            let mut end = scale.place(number.max(0.0));
            if number > 0.0 {
                end = end.max(labels + 1);
                pen.rectangle((labels, middle - BAR / 2), (end, middle + BAR / 2), paint::of_series(0).0)?;
            }
            pen.text(&grid.measure.told(number), (end + 6, middle), Side::Start, TEXT)?;
        }
        pen.line(&[(labels, top), (labels, top + rows * ROW)], AXIS, 1)
    })?;
    Ok(sheet.into())
}
