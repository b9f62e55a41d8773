//! Properties of every file. The seed is fixed, so every run is the same.

mod dialects;
mod no_effect;
mod patterns;
mod places;
mod policies;
mod rewriting;
mod transcripts;
