//! Every number that bounds the protocol or this reader of it, written once.

/// RFC 9309 § 2.5: "The parsing limit MUST be at least 500 kibibytes". A kibibyte is 1,024 bytes, so this is
/// 512,000 and not 500,000. The parser does not stop here; it says of each rule whether it lies beyond.
pub const FIVE_HUNDRED_KIB: usize = 500 * 1024;

/// Where this parser stops, § 2.5: "Crawlers SHOULD impose a parsing limit to protect their systems". Far above
/// any robots.txt that was ever meant as one, so that what lies behind 500 KiB can still be counted.
pub const HARD_CAP_BYTES: usize = 16 * 1024 * 1024;

/// § 2.3.1.2: "The crawlers SHOULD follow at least five consecutive redirects".
pub const REDIRECTS: u32 = 5;

/// A path longer than this is ignored by Yandex (in characters; counted in bytes here).
pub const PATH_BYTES: usize = 1_024;

/// A file with more rules than this is ignored by Yandex.
pub const RULES: usize = 2_048;

/// The longest URL that some browsers took, and the unit of Google's limit on lines.
pub const LINE_BYTES: usize = 2_083;

/// Google's parser drops what follows on a line: eight times [`LINE_BYTES`], less the byte that ends the string.
pub const LINE_BYTES_GOOGLE: usize = LINE_BYTES * 8 - 1;

/// A crawl delay above this many seconds is read as "disallow all" by the parser of Common Crawl's crawler.
pub const CRAWL_DELAY_S: f64 = 300.0;

/// How many bytes of patterns and paths may be compared while the policies of one file are decided. Only a file that is
/// built for it comes near.
pub const WITNESS_BYTES: usize = 1 << 26;
