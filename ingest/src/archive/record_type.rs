//! The types of records.

use tables::captures::{RESOURCE, RESPONSE, REVISIT};

/// The type of a record, `WARC-Type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RecordType {
    /// The response of a server.
    Response,
    /// The request that a crawler sent.
    Request,
    /// A response that equals an earlier one.
    Revisit,
    /// A file that was not fetched over HTTP.
    Resource,
    /// About another record.
    Metadata,
    /// About the archive.
    Warcinfo,
    /// Another record, converted to another format.
    Conversion,
    /// The rest of a record that was split.
    Continuation,
    /// Another type, or none.
    #[default]
    Other,
}

impl RecordType {
    /// All types, the most frequent first.
    pub const ALL: [RecordType; 9] = [
        RecordType::Response,
        RecordType::Request,
        RecordType::Metadata,
        RecordType::Revisit,
        RecordType::Resource,
        RecordType::Warcinfo,
        RecordType::Conversion,
        RecordType::Continuation,
        RecordType::Other,
    ];

    /// The type with a name, in upper or lower case.
    pub(crate) fn named(written: &[u8]) -> Self {
        let mut types = RecordType::ALL.into_iter();
        types.find(|known| known.name().as_bytes().eq_ignore_ascii_case(written)).unwrap_or_default()
    }

    /// The name in the tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RecordType::Response => RESPONSE,
            RecordType::Request => "request",
            RecordType::Revisit => REVISIT,
            RecordType::Resource => RESOURCE,
            RecordType::Metadata => "metadata",
            RecordType::Warcinfo => "warcinfo",
            RecordType::Conversion => "conversion",
            RecordType::Continuation => "continuation",
            RecordType::Other => "other",
        }
    }
}
