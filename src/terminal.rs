//! Output to a terminal: its colours, its width, and the part of a line that fits.
//!
//! Text from outside is only printed through [`Safe`].

pub(crate) mod palette;
pub(crate) mod screen;
pub(crate) mod window;

pub(crate) use visible::{Safe, json};

/// How many user-agent lines of a group are printed. Some groups have hundreds.
pub(crate) const AGENT_LINES: usize = 8;
