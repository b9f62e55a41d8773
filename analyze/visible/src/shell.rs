//! Words of commands that people copy into a shell.

/// A text as one word of a shell command: in quotes if it has characters that mean something to a shell.
#[must_use]
pub fn shell_word(text: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "/._-+,=@:~".contains(character);
    let starts_plainly = !text.starts_with(['~', '=']);
    if !text.is_empty() && starts_plainly && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_change_them() {
        for plain in ["tables", "CC-MAIN-2024-22", "gptbot,ccbot", "/a/b~/c_d.e", "s3://a/b", "caf\u{e9}"] {
            assert_eq!(shell_word(plain), plain);
        }
        for (text, expected) in
            [("", "''"), ("a b", "'a b'"), ("*", "'*'"), ("~/a", "'~/a'"), ("=ls", "'=ls'"), ("x'; rm", r"'x'\''; rm'")]
        {
            assert_eq!(shell_word(text), expected);
        }
    }
}
