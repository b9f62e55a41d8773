//! A cell for each category and series, with its number. The heading of a column is the number of its row in a map of
//! pairs. Otherwise it is the start of the column's label, and a key above the map has all labels.

use super::drawn::Chart;
use super::lettering::{self, SIZE};
use super::paint::{self, DrawError, HEAT, MUTED, ON_LIGHT, SMALL, Sheet, Side, TEXT, Width};
use crate::formatting::{self, Measure};
use crate::grid::Grid;

const ROW: i32 = 26;

/// The rows and columns that are drawn. A map of pairs has its columns in the order of its rows.
pub(super) fn select(grid: Grid, most: usize) -> Grid {
    let grid = grid.without_gaps().first(most);
    let place = |category: &String| grid.series.iter().position(|series| series == category);
    let mut columns: Vec<usize> = grid.categories.iter().filter_map(place).collect();
    if columns.is_empty() {
        columns = (0..grid.series.len()).take(most.max(10)).collect();
    }
    grid.with_series(&columns)
}

/// Whether rows and columns are the same set.
fn is_of_pairs(grid: &Grid) -> bool {
    grid.series.iter().any(|series| grid.categories.contains(series))
}

pub(super) fn draw(grid: &Grid, axis: &str, width: Width) -> Result<Chart, DrawError> {
    let all = width.pixels();
    let is_of_pairs = is_of_pairs(grid);
    let numbered = || (1..).zip(&grid.categories).map(|(nth, name)| format!("{nth}\u{2002}{name}")).collect();
    let rows = if is_of_pairs { numbered() } else { grid.categories.clone() };
    let most = all * 2 / 5;
    let lines =
        |(nth, name): (usize, &String)| lettering::name_lines(name, &grid.size_note(nth), most, width != Width::Wide);
    let rows: Vec<Vec<String>> = rows.iter().enumerate().map(lines).collect();
    let row_height = ROW + rows.iter().map(|lines| lettering::further_lines(lines)).max().unwrap_or_default();
    let key = if is_of_pairs { &[] } else { grid.series.as_slice() };
    let key_height = if is_of_pairs { 0 } else { paint::legend_height(key, all) };
    let labels = lettering::widest(rows.iter().flatten(), SIZE, most) + 10;
    let count = i32::try_from(grid.series.len()).unwrap_or(1).max(1);
    let edge = |column: i32| labels + (all - labels) * column / count;
    let greatest = grid.greatest();
    let top = 48 + key_height;
    let height = top + i32::try_from(rows.len()).unwrap_or_default() * row_height + 4;
    let sheet = Sheet::draw(all, height, |pen| {
        let counts = (0..rows.len()).filter(|&row| grid.small(row).is_some()).count();
        pen.legend(key, all, |_, _, _| Ok(()))?;
        pen.heading(&write_heading(axis, grid.measure, counts, rows.len()), (0, key_height + 8), all)?;
        for (place, series) in (0..).zip(&grid.series) {
            let heading = match grid.categories.iter().position(|category| category == series) {
                Some(row) => (row + 1).to_string(),
                None => series.split(": ").next().unwrap_or_default().to_owned(),
            };
            let (from, to) = (edge(place), edge(place + 1));
            // The heading of the first column may be wider than the column. It has room to the left.
            let (x, side) = match lettering::width(&heading, 11.0) < to - from {
                true => ((from + to) / 2, Side::Middle),
                false => (to - 3, Side::End),
            };
            pen.sized_text(&heading, (x, top - 12), side, TEXT, 11.0)?;
        }
        for (nth, (row, label)) in (0..).zip(rows.iter().enumerate()) {
            let y = top + nth * row_height;
            let middle = y + row_height / 2;
            pen.name(label, (labels - 8, middle))?;
            for (place, series) in (0..).zip(0..grid.series.len()) {
                let (from, to) = (edge(place), edge(place + 1));
                let Some(number) = grid.value(row, series) else { continue };
                // With a small denominator, the count replaces the share.
                let (ink, on, text) = match grid.small(row) {
                    Some(size) => (SMALL, ON_LIGHT, formatting::format_count(number, size)),
                    None => {
                        let (ink, on) = choose_colours(number, greatest);
                        (ink, on, format_number(grid.measure, number))
                    }
                };
                pen.rectangle((from + 1, y + 1), (to - 1, y + row_height - 1), ink)?;
                if lettering::width(&text, 11.0) <= to - from {
                    pen.sized_text(&text, ((from + to) / 2, middle), Side::Middle, on, 11.0)?;
                }
            }
        }
        Ok(())
    })?;
    Ok(sheet.into())
}

/// The heading of a map. In `counts` of its rows, the cells are counts instead of shares.
pub(super) fn write_heading(axis: &str, measure: Measure, counts: usize, rows: usize) -> String {
    match counts {
        _ if measure != Measure::Share => axis.to_owned(),
        0 => format!("{axis}, in percent"),
        _ if counts == rows => "number of sites".to_owned(),
        _ => "share in percent; grey: number of sites".to_owned(),
    }
}

fn choose_colours(number: f64, greatest: f64) -> (paint::ThemeColour, paint::ThemeColour) {
    let part = if greatest > 0.0 { (number / greatest).clamp(0.0, 1.0) } else { 0.0 };
    let step = (part * HEAT.len() as f64) as usize;
    let place = step.min(HEAT.len() - 1);
    HEAT.into_iter().nth(place).unwrap_or((MUTED, TEXT))
}

/// A number for a cell. The percent sign of shares is in the heading. Shares that would be rounded to 0 or to 100 have
/// more digits.
fn format_number(measure: Measure, number: f64) -> String {
    match measure {
        Measure::Share if !(0.000_5..0.995).contains(&number) => {
            formatting::format_percent(number).trim_end_matches(['%', formatting::NO_BREAK]).to_owned()
        }
        Measure::Share if number >= 0.0995 => format!("{:.0}", number * 100.0),
        Measure::Share => format!("{:.1}", number * 100.0),
        _ => measure.format(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A share in sites is none.
    #[test]
    fn the_heading_is_that_of_the_cells() {
        let heading = |measure, counts| write_heading("share of sites that block it", measure, counts, 2);
        assert_eq!(heading(Measure::Share, 0), "share of sites that block it, in percent");
        assert_eq!(heading(Measure::Share, 1), "share in percent; grey: number of sites");
        assert_eq!(heading(Measure::Share, 2), "number of sites");
        assert_eq!(heading(Measure::Number, 0), "share of sites that block it");
    }

    #[test]
    fn no_share_is_rounded_to_none_or_all() {
        let shares = [0.0, 0.000_083, 0.01, 0.5, 0.996, 11_999.0 / 12_000.0, 1.0];
        let texts = shares.map(|share| format_number(Measure::Share, share));
        assert_eq!(texts, ["0", "0.008", "1.0", "50", "99.6", "99.992", "100"]);
    }
}
