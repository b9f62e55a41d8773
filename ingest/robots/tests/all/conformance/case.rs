//! A case: a robots.txt, the expected facts and verdicts, and the authority for them.

use super::expectation::{Access, Parse, Verdict};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The authorities for an expected answer. The last one is this project, for cases that no text decides.
pub(crate) const AUTHORITIES: [&str; 12] = [
    "RFC 9309",
    "RFC 9651",
    "draft-koster-rep-00",
    "draft-koster-rep-12",
    "draft-koster-robots-00 (1996)",
    "google/robotstxt",
    "draft-ietf-aipref-attach-05",
    "draft-ietf-aipref-vocab-08",
    "draft-illyes-rep-purpose-00",
    "Cloudflare",
    "crawler-commons",
    "robocensus",
];

/// A file of cases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Theme {
    pub(crate) title: String,
    pub(crate) about: String,
    #[serde(rename = "case")]
    pub(crate) cases: Vec<Case>,
}

/// One claim about one robots.txt.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) authority: String,
    /// The section of the authority's text; for software and for this project, that of RFC 9309.
    pub(crate) section: String,
    pub(crate) reason: String,
    robots: Option<String>,
    /// The text, with escapes such as `\xE9` for bytes that TOML does not allow.
    robots_escaped: Option<String>,
    /// Pieces of the text, with the same escapes, and how often each is repeated.
    robots_repeated: Option<Vec<(String, usize)>>,
    #[serde(default)]
    verdicts: Vec<Verdict>,
    parse: Option<Parse>,
    #[serde(default)]
    access: Vec<Access>,
}

impl Case {
    /// The failed expectations, one line each.
    pub(crate) fn failures(&self) -> Vec<String> {
        let body = self.body();
        let parsed = robots::parse(&body);
        let verdicts = self.verdicts.iter().flat_map(|verdict| verdict.failures(&parsed));
        let facts = self.parse.iter().flat_map(|parse| parse.failures(&parsed));
        let access = self.access.iter().flat_map(Access::failures);
        verdicts.chain(facts).chain(access).map(|failure| format!("  {}: {failure}", self.name)).collect()
    }

    pub(crate) fn expects_something(&self) -> bool {
        !self.verdicts.is_empty() || self.parse.is_some() || !self.access.is_empty()
    }

    pub(crate) fn expected_codes(&self) -> impl Iterator<Item = &str> {
        self.parse.iter().filter_map(|parse| parse.codes.as_deref()).flatten().map(String::as_str)
    }

    fn body(&self) -> Vec<u8> {
        match (&self.robots, &self.robots_escaped, &self.robots_repeated) {
            (Some(text), None, None) => text.clone().into_bytes(),
            (None, Some(escaped), None) => unescaped(escaped),
            (None, None, Some(pieces)) => {
                pieces.iter().flat_map(|(piece, times)| unescaped(piece).repeat(*times)).collect()
            }
            (None, None, None) => Vec::new(),
            _ => panic!("{}: the case has two texts", self.name),
        }
    }
}

/// Repeats and joins pieces.
pub(crate) fn repeated(pieces: &[(String, usize)]) -> String {
    pieces.iter().map(|(piece, times)| piece.repeat(*times)).collect()
}

/// `\n`, `\r`, `\t`, `\0`, `\\` and `\xHH` as the bytes that they stand for.
pub(crate) fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        if char != '\\' {
            bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        bytes.push(match rest.next() {
            Some('n') => b'\n',
            Some('r') => b'\r',
            Some('t') => b'\t',
            Some('0') => 0,
            Some('\\') => b'\\',
            Some('x') => {
                let digits: String = rest.by_ref().take(2).collect();
                u8::from_str_radix(&digits, 16).unwrap_or_else(|_| panic!("invalid escape: \\x{digits}"))
            }
            other => panic!("invalid escape: {other:?}"),
        });
    }
    bytes
}

/// The folder of the data.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/conformance")
}

/// All themes, sorted by file name.
pub(crate) fn themes() -> Vec<Theme> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml") && !path.ends_with("requirements.toml"))
        .collect();
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

/// Reads a file of data.
pub(crate) fn read<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    let text = std::fs::read_to_string(path).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()));
    toml::from_str(&text).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()))
}
