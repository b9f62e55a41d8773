//! Suggests a name for a mistyped one.

/// The least similarity of a suggestion, as in clap.
const ALIKE: f64 = 0.7;

/// The least similarity of an almost certain misspelling.
const CERTAIN: f64 = 0.95;

/// The name that is most similar to the typed one; `None` if none is similar. A name that contains the typed one as a
/// word, as `url_host_name` contains `host`, counts as more similar than a misspelling.
pub fn nearest<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let names: Vec<&str> = names.into_iter().collect();
    let alike = names.iter().map(|name| (strsim::jaro_winkler(typed, name), *name));
    // The measure finds short names in long ones: `not` resembles `nosuchbotatall`.
    let is_as_long = |name: &str| name.len().max(typed.len()) <= 2 * name.len().min(typed.len());
    let alike = alike.filter(|(alike, name)| *alike > ALIKE && is_as_long(name));
    let best = alike.max_by(|(one, _), (other, _)| one.total_cmp(other));
    let has_word = |name: &&str| format!("_{name}_").contains(&format!("_{typed}_"));
    // For `host`, `url_host_name` comes before `url_host_tld` and others.
    let has_name = |name: &str| format!("{name}_").contains(&format!("{typed}_name_"));
    let with_word = names.iter().copied().filter(has_word).min_by_key(|name| (!has_name(name), name.len(), *name));
    match best {
        // A typing error, such as fetch_statu.
        Some((alike, name)) if alike > CERTAIN || with_word.is_none() => Some(name),
        _ => with_word.filter(|_| !typed.is_empty()),
    }
}

/// The suggestion as the end of a message, with a semicolon before it; empty if no name is similar.
#[must_use]
pub fn did_you_mean<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(typed, names).map(|name| format!("; did you mean {name}?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_misspellings() {
        let names = ["url", "url_host_name", "url_host_tld", "fetch_status", "fetch_time", "body_id", "capture_id"];
        let check = |typed: &str, expected: Option<&str>| assert_eq!(nearest(typed, names), expected, "{typed}");
        check("fetch_statu", Some("fetch_status"));
        check("host", Some("url_host_name"));
        check("host_name", Some("url_host_name"));
        check("status", Some("fetch_status"));
        check("zzz", None);
        check("", None);
        assert_eq!(nearest("nosuchbotatall", ["not"]), None);
    }
}
