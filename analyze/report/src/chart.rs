//! Charts as SVG.
//!
//! Plotters maps numbers to places, finds round numbers for axes and writes the shapes. This module places the labels
//! so that they do not overlap. Charts have the colours of the light page. The style sheet of the page maps each colour
//! attribute to a dark colour, so a chart needs no style of its own.

mod areas;
mod bars;
mod category_axis;
mod dots;
mod drawn;
mod heat;
mod histogram;
mod lettering;
mod lines;
mod paint;
mod ratio;
mod stacked;
mod texture;

use crate::contents::{ChartKind, Plot};
use crate::crawl_days::CrawlDays;
use crate::grid::Grid;
pub(crate) use drawn::Chart;
pub(crate) use paint::{DrawError, Width, hex, palette};
pub(crate) use texture::definitions;

/// The numbers to draw for each panel or for the only chart. All panels have the same kind of chart.
pub(crate) struct Arrangement {
    pub(crate) kind: ChartKind,
    width: Width,
    /// The numbers that are drawn.
    pub(crate) grids: Vec<Grid>,
    /// The same grids, including numbers that are not drawn.
    pub(crate) whole: Vec<Grid>,
}

/// Chooses the kind of chart, and which numbers of each grid are drawn.
pub(crate) fn arrange(grids: Vec<Grid>, plot: &Plot, crawl_days: &CrawlDays, width: Width) -> Arrangement {
    let kind = choose_kind(&grids, plot, crawl_days);
    let most = if width == Width::Narrow && kind == ChartKind::Heat { 8 } else { plot.most };
    let is_turned = kind == ChartKind::Bars && plot.kind == ChartKind::Lines;
    let whole = if is_turned { grids.iter().map(Grid::transposed).collect() } else { grids };
    let select = |grid: Grid| match kind {
        ChartKind::Lines => lines::select(grid),
        ChartKind::Areas => grid.without_empty_series(),
        ChartKind::Stacked => grid.first(most).without_empty_series(),
        ChartKind::Bars if plot.is_ordinal => grid.first(most),
        ChartKind::Bars => grid.without_zeros().sorted().first(most),
        ChartKind::Dots => grid.without_zeros().first(most),
        ChartKind::Table | ChartKind::Histogram => grid.first(most),
        ChartKind::Heat => heat::select(grid, most),
        ChartKind::Ratio => grid.first_and_last(most),
    };
    Arrangement { kind, width, grids: whole.iter().cloned().map(select).collect(), whole }
}

/// Areas become stacked bars unless every panel has three or more crawls in chronological order, no gap between them
/// and no small denominator. Lines become bars if there is only one crawl.
fn choose_kind(grids: &[Grid], plot: &Plot, crawl_days: &CrawlDays) -> ChartKind {
    let suits_areas = |grid: &Grid| {
        grid.categories.len() >= areas::LEAST
            && crawl_days.ascend(&grid.categories)
            && !crawl_days.gaps(&grid.categories).contains(&true)
            && (0..grid.categories.len()).all(|category| grid.small(category).is_none())
    };
    match plot.kind {
        ChartKind::Areas if !grids.iter().all(suits_areas) => ChartKind::Stacked,
        ChartKind::Lines if grids.iter().all(|grid| grid.categories.len() == 1) => ChartKind::Bars,
        kind => kind,
    }
}

impl Arrangement {
    /// Draws a chart for each grid; no chart for a table. Bars, lines and areas have the same scale in all panels.
    pub(crate) fn draw(&self, plot: &Plot, crawl_days: &CrawlDays) -> Result<Vec<Chart>, DrawError> {
        let grids = &self.grids;
        let (axis, width) = (plot.axis, self.width);
        let each = |draw: &dyn Fn(&Grid) -> Result<Chart, DrawError>| grids.iter().map(draw).collect();
        match self.kind {
            ChartKind::Table => Ok(Vec::new()),
            ChartKind::Bars => {
                let frame = bars::BarFrame::measure(grids, width);
                each(&|grid| bars::draw(grid, axis, &frame, width))
            }
            ChartKind::Lines => {
                let frame = lines::LineFrame::measure(grids, width);
                each(&|grid| lines::draw(grid, plot, crawl_days, width, &frame))
            }
            ChartKind::Areas => {
                let frame = areas::AreaFrame::measure(grids, width);
                each(&|grid| areas::draw(grid, plot, crawl_days, width, &frame))
            }
            ChartKind::Stacked => each(&|grid| stacked::draw(grid, axis, width)),
            ChartKind::Dots => each(&|grid| dots::draw(grid, plot, width)),
            ChartKind::Histogram => each(&|grid| histogram::draw(grid, axis, width)),
            ChartKind::Heat => each(&|grid| heat::draw(grid, axis, width)),
            ChartKind::Ratio => each(&|grid| ratio::draw(grid, axis, width)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contents::{figure, figures};
    use crate::formatting::Measure;

    /// One series with a number for each crawl.
    fn grid(name: &str, numbers: &[f64]) -> Grid {
        Grid {
            categories: (1..=numbers.len()).map(|nth| format!("CRAWL-{nth}")).collect(),
            series: vec![name.to_owned()],
            values: numbers.iter().map(|number| vec![Some(*number)]).collect(),
            sizes: vec![None; numbers.len()],
            notes: vec![String::new(); numbers.len()],
            inks: vec![0],
            measure: Measure::Share,
            needs_size: true,
            is_ambiguous: false,
        }
    }

    /// The attributes of the first shape of a kind in each panel. The panels are drawn as in the first figure that has
    /// panels of this kind.
    fn firsts(shape: &str, kind: ChartKind, grids: &[Grid]) -> Vec<String> {
        let figure = figures().find(|figure| !figure.plot.panel.is_empty() && figure.plot.kind == kind);
        let plot = &figure.expect("one has such panels").plot;
        let days = (1..9_u8).map(|nth| (format!("CRAWL-{nth}"), f64::from(nth) * 100.0));
        let days = CrawlDays::from_days(days);
        let charts = arrange(grids.to_vec(), plot, &days, Width::Panel).draw(plot, &days);
        let first =
            |chart: Chart| chart.shapes.split(shape).nth(1).and_then(|rest| rest.split("/>").next().map(str::to_owned));
        charts.expect("it can be drawn").into_iter().map(|chart| first(chart).expect("the shape is there")).collect()
    }

    #[test]
    fn all_panels_have_the_kind_that_suits_the_shortest() {
        let plot = &figure("access_by_rank_and_crawl").plot;
        let days = CrawlDays::from_days((1..9_u8).map(|nth| (format!("CRAWL-{nth}"), f64::from(nth))));
        let kind = |grids: &[Grid]| arrange(grids.to_vec(), plot, &days, Width::Panel).kind;
        assert_eq!(kind(&[grid("x", &[1.0; 3])]), ChartKind::Areas);
        assert_eq!(kind(&[grid("x", &[1.0; 3]), grid("x", &[1.0; 2])]), ChartKind::Stacked);
    }

    #[track_caller]
    fn check(shape: &str, kind: ChartKind, same: &[f64], other: &[f64]) {
        let names = ["ccbot", "meta-externalagent", "x"];
        let grids = [grid(names[0], same), grid(names[1], same), grid(names[2], other)];
        let found = firsts(shape, kind, &grids);
        assert_eq!(found[0], found[1]);
        assert_ne!(found[0], found[2]);
    }

    /// A mark between the last crawl and a name would look like one more crawl.
    #[test]
    fn the_mark_of_a_name_comes_after_it() {
        let plot = &figure("ai_overview").plot;
        let days = CrawlDays::from_days([("CRAWL-1".to_owned(), 0.0), ("CRAWL-2".to_owned(), 3_000.0)]);
        let charts = arrange(vec![grid("ccbot", &[0.1, 0.2])], plot, &days, Width::Wide).draw(plot, &days);
        let shapes = charts.expect("it can be drawn").remove(0).shapes;
        let place = |text: &str| shapes.find(text).unwrap_or_else(|| panic!("no {text} in {shapes}"));
        let marks: Vec<usize> = shapes.match_indices("<circle").map(|(at, _)| at).collect();
        assert_eq!(marks.len(), 3, "{shapes}");
        assert!(marks[1] < place(">ccbot") && place(">ccbot") < marks[2], "{shapes}");
    }

    #[test]
    fn lines_are_named_in_the_order_of_their_last_numbers() {
        let mut two = grid("ccbot", &[0.5, 0.1]);
        two.series.push("gptbot".to_owned());
        two.values.iter_mut().zip([0.0, 0.2]).for_each(|(values, number)| values.push(Some(number)));
        two.inks.push(1);
        assert_eq!(lines::select(two).series, ["gptbot", "ccbot"]);
    }

    /// Hosts, pairs and rule sets are no sites.
    #[test]
    fn an_axis_names_what_its_denominator_counts() {
        for figure in figures() {
            let unit = figure.counted.1.split(' ').next().unwrap_or_default();
            let is_other = !["", "sites"].contains(&unit) && figure.plot.kind != ChartKind::Table;
            assert!(!is_other || figure.plot.axis.contains(unit), "{}: {}", figure.id, figure.plot.axis);
        }
    }

    /// The least room is that of a telephone. A cut heading would lose its end, such as the unit.
    #[test]
    fn no_heading_is_cut() {
        for figure in figures() {
            let axis = figure.plot.axis;
            let of_heat = [0, 1, 2].map(|counts| heat::write_heading(axis, Measure::Share, counts, 2));
            let headings = if figure.plot.kind == ChartKind::Heat { &of_heat[..] } else { &[axis.to_owned()] };
            for heading in headings {
                let cut = lettering::fit_text(heading, 11.0, Width::Narrow.pixels());
                assert_eq!(cut, *heading, "{}", figure.id);
            }
        }
    }

    /// The answers of another engine are not ours.
    #[test]
    fn any_numbers_can_be_drawn() {
        let days = CrawlDays::from_days((1..9_u8).map(|nth| (format!("CRAWL-{nth}"), f64::from(nth) * 100.0)));
        let measures = [Measure::Share, Measure::Number, Measure::LogRatio];
        for numbers in [&[1e18, -1e18, 0.5][..], &[1e18; 8], &[-1e18; 3], &[5e-324, 1e-300, 1e-17], &[1e-15, 1e18, 3.0]]
        {
            for figure in figures() {
                let grids: Vec<Grid> = measures.map(|measure| Grid { measure, ..grid("x", numbers) }).to_vec();
                for width in [Width::Wide, Width::Narrow, Width::Panel] {
                    for grid in &grids {
                        let arranged = arrange(vec![grid.clone()], &figure.plot, &days, width);
                        let charts = arranged.draw(&figure.plot, &days).expect("it can be drawn");
                        let length = charts.iter().map(|chart| chart.shapes.len()).sum::<usize>();
                        assert!(length < 100_000, "{}: {numbers:?}: {length} bytes", figure.id);
                    }
                }
            }
        }
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e19] {
            assert_eq!(crate::answer_table::AnswerCell::Real(number).number(), None);
        }
    }

    /// Readers who cannot see colours tell series apart by textures.
    #[test]
    fn parts_with_a_small_denominator_keep_their_textures() {
        let plot = &figure("access_by_rank").plot;
        let mut small = grid("rules", &[0.6]);
        small.series.push("no rules".to_owned());
        small.values.iter_mut().for_each(|values| values.push(Some(0.4)));
        small.inks.push(1);
        small.sizes = vec![Some(30.0)];
        let days = CrawlDays::default();
        let charts = arrange(vec![small], plot, &days, Width::Wide).draw(plot, &days);
        let shapes = charts.expect("it can be drawn").remove(0).shapes;
        let fills = ["#9AA2AD", "url(#texture-grey-1)"].map(|fill| shapes.matches(&format!("fill=\"{fill}\"")).count());
        // The text on a texture has a plain background.
        assert_eq!(fills, [2, 1], "{shapes}");
        let definitions = definitions().into_string();
        assert!(definitions.contains("id=\"texture-grey-1\""), "{definitions}");
    }

    #[test]
    fn the_same_number_stands_at_the_same_place_in_each_panel() {
        check("<rect", ChartKind::Lines, &[0.1], &[0.4]);
        check("stroke-width=\"2\" points", ChartKind::Lines, &[0.1, 0.2], &[0.4, 0.1]);
        check("<polygon", ChartKind::Areas, &[1.0, 0.2, 0.1], &[1.0, 0.1, 0.1]);
    }
}
