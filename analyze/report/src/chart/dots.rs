//! Marks on a line for each category. They show how far two or more numbers are apart.

use super::drawn::Chart;
use super::lettering::{self, SIZE};
use super::paint::{self, AXIS, DrawError, GRID, MUTED, SMALL, Scale, Sheet, Side, Width};
use crate::contents::Plot;
use crate::grid::Grid;

const ROW: i32 = 26;
/// The height of a line of notes below a row.
const NOTE: i32 = 16;

pub(super) fn draw(grid: &Grid, plot: &Plot, width: Width) -> Result<Chart, DrawError> {
    let all = width.pixels();
    let most = all * 2 / 5;
    let names = grid.categories.iter().enumerate();
    let names: Vec<Vec<String>> =
        names.map(|(nth, name)| name_lines(name, &grid.counts_note(nth), plot, width)).collect();
    let labels = lettering::widest(names.iter().flatten(), SIZE, most) + 10;
    let row = |name: &[String]| ROW + lettering::further_lines(name);
    // Names of agents are long, so notes have lines of their own below the row.
    let notes: Vec<Vec<String>> = grid.notes.iter().map(|note| lettering::wrap_text(note, 11.0, all)).collect();
    let note_lines = |nth: usize| notes.get(nth).map_or(0, |lines| i32::try_from(lines.len()).unwrap_or_default());
    let right = all - 30;
    let scale = Scale::up_to(grid.greatest(), (labels + 6, right));
    let height: i32 = names.iter().enumerate().map(|(nth, name)| row(name) + note_lines(nth) * NOTE).sum();
    let legend = paint::legend_height(&grid.series, all);
    let (top, bottom) = (legend + 26, legend + 26 + height);
    let sheet = Sheet::draw(all, bottom + 22, |pen| {
        pen.legend(&grid.series, all, |pen, series, place| {
            pen.mark(paint::mark(series), place, paint::series_colours(series).0)
        })?;
        pen.heading(plot.axis, (labels, top - 12), all)?;
        for (tick, x, text) in scale.ticks(grid.measure, if width == Width::Wide { 6 } else { 3 }) {
            pen.line(&[(x, top), (x, bottom)], if tick == 0.0 { AXIS } else { GRID }, 1)?;
            pen.sized_text(&text, (x, bottom + 12), Side::Middle, MUTED, 11.0)?;
        }
        let mut above = top;
        for (nth, name) in names.iter().enumerate() {
            let middle = above + row(name) / 2;
            above += row(name);
            for line in notes.get(nth).into_iter().flatten() {
                // The grid stops at notes. Behind half of a text, its lines would look like a fault.
                pen.clear((0, above), (all, above + NOTE))?;
                pen.sized_text(line, (0, above + NOTE / 2 - 2), Side::Start, MUTED, 11.0)?;
                above += NOTE;
            }
            pen.name(name, (labels - 8, middle))?;
            let numbers: Vec<(usize, i32)> = (0..grid.series.len())
                .filter_map(|series| Some((series, scale.place(grid.value(nth, series)?))))
                .collect();
            let places = || numbers.iter().map(|(_, x)| *x);
            if let (Some(from), Some(to)) = (places().min(), places().max()) {
                pen.line(&[(from, middle), (to, middle)], AXIS, 2)?;
            }
            for ((series, x), aside) in numbers.iter().zip(spread_marks(&numbers)) {
                let ink = if grid.small(nth).is_some() { SMALL } else { paint::series_colours(*series).0 };
                pen.mark(paint::mark(*series), (*x, middle + aside), ink)?;
            }
        }
        Ok(())
    })?;
    Ok(sheet.into())
}

/// The lines of the name of a category. In a narrow chart, a name made of several columns has one line for the first
/// column and one for the others: cut to one line, many names would be the same. Untrusted text cannot change the
/// number of lines.
fn name_lines(name: &str, note: &str, plot: &Plot, width: Width) -> Vec<String> {
    let room = width.pixels() * 2 / 5;
    match name.split_once(", ").filter(|_| width != Width::Wide && plot.x.contains(' ')) {
        Some((first, others)) => {
            vec![lettering::fit_text(first, SIZE, room), lettering::fit_name(others, note, SIZE, room)]
        }
        None => lettering::name_lines(name, note, room, width != Width::Wide),
    }
}

/// The distance of each mark from its line, chosen so that no mark hides another.
fn spread_marks(numbers: &[(usize, i32)]) -> Vec<i32> {
    const NEAR: i32 = 8;
    let mut order: Vec<(usize, i32)> = numbers.iter().map(|(_, x)| *x).enumerate().collect();
    order.sort_by_key(|(nth, x)| (*x, *nth));
    let mut asides = vec![0; numbers.len()];
    for crowd in order.chunk_by(|(_, one), (_, next)| next - one < NEAR) {
        // In the order of the series, even if another is a pixel to the left.
        let mut members: Vec<usize> = crowd.iter().map(|(nth, _)| *nth).collect();
        members.sort_unstable();
        let above = NEAR * (i32::try_from(members.len()).unwrap_or(1) - 1) / 2;
        for (step, nth) in (0..).zip(members) {
            if let Some(aside) = asides.get_mut(nth) {
                *aside = step * NEAR - above;
            }
        }
    }
    asides
}

#[cfg(test)]
mod tests {
    use super::spread_marks;

    #[test]
    fn marks_do_not_hide_one_another() {
        assert_eq!(spread_marks(&[(0, 100), (1, 200)]), [0, 0]);
        assert_eq!(spread_marks(&[(0, 101), (1, 100)]), [-4, 4]);
        assert_eq!(spread_marks(&[(0, 100), (1, 50), (2, 100)]), [-4, 0, 4]);
        assert_eq!(spread_marks(&[(0, 100), (1, 100), (2, 100)]), [-8, 0, 8]);
    }
}
