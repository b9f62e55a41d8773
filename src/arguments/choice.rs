//! A choice of one of a few values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A value, the name to type for it, and what help says of it.
pub(super) type Choice<T> = (&'static str, &'static str, T);

/// Parses the name of one of these values.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    choices: &'static [Choice<T>],
) -> impl TypedValueParser<Value = T> {
    let names = choices.iter().map(|(name, help, _)| PossibleValue::new(*name).help(*help));
    named(names, |typed| choices.iter().find(|(name, ..)| *name == typed).map(|(.., value)| *value))
}

/// Parses one of these names. `find` finds what has the name.
pub(super) fn named<T: Clone + Send + Sync + 'static>(
    names: impl IntoIterator<Item = impl Into<PossibleValue>>,
    find: impl Fn(&str) -> Option<T> + Clone + Send + Sync + 'static,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names).try_map(move |typed| find(&typed).ok_or("it is not one of these"))
}
