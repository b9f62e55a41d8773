//! Texts as sentences, and their verbs.

/// The text with its first letter in upper case.
pub(crate) fn capitalise(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    first + letters.as_str()
}

/// The text with a capital letter and a full stop.
pub(crate) fn complete_sentence(text: &str) -> String {
    capitalise(text) + if text.ends_with('.') { "" } else { "." }
}

/// A verb of the present tense for one or for several.
pub(crate) fn inflect(verb: &str, is_one: bool) -> String {
    match (verb, is_one) {
        (_, false) => verb.to_owned(),
        ("have", true) => "has".to_owned(),
        (_, true) => format!("{verb}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_site_has_a_verb_of_its_own() {
        assert_eq!(
            [("block", true), ("have", true), ("have", false)].map(|(verb, one)| inflect(verb, one)),
            ["blocks", "has", "have"]
        );
    }
}
