//! Textures, which distinguish the parts of a whole for readers who cannot see colours.

use super::lettering::width;
use super::paint::{DrawResult, ON_LIGHT, Pen, SERIES, SMALL, Side, ThemeColour, hex, series_colours};
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

/// A texture with its colours.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Texture {
    series: usize,
    is_small: bool,
}

impl Texture {
    /// The texture of a series.
    pub(crate) fn in_colour(series: usize) -> Self {
        Texture { series: series % SERIES.len(), is_small: false }
    }

    /// The same lines in grey, for shares with a small denominator.
    pub(crate) fn in_grey(series: usize) -> Self {
        Texture { is_small: true, ..Texture::in_colour(series) }
    }

    fn all() -> impl Iterator<Item = Self> {
        (0..SERIES.len()).flat_map(|series| [Texture::in_colour(series), Texture::in_grey(series)])
    }

    fn lines(self) -> &'static str {
        TILES.get(self.series).copied().unwrap_or_default()
    }

    /// The colour of the tile, and the colour of lines and text on it.
    fn colours(self) -> (ThemeColour, ThemeColour) {
        if self.is_small { (SMALL, ON_LIGHT) } else { series_colours(self.series) }
    }

    fn id(self) -> String {
        format!("texture-{}{}", if self.is_small { "grey-" } else { "" }, self.series)
    }

    /// A placeholder colour, because Plotters fills with colours only. `with_patterns` replaces it.
    fn placeholder(self) -> RGBColor {
        RGBColor(0, u8::from(self.is_small), self.series as u8)
    }

    /// The colour, or the placeholder for a pattern, that fills a part.
    fn filling(self) -> ThemeColour {
        match self.lines() {
            "" => self.colours().0,
            _ => ThemeColour { light: self.placeholder(), ..self.colours().0 },
        }
    }
}

/// The patterns that fill parts. A page, or a chart in a file of its own, needs them once.
pub(crate) fn definitions() -> Markup {
    html! {
        defs {
            @for texture in Texture::all().filter(|texture| !texture.lines().is_empty()) {
                @let (ink, on) = texture.colours();
                pattern id=(texture.id()) width="7" height="7" patternUnits="userSpaceOnUse" {
                    rect width="7" height="7" fill=(hex(ink.light)) {}
                    path d=(texture.lines()) fill="none" stroke=(hex(on.light)) stroke-opacity="0.35" {}
                }
            }
        }
    }
}

/// Replaces placeholder colours in shapes by their patterns.
pub(super) fn with_patterns(shapes: String) -> String {
    Texture::all().fold(shapes, |shapes, texture| {
        let colour = format!("fill=\"{}\"", hex(texture.placeholder()));
        shapes.replace(&colour, &format!("fill=\"url(#{})\"", texture.id()))
    })
}

impl Pen<'_> {
    /// A part of a whole, as a rectangle.
    pub(crate) fn part(&self, texture: Texture, from: (i32, i32), to: (i32, i32)) -> DrawResult {
        self.rectangle(from, to, texture.filling())
    }

    /// The sample of a part in a legend.
    pub(crate) fn sample(&self, series: usize, (x, y): (i32, i32)) -> DrawResult {
        self.part(Texture::in_colour(series), (x - 6, y - 7), (x + 8, y + 7))
    }

    /// A text in the middle of a part, on a plain background.
    pub(crate) fn text_on_part(
        &self,
        text: &str,
        texture: Texture,
        (left, top): (i32, i32),
        (right, bottom): (i32, i32),
    ) -> DrawResult {
        let (x, y) = ((left + right) / 2, (top + bottom) / 2);
        let (ink, on) = texture.colours();
        if !texture.lines().is_empty() {
            // Part of the texture stays visible, however short the part is.
            let half = width(text, 11.0) / 2 + 3;
            self.rectangle((x - half, y - 7), (x + half, y + 7), ink)?;
        }
        self.sized_text(text, (x, y), Side::Middle, on, 11.0)
    }

    /// A part of a whole between two borders, each a line of points.
    pub(crate) fn band(&self, series: usize, upper: &[(i32, i32)], lower: &[(i32, i32)]) -> DrawResult {
        let around: Vec<(i32, i32)> = upper.iter().chain(lower.iter().rev()).copied().collect();
        self.polygon(&around, Texture::in_colour(series).filling())
    }
}
