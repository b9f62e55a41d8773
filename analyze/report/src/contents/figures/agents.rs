//! Agents that files name and block.

use super::{FIGURE, PLOT};
use crate::contents::{ChartKind, CrawlScope, FigureSpec, Plot, Series};

pub(super) const AGENTS: &[FigureSpec] = &[
    FigureSpec {
        id: "top_agents",
        question: "top_agents",
        title: "Most named agents",
        set: &[("top", "50")],
        plot: Plot { kind: ChartKind::Bars, x: "name", series: Series::One("share"), most: 25, ..PLOT },
        columns: &["place", "name", "sites", "sites_counted", "share", "bodies", "lines"],
        rows: 50,
        definition: "Share of sites whose file has a group for the agent. Case, versions and a trailing * in the name do not count.",
        ..FIGURE
    },
    FigureSpec {
        id: "blocked_by_agent",
        question: "blocked_by_agent",
        title: "Most blocked agents",
        set: &[("top", "30")],
        plot: Plot {
            kind: ChartKind::Stacked,
            x: "agent",
            series: Series::Wide(&[
                ("share_by_name", "blocked by name"),
                ("share_not_by_name", "blocked by the wildcard group"),
                ("share_part", "partly blocked"),
                ("share_all", "allowed"),
            ]),
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
        definition: "Share of sites by what their rules allow the agent, those that most sites block by name first. By name: a group names the agent. By the wildcard group: no group names it, and the rules for all other crawlers (*) shut out everyone.",
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
        definition: "exact: the rules allow no path. d1: the file names the agent. d2: it names the agent and has rules for it. d3: it names the agent and has Disallow: / for it. d4: the rules are Disallow: / and nothing else. d5: the rules have Disallow: / and no Allow. d6: the only rule is a Disallow that blocks every path. d7: the file names the agent and allows it no path. d8: the path / is not allowed. d9: exact for any site of the domain.",
        ..FIGURE
    },
    FigureSpec {
        id: "agent_bias",
        question: "agent_bias",
        title: "Agents favoured and penalised",
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
        definition: "The number of sites that block the agent, divided by the number that block *, which stands for all crawlers that a file does not name. Each step of the scale doubles the ratio; at 1 both numbers are equal.",
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
                ("share_named_by_owners", "without templates that name it"),
            ]),
            ..PLOT
        },
        definition: "Share of sites whose file names the agent. The second number leaves out files in which a template names it: the template of a content management system, of a hosting company or of a managed block.",
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
            axis: "share of the sites that block the agent of the row by name",
            ..PLOT
        },
        columns: &["agent", "other", "sites", "sites_agent", "sites_other", "share"],
        counted: ("sites_agent", "sites that block the agent of the row by name"),
        rows: 60,
        definition: "Of the sites that block the agent of the row by name, the share that also block the agent of the column by name. Sites that shut out everyone with the wildcard group do not count.",
        ..FIGURE
    },
    FigureSpec {
        id: "noblock_rate",
        question: "noblock_rate",
        title: "Sites that block nothing",
        crawls: CrawlScope::All,
        plot: Plot {
            kind: ChartKind::Stacked,
            x: "crawl",
            series: Series::Wide(&[
                ("sites_without_file", "no file"),
                ("sites_not_robots", "not robots.txt"),
                ("sites_without_rules", "no rules"),
                ("sites_refusing_nothing", "rules that block nothing"),
                ("sites_refusing", "rules that block something"),
            ]),
            axis: "sites",
            ..PLOT
        },
        definition: "Sites by whether their rules block any path for any crawler. No file: status 4xx. Not robots.txt: the server sent something else.",
        ..FIGURE
    },
    FigureSpec {
        id: "templates",
        question: "templates",
        title: "Files written by software",
        plot: Plot {
            kind: ChartKind::Bars,
            x: "template",
            series: Series::One("share"),
            most: 15,
            only: ("level", &["template"]),
            ..PLOT
        },
        definition: "Share of sites whose file has the signature of a content management system, a hosting company or a managed block.",
        ..FIGURE
    },
];
