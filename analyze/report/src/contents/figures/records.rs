//! What else stands in files, and where files differ.

use super::{FIGURE, PLOT, READ};
use crate::contents::{ChartKind, CrawlScope, FigureSpec, Plot, Series};

pub(super) const RECORDS: &[FigureSpec] = &[
    FigureSpec {
        id: "other_records",
        question: "other_records",
        title: "Known records besides rules",
        counted: READ,
        plot: Plot { kind: ChartKind::Bars, x: "code", series: Series::One("share"), ..PLOT },
        definition: "Share of sites whose file has the record at least once.",
        ..FIGURE
    },
    FigureSpec {
        id: "crawl_delay",
        question: "crawl_delay",
        title: "Crawl delays, by the agent they are for",
        set: &[("top", "20")],
        counted: READ,
        plot: Plot { kind: ChartKind::Bars, x: "agent", series: Series::One("share"), most: 15, ..PLOT },
        definition: "Share of sites whose file asks the agent for a delay between two requests; \u{2013} is any agent.",
        ..FIGURE
    },
    FigureSpec {
        id: "crawl_delay_values",
        question: "crawl_delay_values",
        title: "Crawl delays, by length",
        set: &[("top", "20")],
        counted: READ,
        plot: Plot { kind: ChartKind::Bars, x: "value", series: Series::One("share"), most: 12, ..PLOT },
        definition: "The delays as they are written, in seconds where they are numbers; those of most sites first.",
        ..FIGURE
    },
    FigureSpec {
        id: "sitemaps",
        question: "sitemaps",
        title: "Sitemaps",
        counted: READ,
        plot: Plot { kind: ChartKind::Bars, x: "fact", series: Series::One("share"), ..PLOT },
        definition: "Share of sites for whose sitemap lines the fact holds; some: at least one, many: more than fifty.",
        ..FIGURE
    },
    FigureSpec {
        id: "sitemap_hosts",
        question: "sitemap_hosts",
        title: "Where sitemaps lie",
        counted: ("sites_counted", "sites with sitemaps"),
        plot: Plot { kind: ChartKind::Bars, x: "relation", series: Series::One("share"), ..PLOT },
        definition: "How the host of a sitemap is related to that of the site.",
        ..FIGURE
    },
];

pub(super) const CONSISTENCY: &[FigureSpec] = &[
    FigureSpec {
        id: "http_vs_https",
        question: "http_vs_https",
        title: "Rules over http and over https",
        counted: ("hosts_counted", "hosts that were captured over both"),
        plot: Plot {
            kind: ChartKind::Bars,
            x: "difference http_access https_access",
            series: Series::One("share"),
            axis: "share of hosts captured over both",
            ..PLOT
        },
        definition: "What a crawler that no file names may fetch, over http and over https: all, part or none.",
        ..FIGURE
    },
    FigureSpec {
        id: "www_vs_apex",
        question: "www_vs_apex",
        title: "Rules with www. and without",
        counted: ("pairs_counted", "domains of which both were captured"),
        plot: Plot {
            kind: ChartKind::Bars,
            x: "difference apex_access www_access",
            series: Series::One("share"),
            axis: "share of domains captured with both",
            ..PLOT
        },
        definition: "What a crawler that no file names may fetch, without www. and with it: all, part or none.",
        ..FIGURE
    },
    FigureSpec {
        id: "status_vs_rules",
        question: "status_vs_rules",
        title: "Hosts that refuse here and answer there",
        counted: ("hosts_refusing", "hosts that refuse in this way"),
        plot: Plot {
            kind: ChartKind::Bars,
            x: "refusal",
            series: Series::One("share"),
            axis: "share of hosts that refuse in this way",
            ..PLOT
        },
        definition: "Of the hosts that refuse the request for robots.txt somewhere, the share that answers it with 200 elsewhere in the same crawl.",
        ..FIGURE
    },
];

pub(super) const CHANGE: &[FigureSpec] = &[
    FigureSpec {
        id: "forbidden_trend",
        question: "forbidden_trend",
        title: "Refusals of robots.txt",
        crawls: CrawlScope::Several,
        plot: Plot { kind: ChartKind::Lines, x: "crawl", series: Series::By("refusal", "share"), ..PLOT },
        definition: "Share of sites that answer the request for robots.txt with the status.",
        ..FIGURE
    },
    FigureSpec {
        id: "agent_adoption_curve",
        question: "agent_adoption_curve",
        title: "When agents came to be named",
        crawls: CrawlScope::Several,
        set: &[("top", "8"), ("only", "ai")],
        plot: Plot { kind: ChartKind::Lines, x: "crawl", series: Series::By("agent", "share"), ..PLOT },
        columns: &["crawl", "agent", "first_crawl", "sites", "sites_counted", "share", "share_gained"],
        definition: "Share of sites whose file names the AI agent, crawl by crawl. To be named is not to be blocked.",
        rows: 60,
        ..FIGURE
    },
    FigureSpec {
        id: "ai_purpose_trend",
        question: "ai_by_purpose",
        title: "AI agents blocked by name, by purpose and crawl",
        crawls: CrawlScope::Several,
        plot: Plot { kind: ChartKind::Lines, x: "crawl", series: Series::By("purpose", "share_by_name"), ..PLOT },
        columns: &["crawl", "purpose", "agents", "sites", "sites_by_name", "sites_counted", "share", "share_by_name"],
        definition: "Share of sites that block at least one agent of the purpose by name.",
        ..FIGURE
    },
    FigureSpec {
        id: "policy_flips",
        question: "policy_flips",
        title: "Agents that sites began or ceased to block",
        crawls: CrawlScope::Several,
        counted: ("sites_counted", "sites that are in both crawls and whose answer is known in both"),
        plot: Plot {
            kind: ChartKind::Dots,
            x: "agent",
            series: Series::Wide(&[("share_newly_blocked", "newly blocked"), ("share_freed", "freed")]),
            ..PLOT
        },
        definition: "Of the sites that are in the last two crawls, the shares that began and that ceased to block the agent.",
        ..FIGURE
    },
    FigureSpec {
        id: "panel_change",
        question: "panel_change",
        title: "What became of sites between the last two crawls",
        crawls: CrawlScope::Several,
        counted: ("sites_counted", "sites that are in either crawl"),
        plot: Plot { kind: ChartKind::Bars, x: "change", series: Series::One("share"), ..PLOT },
        definition: "Sites of either crawl by whether they are in both and whether their file changed.",
        ..FIGURE
    },
    FigureSpec {
        id: "churn_rate",
        question: "churn_rate",
        title: "How much of a file changes",
        crawls: CrawlScope::Several,
        counted: ("sites_counted", "sites whose file was read in both crawls"),
        plot: Plot { kind: ChartKind::Bars, x: "change", series: Series::One("share"), ..PLOT },
        definition: "Files by how many rules were gained and lost; a rule is an agent, a verb and a pattern.",
        ..FIGURE
    },
];
