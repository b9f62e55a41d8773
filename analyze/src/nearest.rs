//! Suggests a name for a mistyped one.

/// The least similarity of an almost certain misspelling.
const CERTAIN: f64 = 0.95;

/// How many characters of the start of a name are enough to suggest it.
const LEAST_START: usize = 3;

/// The name that is most similar to the typed one; `None` if none is similar. One that differs only in upper and lower
/// case is the most similar. A name that contains the typed one as a word, as `url_host_name` contains `host`, counts as more similar than a misspelling.
pub fn nearest<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let names: Vec<&str> = names.into_iter().collect();
    if let Some(name) = names.iter().find(|name| name.eq_ignore_ascii_case(typed)) {
        return Some(name);
    }
    let alike = names.iter().filter(|name| is_near(typed, name));
    let alike = alike.map(|name| (strsim::jaro_winkler(typed, name), *name));
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

/// Whether a name may have been meant: at most one character in three differs, or one name is the start of the other
/// and at least half as long.
fn is_near(typed: &str, name: &str) -> bool {
    let (shorter, longer) = if typed.len() <= name.len() { (typed, name) } else { (name, typed) };
    let is_start = longer.starts_with(shorter) && shorter.len() >= LEAST_START && longer.len() <= 2 * shorter.len();
    // A swap of two neighbours counts as one change.
    is_start || 3 * strsim::osa_distance(typed, name) <= longer.chars().count()
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
        check("FETCH_STATUS", Some("fetch_status"));
        check("fetch_statu", Some("fetch_status"));
        check("fetch_sttaus", Some("fetch_status"));
        check("host", Some("url_host_name"));
        check("host_name", Some("url_host_name"));
        check("status", Some("fetch_status"));
        check("capture", Some("capture_id"));
        check("rul", Some("url"));
        check("fetched_at", None);
        check("zzz", None);
        check("", None);
    }

    #[test]
    fn names_that_only_share_letters_or_an_ending_are_not_suggested() {
        let agents =
            ["*", "gptbot", "ccbot", "dtsagent", "claudebot", "googlebot", "google-extended", "not", "bytespider"];
        let check = |typed: &str, expected: Option<&str>| assert_eq!(nearest(typed, agents), expected, "{typed}");
        check("gpt", Some("gptbot"));
        check("gptbto", Some("gptbot"));
        check("ccbott", Some("ccbot"));
        check("claude", Some("claudebot"));
        check("googlebot-image", Some("googlebot"));
        check("google-extend", Some("google-extended"));
        check("nosuchagentx", None);
        check("nosuchbotatall", None);
        check("somebot", None);
        check("xbot", None);
        let crawls = ["CC-MAIN-2024-22", "CC-MAIN-2024-26", "LAB-GOV-2020-48"];
        assert_eq!(nearest("CC-MAIN-2024-62", crawls), Some("CC-MAIN-2024-26"));
        assert_eq!(nearest("2024", crawls), None);
        assert_eq!(nearest("TEST", crawls), None);
    }
}
