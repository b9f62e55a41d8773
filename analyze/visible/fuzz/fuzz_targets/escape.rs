//! Any bytes can be shown on a terminal: what is printed has no control character, no character that turns or hides
//! text, and as many columns as are promised. JSON has the same text, and only characters that may be printed.
//!
//! An input is an offset and a text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use visible::{Character, Safe, characters, end_of_character, json, start_of_character};

fuzz_target!(|input: &[u8]| {
    let Some((at, text)) = input.split_first() else { return };
    let shown = Safe(text).to_string();
    check(&shown);
    assert_eq!(characters(text).map(Character::bytes).sum::<usize>(), text.len());
    let columns: usize = characters(text).map(Character::columns).sum();
    assert_eq!(Safe(text).columns(), columns);
    // What is safe stays as it is.
    assert_eq!(Safe(shown.as_bytes()).to_string(), shown);

    let at = usize::from(*at).min(text.len());
    let (start, end) = (start_of_character(text, at), end_of_character(text, at));
    assert!(start <= at && at <= end && end <= text.len());
    if let Ok(text) = std::str::from_utf8(text) {
        assert!(text.is_char_boundary(start) && text.is_char_boundary(end));
        for write in [json::write, json::write_line, json::write_pretty] {
            let mut written = Vec::new();
            write(&mut written, &text).expect("memory can be written to");
            let written = String::from_utf8(written).expect("JSON is UTF-8");
            check(written.trim_end_matches('\n'));
            assert_eq!(serde_json::from_str::<String>(&written).expect("it is JSON"), text);
        }
    }
});

/// By Unicode's list of characters that turn or hide text, not by the rules that the escape itself has.
fn check(shown: &str) {
    for character in shown.chars() {
        let acts = matches!(
            character,
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        );
        assert!(!acts, "{character:?}");
    }
}
