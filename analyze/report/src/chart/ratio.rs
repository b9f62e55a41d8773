//! Bars to the left and to the right of a line at 1, on a scale where each step doubles.

use super::drawn::Chart;
use super::lettering::{self, SIZE};
use super::paint::{self, AXIS, DrawError, GRID, MUTED, Scale, Sheet, Side, TEXT, Width};
use crate::formatting::Measure;
use crate::grid::Grid;

const ROW: i32 = 24;
const BAR: i32 = 14;

/// The most steps on each side. Longer bars are cut.
const MOST_STEPS: f64 = 60.0;

pub(super) fn draw(grid: &Grid, axis: &str, width: Width) -> Result<Chart, DrawError> {
    let all = width.pixels();
    let reach = grid.numbers().map(f64::abs).fold(1.0, f64::max).ceil().min(MOST_STEPS);
    let labels = lettering::widest(grid.categories.iter(), SIZE, all * 2 / 5) + 10;
    let scale = Scale::new((-reach, reach), (labels + 44, all - 44));
    let rows = i32::try_from(grid.categories.len()).unwrap_or_default();
    let (top, bottom) = (46, 46 + rows * ROW);
    let sheet = Sheet::draw(all, bottom + 22, |pen| {
        pen.heading(axis, (0, 8), all)?;
        pen.sized_text("less often", (scale.place(0.0) - 10, top - 14), Side::End, MUTED, 11.0)?;
        pen.sized_text("more often", (scale.place(0.0) + 10, top - 14), Side::Start, MUTED, 11.0)?;
        let step = if width == Width::Wide { 1 } else { 2 };
        for tick in (-(reach as i32)..=reach as i32).filter(|tick| tick % step == 0) {
            let x = scale.place(tick.into());
            pen.line(&[(x, top), (x, bottom)], GRID, 1)?;
            let text = if tick < 0 { format!("1/{}", 1_u64 << -tick) } else { (1_u64 << tick).to_string() };
            pen.sized_text(&text, (x, bottom + 12), Side::Middle, MUTED, 11.0)?;
        }
        for (nth, (name, number)) in (0..).zip(grid.categories.iter().zip(grid.numbers())) {
            let middle = top + nth * ROW + ROW / 2;
            pen.text(&lettering::fit_text(name, SIZE, labels - 10), (labels - 8, middle), Side::End, TEXT)?;
            let (zero, end) = (scale.place(0.0), scale.place(number));
            let series = if number < 0.0 { 2 } else { 1 };
            if end != zero {
                pen.rectangle(
                    (zero.min(end), middle - BAR / 2),
                    (zero.max(end), middle + BAR / 2),
                    paint::series_colours(series).0,
                )?;
            }
            let side = if number < 0.0 { Side::End } else { Side::Start };
            let place = if number < 0.0 { end - 6 } else { end + 6 };
            pen.sized_text(&Measure::LogRatio.format(number), (place, middle), side, TEXT, 11.0)?;
        }
        pen.line(&[(scale.place(0.0), top - 6), (scale.place(0.0), bottom)], AXIS, 2)
    })?;
    Ok(sheet.into())
}
