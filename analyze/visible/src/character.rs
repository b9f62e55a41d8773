//! One character of an untrusted text: shown unchanged, or as an escape.

use std::fmt;
use std::ops::{Range, RangeInclusive};
use unicode_width::UnicodeWidthChar as _;

/// One character, or one byte that is not part of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Character {
    /// Shown unchanged.
    Plain(char),
    /// Shown as an escape.
    Escaped(char),
    /// A byte that is not UTF-8.
    Byte(u8),
}

/// The characters of a text, to its end.
pub fn characters(text: &[u8]) -> impl Iterator<Item = Character> {
    text.utf8_chunks().flat_map(|chunk| {
        let bytes = chunk.invalid().iter().map(|&byte| Character::Byte(byte));
        chunk.valid().chars().map(Character::classify).chain(bytes)
    })
}

/// The start of the character that the byte at `at` belongs to. It is `at` for a byte that is not UTF-8.
#[must_use]
pub fn start_of_character(text: &[u8], at: usize) -> usize {
    character_around(text, at).map_or(at, |character| character.start)
}

/// The first offset, at or after `at`, where a character or a byte that is not UTF-8 can end; at most the length of the
/// text.
#[must_use]
pub fn end_of_character(text: &[u8], at: usize) -> usize {
    character_around(text, at).map_or(at, |character| character.end).min(text.len())
}

/// The character that starts before `at` and ends after it. It has at most four bytes.
fn character_around(text: &[u8], at: usize) -> Option<Range<usize>> {
    (at.saturating_sub(3)..at).find_map(|start| {
        let bytes = text.get(start..text.len().min(start + 4))?;
        let end = start + bytes.utf8_chunks().next()?.valid().chars().next()?.len_utf8();
        (end > at).then_some(start..end)
    })
}

/// Characters that are invisible although Unicode counts them as letters, marks or symbols: those with the property
/// `Default_Ignorable_Code_Point`, and the Braille blank.
const FORMLESS: [RangeInclusive<char>; 9] = [
    '\u{34f}'..='\u{34f}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{e0100}'..='\u{e01ef}',
];

impl Character {
    fn classify(character: char) -> Self {
        if is_plain(character) { Character::Plain(character) } else { Character::Escaped(character) }
    }

    /// How many bytes of the text it takes.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Character::Plain(character) | Character::Escaped(character) => character.len_utf8(),
            Character::Byte(_) => 1,
        }
    }

    /// How many columns it takes on a terminal: 2 for a wide character, 0 for a combining mark.
    #[must_use]
    pub fn columns(self) -> usize {
        match self {
            Character::Plain(character) => character.width().unwrap_or_default(),
            Character::Escaped('\t' | '\n' | '\r') => r"\t".len(),
            Character::Escaped(character) => character.escape_unicode().len(),
            Character::Byte(_) => r"\xff".len(),
        }
    }
}

impl fmt::Display for Character {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Character::Plain(character) => fmt::Write::write_char(formatter, character),
            Character::Escaped(character @ ('\t' | '\n' | '\r')) => write!(formatter, "{}", character.escape_default()),
            Character::Escaped(character) => write!(formatter, "{}", character.escape_unicode()),
            Character::Byte(byte) => write!(formatter, "\\x{byte:02x}"),
        }
    }
}

/// Whether a character is visible and has no other effect.
///
/// The standard library escapes control and format characters, separators other than the space, and private or
/// unassigned characters. It also escapes a combining mark that follows no character. Here such a mark counts as
/// visible, since Thai and Hindi paths have many.
pub(crate) fn is_plain(character: char) -> bool {
    if character.is_ascii() {
        return !character.is_ascii_control();
    }
    let is_printable =
        || character.escape_debug().len() == 1 || format!("a{character}").escape_debug().nth(2).is_none();
    !FORMLESS.iter().any(|range| range.contains(&character)) && is_printable()
}
