//! Whom files name and block.

use super::{FIGURE, PLOT};
use crate::contents::{ChartKind, CrawlScope, FigureSpec, Plot, Series};

pub(super) const AGENTS: &[FigureSpec] = &[
    FigureSpec {
        id: "top_agents",
        question: "top_agents",
        title: "Agents named most",
        set: &[("top", "50")],
        plot: Plot { kind: ChartKind::Bars, x: "name", series: Series::One("share"), most: 25, ..PLOT },
        columns: &["place", "name", "sites", "sites_counted", "share", "bodies", "lines"],
        rows: 50,
        definition: "Share of sites whose file has a group for the agent; case, versions and stars at the end of the name aside.",
        ..FIGURE
    },
    FigureSpec {
        id: "blocked_by_agent",
        question: "blocked_by_agent",
        title: "Agents blocked most",
        set: &[("top", "30")],
        plot: Plot {
            kind: ChartKind::Stacked,
            x: "agent",
            series: Series::Wide(&[
                ("share_none", "may fetch nothing"),
                ("share_part", "may fetch a part"),
                ("share_all", "may fetch all"),
            ]),
            most: 25,
            ..PLOT
        },
        columns: &[
            "agent",
            "sites",
            "sites_counted",
            "share",
            "share_none",
            "share_part",
            "share_all",
            "sites_none",
            "sites_part",
            "sites_all",
        ],
        definition: "What each agent may fetch, by name or by the star; * stands for a crawler that no file names.",
        ..FIGURE
    },
    FigureSpec {
        id: "explicit_vs_wildcard",
        question: "explicit_vs_wildcard",
        title: "Agents blocked by name and by the star",
        set: &[("top", "30")],
        plot: Plot {
            kind: ChartKind::Stacked,
            x: "agent",
            series: Series::Wide(&[("share_by_name", "by name"), ("share_by_star", "by the star")]),
            most: 20,
            ..PLOT
        },
        columns: &[
            "agent",
            "sites_named",
            "sites",
            "sites_by_name",
            "sites_by_star",
            "sites_counted",
            "share",
            "share_by_name",
            "share_by_star",
            "share_of_blocks_by_name",
        ],
        definition: "Share of sites that block the agent: by name, where a group names it; by the star, where it falls under the group for everybody.",
        ..FIGURE
    },
    FigureSpec {
        id: "definition_sensitivity",
        question: "definition_sensitivity",
        title: "How far the share of blocking sites moves with the definition",
        set: &[("top", "20")],
        plot: Plot {
            kind: ChartKind::Heat,
            x: "agent",
            series: Series::Wide(&[
                ("exact", "exact"),
                ("d1_named", "d1"),
                ("d2_named_with_rules", "d2"),
                ("d3_named_root", "d3"),
                ("d4_only_root", "d4"),
                ("d5_root_no_allow", "d5"),
                ("d6_one_root_rule", "d6"),
                ("d7_named_none", "d7"),
                ("d8_root", "d8"),
                ("d9_any_subdomain", "d9"),
            ]),
            axis: "share of sites that block the agent",
            most: 14,
            ..PLOT
        },
        columns: &[
            "agent",
            "exact",
            "d1_named",
            "d2_named_with_rules",
            "d3_named_root",
            "d4_only_root",
            "d5_root_no_allow",
            "d6_one_root_rule",
            "d7_named_none",
            "d8_root",
            "d9_any_subdomain",
            "least",
            "greatest",
            "ratio",
        ],
        definition: "exact: no path that its rules tell apart may be fetched. d1: named; d2: named with rules; d3: named with a refusal of /; d4: only / refused; d5: / refused and nothing allowed; d6: one rule, which refuses /; d7: named, and nothing may be fetched; d8: / may not be fetched; d9: blocked at any host of the domain.",
        ..FIGURE
    },
    FigureSpec {
        id: "agent_bias",
        question: "agent_bias",
        title: "Agents favoured and penalised against the star",
        plot: Plot {
            kind: ChartKind::Ratio,
            x: "agent",
            series: Series::One("log_ratio"),
            axis: "times as many sites block it as block a crawler that no file names",
            most: 24,
            ..PLOT
        },
        columns: &[
            "agent",
            "sites",
            "sites_star",
            "sites_counted",
            "share",
            "share_star",
            "ratio",
            "log_ratio",
            "sites_favouring",
            "sites_penalising",
        ],
        rows: 100,
        definition: "The ratio of sites that block the agent to sites that block the star, on a scale where each step doubles; 1 is alike.",
        ..FIGURE
    },
    FigureSpec {
        id: "template_adjusted_agents",
        question: "template_adjusted_agents",
        title: "Agents named, with and without templates of software",
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
        definition: "Share of sites with rules whose file names the agent, and the same without files that carry a template of a content management system, host or managed block which names it.",
        ..FIGURE
    },
    FigureSpec {
        id: "agent_cooccurrence",
        question: "agent_cooccurrence",
        title: "Agents blocked together",
        plot: Plot {
            kind: ChartKind::Heat,
            x: "agent",
            series: Series::By("other", "share"),
            axis: "share of the sites that block the agent of the row",
            ..PLOT
        },
        columns: &["agent", "other", "sites", "sites_agent", "sites_other", "share"],
        counted: ("sites_agent", "sites that block the agent of the row"),
        rows: 60,
        definition: "Of the sites that block the agent of the row, the share that blocks the agent of the column as well.",
        ..FIGURE
    },
    FigureSpec {
        id: "noblock_rate",
        question: "noblock_rate",
        title: "Sites that restrict nothing",
        crawls: CrawlScope::All,
        plot: Plot {
            kind: ChartKind::Stacked,
            x: "crawl",
            series: Series::Wide(&[
                ("sites_without_file", "no file"),
                ("sites_not_robots", "no robots.txt"),
                ("sites_without_rules", "no rules"),
                ("sites_refusing_nothing", "rules that refuse nothing"),
                ("sites_refusing", "rules that refuse something"),
            ]),
            axis: "sites",
            ..PLOT
        },
        definition: "Sites by whether anything is refused to anybody.",
        ..FIGURE
    },
    FigureSpec {
        id: "templates",
        question: "templates",
        title: "Files that software writes",
        plot: Plot {
            kind: ChartKind::Bars,
            x: "template",
            series: Series::One("share"),
            most: 15,
            only: ("level", &["template"]),
            ..PLOT
        },
        definition: "Share of sites with rules whose file carries the signature of a content management system, host or managed block.",
        ..FIGURE
    },
];
