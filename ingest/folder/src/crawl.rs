//! Names of crawls. They stand in paths below the tables, so they are checked wherever they are read.

/// Whether a crawl can be part of a path below the tables, `crawl=NAME`, and nothing but that. It begins with a letter and
/// is no word of a language, since readers of such folders take `2024` for a number, `2024-10-01` for a date, and `true`
/// for what it says.
#[must_use]
pub fn is_name_of_folder(crawl: &str) -> bool {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.');
    let is_word = |word: &&str| crawl.eq_ignore_ascii_case(word);
    crawl.starts_with(|first: char| first.is_ascii_alphabetic())
        && crawl.chars().all(is_plain)
        && !["true", "false", "null", "nan", "inf", "infinity"].iter().any(is_word)
}

/// Fails where a crawl has no such name, with the cause.
pub fn check(crawl: &str) -> Result<(), String> {
    if is_name_of_folder(crawl) { Ok(()) } else { Err(format!("{crawl} cannot be the name of a crawl")) }
}
