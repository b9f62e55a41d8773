//! Names of crawls. They are part of paths below the tables, so they are checked wherever they are read.

/// Whether a crawl can be the name in `crawl=NAME`, a folder below the tables. It must start with a letter and must not
/// be a keyword: readers of such folders take `2024` for a number, `2024-10-01` for a date, and `true` for a boolean.
#[must_use]
pub fn is_name_of_folder(crawl: &str) -> bool {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.');
    let is_word = |word: &&str| crawl.eq_ignore_ascii_case(word);
    crawl.starts_with(|first: char| first.is_ascii_alphabetic())
        && crawl.chars().all(is_plain)
        && !["true", "false", "null", "nan", "inf", "infinity"].iter().any(is_word)
}

/// Fails, with the cause, if a crawl does not have such a name.
pub fn check(crawl: &str) -> Result<(), String> {
    if is_name_of_folder(crawl) { Ok(()) } else { Err(format!("{crawl} cannot be the name of a crawl")) }
}
