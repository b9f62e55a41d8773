//! Makes untrusted text safe to print.
//!
//! A robots.txt, a file name or a line of NDJSON may contain characters that move the cursor, recolour the screen,
//! reverse the direction of writing, or are invisible. They are shown as escapes: `\u{1b}`, and `\xff` for a byte that
//! is not UTF-8. A backslash is not escaped, since this output is for people; programs use JSON.
//!
//! The command line and the output formats use this crate, so a text looks the same everywhere.

mod character;
pub mod json;
mod shell;

pub use character::{Character, characters, end_of_character, start_of_character};
pub use shell::shell_word;
use std::fmt;

/// An untrusted text. Its printed form has no effect on a terminal.
#[derive(Clone, Copy, Debug)]
pub struct Safe<'t>(pub &'t [u8]);

impl Safe<'_> {
    /// How many columns it takes on a terminal.
    #[must_use]
    pub fn columns(&self) -> usize {
        characters(self.0).map(Character::columns).sum()
    }
}

impl fmt::Display for Safe<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        characters(self.0).try_for_each(|character| write!(formatter, "{character}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &[u8], expected: &str) {
        assert_eq!(Safe(text).to_string(), expected, "{text:?}");
    }

    #[test]
    fn plain_text_is_not_changed() {
        check(b"User-agent: * # \\ ~", r"User-agent: * # \ ~");
        check("/caf\u{e9}/\u{6771}\u{4eac}/\u{1f916}".as_bytes(), "/caf\u{e9}/\u{6771}\u{4eac}/\u{1f916}");
        check("/e\u{301}/\u{e2a}\u{e34}".as_bytes(), "/e\u{301}/\u{e2a}\u{e34}");
    }

    #[test]
    fn control_characters_are_escaped() {
        check(b"\x1b[31m\x07\0\x7f", r"\u{1b}[31m\u{7}\u{0}\u{7f}");
        check(b"a\tb\nc\rd", r"a\tb\nc\rd");
        check("\u{80}\u{9b}31m\u{9f}".as_bytes(), r"\u{80}\u{9b}31m\u{9f}");
    }

    #[test]
    fn characters_that_turn_or_hide_text_are_escaped() {
        let hidden = ('\u{202a}'..='\u{202e}')
            .chain('\u{2066}'..='\u{2069}')
            .chain('\u{200b}'..='\u{200f}')
            .chain('\u{2060}'..='\u{2064}')
            .chain('\u{fe00}'..='\u{fe0f}')
            .chain('\u{e0001}'..='\u{e007f}')
            .chain("\u{61c}\u{2028}\u{2029}\u{feff}\u{ad}\u{180e}\u{3164}\u{a0}\u{e000}\u{34f}".chars());
        for character in hidden {
            let expected = format!("\\u{{{:x}}}", u32::from(character));
            check(character.to_string().as_bytes(), &expected);
        }
    }

    #[test]
    fn invalid_utf_8_is_escaped_byte_by_byte() {
        check(b"caf\xe9!", r"caf\xe9!");
        check(b"\xff\xfe", r"\xff\xfe");
        check(b"\xc2\x1b", r"\xc2\u{1b}");
        check(b"\xed\xa0\x80", r"\xed\xa0\x80");
        check(b"\xe2\x82", r"\xe2\x82");
    }
}
