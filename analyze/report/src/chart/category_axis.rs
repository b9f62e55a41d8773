//! An axis of crawls or strata: places, labels and events.

use super::lettering;
use super::paint::{AXIS, DrawResult, MUTED, Pen, Scale, Side};
use crate::contents::Plot;
use crate::crawl_days::{CrawlDays, events};
use crate::grid::Grid;

/// The places of categories and events.
pub(super) struct CategoryAxis {
    pub(super) places: Vec<i32>,
    events: Vec<(i32, String)>,
    /// For each category, whether the time since the one before it is too long for a line.
    gaps: Vec<bool>,
}

impl CategoryAxis {
    /// Lays out the axis between two places.
    pub(super) fn lay_out(grid: &Grid, plot: &Plot, crawl_days: &CrawlDays, ends: (i32, i32)) -> Self {
        let days = plot.x == "crawl";
        let events = if days { place_events(crawl_days, grid, ends) } else { Vec::new() };
        let gaps = if days { crawl_days.gaps(&grid.categories) } else { Vec::new() };
        CategoryAxis { places: place_categories(grid, crawl_days, days, ends), events, gaps }
    }

    /// Whether no line may lead to a category from the one before it.
    pub(super) fn is_after_gap(&self, category: usize) -> bool {
        self.gaps.get(category).copied().unwrap_or(false)
    }

    /// The height of the names of events above the chart, in pixels.
    pub(super) fn height(&self) -> i32 {
        14 * i32::try_from(self.events.len()).unwrap_or_default()
    }

    /// The place, the side of it and the height for the name of each event, chosen so that no name crosses the line of
    /// another event.
    fn place_names(&self, first: i32, all: i32) -> Vec<(i32, Side, i32)> {
        let width = |event: &str| lettering::width(event, 11.0);
        let events = i32::try_from(self.events.len()).unwrap_or_default();
        let heights = (0..events).map(|nth| first + nth * 14);
        // To the right, a name passes above the lines of later events, which start further down.
        if self.events.iter().all(|(x, event)| x + width(event) <= all) {
            return self.events.iter().zip(heights).map(|((x, _), y)| (*x, Side::Start, y)).collect();
        }
        // To the left, it passes above the lines of earlier events.
        if self.events.iter().all(|(x, event)| width(event) <= *x) {
            return self.events.iter().zip(heights.rev()).map(|((x, _), y)| (*x, Side::End, y)).collect();
        }
        let place = |((x, event), y): (&(i32, String), i32)| match width(event) {
            width if x + width <= all => (*x, Side::Start, y),
            width if width <= *x => (*x, Side::End, y),
            // There is no room on either side. The line starts below the name.
            _ => (0, Side::Start, y),
        };
        self.events.iter().zip(heights).map(place).collect()
    }

    /// Draws the names of events from the height `first` down, and the categories below the chart.
    pub(super) fn draw(&self, pen: &Pen<'_>, grid: &Grid, first: i32, bottom: i32, all: i32) -> DrawResult {
        let named = self.place_names(first, all);
        for ((x, _), (_, _, y)) in self.events.iter().zip(&named) {
            pen.line(&[(*x, y + 6), (*x, bottom)], AXIS, 1)?;
        }
        for ((_, event), (x, side, y)) in self.events.iter().zip(&named) {
            let width = lettering::width(event, 11.0);
            let from = if *side == Side::End { x - width } else { *x };
            // Where a name must cross a line, it stays legible.
            pen.clear((from + 1, y - 6), (from + width - 1, y + 6))?;
            pen.sized_text(event, (*x, *y), *side, MUTED, 11.0)?;
        }
        // The last category always has a label, the others if there is space.
        let mut labelled: Vec<(i32, i32)> = Vec::new();
        for (x, category) in self.places.iter().zip(&grid.categories).rev() {
            let half = lettering::width(category, 11.0) / 2 + 6;
            let middle = (*x).clamp(half, (all - half).max(half));
            pen.line(&[(*x, bottom), (*x, bottom + 4)], AXIS, 1)?;
            if labelled.iter().all(|(from, to)| middle + half <= *from || middle - half >= *to) {
                pen.sized_text(category, (middle, bottom + 16), Side::Middle, MUTED, 11.0)?;
                labelled.push((middle - half, middle + half));
            }
        }
        Ok(())
    }
}

/// The place of each category: by its day, or at equal distances if a day is unknown.
fn place_categories(grid: &Grid, crawl_days: &CrawlDays, by_time: bool, (from, to): (i32, i32)) -> Vec<i32> {
    let days: Option<Vec<f64>> = grid.categories.iter().map(|crawl| crawl_days.day(crawl)).collect();
    if let Some(days) = days.filter(|_| by_time)
        && let (Some(first), Some(last)) = (days.first().copied(), days.last().copied())
        && days.is_sorted()
        && last > first
    {
        let scale = Scale::new((first, last), (from, to));
        return days.into_iter().map(|day| scale.place(day)).collect();
    }
    let steps = i32::try_from(grid.categories.len()).unwrap_or(1).max(2) - 1;
    (0..=steps).map(|step| from + (to - from) * step / steps).take(grid.categories.len()).collect()
}

/// The events between the first and the last crawl.
fn place_events(crawl_days: &CrawlDays, grid: &Grid, (from, to): (i32, i32)) -> Vec<(i32, String)> {
    let day = |crawl: Option<&String>| crawl.and_then(|crawl| crawl_days.day(crawl));
    let (Some(first), Some(last)) = (day(grid.categories.first()), day(grid.categories.last())) else {
        return Vec::new();
    };
    let all_known = grid.categories.iter().all(|crawl| crawl_days.day(crawl).is_some());
    if !all_known || last <= first {
        return Vec::new();
    }
    let scale = Scale::new((first, last), (from, to));
    let between = events().into_iter().filter(|(day, _)| (first..=last).contains(day));
    between.map(|(day, event)| (scale.place(day), event)).collect()
}

/// The places of labels, moved so that they do not overlap.
pub(super) fn spread_labels(wanted: &[i32], top: i32, bottom: i32) -> Vec<i32> {
    const LEAST: i32 = 16;
    let mut order: Vec<(usize, i32)> = wanted.iter().copied().enumerate().collect();
    order.sort_by_key(|(nth, y)| (*y, *nth));
    let mut before = top - LEAST;
    for (_, y) in &mut order {
        *y = (*y).max(before + LEAST);
        before = *y;
    }
    let mut below = bottom + LEAST;
    for (_, y) in order.iter_mut().rev() {
        *y = (*y).min(below - LEAST);
        below = *y;
    }
    order.sort_by_key(|(nth, _)| *nth);
    order.into_iter().map(|(_, y)| y).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_events_keep_off_other_lines() {
        let axis = |places: &[i32]| CategoryAxis {
            places: Vec::new(),
            events: places.iter().map(|x| (*x, "GPTBot, August 2023".to_owned())).collect(),
            gaps: Vec::new(),
        };
        let places = |places: &[i32]| axis(places).place_names(0, 400);
        assert_eq!(places(&[100, 200]), [(100, Side::Start, 0), (200, Side::Start, 14)]);
        // The name of the last one leads to the left, above the other line.
        assert_eq!(places(&[200, 380]), [(200, Side::End, 14), (380, Side::End, 0)]);
        assert_eq!(places(&[10, 380]), [(10, Side::Start, 0), (380, Side::End, 14)]);
        // On a telephone, a name may have no room on either side.
        assert_eq!(axis(&[80]).place_names(0, 160), [(0, Side::Start, 0)]);
    }

    #[test]
    fn labels_do_not_overlap() {
        assert_eq!(spread_labels(&[100, 100, 100], 0, 200), [100, 116, 132]);
        assert_eq!(spread_labels(&[200, 199], 0, 200), [200, 184]);
    }
}
