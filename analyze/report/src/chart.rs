//! Charts as SVG.
//!
//! Plotters maps numbers to places, finds round numbers for axes and writes the shapes; where labels stand is decided here,
//! so that none lies upon another. Colours are those of the light page. The page's style maps each to its dark one, as it
//! can by the attribute, so that a chart holds no style of its own.

mod along;
mod areas;
mod bars;
mod dots;
mod heat;
mod histogram;
mod lines;
mod paint;
mod ratio;
mod stacked;
mod texture;

use crate::contents::{Kind, Plot};
use crate::grid::Grid;
use crate::moments::Moments;
use paint::Sheet;
pub(crate) use paint::{Fault, Width, palette};

/// A chart, but for the element around it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chart {
    /// How wide it is.
    pub(crate) width: u32,
    /// How high it is.
    pub(crate) height: u32,
    /// What is in it.
    pub(crate) shapes: String,
}

/// The form in which numbers are drawn: bands make a course of several crawls, of which each has its time.
pub(crate) fn form(grid: &Grid, plot: &Plot, moments: &Moments) -> Kind {
    let is_course = grid.categories.len() >= areas::LEAST && moments.ascend(&grid.categories);
    if plot.kind == Kind::Areas && !is_course { Kind::Stacked } else { plot.kind }
}

/// Draws numbers. Of one crawl, lines are bars.
pub(crate) fn draw(grid: &Grid, plot: &Plot, moments: &Moments, width: Width) -> Result<Chart, Fault> {
    let most = if width == Width::Narrow && plot.kind == Kind::Heat { 8 } else { plot.most };
    match form(grid, plot, moments) {
        Kind::Lines if grid.categories.len() == 1 => list(&grid.turned().first(most), plot, width),
        Kind::Lines => course(grid, plot, moments, width),
        Kind::Areas => areas::draw(&grid.clone().without_empty_series(), plot, moments, width),
        Kind::Stacked => stacked::draw(&grid.clone().first(most).without_empty_series(), plot.axis, width),
        Kind::Dots => dots::draw(&grid.clone().first(most), plot.axis, width),
        Kind::Histogram => histogram::draw(&grid.clone().first(most), plot.axis, width),
        Kind::Heat => heat::draw(&grid.clone().first(most), plot.axis, most, width),
        Kind::Ratio => ratio::draw(grid, plot.axis, most, width),
        Kind::Table | Kind::Bars => list(&grid.clone().first(most), plot, width),
    }
}

/// Draws charts that stand beside one another, all on one scale.
pub(crate) fn panels(grids: &[Grid], plot: &Plot, moments: &Moments) -> Result<Vec<Chart>, Fault> {
    let width = Width::Panel;
    if grids.iter().all(|grid| grid.categories.len() == 1) {
        let grids: Vec<Grid> = grids.iter().map(|grid| grid.turned().first(plot.most)).collect();
        let frame = bars::Frame::of(&grids, width);
        return grids.iter().map(|grid| bars::draw(grid, plot.axis, &frame, width)).collect();
    }
    let frame = lines::Frame::of(grids, width);
    grids.iter().map(|grid| lines::draw(grid, plot, moments, width, &frame)).collect()
}

fn course(grid: &Grid, plot: &Plot, moments: &Moments, width: Width) -> Result<Chart, Fault> {
    lines::draw(grid, plot, moments, width, &lines::Frame::of(std::slice::from_ref(grid), width))
}

fn list(grid: &Grid, plot: &Plot, width: Width) -> Result<Chart, Fault> {
    bars::draw(grid, plot.axis, &bars::Frame::of(std::slice::from_ref(grid), width), width)
}

/// The greatest number of several charts, or nothing.
fn greatest(grids: &[Grid]) -> f64 {
    grids.iter().map(Grid::greatest).fold(0.0, f64::max)
}

impl From<Sheet> for Chart {
    fn from(sheet: Sheet) -> Chart {
        Chart { width: sheet.width, height: sheet.height, shapes: sheet.shapes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contents::SECTIONS;
    use crate::words::Measure;

    /// What an agent with this name gets in crawl after crawl.
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

    /// What is written of the first shape of a kind in each of the panels.
    fn firsts(shape: &str, grids: &[Grid]) -> Vec<String> {
        let mut figures = SECTIONS.iter().flat_map(|section| section.figures);
        let figure = figures.find(|figure| !figure.plot.panel.is_empty()).expect("one has panels");
        let charts = panels(grids, &figure.plot, &Moments::default()).expect("it can be drawn");
        let first =
            |chart: Chart| chart.shapes.split(shape).nth(1).and_then(|rest| rest.split("/>").next().map(str::to_owned));
        charts.into_iter().map(|chart| first(chart).expect("the shape is there")).collect()
    }

    #[test]
    fn the_same_number_stands_at_the_same_place_in_each_panel() {
        let long = "meta-externalagent";
        let bars = firsts("<rect", &[grid("ccbot", &[0.1]), grid(long, &[0.1]), grid("x", &[0.4])]);
        assert_eq!(bars[0], bars[1]);
        assert_ne!(bars[0], bars[2]);
        let lines = firsts(
            "stroke-width=\"2\" points",
            &[grid("ccbot", &[0.1, 0.2]), grid(long, &[0.1, 0.2]), grid("x", &[0.4, 0.1])],
        );
        assert_eq!(lines[0], lines[1]);
        assert_ne!(lines[0], lines[2]);
    }
}
