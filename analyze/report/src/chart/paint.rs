//! Shapes and texts on a sheet.

use super::lettering::{self, LINE, SIZE};
use crate::formatting::Measure;
use plotters::coord::Shift;
use plotters::coord::ranged1d::Ranged;
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::{
    Circle, DrawingArea, IntoDrawingArea as _, PathElement, Polygon, RGBColor, Rectangle, SVGBackend, ShapeStyle, Text,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, IntoTextStyle as _};

pub(crate) type DrawError = DrawingAreaErrorKind<std::io::Error>;

pub(crate) type DrawResult = Result<(), DrawError>;

/// A colour on the light page, and its replacement on the dark page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ThemeColour {
    pub(crate) light: RGBColor,
    pub(crate) dark: RGBColor,
}

const fn colour(light: u32, dark: u32) -> ThemeColour {
    ThemeColour { light: rgb(light), dark: rgb(dark) }
}

/// A colour as SVG and CSS write it.
pub(crate) fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

const fn rgb(number: u32) -> RGBColor {
    RGBColor((number >> 16) as u8, (number >> 8) as u8, number as u8)
}

/// Text.
pub(crate) const TEXT: ThemeColour = colour(0x1B_1F_24, 0xE6_E9_ED);
/// Secondary text.
pub(crate) const MUTED: ThemeColour = colour(0x56_5F_6B, 0xA9_B2_BD);
/// Grid lines.
pub(crate) const GRID: ThemeColour = colour(0xDF_E3_E8, 0x34_3B_44);
/// Axes.
pub(crate) const AXIS: ThemeColour = colour(0x8B_94_9F, 0x7C_86_92);
/// The background.
pub(crate) const PAPER: ThemeColour = colour(0xFF_FF_FE, 0x15_19_1E);
/// Marks of shares with a small denominator.
pub(crate) const SMALL: ThemeColour = colour(0x9A_A2_AD, 0x8A_93_9E);
/// Text on a light colour.
pub(crate) const ON_LIGHT: ThemeColour = colour(0x0B_0E_12, 0x0B_0E_11);
/// Text on a dark colour.
pub(crate) const ON_DARK: ThemeColour = colour(0xFF_FF_FF, 0x0B_0E_10);

/// The colours of series, each with the colour of text on it.
pub(crate) const SERIES: [(ThemeColour, ThemeColour); 8] = [
    (colour(0x1F_5F_A8, 0x6F_AC_EC), ON_DARK),
    (colour(0xDD_7A_12, 0xF2_A6_5A), ON_LIGHT),
    (colour(0x1E_7F_66, 0x55_C6_A6), ON_DARK),
    (colour(0xA8_3A_82, 0xE8_92_C8), ON_DARK),
    (colour(0x4C_9B_CF, 0xA9_D6_F5), ON_LIGHT),
    (colour(0x85_6A_0B, 0xD8_BE_58), ON_DARK),
    (colour(0x6E_54_B5, 0xB9_A6_F0), ON_DARK),
    (colour(0x6B_74_80, 0xA5_AE_B8), ON_DARK),
];

/// Cells of a heat map, from zero to the greatest number.
pub(crate) const HEAT: [(ThemeColour, ThemeColour); 6] = [
    (colour(0xF1_F5_FA, 0x1E_26_2F), ON_PALE),
    (colour(0xD3_E2_F2, 0x24_3B_52), ON_PALE),
    (colour(0xA6_C6_E5, 0x2B_52_78), ON_PALE),
    (colour(0x6A_A0_D2, 0x3C_70_A4), ON_MIDDLE),
    (colour(0x35_74_B3, 0x6F_AC_EB), ON_DARK),
    (colour(0x16_4A_87, 0xB5_D8_F7), ON_DARK),
];

/// Text on a colour that is pale on the light page and dark on the dark page.
const ON_PALE: ThemeColour = colour(0x0B_0E_13, 0xE6_E9_EE);
/// Text on a colour between pale and dark.
const ON_MIDDLE: ThemeColour = colour(0x0B_0E_14, 0xFF_FF_FD);

/// All colours. No two are equal on the light page.
pub(crate) fn palette() -> impl Iterator<Item = ThemeColour> {
    let plain = [TEXT, MUTED, GRID, AXIS, PAPER, SMALL, ON_LIGHT, ON_DARK, ON_PALE, ON_MIDDLE];
    plain.into_iter().chain(SERIES.into_iter().chain(HEAT).map(|(ink, _)| ink))
}

/// The width of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    Wide,
    Narrow,
    /// One of two panels side by side.
    Panel,
}

impl Width {
    pub(crate) fn pixels(self) -> i32 {
        match self {
            Width::Wide => 760,
            Width::Narrow => 340,
            Width::Panel => 370,
        }
    }
}

/// Maps numbers to places.
pub(crate) struct Scale {
    coordinate: RangedCoordf64,
    numbers: (f64, f64),
    places: (i32, i32),
}

impl Scale {
    /// A scale that maps a range of numbers to a range of places.
    pub(crate) fn new(numbers: (f64, f64), places: (i32, i32)) -> Self {
        Scale { coordinate: RangedCoordf64::from(numbers.0..numbers.1), numbers, places }
    }

    /// A scale from 0 to the greatest number, or to 1 if that is 0.
    pub(crate) fn up_to(greatest: f64, places: (i32, i32)) -> Self {
        let greatest = if greatest > 0.0 { greatest } else { 1.0 };
        Scale::new((0.0, greatest), places)
    }

    /// The place of a number; that of the nearest end for a number outside of the scale, such as a negative one.
    pub(crate) fn place(&self, number: f64) -> i32 {
        let (from, to) = self.numbers;
        self.coordinate.map(&number.max(from).min(to), self.places)
    }

    /// About `most` round numbers.
    fn round(&self, most: usize) -> Vec<f64> {
        self.coordinate.key_points(most)
    }

    /// Round numbers, each with its place and label.
    pub(crate) fn ticks(&self, measure: Measure, most: usize) -> Vec<(f64, i32, String)> {
        let numbers = self.round(most);
        let step = numbers.get(1).copied().unwrap_or(1.0) - numbers.first().copied().unwrap_or(0.0);
        numbers.into_iter().map(|number| (number, self.place(number), label_tick(measure, number, step))).collect()
    }
}

/// The space left of a chart for the numbers of its levels, in pixels.
pub(crate) fn levels_width(greatest: f64, measure: Measure) -> i32 {
    let labels: Vec<String> =
        Scale::up_to(greatest, (0, 100)).ticks(measure, LEVELS).into_iter().map(|(.., label)| label).collect();
    (lettering::widest(labels.iter(), 11.0, 100) + 10).max(52)
}

/// About how many levels a chart has.
const LEVELS: usize = 5;

/// The label of a grid line. A share has as many digits as its distance to the next line.
fn label_tick(measure: Measure, number: f64, step: f64) -> String {
    match measure {
        Measure::Share => {
            let is_exact = |digits: &usize| {
                let steps = step * 100.0 * 10_f64.powi(i32::try_from(*digits).unwrap_or_default());
                steps.round() >= 1.0 && (steps - steps.round()).abs() < 1e-6 * steps
            };
            let digits = (0..MOST_DIGITS).find(is_exact).unwrap_or(MOST_DIGITS);
            format!("{:.digits$}\u{a0}%", number * 100.0)
        }
        _ => measure.format(number),
    }
}

/// The most digits after the point of a label. A share of one in ten billion needs them.
const MOST_DIGITS: usize = 9;

/// How a text is aligned to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// The text starts at its place.
    Start,
    /// The middle of the text is at its place.
    Middle,
    /// The text ends at its place.
    End,
}

/// The shape of a mark, which distinguishes lines for readers who cannot see colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Disc,
    Square,
    Triangle,
    Diamond,
    Ring,
    Wedge,
}

/// The mark of a series.
pub(crate) fn mark(series: usize) -> Mark {
    match series % 6 {
        0 => Mark::Disc,
        1 => Mark::Square,
        2 => Mark::Triangle,
        3 => Mark::Diamond,
        4 => Mark::Ring,
        _ => Mark::Wedge,
    }
}

/// The colour of a series, and the colour of text on it.
pub(crate) fn series_colours(series: usize) -> (ThemeColour, ThemeColour) {
    let place = series % SERIES.len();
    SERIES.into_iter().nth(place).unwrap_or((TEXT, ON_DARK))
}

/// A finished drawing.
pub(crate) struct Sheet {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) shapes: String,
}

/// Draws on a sheet.
pub(crate) struct Pen<'s>(DrawingArea<SVGBackend<'s>, Shift>);

impl Sheet {
    /// Draws on a sheet of a size.
    pub(crate) fn draw(width: i32, height: i32, draw: impl FnOnce(&Pen<'_>) -> DrawResult) -> Result<Self, DrawError> {
        let (width, height) = (width.unsigned_abs(), height.unsigned_abs());
        let mut text = String::new();
        {
            let pen = Pen(SVGBackend::with_string(&mut text, (width, height)).into_drawing_area());
            draw(&pen)?;
            pen.0.present()?;
        }
        // The page writes its own svg element, with a title and a description.
        let inner = text.split_once("<svg").and_then(|(_, rest)| rest.split_once('>')).map_or("", |(_, inner)| inner);
        let inner = inner.trim().strip_suffix("</svg>").unwrap_or(inner);
        let shapes = inner.replace("font-family=\"system-ui, sans-serif\" ", "").replace(" opacity=\"1\"", "");
        let shapes = shapes.replace(" stroke=\"none\"", "").replace(">\n", ">").replace("\n<", "<");
        Ok(Sheet { width, height, shapes })
    }
}

impl Pen<'_> {
    /// Horizontal grid lines, with their numbers to the left.
    pub(crate) fn levels(&self, scale: &Scale, measure: Measure, (left, right): (i32, i32)) -> DrawResult {
        for (number, y, text) in scale.ticks(measure, LEVELS) {
            self.line(&[(left, y), (right, y)], if number == 0.0 { AXIS } else { GRID }, 1)?;
            self.sized_text(&text, (left - 8, y), Side::End, MUTED, 11.0)?;
        }
        Ok(())
    }

    pub(crate) fn rectangle(&self, from: (i32, i32), to: (i32, i32), ink: ThemeColour) -> DrawResult {
        self.0.draw(&Rectangle::new([from, to], ink.light.filled()))
    }

    pub(crate) fn line(&self, points: &[(i32, i32)], ink: ThemeColour, thickness: u32) -> DrawResult {
        self.0.draw(&PathElement::new(points.to_vec(), ShapeStyle::from(ink.light).stroke_width(thickness)))
    }

    pub(crate) fn polygon(&self, points: &[(i32, i32)], ink: ThemeColour) -> DrawResult {
        self.0.draw(&Polygon::new(points.to_vec(), ink.light.filled()))
    }

    pub(crate) fn text(&self, text: &str, place: (i32, i32), side: Side, ink: ThemeColour) -> DrawResult {
        self.sized_text(text, place, side, ink, SIZE)
    }

    /// Writes the lines of a name so that they end at a place, centred on its height.
    pub(crate) fn name(&self, lines: &[String], (x, middle): (i32, i32)) -> DrawResult {
        let first = middle - lettering::further_lines(lines) / 2;
        for (line, y) in lines.iter().zip((first..).step_by(LINE as usize)) {
            self.text(line, (x, y), Side::End, TEXT)?;
        }
        Ok(())
    }

    pub(crate) fn sized_text(
        &self,
        text: &str,
        place: (i32, i32),
        side: Side,
        ink: ThemeColour,
        size: f64,
    ) -> DrawResult {
        let across = match side {
            Side::Start => HPos::Left,
            Side::Middle => HPos::Center,
            Side::End => HPos::Right,
        };
        // Plotters takes the height of a line, but writes the size of a letter.
        let style = ("system-ui, sans-serif", size * 1.24).into_text_style(&self.0);
        let style = style.color(&ink.light).pos(Pos::new(across, VPos::Center));
        self.0.draw(&Text::new(text.to_owned(), place, style))
    }

    /// Hides the grid behind a text.
    pub(crate) fn clear(&self, from: (i32, i32), to: (i32, i32)) -> DrawResult {
        self.rectangle(from, to, PAPER)
    }

    /// The heading of the axis. It starts further left if there is too little space.
    pub(crate) fn heading(&self, axis: &str, (x, y): (i32, i32), all: i32) -> DrawResult {
        let text = lettering::fit_text(axis, 11.0, all);
        let x = x.min(all - lettering::width(&text, 11.0)).max(0);
        self.sized_text(&text, (x, y), Side::Start, MUTED, 11.0)
    }

    pub(crate) fn mark(&self, mark: Mark, (x, y): (i32, i32), ink: ThemeColour) -> DrawResult {
        match mark {
            Mark::Disc => self.0.draw(&Circle::new((x, y), 4, ink.light.filled())),
            Mark::Ring => {
                self.0.draw(&Circle::new((x, y), 5, ink.light.filled()))?;
                self.0.draw(&Circle::new((x, y), 2, PAPER.light.filled()))
            }
            Mark::Square => self.rectangle((x - 4, y - 4), (x + 4, y + 4), ink),
            Mark::Triangle => self.polygon(&[(x - 5, y + 4), (x + 5, y + 4), (x, y - 5)], ink),
            Mark::Wedge => self.polygon(&[(x - 5, y - 4), (x + 5, y - 4), (x, y + 5)], ink),
            Mark::Diamond => self.polygon(&[(x - 6, y), (x, y - 6), (x + 6, y), (x, y + 6)], ink),
        }
    }

    /// A legend of one or more rows, `legend_height` high.
    pub(crate) fn legend(
        &self,
        series: &[String],
        width: i32,
        marks: impl Fn(&Self, usize, (i32, i32)) -> DrawResult,
    ) -> DrawResult {
        for (place, text, (x, y)) in place_legend(series, width) {
            marks(self, place, (x + 6, y))?;
            self.text(&text, (x + 18, y), Side::Start, TEXT)?;
        }
        Ok(())
    }
}

/// The height of a legend in pixels.
pub(crate) fn legend_height(series: &[String], width: i32) -> i32 {
    place_legend(series, width).last().map_or(0, |(_, _, (_, y))| y + 18)
}

fn place_legend(series: &[String], room: i32) -> Vec<(usize, String, (i32, i32))> {
    let (mut x, mut y) = (0, 10);
    let mut places = Vec::new();
    for (place, name) in series.iter().enumerate() {
        let text = lettering::fit_text(name, SIZE, room - 20);
        let needed = lettering::width(&text, SIZE) + 36;
        if x > 0 && x + needed - 18 > room {
            (x, y) = (0, y + 20);
        }
        places.push((place, text, (x, y)));
        x += needed;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The labels of the levels of a chart whose greatest share is this one.
    fn labels(greatest: f64) -> Vec<String> {
        Scale::up_to(greatest, (0, 100)).ticks(Measure::Share, LEVELS).into_iter().map(|(.., label)| label).collect()
    }

    #[test]
    fn labels_of_levels_differ() {
        assert_eq!(labels(1.0), ["0\u{a0}%", "50\u{a0}%", "100\u{a0}%"]);
        for power in 0..9 {
            for first in [1.0, 2.1, 4.9, 8.3] {
                let labels = labels(first * 10_f64.powi(-power));
                let mut distinct = labels.clone();
                distinct.dedup();
                assert!(labels.len() > 1 && labels == distinct, "{labels:?}");
            }
        }
    }
}
