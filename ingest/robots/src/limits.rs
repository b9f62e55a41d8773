//! Every limit of the protocol and of this parser.

/// RFC 9309 § 2.5: "The parsing limit MUST be at least 500 kibibytes". A kibibyte is 1,024 bytes, so this is 512,000
/// and not 500,000. The parser reads on, and marks each rule that ends beyond it.
pub const FIVE_HUNDRED_KIB: usize = 500 * 1024;

/// This parser stops here, § 2.5: "Crawlers SHOULD impose a parsing limit to protect their systems". It is far
/// above the size of any real robots.txt, so rules beyond 500 KiB are still counted.
pub const HARD_CAP_BYTES: usize = 16 * 1024 * 1024;

/// § 2.3.1.2: "The crawlers SHOULD follow at least five consecutive redirects". The table `sites` follows five.
pub const REDIRECTS: u32 = 5;

/// Yandex ignores a longer path. Yandex counts characters, this parser bytes.
pub const PATH_BYTES: usize = 1_024;

/// Yandex ignores a file with more rules.
pub const RULES: usize = 2_048;

/// The longest URL that some browsers accepted, and the unit of Google's limit on lines.
pub const LINE_BYTES: usize = 2_083;

/// Google's parser ignores the rest of a line: eight times [`LINE_BYTES`], less the byte that ends the string.
pub const LINE_BYTES_GOOGLE: usize = LINE_BYTES * 8 - 1;

/// Only so many bytes of a pattern or another value count, as many as a target has at most. Longer texts would take
/// gigabytes where readers of the tables hold thousands of them.
pub const VALUE_BYTES: usize = 64 * 1024;

/// Only so many bytes of the name in a user-agent line count. The longest of 40,000 real files has 915.
pub const NAME_BYTES: usize = 16 * 1024;

/// The parser of Common Crawl's crawler reads a longer crawl delay, in seconds, as "disallow all".
pub const CRAWL_DELAY_S: f64 = 300.0;

/// A longer crawl delay counts as this many seconds, 68 years, so that sums of delays are finite.
pub const MOST_CRAWL_DELAY_S: f64 = (1_u64 << 31) as f64;

/// How many preferences of a line are read. No vocabulary has more than five labels.
pub const PREFERENCES: usize = 32;

/// How many groups are looked at to compare the preferences of different groups of one file, at most: 1,048,576. A file
/// may be built to need more. A real one with 401 groups for `*` would need 160,801 for each label.
pub const COMPARED_GROUPS: usize = 1 << 20;

/// How many bytes of patterns and paths are compared, at most, to decide the policies of one file. A rule that is looked
/// at counts as one more. Only a file with thousands of rules comes near.
pub const WITNESS_BYTES: usize = 1 << 26;

/// How many rules are compared with those of the wildcard group, at most. Only a file whose crawlers share many groups
/// comes near.
pub const COMPARED_RULES: usize = 1 << 22;
