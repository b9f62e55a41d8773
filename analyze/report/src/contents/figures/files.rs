//! Sizes of files, and violations of the grammar.

use super::defaults::{FIGURE, NONE, PLOT, READ};
use crate::contents::figure_spec::{ChartKind, CrawlScope, FigureSpec, Plot, Series};

pub(super) const SIZE: &[FigureSpec] = &[
    FigureSpec {
        id: "size_distribution",
        question: "size_distribution",
        title: "Sizes of robots.txt files",
        columns: &["from_bytes", "to_bytes", "sites", "sites_counted", "share", "share_so_far"],
        plot: Plot {
            kind: ChartKind::Histogram,
            x: "from_bytes to_bytes",
            series: Series::One("share"),
            most: 40,
            ..PLOT
        },
        definition: "Share of sites by the length of the decoded body in bytes. The number below a column is its upper end.",
        rows: 40,
        zero: "No file was read",
        ..FIGURE
    },
    FigureSpec {
        id: "over_500kib",
        question: "over_500kib",
        title: "Files longer than 500 KiB",
        crawls: CrawlScope::All,
        plot: Plot { kind: ChartKind::Lines, x: "crawl", series: Series::One("share"), ..PLOT },
        columns: &[
            "crawl",
            "sites_over",
            "sites_counted",
            "share",
            "sites_over_with_rules",
            "contents_over",
            "longest_bytes",
        ],
        definition: "Share of sites whose body has more than 512,000 bytes, whether or not it is a robots.txt.",
        zero: "No file is longer than 500 KiB",
        empty: "No file was read",
        ..FIGURE
    },
    FigureSpec {
        id: "limit_effect",
        question: "limit_effect",
        title: "Sites where the limit of 500 KiB changes the verdict",
        plot: Plot { kind: ChartKind::Bars, x: "agent", series: Series::One("share_changed"), ..PLOT },
        columns: &[
            "agent",
            "sites_changed",
            "sites_gaining_root",
            "sites_losing_root",
            "sites_gaining_all",
            "sites_losing_rules",
            "sites_counted",
            "share_changed",
            "share_losing_rules",
        ],
        definition: "Share of sites whose verdict changes if a crawler reads only the first 512,000 bytes: the verdict on the path /, or on whether the agent is allowed, partly blocked or blocked. Agents that no file beyond 512,000 bytes names have the verdict of the wildcard (*).",
        zero: "The limit changes no verdict for crawlers that a file does not name",
        ..FIGURE
    },
    FigureSpec {
        id: "over_500kib_files",
        question: "over_500kib_files",
        title: "The longest files",
        counted: NONE,
        plot: PLOT,
        columns: &["host_name", "body_bytes", "kind", "rules", "rules_beyond_500_kib", "sites"],
        definition: "Distinct bodies of more than 512,000 bytes, the longest first. The column sites is the number of sites that serve the body.",
        empty: "No file is longer than 500 KiB",
        rows: 15,
        ..FIGURE
    },
    FigureSpec {
        id: "rules_per_file",
        question: "rules_per_file",
        title: "Lines, groups and rules per file",
        plot: PLOT,
        columns: &[
            "counted",
            "sites_with_any",
            "share_with_any",
            "mean",
            "p10",
            "p25",
            "median",
            "p75",
            "p90",
            "p99",
            "most",
        ],
        definition: "Percentiles over sites whose file has rules: the file of a tenth of these sites has no more than the 10th percentile, that of half of them no more than the median.",
        ..FIGURE
    },
    FigureSpec {
        id: "ruleset_length",
        question: "ruleset_length_histogram",
        title: "Rules in the wildcard group",
        counted: ("rulesets_counted", "rule sets"),
        plot: Plot {
            kind: ChartKind::Histogram,
            x: "from_rules to_rules",
            series: Series::One("share"),
            axis: "share of rule sets",
            most: 40,
            only: ("named", &["wildcard group"]),
            ..PLOT
        },
        columns: &[
            "named",
            "from_rules",
            "to_rules",
            "rulesets",
            "rulesets_counted",
            "share",
            "rulesets_only_disallow_root",
            "share_only_disallow_root",
            "rulesets_all_allowed",
        ],
        definition: "Share of rule sets by the number of their rules. A rule set is all rules of a file for one agent. The chart has the rule sets for *, counted once for each site that serves the file. The table also has those for named agents.",
        zero: "No file has a wildcard group",
        ..FIGURE
    },
];

pub(super) const GRAMMAR: &[FigureSpec] = &[
    FigureSpec {
        id: "violation_tiers",
        question: "violation_overview",
        title: "Files outside of the grammar, by tier",
        counted: READ,
        plot: Plot {
            kind: ChartKind::Bars,
            x: "tier",
            series: Series::One("share"),
            only: ("code", &["any", "none"]),
            is_ordinal: true,
            ..PLOT
        },
        columns: &[
            "tier",
            "code",
            "severity",
            "sites",
            "sites_counted",
            "share",
            "bodies",
            "bodies_counted",
            "share_of_bodies",
            "occurrences",
        ],
        definition: "Share of sites whose file has at least one line or property of the tier. Tier A: the ABNF of RFC 9309 does not derive the line. Tier B: records of other keys, such as Sitemap. The ABNF does not derive them, but section 2.2.4 permits them. Tier C: remarks on what parsers read differently or what has no effect. A file follows the grammar if the ABNF derives all of it, so it has nothing of tiers A and B.",
        rows: 100,
        zero: "No file breaks the grammar",
        empty: "No file was read",
        ..FIGURE
    },
    FigureSpec {
        id: "violation_codes",
        question: "violation_overview",
        title: "Most common violations and remarks",
        counted: READ,
        plot: Plot {
            kind: ChartKind::Bars,
            x: "code",
            series: Series::One("share"),
            only: ("tier", &["tier A: breaks the grammar", "tier C: remarks"]),
            not: ("code", &["any"]),
            most: 30,
            ..PLOT
        },
        columns: &["tier", "code", "severity", "sites", "sites_counted", "share", "bodies", "occurrences"],
        definition: "Share of sites whose file has the violation (tier A) or the remark (tier C) at least once. The table has the tier of each. Records that the standard permits (tier B) are not drawn. The CSV has the code of each, which the documentation explains.",
        rows: 100,
        zero: "No file breaks the grammar",
        empty: "No file was read",
        ..FIGURE
    },
    FigureSpec {
        id: "violation_examples",
        question: "violation_examples",
        title: "Examples of violations and remarks",
        // More than there are codes.
        set: &[("tiers", "A,C"), ("top", "100")],
        counted: NONE,
        plot: PLOT,
        rows: 100,
        columns: &["code", "host", "line_no", "example", "line", "line_is"],
        definition: "The first occurrence of each violation (tier A) and remark (tier C) in the first file that has it: the host, the line number, the violating text as written, and the whole line. The line is as written if the tables have the text of files (ingest --keep-text) or the violating text is the line. Otherwise it is rebuilt from its key, its value and the violating text. Control and invisible characters are shown as escapes.",
        empty: "No file has a violation or a remark",
        ..FIGURE
    },
    FigureSpec {
        id: "key_typos",
        question: "key_typos",
        title: "Misspelt keys",
        counted: READ,
        plot: Plot { kind: ChartKind::Bars, x: "spelling", series: Series::One("share"), most: 12, ..PLOT },
        columns: &["place", "spelling", "is_read_by_google", "lines", "bodies", "sites", "sites_counted", "share"],
        definition: "Share of sites whose file has this misspelling of user-agent, allow, disallow, sitemap, crawl-delay or content-signal, in lower case. Known keys with white space or an invisible character inside count as misspellings.",
        zero: "No file has a misspelt key",
        ..FIGURE
    },
    FigureSpec {
        id: "dialect_disagreement",
        question: "dialect_disagreement",
        title: "Where drafts of the standard disagree with RFC 9309",
        plot: Plot {
            kind: ChartKind::Dots,
            x: "agent dialect",
            series: Series::Wide(&[
                ("share_only_allowed_here", "allowed by the draft, disallowed by RFC 9309"),
                ("share_only_blocked_here", "disallowed by the draft, allowed by RFC 9309"),
            ]),
            axis: "share of sites whose verdict on the path / changes",
            ..PLOT
        },
        columns: &[
            "agent",
            "dialect",
            "sites_blocked_by_rfc9309",
            "sites_blocked",
            "sites_only_allowed_here",
            "sites_only_blocked_here",
            "sites_counted",
            "share_blocked",
            "share_only_allowed_here",
            "share_only_blocked_here",
        ],
        counted: ("sites_counted", "sites with a known verdict by RFC 9309 and by the draft"),
        definition: "Share of sites whose verdict on the path / differs between RFC 9309 and its drafts of 2019 (draft-00) and 2022 (draft-12), for Googlebot and for all crawlers that a file does not name (*).",
        zero: "On no site does a draft give another verdict on / than RFC 9309",
        ..FIGURE
    },
];
