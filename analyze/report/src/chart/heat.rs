//! A cell for each category and series, with its number. Columns with long names are numbered like the rows.

use super::Chart;
use super::paint::{self, DrawError, HEAT, MUTED, SIZE, Sheet, Side, TEXT, Width};
use crate::formatting::Measure;
use crate::grid::Grid;

const ROW: i32 = 26;

/// The rows and columns that are drawn. A map of pairs has its columns in the order of its rows.
pub(super) fn select(grid: Grid, most: usize) -> Grid {
    let grid = grid.first(most);
    let place = |category: &String| grid.series.iter().position(|series| series == category);
    let mut columns: Vec<usize> = grid.categories.iter().filter_map(place).collect();
    if !has_long_names(&grid) || columns.is_empty() {
        columns = (0..grid.series.len()).take(most.max(10)).collect();
    }
    grid.with_series(&columns)
}

fn has_long_names(grid: &Grid) -> bool {
    grid.series.iter().any(|name| name.len() > 6)
}

pub(super) fn draw(grid: &Grid, axis: &str, width: Width) -> Result<Chart, DrawError> {
    let all = width.pixels();
    let are_numbered = has_long_names(grid);
    let rows: Vec<String> = if are_numbered {
        (1..).zip(&grid.categories).map(|(nth, category)| format!("{nth}\u{2002}{category}")).collect()
    } else {
        grid.categories.clone()
    };
    let labels = paint::widest(rows.iter(), SIZE, all * 2 / 5) + 10;
    let count = i32::try_from(grid.series.len()).unwrap_or(1).max(1);
    let edge = |column: i32| labels + (all - labels) * column / count;
    let greatest = grid.greatest();
    let top = 48;
    let height = top + i32::try_from(rows.len()).unwrap_or_default() * ROW + 4;
    let sheet = Sheet::draw(all, height, |pen| {
        let unit = if grid.measure == Measure::Share { ", in percent" } else { "" };
        pen.heading(&format!("{axis}{unit}"), (0, 8), all)?;
        for (place, series) in (0..).zip(&grid.series) {
            let name = if are_numbered {
                let nth = grid.categories.iter().position(|category| category == series);
                nth.map_or(String::new(), |nth| (nth + 1).to_string())
            } else {
                series.clone()
            };
            let middle = (edge(place) + edge(place + 1)) / 2;
            // The first may reach over the labels, where no other name stands.
            if place == 0 && paint::width(&name, 11.0) > edge(1) - edge(0) {
                pen.sized_text(&name, (edge(1) - 2, top - 12), Side::End, TEXT, 11.0)?;
            } else {
                pen.sized_text(&name, (middle, top - 12), Side::Middle, TEXT, 11.0)?;
            }
        }
        for (nth, (row, label)) in (0..).zip(rows.iter().enumerate()) {
            let y = top + nth * ROW;
            pen.text(&paint::fit_text(label, SIZE, labels - 10), (labels - 8, y + ROW / 2), Side::End, TEXT)?;
            for (place, series) in (0..).zip(0..grid.series.len()) {
                let (from, to) = (edge(place), edge(place + 1));
                let Some(number) = grid.value(row, series) else { continue };
                let (ink, on) = choose_colours(number, greatest);
                pen.rectangle((from + 1, y + 1), (to - 1, y + ROW - 1), ink)?;
                let text = format_number(grid.measure, number);
                if paint::width(&text, 11.0) <= to - from {
                    pen.sized_text(&text, ((from + to) / 2, y + ROW / 2), Side::Middle, on, 11.0)?;
                }
            }
        }
        Ok(())
    })?;
    Ok(sheet.into())
}

fn choose_colours(number: f64, greatest: f64) -> (paint::ThemeColour, paint::ThemeColour) {
    let part = if greatest > 0.0 { (number / greatest).clamp(0.0, 1.0) } else { 0.0 };
    let step = (part * HEAT.len() as f64) as usize;
    let place = step.min(HEAT.len() - 1);
    HEAT.into_iter().nth(place).unwrap_or((MUTED, TEXT))
}

/// A share without its percent sign, which is in the heading.
fn format_number(measure: Measure, number: f64) -> String {
    match measure {
        Measure::Share if number == 0.0 => "0".to_owned(),
        Measure::Share if number >= 0.0995 => format!("{:.0}", number * 100.0),
        Measure::Share => format!("{:.1}", number * 100.0),
        _ => measure.format(number),
    }
}
