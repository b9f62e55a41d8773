//! The Robots Exclusion Protocol, RFC 9309: parse, judge, lint.
//!
//! All rules of the protocol are in this crate. It reads no file and knows no table. Content yields facts, never
//! errors: every function returns for every input.
//!
//! ```
//! let parsed = robots::parse(b"User-agent: *\nDisallow: /private\nAllow: /private/open\n");
//! let verdict = robots::judge(&parsed, "ExampleBot", "https://example.com/private/x", robots::Dialect::Rfc9309);
//! assert!(!verdict.allowed);
//! assert_eq!(verdict.line, Some(2));
//! ```

mod access;
mod body;
mod byte;
mod dialect;
mod extension;
mod judge;
mod key;
pub mod limits;
mod line;
mod lists;
mod no_effect;
mod outcome;
mod parse;
mod parsed;
mod pattern;
mod policy;
mod preference;
mod reading;
mod scan;
mod span;
mod target;
mod token;
mod transcript;
mod violation;
mod weight;
mod words;

pub use access::{AccessResult, SiteAccess};
pub use body::{BodyKind, Encoding, LineEndings, whole_lines};
pub use byte::first_bytes;
pub use dialect::{Dialect, Naming};
pub use extension::Extension;
pub use judge::{Verdict, judge};
pub use line::LineIndex;
pub use no_effect::{NoEffect, find_rules_without_effect};
pub use outcome::{RedirectEnd, SiteOutcome};
pub use parse::{Parser, parse};
pub use parsed::{Agent, Facts, Group, OtherRecord, Parsed, Rule};
pub use pattern::{Pattern, percent_encoded};
pub use policy::{AccessClass, Gain, PathGain, Policy, Terms, policies};
pub use preference::{
    Label, Preference, PreferenceEffect, PreferenceProblem, Purpose, SignalKind, Stated, VOCABULARIES, Vocabulary,
};
pub use reading::{MatchKind, Reading, Selection};
pub use span::Span;
pub use target::{Target, is_robots_txt};
pub use token::{is_product_token, product_token, token};
pub use transcript::Transcript;
pub use violation::{Code, Effect, Severity, Tier, Violation};
pub use weight::Weight;
