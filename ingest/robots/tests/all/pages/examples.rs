//! A file for each violation: the example in the catalogue, or a file that it describes.

use crate::conformance::case::unescaped;
use robots::Code;

/// A file that has the violation.
pub(crate) fn file(code: Code) -> Vec<u8> {
    let group = |rules: &str| format!("User-agent: *\n{rules}").into_bytes();
    match code {
        Code::GroupDuplicateAgent => b"User-agent: a\nDisallow: /x\n\nUser-agent: a\nDisallow: /y\n".to_vec(),
        Code::RuleDuplicate => group("Disallow: /x\nDisallow: /y\nDisallow: /x\n"),
        Code::RuleConflict => group("Allow: /x\nDisallow: /x\n"),
        Code::PathOver1024 => group(&format!("Disallow: /{}\n", "x".repeat(1_024))),
        Code::LineOver2083 => group(&format!("# {}\n", "x".repeat(2_082))),
        Code::LineOver16k => group(&format!("# {}\n", "x".repeat(16_662))),
        Code::EolMixed => group("Disallow: /x\r\n"),
        Code::EolCrOnly => b"User-agent: *\rDisallow: /x\r".to_vec(),
        Code::FileEmpty => Vec::new(),
        Code::FileOver500Kib => group(&"Disallow: /x\n".repeat(512_000 / 13)),
        Code::FileOver16Mib => group(&"Disallow: /x\n".repeat((16 << 20) / 13)),
        Code::FileOver2048Rules => group(&"Disallow: /x\n".repeat(2_049)),
        Code::FileUtf16 => "\u{feff}User-agent: *\n".encode_utf16().flat_map(u16::to_le_bytes).collect(),
        _ => written(code),
    }
}

/// The example with an end of line. If it does not have the violation alone, a user-agent line precedes it: a rule
/// needs a group, and a line of markup alone is a web page.
fn written(code: Code) -> Vec<u8> {
    let example = code.example();
    let (example, eol) = match example.strip_suffix("{end of file}") {
        Some(unended) => (unended, ""),
        None => (example, "\n"),
    };
    let example = example.replace("{newline}", "\n");
    assert!(!example.contains('{'), "example is only a description: {}: {example}", code.name());
    let file = [&*unescaped(&example), eol.as_bytes()].concat();
    let stands_alone = robots::parse(&file).violations().iter().any(|found| found.code == code);
    if stands_alone { file } else { [b"User-agent: *\n", &*file].concat() }
}
