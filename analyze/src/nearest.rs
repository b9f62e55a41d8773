//! Suggests a name for a mistyped one.

/// The least similarity of a suggestion, as in clap.
const ALIKE: f64 = 0.7;

/// The name that is most similar to what was typed; `None` if none is similar.
pub fn nearest<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let alike = names.into_iter().map(|name| (strsim::jaro_winkler(typed, name), name));
    let best = alike.filter(|(alike, _)| *alike > ALIKE).max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.map(|(_, name)| name)
}

/// The suggestion as the end of a message, with a semicolon before it; empty if no name is similar.
#[must_use]
pub fn did_you_mean<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(typed, names).map(|name| format!("; did you mean {name}?")).unwrap_or_default()
}
