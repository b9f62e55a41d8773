//! Records read, and outcomes of fetching robots.txt.

use super::defaults::{FIGURE, NONE, PLOT};
use crate::contents::figure_spec::{ChartKind, CrawlScope, FigureSpec, Plot, Series};

pub(super) const READING: &[FigureSpec] = &[
    FigureSpec {
        id: "what_was_read",
        question: "what_was_read",
        title: "Archives, bytes and records, by crawl",
        crawls: CrawlScope::All,
        counted: NONE,
        plot: PLOT,
        columns: &["crawl", "archives", "bytes", "damaged_bytes", "records", "captures", "records_skipped"],
        definition: "Every record is either a capture or skipped. Every byte is either good or damaged.",
        ..FIGURE
    },
    FigureSpec {
        id: "what_was_skipped",
        question: "what_was_skipped",
        title: "Skipped records, damaged bytes and remarks, by reason",
        counted: NONE,
        plot: Plot {
            kind: ChartKind::Bars,
            x: "kind reason",
            series: Series::One("occurrences"),
            axis: "records, or ranges of bytes",
            ..PLOT
        },
        columns: &["kind", "reason", "occurrences", "archives"],
        definition: "A skipped record is not a capture. A damaged range of bytes contains no readable record. A remark is an unusual fact about a record that was read.",
        zero: "No record was skipped, and no byte is damaged",
        ..FIGURE
    },
    FigureSpec {
        id: "refetch_duplicates",
        question: "refetch_duplicates",
        title: "Captures per site and crawl",
        counted: ("sites_counted", "sites that were captured"),
        plot: Plot { kind: ChartKind::Histogram, x: "captures_of_site", series: Series::One("share"), ..PLOT },
        columns: &[
            "captures_of_site",
            "sites",
            "sites_counted",
            "share",
            "captures",
            "sites_same_answer",
            "sites_other_body",
            "sites_other_result",
        ],
        definition: "Share of sites by the number of captures of their own /robots.txt. 10 means ten or more. Other figures use one capture per site.",
        zero: "No site was captured",
        ..FIGURE
    },
];

pub(super) const ACCESS: &[FigureSpec] = &[
    FigureSpec {
        id: "access_overview",
        question: "access_overview",
        title: "Outcomes of fetching robots.txt",
        crawls: CrawlScope::All,
        plot: Plot { kind: ChartKind::Areas, x: "crawl", series: Series::By("outcome", "share"), ..PLOT },
        columns: &["crawl", "outcome", "sites", "sites_counted", "share", "sites_redirected"],
        definition: "Share of sites by the outcome of the last answer, after up to five redirects. Rules: the file has rules. No rules: it has none. Not a robots.txt: the server sent something else. Unavailable: status 4xx. Unreachable: status 5xx or no answer. Redirect without an answer: the redirects lead to no answer. No capture: the response was stored without its body, repeats one that was not captured, or its record is doubtful.",
        zero: "No site was captured",
        ..FIGURE
    },
    FigureSpec {
        id: "status_codes",
        question: "status_codes",
        title: "Status codes of the first answer",
        set: &[("answer", "first")],
        columns: &["status", "sites", "sites_counted", "share"],
        plot: Plot { kind: ChartKind::Bars, x: "status", series: Series::One("share"), most: 15, ..PLOT },
        definition: "Share of sites by the HTTP status of their own answer, before redirects.",
        zero: "No site answered",
        ..FIGURE
    },
    FigureSpec {
        id: "unresolved_redirects",
        question: "unresolved_redirects",
        title: "Where redirects of robots.txt end",
        counted: ("sites_redirecting", "sites that redirect"),
        plot: Plot {
            kind: ChartKind::Bars,
            x: "redirect_end hops",
            series: Series::One("share"),
            axis: "share of sites that redirect",
            ..PLOT
        },
        columns: &[
            "redirect_end",
            "hops",
            "sites",
            "sites_redirecting",
            "share",
            "sites_to_own_host",
            "sites_to_other_host",
            "sites_to_other_domain",
            "sites_to_other_path",
        ],
        definition: "Share of redirecting sites by how their redirects end: with an answer, or with the reason why there is none. The number is how many redirects were followed.",
        zero: "No site redirects",
        ..FIGURE
    },
    FigureSpec {
        id: "access_by_tld_country",
        question: "access_by_tld_country",
        title: "Outcomes by top-level domain",
        set: &[("top", "12")],
        columns: &["suffix", "is_country", "outcome", "sites", "sites_counted", "share"],
        plot: Plot {
            kind: ChartKind::Stacked,
            x: "suffix",
            series: Series::By("outcome", "share"),
            axis: "share of sites of the top-level domain",
            ..PLOT
        },
        definition: "Share of sites by outcome, as in the first figure of this section, for the top-level domains with the most sites. A domain of two letters belongs to a country, but its sites may be hosted anywhere.",
        counted: ("sites_counted", "sites of each domain"),
        zero: "No site was captured",
        ..FIGURE
    },
];

pub(super) const RANKS: &[FigureSpec] = &[
    FigureSpec {
        id: "access_by_rank",
        question: "access_by_rank",
        title: "Outcomes by rank",
        needs: Some("ranks"),
        columns: &["stratum", "outcome", "sites", "sites_counted", "share"],
        counted: ("sites_counted", "sites of each stratum"),
        plot: Plot {
            kind: ChartKind::Stacked,
            x: "stratum",
            series: Series::By("outcome", "share"),
            axis: "share of sites of the stratum",
            ..PLOT
        },
        definition: "Share of sites by the outcome of fetching robots.txt, for each stratum of ranks. A host without a rank has the rank of its domain. Each site is in one stratum.",
        zero: "No site was captured",
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
        definition: "Share of sites by the outcome of fetching robots.txt, with a panel for each stratum of ranks. All crawls use the same list of ranks.",
        zero: "No site was captured",
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
        columns: &["agent", "stratum", "sites", "sites_counted", "share"],
        definition: "Share of sites whose file has a group for the agent, whatever its rules. A named agent need not be blocked. * is the wildcard group.",
        zero: "No file names an agent",
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
                ("share_by_name", "any, by name"),
                ("share", "any, by name or by the wildcard group"),
            ]),
            axis: "share of sites of the stratum",
            ..PLOT
        },
        columns: &["stratum", "agents", "sites_by_name", "sites", "sites_counted", "share_by_name", "share"],
        definition: "Share of sites that block at least one tracked AI agent. By the wildcard group: no group names the agent, and the rules for all other crawlers (*) allow no path.",
        zero: "No site blocks an AI agent",
        ..FIGURE
    },
];
