//! The charts of a figure, with their descriptions.

use crate::answers::ShownFigure;
use crate::captions;
use crate::chart::{self, Chart, DrawError, Width};
use crate::contents::ChartKind;
use crate::crawl_days::CrawlDays;
use crate::formatting;
use crate::grid::Grid;

/// The charts of a figure, or why it has none.
pub(crate) enum Drawing {
    /// None: the figure is a table.
    Table,
    /// None: there is no number, or all numbers are zero.
    Nothing,
    /// None: several rows belong to one mark, and a chart of one of them would be wrong.
    Ambiguous,
    /// One chart, wide and narrow, and its description.
    One(Box<[Chart; 2]>, String),
    /// A chart for each panel, with its name and its description.
    Panels(Vec<(String, Chart, String)>),
}

impl Drawing {
    /// Draws a figure.
    pub(crate) fn draw(shown: &ShownFigure, crawl_days: &CrawlDays) -> Result<Self, DrawError> {
        let plot = &shown.figure.plot;
        if plot.kind == ChartKind::Table {
            return Ok(Drawing::Table);
        }
        let grid = Grid::from_answer(&shown.answer, plot, None);
        if grid.is_ambiguous && plot.panel.is_empty() {
            return Ok(Drawing::Ambiguous);
        }
        if grid.is_empty() || grid.numbers().all(|number| number == 0.0) {
            return Ok(Drawing::Nothing);
        }
        if plot.panel.is_empty() {
            let charts = [
                chart::draw(&grid, plot, crawl_days, Width::Wide)?,
                chart::draw(&grid, plot, crawl_days, Width::Narrow)?,
            ];
            return Ok(Drawing::One(
                Box::new(charts),
                captions::describe_chart(&grid, chart::choose_kind(&grid, plot, crawl_days)),
            ));
        }
        let mut names: Vec<String> = Vec::new();
        for cell in shown.answer.column(plot.panel) {
            let name = formatting::format_cell(plot.panel, cell);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let grids: Vec<Grid> = names.iter().map(|name| Grid::from_answer(&shown.answer, plot, Some(name))).collect();
        let charts = chart::panels(&grids, plot, crawl_days)?;
        let panels = names.into_iter().zip(charts).zip(&grids);
        let panels = panels
            .map(|((name, chart), grid)| {
                (name, chart, captions::describe_chart(grid, chart::choose_kind(grid, plot, crawl_days)))
            })
            .collect();
        Ok(Drawing::Panels(panels))
    }
}
