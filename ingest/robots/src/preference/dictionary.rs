//! Dictionaries, RFC 9651 § 3.2, parsed as in § 4.2.2. A text that is not a dictionary has no members.

use crate::byte::is_blank;
use crate::pattern::normal;
use std::ops::Range;

/// A member of a dictionary, as ranges of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DictionaryMember {
    /// The key, the value and its parameters.
    pub(super) whole: Range<usize>,
    /// The key.
    pub(super) key: Range<usize>,
    /// The value without parameters. It is empty for a key alone, which means true.
    pub(super) value: Range<usize>,
}

/// The first `most` members of a dictionary in order, including members with the same key. `None` if the text is not a
/// dictionary.
pub(super) fn read(text: &[u8], most: usize) -> Option<Vec<DictionaryMember>> {
    let mut cursor = DictionaryCursor { text, at: 0 };
    let mut members = Vec::new();
    cursor.skip(is_sp);
    if cursor.is_at_end() {
        return Some(members);
    }
    loop {
        let start = cursor.at;
        let key = cursor.key()?;
        let value_start = cursor.at + 1;
        let value = if cursor.takes(b'=') {
            cursor.member_value()?;
            value_start..cursor.at
        } else {
            cursor.at..cursor.at
        };
        cursor.parameters()?;
        if members.len() < most {
            members.push(DictionaryMember { whole: start..cursor.at, key, value });
        }
        cursor.skip(is_blank);
        if cursor.is_at_end() {
            return Some(members);
        }
        if !cursor.takes(b',') {
            return None;
        }
        cursor.skip(is_blank);
    }
}

struct DictionaryCursor<'t> {
    text: &'t [u8],
    at: usize,
}

fn is_sp(byte: u8) -> bool {
    byte == b' '
}

impl DictionaryCursor<'_> {
    fn next(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.next() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Skips all bytes of a kind, and returns their number.
    fn skip(&mut self, is_meant: impl Fn(u8) -> bool) -> usize {
        let start = self.at;
        while self.next().is_some_and(&is_meant) {
            self.at += 1;
        }
        self.at - start
    }

    /// § 4.2.3.3: a key starts with a lower-case letter or `*`.
    fn key(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        let starts = |byte: u8| byte.is_ascii_lowercase() || byte == b'*';
        self.next().filter(|&byte| starts(byte))?;
        self.skip(|byte| starts(byte) || byte.is_ascii_digit() || matches!(byte, b'_' | b'-' | b'.'));
        Some(start..self.at)
    }

    /// § 4.2.1.1: an item or an inner list.
    fn member_value(&mut self) -> Option<()> {
        if !self.takes(b'(') {
            return self.bare_item();
        }
        let mut is_apart = true;
        loop {
            is_apart |= self.skip(is_sp) > 0;
            if self.takes(b')') {
                return Some(());
            }
            if !is_apart {
                return None;
            }
            self.bare_item()?;
            self.parameters()?;
            is_apart = false;
        }
    }

    /// § 4.2.3.2: parameters follow semicolons.
    fn parameters(&mut self) -> Option<()> {
        while self.takes(b';') {
            self.skip(is_sp);
            self.key()?;
            if self.takes(b'=') {
                self.bare_item()?;
            }
        }
        Some(())
    }

    /// § 4.2.3.1.
    fn bare_item(&mut self) -> Option<()> {
        match self.next()? {
            b'-' | b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            b':' => self.between(b':', |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')),
            b'?' => {
                self.at += 1;
                (self.takes(b'0') || self.takes(b'1')).then_some(())
            }
            b'@' => {
                self.at += 1;
                // § 4.2.9: "If output_date is a Decimal, fail parsing."
                self.integer().map(|_| ())
            }
            b'%' => {
                self.at += 1;
                self.display_string()
            }
            byte if byte.is_ascii_alphabetic() || byte == b'*' => {
                self.skip(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(&byte));
                Some(())
            }
            _ => None,
        }
    }

    fn number(&mut self) -> Option<()> {
        let whole = self.integer()?;
        if self.takes(b'.') {
            let part = self.skip(|byte| byte.is_ascii_digit());
            return (whole <= 12 && (1..=3).contains(&part)).then_some(());
        }
        Some(())
    }

    /// Returns the number of digits.
    fn integer(&mut self) -> Option<usize> {
        self.takes(b'-');
        Some(self.skip(|byte| byte.is_ascii_digit())).filter(|digits| (1..=15).contains(digits))
    }

    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            let byte = self.next()?;
            self.at += 1;
            match byte {
                b'"' => return Some(()),
                b'\\' if matches!(self.next(), Some(b'"' | b'\\')) => self.at += 1,
                b'\\' => return None,
                b' '..=b'~' => {}
                _ => return None,
            }
        }
    }

    /// § 4.2.10: two lower-case hexadecimal digits follow each percent sign, and the octets are UTF-8.
    fn display_string(&mut self) -> Option<()> {
        if !self.takes(b'"') {
            return None;
        }
        let mut octets = Vec::new();
        loop {
            let at = self.at;
            let byte = self.next()?;
            self.at += 1;
            match byte {
                b'"' => return std::str::from_utf8(&octets).is_ok().then_some(()),
                b'%' => {
                    octets.push(normal::encoded(self.text, at)?);
                    self.at += 2;
                    if self.text.get(at..self.at)?.iter().any(u8::is_ascii_uppercase) {
                        return None;
                    }
                }
                b' '..=b'~' => octets.push(byte),
                _ => return None,
            }
        }
    }

    /// Reads bytes of a kind between two delimiters.
    fn between(&mut self, delimiter: u8, is_meant: impl Fn(u8) -> bool) -> Option<()> {
        if !self.takes(delimiter) {
            return None;
        }
        self.skip(is_meant);
        self.takes(delimiter).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    fn check(text: &str, expected: Option<&[(&str, &str)]>) {
        let members = read(text.as_bytes(), 3);
        let of = |range: &std::ops::Range<usize>| text[range.clone()].to_owned();
        let found = members
            .map(|members| members.iter().map(|member| (of(&member.key), of(&member.value))).collect::<Vec<_>>());
        let expected = expected.map(|members| {
            members.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect::<Vec<_>>()
        });
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn dictionaries() {
        check("", Some(&[]));
        check("train-ai=n", Some(&[("train-ai", "n")]));
        check("train-ai=n, search=y", Some(&[("train-ai", "n"), ("search", "y")]));
        check("a=y\t,\tb", Some(&[("a", "y"), ("b", "")]));
        check("a;x=1;y, b=?1", Some(&[("a", ""), ("b", "?1")]));
        check("a=\"n, \\\"m\", b=:YQ==:", Some(&[("a", "\"n, \\\"m\""), ("b", ":YQ==:")]));
        check("a=(y n;q=0.5 \"s\"), b=-1.5, c=@7", Some(&[("a", "(y n;q=0.5 \"s\")"), ("b", "-1.5"), ("c", "@7")]));
        check("a=123456789012345", Some(&[("a", "123456789012345")]));
        check("a=()", Some(&[("a", "()")]));
        check("a=%\"f%c3%bc %25\\\"", Some(&[("a", "%\"f%c3%bc %25\\\"")]));
    }

    #[test]
    fn members_beyond_the_limit_are_parsed() {
        check("a=1, b=2, c=3, d=4", Some(&[("a", "1"), ("b", "2"), ("c", "3")]));
        check("a=1, b=2, c=3, D=4", None);
    }

    #[test]
    fn texts_that_are_not_dictionaries() {
        let none = [
            "Train-ai=n",
            "train-AI=n",
            "a=y,",
            ",a=y",
            "a=y,,b=n",
            "a=y b=n",
            "a =y",
            "a= y",
            "a=",
            "1a=y",
            "a=\"n",
            "a=\"\\n\"",
            "a=(y",
            "a=(y\"s\")",
            "a=ä",
            "a=1.",
            "a=1234567890123456",
            "a=?2",
            "a=;x",
            // § 4.2.9.
            "a=@1.5",
            "a=@",
            "a=@1234567890123456",
            // § 4.2.10.
            "a=%\"%C3%BC\"",
            "a=%\"%c3\"",
            "a=%\"%c\"",
            "a=%\"%zz\"",
            "a=%\"f",
            "a=%f",
            "a;X=1",
        ];
        for text in none {
            check(text, None);
        }
    }
}
