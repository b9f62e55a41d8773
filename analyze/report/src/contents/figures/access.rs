//! What was read, and who has a robots.txt.

use super::{FIGURE, NONE, PLOT};
use crate::contents::{ChartKind, CrawlScope, FigureSpec, Plot, Series};

pub(super) const READING: &[FigureSpec] = &[
    FigureSpec {
        id: "what_was_read",
        question: "what_was_read",
        title: "Archives, bytes and records of each crawl",
        crawls: CrawlScope::All,
        counted: NONE,
        plot: PLOT,
        definition: "Records are captures and records skipped; bytes are good bytes and damaged bytes.",
        ..FIGURE
    },
    FigureSpec {
        id: "what_was_skipped",
        question: "what_was_skipped",
        title: "What was skipped, damaged or odd, by reason",
        counted: NONE,
        plot: Plot {
            kind: ChartKind::Bars,
            x: "kind reason",
            series: Series::One("occurrences"),
            axis: "records, or stretches of bytes",
            ..PLOT
        },
        definition: "Skipped are records that are no captures, damaged are stretches of bytes that hold no record, and remarks are of records that were read.",
        ..FIGURE
    },
    FigureSpec {
        id: "refetch_duplicates",
        question: "refetch_duplicates",
        title: "Captures of one site in one crawl",
        counted: ("sites_counted", "sites that were captured"),
        plot: Plot { kind: ChartKind::Histogram, x: "captures_of_site", series: Series::One("share"), ..PLOT },
        definition: "How many captures of its own /robots.txt a site has; of several, the latest counts in all other figures.",
        ..FIGURE
    },
];

pub(super) const ACCESS: &[FigureSpec] = &[
    FigureSpec {
        id: "access_overview",
        question: "access_overview",
        title: "Outcomes of asking for robots.txt",
        crawls: CrawlScope::All,
        plot: Plot { kind: ChartKind::Areas, x: "crawl", series: Series::By("outcome", "share"), ..PLOT },
        columns: &["crawl", "outcome", "sites", "sites_counted", "share", "sites_redirected"],
        definition: "The outcome of a site is that of its last answer once redirects are followed up to five times: rules; no rules, where a file has none; not robots, where something else was served; unavailable (4xx); unreachable (5xx and no answer).",
        ..FIGURE
    },
    FigureSpec {
        id: "status_codes",
        question: "status_codes",
        title: "Statuses of the first answer",
        set: &[("answer", "first")],
        columns: &["crawl", "status", "sites", "sites_counted", "share"],
        plot: Plot { kind: ChartKind::Bars, x: "status", series: Series::One("share"), most: 15, ..PLOT },
        definition: "The HTTP status of the site's own answer, before redirects are followed.",
        ..FIGURE
    },
    FigureSpec {
        id: "unresolved_redirects",
        question: "unresolved_redirects",
        title: "Where redirects of robots.txt lead",
        counted: ("sites_redirecting", "sites that redirect"),
        plot: Plot {
            kind: ChartKind::Bars,
            x: "redirect_end hops",
            series: Series::One("share"),
            axis: "share of sites that redirect",
            ..PLOT
        },
        definition: "The end is answered, or why there is no answer; the number is how many redirects were followed.",
        ..FIGURE
    },
    FigureSpec {
        id: "access_by_tld_country",
        question: "access_by_tld_country",
        title: "Outcomes by top-level domain",
        set: &[("top", "12")],
        columns: &["crawl", "suffix", "is_country", "outcome", "sites", "sites_counted", "share"],
        plot: Plot {
            kind: ChartKind::Stacked,
            x: "suffix",
            series: Series::By("outcome", "share"),
            axis: "share of sites below the suffix",
            ..PLOT
        },
        definition: "The outcome as above, for the suffixes with most sites; a domain of two letters is that of a country, wherever its sites stand.",
        counted: ("sites_counted", "sites below each suffix"),
        ..FIGURE
    },
];

pub(super) const RANKS: &[FigureSpec] = &[
    FigureSpec {
        id: "access_by_rank",
        question: "access_by_rank",
        title: "Outcomes by rank",
        needs: Some("ranks"),
        columns: &["crawl", "stratum", "outcome", "sites", "sites_counted", "share"],
        counted: ("sites_counted", "sites of each stratum"),
        plot: Plot {
            kind: ChartKind::Stacked,
            x: "stratum",
            series: Series::By("outcome", "share"),
            axis: "share of sites of the stratum",
            ..PLOT
        },
        definition: "The outcome of asking for robots.txt, by the rank of the host or else of its domain; each site is in one stratum.",
        ..FIGURE
    },
    FigureSpec {
        id: "access_by_rank_and_crawl",
        question: "access_by_rank",
        title: "Outcomes by rank, crawl by crawl",
        needs: Some("ranks"),
        crawls: CrawlScope::Several,
        columns: &["crawl", "stratum", "outcome", "sites", "sites_counted", "share"],
        counted: ("sites_counted", "sites of each stratum and crawl"),
        plot: Plot {
            kind: ChartKind::Areas,
            x: "crawl",
            series: Series::By("outcome", "share"),
            panel: "stratum",
            axis: "share of sites of the stratum",
            ..PLOT
        },
        definition: "The outcome of asking for robots.txt, by the rank of the host or else of its domain; a panel for each stratum, by one list of ranks for all crawls.",
        ..FIGURE
    },
    FigureSpec {
        id: "agents_by_rank",
        question: "agents_by_rank",
        title: "Agents named, by rank",
        needs: Some("ranks"),
        set: &[("top", "8")],
        counted: ("sites_counted", "sites of each stratum"),
        plot: Plot {
            kind: ChartKind::Lines,
            x: "stratum",
            series: Series::By("agent", "share"),
            axis: "share of sites of the stratum",
            ..PLOT
        },
        definition: "Share of sites whose file has a group for the agent, whatever the group says.",
        ..FIGURE
    },
    FigureSpec {
        id: "ai_by_rank",
        question: "ai_overview",
        title: "AI agents blocked, by rank",
        needs: Some("ranks"),
        set: &[("by", "rank")],
        counted: ("sites_counted", "sites of each stratum"),
        plot: Plot {
            kind: ChartKind::Lines,
            x: "stratum",
            series: Series::Wide(&[
                ("share", "any AI agent, by name or by the star"),
                ("share_by_name", "any AI agent, by name"),
            ]),
            axis: "share of sites of the stratum",
            ..PLOT
        },
        definition: "Share of sites that block at least one AI agent.",
        ..FIGURE
    },
];
