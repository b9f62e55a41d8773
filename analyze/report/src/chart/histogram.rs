//! A column for each bin.

use super::drawn::Chart;
use super::lettering;
use super::paint::{self, AXIS, DrawError, MUTED, SMALL, Scale, Sheet, Side, Width};
use crate::grid::Grid;

/// The greatest width of a column.
const WIDEST: i32 = 96;

pub(super) fn draw(grid: &Grid, axis: &str, width: Width) -> Result<Chart, DrawError> {
    let all = width.pixels();
    let greatest = grid.greatest() * 1.05;
    let left = paint::levels_width(greatest, grid.measure);
    let (right, top, bottom) = (all - 8, 26, 246);
    let scale = Scale::up_to(greatest, (bottom, top));
    let bins = i32::try_from(grid.categories.len()).unwrap_or(1).max(1);
    // Without a limit, columns would be too wide if there are few bins.
    let right = right.min(left + bins * WIDEST);
    let edge = |bin: i32| left + (right - left) * bin / bins;
    let sheet = Sheet::draw(all, bottom + 30, |pen| {
        pen.heading(axis, (0, 8), all)?;
        pen.levels(&scale, grid.measure, (left, right))?;
        let mut free = 0;
        for (bin, (nth, category)) in (0..).zip(grid.categories.iter().enumerate()) {
            let (from, to) = (edge(bin), edge(bin + 1));
            if let Some(number) = grid.value(nth, 0).filter(|number| *number > 0.0) {
                let y = scale.place(number).min(bottom - 1);
                let ink = if grid.small(nth).is_some() { SMALL } else { paint::series_colours(0).0 };
                pen.rectangle((from + 1, y), ((to - 1).max(from + 2), bottom), ink)?;
            }
            let half = lettering::width(category, 11.0) / 2 + 2;
            let middle = (from + to) / 2;
            if middle - half >= free && middle + half <= all + 4 {
                pen.line(&[(middle, bottom), (middle, bottom + 4)], AXIS, 1)?;
                pen.sized_text(category, (middle, bottom + 16), Side::Middle, MUTED, 11.0)?;
                free = middle + half + 2;
            }
        }
        Ok(())
    })?;
    Ok(sheet.into())
}
