//! Rules for AI agents, and preference signals.

use super::defaults::{FIGURE, PLOT};
use crate::contents::figure_spec::{ChartKind, CrawlScope, FigureSpec, Plot, Series};

pub(super) const AI: &[FigureSpec] = &[
    FigureSpec {
        id: "ai_overview",
        question: "ai_overview",
        title: "Sites that block AI agents",
        crawls: CrawlScope::All,
        plot: Plot {
            kind: ChartKind::Lines,
            x: "crawl",
            series: Series::Wide(&[
                ("share_by_name", "any, by name"),
                ("share_many_by_name", "five or more, by name"),
                ("share", "any, by name or by the wildcard group"),
            ]),
            ..PLOT
        },
        columns: &[
            "crawl",
            "agents",
            "sites_by_name",
            "sites_many_by_name",
            "sites",
            "sites_counted",
            "share_by_name",
            "share_many_by_name",
            "share",
            "mean_agents_by_name",
        ],
        definition: "Share of sites that block at least one AI agent, or at least five. By name: a group names the agent and allows it no path. By the wildcard group: no group names it, and the rules for all other crawlers (*) allow no path. An agent counts from the first crawl on in which a site names it.",
        zero: "No site blocks an AI agent by name",
        ..FIGURE
    },
    FigureSpec {
        id: "ai_by_purpose",
        question: "ai_by_purpose",
        title: "AI agents blocked, by purpose",
        columns: &[
            "purpose",
            "agents",
            "sites_by_name",
            "sites_all_by_name",
            "sites",
            "sites_counted",
            "share_by_name",
            "share_all_by_name",
            "share",
        ],
        plot: Plot {
            kind: ChartKind::Dots,
            x: "purpose",
            series: Series::Wide(&[
                ("share_by_name", "any agent, by name"),
                ("share_all_by_name", "all agents, by name"),
                ("share", "any, by name or by the wildcard group"),
            ]),
            ..PLOT
        },
        definition: "Share of sites that block at least one AI agent of the purpose, or all of them. By name: a group names the agent and allows it no path. An agent with several purposes counts for each. Only agents that a site of this crawl or of an earlier one names count.",
        zero: "No site blocks an AI agent",
        ..FIGURE
    },
    FigureSpec {
        id: "ai_agents_by_purpose",
        question: "ai_agents_by_purpose",
        title: "AI agents blocked by name, by agent",
        crawls: CrawlScope::All,
        plot: Plot {
            kind: ChartKind::Lines,
            x: "crawl",
            series: Series::By("agent", "share_by_name"),
            panel: "purpose",
            ..PLOT
        },
        columns: &[
            "crawl",
            "purpose",
            "place",
            "agent",
            "sites_by_name",
            "sites",
            "sites_counted",
            "share_by_name",
            "share",
        ],
        definition: "Share of sites that block the agent by name, from the first crawl on in which a site names it. Each purpose has a panel with the agents that the most sites block by name. All panels have the same scale.",
        rows: 60,
        zero: "No site blocks an AI agent by name",
        ..FIGURE
    },
    FigureSpec {
        id: "ai_by_operator",
        question: "ai_by_operator",
        title: "AI agents blocked, by operator",
        columns: &[
            "operator",
            "agents",
            "sites_by_name",
            "sites",
            "sites_all",
            "sites_counted",
            "share_by_name",
            "share",
            "share_all",
        ],
        plot: Plot {
            kind: ChartKind::Dots,
            x: "operator",
            series: Series::Wide(&[
                ("share_by_name", "any agent, by name"),
                ("share", "any, by name or by the wildcard group"),
            ]),
            ..PLOT
        },
        definition: "Share of sites that block at least one AI agent of the operator. By name: a group names the agent and allows it no path. Only agents that a site of this crawl or of an earlier one names count.",
        zero: "No site blocks an AI agent",
        ..FIGURE
    },
    FigureSpec {
        id: "ai_agents_named",
        question: "ai_agents_named",
        title: "How many AI agents a site names",
        crawls: CrawlScope::All,
        counted: ("sites", "sites that name an AI agent"),
        plot: Plot {
            kind: ChartKind::Dots,
            x: "crawl",
            series: Series::Wide(&[
                ("quantile_25", "a quarter of sites name at most"),
                ("median", "half of sites name at most"),
                ("quantile_75", "three quarters name at most"),
                ("quantile_90", "nine tenths name at most"),
            ]),
            axis: "AI agents that a site names",
            ..PLOT
        },
        columns: &[
            "crawl",
            "sites",
            "sites_counted",
            "share",
            "mean_agents_if_any",
            "quantile_25",
            "median",
            "quantile_75",
            "quantile_90",
            "quantile_99",
            "most",
            "majors",
            "sites_all_majors",
            "share_all_majors",
        ],
        definition: "How many AI agents a site names, among the sites that name at least one. A mark is the number that a quarter, half, three quarters or nine tenths of these sites do not exceed. A named agent need not be blocked. Many files are copies of one list. The table also counts the sites that name all major agents, which the SQL lists.",
        zero: "No site names an AI agent",
        ..FIGURE
    },
    FigureSpec {
        id: "train_no_search_yes",
        question: "train_no_search_yes",
        title: "AI training blocked, search and fetching for users not blocked",
        columns: &[
            "operator",
            "training",
            "search",
            "fetching",
            "sites_by_name",
            "sites_by_name_search_allowed",
            "sites_by_name_fetching_allowed",
            "sites",
            "sites_search_allowed",
            "sites_fetching_allowed",
            "share_by_name_search_allowed",
            "share_by_name_fetching_allowed",
            "share_search_allowed",
            "share_fetching_allowed",
        ],
        counted: ("sites_by_name", "sites that block an agent for training by name"),
        plot: Plot {
            kind: ChartKind::Dots,
            x: "operator",
            series: Series::Wide(&[
                ("share_by_name_search_allowed", "blocks no search crawler"),
                ("share_by_name_fetching_allowed", "blocks no agent that fetches for a user"),
            ]),
            axis: "share of sites that block training by name",
            notes: &[("training", "training"), ("search", "search"), ("fetching", "users")],
            ..PLOT
        },
        definition: "Of the sites that block an agent of the operator for training by name, the share that block none of its search crawlers, and the share that block none of its agents that fetch for a user. The agents are listed below each row: those that a site of the crawl names. An operator without such agents has no share. For all operators, no such agent of any listed operator is blocked. The table also has these shares for sites that block training by name or by the wildcard group.",
        zero: "No site that blocks training by name leaves all search crawlers or all fetching for users unblocked",
        empty: "Sites name no agent for training together with another agent of its operator for search or fetching",
        ..FIGURE
    },
    FigureSpec {
        id: "ai_agent_pairs",
        question: "ai_agent_pairs",
        title: "Training agents compared with other agents of their operator",
        plot: Plot {
            kind: ChartKind::Dots,
            x: "training_agent other_agent",
            series: Series::Wide(&[
                ("share_training_only_by_name", "only the agent for training blocked, by name"),
                ("share_other_only_by_name", "only the other agent blocked, by name"),
                ("share_both_by_name", "both blocked by name"),
            ]),
            ..PLOT
        },
        columns: &[
            "operator",
            "training_agent",
            "other_agent",
            "other_purpose",
            "sites_training_only_by_name",
            "sites_other_only_by_name",
            "sites_both_by_name",
            "sites_training_only",
            "sites_other_only",
            "sites_both",
            "sites_both_named",
            "sites_counted",
            "share_training_only_by_name",
            "share_other_only_by_name",
            "share_both_by_name",
            "share_training_only",
            "share_other_only",
            "share_both",
        ],
        definition: "Share of sites that block one or both agents of a pair by name. A pair is two agents of one operator: one for training, and one that searches or fetches for a user. Only agents that a site of this crawl names count. The table also has the shares by name or by the wildcard group.",
        zero: "No site blocks an agent of a pair by name",
        empty: "No site names both agents of a pair",
        ..FIGURE
    },
    FigureSpec {
        id: "stale_tokens",
        question: "stale_tokens",
        title: "Retired agents blocked, but not their successors",
        counted: ("sites_blocked_by_name", "sites that block the retired agent by name"),
        plot: Plot {
            kind: ChartKind::Bars,
            x: "agent successor",
            series: Series::One("share_of_blocked_by_name"),
            axis: "share of sites that block the retired agent by name",
            ..PLOT
        },
        columns: &[
            "agent",
            "valid_to",
            "successor",
            "sites",
            "sites_blocked_by_fallback",
            "sites_blocked_by_name",
            "share_of_blocked_by_name",
        ],
        definition: "Of the sites that block the retired agent by name, the share that do not block its successor.",
        zero: "No site that blocks a retired agent by name leaves its successor unblocked",
        ..FIGURE
    },
];

pub(super) const SIGNALS: &[FigureSpec] = &[
    FigureSpec {
        id: "signal_adoption",
        question: "signal_adoption",
        title: "Records on the use of content",
        plot: Plot { kind: ChartKind::Bars, x: "record", series: Series::One("share"), ..PLOT },
        columns: &["record", "sites", "sites_counted", "share"],
        definition: "Share of sites whose file has at least one record of the kind, whatever it says. Other figures call only Content-Signal and Content-Usage records signals.",
        zero: "No site has Content-Signal or another record on the use of its content",
        ..FIGURE
    },
    FigureSpec {
        id: "signal_values",
        question: "signal_values",
        title: "Preferences in Content-Signal and Content-Usage",
        plot: Plot {
            kind: ChartKind::Bars,
            x: "preferences signal",
            series: Series::One("share"),
            panel: "what",
            axis: "share of sites that have the record",
            ..PLOT
        },
        columns: &["signal", "what", "preferences", "sites", "sites_counted", "share"],
        counted: ("sites_counted", "sites that have the record"),
        definition: "Of the sites that have the record, the share that state the preference (each preference), and the share that state exactly this set (exact set of preferences).",
        zero: "No site has a Content-Signal or Content-Usage record",
        ..FIGURE
    },
    FigureSpec {
        id: "signal_conflicts",
        question: "signal_conflicts",
        title: "Preferences that the rules contradict",
        plot: Plot {
            kind: ChartKind::Bars,
            x: "preferred_use conflict",
            series: Series::One("share"),
            axis: "share of sites that state a preference on the use",
            ..PLOT
        },
        counted: ("sites_counted", "sites that state a preference on the use"),
        columns: &["preferred_use", "conflict", "sites", "sites_counted", "share"],
        definition: "Of the sites that state a preference on the use, the share whose rules contradict it. Yes, and an agent for it blocked by name: an agent for that use only is named and blocked. No, and an agent for it allowed by name: such an agent is named and may fetch every path. Yes, and the group blocked: an agent of the group with the signal is blocked. Yes and no: a group says both.",
        zero: "No site has rules that contradict its preference",
        empty: "No site states a preference on the use of its content",
        ..FIGURE
    },
];
