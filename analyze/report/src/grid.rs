//! Numbers by category and series, as charts draw them.

use crate::answer_table::{AnswerCell, AnswerTable};
use crate::contents::{FigureSpec, Series};
use crate::formatting::{self, Measure};
use crate::glossary;
use crate::labels;
use robots::SiteOutcome;

/// Numbers by category and series.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    /// The categories, in the order of the answer.
    pub(crate) categories: Vec<String>,
    /// The names of the series.
    pub(crate) series: Vec<String>,
    /// The numbers by category, then by series.
    pub(crate) values: Vec<Vec<Option<f64>>>,
    /// The denominator of each category's shares; the least one if there are several.
    pub(crate) sizes: Vec<Option<f64>>,
    /// A line of text below the name of each category; empty if there is none.
    pub(crate) notes: Vec<String>,
    /// The index of each series' colour, which stays the same if other series are left out.
    pub(crate) inks: Vec<usize>,
    /// The measure of the numbers.
    pub(crate) measure: Measure,
    /// Whether the numbers say little if the denominator is small: shares and quantiles do, counts do not.
    pub(crate) needs_size: bool,
    /// Whether two numbers belong to one category and series, or there are too many series, so that a chart would be
    /// wrong.
    pub(crate) is_ambiguous: bool,
}

/// The most series. With more, an answer of thousands of rows would take much memory.
pub(crate) const MOST_SERIES: usize = 256;

impl Grid {
    /// The numbers of an answer that a plot draws, for all panels or for one.
    pub(crate) fn from_answer(answer: &AnswerTable, figure: &FigureSpec, panel: Option<&str>) -> Self {
        let plot = &figure.plot;
        let column = match plot.series {
            Series::One(y) | Series::By(_, y) => y,
            Series::Wide(columns) => columns.first().map_or("", |(column, _)| column),
        };
        let mut grid = Grid::new(Measure::of_column(column));
        grid.needs_size |= column.starts_with("quantile_");
        match plot.series {
            Series::Wide(columns) => columns.iter().for_each(|(_, label)| _ = grid.add_series(label)),
            Series::By("outcome", _) => {
                // In a fixed order, so that each outcome has the same colour in all figures.
                SiteOutcome::WORDS
                    .iter()
                    .for_each(|outcome| _ = grid.add_series(&glossary::name_value("outcome", outcome)));
            }
            Series::One(_) | Series::By(..) => {}
        }
        for row in answer.rows.iter().filter(|row| plot.shows(answer, row)) {
            let text = |column: &str| formatting::format_cell(column, answer.cell(row, column));
            let number = |column: &str| answer.cell(row, column).number();
            if panel.is_some_and(|panel| text(plot.panel) != panel) {
                continue;
            }
            let category = grid.add_category(labels::name_category(figure, answer, row));
            grid.add_size(category, number(figure.counted.0));
            let notes = plot.notes.iter().filter_map(|(column, heading)| {
                let cell = answer.cell(row, column);
                (*cell != AnswerCell::Null).then(|| format!("{heading}: {}", formatting::format_cell(column, cell)))
            });
            grid.set_note(category, notes.collect::<Vec<_>>().join("; "));
            match plot.series {
                Series::One(y) => grid.set(category, "", number(y)),
                Series::By(series, y) => grid.set(category, &text(series), number(y)),
                Series::Wide(columns) => {
                    columns.iter().for_each(|(column, label)| grid.set(category, label, number(column)));
                }
            }
        }
        grid
    }

    fn new(measure: Measure) -> Self {
        Grid {
            categories: Vec::new(),
            series: Vec::new(),
            values: Vec::new(),
            sizes: Vec::new(),
            notes: Vec::new(),
            inks: Vec::new(),
            measure,
            needs_size: measure == Measure::Share,
            is_ambiguous: false,
        }
    }

    fn add_category(&mut self, name: String) -> usize {
        match self.categories.iter().position(|other| *other == name) {
            Some(place) => place,
            None => {
                self.categories.push(name);
                self.values.push(Vec::new());
                self.sizes.push(None);
                self.notes.push(String::new());
                self.categories.len() - 1
            }
        }
    }

    fn add_series(&mut self, name: &str) -> usize {
        match self.series.iter().position(|other| other == name) {
            Some(place) => place,
            None => {
                self.inks.push(self.series.len());
                self.series.push(name.to_owned());
                self.series.len() - 1
            }
        }
    }

    fn set(&mut self, category: usize, series: &str, value: Option<f64>) {
        if self.series.len() >= MOST_SERIES && self.series.iter().all(|known| known != series) {
            self.is_ambiguous = true;
            return;
        }
        let place = self.add_series(series);
        if let Some(values) = self.values.get_mut(category) {
            if values.len() <= place {
                values.resize(place + 1, None);
            }
            if let Some(slot) = values.get_mut(place) {
                self.is_ambiguous |= slot.is_some();
                *slot = value;
            }
        }
    }

    fn add_size(&mut self, category: usize, size: Option<f64>) {
        if let Some(slot) = self.sizes.get_mut(category) {
            *slot = [*slot, size].into_iter().flatten().reduce(f64::min);
        }
    }

    fn set_note(&mut self, category: usize, note: String) {
        if let Some(slot) = self.notes.get_mut(category) {
            *slot = note;
        }
    }

    /// The denominator of a category if it is too small for a share or a quantile.
    pub(crate) fn small(&self, category: usize) -> Option<f64> {
        let size = self.sizes.get(category).copied().flatten()?;
        (self.needs_size && size < formatting::LEAST_COUNTED).then_some(size)
    }

    /// A number as text. A share with a small denominator becomes a count.
    pub(crate) fn label(&self, category: usize, number: f64) -> String {
        match self.small(category) {
            Some(size) if self.measure == Measure::Share => formatting::format_count_of(number, size),
            _ => self.measure.format(number),
        }
    }

    /// The note after the name of a category with a small denominator, such as ` (n = 30)`; empty for others.
    pub(crate) fn size_note(&self, category: usize) -> String {
        self.small(category).map_or(String::new(), |size| format!(" (n = {})", formatting::format_real(size)))
    }

    /// The note after the name of a category with a small denominator, where a chart has no other place for counts: the
    /// counts of all series and the denominator, such as ` (4, 0 of 30)`.
    pub(crate) fn counts_note(&self, category: usize) -> String {
        if self.measure != Measure::Share {
            return self.size_note(category);
        }
        let Some(size) = self.small(category) else { return String::new() };
        let counts = (0..self.series.len()).map(|series| match self.value(category, series) {
            Some(share) => formatting::format_count(share, size),
            None => "\u{2013}".to_owned(),
        });
        format!(" ({} of {})", counts.collect::<Vec<_>>().join(", "), formatting::format_real(size))
    }

    /// The index of a series' colour.
    pub(crate) fn ink(&self, series: usize) -> usize {
        self.inks.get(series).copied().unwrap_or(series)
    }

    /// The number of a category and a series.
    pub(crate) fn value(&self, category: usize, series: usize) -> Option<f64> {
        *self.values.get(category)?.get(series)?
    }

    /// The same numbers, with categories and series exchanged.
    pub(crate) fn transposed(&self) -> Self {
        let values = (0..self.series.len())
            .map(|series| (0..self.categories.len()).map(|category| self.value(category, series)).collect())
            .collect();
        // Only called for one category, the only crawl, which becomes the only series.
        let size = self.sizes.iter().copied().flatten().reduce(f64::min);
        let (sizes, notes) = (vec![size; self.series.len()], vec![String::new(); self.series.len()]);
        let (categories, series) = (self.series.clone(), self.categories.clone());
        Grid { categories, series, values, sizes, notes, ..Grid::new(self.measure) }
    }

    /// The categories with these indexes, in this order.
    fn with_categories(self, kept: &[usize]) -> Self {
        fn pick<T: Clone>(from: &[T], kept: &[usize]) -> Vec<T> {
            kept.iter().filter_map(|place| from.get(*place).cloned()).collect()
        }
        Grid {
            categories: pick(&self.categories, kept),
            values: pick(&self.values, kept),
            sizes: pick(&self.sizes, kept),
            notes: pick(&self.notes, kept),
            ..self
        }
    }

    /// The first `most` categories.
    pub(crate) fn first(self, most: usize) -> Self {
        let kept: Vec<usize> = (0..self.categories.len().min(most)).collect();
        self.with_categories(&kept)
    }

    /// These categories in this order. Categories that the grid lacks are added without numbers.
    pub(crate) fn with_all(mut self, categories: &[String]) -> Self {
        let places: Vec<usize> = categories.iter().map(|name| self.add_category(name.clone())).collect();
        self.with_categories(&places)
    }

    /// Leaves out categories without a number.
    pub(crate) fn without_gaps(self) -> Self {
        let has_number =
            |category: &usize| (0..self.series.len()).any(|series| self.value(*category, series).is_some());
        let kept: Vec<usize> = (0..self.categories.len()).filter(has_number).collect();
        self.with_categories(&kept)
    }

    /// Leaves out categories without a number other than zero.
    pub(crate) fn without_zeros(self) -> Self {
        let has_number = |category: &usize| {
            let known = || (0..self.series.len()).filter_map(|series| self.value(*category, series));
            known().any(|number| number != 0.0)
        };
        let kept: Vec<usize> = (0..self.categories.len()).filter(has_number).collect();
        self.with_categories(&kept)
    }

    /// Sorts the categories by their number in the first series, the greatest first. Equal numbers keep their order.
    pub(crate) fn sorted(self) -> Self {
        let mut kept: Vec<usize> = (0..self.categories.len()).collect();
        let number = |category: &usize| self.value(*category, 0).unwrap_or(f64::MIN);
        kept.sort_by(|one, other| number(other).total_cmp(&number(one)));
        self.with_categories(&kept)
    }

    /// The first and the last categories with a number in the first series, `most` in all.
    pub(crate) fn first_and_last(self, most: usize) -> Self {
        let mut known: Vec<usize> =
            (0..self.categories.len()).filter(|category| self.value(*category, 0).is_some()).collect();
        if known.len() > most {
            let last = known.split_off(known.len() - most / 2);
            known.truncate(most / 2);
            known.extend(last);
        }
        self.with_categories(&known)
    }

    /// Leaves out series without a number other than zero, unless this would leave none.
    pub(crate) fn without_empty_series(self) -> Self {
        let has_number = |series: &usize| {
            (0..self.categories.len()).any(|category| self.value(category, *series).is_some_and(|value| value != 0.0))
        };
        let kept: Vec<usize> = (0..self.series.len()).filter(has_number).collect();
        if kept.is_empty() { self } else { self.with_series(&kept) }
    }

    /// Only the series with these indexes, in this order.
    pub(crate) fn with_series(self, kept: &[usize]) -> Self {
        let series = kept.iter().filter_map(|place| self.series.get(*place).cloned()).collect();
        let inks = kept.iter().map(|place| self.ink(*place)).collect();
        let values = (0..self.categories.len())
            .map(|category| kept.iter().map(|series| self.value(category, *series)).collect())
            .collect();
        Grid { series, values, inks, ..self }
    }

    /// All numbers.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> {
        self.values.iter().flatten().copied().flatten()
    }

    /// The greatest sum of a category's numbers. A sum near 1 becomes 1, because shares of a whole may miss 1 by
    /// rounding.
    pub(crate) fn greatest_sum(&self) -> f64 {
        let sum = |category: usize| (0..self.series.len()).filter_map(|series| self.value(category, series)).sum();
        let greatest = (0..self.categories.len()).map(sum).fold(0.0, f64::max);
        if (0.98..1.02).contains(&greatest) { 1.0 } else { greatest }
    }

    /// The greatest number of several charts, or 0.
    pub(crate) fn greatest_of_all(grids: &[Grid]) -> f64 {
        grids.iter().map(Grid::greatest).fold(0.0, f64::max)
    }

    /// The greatest number, or 0.
    pub(crate) fn greatest(&self) -> f64 {
        self.numbers().fold(0.0, f64::max)
    }
}
