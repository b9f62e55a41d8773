//! Agents that files name and block.

use super::defaults::{FIGURE, PLOT};
use crate::contents::figure_spec::{ChartKind, CrawlScope, FigureSpec, Plot, Series};
use crate::glossary::DEFINITIONS;

/// An agent, what each definition counts, and how far the definitions differ.
const DEFINITION_COLUMNS: [&str; DEFINITIONS.len() + 4] = {
    let [a, b, c, d, e, f, g, h, i, j] = DEFINITIONS;
    ["agent", a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0, i.0, j.0, "least", "greatest", "ratio"]
};

pub(super) const AGENTS: &[FigureSpec] = &[
    FigureSpec {
        id: "top_agents",
        question: "top_agents",
        title: "Most named agents",
        set: &[("top", "50")],
        plot: Plot { kind: ChartKind::Bars, x: "name", series: Series::One("share"), most: 25, ..PLOT },
        columns: &["place", "name", "sites", "sites_counted", "share", "bodies", "lines"],
        rows: 50,
        definition: "Share of sites whose file has a group for the agent, whatever its rules. A named agent need not be blocked. Names that differ only in case, version or a trailing * count as one.",
        zero: "No file names an agent",
        ..FIGURE
    },
    FigureSpec {
        id: "blocked_by_agent",
        question: "blocked_by_agent",
        title: "Most blocked agents",
        set: &[("top", "30")],
        plot: Plot {
            kind: ChartKind::Stacked,
            // The share that decides the order is too small for a label inside of its bar.
            x: "agent share_by_name",
            series: Series::Wide(&[
                ("share_by_name", "blocked by name"),
                ("share_not_by_name", "blocked by the wildcard group"),
                ("share_part", "partly blocked"),
                ("share_all", "allowed"),
            ]),
            // Agents that no site blocks by name would all have the same bar.
            not: ("share_by_name", &["0\u{a0}%"]),
            most: 25,
            ..PLOT
        },
        columns: &[
            "agent",
            "sites_by_name",
            "sites",
            "sites_part",
            "sites_all",
            "sites_counted",
            "share_by_name",
            "share_not_by_name",
            "share",
            "share_part",
            "share_all",
        ],
        definition: "Share of sites that block, partly block or allow the agent. The number after the name is the share of sites that block the agent by name, and decides the order. By name: a group names the agent and allows it no path. By the wildcard group: no group names it, and the rules for all other crawlers (*) allow no path.",
        zero: "No site blocks an agent by name",
        ..FIGURE
    },
    FigureSpec {
        id: "definition_sensitivity",
        question: "definition_sensitivity",
        title: "Share of blocking sites, by ten definitions of blocked",
        set: &[("top", "20")],
        plot: Plot {
            kind: ChartKind::Heat,
            x: "agent",
            series: Series::Wide(&DEFINITIONS),
            axis: "share of sites that block the agent",
            most: 14,
            ..PLOT
        },
        columns: &DEFINITION_COLUMNS,
        definition: "Share of sites that block the agent, with a column for each definition of blocked. The key names the definitions. The other figures on blocking use the exact one: the rules allow no path. By d9, at least one site of the domain blocks the agent by the exact definition. The ratio in the table is the greatest share divided by the least. It is empty if the least is 0. Definitions that need a name do not apply to *.",
        zero: "No site blocks an agent, by any definition",
        ..FIGURE
    },
    FigureSpec {
        id: "agent_bias",
        question: "agent_bias",
        title: "Agents blocked more or less often than unnamed crawlers",
        plot: Plot {
            kind: ChartKind::Ratio,
            x: "agent",
            series: Series::One("log_ratio"),
            axis: "sites that block the agent per site that blocks *",
            most: 24,
            ..PLOT
        },
        columns: &[
            "agent",
            "sites",
            "sites_wildcard",
            "sites_counted",
            "share",
            "share_wildcard",
            "ratio",
            "log_ratio",
            "sites_favouring",
            "sites_penalising",
        ],
        rows: 100,
        definition: "The number of sites that block the agent, by name or by the wildcard group, divided by the number that block unnamed crawlers (*), which are all that a file does not name. At 1 both numbers are equal. The scale is logarithmic. The table also counts the sites that block only * and those that block only the agent.",
        zero: "There is no ratio to draw, since no site blocks unnamed crawlers or all ratios are 0 or 1",
        empty: "Each site blocks both an agent and unnamed crawlers, or neither",
        ..FIGURE
    },
    FigureSpec {
        id: "template_adjusted_agents",
        question: "template_adjusted_agents",
        title: "Agents named, with and without templates",
        set: &[("top", "25")],
        plot: Plot {
            kind: ChartKind::Dots,
            x: "agent",
            series: Series::Wide(&[
                ("share_named", "all files"),
                ("share_named_by_owners", "without files whose template names it"),
            ]),
            ..PLOT
        },
        columns: &[
            "agent",
            "sites_counted",
            "sites_naming",
            "share_named",
            "sites_naming_by_owners",
            "share_named_by_owners",
            "sites_blocking",
            "share_blocked",
            "sites_blocking_by_owners",
            "share_blocked_by_owners",
        ],
        definition: "Share of sites whose file names the agent. The second number counts only files where no template names it. A template comes from a content management system, a hosting company or a managed block. A named agent need not be blocked.",
        zero: "No file names an agent",
        ..FIGURE
    },
    FigureSpec {
        id: "agent_cooccurrence",
        question: "agent_cooccurrence",
        title: "Agents blocked together by name",
        plot: Plot {
            kind: ChartKind::Heat,
            x: "agent",
            series: Series::By("other", "share"),
            axis: "share of sites that block the row's agent",
            ..PLOT
        },
        columns: &["agent", "other", "sites", "sites_agent", "sites_other", "share"],
        counted: ("sites_agent", "sites that block the agent of the row by name"),
        rows: 60,
        definition: "Of the sites that block the agent of the row by name, the share that also block the agent of the column by name. Blocks by the wildcard group do not count.",
        zero: "No site blocks two of these agents by name",
        ..FIGURE
    },
    FigureSpec {
        id: "noblock_rate",
        question: "noblock_rate",
        title: "Sites that disallow nothing",
        crawls: CrawlScope::All,
        plot: Plot {
            kind: ChartKind::Stacked,
            x: "crawl",
            series: Series::Wide(&[
                ("share_without_file", "no file"),
                ("share_not_robots", "not robots.txt"),
                ("share_without_rules", "no rules"),
                ("share_disallowing_nothing", "rules that disallow nothing"),
                ("share_disallowing", "rules that disallow something"),
            ]),
            axis: "share of sites",
            ..PLOT
        },
        columns: &[
            "crawl",
            "sites_counted",
            "sites_without_file",
            "sites_not_robots",
            "sites_without_rules",
            "sites_disallowing_nothing",
            "sites_disallowing",
            "share_without_file",
            "share_not_robots",
            "share_without_rules",
            "share_disallowing_nothing",
            "share_disallowing",
        ],
        definition: "Share of sites by whether their rules disallow at least one path for at least one crawler. No file: status 4xx. Not robots.txt: the server sent something else.",
        zero: "No site answered",
        ..FIGURE
    },
    FigureSpec {
        id: "templates",
        question: "templates",
        title: "Files with a known template",
        plot: Plot {
            kind: ChartKind::Bars,
            x: "template",
            series: Series::One("share"),
            most: 15,
            only: ("level", &["template"]),
            ..PLOT
        },
        columns: &["level", "template", "family", "sites", "sites_counted", "share", "contents", "rulesets"],
        definition: "Share of sites whose file has the signature of a content management system, a hosting company or a managed block. Owners may have added rules of their own.",
        zero: "No file has a known template",
        ..FIGURE
    },
];
