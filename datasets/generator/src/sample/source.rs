//! What may stand in a source.

use serde::Deserialize;

/// One archive.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleSource {
    /// The path of the archive in the sample.
    pub archive: String,
    /// What the archive is about, a sentence for the README.
    pub about: String,
    /// Members or records alone.
    #[serde(default)]
    pub layout: Layout,
    /// The hour in which all of it was fetched, as `2024-03-01T12`: a second for each record.
    pub hour: String,
    /// What stands in the archive, one after another.
    pub record: Vec<SampleEntry>,
}

/// How records stand in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// In gzip members.
    #[default]
    Members,
    /// As they are.
    Plain,
}

/// What stands in an archive: a record, or something where one should be.
///
/// Texts may hold `\xHH`, `\r`, `\n`, `\t`, `\0` and `\\`. Heads may hold `{length}`, `{digest}`, `{date}`, `{id}` and
/// `{target}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleEntry {
    /// Why it is there.
    pub reason: String,
    /// What a reader should remark on, by the names that the reader has for it.
    #[serde(default)]
    pub marks: Vec<String>,
    /// What it is.
    #[serde(default)]
    pub what: What,
    /// `WARC-Type`.
    #[serde(default = "response", rename = "type")]
    pub record_type: String,
    /// `WARC-Target-URI`.
    pub target: Option<String>,
    /// `Content-Type` of the record, where it is not what its type has as a rule.
    pub content_type: Option<String>,
    /// More lines of the WARC head.
    #[serde(default)]
    pub fields: String,
    /// The whole WARC head, in place of the one that is made.
    pub head: Option<String>,
    /// The HTTP head; without it the block is the body alone.
    pub http: Option<String>,
    /// The body.
    #[serde(default)]
    pub body: BodySource,
    /// How the body's characters become bytes.
    #[serde(default)]
    pub encoding: EntryEncoding,
    /// How lines end.
    #[serde(default)]
    pub line_ends: LineEnds,
    /// What is done to the body, one after another.
    #[serde(default)]
    pub codings: Vec<EntryCoding>,
    /// What follows the block.
    #[serde(default = "two_ends_of_lines")]
    pub end: String,
    /// In which member it stands.
    #[serde(default)]
    pub member: Member,
    /// What happened to its member.
    pub damage: Option<EntryDamage>,
}

fn response() -> String {
    "response".to_owned()
}

fn two_ends_of_lines() -> String {
    "\\r\\n\\r\\n".to_owned()
}

/// What stands in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// A record.
    #[default]
    Record,
    /// A member that holds the body and no record.
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
    /// The pieces of which it is made.
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
    /// Again and again; `{n}` in it is the number of the repetition, from 00000 on.
    Repeated {
        /// The text.
        text: String,
        /// How often.
        times: u32,
    },
}

/// How characters become bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryEncoding {
    /// UTF-8.
    #[default]
    #[serde(rename = "utf-8")]
    Utf8,
    /// UTF-16, little end first, with a byte order mark.
    #[serde(rename = "utf-16le")]
    Utf16Le,
    /// UTF-16, big end first, with a byte order mark.
    #[serde(rename = "utf-16be")]
    Utf16Be,
}

/// How lines end, where a source has a new line.
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

/// An end of line.
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

/// Something that is done to a body on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryCoding {
    /// RFC 9110 § 8.4.1.3.
    Gzip,
    /// RFC 9110 § 8.4.1.2, in the zlib format.
    Deflate,
    /// The same without the zlib format, as some servers have it.
    DeflateRaw,
    /// RFC 7932.
    Br,
    /// RFC 8878.
    Zstd,
    /// RFC 9112 § 7.1, in chunks of 32 bytes.
    Chunked,
    /// The last twelve bytes are lost.
    Cut,
    /// The fifth byte from the end is another.
    Flip,
    /// Something follows.
    Trail,
}

/// In which member a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Member {
    /// In one of its own.
    #[default]
    Own,
    /// In that of the record before it.
    Same,
}

/// What happened to a member, or to a record where there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryDamage {
    /// A byte in its middle is another.
    Flip,
    /// Its second half is lost.
    Cut,
}
