//! Fields that are parts of a whole, each with lines of its own, so that they are told apart without their colours.

use super::paint::{Drawn, Pen, Side, of_series, width};
use std::ops::Range;

/// What is drawn on a field, so that fields are told apart without their colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Texture {
    Plain,
    Rising,
    Upright,
    Falling,
    Level,
    Crossed,
}

fn texture(series: usize) -> Texture {
    match series % 6 {
        0 => Texture::Plain,
        1 => Texture::Rising,
        2 => Texture::Upright,
        3 => Texture::Falling,
        4 => Texture::Level,
        _ => Texture::Crossed,
    }
}

/// How far its lines are from one another.
const STEP: i32 = 7;

/// Where they are, from one place to another.
fn steps(from: i32, to: i32) -> impl Iterator<Item = i32> {
    (from..to).step_by(STEP.unsigned_abs() as usize)
}

/// The lines of a texture on a field of a size. Each goes on along the edge to the next, which is shorter than many elements.
fn strokes(texture: Texture, (width, height): (i32, i32)) -> Vec<Vec<(i32, i32)>> {
    // From one end to the other and back, by turns.
    let turning = |ends: Vec<[(i32, i32); 2]>| -> Vec<(i32, i32)> {
        ends.into_iter()
            .enumerate()
            .flat_map(|(nth, [from, to])| if nth % 2 == 0 { [from, to] } else { [to, from] })
            .collect()
    };
    let rising = || {
        let ends = |sum: i32| [((sum - height).max(0), height.min(sum)), (width.min(sum), (sum - width).max(0))];
        turning(steps(STEP, width + height).map(ends).collect())
    };
    let falling = || rising().into_iter().map(|(x, y)| (width - x, y)).collect();
    let lines = match texture {
        Texture::Plain => Vec::new(),
        Texture::Rising => vec![rising()],
        Texture::Falling => vec![falling()],
        Texture::Upright => vec![turning(steps(STEP / 2, width).map(|x| [(x, 0), (x, height)]).collect())],
        Texture::Level => vec![turning(steps(STEP / 2, height).map(|y| [(0, y), (width, y)]).collect())],
        Texture::Crossed => vec![rising(), falling()],
    };
    lines.into_iter().filter(|points| points.len() > 1).collect()
}

/// The lines of a texture between two borders, which have a place for each of some columns. What is level or aslant is
/// followed column by column, and drawn as far as it is between them.
fn strokes_between(texture: Texture, columns: Range<i32>, border: impl Fn(i32) -> (i32, i32)) -> Vec<Vec<(i32, i32)>> {
    let (start, end) = (columns.start, columns.end);
    let highest = columns.clone().map(|x| border(x).0).min().unwrap_or_default();
    let lowest = columns.clone().map(|x| border(x).1).max().unwrap_or_default();
    let along = |slope: i32| {
        let mut found = Vec::new();
        let reach = if slope == 0 { 0 } else { end - start };
        let (from, to) = if slope < 0 { (highest, lowest + reach) } else { (highest - reach, lowest) };
        for begin in steps(from, to) {
            let mut drawn: Option<((i32, i32), (i32, i32))> = None;
            for x in columns.clone() {
                let y = begin + slope * (x - start);
                let (top, bottom) = border(x);
                match (top < y && y < bottom, drawn) {
                    (true, None) => drawn = Some(((x, y), (x, y))),
                    (true, Some((first, _))) => drawn = Some((first, (x, y))),
                    (false, Some((first, last))) => {
                        found.push(vec![first, last]);
                        drawn = None;
                    }
                    (false, None) => {}
                }
            }
            found.extend(drawn.map(|(first, last)| vec![first, last]));
        }
        found
    };
    let mut lines = match texture {
        Texture::Plain => Vec::new(),
        Texture::Rising => along(-1),
        Texture::Falling => along(1),
        Texture::Level => along(0),
        Texture::Crossed => [along(-1), along(1)].concat(),
        Texture::Upright => steps(start + STEP / 2, end)
            .map(|x| (x, border(x)))
            .map(|(x, (top, bottom))| vec![(x, top), (x, bottom)])
            .collect(),
    };
    lines.retain(|line| line.first() != line.last());
    lines
}

impl Pen<'_> {
    /// A part of a whole: a field with the texture of its series, which tells it from its neighbours without colours.
    pub(crate) fn part(&self, series: usize, (left, top): (i32, i32), (right, bottom): (i32, i32)) -> Drawn {
        let (ink, on) = of_series(series);
        self.rectangle((left, top), (right, bottom), ink)?;
        for points in strokes(texture(series), (right - left, bottom - top)) {
            let points: Vec<(i32, i32)> = points.into_iter().map(|(x, y)| (left + x, top + y)).collect();
            self.stroke(points, on)?;
        }
        Ok(())
    }

    /// What a legend shows of a part.
    pub(crate) fn sample(&self, series: usize, (x, y): (i32, i32)) -> Drawn {
        self.part(series, (x - 6, y - 7), (x + 8, y + 7))
    }

    /// A text in the middle of a part, with room around it where the texture stays away.
    pub(crate) fn text_on_part(
        &self,
        text: &str,
        series: usize,
        (left, top): (i32, i32),
        (right, bottom): (i32, i32),
    ) -> Drawn {
        let (x, y) = ((left + right) / 2, (top + bottom) / 2);
        let (ink, on) = of_series(series);
        if texture(series) != Texture::Plain {
            let half = width(text, 11.0) / 2 + 3;
            self.rectangle((x - half, top), (x + half, bottom), ink)?;
        }
        self.text_of(text, (x, y), Side::Middle, on, 11.0)
    }

    /// A part of a whole that changes from column to column: between two borders, each a line of points.
    pub(crate) fn band(&self, series: usize, upper: &[(i32, i32)], lower: &[(i32, i32)]) -> Drawn {
        let (ink, on) = of_series(series);
        let around: Vec<(i32, i32)> = upper.iter().chain(lower.iter().rev()).copied().collect();
        self.polygon(&around, ink)?;
        let (Some((left, _)), Some((right, _))) = (upper.first(), upper.last()) else { return Ok(()) };
        let border = |x: i32| (between(upper, x), between(lower, x));
        strokes_between(texture(series), *left..*right, border).into_iter().try_for_each(|line| self.stroke(line, on))
    }
}

/// How high a line of points is at a column.
fn between(points: &[(i32, i32)], x: i32) -> i32 {
    let behind = points.iter().position(|(at, _)| *at >= x).unwrap_or(points.len().saturating_sub(1));
    let before = points.get(behind.saturating_sub(1)).copied().unwrap_or_default();
    let (to, high) = points.get(behind).copied().unwrap_or(before);
    match to - before.0 {
        0 => high,
        across => before.1 + (high - before.1) * (x - before.0) / across,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_high_as_its_points() {
        let points = [(0, 10), (10, 30), (20, 30)];
        assert_eq!([0, 5, 10, 15, 20].map(|x| between(&points, x)), [10, 20, 30, 30, 30]);
    }

    #[test]
    fn lines_of_a_texture_stay_between_their_borders() {
        let border = |x: i32| (20 + x / 2, 80 - x / 4);
        for series in 0..6 {
            let lines = strokes_between(texture(series), 0..60, border);
            assert_eq!(lines.is_empty(), series == 0, "{series}");
            for (x, y) in lines.into_iter().flatten() {
                let (top, bottom) = border(x);
                assert!((top..=bottom).contains(&y), "{series}: {x}, {y}");
            }
        }
    }
}
