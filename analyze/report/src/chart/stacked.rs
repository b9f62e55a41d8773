//! A bar for each category, divided into the parts of a whole, with a legend in the order of the parts.

use super::drawn::Chart;
use super::lettering::{self, SIZE};
use super::paint::{self, DrawError, GRID, MUTED, Scale, Sheet, Side, TEXT, Width};
use super::texture::Texture;
use crate::formatting;
use crate::grid::Grid;

const ROW: i32 = 32;
const BAR: i32 = 24;

pub(super) fn draw(grid: &Grid, axis: &str, width: Width) -> Result<Chart, DrawError> {
    let all = width.pixels();
    let is_narrow = width != Width::Wide;
    // In a narrow chart, names are above their bars.
    let most = if is_narrow { all } else { all / 4 };
    let fit = |(nth, name): (usize, &String)| {
        let (name, number) = lettering::split_number(name);
        // A count has the denominator.
        let size = if number.contains(" of ") { String::new() } else { grid.size_note(nth) };
        lettering::fit_name(name, &format!("{number}{size}"), SIZE, most)
    };
    let names: Vec<String> = grid.categories.iter().enumerate().map(fit).collect();
    let labels = if is_narrow { 0 } else { lettering::widest(names.iter(), SIZE, most) + 10 };
    let row = if is_narrow { ROW + 18 } else { ROW };
    let right = all - 22;
    let scale = Scale::up_to(grid.greatest_sum(), (labels, right));
    let rows = i32::try_from(grid.categories.len()).unwrap_or_default();
    let legend = paint::legend_height(&grid.series, all);
    let (top, bottom) = (legend + 26, legend + 26 + rows * row);
    let sheet = Sheet::draw(all, bottom + 22, |pen| {
        pen.legend(&grid.series, all, |pen, series, place| pen.sample(grid.ink(series), place))?;
        pen.heading(axis, (labels, top - 12), all)?;
        for (_, x, text) in scale.ticks(grid.measure, if is_narrow { 4 } else { 6 }) {
            pen.line(&[(x, top), (x, bottom)], GRID, 1)?;
            let side = if x <= labels + 4 { Side::Start } else { Side::Middle };
            pen.sized_text(&text, (x, bottom + 12), side, MUTED, 11.0)?;
        }
        for (place, (nth, category)) in (0..).zip(names.iter().enumerate()) {
            let middle = if is_narrow { top + place * row + 34 } else { top + place * row + row / 2 };
            if is_narrow {
                pen.text(category, (0, middle - 21), Side::Start, TEXT)?;
            } else {
                pen.text(category, (labels - 8, middle), Side::End, TEXT)?;
            }
            let mut before = 0.0;
            for series in 0..grid.series.len() {
                let Some(number) = grid.value(nth, series).filter(|number| *number > 0.0) else { continue };
                let (from, to) = (scale.place(before), scale.place(before + number));
                before += number;
                // A gap separates two parts, whatever their colours.
                let end = if to - from > 3 { to - 1 } else { to.max(from + 1) };
                let ink = grid.ink(series);
                let (above, below) = (middle - BAR / 2, middle + BAR / 2);
                // With a small denominator, the count replaces the share.
                let (texture, text) = match grid.small(nth) {
                    Some(size) => (Texture::in_grey(ink), formatting::format_count(number, size)),
                    None => (Texture::in_colour(ink), grid.measure.format(number)),
                };
                pen.part(texture, (from, above), (end, below))?;
                // The percent sign is omitted if it does not fit: the axis has it.
                let bare = text.trim_end_matches(['%', '\u{a0}']);
                let room = to - from - 8;
                if let Some(text) = [text.as_str(), bare].into_iter().find(|text| lettering::width(text, 11.0) < room) {
                    pen.text_on_part(text, texture, (from, above), (end, below))?;
                }
            }
        }
        Ok(())
    })?;
    Ok(sheet.into())
}
