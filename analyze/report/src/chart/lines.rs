//! A line for each series, with its name at the right end. Lines over crawls have a time axis with events.

use super::category_axis::{CategoryAxis, spread_labels};
use super::drawn::Chart;
use super::lettering::{self, SIZE};
use super::paint::{self, AXIS, DrawError, SMALL, Scale, Sheet, Side, TEXT, Width};
use crate::contents::Plot;
use crate::crawl_days::CrawlDays;
use crate::grid::Grid;

/// The greatest number of lines. The table has all series.
const MOST: usize = 8;
const PLOT: i32 = 230;
const PLOT_OF_PANEL: i32 = 150;

/// The measures that all panels share, so that a day and a number have the same place in each.
pub(super) struct LineFrame {
    greatest: f64,
    /// The width of the names at the right ends of lines, in pixels.
    labels: i32,
    /// Whether the names are beside the lines and not above them.
    is_beside: bool,
    /// The height of the names above the lines.
    legend: i32,
    plot: i32,
}

impl LineFrame {
    pub(super) fn measure(grids: &[Grid], width: Width) -> Self {
        let all = width.pixels();
        let labels: Vec<Vec<String>> = grids.iter().map(|grid| labels(grid, width)).collect();
        let widest = lettering::widest(labels.iter().flatten(), SIZE, all);
        let is_beside = match width {
            Width::Wide => true,
            // Beside the lines of a panel, names of agents would be cut, and some differ only at their ends.
            Width::Panel => widest <= all * 2 / 5,
            // The only series has no name. Its number alone fits beside the line.
            Width::Narrow => grids.iter().flat_map(|grid| &grid.series).all(String::is_empty),
        };
        let legends = labels.iter().map(|labels| paint::legend_height(labels, all));
        LineFrame {
            greatest: Grid::greatest_of_all(grids),
            labels: widest,
            is_beside,
            legend: if is_beside { 0 } else { legends.max().unwrap_or_default() },
            plot: if width == Width::Panel { PLOT_OF_PANEL } else { PLOT },
        }
    }
}

/// The greatest width of a name with its number.
pub(super) fn room(width: Width) -> i32 {
    if width == Width::Wide { width.pixels() * 2 / 5 } else { width.pixels() - 20 }
}

/// The names of series, each with its last number.
pub(super) fn labels(grid: &Grid, width: Width) -> Vec<String> {
    let names = grid.series.iter().enumerate();
    names.map(|(nth, name)| label(name, &last(grid, nth), room(width))).collect()
}

pub(super) fn draw(
    grid: &Grid,
    plot: &Plot,
    crawl_days: &CrawlDays,
    width: Width,
    frame: &LineFrame,
) -> Result<Chart, DrawError> {
    let all = width.pixels();
    let labels = labels(grid, width);
    let right = if frame.is_beside { all - frame.labels - 28 } else { all - 14 };
    let legend = frame.legend;
    let greatest = frame.greatest * 1.05;
    let left = paint::levels_width(greatest, grid.measure);
    let category_axis = CategoryAxis::lay_out(grid, plot, crawl_days, (left + 6, right - 6));
    let top = legend + 22 + category_axis.height();
    let bottom = top + frame.plot;
    let scale = Scale::up_to(greatest, (bottom, top));
    let sheet = Sheet::draw(all, bottom + 30, |pen| {
        if !frame.is_beside {
            pen.legend(&labels, all, |pen, nth, place| {
                pen.mark(paint::mark(nth), place, paint::series_colours(nth).0)
            })?;
        }
        pen.heading(plot.axis, (0, legend + 8), all)?;
        pen.levels(&scale, grid.measure, (left, right))?;
        category_axis.draw(pen, grid, legend + 22, bottom, all)?;
        for nth in 0..grid.series.len() {
            let ink = paint::series_colours(nth).0;
            let points: Vec<(usize, (i32, i32))> = category_axis
                .places
                .iter()
                .enumerate()
                .filter_map(|(category, x)| Some((category, (*x, scale.place(grid.value(category, nth)?)))))
                .collect();
            // No line crosses a crawl without a number, or a gap between crawls.
            for run in points.chunk_by(|(one, _), (next, _)| *next == one + 1 && !category_axis.is_after_gap(*next)) {
                let places: Vec<(i32, i32)> = run.iter().map(|(_, place)| *place).collect();
                pen.line(&places, ink, 2)?;
            }
            for (category, place) in points {
                let ink = if grid.small(category).is_some() { SMALL } else { ink };
                pen.mark(paint::mark(nth), place, ink)?;
            }
        }
        if frame.is_beside {
            let ends: Vec<(i32, i32)> = (0..grid.series.len())
                .map(|series| {
                    let mut points = category_axis.places.iter().enumerate().rev();
                    let end = points.find_map(|(category, x)| Some((*x, scale.place(grid.value(category, series)?))));
                    end.unwrap_or((right, bottom))
                })
                .collect();
            let wanted: Vec<i32> = ends.iter().map(|(_, y)| *y).collect();
            for (nth, (label, y)) in labels.iter().zip(spread_labels(&wanted, top, bottom)).enumerate() {
                let (end, end_y) = ends.get(nth).copied().unwrap_or((right, y));
                pen.line(&[(end + 7, end_y), (right + 8, y)], AXIS, 1)?;
                pen.text(label, (right + 11, y), Side::Start, TEXT)?;
                if !grid.series.iter().all(String::is_empty) {
                    // Before the name, the mark would look like a number of one more crawl.
                    let after = right + 11 + lettering::width(label, SIZE) + 9;
                    pen.mark(paint::mark(nth), (after, y), paint::series_colours(nth).0)?;
                }
            }
        }
        Ok(())
    })?;
    Ok(sheet.into())
}

/// The series with the greatest numbers, ordered by their last number, as their lines end from top to bottom.
pub(super) fn select(grid: Grid) -> Grid {
    let numbers = |series: usize| -> Vec<f64> {
        (0..grid.categories.len()).filter_map(|category| grid.value(category, series)).collect()
    };
    let peak = |series: usize| numbers(series).into_iter().fold(0.0, f64::max);
    let end = |series: usize| numbers(series).last().copied().unwrap_or_default();
    let mut order: Vec<usize> = (0..grid.series.len()).collect();
    order.sort_by(|one, other| peak(*other).total_cmp(&peak(*one)).then(one.cmp(other)));
    order.truncate(MOST);
    order.sort_by(|one, other| end(*other).total_cmp(&end(*one)).then(one.cmp(other)));
    grid.with_series(&order)
}

fn last(grid: &Grid, series: usize) -> String {
    let number = |category| grid.value(category, series).map(|number| grid.label(category, number));
    (0..grid.categories.len()).rev().find_map(number).unwrap_or_default()
}

/// A name and its last number. Only the name is cut.
fn label(name: &str, number: &str, room: i32) -> String {
    if name.is_empty() {
        return number.to_owned();
    }
    let after = format!(" {number}");
    format!("{}{after}", lettering::fit_text(name, SIZE, room - lettering::width(&after, SIZE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stays_whole() {
        assert_eq!(label("ccbot", "0.43 %", 200), "ccbot 0.43 %");
        assert_eq!(label("", "0.43 %", 200), "0.43 %");
        assert_eq!(label("meta-externalagent", "0.43 %", 120), "meta-exte\u{2026} 0.43 %");
    }
}
