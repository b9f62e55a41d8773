//! Other records, consistency and change.

use super::defaults::{FIGURE, PLOT, READ};
use crate::contents::figure_spec::{ChartKind, CrawlScope, FigureSpec, Plot, Series};

pub(super) const RECORDS: &[FigureSpec] = &[
    FigureSpec {
        id: "other_records",
        question: "other_records",
        title: "Known records other than rules",
        counted: READ,
        plot: Plot { kind: ChartKind::Bars, x: "code", series: Series::One("share"), ..PLOT },
        columns: &["code", "lines", "bodies", "sites", "sites_counted", "share", "distinct_values", "commonest_value"],
        definition: "Share of sites whose file has the record at least once.",
        zero: "No file has a known record other than rules",
        ..FIGURE
    },
    FigureSpec {
        id: "crawl_delay",
        question: "crawl_delay",
        title: "Crawl delays, by agent",
        set: &[("top", "20")],
        counted: READ,
        plot: Plot { kind: ChartKind::Bars, x: "agent", series: Series::One("share"), most: 15, ..PLOT },
        columns: &[
            "place",
            "agent",
            "bodies",
            "sites",
            "sites_counted",
            "share",
            "sites_zero",
            "sites_long",
            "least_s",
            "most_s",
            "sites_not_a_number",
        ],
        definition: "Share of sites whose file asks the agent to wait a number of seconds between two requests. Any agent: the file asks at least one agent.",
        zero: "No file asks for a crawl delay in a valid number of seconds",
        ..FIGURE
    },
    FigureSpec {
        id: "crawl_delay_values",
        question: "crawl_delay_values",
        title: "Crawl delays, by length",
        set: &[("top", "20")],
        counted: READ,
        plot: Plot { kind: ChartKind::Bars, x: "value", series: Series::One("share"), most: 12, ..PLOT },
        columns: &["place", "value", "seconds", "lines", "bodies", "sites", "sites_counted", "share"],
        definition: "Share of sites whose file has a Crawl-delay line with this value, as written. Numbers are seconds.",
        zero: "No file asks for a crawl delay",
        ..FIGURE
    },
    FigureSpec {
        id: "sitemaps",
        question: "sitemaps",
        title: "Sitemaps",
        counted: READ,
        plot: Plot { kind: ChartKind::Bars, x: "fact", series: Series::One("share"), is_ordinal: true, ..PLOT },
        columns: &["fact", "lines", "lines_counted", "share_of_lines", "bodies", "sites", "sites_counted", "share"],
        definition: "Share of sites by their number of Sitemap lines, and share of sites with at least one faulty Sitemap line, by fault.",
        zero: "No file was read",
        ..FIGURE
    },
    FigureSpec {
        id: "sitemap_hosts",
        question: "sitemap_hosts",
        title: "Hosts of sitemaps",
        counted: ("sites_counted", "sites with sitemaps"),
        plot: Plot {
            kind: ChartKind::Bars,
            x: "relation",
            series: Series::One("share"),
            axis: "share of sites with sitemaps",
            ..PLOT
        },
        columns: &["relation", "lines", "sites", "sites_counted", "share", "sites_redirected"],
        definition: "Of the sites with sitemaps, the share with a sitemap at an address of the kind, compared with the site's own host and scheme.",
        zero: "No site has a sitemap",
        ..FIGURE
    },
];

pub(super) const CONSISTENCY: &[FigureSpec] = &[
    FigureSpec {
        id: "http_vs_https",
        question: "http_vs_https",
        title: "Rules over http and over https",
        counted: ("hosts_counted", "hosts that were captured over http and https"),
        plot: Plot {
            kind: ChartKind::Bars,
            x: "difference http_access https_access",
            series: Series::One("share"),
            axis: "share of hosts captured over http and https",
            ..PLOT
        },
        columns: &["difference", "http_access", "https_access", "hosts", "hosts_counted", "share"],
        definition: "Share of hosts by how their files differ, and by whether * is allowed, partly blocked or blocked, first over http and then over https. * stands for all crawlers that a file does not name.",
        zero: "No host was captured over both http and https",
        ..FIGURE
    },
    FigureSpec {
        id: "www_vs_apex",
        question: "www_vs_apex",
        title: "Rules with and without www.",
        counted: ("pairs_counted", "pairs of a domain and its www. host"),
        plot: Plot {
            kind: ChartKind::Bars,
            x: "difference apex_access www_access",
            series: Series::One("share"),
            axis: "share of pairs of a domain and its www. host",
            ..PLOT
        },
        columns: &["difference", "apex_access", "www_access", "pairs", "pairs_counted", "share"],
        definition: "Share of pairs of a domain and its www. host, by how their files differ, and by whether * is allowed, partly blocked or blocked, first without www. and then with it. A domain captured over http and https makes two pairs. * stands for all crawlers that a file does not name.",
        zero: "No domain was captured both with and without www",
        ..FIGURE
    },
    FigureSpec {
        id: "status_vs_rules",
        question: "status_vs_rules",
        title: "Hosts that both refuse and serve robots.txt",
        counted: ("hosts_refusing", "hosts that refuse with the status"),
        plot: Plot {
            kind: ChartKind::Bars,
            x: "refusal",
            series: Series::One("share"),
            axis: "share of hosts that refuse with the status",
            ..PLOT
        },
        columns: &[
            "refusal",
            "hosts_refusing",
            "hosts_captured_again",
            "hosts",
            "share",
            "share_of_captured_again",
            "hosts_at_one_url",
        ],
        definition: "Of the hosts that refuse a request for robots.txt with the status, the share that answer another request with 200 in the same crawl: over another protocol or port, or at another time.",
        zero: "No host that refuses robots.txt serves it another time",
        ..FIGURE
    },
];

/// A figure of the sites before and after an event.
const EVENT: FigureSpec = FigureSpec {
    question: "event_change",
    crawls: CrawlScope::Several,
    counted: ("sites_counted", "sites that answered with a file or with 4xx in both crawls"),
    plot: Plot {
        kind: ChartKind::Dots,
        x: "fact",
        series: Series::Wide(&[("share_before", "in the crawl before"), ("share_after", "in the crawl after")]),
        axis: "share of sites in both crawls",
        is_ordinal: true,
        // Most sites have a file. Beside that share, all others would be close to zero. Blocks by the wildcard group
        // may be older than the agent, so blocks by name are drawn.
        not: ("fact_kind", &["file", "block by name or wildcard"]),
        ..PLOT
    },
    columns: &[
        "fact",
        "sites_before",
        "sites_after",
        "sites_started",
        "sites_stopped",
        "sites_counted",
        "share_before",
        "share_after",
        "change",
        "days_between",
    ],
    zero: "No site names an AI agent, blocks unnamed crawlers or has Content-Signal or Content-Usage",
    absent: "no crawl ended before the event, or no crawl started after it",
    ..FIGURE
};

pub(super) const CHANGE: &[FigureSpec] = &[
    FigureSpec {
        id: "forbidden_trend",
        question: "forbidden_trend",
        title: "Requests for robots.txt refused",
        crawls: CrawlScope::Several,
        plot: Plot { kind: ChartKind::Lines, x: "crawl", series: Series::By("refusal", "share"), ..PLOT },
        columns: &["crawl", "refusal", "sites", "sites_counted", "share"],
        definition: "Share of sites whose last answer to the request for robots.txt, after redirects, has the status.",
        zero: "No site refuses robots.txt",
        ..FIGURE
    },
    FigureSpec {
        id: "agent_adoption_curve",
        question: "agent_adoption_curve",
        title: "AI agents named, by crawl",
        crawls: CrawlScope::Several,
        set: &[("top", "8"), ("only", "ai")],
        plot: Plot { kind: ChartKind::Lines, x: "crawl", series: Series::By("agent", "share"), ..PLOT },
        columns: &["crawl", "agent", "first_crawl", "sites", "sites_counted", "share"],
        definition: "Share of sites whose file names the AI agent. A named agent need not be blocked.",
        rows: 60,
        zero: "No file names an AI agent",
        ..FIGURE
    },
    FigureSpec {
        id: "ai_purpose_trend",
        question: "ai_by_purpose",
        title: "AI agents blocked by name, by purpose and crawl",
        crawls: CrawlScope::Several,
        plot: Plot { kind: ChartKind::Lines, x: "crawl", series: Series::By("purpose", "share_by_name"), ..PLOT },
        columns: &["crawl", "purpose", "agents", "sites_by_name", "sites", "sites_counted", "share_by_name", "share"],
        definition: "Share of sites that block at least one agent of the purpose by name.",
        zero: "No site blocks an AI agent by name",
        ..FIGURE
    },
    FigureSpec {
        id: "policy_flips",
        question: "policy_flips",
        title: "Agents newly blocked and no longer blocked",
        set: &[("same", "host")],
        crawls: CrawlScope::Several,
        counted: ("sites_counted", "hosts that answered with a file or with 4xx in both crawls"),
        plot: Plot {
            kind: ChartKind::Dots,
            x: "agent",
            series: Series::Wide(&[
                ("share_newly_blocked_by_name", "newly blocked, agent named"),
                ("share_no_longer_blocked_by_name", "no longer blocked, agent named"),
                ("share_newly_blocked", "newly blocked, named or not"),
                ("share_no_longer_blocked", "no longer blocked, named or not"),
            ]),
            axis: "share of hosts in both crawls",
            ..PLOT
        },
        columns: &[
            "agent",
            "sites_newly_blocked_by_name",
            "sites_no_longer_blocked_by_name",
            "sites_newly_blocked",
            "sites_no_longer_blocked",
            "sites_blocked_first",
            "sites_blocked_last",
            "sites_counted",
            "share_newly_blocked_by_name",
            "share_no_longer_blocked_by_name",
            "share_newly_blocked",
            "share_no_longer_blocked",
        ],
        definition: "Of the hosts that are in both of the last two crawls, the share that blocks the agent only in the later crawl, and the share that blocks it only in the earlier one. The agents with the largest change either way come first. Agent named: the file names the agent in at least one of the two crawls. Named or not: also changes by the wildcard group alone. A host counts once, whether http or https.",
        zero: "No host newly blocks an agent or no longer blocks one",
        ..FIGURE
    },
    FigureSpec {
        id: "panel_change",
        question: "panel_change",
        title: "Changes of sites between the last two crawls",
        set: &[("same", "host")],
        crawls: CrawlScope::Several,
        counted: ("sites_counted", "hosts that are in both crawls"),
        plot: Plot {
            kind: ChartKind::Bars,
            x: "change",
            series: Series::One("share"),
            axis: "share of hosts in both crawls",
            not: ("change", &["only in the last crawl", "only in the first crawl"]),
            ..PLOT
        },
        columns: &["change", "sites", "sites_counted", "share"],
        definition: "Share of the hosts in both of the last two crawls, by whether and how their file changed. A host counts once, whether http or https. The table also counts the hosts in only one of the crawls.",
        zero: "No host is in both crawls",
        ..FIGURE
    },
    FigureSpec {
        id: "churn_rate",
        question: "churn_rate",
        title: "How many rules of a file change",
        set: &[("same", "host")],
        crawls: CrawlScope::Several,
        counted: ("sites_counted", "hosts whose file was read in both crawls"),
        plot: Plot {
            kind: ChartKind::Bars,
            x: "change",
            series: Series::One("share"),
            axis: "share of hosts whose file was read twice",
            is_ordinal: true,
            ..PLOT
        },
        columns: &["change", "sites", "sites_counted", "share", "rules_gained", "rules_lost"],
        definition: "Share of hosts by how many rules their file gained or lost between the last two crawls. An allow or disallow line counts once for each agent of its group.",
        zero: "No file was read in both crawls",
        ..FIGURE
    },
    FigureSpec {
        id: "event_gptbot",
        title: "Before and after: GPTBot (7 August 2023)",
        set: &[("event", "gptbot"), ("tokens", "GPTBot,CCBot,ClaudeBot")],
        definition: "Of the sites in both the last crawl that ended before 7 August 2023 and the first that started on that day or later, the share with the fact in each crawl. On that day the name GPTBot was published. A change after an event need not be caused by it. The table also has the share of sites with a file, and blocks by name or by the wildcard group.",
        ..EVENT
    },
    FigureSpec {
        id: "event_cloudflare_block",
        title: "Before and after: Cloudflare's AI block (3 July 2024)",
        set: &[("event", "cloudflare-block"), ("tokens", "GPTBot,CCBot,ClaudeBot")],
        definition: "Of the sites in both the last crawl that ended before 3 July 2024 and the first that started on that day or later, the share with the fact in each crawl. On that day Cloudflare started to offer its customers a block of AI crawlers that no robots.txt shows. A change after an event need not be caused by it. The table also has the share of sites with a file, and blocks by name or by the wildcard group.",
        ..EVENT
    },
    FigureSpec {
        id: "event_content_use",
        title: "Before and after: use in Content-Signal (1 July 2026)",
        set: &[("event", "content-use"), ("tokens", "GPTBot,CCBot,ClaudeBot")],
        definition: "Of the sites in both the last crawl that ended before 1 July 2026 and the first that started on that day or later, the share with the fact in each crawl. Since that day, files managed by Cloudflare have the label use in Content-Signal. A change after an event need not be caused by it. The table also has the share of sites with a file, and blocks by name or by the wildcard group.",
        ..EVENT
    },
    FigureSpec {
        id: "event_cloudflare_defaults",
        title: "Before and after: Cloudflare's defaults (15 September 2026)",
        set: &[("event", "cloudflare-defaults"), ("tokens", "GPTBot,CCBot,ClaudeBot")],
        definition: "Of the sites in both the last crawl that ended before 15 September 2026 and the first that started on that day or later, the share with the fact in each crawl. On that day Cloudflare changed its defaults for AI crawlers. No robots.txt shows these defaults. A change after an event need not be caused by it. The table also has the share of sites with a file, and blocks by name or by the wildcard group.",
        ..EVENT
    },
];
