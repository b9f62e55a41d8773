//! Distinct bodies of robots.txt files.

use crate::declare::table;

/// How many distinct bodies of a part are remembered: as many as fit in a hash table of 2^20 slots, about 35 MB. A part
/// of Common Crawl's archives has a tenth of that. Beyond this number, all are forgotten, so that memory stays bounded,
/// and a body may be stored again.
pub const MOST_REMEMBERED_BODIES: usize = (1 << 20) / 8 * 7;

table! { "bodies", "one row per distinct body in a part" {
    body_id: Large as Near + Ranged = "The part's number, shifted left by 32 bits, plus the body's position in the part.",
    content_digest: Text as Distinct = "SHA-1 of the body in base32, computed by ingest; of a body over 16 MiB, that of its first 16 MiB. In a part with 917,504 distinct bodies or more, it can occur again.",
    body_bytes: Large = "Length of the body after all encodings are undone.",
    exceeds_500_kib: Flag = "It is longer than 512,000 bytes. A crawler must read at least that much (RFC 9309 section 2.5).",
    parsed_bytes: Large = "How many bytes of it were parsed.",
    kind: Word = "What kind of content it has." in robots::BodyKind::WORDS,
    may_be_robots: Flag = "Its kind is one that a robots.txt can have. It is not a page, data or binary content in place of one.",
    encoding: Word = "How its text is encoded." in robots::Encoding::WORDS,
    has_bom: Flag = "It starts with a byte order mark.",
    is_utf8: Flag = "It is valid UTF-8.",
    line_endings: Word = "How its lines end." in robots::LineEndings::WORDS,
    line_count: Small = "Lines.",
    blank_lines: Small = "Lines that are empty or have only white space.",
    comment_lines: Small = "Lines that have only a comment.",
    longest_line_bytes: Small = "Length of the longest line, without its line ending.",
    group_count: Small = "Groups.",
    agent_count: Small = "User-agent lines.",
    rule_count: Small = "Allow and disallow lines.",
    allow_count: Small = "Allow lines.",
    disallow_count: Small = "Disallow lines.",
    record_count: Small = "Other lines with a key, as in records.",
    sitemap_count: Small = "Sitemap lines.",
    violation_count: Small = "Violations of all tiers.",
    violations_tier_a: Small = "Violations of tier A: lines that the grammar does not derive.",
    violations_tier_b: Small = "Violations of tier B: extension records.",
    violations_tier_c: Small = "Violations of tier C: remarks.",
    conforms: Flag = "The grammar of RFC 9309 section 2.2 derives the whole body.",
    rules_beyond_500_kib: Small = "Rules that do not end within the first 512,000 bytes.",
    ruleset_digest: Text as Distinct = "The first 80 bits of the SHA-1 of its groups and their rules, in base32. Comments and the spelling of keys do not count, and neither do rules before the first group.",
    text: Maybe<Text> as Distinct = "The body itself, with U+FFFD for bytes that are not valid in its encoding; null without ingest --keep-text.",
} }
