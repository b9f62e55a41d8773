//! Turns the texts of a source into bytes.

use super::source::Eol;

/// The bytes of a text, with the given line ends and with its escapes replaced.
pub(super) fn bytes(text: &str, eol: Eol) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '\n']) {
        let (plain, special) = rest.split_at(at);
        bytes.extend_from_slice(plain.as_bytes());
        rest = match special.strip_prefix('\n') {
            Some(rest) => {
                bytes.extend_from_slice(eol.bytes());
                rest
            }
            None => {
                let (byte, rest) = escape(special)
                    .ok_or_else(|| format!("escape is unknown: {:?}", special.chars().take(4).collect::<String>()))?;
                bytes.push(byte);
                rest
            }
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

/// The byte of the escape at the start of a text, and the text after it.
fn escape(text: &str) -> Option<(u8, &str)> {
    if let Some(hex) = text.strip_prefix("\\x") {
        let (digits, rest) = hex.split_at_checked(2)?;
        return Some((u8::from_str_radix(digits, 16).ok()?, rest));
    }
    let (name, rest) = text.split_at_checked(2)?;
    let byte = match name {
        "\\r" => b'\r',
        "\\n" => b'\n',
        "\\t" => b'\t',
        "\\0" => 0,
        "\\\\" => b'\\',
        _ => return None,
    };
    Some((byte, rest))
}

impl Eol {
    pub(super) fn bytes(self) -> &'static [u8] {
        match self {
            Eol::Lf => b"\n",
            Eol::Crlf => b"\r\n",
            Eol::Cr => b"\r",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        let check = |text: &str, eol, expected: &[u8]| assert_eq!(bytes(text, eol), Ok(expected.to_vec()), "{text:?}");
        check("", Eol::Lf, b"");
        check("a\nb\n", Eol::Crlf, b"a\r\nb\r\n");
        check("a\nb", Eol::Cr, b"a\rb");
        check("\\xff\\r\\n\\t\\0\\\\x41é", Eol::Lf, b"\xff\r\n\t\0\\x41\xc3\xa9");
        for wrong in ["\\", "\\q", "\\x", "\\x4", "\\xg0"] {
            assert!(bytes(wrong, Eol::Lf).is_err(), "{wrong:?}");
        }
    }
}
