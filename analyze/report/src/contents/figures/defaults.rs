//! Default values of figures.

use crate::contents::figure_spec::{ChartKind, CrawlScope, FigureSpec, Plot, Series};

/// Default values of a figure.
pub(super) const FIGURE: FigureSpec = FigureSpec {
    id: "",
    question: "",
    title: "",
    set: &[],
    crawls: CrawlScope::One,
    plot: PLOT,
    columns: &[],
    counted: ("sites_counted", ""),
    definition: "",
    zero: "",
    empty: "",
    absent: "",
    needs: None,
    rows: 30,
};

/// Default values of a plot.
pub(super) const PLOT: Plot = Plot {
    kind: ChartKind::Table,
    x: "",
    series: Series::One(""),
    panel: "",
    axis: "share of sites",
    is_ordinal: false,
    notes: &[],
    most: 20,
    only: ("", &[]),
    not: ("", &[]),
};

pub(super) const NONE: (&str, &str) = ("", "");

pub(super) const READ: (&str, &str) = ("sites_counted", "sites whose file was read");
