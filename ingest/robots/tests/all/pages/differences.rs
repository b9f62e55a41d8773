//! The differences between the dialects, each with cases that demonstrate it.

use robots::Dialect;

/// One difference.
pub(crate) struct Difference {
    pub(crate) title: &'static str,
    /// The rule of each specification, with citations.
    pub(crate) text: &'static str,
    pub(crate) cases: &'static [Case],
}

/// A file and one question about it.
#[derive(Debug)]
pub(crate) struct Case {
    /// The file as shown; [`bytes`] replaces the descriptions in braces.
    pub(crate) file: &'static str,
    pub(crate) crawler: &'static str,
    pub(crate) path: &'static str,
}

/// All cases that show a difference.
pub(crate) fn cases() -> impl Iterator<Item = &'static Case> {
    DIFFERENCES.iter().flat_map(|difference| difference.cases)
}

/// Whether each dialect allows the path, in the order of [`Dialect::ALL`].
pub(crate) fn verdicts(case: &Case) -> [(Dialect, bool); 5] {
    let file = bytes(case.file);
    let parsed = robots::parse(&file);
    Dialect::ALL.map(|dialect| (dialect, robots::judge(&parsed, case.crawler, case.path, dialect).allowed))
}

fn bytes(shown: &str) -> Vec<u8> {
    let file = shown.replace("{VT}", "\u{b}").replace("{NUL}", "\0").replace("{16,663 blanks}", &" ".repeat(16_663));
    match file.strip_prefix("{in UTF-16}") {
        Some(file) => format!("\u{feff}{file}").encode_utf16().flat_map(u16::to_le_bytes).collect(),
        None => file.into_bytes(),
    }
}

const fn case(file: &'static str, crawler: &'static str, path: &'static str) -> Case {
    Case { file, crawler, path }
}

pub(crate) const DIFFERENCES: &[Difference] = &[
    Difference {
        title: "Records and groups",
        text: r#"The draft of 1996, § 3.2: "The format logically consists of a non-empty set or records, separated by blank lines", and by § 3.3 a record has at least one line after its user-agent lines. Since draft-00 blank lines have no meaning: a group ends at the first user-agent line after a rule (RFC 9309 § 2.1)."#,
        cases: &[
            case("User-agent: a\n\nDisallow: /", "a", "/x"),
            case("User-agent: *\nDisallow: /\n\nUser-agent: a", "a", "/x"),
        ],
    },
    Difference {
        title: "Other records between user-agent lines",
        text: r#"RFC 9309 § 2.2.4: "Parsing of other records MUST NOT interfere with the parsing of explicitly defined records", so both user-agent lines start one group. In Google's parser, too, other records do not end a group. In the draft of 1996 every field counts, so the next user-agent line starts a new record."#,
        cases: &[case("User-agent: a\nCrawl-delay: 5\nUser-agent: b\nDisallow: /", "a", "/x")],
    },
    Difference {
        title: "Which line names a crawler",
        text: r#"RFC 9309 § 2.2.1 compares product tokens without regard to case. For other names the caller chooses, see above. draft-00 § 2.2.1: "Crawlers MUST find the group that matches the product token exactly", which is read here as a comparison of the whole value. Google's parser (`ExtractUserAgent`) compares the letters, hyphens and underscores at the start of the value with the crawler's name as given. The draft of 1996, § 3.2.1: "a User-Agent line whose value contains the name token of the robot as a substring". In all dialects the name `*` stands for crawlers that no line names, and no line names a crawler with an empty name; in Google's parser, lines without a letter at the start do."#,
        cases: &[
            case("User-agent: FooBot/2.1\nDisallow: /", "FooBot", "/x"),
            case("User-agent: FooBot\nDisallow: /", "FooBot/2.1", "/x"),
            case("User-agent: FooBot-News\nDisallow: /", "FooBot", "/x"),
            case("User-agent: MJ12bot\nDisallow: /", "MJ12bot", "/x"),
            case("User-agent: MJ12bot\nDisallow: /", "MJ", "/x"),
        ],
    },
    Difference {
        title: "Several groups for one crawler",
        text: r#"RFC 9309 § 2.2.1 and draft-00: "the matching groups' rules MUST be combined into one group". The draft of 1996, § 3.2.1: "The robot must obey the first record"."#,
        cases: &[case("User-agent: a\nDisallow: /x\n\nUser-agent: a\nDisallow: /y", "a", "/y")],
    },
    Difference {
        title: "Several wildcard groups",
        text: r#"draft-00 § 2.2.1: "crawlers MUST obey the first group with a user-agent line with a "*" value". RFC 9309 § 2.2.1 says "the group", after it has combined groups. Here and in Google's parser, all wildcard groups count."#,
        cases: &[case("User-agent: *\nDisallow: /x\n\nUser-agent: *\nDisallow: /y", "a", "/y")],
    },
    Difference {
        title: "`*` and more text",
        text: r#"No grammar derives such a value. `rfc9309`, `draft-12` and Google's parser read it as `*`, since a crawler uses what it can parse (RFC 9309 § 2.3.1.5). draft-00 and the draft of 1996 require the value "*"."#,
        cases: &[case("User-agent: * everyone\nDisallow: /", "a", "/x")],
    },
    Difference {
        title: "Which rule decides",
        text: r#"RFC 9309 § 2.2.2: "The most specific match is the match that has the most octets", and allow wins over disallow if they are equivalent. The draft of 1996, § 3.2.2: "The first match found is used"."#,
        cases: &[
            case("User-agent: a\nDisallow: /\nAllow: /x", "a", "/x"),
            case("User-agent: a\nDisallow: /x\nAllow: /x", "a", "/x"),
        ],
    },
    Difference {
        title: "An empty value",
        text: r#"By RFC 9309 and its drafts a rule without a value has no octet, so every other match is more specific. Such a rule never decides: if nothing else matches, the path is allowed and no line is reported. Google's parser gives the same verdicts. But there an empty value matches every path with priority 0, so `matching_line` returns its line if no longer rule matches. The draft of 1996 compares prefixes. Every path starts with the empty prefix, so an empty `Disallow:` that comes first allows everything, and its line decides."#,
        cases: &[case("User-agent: a\nDisallow:\nDisallow: /x", "a", "/x")],
    },
    Difference {
        title: "Special characters",
        text: r#"In RFC 9309 § 2.2.3 `*` stands for any characters and `$` for the end. In the draft of 1996 both are ordinary characters of a prefix."#,
        cases: &[
            case("User-agent: a\nDisallow: /*.gif", "a", "/x.gif"),
            case("User-agent: a\nDisallow: /x$", "a", "/x"),
        ],
    },
    Difference {
        title: "Percent-encoding",
        text: r#"RFC 9309 § 2.2.2 decodes unreserved characters and encodes characters outside ASCII. It does not mention octets up to 0x20, such as blanks and tabs, which are encoded here. `*` or `$` in a path equals its encoded form in a pattern (Figure 6). Google's parser (`MaybeEscapePattern`) changes the pattern only: it encodes characters outside ASCII, writes hexadecimal digits in upper case and decodes nothing. The draft of 1996, § 3.2.2: "If a %xx encoded octet is encountered it is unencoded prior to comparison, unless it is the "/" character"."#,
        cases: &[
            case("User-agent: a\nDisallow: /%7Ejoe", "a", "/~joe"),
            case("User-agent: a\nDisallow: /caf%C3%A9", "a", "/caf%c3%a9"),
            case("User-agent: a\nDisallow: /x-%2A", "a", "/x-*"),
            case("User-agent: a\nDisallow: /x%3Ay", "a", "/x:y"),
            case("User-agent: a\nDisallow: /my files", "a", "/my%20files"),
        ],
    },
    Difference {
        title: "Which part of a URL is compared",
        text: r#"RFC 9309 compares path and query. The draft of 1996, § 3.2.2, compares "the path portion of the URL", and by RFC 1808 neither the query nor parameters after a semicolon are part of it. Google's parser (`GetPathParamsQuery`) reads the text after two slashes at the start as an authority."#,
        cases: &[case("User-agent: a\nDisallow: /x?y", "a", "/x?y"), case("User-agent: a\nDisallow: /y", "a", "//x/y")],
    },
    Difference {
        title: "index.html",
        text: r#"If the last part of an allow line's path starts with `index.htm`, Google's parser (`HandleAllow`) also allows the folder. No specification says so."#,
        cases: &[case("User-agent: a\nDisallow: /\nAllow: /x/index.html", "a", "/x/")],
    },
    Difference {
        title: "/robots.txt itself",
        text: r#"RFC 9309 § 2.2.2: "The /robots.txt URI is implicitly allowed." The draft of 1996, § 3.2.2: "The /robots.txt URL is always allowed". So a crawler may fetch it on every site, also where nothing else is allowed because of a status. Google's parser leaves this to its caller."#,
        cases: &[case("User-agent: a\nDisallow: /", "a", "/robots.txt")],
    },
    Difference {
        title: "Misspelt keys and missing colons",
        text: r#"RFC 9309 § 2.2.4: "crawlers may accept common misspellings of the record"; here a key with one mistake counts, and so does one of five keys with white space in place of its colon. Google's parser (`KeyIsDisallow` and similar functions) has a list of misspellings, and accepts any key that starts with one of its spellings. The draft of 1996 accepts exact keys only. [The table below](#which-misspelt-lines-are-obeyed) lists misspelt lines with counts from real files."#,
        cases: &[
            case("User-agent: a\nDisalow: /", "a", "/x"),
            case("User-agent: a\nDsallow: /", "a", "/x"),
            case("User-agent: a\nDisallowed-here: /", "a", "/x"),
            case("User-agent: a\nDisallow /", "a", "/x"),
        ],
    },
    Difference {
        title: "White space and NUL",
        text: r#"RFC 9309 § 2.2: `WS = %x20 / %x09`. Google's parser strips all ASCII white space (`StripWhitespaceSlowly`) and ignores what follows a NUL."#,
        cases: &[
            case("User-agent: a\nDisallow:{VT}/", "a", "/x"),
            case("User-agent: a\nDisallow: /x{NUL}y", "a", "/x"),
        ],
    },
    Difference {
        title: "Long lines",
        text: r#"RFC 9309 limits the file and not the line (§ 2.5). Google's parser cuts a line after 16,663 bytes (`kMaxLineLen`)."#,
        cases: &[case("User-agent: a\n{16,663 blanks}Disallow: /", "a", "/x")],
    },
    Difference {
        title: "UTF-16",
        text: r#"RFC 9309 § 2.2.2: "Implementors MAY bridge encoding mismatches". Here UTF-16 is converted if the body has its byte order mark. Google's parser does not convert it."#,
        cases: &[case("{in UTF-16}User-agent: a\nDisallow: /", "a", "/x")],
    },
];

/// Cases on which all dialects agree.
pub(crate) const AGREEMENT: Difference = Difference {
    title: "Where the dialects agree",
    text: r#"`draft-12` always gives the verdict of `rfc9309`: no known change between the two affects a verdict.

`draft-00` says SHOULD for the special characters (§ 2.2.3) and for parsing each line (§ 2.3.1.5), where later texts say MUST. It says MAY for a parsing limit (§ 2.5), and has no sentence against interference by other records (§ 2.2.4). The dialect does what `draft-00` says a crawler SHOULD do.

In all dialects, a rule before the first user-agent line applies to no crawler; a crawler that is named ignores the wildcard group; paths are case-sensitive and names are not; and a line ends where a comment starts."#,
    cases: &[
        case("Disallow: /", "a", "/x"),
        case("User-agent: a\nDisallow: /y\n\nUser-agent: *\nDisallow: /", "a", "/x"),
        case("User-agent: FOO\nDisallow: /x", "foo", "/x"),
        case("User-agent: a\nDisallow: /X", "a", "/x"),
        case("User-agent: a\nDisallow: /x # y", "a", "/x"),
    ],
};
