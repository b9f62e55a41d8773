//! Which name was meant.

/// Names that are less alike than this were not mistyped, as clap has it.
const ALIKE: f64 = 0.7;

/// Of some names the one that is most like what was typed, if one is.
pub fn nearest<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let alike = names.into_iter().map(|name| (strsim::jaro_winkler(typed, name), name));
    let best = alike.filter(|(alike, _)| *alike > ALIKE).max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.map(|(_, name)| name)
}

/// The same as the end of a message, from its semicolon; nothing if none is alike.
#[must_use]
pub fn did_you_mean<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(typed, names).map(|name| format!("; did you mean {name}?")).unwrap_or_default()
}
