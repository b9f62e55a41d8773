//! Captures of robots.txt.

use crate::declare::table;

/// The type of a record with a response.
pub const RESPONSE: &str = "response";
/// The type of a record that repeats an earlier response.
pub const REVISIT: &str = "revisit";
/// The type of a record with a file that was not fetched over HTTP.
pub const RESOURCE: &str = "resource";

/// The prefix of remarks on an unusable `Location`, in the column `remarks`.
pub const LOCATION_REMARKS: &str = "location-";

table! { "captures", "one row per capture of a robots.txt in an archive" {
    capture_id: Large as Near + Ranged = "The part's number, shifted left by 32 bits, plus the capture's position in the part.",
    url: Text as Alike = "The URL that was requested, as written in the archive.",
    url_protocol: Maybe<Text> = "The scheme of the URL.",
    url_host_name: Maybe<Text> as Alike + Sought = "The host of the URL, in lower case, internationalised names as punycode, without a dot at the end; null if the host is missing or invalid, or the port is invalid.",
    url_port: Maybe<Small> = "The port that is written in the URL; null if none is.",
    url_host_tld: Maybe<Text> = "The last label of the host name.",
    url_host_registered_domain: Maybe<Text> as Distinct = "The domain directly below a public suffix, by the ICANN section of the public suffix list.",
    url_host_private_domain: Maybe<Text> as Distinct = "The domain directly below a public suffix, by both sections of the public suffix list.",
    url_path: Text = "The path of the URL.",
    url_query: Maybe<Text> = "The query of the URL; null if there is no question mark.",
    fetch_time: Maybe<Time> as Near = "When it was fetched, as the archive says, in UTC; null if it has no date that can be read.",
    fetch_status: Maybe<Small> = "The HTTP status; null if the response has no status line.",
    fetch_redirect: Maybe<Text> as Distinct = "The Location of a response with status 3xx, as an absolute URL without user, password, default port, fragment, or dot after the host; null if it is not usable.",
    access_result: Word = "The class of the status, RFC 9309 section 2.3.1. A resource has no status and counts as successful, and so does a revisit without a block." in robots::AccessResult::WORDS,
    content_mime_type: Maybe<Text> = "The media type that the server sent, in lower case, without parameters; the first of several.",
    content_mime_detected: Maybe<Text> = "The media type that the crawler detected, in the same form.",
    content_charset: Maybe<Text> = "The charset that the server sent with the first media type, in lower case.",
    content_encoding: Maybe<Text> = "The content encoding that the server sent, in lower case.",
    content_digest: Maybe<Text> as Distinct = "Digest of the payload, as the archive says. SHA-1 is in base32 and has no prefix; others are as written and have one, such as sha256:.",
    content_truncated: Maybe<Text> = "Why the archive truncated the response; null if it did not.",
    body_bytes: Large = "Length of the body after all encodings are undone, before ingest applies a limit.",
    body_id: Maybe<Large> as Near = "The body, in bodies; null if there is none to read.",
    http_version: Maybe<Text> = "The protocol and version in the status line, such as HTTP/1.1; null if it has no version.",
    server: Maybe<Text> = "The server software, as the server names it.",
    cache_max_age_s: Maybe<Large> = "The max-age of the Cache-Control header in seconds, whatever its other directives; at most 2,147,483,648.",
    retry_after_s: Maybe<Large> = "How many seconds to wait before the next request, by the Retry-After header; a date counts from fetch_time. At most 2,147,483,648.",
    remarks: Maybe<Text> = "Remarks on the record, the response or the target, as names from docs/reasons.md with blanks between them; null if there are none.",
    warc_ip: Maybe<Text> as Distinct = "The IP address that answered.",
    warc_record_type: Word = "The type of the record." in [RESPONSE, REVISIT, RESOURCE],
    warc_filename: Text = "The archive, as Common Crawl's index names it.",
    warc_record_offset: Large as Near = "Offset of the member in which the record starts, or of the record if the archive has no members. Records that start in one member have the same offset.",
    warc_record_length: Large = "Length of this member, of all members if the record spans several, or of the record if the archive has no members.",
} }
