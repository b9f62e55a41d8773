//! Charts as SVG.
//!
//! Plotters maps numbers to places, finds round numbers for axes and writes the shapes. This module places the labels, so
//! that none overlaps another. Charts have the colours of the light page. The style of the page maps each to a dark one by
//! its attribute, so that a chart has no style of its own.

mod areas;
mod bars;
mod category_axis;
mod dots;
mod heat;
mod histogram;
mod lines;
mod paint;
mod ratio;
mod stacked;
mod texture;

use crate::contents::{ChartKind, Plot};
use crate::crawl_days::CrawlDays;
use crate::grid::Grid;
use paint::Sheet;
pub(crate) use paint::{DrawError, Width, hex, palette};
pub(crate) use texture::definitions;

/// The content of an SVG element.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chart {
    /// The width in pixels.
    pub(crate) width: u32,
    /// The height in pixels.
    pub(crate) height: u32,
    /// The shapes as SVG.
    pub(crate) shapes: String,
}

/// The kind of chart for some numbers. Areas need three crawls or more in order of time; else they are stacked bars.
pub(crate) fn choose_kind(grid: &Grid, plot: &Plot, crawl_days: &CrawlDays) -> ChartKind {
    let is_course = grid.categories.len() >= areas::LEAST && crawl_days.ascend(&grid.categories);
    if plot.kind == ChartKind::Areas && !is_course { ChartKind::Stacked } else { plot.kind }
}

/// Draws numbers. Lines over one crawl become bars.
pub(crate) fn draw(grid: &Grid, plot: &Plot, crawl_days: &CrawlDays, width: Width) -> Result<Chart, DrawError> {
    let most = if width == Width::Narrow && plot.kind == ChartKind::Heat { 8 } else { plot.most };
    match choose_kind(grid, plot, crawl_days) {
        ChartKind::Lines if grid.categories.len() == 1 => draw_bars(&grid.transposed().first(most), plot, width),
        ChartKind::Lines => draw_lines(grid, plot, crawl_days, width),
        ChartKind::Areas => draw_areas(&grid.clone().without_empty_series(), plot, crawl_days, width),
        ChartKind::Stacked => stacked::draw(&grid.clone().first(most).without_empty_series(), plot.axis, width),
        ChartKind::Dots => dots::draw(&grid.clone().first(most), plot.axis, width),
        ChartKind::Histogram => histogram::draw(&grid.clone().first(most), plot.axis, width),
        ChartKind::Heat => heat::draw(&grid.clone().first(most), plot.axis, most, width),
        ChartKind::Ratio => ratio::draw(grid, plot.axis, most, width),
        ChartKind::Table | ChartKind::Bars => draw_bars(&grid.clone().first(most), plot, width),
    }
}

/// Draws charts side by side, all on one scale.
pub(crate) fn panels(grids: &[Grid], plot: &Plot, crawl_days: &CrawlDays) -> Result<Vec<Chart>, DrawError> {
    let width = Width::Panel;
    if grids.iter().all(|grid| choose_kind(grid, plot, crawl_days) == ChartKind::Areas) {
        let grids: Vec<Grid> = grids.iter().map(|grid| grid.clone().without_empty_series()).collect();
        let frame = areas::AreaFrame::measure(&grids, width);
        return grids.iter().map(|grid| areas::draw(grid, plot, crawl_days, width, &frame)).collect();
    }
    if plot.kind == ChartKind::Areas {
        let parts = |grid: &Grid| grid.clone().first(plot.most).without_empty_series();
        return grids.iter().map(|grid| stacked::draw(&parts(grid), plot.axis, width)).collect();
    }
    if grids.iter().all(|grid| grid.categories.len() == 1) {
        let grids: Vec<Grid> = grids.iter().map(|grid| grid.transposed().first(plot.most)).collect();
        let frame = bars::BarFrame::measure(&grids, width);
        return grids.iter().map(|grid| bars::draw(grid, plot.axis, &frame, width)).collect();
    }
    let frame = lines::LineFrame::measure(grids, width);
    grids.iter().map(|grid| lines::draw(grid, plot, crawl_days, width, &frame)).collect()
}

fn draw_areas(grid: &Grid, plot: &Plot, crawl_days: &CrawlDays, width: Width) -> Result<Chart, DrawError> {
    areas::draw(grid, plot, crawl_days, width, &areas::AreaFrame::measure(std::slice::from_ref(grid), width))
}

fn draw_lines(grid: &Grid, plot: &Plot, crawl_days: &CrawlDays, width: Width) -> Result<Chart, DrawError> {
    lines::draw(grid, plot, crawl_days, width, &lines::LineFrame::measure(std::slice::from_ref(grid), width))
}

fn draw_bars(grid: &Grid, plot: &Plot, width: Width) -> Result<Chart, DrawError> {
    bars::draw(grid, plot.axis, &bars::BarFrame::measure(std::slice::from_ref(grid), width), width)
}

/// The greatest number of several charts, or 0.
fn greatest(grids: &[Grid]) -> f64 {
    grids.iter().map(Grid::greatest).fold(0.0, f64::max)
}

impl From<Sheet> for Chart {
    fn from(sheet: Sheet) -> Chart {
        Chart { width: sheet.width, height: sheet.height, shapes: texture::with_patterns(sheet.shapes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contents::SECTIONS;
    use crate::formatting::Measure;

    /// One series with a number for each crawl.
    fn grid(name: &str, numbers: &[f64]) -> Grid {
        Grid {
            categories: (1..=numbers.len()).map(|nth| format!("CRAWL-{nth}")).collect(),
            series: vec![name.to_owned()],
            values: numbers.iter().map(|number| vec![Some(*number)]).collect(),
            inks: vec![0],
            measure: Measure::Share,
            is_ambiguous: false,
        }
    }

    /// What is written of the first shape of a kind in each of the panels, drawn as the first figure is that has panels of
    /// this form.
    fn firsts(shape: &str, kind: ChartKind, grids: &[Grid]) -> Vec<String> {
        let mut figures = SECTIONS.iter().flat_map(|section| section.figures);
        let figure = figures.find(|figure| !figure.plot.panel.is_empty() && figure.plot.kind == kind);
        let plot = &figure.expect("one has such panels").plot;
        let days = (1..9_u8).map(|nth| (format!("CRAWL-{nth}"), f64::from(nth) * 100.0));
        let charts = panels(grids, plot, &CrawlDays::from_days(days)).expect("it can be drawn");
        let first =
            |chart: Chart| chart.shapes.split(shape).nth(1).and_then(|rest| rest.split("/>").next().map(str::to_owned));
        charts.into_iter().map(|chart| first(chart).expect("the shape is there")).collect()
    }

    #[track_caller]
    fn check(shape: &str, kind: ChartKind, same: &[f64], other: &[f64]) {
        let names = ["ccbot", "meta-externalagent", "x"];
        let grids = [grid(names[0], same), grid(names[1], same), grid(names[2], other)];
        let found = firsts(shape, kind, &grids);
        assert_eq!(found[0], found[1]);
        assert_ne!(found[0], found[2]);
    }

    #[test]
    fn the_same_number_stands_at_the_same_place_in_each_panel() {
        check("<rect", ChartKind::Lines, &[0.1], &[0.4]);
        check("stroke-width=\"2\" points", ChartKind::Lines, &[0.1, 0.2], &[0.4, 0.1]);
        check("<polygon", ChartKind::Areas, &[1.0, 0.2, 0.1], &[1.0, 0.1, 0.1]);
    }
}
