//! A line for each series, with its name at its end; over crawls by their times, with marks of what happened between them.

use super::Chart;
use super::paint::{self, AXIS, Fault, MUTED, SIZE, Scale, Sheet, Side, TEXT, Width};
use crate::contents::Plot;
use crate::grid::Grid;
use crate::moments::{EVENTS, Moments};

/// So many lines are told apart; the table has the others.
const MOST: usize = 8;
const PLOT: i32 = 230;

pub(super) fn draw(
    grid: &Grid,
    plot: &Plot,
    moments: &Moments,
    width: Width,
    greatest: Option<f64>,
) -> Result<Chart, Fault> {
    let all = width.pixels();
    let shown: Vec<usize> = strongest(grid);
    let names: Vec<String> = shown.iter().filter_map(|series| grid.series.get(*series).cloned()).collect();
    let numbers: Vec<String> = shown.iter().map(|series| last(grid, *series)).collect();
    let room = if width == Width::Narrow { all - 20 } else { all * 2 / 5 };
    let labels: Vec<String> = names.iter().zip(&numbers).map(|(name, number)| label(name, number, room)).collect();
    // On a telephone there is no room beside the lines; their names stand above, by their marks.
    let is_wide = width != Width::Narrow && names.iter().all(|name| !name.is_empty());
    let right = if is_wide { all - paint::widest(labels.iter(), SIZE, room) - 24 } else { all - 14 };
    let legend = if is_wide { 0 } else { paint::legend_height(&labels, all) };
    let left = 52;
    let days = plot.x == "crawl";
    let places = places(grid, moments, days, (left + 6, right - 6));
    let events: Vec<(i32, &str)> = if days { happened(moments, grid, (left + 6, right - 6)) } else { Vec::new() };
    let top = legend + 22 + 14 * i32::try_from(events.len()).unwrap_or_default();
    let bottom = top + if greatest.is_some() { 150 } else { PLOT };
    let reach = greatest.unwrap_or_else(|| grid.greatest()) * 1.05;
    let scale = Scale::up_to(reach, (bottom, top));
    let sheet = Sheet::draw(all, bottom + 30, |pen| {
        if !is_wide {
            pen.legend(&labels, all, |pen, nth, place| pen.mark(paint::mark(nth), place, paint::of_series(nth).0))?;
        }
        pen.heading(plot.axis, (0, legend + 8), all)?;
        pen.levels(&scale, grid.measure, (left, right))?;
        for (nth, (x, event)) in (0..).zip(&events) {
            let y = legend + 22 + nth * 14;
            pen.line(&[(*x, y + 6), (*x, bottom)], AXIS, 1)?;
            // To the right a name passes above the lines that begin below it. To the left it would cross those before it.
            let side = if *x + paint::width(event, 11.0) > all { Side::End } else { Side::Start };
            pen.text_of(event, (*x, y), side, MUTED, 11.0)?;
        }
        // The last crawl has a label in any case, and the others where there is room.
        let mut labelled: Vec<(i32, i32)> = Vec::new();
        for (x, category) in places.iter().zip(&grid.categories).rev() {
            let half = paint::width(category, 11.0) / 2 + 6;
            let middle = (*x).clamp(half, (all - half).max(half));
            pen.line(&[(*x, bottom), (*x, bottom + 4)], AXIS, 1)?;
            if labelled.iter().all(|(from, to)| middle + half <= *from || middle - half >= *to) {
                pen.text_of(category, (middle, bottom + 16), Side::Middle, MUTED, 11.0)?;
                labelled.push((middle - half, middle + half));
            }
        }
        for (nth, series) in shown.iter().enumerate() {
            let ink = paint::of_series(nth).0;
            let points: Vec<(i32, i32)> = places
                .iter()
                .enumerate()
                .filter_map(|(category, x)| Some((*x, scale.place(grid.value(category, *series)?))))
                .collect();
            pen.line(&points, ink, 2)?;
            points.iter().try_for_each(|place| pen.mark(paint::mark(nth), *place, ink))?;
        }
        if is_wide {
            let ends: Vec<i32> = shown
                .iter()
                .map(|series| (0..grid.categories.len()).rev().find_map(|category| grid.value(category, *series)))
                .map(|number| scale.place(number.unwrap_or_default()))
                .collect();
            for (nth, (label, y)) in labels.iter().zip(apart(&ends, top, bottom)).enumerate() {
                pen.mark(paint::mark(nth), (right + 10, y), paint::of_series(nth).0)?;
                pen.text(label, (right + 20, y), Side::Start, TEXT)?;
            }
        }
        Ok(())
    })?;
    Ok(sheet.into())
}

/// The series with the greatest numbers, in the order of the answer.
fn strongest(grid: &Grid) -> Vec<usize> {
    let peak = |series: usize| {
        (0..grid.categories.len()).filter_map(|category| grid.value(category, series)).fold(0.0, f64::max)
    };
    let mut order: Vec<usize> = (0..grid.series.len()).collect();
    order.sort_by(|one, other| peak(*other).total_cmp(&peak(*one)).then(one.cmp(other)));
    order.truncate(MOST);
    order.sort_unstable();
    order
}

fn last(grid: &Grid, series: usize) -> String {
    let last = (0..grid.categories.len()).rev().find_map(|category| grid.value(category, series));
    last.map(|number| grid.measure.told(number)).unwrap_or_default()
}

/// A name and its last number, of which the number stays whole.
fn label(name: &str, number: &str, room: i32) -> String {
    let behind = format!(" {number}");
    format!("{}{behind}", paint::fitted(name, SIZE, room - paint::width(&behind, SIZE)))
}

/// Where each category stands: at its time, or at even steps where times are not known.
fn places(grid: &Grid, moments: &Moments, by_time: bool, (from, to): (i32, i32)) -> Vec<i32> {
    let days: Option<Vec<f64>> = grid.categories.iter().map(|crawl| moments.day(crawl)).collect();
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

/// What happened between the first and the last of the crawls.
fn happened(moments: &Moments, grid: &Grid, (from, to): (i32, i32)) -> Vec<(i32, &'static str)> {
    let day = |crawl: Option<&String>| crawl.and_then(|crawl| moments.day(crawl));
    let (Some(first), Some(last)) = (day(grid.categories.first()), day(grid.categories.last())) else {
        return Vec::new();
    };
    let all_known = grid.categories.iter().all(|crawl| moments.day(crawl).is_some());
    if !all_known || last <= first {
        return Vec::new();
    }
    let scale = Scale::new((first, last), (from, to));
    let between = EVENTS.iter().filter(|(day, _)| (first..=last).contains(day));
    between.map(|(day, event)| (scale.place(*day), *event)).collect()
}

/// The places of labels, moved so that none lies upon another.
fn apart(wanted: &[i32], top: i32, bottom: i32) -> Vec<i32> {
    const LEAST: i32 = 16;
    let mut order: Vec<(usize, i32)> = wanted.iter().copied().enumerate().collect();
    order.sort_by_key(|(nth, y)| (*y, *nth));
    let mut before = top - LEAST;
    for (_, y) in &mut order {
        *y = (*y).max(before + LEAST);
        before = *y;
    }
    let mut behind = bottom + LEAST;
    for (_, y) in order.iter_mut().rev() {
        *y = (*y).min(behind - LEAST);
        behind = *y;
    }
    order.sort_by_key(|(nth, _)| *nth);
    order.into_iter().map(|(_, y)| y).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stays_whole() {
        assert_eq!(label("ccbot", "0.43 %", 200), "ccbot 0.43 %");
        assert_eq!(label("meta-externalagent", "0.43 %", 120), "meta-exte\u{2026} 0.43 %");
    }

    #[test]
    fn labels_do_not_lie_upon_one_another() {
        assert_eq!(apart(&[100, 100, 100], 0, 200), [100, 116, 132]);
        assert_eq!(apart(&[200, 199], 0, 200), [200, 184]);
    }
}
