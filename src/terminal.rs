//! What is printed to a terminal: colours, its width, and the part of a line that fits.
//!
//! Text from outside is printed through [`Safe`] and never raw.

pub(crate) mod palette;
pub(crate) mod screen;
pub(crate) mod window;

pub(crate) use visible::{Safe, json};
