//! Bars to the left and to the right of a line at 1, on a logarithmic scale.

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
        let reach = reach as i32;
        let step = choose_step(reach, scale.place(reach.into()) - scale.place(0.0));
        for tick in (-reach..=reach).filter(|tick| tick % step == 0) {
            let x = scale.place(tick.into());
            pen.line(&[(x, top), (x, bottom)], GRID, 1)?;
            pen.sized_text(&name_tick(tick), (x, bottom + 12), Side::Middle, MUTED, 11.0)?;
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

/// How many doublings are between two ticks, so that the names of ticks do not overlap on a side of this many pixels.
fn choose_step(reach: i32, pixels: i32) -> i32 {
    let widest = lettering::width(&name_tick(-reach), 11.0) + 6;
    (1..reach).find(|step| pixels * step >= widest * reach).unwrap_or(reach)
}

fn name_tick(tick: i32) -> String {
    if tick < 0 { format!("1/{}", 1_u64 << -tick) } else { (1_u64 << tick).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_ticks_do_not_overlap() {
        assert_eq!([choose_step(1, 10), choose_step(3, 300), choose_step(6, 66), choose_step(60, 300)], [1, 1, 3, 28]);
    }
}
