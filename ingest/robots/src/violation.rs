//! The catalogue of violations. Name, tier, severity, effect, section, example and text of each are declared here only.
//!
//! Three tiers answer "how often do files break the grammar", because one number would mislead: few files conform to
//! the ABNF, and most of the others only name a sitemap or lack the last end of line.
//!
//! - [`Tier::A`]: the ABNF of RFC 9309 § 2.2 does not derive the line, and it is not another record either;
//! - [`Tier::B`]: another record, which § 2.2.4 allows and the ABNF does not derive;
//! - [`Tier::C`]: a remark on a line that is derived or tolerated: parsers differ, or the line has no effect.

use crate::span::Span;
use crate::words::words;

/// One departure from the grammar, or one remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Its kind.
    pub code: Code,
    /// The line, from 1; 0 if the violation concerns the whole file.
    pub line_no: u32,
    /// The bytes that it concerns, in [`crate::Parsed::text`].
    pub span: Span,
}

words! {
    /// The kind of a violation.
    #[derive(PartialOrd, Ord)]
    Tier {
        /// The ABNF does not derive the line, and it is not another record.
        A "A",
        /// Another record.
        B "B",
        /// A remark.
        C "C",
    }
}

words! {
    /// The meaning of a violation for a crawler that follows the grammar strictly.
    #[derive(PartialOrd, Ord)]
    Severity {
        /// Neither. The message may still advise a change.
        Info "info",
        /// Crawlers differ in how they read it.
        Warning "warning",
        /// A rule or a group may be lost, or mean something else.
        Error "error",
    }
}

words! {
    /// The effect of a violation on its line in this parser.
    Effect {
        /// The line means what it would mean without the violation.
        None "none",
        /// The grammar does not derive the line, but it was understood.
        KeptByTolerance "kept by tolerance",
        /// The line, or the preference on it, does not do what it was written for.
        Lost "lost",
    }
}

macro_rules! violation_codes {
    ($($variant:ident $name:literal $tier:ident $severity:ident $effect:ident $section:literal $example:literal $text:literal,)*) => {
        /// The code of a violation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Code {
            $(#[doc = $text] $variant,)*
        }

        impl Code {
            /// All codes, in the order of the catalogue.
            pub const ALL: &'static [Code] = &[$(Code::$variant),*];

            /// The name, which never changes.
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

            /// The effect of the violation on its line in this parser.
            #[must_use]
            pub fn effect(self) -> Effect {
                match self { $(Code::$variant => Effect::$effect),* }
            }

            /// The section of RFC 9309, or another text, that has the rule.
            #[must_use]
            pub fn section(self) -> &'static str {
                match self { $(Code::$variant => $section),* }
            }

            /// The fault, how crawlers react, and how to fix it. One sentence without a full stop.
            #[must_use]
            pub fn text(self) -> &'static str {
                match self { $(Code::$variant => $text),* }
            }

            /// A line or file with the violation, escaped as in a Rust string. `{…}` describes a part that is not
            /// printed.
            #[must_use]
            pub fn example(self) -> &'static str {
                match self { $(Code::$variant => $example),* }
            }
        }
    };
}

violation_codes! {
    RuleBeforeGroup "rule-before-group" A Error Lost "§ 2.2.2" "Disallow: /sitecore/"
        "a rule stands before the first user-agent line, so no crawler obeys it; move it below one",
    UaEmpty "ua-empty" A Error Lost "§ 2.2" "User-agent:"
        "a user-agent line has no value and matches no crawler; write a product token or `*`",
    UaFullHeader "ua-full-header" A Error KeptByTolerance "§ 2.2.1" "User-agent: Mozilla/4.0 (compatible; Foo)"
        "a user-agent line has a whole User-Agent header; crawlers use at most its first word; write a product token",
    UaList "ua-list" A Error KeptByTolerance "§ 2.2.1, erratum 8895" "User-agent: One, Two"
        "a user-agent line names several crawlers; crawlers use at most the first name, so write one line for each",
    UaStarMixed "ua-star-mixed" A Warning KeptByTolerance "§ 2.2" "User-agent: Mediapartners-Google*"
        "a user-agent line has `*` beside other text, which crawlers read differently; write only `*` or a product token, and a rule on its own line",
    UaNonAscii "ua-non-ascii" A Error KeptByTolerance "§ 2.2.1" "User-agent: Xenu\u{2019}s"
        "a crawler's name has characters outside ASCII; strict parsers stop at the first; correct the name",
    UaVersion "ua-version" A Warning KeptByTolerance "§ 2.2.1" "User-agent: LinkedInBot/1.0"
        "a slash and a version or other text follow the product token; not every crawler ignores them, so remove them",
    UaSpace "ua-space" A Warning KeptByTolerance "§ 2.2.1" "User-agent: sogou spider"
        "a crawler's name has several words; strict parsers read only the first; check the crawler's documentation",
    UaBadChar "ua-bad-char" A Warning KeptByTolerance "§ 2.2.1" "User-agent: sogou+spider"
        "a crawler's name has invalid characters; strict parsers stop at the first; check the crawler's documentation",
    UaDot "ua-dot" A Warning KeptByTolerance "§ 2.2.1" "User-agent: archive.org_bot"
        "a crawler's name has dots; strict parsers stop at the first; check the crawler's documentation",
    UaDigit "ua-digit" A Warning KeptByTolerance "§ 2.2.1" "User-agent: MJ12bot"
        "a crawler's name has digits; strict parsers stop at the first; check the crawler's documentation",
    PathStarStart "path-star-start" A Info KeptByTolerance "§ 2.2, erratum 7995" "Disallow: *.gif$"
        "a path starts with `*`; crawlers obey it, as in an example of the standard, but the grammar requires `/`",
    PathAbsoluteUrl "path-absolute-url" A Error Lost "§ 2.2.2" "Disallow: https://example.com/x"
        "a rule has a whole URL in place of a path, so it never matches; write only the path, from its first slash",
    PathNoSlash "path-no-slash" A Error Lost "§ 2.2" "Disallow: private/"
        "a path starts with neither `/` nor `*`, so it never matches; start it with a slash",
    PathSpace "path-space" A Error KeptByTolerance "§ 2.2" "Disallow: /my files/"
        "a path has white space, so some crawlers never match it; write a space as `%20`",
    PathControlChar "path-control-char" A Error KeptByTolerance "§ 2.2, § 3" "Disallow: /a\u{b}b"
        "a path has a control character, so a crawler may ignore the rule; remove the character",
    PathInvalidUtf8 "path-invalid-utf8" A Error KeptByTolerance "§ 2.2, § 2.3" "Disallow: /caf\\xe9"
        "a path is not UTF-8, so a crawler may ignore the rule; save the file as UTF-8",
    CommentControlChar "comment-control-char" A Info None "§ 2.2" "# a bell \u{7} in a comment"
        "a comment has a control character; crawlers ignore the comment, but the grammar does not allow it",
    CommentInvalidUtf8 "comment-invalid-utf8" A Info None "§ 2.2" "# caf\\xe9"
        "a comment is not UTF-8; crawlers ignore the comment, but the file should be UTF-8",
    KeyMisspelt "key-misspelt" A Warning KeptByTolerance "§ 2.2.4" "Disalow: /"
        "a key is misspelt; it was understood here, but some crawlers ignore the line; correct the key",
    KeyBadWhitespace "key-bad-whitespace" A Warning KeptByTolerance "§ 2.2" "Dis allow: /"
        "a known key has a blank or an invisible character in it, so some crawlers ignore the line; correct the key",
    KeyEmpty "key-empty" A Info Lost "§ 2.2.4" ": /x"
        "a line starts with its colon, so crawlers ignore it; write a key before the colon",
    KeyInvalid "key-invalid" A Warning Lost "§ 2.2.4" "Please note: all robots"
        "no valid key stands before the colon, so most crawlers ignore the line; if it is a comment, start it with `#`",
    ColonMissing "colon-missing" A Warning KeptByTolerance "§ 2.2" "Disallow /admin"
        "white space follows `User-agent`, `Allow`, `Disallow`, `Sitemap` or `Crawl-delay` in place of a colon, so some crawlers ignore the line; write the colon",
    StrayUrl "stray-url" A Info Lost "§ 2.2" "https://example.com/sitemap.xml"
        "a line is a URL without a key, so crawlers ignore it; write `Sitemap:` before the URL of a sitemap",
    HtmlLine "html-line" A Error Lost "§ 2.2, § 2.3" "<br />"
        "a line starts with `<`, as markup does, so crawlers ignore it; remove the markup",
    LineNotUnderstood "line-not-understood" A Warning Lost "§ 2.3.1.5" "go away"
        "a line has no `:`, so most crawlers ignore it; write a key and `:`, as in `Disallow: /x`, or start a comment with `#`",
    BomUtf8 "bom-utf8" A Info None "§ 2.2" "\u{feff}User-agent: *"
        "the file starts with a byte order mark, which the standard does not mention; save the file without it",
    BomMisplaced "bom-misplaced" A Error Lost "§ 2.2" "\u{feff}\u{feff}User-agent: *"
        "a line starts with a byte order mark that does not start the file, so crawlers ignore it; remove the mark",
    BomMojibake "bom-mojibake" A Error Lost "§ 2.2" "\u{ef}\u{bb}\u{bf}User-agent: *"
        "a line starts with a byte order mark that was encoded twice, so crawlers ignore it; remove the mark",
    BomBeforeComment "bom-before-comment" A Info None "§ 2.2" "\u{feff}\u{feff}# hello"
        "a byte order mark stands before a comment or on an empty line; crawlers ignore it, but remove it",
    NulByte "nul-byte" A Error KeptByTolerance "§ 2.2, § 3" "Disallow: /\u{0}"
        "a line has a NUL byte, so some crawlers ignore the rest of the line; remove the byte",
    EolMissingFinal "eol-missing-final" A Info None "§ 2.2" "User-agent: *{end of file}"
        "the last line has no end of line, which the grammar requires; crawlers still read it",
    ExtSitemap "ext-sitemap" B Info None "§ 2.2.4" "Sitemap: https://example.com/s.xml"
        "a record names a sitemap (sitemaps.org); crawlers may ignore it",
    ExtCrawlDelay "ext-crawl-delay" B Info None "§ 2.2.4" "Crawl-delay: 5"
        "a record gives the seconds to wait between two requests; crawlers may ignore it",
    ExtHost "ext-host" B Info None "§ 2.2.4" "Host: www.example.com"
        "a record gives the preferred name of the site; crawlers may ignore it",
    ExtNoindex "ext-noindex" B Info None "§ 2.2.4" "Noindex: /x"
        "a record names paths that should not be indexed; crawlers may ignore it",
    ExtNofollow "ext-nofollow" B Info None "§ 2.2.4" "Nofollow: /x"
        "a record names paths whose links should not be followed; crawlers may ignore it",
    ExtNoarchive "ext-noarchive" B Info None "§ 2.2.4" "Noarchive: /x"
        "a record names paths that should not be archived; crawlers may ignore it",
    ExtCleanParam "ext-clean-param" B Info None "§ 2.2.4" "Clean-param: ref /"
        "a record names query parameters that do not change the page; crawlers may ignore it",
    ExtRequestRate "ext-request-rate" B Info None "§ 2.2.4" "Request-rate: 1/10"
        "a record limits the pages per time; crawlers may ignore it",
    ExtVisitTime "ext-visit-time" B Info None "§ 2.2.4" "Visit-time: 0600-0845"
        "a record gives the hours at which to visit; crawlers may ignore it",
    ExtRobotVersion "ext-robot-version" B Info None "§ 2.2.4" "Robot-version: 2.0.0"
        "a record gives the version of an older format; crawlers may ignore it",
    ExtComment "ext-comment" B Info None "§ 2.2.4" "Comment: mail us first"
        "a comment is written as a record; crawlers may ignore it",
    ExtContentSignal "ext-content-signal" B Info None "§ 2.2.4" "Content-Signal: ai-train=no"
        "a record states a preference on use (Content Signals); crawlers may ignore it",
    ExtContentUsage "ext-content-usage" B Info None "§ 2.2.4" "Content-Usage: train-ai=n"
        "a record states a preference on use (the IETF's AIPREF group); crawlers may ignore it",
    ExtUserAgentPurpose "ext-user-agent-purpose" B Info None "§ 2.2.4" "User-agent-purpose: EXAMPLE-PURPOSE-1"
        "a record names a purpose of crawlers (draft-illyes-rep-purpose-00); by RFC 9309 it starts no group",
    ExtLicense "ext-license" B Info None "§ 2.2.4" "License: https://example.com/l.xml"
        "a record names a licence (Really Simple Licensing); crawlers may ignore it",
    ExtLlms "ext-llms" B Info None "§ 2.2.4" "LLMs: https://example.com/llms.txt"
        "a record names a text for language models; crawlers may ignore it",
    ExtAcap "ext-acap" B Info None "§ 2.2.4" "ACAP-crawler: *"
        "a record of the Automated Content Access Protocol; crawlers may ignore it",
    ExtUnknown "ext-unknown" B Info None "§ 2.2.4" "Crawl-budget: 5"
        "the key is neither in the standard nor a known extension, so crawlers may ignore the line; check its spelling",
    GroupHeadSplitByOther "group-head-split-by-other" C Warning None "§ 2.2.4" "User-agent: a{newline}Crawl-delay: 5{newline}User-agent: b"
        "another record separates two user-agent lines of one group; many parsers then see two groups; move the record",
    GroupDuplicateAgent "group-duplicate-agent" C Info None "§ 2.2.1" "{a second group for the same crawler}"
        "two groups name the same crawler, which must combine their rules",
    RuleDuplicate "rule-duplicate" C Info None "§ 2.2.2" "{the same rule twice in a group}"
        "the same rule stands earlier in its group; remove this one if both are written alike, since not all crawlers undo percent-encoding",
    RuleConflict "rule-conflict" C Info None "§ 2.2.2" "{allow and disallow for one path}"
        "a group allows and disallows the same path; crawlers should use the allow rule, so remove one of the two",
    AllowEmpty "allow-empty" C Info None "§ 2.2.2" "Allow:"
        "an allow line without a path matches no path; remove it, unless it is the only rule of its group",
    PathDollarInside "path-dollar-inside" C Warning None "§ 2.2.3" "Disallow: /$b9/x"
        "`$` is an anchor only at the end of a path; here it stands for itself, so write it as `%24`",
    PathStarTrailing "path-star-trailing" C Info None "§ 2.2.3" "Disallow: /x*"
        "`*` at the end of a path does not change what it matches, and only makes the rule one octet longer",
    PathStarRun "path-star-run" C Info None "§ 2.2.3" "Disallow: /a**b"
        "`**` in a path matches what `*` does, and only makes the rule one octet longer",
    PathPctInvalid "path-pct-invalid" C Warning None "§ 2.2.2" "Disallow: /%zz"
        "`%` without two hexadecimal digits after it stands for itself; write a percent sign as `%25`",
    PathPctLowercase "path-pct-lowercase" C Warning None "§ 2.2.2" "Disallow: /%2b"
        "percent-encoding is in lower case; some parsers compare it as written, so write it in upper case",
    PathPctUnreserved "path-pct-unreserved" C Warning None "§ 2.2.2" "Disallow: /%7Ejoe"
        "a character is percent-encoded without need; some parsers do not decode it, so write the character itself",
    PathNonAscii "path-non-ascii" C Info None "§ 2.2.2" "Disallow: /caf\u{e9}"
        "a path has characters outside ASCII; crawlers percent-encode them before they compare it",
    PathCutByHash "path-cut-by-hash" C Warning None "§ 2.2.3" "Disallow: /page#top"
        "`#` directly after a path starts a comment; write it as `%23` if it is part of the path",
    PathOver1024 "path-over-1024" C Info None "Yandex" "Disallow: /{1,024 bytes}"
        "a path is longer than 1,024 bytes; Yandex ignores it",
    LineOver2083 "line-over-2083" C Info None "§ 2.5" "{2,084 bytes}"
        "a line is longer than 2,083 bytes, the longest URL that some browsers accepted",
    LineOver16k "line-over-16k" C Warning None "§ 2.5" "{16,664 bytes}"
        "a line is longer than 16,663 bytes; Google's parser ignores the rest, so shorten it",
    RecordKeyMisspelt "record-key-misspelt" C Warning None "§ 2.2.4" "Site-map: https://example.com/s.xml"
        "the key of a Sitemap, Crawl-delay or Content-Signal line is misspelt; some crawlers ignore the line, so correct the key",
    SitemapEmpty "sitemap-empty" C Warning Lost "sitemaps.org" "Sitemap:"
        "a sitemap line has no URL, so it has no effect; write the URL or remove the line",
    SitemapNotAbsolute "sitemap-not-absolute" C Warning None "sitemaps.org" "Sitemap: sitemap.xml"
        "a sitemap is not an absolute URL, so crawlers may ignore it; write it with its scheme and host",
    SitemapSpace "sitemap-space" C Warning None "sitemaps.org" "Sitemap: https://example.com/a b.xml"
        "a sitemap's URL has white space, so crawlers may ignore it; write a space as `%20`",
    CrawlDelayInvalid "crawl-delay-invalid" C Warning Lost "§ 2.2.4" "Crawl-delay: .5"
        "a crawl delay is not a number of seconds, so crawlers may ignore it; write digits, such as `5` or `0.5`",
    CrawlDelayHuge "crawl-delay-huge" C Warning None "§ 2.2.4" "Crawl-delay: 3600"
        "a crawl delay is above 300 seconds; Common Crawl's crawler reads it as disallow all, so reduce it",
    CrawlDelayBeforeGroup "crawl-delay-before-group" C Warning Lost "§ 2.2.4" "Crawl-delay: 5"
        "a crawl delay stands before the first user-agent line, so it applies to no crawler; move it below one",
    PreferenceVoid "preference-void" C Warning Lost "RFC 9651 § 3.2" "Content-Usage: Train-AI=n"
        "a Content-Usage line has a syntax error, so nothing on it counts; write it as in `train-ai=n, search=y`, in lower case",
    PreferenceEmpty "preference-empty" C Warning None "Content Signals" "Content-Signal: search=yes,,ai-train=no"
        "nothing stands where a Content-Signal line should have a preference; write one, such as `ai-train=no`, or remove the gap",
    PreferenceNoValue "preference-no-value" C Warning Lost "Content Signals" "Content-Signal: ai-train"
        "the label has no value, so the preference does not count; write `=yes` or `=no` after it, as in `ai-train=no`",
    PreferenceUnknownLabel "preference-unknown-label" C Warning Lost "Content Signals, draft-ietf-aipref-vocab-08 § 6" "Content-Signal: ai-learn=no"
        "the label is in no vocabulary, so the preference does not count; Content-Signal has `search`, `ai-input`, `ai-train` and `use`, Content-Usage has `train-ai`, `ai-use` and `search`",
    PreferenceUnknownValue "preference-unknown-value" C Warning Lost "Content Signals, draft-ietf-aipref-vocab-08 § 6" "Content-Signal: ai-train=never"
        "the value is unknown, so the preference does not count; Content-Signal has `yes` and `no` (`use`: `immediate`, `reference` and `full`), Content-Usage has `y` and `n`, and commas separate preferences",
    PreferenceBeforeGroup "preference-before-group" C Warning Lost "draft-ietf-aipref-attach-05 § 3" "Content-Signal: ai-train=no"
        "a preference stands before the first user-agent line, so it applies to no crawler; move it below one",
    PreferenceRepeated "preference-repeated" C Info None "RFC 9651 § 4.2.2" "Content-Usage: train-ai=y, train-ai=n"
        "the same label stands later on the line, and only the last one counts; remove one of them",
    PreferenceOverruled "preference-overruled" C Info None "draft-ietf-aipref-attach-05 § 3.1" "Content-Usage: train-ai=y{newline}Content-Usage: train-ai=n"
        "another line disallows what this preference allows to the same crawlers, so the other one counts; remove one of them",
    EolMixed "eol-mixed" C Info None "§ 2.2" "{LF and CR LF}"
        "lines end in more than one way, which the grammar allows",
    EolCrOnly "eol-cr-only" C Info None "§ 2.2" "{CR alone}"
        "all lines end in a lone CR; some parsers see a single line, so end lines in LF",
    FileEmpty "file-empty" C Info None "§ 2.2" "{nothing}"
        "the file is empty or has only white space, so crawlers may fetch everything",
    FileOnlyComments "file-only-comments" C Info None "§ 2.2" "# nothing here"
        "the file has only comments, so crawlers may fetch everything",
    FileNoGroup "file-no-group" C Info None "§ 2.2.1" "Sitemap: https://example.com/s.xml"
        "the file has no user-agent line, so no rules apply",
    FileOver500Kib "file-over-500-kib" C Warning None "§ 2.5" "{more than 512,000 bytes}"
        "the file is longer than 500 KiB; a crawler may ignore the rest, so shorten it",
    FileOver16Mib "file-over-16-mib" C Warning Lost "§ 2.5" "{more than 16 MiB}"
        "the file is longer than 16 MiB; lines that do not end within 16 MiB were not read, so shorten it",
    FileOver2048Rules "file-over-2048-rules" C Info None "Yandex" "{2,049 rules}"
        "the file has more than 2,048 rules; Yandex ignores such a file",
    FileHtml "file-html" C Error None "§ 2.3" "<!DOCTYPE html>"
        "the file is a web page; crawlers use only lines that are rules, so serve a robots.txt as plain text",
    FileNotUtf8 "file-not-utf8" C Error None "§ 2.3" "Disallow: /caf\\xe9"
        "the file is not UTF-8, so a crawler may misread its paths; save it as UTF-8",
    FileUtf16 "file-utf16" C Error KeptByTolerance "§ 2.2.2, § 2.3" "{a UTF-16 byte order mark}"
        "the file is UTF-16 and was converted here; other crawlers may read no rule in it, so save it as UTF-8",
    FileBinary "file-binary" C Error None "§ 2.3" "\u{1f}\\x8b"
        "the file is not text, so crawlers may read no rule in it; serve a robots.txt as plain text",
}

impl Code {
    /// The code with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.name() == name)
    }
}
