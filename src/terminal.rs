//! Output to a terminal: its colours, its width, and the part of a line that fits.
//!
//! Text from outside is only printed through [`Safe`].

pub(crate) mod palette;
pub(crate) mod screen;
pub(crate) mod window;

pub(crate) use visible::{Safe, json};
