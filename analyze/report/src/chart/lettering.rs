//! How wide texts are, and how they fit into a width.

/// The default size of a text in pixels.
pub(crate) const SIZE: f64 = 12.0;

/// The approximate width of a text in pixels.
pub(crate) fn width(text: &str, size: f64) -> i32 {
    let ems: f64 = text
        .chars()
        .map(|character| match character {
            // Isolating characters.
            '\u{2068}' | '\u{2069}' => 0.0,
            'i' | 'j' | 'l' | 'I' | '.' | ',' | '\'' | '|' | ' ' | '\u{a0}' | ':' | ';' | '!' | 'f' | 't' | 'r' => 0.36,
            'm' | 'w' | 'M' | 'W' | '%' | '@' | '<' | '>' | '=' | '+' | '~' | '#' | '\u{2026}' => 0.92,
            'A'..='Z' => 0.68,
            '\u{1100}'.. => 1.0,
            _ => 0.58,
        })
        .sum();
    (ems * size).ceil() as i32
}

/// A text cut to a width in pixels.
pub(crate) fn fit_text(text: &str, size: f64, room: i32) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut fitting = String::new();
    for character in text.chars() {
        fitting.push(character);
        if width(&fitting, size) + width("\u{2026}", size) > room {
            fitting.pop();
            break;
        }
    }
    fitting.push('\u{2026}');
    fitting
}

/// A name cut to a width in pixels, followed by a note that is never cut.
pub(crate) fn fit_name(name: &str, note: &str, size: f64, room: i32) -> String {
    format!("{}{note}", fit_text(name, size, room - width(note, size)))
}

/// The name of a category, and the share or count at its end, such as `, 5.4 %` or `, 4 of 46`; empty if there is none.
pub(crate) fn split_number(name: &str) -> (&str, &str) {
    let is_number = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_digit()) && (text.ends_with('%') || text.contains(" of "))
    };
    match name.rfind(", ").map(|place| name.split_at(place)) {
        Some((name, number)) if number.strip_prefix(", ").is_some_and(is_number) => (name, number),
        _ => (name, ""),
    }
}

/// The lines of a text, broken to a width in pixels at blanks, and after hyphens if a word is too long; no line if it is
/// empty.
pub(crate) fn wrap_text(text: &str, size: f64, room: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_long = width(word, size) > room;
        for (nth, piece) in word.split_inclusive(|character| is_long && character == '-').enumerate() {
            let before = if nth == 0 { " " } else { "" };
            match lines.last_mut() {
                Some(line) if width(line, size) + width(before, size) + width(piece, size) <= room => {
                    line.push_str(before);
                    line.push_str(piece);
                }
                _ => lines.push(fit_text(piece, size, room)),
            }
        }
    }
    lines
}

/// A name of one or two lines, and its note on a line of its own. More lines of untrusted text are cut.
fn name_and_note(name: &str, note: &str, room: i32) -> Vec<String> {
    let mut lines = wrap_text(name, SIZE, room);
    if !(1..=2).contains(&lines.len()) {
        lines = vec![fit_text(name, SIZE, room)];
    }
    if !note.is_empty() {
        lines.push(fit_text(note.trim(), SIZE, room));
    }
    lines
}

/// The lines of a name with its note: one line, in which the name may be cut, or several in a narrow chart where one is
/// too short.
pub(crate) fn name_lines(name: &str, note: &str, room: i32, is_narrow: bool) -> Vec<String> {
    if is_narrow && width(&format!("{name}{note}"), SIZE) > room {
        name_and_note(name, note, room)
    } else {
        vec![fit_name(name, note, SIZE, room)]
    }
}

/// The height of further lines of a name.
pub(crate) const LINE: i32 = 14;

/// The height of all lines of a name but the first.
pub(crate) fn further_lines(name: &[String]) -> i32 {
    LINE * (i32::try_from(name.len()).unwrap_or(1) - 1).max(0)
}

/// The greatest width of some texts in pixels, limited to `most`.
pub(crate) fn widest<'t>(texts: impl Iterator<Item = &'t String>, size: f64, most: i32) -> i32 {
    texts.map(|text| width(text, size)).max().unwrap_or_default().min(most)
}

#[cfg(test)]
mod tests {
    use super::{SIZE, fit_name, name_and_note, split_number, wrap_text};

    #[test]
    fn the_number_after_a_name_is_not_cut() {
        for (text, name, number) in [
            ("Applebot-Extended, 4 of 46", "Applebot-Extended", ", 4 of 46"),
            ("Google-Extended, 5.4\u{a0}%", "Google-Extended", ", 5.4\u{a0}%"),
            ("1 to 1,000 / de", "1 to 1,000 / de", ""),
            ("one, 2", "one, 2", ""),
        ] {
            assert_eq!(split_number(text), (name, number));
        }
        assert_eq!(fit_name("Applebot-Extended", ", 4 of 46", SIZE, 150), "Applebot-Exte\u{2026}, 4 of 46");
    }

    #[test]
    fn a_long_name_has_two_lines_besides_its_note() {
        let note = " (4, 0 of 30)";
        assert_eq!(
            name_and_note("blocks ClaudeBot by name", note, 136),
            ["blocks ClaudeBot by", "name", "(4, 0 of 30)"]
        );
        assert_eq!(name_and_note("gptbot", "", 136), ["gptbot"]);
        assert_eq!(name_and_note(&"w".repeat(50), note, 136).len(), 2);
    }

    #[test]
    fn a_long_word_breaks_after_hyphens() {
        assert_eq!(wrap_text("AdsBot-Google-Mobile-Apps", SIZE, 120), ["AdsBot-Google-", "Mobile-Apps"]);
        assert_eq!(wrap_text("ads for AdsBot-Google", SIZE, 120), ["ads for", "AdsBot-Google"]);
    }
}
