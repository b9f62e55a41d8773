//! The style of the page: `style.css`, and the dark colours of charts.

use crate::chart::{hex, palette};
use std::fmt::Write as _;

const STYLE: &str = include_str!("style.css");

/// The whole style sheet.
pub(super) fn write() -> String {
    let mut dark = String::new();
    for ink in palette() {
        let (light, dark_one) = (hex(ink.light), hex(ink.dark));
        for attribute in ["fill", "stroke"] {
            // Writing to a string cannot fail.
            let _ = write!(dark, "svg [{attribute}=\"{light}\"]{{{attribute}:{dark_one}}}");
        }
    }
    format!("{STYLE}@media screen and (prefers-color-scheme:dark){{{dark}}}\n")
}
