//! JSON that is safe on a terminal: one object per line, or one value on several lines.

use super::character::is_plain;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Writes one object and an end of line.
///
/// JSON requires escapes only for the control characters up to U+001F. Here all characters that [`super::Safe`] escapes
/// are escaped. A JSON parser reads the same text.
pub fn write_line(out: &mut dyn Write, object: &impl Serialize) -> io::Result<()> {
    write(out, object)?;
    out.write_all(b"\n")
}

/// Writes one value.
pub fn write(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, Guarded)).map_err(io::Error::from)
}

/// Writes one value on several lines, with an end of line after each, and the same escapes.
pub fn write_pretty(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    // A JSON string never contains an end of line.
    for line in text.lines() {
        write_escaped(out, line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Formats compact JSON with more escapes in strings.
struct Guarded;

impl Formatter for Guarded {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        write_escaped(writer, fragment)
    }
}

/// Writes a fragment of JSON with more escapes.
fn write_escaped<W: Write + ?Sized>(writer: &mut W, fragment: &str) -> io::Result<()> {
    let mut rest = fragment;
    while let Some((at, character)) = rest.char_indices().find(|&(_, character)| !is_plain(character)) {
        let (plain, after) = rest.split_at(at);
        writer.write_all(plain.as_bytes())?;
        for unit in character.encode_utf16(&mut [0; 2]) {
            write!(writer, "\\u{unit:04x}")?;
        }
        rest = after.get(character.len_utf8()..).unwrap_or_default();
    }
    writer.write_all(rest.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_what_acts_on_a_terminal_and_reads_back_the_same() {
        let text = "a\"\\/\u{1b}\u{7f}\u{9b}\u{202e}\u{feff}\u{e0001}caf\u{e9}\u{1f916}";
        let mut line = Vec::new();
        write_line(&mut line, &text).unwrap();
        let line = String::from_utf8(line).unwrap();
        let expected = r#""a\"\\/\u001b\u007f\u009b\u202e\ufeff\udb40\udc01"#.to_owned() + "caf\u{e9}\u{1f916}\"\n";
        assert_eq!(line, expected);
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);

        let mut lines = Vec::new();
        write_pretty(&mut lines, &[text, "a\nb"]).unwrap();
        let lines = String::from_utf8(lines).unwrap();
        assert_eq!(lines, format!("[\n  {},\n  \"a\\nb\"\n]\n", expected.trim_end()));
        assert_eq!(serde_json::from_str::<[String; 2]>(&lines).unwrap(), [text, "a\nb"]);
    }
}
