//! The charts of a figure, and their text.

use crate::ask::Shown;
use crate::chart::{self, Chart, Fault, Width};
use crate::contents::Kind;
use crate::grid::Grid;
use crate::moments::Moments;
use crate::told;
use crate::words;

/// What is drawn of a figure.
pub(crate) enum Drawing {
    /// Nothing: the table tells it.
    Table,
    /// Nothing, for want of numbers.
    Nothing,
    /// Nothing: several rows would stand in one place, and to draw one of them would be wrong.
    Ambiguous,
    /// One chart, for pages and for telephones, and its description.
    One(Box<[Chart; 2]>, String),
    /// A chart for each panel, with its name and its description.
    Panels(Vec<(String, Chart, String)>),
}

impl Drawing {
    /// Draws a figure.
    pub(crate) fn of(shown: &Shown, moments: &Moments) -> Result<Self, Fault> {
        let plot = &shown.figure.plot;
        if plot.kind == Kind::Table {
            return Ok(Drawing::Table);
        }
        let grid = Grid::of(&shown.answer, plot, None);
        if grid.is_ambiguous && plot.panel.is_empty() {
            return Ok(Drawing::Ambiguous);
        }
        if grid.is_empty() || grid.numbers().all(|number| number == 0.0) {
            return Ok(Drawing::Nothing);
        }
        if plot.panel.is_empty() {
            let charts =
                [chart::draw(&grid, plot, moments, Width::Wide)?, chart::draw(&grid, plot, moments, Width::Narrow)?];
            return Ok(Drawing::One(Box::new(charts), told::description(&grid, chart::form(&grid, plot, moments))));
        }
        let mut names: Vec<String> = Vec::new();
        for cell in shown.answer.column(plot.panel) {
            let name = words::cell(plot.panel, cell);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let grids: Vec<Grid> = names.iter().map(|name| Grid::of(&shown.answer, plot, Some(name))).collect();
        let charts = chart::panels(&grids, plot, moments)?;
        let panels = names.into_iter().zip(charts).zip(&grids);
        let panels = panels
            .map(|((name, chart), grid)| (name, chart, told::description(grid, chart::form(grid, plot, moments))))
            .collect();
        Ok(Drawing::Panels(panels))
    }
}
