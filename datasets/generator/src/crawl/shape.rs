//! The shape of crawls in numbers: shares of 10,000, and points of distributions.
//!
//! They follow measurements of 101,698 captures of 2017 and 23,412 of 2024. The README of this package compares
//! generated and real crawls.

/// Classes of captures. For every 100 responses with status 200 there are 60 redirects and 44 errors.
pub(super) const CLASSES: [(Class, u32); 3] = [(Class::Successful, 100), (Class::Redirect, 60), (Class::Error, 44)];

/// The class of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Successful,
    Redirect,
    Error,
}

pub(super) const REDIRECTS: [(u16, u32); 5] = [(301, 740), (302, 155), (307, 45), (308, 35), (303, 25)];

/// Statuses of errors: 403 and 401 are 14 %, 5xx and 429 are 12 %, all other 4xx are 72 %, and the rest is 2 %.
pub(super) const ERRORS: [(u16, u32); 16] = [
    (404, 640),
    (406, 45),
    (410, 25),
    (400, 6),
    (409, 4),
    (403, 132),
    (401, 8),
    (503, 42),
    (500, 38),
    (502, 20),
    (504, 8),
    (520, 5),
    (521, 3),
    (429, 4),
    (202, 15),
    (999, 5),
];

/// Kinds of bodies of 200 responses. Duplicates are empty bodies, templates and repeated bodies. Half of the repeated
/// bodies find none to repeat, and become a site's own.
pub(super) const BODIES: [(CrawlContent, u32); 5] = [
    (CrawlContent::Empty, 650),
    (CrawlContent::Page, 850),
    (CrawlContent::Template, 3_000),
    (CrawlContent::Again, 900),
    (CrawlContent::Own, 4_600),
];

/// The kind of a body of a 200 response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CrawlContent {
    Empty,
    Page,
    Template,
    Again,
    Own,
}

/// Lengths of robots.txt files that are neither empty nor a template, in bytes.
pub(super) const OWN_BYTES: [(u32, u32); 13] = [
    (0, 45),
    (700, 95),
    (2_400, 205),
    (4_900, 420),
    (7_000, 1_000),
    (8_400, 2_100),
    (9_250, 4_500),
    (9_650, 9_000),
    (9_810, 15_000),
    (9_950, 32_000),
    (9_990, 110_000),
    (9_998, 500_000),
    (10_000, 1_400_000),
];

/// Lengths of pages that are served instead of a robots.txt, in bytes.
pub(super) const PAGE_BYTES: [(u32, u32); 12] = [
    (0, 100),
    (2_000, 600),
    (4_000, 2_500),
    (5_000, 6_000),
    (6_000, 16_000),
    (7_000, 30_000),
    (8_000, 50_000),
    (9_000, 100_000),
    (9_500, 160_000),
    (9_900, 400_000),
    (9_990, 900_000),
    (10_000, 1_500_000),
];

/// Line ends of bodies that are not empty, of 10,000.
pub(super) const LINE_ENDS: [(CrawlLineEnds, u32); 5] = [
    (CrawlLineEnds::Lf, 6_780),
    (CrawlLineEnds::Crlf, 2_450),
    (CrawlLineEnds::Mixed, 570),
    (CrawlLineEnds::None, 185),
    (CrawlLineEnds::Cr, 15),
];

/// The line ends of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CrawlLineEnds {
    Lf,
    Crlf,
    Mixed,
    None,
    Cr,
}

/// Last lines without an end, in 10,000 bodies that are no page.
pub(super) const NO_LAST_END: u32 = 3_900;

/// Sitemaps of a file that names one.
pub(super) const SITEMAPS: [(usize, u32); 5] = [(1, 6_600), (2, 1_200), (4, 1_000), (15, 700), (60, 500)];

/// Byte order marks, in 10,000 bodies that a site wrote itself.
pub(super) const BOM: u32 = 290;
/// The same for UTF-16.
pub(super) const UTF16: u32 = 4;
/// The same for NUL bytes.
pub(super) const NUL: u32 = 33;
/// The same for bytes that are not UTF-8.
pub(super) const NOT_UTF8: u32 = 130;

/// Common Crawl cuts responses at this length.
pub(super) const MOST_BYTES: usize = 1 << 20;
