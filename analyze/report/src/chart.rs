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
        Kind::Lines if grid.categories.len() == 1 => bars::draw(&grid.turned().first(most), plot.axis, None, width),
        Kind::Lines => lines::draw(grid, plot, moments, width, None),
        Kind::Areas => areas::draw(&grid.clone().without_empty_series(), plot, moments, width),
        Kind::Stacked => stacked::draw(&grid.clone().first(most).without_empty_series(), plot.axis, width),
        Kind::Dots => dots::draw(&grid.clone().first(most), plot.axis, width),
        Kind::Histogram => histogram::draw(&grid.clone().first(most), plot.axis, width),
        Kind::Heat => heat::draw(&grid.clone().first(most), plot.axis, most, width),
        Kind::Ratio => ratio::draw(grid, plot.axis, most, width),
        Kind::Table | Kind::Bars => bars::draw(&grid.clone().first(most), plot.axis, None, width),
    }
}

/// Draws one of several panels, all on one scale.
pub(crate) fn panel(grid: &Grid, plot: &Plot, moments: &Moments, greatest: f64, width: Width) -> Result<Chart, Fault> {
    match grid.categories.len() {
        1 => bars::draw(&grid.turned().first(plot.most), plot.axis, Some(greatest), width),
        _ => lines::draw(grid, plot, moments, width, Some(greatest)),
    }
}

impl From<Sheet> for Chart {
    fn from(sheet: Sheet) -> Chart {
        Chart { width: sheet.width, height: sheet.height, shapes: sheet.shapes }
    }
}
