//! The charts of a figure, with their descriptions.

use crate::answers::ShownFigure;
use crate::captions;
use crate::chart::{self, Chart, DrawError, Width};
use crate::contents::ChartKind;
use crate::crawl_days::CrawlDays;
use crate::formatting;
use crate::grid::{self, Grid};

/// The most charts in one figure.
const MOST_PANELS: usize = 64;

/// The charts of a figure, or why it has no chart.
pub(crate) enum Drawing {
    /// No chart: the figure is a table.
    Table,
    /// No chart: there is no number, or all numbers are zero.
    Nothing,
    /// No chart: the only number, as a sentence.
    Sentence(String),
    /// No chart: several rows belong to one mark, so a chart would be wrong.
    Ambiguous,
    /// One chart, for wide and for narrow screens.
    One(Box<[DrawnChart; 2]>),
    /// A chart for each panel, with its name, and how many panels are shown; `None` if all of them.
    Panels(Vec<(String, DrawnChart)>, Option<String>),
}

/// A chart and the texts about it.
pub(crate) struct DrawnChart {
    pub(crate) chart: Chart,
    /// The chart in words.
    pub(crate) description: String,
    /// Explains grey marks, counts after names, and gaps in lines.
    pub(crate) remarks: String,
    /// How much of the answer the chart shows; `None` if all of it.
    pub(crate) extent: Option<String>,
}

impl Drawing {
    /// Draws a figure.
    pub(crate) fn draw(shown: &ShownFigure, crawl_days: &CrawlDays) -> Result<Self, DrawError> {
        let plot = &shown.figure.plot;
        if plot.kind == ChartKind::Table {
            return Ok(Drawing::Table);
        }
        let grid = Grid::from_answer(&shown.answer, shown.figure, None);
        if grid.is_ambiguous && plot.panel.is_empty() {
            return Ok(Drawing::Ambiguous);
        }
        if grid.numbers().all(|number| number == 0.0) {
            return Ok(Drawing::Nothing);
        }
        if let Some(sentence) = captions::describe_only_number(&grid, shown) {
            return Ok(Drawing::Sentence(sentence));
        }
        if plot.panel.is_empty() {
            let charts =
                [Width::Wide, Width::Narrow].map(|width| draw_all(vec![grid.clone()], shown, crawl_days, width));
            let [wide, narrow] = charts;
            return Ok(match (wide?.pop(), narrow?.pop()) {
                (Some(wide), Some(narrow)) => Drawing::One(Box::new([wide, narrow])),
                _ => Drawing::Table,
            });
        }
        let mut names: Vec<String> = Vec::new();
        for cell in shown.answer.column(plot.panel) {
            let name = formatting::format_cell(plot.panel, cell);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.len() > MOST_PANELS || grid.series.len() >= grid::MOST_SERIES {
            return Ok(Drawing::Table);
        }
        let grids = names.iter().map(|name| {
            let panel = Grid::from_answer(&shown.answer, shown.figure, Some(name));
            // All panels have all crawls, so that a day has the same place in each.
            (name, if plot.x == "crawl" { panel.with_all(&grid.categories) } else { panel })
        });
        let is_empty = |grid: &Grid| grid.numbers().all(|number| number == 0.0);
        let (drawn, grids): (Vec<_>, Vec<_>) = grids.filter(|(_, grid)| !is_empty(grid)).unzip();
        let charts = draw_all(grids, shown, crawl_days, Width::Panel)?;
        let extent = captions::describe_panels(drawn.len(), names.len());
        Ok(Drawing::Panels(drawn.into_iter().cloned().zip(charts).collect(), extent))
    }
}

fn draw_all(
    grids: Vec<Grid>,
    shown: &ShownFigure,
    crawl_days: &CrawlDays,
    width: Width,
) -> Result<Vec<DrawnChart>, DrawError> {
    let plot = &shown.figure.plot;
    let arrangement = chart::arrange(grids, plot, crawl_days, width);
    let charts = arrangement.draw(plot, crawl_days)?;
    let grids = arrangement.grids.iter().zip(&arrangement.whole);
    let describe = |(chart, (drawn, whole)): (Chart, (&Grid, &Grid))| DrawnChart {
        chart,
        description: captions::describe_chart(drawn, arrangement.kind),
        remarks: captions::explain_marks(drawn, arrangement.kind, plot, crawl_days),
        extent: captions::describe_extent(drawn, whole, shown.top()),
    };
    Ok(charts.into_iter().zip(grids).map(describe).collect())
}
