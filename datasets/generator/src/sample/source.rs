//! The format of a source.

use serde::Deserialize;

/// A source: the description of one archive.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleSource {
    /// The path of the archive in the sample.
    pub archive: String,
    /// The subject of the archive, a sentence for the README.
    pub about: String,
    /// Gzip members or plain records.
    #[serde(default)]
    pub layout: Layout,
    /// The hour of all fetches, such as `2024-03-01T12`. Each record is a second later than the one before.
    pub hour: String,
    /// The entries of the archive, in order.
    pub record: Vec<SampleEntry>,
}

/// How an archive stores its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// In gzip members.
    #[default]
    Members,
    /// As plain records.
    Plain,
}

/// An entry of an archive: a record, or something instead of one.
///
/// Texts may contain `\xHH`, `\r`, `\n`, `\t`, `\0` and `\\`. Heads may contain `{length}`, `{digest}`, `{date}`,
/// `{id}` and `{target}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleEntry {
    /// Its purpose.
    pub reason: String,
    /// The names of the remarks that a reader must make on it; for damage, its cause.
    #[serde(default)]
    pub remarks: Vec<String>,
    /// Its kind.
    #[serde(default)]
    pub what: What,
    /// `WARC-Type`.
    #[serde(default = "response", rename = "type")]
    pub record_type: String,
    /// `WARC-Target-URI`.
    pub target: Option<String>,
    /// `Content-Type` of the record, if it is not the default of its type.
    pub content_type: Option<String>,
    /// More lines of the WARC head.
    #[serde(default)]
    pub fields: String,
    /// The whole WARC head, instead of a generated one.
    pub head: Option<String>,
    /// The HTTP head; without it the block is the body alone.
    pub http: Option<String>,
    /// The body.
    #[serde(default)]
    pub body: BodySource,
    /// The encoding of the body.
    #[serde(default)]
    pub encoding: EntryEncoding,
    /// The line ends.
    #[serde(default)]
    pub line_ends: LineEnds,
    /// Steps applied to the body, in order.
    #[serde(default)]
    pub codings: Vec<EntryCoding>,
    /// The bytes after the block.
    #[serde(default = "two_ends_of_lines")]
    pub end: String,
    /// Its member.
    #[serde(default)]
    pub member: Member,
    /// The damage to its member.
    pub damage: Option<EntryDamage>,
}

fn response() -> String {
    "response".to_owned()
}

fn two_ends_of_lines() -> String {
    "\\r\\n\\r\\n".to_owned()
}

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// A record.
    #[default]
    Record,
    /// A member that contains the body and no record.
    Member,
    /// The bytes of the body between members.
    Bytes,
}

/// A text, whole or in pieces.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum BodySource {
    /// The text.
    Text(String),
    /// Its pieces.
    Pieces(Vec<BodyPiece>),
}

impl Default for BodySource {
    fn default() -> Self {
        BodySource::Text(String::new())
    }
}

/// A piece of a text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum BodyPiece {
    /// Once.
    Text(String),
    /// Repeated; `{n}` in it is the number of the repetition, from 00000 on.
    Repeated {
        /// The text.
        text: String,
        /// How many times.
        times: u32,
    },
}

/// An encoding of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryEncoding {
    /// UTF-8.
    #[default]
    #[serde(rename = "utf-8")]
    Utf8,
    /// UTF-16, little-endian, with a byte order mark.
    #[serde(rename = "utf-16le")]
    Utf16Le,
    /// UTF-16, big-endian, with a byte order mark.
    #[serde(rename = "utf-16be")]
    Utf16Be,
}

/// The line ends that replace the new lines of a source.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LineEnds {
    /// In the WARC head.
    pub warc: Eol,
    /// In the HTTP head.
    pub http: Eol,
    /// In the body.
    pub body: Eol,
}

impl Default for LineEnds {
    fn default() -> Self {
        LineEnds { warc: Eol::Crlf, http: Eol::Crlf, body: Eol::Lf }
    }
}

/// A line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Eol {
    /// LF.
    Lf,
    /// CR LF.
    Crlf,
    /// CR.
    Cr,
}

/// A step applied to a body: a coding or damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryCoding {
    /// RFC 9110 § 8.4.1.3.
    Gzip,
    /// RFC 9110 § 8.4.1.2, in the zlib format.
    Deflate,
    /// The same without the zlib format, as some servers send it.
    DeflateRaw,
    /// RFC 7932.
    Br,
    /// RFC 8878.
    Zstd,
    /// RFC 9112 § 7.1, in chunks of 32 bytes.
    Chunked,
    /// Removes the last twelve bytes.
    Cut,
    /// Changes the fifth byte from the end.
    Flip,
    /// Appends other bytes.
    Trail,
}

/// The member of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Member {
    /// Its own member.
    #[default]
    Own,
    /// The member of the record before it.
    Same,
}

/// The damage to a member, or to a record in an archive without members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryDamage {
    /// A byte in its middle is changed.
    Flip,
    /// Its second half is missing.
    Cut,
}
