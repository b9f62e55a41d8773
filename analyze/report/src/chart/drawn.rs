//! A drawn chart.

use super::paint::Sheet;
use super::texture;

/// The content of an SVG element.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chart {
    /// The width in pixels.
    pub(crate) width: u32,
    /// The height in pixels.
    pub(crate) height: u32,
    /// The shapes as SVG.
    pub(crate) shapes: String,
}

impl From<Sheet> for Chart {
    fn from(sheet: Sheet) -> Chart {
        Chart { width: sheet.width, height: sheet.height, shapes: texture::with_patterns(sheet.shapes) }
    }
}
