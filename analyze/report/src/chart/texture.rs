//! Textures, which distinguish the parts of a whole for readers who cannot see colours.

use super::lettering::width;
use super::paint::{DrawResult, Pen, SERIES, Side, ThemeColour, hex, series_colours};
use maud::{Markup, html};
use plotters::style::RGBColor;

/// The lines on a tile of 7 by 7 pixels, by series. Slanted lines continue beyond the corners, so that tiles join.
const TILES: [&str; SERIES.len()] = [
    "",
    "M-1,1l2-2M0,7l7-7M6,8l2-2",
    "M3.5,0v7",
    "M-1,6l2,2M0,0l7,7M6-1l2,2",
    "M0,3.5h7",
    "M-1,1l2-2M0,7l7-7M6,8l2-2M-1,6l2,2M0,0l7,7M6-1l2,2",
    "M3.5,0v7M0,3.5h7",
    "M1.5,3.5h4",
];

/// The patterns that fill parts. A page, or a chart in a file of its own, needs them once.
pub(crate) fn definitions() -> Markup {
    html! {
        defs {
            @for (series, lines) in TILES.iter().enumerate().filter(|(_, lines)| !lines.is_empty()) {
                @let (ink, on) = series_colours(series);
                pattern id=(format!("texture-{series}")) width="7" height="7" patternUnits="userSpaceOnUse" {
                    rect width="7" height="7" fill=(hex(ink.light)) {}
                    path d=(lines) fill="none" stroke=(hex(on.light)) stroke-opacity="0.35" {}
                }
            }
        }
    }
}

/// A placeholder colour for a pattern, because Plotters fills with colours only. `with_patterns` replaces it.
fn placeholder(series: usize) -> RGBColor {
    RGBColor(0, 0, (series % SERIES.len()) as u8)
}

/// Replaces placeholder colours in shapes by their patterns.
pub(super) fn with_patterns(shapes: String) -> String {
    (0..SERIES.len()).fold(shapes, |shapes, series| {
        let colour = format!("fill=\"{}\"", hex(placeholder(series)));
        shapes.replace(&colour, &format!("fill=\"url(#texture-{series})\""))
    })
}

fn lines(series: usize) -> &'static str {
    TILES.get(series % TILES.len()).copied().unwrap_or_default()
}

/// The colour, or the placeholder for a pattern, that fills the parts of a series.
fn filling(series: usize) -> ThemeColour {
    if lines(series).is_empty() {
        series_colours(series).0
    } else {
        ThemeColour { light: placeholder(series), ..series_colours(series).0 }
    }
}

impl Pen<'_> {
    /// A part of a whole, as a rectangle.
    pub(crate) fn part(&self, series: usize, from: (i32, i32), to: (i32, i32)) -> DrawResult {
        self.rectangle(from, to, filling(series))
    }

    /// The sample of a part in a legend.
    pub(crate) fn sample(&self, series: usize, (x, y): (i32, i32)) -> DrawResult {
        self.part(series, (x - 6, y - 7), (x + 8, y + 7))
    }

    /// A text in the middle of a part, on a plain background.
    pub(crate) fn text_on_part(
        &self,
        text: &str,
        series: usize,
        (left, top): (i32, i32),
        (right, bottom): (i32, i32),
    ) -> DrawResult {
        let (x, y) = ((left + right) / 2, (top + bottom) / 2);
        let (ink, on) = series_colours(series);
        if !lines(series).is_empty() {
            // Part of the texture stays visible, however short the part is.
            let half = width(text, 11.0) / 2 + 3;
            self.rectangle((x - half, y - 7), (x + half, y + 7), ink)?;
        }
        self.sized_text(text, (x, y), Side::Middle, on, 11.0)
    }

    /// A part of a whole between two borders, each a line of points.
    pub(crate) fn band(&self, series: usize, upper: &[(i32, i32)], lower: &[(i32, i32)]) -> DrawResult {
        let around: Vec<(i32, i32)> = upper.iter().chain(lower.iter().rev()).copied().collect();
        self.polygon(&around, filling(series))
    }
}
