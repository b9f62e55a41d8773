//! The catalogue of violations: name, tier, severity, effect, section and text of each, declared once.
//!
//! The tiers answer "how often do files break the grammar" in three numbers, because one number would mislead: few files
//! conform to the ABNF strictly, and most of the others only lack a last end of line or name a sitemap.
//!
//! - [`Tier::A`]: the line is not derivable from the ABNF of RFC 9309 § 2.2, and is no extension record either;
//! - [`Tier::B`]: an extension record, which § 2.2.4 allows and the ABNF does not derive;
//! - [`Tier::C`]: derivable or tolerated, but worth a remark: parsers differ, or the line has no effect.

use crate::span::Span;
use crate::words::words;

/// One departure from the grammar, or one remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What it is.
    pub code: Code,
    /// The line, from 1; 0 where it is a fact of the whole file.
    pub line_no: u32,
    /// The bytes that it is about, in [`crate::Parsed::text`].
    pub span: Span,
}

words! {
    /// The three kinds of violations.
    #[derive(PartialOrd, Ord)]
    Tier {
        /// Not derivable, and no extension record.
        A "A",
        /// An extension record.
        B "B",
        /// A remark.
        C "C",
    }
}

words! {
    /// What a violation does to a crawler that follows the grammar strictly.
    #[derive(PartialOrd, Ord)]
    Severity {
        /// Nothing to fix.
        Info "info",
        /// Crawlers differ in how they read it.
        Warning "warning",
        /// A rule or a group is lost, or means something else.
        Error "error",
    }
}

words! {
    /// What a violation did to its line in this parser.
    Effect {
        /// The line means what it would mean without the violation.
        None "none",
        /// The grammar does not derive the line, but it was understood.
        KeptByTolerance "kept by tolerance",
        /// The line does not do what it was written for.
        Lost "lost",
    }
}

macro_rules! violation_codes {
    ($($variant:ident $name:literal $tier:ident $severity:ident $effect:ident $section:literal $example:literal $text:literal,)*) => {
        /// The code of a violation. Its name never changes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Code {
            $(#[doc = $text] $variant,)*
        }

        impl Code {
            /// All of them, in the order of the catalogue.
            pub const ALL: &'static [Code] = &[$(Code::$variant),*];

            /// The stable name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name),* }
            }

            /// The tier.
            #[must_use]
            pub fn tier(self) -> Tier {
                match self { $(Code::$variant => Tier::$tier),* }
            }

            /// The severity.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity),* }
            }

            /// What it does to its line in this parser.
            #[must_use]
            pub fn effect(self) -> Effect {
                match self { $(Code::$variant => Effect::$effect),* }
            }

            /// The section of RFC 9309, or the other text, that has the rule.
            #[must_use]
            pub fn section(self) -> &'static str {
                match self { $(Code::$variant => $section),* }
            }

            /// What is wrong, as a clause without a full stop.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $(Code::$variant => $text),* }
            }

            /// A line or file that has it, escaped as in a Rust string; `{…}` describes a part that is too long to print.
            #[must_use]
            pub fn example(self) -> &'static str {
                match self { $(Code::$variant => $example),* }
            }
        }
    };
}

violation_codes! {
    RuleBeforeGroup "rule-before-group" A Error Lost "§ 2.2.2" "Disallow: /sitecore/"
        "a rule stands before the first user-agent line, so no crawler obeys it",
    UaEmpty "ua-empty" A Error Lost "§ 2.2" "User-agent:"
        "a user-agent line names no crawler",
    UaFullHeader "ua-full-header" A Error KeptByTolerance "§ 2.2.1" "User-agent: Mozilla/4.0 (compatible; Foo)"
        "a whole User-Agent header stands in place of a product token",
    UaList "ua-list" A Error KeptByTolerance "§ 2.2.1, erratum 8895" "User-agent: One, Two"
        "a user-agent line names several crawlers; parsers see the first at most",
    UaStarMixed "ua-star-mixed" A Warning KeptByTolerance "§ 2.2" "User-agent: Mediapartners-Google*"
        "a star stands beside other text in a user-agent line",
    UaNonAscii "ua-non-ascii" A Error KeptByTolerance "§ 2.2.1" "User-agent: Xenu\u{2019}s"
        "a user-agent line holds characters outside ASCII",
    UaVersion "ua-version" A Warning KeptByTolerance "§ 2.2.1" "User-agent: LinkedInBot/1.0"
        "a slash and a version or other text follow the product token",
    UaSpace "ua-space" A Warning KeptByTolerance "§ 2.2.1" "User-agent: sogou spider"
        "the name of a crawler has several words",
    UaDigit "ua-digit" A Warning KeptByTolerance "§ 2.2.1" "User-agent: MJ12bot"
        "the name of a crawler has digits, which a product token cannot have",
    UaDot "ua-dot" A Warning KeptByTolerance "§ 2.2.1" "User-agent: archive.org_bot"
        "the name of a crawler has dots, which a product token cannot have",
    UaBadChar "ua-bad-char" A Warning KeptByTolerance "§ 2.2.1" "User-agent: sogou+spider"
        "the name of a crawler has characters that a product token cannot have",
    PathStarStart "path-star-start" A Info KeptByTolerance "§ 2.2, erratum 7995" "Disallow: *.gif$"
        "a path starts with a star: the standard has such an example, but its grammar does not derive it",
    PathAbsoluteUrl "path-absolute-url" A Error Lost "§ 2.2.2" "Disallow: https://example.com/x"
        "a rule has a whole URL in place of a path, so it never matches",
    PathNoSlash "path-no-slash" A Error Lost "§ 2.2" "Disallow: private/"
        "a path begins with neither a slash nor a star, so that it never matches",
    PathSpace "path-space" A Error KeptByTolerance "§ 2.2" "Disallow: /my files/"
        "a path has white space inside",
    PathControlChar "path-control-char" A Error KeptByTolerance "§ 2.2, § 3" "Disallow: /a\u{b}b"
        "a path has a control character inside",
    PathInvalidUtf8 "path-invalid-utf8" A Error KeptByTolerance "§ 2.2, § 2.3" "Disallow: /caf\\xe9"
        "a path is not UTF-8",
    CommentInvalidUtf8 "comment-invalid-utf8" A Info None "§ 2.2" "# caf\\xe9"
        "a comment is not UTF-8",
    CommentControlChar "comment-control-char" A Info None "§ 2.2" "# a bell \u{7} in a comment"
        "a comment has a control character inside",
    KeyMisspelt "key-misspelt" A Warning KeptByTolerance "§ 2.2.4" "Disalow: /"
        "a key is misspelt and was understood",
    KeyBadWhitespace "key-bad-whitespace" A Warning KeptByTolerance "§ 2.2" "Dis allow: /"
        "a known key has white space or an invisible character in it",
    KeyEmpty "key-empty" A Info Lost "§ 2.2.4" ": /x"
        "a line starts with its colon",
    KeyInvalid "key-invalid" A Info Lost "§ 2.2.4" "Please note: all robots"
        "the text before the colon is not a valid key",
    ColonMissing "colon-missing" A Warning KeptByTolerance "§ 2.2" "Disallow /admin"
        "a known key is followed by white space where its colon should be",
    StrayUrl "stray-url" A Info Lost "§ 2.2" "https://example.com/sitemap.xml"
        "a line is a URL without a key",
    HtmlLine "html-line" A Error Lost "§ 2.2, § 2.3" "<br />"
        "a line starts with markup",
    LineNotUnderstood "line-not-understood" A Info Lost "§ 2.3.1.5" "go away"
        "a line has no key",
    BomUtf8 "bom-utf8" A Info None "§ 2.2" "\u{feff}User-agent: *"
        "the file starts with a byte order mark, which the standard does not mention",
    BomMisplaced "bom-misplaced" A Warning Lost "§ 2.2" "\u{feff}\u{feff}User-agent: *"
        "a line starts with a byte order mark that is not at the start of the file",
    BomMojibake "bom-mojibake" A Warning Lost "§ 2.2" "\u{ef}\u{bb}\u{bf}User-agent: *"
        "a line starts with a byte order mark that was encoded twice",
    NulByte "nul-byte" A Error KeptByTolerance "§ 2.2, § 3" "Disallow: /\u{0}"
        "a line has a NUL byte",
    EolMissingFinal "eol-missing-final" A Info None "§ 2.2" "User-agent: *{end of file}"
        "the last line has no end of line",
    ExtSitemap "ext-sitemap" B Info None "§ 2.2.4" "Sitemap: https://example.com/s.xml"
        "a sitemap, sitemaps.org",
    ExtCrawlDelay "ext-crawl-delay" B Info None "§ 2.2.4" "Crawl-delay: 5"
        "seconds to wait between two requests",
    ExtHost "ext-host" B Info None "§ 2.2.4" "Host: www.example.com"
        "the preferred name of the site",
    ExtNoindex "ext-noindex" B Info None "§ 2.2.4" "Noindex: /x"
        "paths not to be indexed",
    ExtNofollow "ext-nofollow" B Info None "§ 2.2.4" "Nofollow: /x"
        "paths whose links are not to be followed",
    ExtNoarchive "ext-noarchive" B Info None "§ 2.2.4" "Noarchive: /x"
        "paths not to be archived",
    ExtCleanParam "ext-clean-param" B Info None "§ 2.2.4" "Clean-param: ref /"
        "query parameters that change nothing",
    ExtRequestRate "ext-request-rate" B Info None "§ 2.2.4" "Request-rate: 1/10"
        "pages per time",
    ExtVisitTime "ext-visit-time" B Info None "§ 2.2.4" "Visit-time: 0600-0845"
        "hours at which to visit",
    ExtRobotVersion "ext-robot-version" B Info None "§ 2.2.4" "Robot-version: 2.0.0"
        "the version of an older format",
    ExtComment "ext-comment" B Info None "§ 2.2.4" "Comment: mail us first"
        "a comment as a record",
    ExtContentSignal "ext-content-signal" B Info None "§ 2.2.4" "Content-Signal: ai-train=no"
        "a preference on use, as content signals",
    ExtContentUsage "ext-content-usage" B Info None "§ 2.2.4" "Content-Usage: train-ai=n"
        "a preference on use, in the vocabulary of the IETF's AIPREF group",
    ExtUserAgentPurpose "ext-user-agent-purpose" B Info None "§ 2.2.4" "User-agent-purpose: EXAMPLE-PURPOSE-1"
        "a purpose of crawlers, draft-illyes-rep-purpose-00; it starts no group by RFC 9309",
    ExtLicense "ext-license" B Info None "§ 2.2.4" "License: https://example.com/l.xml"
        "a licence, Really Simple Licensing",
    ExtLlms "ext-llms" B Info None "§ 2.2.4" "LLMs: https://example.com/llms.txt"
        "a pointer to a text for language models",
    ExtAcap "ext-acap" B Info None "§ 2.2.4" "ACAP-crawler: *"
        "a record of the Automated Content Access Protocol",
    ExtUnknown "ext-unknown" B Info None "§ 2.2.4" "Crawl-budget: 5"
        "a record that this catalogue does not name",
    GroupHeadSplitByOther "group-head-split-by-other" C Warning None "§ 2.2.4" "User-agent: a{newline}Crawl-delay: 5{newline}User-agent: b"
        "another record stands between two user-agent lines; the standard joins them, many parsers do not",
    GroupDuplicateAgent "group-duplicate-agent" C Info None "§ 2.2.1" "{a second group for the same crawler}"
        "two groups name the same crawler; their rules are combined",
    RuleDuplicate "rule-duplicate" C Info None "§ 2.2.2" "{the same rule twice in a group}"
        "the same rule stands earlier in its group",
    RuleConflict "rule-conflict" C Info None "§ 2.2.2" "{allow and disallow for one path}"
        "a group allows and disallows the same path; the allow rule should be used",
    AllowEmpty "allow-empty" C Info None "§ 2.2.2" "Allow:"
        "an allow line without a path has no effect",
    PathDollarInside "path-dollar-inside" C Warning None "§ 2.2.3" "Disallow: /$b9/x"
        "a dollar sign before the end of a path is not an anchor and stands for itself",
    PathStarTrailing "path-star-trailing" C Info None "§ 2.2.3" "Disallow: /x*"
        "a star at the end of a path does not change what it matches",
    PathStarRun "path-star-run" C Info None "§ 2.2.3" "Disallow: /a**b"
        "two stars in a row match what one does",
    PathPctInvalid "path-pct-invalid" C Warning None "§ 2.2.2" "Disallow: /%zz"
        "a percent sign is not followed by two hexadecimal digits",
    PathPctLowercase "path-pct-lowercase" C Warning None "§ 2.2.2" "Disallow: /%2b"
        "percent-encoding is in lower case; some parsers compare it as it stands",
    PathPctUnreserved "path-pct-unreserved" C Warning None "§ 2.2.2" "Disallow: /%7Ejoe"
        "a character is percent-encoded without need; some parsers do not decode it",
    PathNonAscii "path-non-ascii" C Info None "§ 2.2.2" "Disallow: /caf\u{e9}"
        "a path has characters outside ASCII; they are percent-encoded before they are compared",
    PathCutByHash "path-cut-by-hash" C Warning None "§ 2.2.3" "Disallow: /page#top"
        "a number sign inside a path starts a comment",
    PathOver1024 "path-over-1024" C Info None "Yandex" "Disallow: /{1,024 bytes}"
        "a path is longer than 1,024 bytes; Yandex ignores such a path",
    LineOver2083 "line-over-2083" C Info None "§ 2.5" "{2,084 bytes}"
        "a line is longer than 2,083 bytes",
    LineOver16k "line-over-16k" C Warning None "§ 2.5" "{16,664 bytes}"
        "a line is longer than 16,663 bytes; Google's parser ignores the rest",
    SitemapEmpty "sitemap-empty" C Warning None "sitemaps.org" "Sitemap:"
        "a sitemap line has no URL",
    SitemapNotAbsolute "sitemap-not-absolute" C Warning None "sitemaps.org" "Sitemap: sitemap.xml"
        "a sitemap is not an absolute URL",
    SitemapSpace "sitemap-space" C Warning None "sitemaps.org" "Sitemap: https://example.com/a b.xml"
        "a sitemap has white space inside",
    CrawlDelayInvalid "crawl-delay-invalid" C Warning None "§ 2.2.4" "Crawl-delay: .5"
        "a crawl delay is not a number of seconds",
    CrawlDelayHuge "crawl-delay-huge" C Warning None "§ 2.2.4" "Crawl-delay: 3600"
        "a crawl delay is above 300 seconds; one crawler takes that as disallow all",
    CrawlDelayBeforeGroup "crawl-delay-before-group" C Warning None "§ 2.2.4" "Crawl-delay: 5"
        "a crawl delay stands before the first user-agent line",
    EolMixed "eol-mixed" C Info None "§ 2.2" "{LF and CR LF}"
        "lines end in more than one way",
    EolCrOnly "eol-cr-only" C Info None "§ 2.2" "{CR alone}"
        "all lines end in a lone CR; some parsers do not accept it as an end of line",
    FileEmpty "file-empty" C Info None "§ 2.2" "{nothing}"
        "the file is empty or holds white space only",
    FileOnlyComments "file-only-comments" C Info None "§ 2.2" "# nothing here"
        "the file holds comments only",
    FileNoGroup "file-no-group" C Info None "§ 2.2.1" "Sitemap: https://example.com/s.xml"
        "the file has no user-agent line, so no rules apply",
    FileOver500Kib "file-over-500-kib" C Warning None "§ 2.5" "{more than 512,000 bytes}"
        "the file is longer than 500 KiB; a crawler may ignore the rest",
    FileOver16Mib "file-over-16-mib" C Warning Lost "§ 2.5" "{more than 16 MiB}"
        "the file is longer than 16 MiB; lines that do not end within 16 MiB were not read",
    FileOver2048Rules "file-over-2048-rules" C Info None "Yandex" "{2,049 rules}"
        "the file has more than 2,048 rules; Yandex ignores such a file",
    FileHtml "file-html" C Error None "§ 2.3" "<!DOCTYPE html>"
        "the file is a web page and not a robots.txt",
    FileNotUtf8 "file-not-utf8" C Error None "§ 2.3" "Disallow: /caf\\xe9"
        "the file is not UTF-8",
    FileUtf16 "file-utf16" C Error KeptByTolerance "§ 2.2.2, § 2.3" "{a UTF-16 byte order mark}"
        "the file is UTF-16 and was converted",
    FileBinary "file-binary" C Error None "§ 2.3" "\u{1f}\\x8b"
        "the file is not text",
}

impl Code {
    /// Its position in [`Code::ALL`], for counts in an array.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }

    /// The code with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }
}
