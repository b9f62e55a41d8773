//! How long files are, and how they keep to the grammar.

use super::{FIGURE, NONE, PLOT, READ};
use crate::contents::{ChartKind, CrawlScope, FigureSpec, Plot, Series};

pub(super) const SIZE: &[FigureSpec] = &[
    FigureSpec {
        id: "size_distribution",
        question: "size_distribution",
        title: "Sizes of robots.txt files",
        columns: &["crawl", "from_bytes", "to_bytes", "sites", "sites_counted", "share", "share_so_far"],
        plot: Plot {
            kind: ChartKind::Histogram,
            x: "from_bytes to_bytes",
            series: Series::One("share"),
            most: 40,
            ..PLOT
        },
        definition: "The length of the body with all encodings undone, in bytes; each bin is twice as wide as the one before.",
        rows: 40,
        ..FIGURE
    },
    FigureSpec {
        id: "over_500kib",
        question: "over_500kib",
        title: "Files longer than 500 KiB",
        crawls: CrawlScope::All,
        plot: Plot { kind: ChartKind::Lines, x: "crawl", series: Series::By("stratum", "share"), ..PLOT },
        definition: "Share of sites whose robots.txt has more than 512,000 bytes.",
        ..FIGURE
    },
    FigureSpec {
        id: "limit_effect",
        question: "limit_effect",
        title: "What a crawler misses that stops at 500 KiB",
        plot: Plot { kind: ChartKind::Bars, x: "agent", series: Series::One("share_losing_rules"), ..PLOT },
        columns: &[
            "crawl",
            "agent",
            "sites_losing_rules",
            "sites_root_opened",
            "sites_root_closed",
            "sites_all_opened",
            "sites_counted",
            "share_losing_rules",
            "share_root_changed",
        ],
        definition: "Share of sites where rules that hold for the agent lie behind the first 512,000 bytes.",
        ..FIGURE
    },
    FigureSpec {
        id: "over_500kib_files",
        question: "over_500kib_files",
        title: "The longest files",
        counted: NONE,
        plot: PLOT,
        definition: "Distinct files by their length; sites tells how many serve the same bytes.",
        rows: 15,
        ..FIGURE
    },
    FigureSpec {
        id: "rules_per_file",
        question: "rules_per_file",
        title: "Lines, groups and rules of a file",
        plot: PLOT,
        columns: &[
            "crawl",
            "counted",
            "sites_with_any",
            "sites_counted",
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
        definition: "Quantiles over sites: of a tenth of the sites the file has p10 or fewer, of half the median or fewer.",
        ..FIGURE
    },
    FigureSpec {
        id: "ruleset_length",
        question: "ruleset_length_histogram",
        title: "Rules for the star",
        counted: ("rulesets_counted", "sets of rules"),
        plot: Plot {
            kind: ChartKind::Histogram,
            x: "from_rules to_rules",
            series: Series::One("share"),
            axis: "share of sets of rules",
            most: 40,
            only: ("named", &["star"]),
            ..PLOT
        },
        definition: "How many rules hold for a crawler that a file does not name, over sites; the table has those for named agents as well.",
        ..FIGURE
    },
];

pub(super) const GRAMMAR: &[FigureSpec] = &[
    FigureSpec {
        id: "violation_tiers",
        question: "violation_overview",
        title: "Files that depart from the grammar, by tier",
        counted: READ,
        plot: Plot {
            kind: ChartKind::Bars,
            x: "tier code",
            series: Series::One("share"),
            only: ("code", &["any", "conforms"]),
            ..PLOT
        },
        columns: &[
            "crawl",
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
        definition: "Share of sites whose file has any departure of the tier; conforms is what can be derived from the ABNF to the letter, which no file with a Sitemap line can.",
        rows: 100,
        ..FIGURE
    },
    FigureSpec {
        id: "violation_codes",
        question: "violation_overview",
        title: "The commonest departures",
        counted: READ,
        plot: Plot {
            kind: ChartKind::Bars,
            x: "tier code",
            series: Series::One("share"),
            only: ("tier", &["A", "C"]),
            not: ("code", &["any"]),
            most: 60,
            ..PLOT
        },
        columns: &["crawl", "tier", "code", "severity", "sites", "sites_counted", "share", "bodies", "occurrences"],
        definition: "Share of sites whose file departs in this way at least once, tiers A and C; docs/violations.md tells each.",
        rows: 100,
        ..FIGURE
    },
    FigureSpec {
        id: "violation_examples",
        question: "violation_examples",
        title: "What departures look like",
        counted: NONE,
        plot: PLOT,
        columns: &["code", "tier", "sites", "bodies", "line_no", "example"],
        definition: "One example of each departure, of the first file that has it; what acts on a screen is shown as an escape.",
        ..FIGURE
    },
    FigureSpec {
        id: "key_typos",
        question: "key_typos",
        title: "Misspelt keys",
        counted: READ,
        plot: Plot { kind: ChartKind::Bars, x: "spelling", series: Series::One("share"), most: 12, ..PLOT },
        definition: "Keys that are taken for a misspelling of a known key, as they are written.",
        ..FIGURE
    },
    FigureSpec {
        id: "dialect_disagreement",
        question: "dialect_disagreement",
        title: "Where the readings of the standard disagree",
        plot: Plot {
            kind: ChartKind::Bars,
            x: "dialect",
            series: Series::One("share"),
            axis: "share of sites that refuse the root",
            ..PLOT
        },
        definition: "Share of sites that refuse / to a crawler that no file names, by each reading of the file.",
        ..FIGURE
    },
];
