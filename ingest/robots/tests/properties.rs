//! Properties of every file. The seed is fixed, so every run is the same.

#![expect(clippy::indexing_slicing, reason = "an index out of bounds fails the test")]

#[path = "properties/dialects.rs"]
mod dialects;
#[path = "properties/no_effect.rs"]
mod no_effect;
#[path = "properties/patterns.rs"]
mod patterns;
#[path = "properties/places.rs"]
mod places;
#[path = "properties/policies.rs"]
mod policies;
#[path = "generated/question.rs"]
mod question;
#[path = "properties/rewriting.rs"]
mod rewriting;
#[path = "slow/policy.rs"]
mod slow;
#[path = "generated/text.rs"]
mod text;
#[path = "properties/transcripts.rs"]
mod transcripts;
