//! Stacked bands of the parts of a whole, over crawls, with their names at the right end.

use super::category_axis::{CategoryAxis, spread_labels};
use super::drawn::Chart;
use super::lettering::{self, SIZE};
use super::lines::{labels, room};
use super::paint::{self, DrawError, PAPER, Scale, Sheet, Side, TEXT, Width};
use super::texture::Texture;
use crate::contents::Plot;
use crate::crawl_days::CrawlDays;
use crate::grid::Grid;

const PLOT: i32 = 260;
const PLOT_OF_PANEL: i32 = 170;

/// The least number of crawls for a chart of bands.
pub(super) const LEAST: usize = 3;

/// The measures that all panels share, so that a day has the same place in each.
pub(super) struct AreaFrame {
    /// The width of the names at the right ends of bands, in pixels.
    labels: i32,
    plot: i32,
}

impl AreaFrame {
    pub(super) fn measure(grids: &[Grid], width: Width) -> Self {
        let labels: Vec<String> = grids.iter().flat_map(|grid| labels(grid, width)).collect();
        AreaFrame {
            labels: lettering::widest(labels.iter(), SIZE, room(width)),
            plot: if width == Width::Panel { PLOT_OF_PANEL } else { PLOT },
        }
    }
}

pub(super) fn draw(
    grid: &Grid,
    plot: &Plot,
    crawl_days: &CrawlDays,
    width: Width,
    frame: &AreaFrame,
) -> Result<Chart, DrawError> {
    let all = width.pixels();
    let labels = labels(grid, width);
    let is_wide = width != Width::Narrow;
    let right = if is_wide { all - frame.labels - 34 } else { all - 14 };
    let legend = if is_wide { 0 } else { paint::legend_height(&labels, all) };
    let left = paint::levels_width(grid.greatest_sum(), grid.measure);
    let category_axis = CategoryAxis::lay_out(grid, plot, crawl_days, (left, right));
    let top = legend + 22 + category_axis.height();
    let bottom = top + frame.plot;
    let scale = Scale::up_to(grid.greatest_sum(), (bottom, top));
    // The borders of bands from bottom to top: one more than there are series.
    let mut sums = vec![0.0; grid.categories.len()];
    let border = |sums: &[f64]| -> Vec<(i32, i32)> {
        category_axis.places.iter().zip(sums).map(|(x, sum)| (*x, scale.place(*sum))).collect()
    };
    let mut borders = vec![border(&sums)];
    for series in 0..grid.series.len() {
        for (category, sum) in sums.iter_mut().enumerate() {
            *sum += grid.value(category, series).unwrap_or_default();
        }
        borders.push(border(&sums));
    }
    let sheet = Sheet::draw(all, bottom + 30, |pen| {
        if !is_wide {
            pen.legend(&labels, all, |pen, nth, place| pen.sample(grid.ink(nth), place))?;
        }
        pen.heading(plot.axis, (0, legend + 8), all)?;
        pen.levels(&scale, grid.measure, (left, right))?;
        for (nth, pair) in borders.windows(2).enumerate() {
            let [lower, upper] = pair else { continue };
            pen.band(grid.ink(nth), upper, lower)?;
            pen.line(upper, PAPER, 1)?;
        }
        category_axis.draw(pen, grid, legend + 22, bottom, all)?;
        if is_wide {
            let ends: Vec<i32> = borders
                .windows(2)
                .filter_map(|pair| Some((pair.first()?.last()?.1 + pair.last()?.last()?.1) / 2))
                .collect();
            for (nth, (label, y)) in labels.iter().zip(spread_labels(&ends, top, bottom)).enumerate() {
                pen.part(Texture::in_colour(grid.ink(nth)), (right + 8, y - 6), (right + 20, y + 6))?;
                pen.text(label, (right + 26, y), Side::Start, TEXT)?;
            }
        }
        Ok(())
    })?;
    Ok(sheet.into())
}
