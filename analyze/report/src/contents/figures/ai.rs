//! Rules for AI agents, and preference signals.

use super::{FIGURE, PLOT};
use crate::contents::{ChartKind, CrawlScope, FigureSpec, Plot, Series};

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
                ("share", "any, including sites that shut out everyone"),
            ]),
            ..PLOT
        },
        columns: &[
            "crawl",
            "agents",
            "sites_by_name",
            "sites_many_by_name",
            "sites",
            "sites_all",
            "sites_counted",
            "share_by_name",
            "share_many_by_name",
            "share",
            "share_all",
            "mean_agents_by_name",
        ],
        definition: "Share of sites that block at least one AI agent, or five. By name: the file names the agent. The third share includes sites that shut out everyone. An agent counts from the first crawl on in which a site names it.",
        zero: "No site blocks an AI agent",
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
                ("share", "any, including sites that shut out everyone"),
            ]),
            ..PLOT
        },
        definition: "Share of sites that block at least one AI agent of the purpose, or all of them. An agent with several purposes counts for each. Only agents count that a site of this crawl or an earlier one names.",
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
        definition: "Share of sites that block the agent by name, from the first crawl on in which a site names it. Each purpose has a panel with the agents that most sites block by name. All panels have one scale.",
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
                ("share", "any, including sites that shut out everyone"),
            ]),
            ..PLOT
        },
        definition: "Share of sites that block at least one AI agent of the operator. Only agents count that a site of this crawl or an earlier one names.",
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
                ("quantile_25", "a quarter of sites, at most"),
                ("median", "half of sites, at most"),
                ("quantile_75", "three quarters, at most"),
                ("quantile_90", "nine tenths, at most"),
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
            "sites_all_majors",
            "share_all_majors",
        ],
        definition: "Of the sites that name an AI agent, how many they name: the number that a quarter, half, three quarters and nine tenths of them do not exceed. A named agent need not be blocked. Many files are copies of one list. The table also counts the sites that name all of the major agents.",
        zero: "No site names an AI agent",
        ..FIGURE
    },
    FigureSpec {
        id: "train_no_search_yes",
        question: "train_no_search_yes",
        title: "Training blocked, search and users allowed",
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
                ("share_by_name_search_allowed", "search crawlers allowed"),
                ("share_by_name_fetching_allowed", "fetches for users allowed"),
            ]),
            axis: "share of sites that block training by name",
            notes: &[("training", "training"), ("search", "search"), ("fetching", "users")],
            ..PLOT
        },
        definition: "Of the sites that block an agent of the operator for training by name, the share that allow all its search crawlers, and the share that allow all agents that fetch for a user. The agents stand below each row. The table has the same shares including sites that shut out everyone.",
        zero: "No site that blocks training allows search or fetches for users",
        ..FIGURE
    },
    FigureSpec {
        id: "ai_agent_pairs",
        question: "ai_agent_pairs",
        title: "Training agents against other agents of their operator",
        plot: Plot {
            kind: ChartKind::Dots,
            x: "training_agent other_agent",
            series: Series::Wide(&[
                ("share_training_only", "only the agent for training blocked"),
                ("share_other_only", "only the other agent blocked"),
                ("share_both", "both blocked"),
            ]),
            ..PLOT
        },
        columns: &[
            "operator",
            "training_agent",
            "other_agent",
            "other_purpose",
            "sites_training_only",
            "sites_other_only",
            "sites_both",
            "sites_both_named",
            "sites_counted",
            "share_training_only",
            "share_other_only",
            "share_both",
        ],
        definition: "Pairs of agents of one operator: one for training, and one that searches or fetches for a user. Shares of sites that block one of them, or both, including sites that shut out everyone. Only agents count that a site of this crawl names.",
        zero: "No site blocks an agent of a pair",
        ..FIGURE
    },
    FigureSpec {
        id: "stale_tokens",
        question: "stale_tokens",
        title: "Retired agents blocked, their successors not",
        counted: ("sites_blocked_by_name", "sites that block the retired agent by name"),
        plot: Plot {
            kind: ChartKind::Bars,
            x: "agent successor",
            series: Series::One("share_of_blocked_by_name"),
            axis: "share of sites that block it by name",
            ..PLOT
        },
        definition: "Of the sites that block the retired agent by name, the share that do not block its successor.",
        zero: "No site that blocks a retired agent allows its successor",
        ..FIGURE
    },
];

pub(super) const SIGNALS: &[FigureSpec] = &[
    FigureSpec {
        id: "signal_adoption",
        question: "signal_adoption",
        title: "Preference signals in use",
        plot: Plot { kind: ChartKind::Bars, x: "signal", series: Series::One("share"), ..PLOT },
        columns: &["crawl", "signal", "sites", "sites_counted", "share"],
        definition: "Share of sites whose file has at least one record of the kind, whatever it says.",
        zero: "No site uses Content-Signal or another preference signal",
        ..FIGURE
    },
    FigureSpec {
        id: "signal_values",
        question: "signal_values",
        title: "What content signals say",
        plot: Plot {
            kind: ChartKind::Bars,
            x: "said signal",
            series: Series::One("share"),
            panel: "what",
            axis: "share of sites that have the record",
            ..PLOT
        },
        columns: &["crawl", "signal", "what", "said", "sites", "sites_counted", "share"],
        counted: ("sites_counted", "sites that have the record"),
        definition: "Of the sites that have the record, the share that state the preference (value), or exactly this set of preferences (combination).",
        zero: "No site has a Content-Signal or Content-Usage record",
        ..FIGURE
    },
    FigureSpec {
        id: "signal_conflicts",
        question: "signal_conflicts",
        title: "Content signals that the rules contradict",
        plot: Plot {
            kind: ChartKind::Bars,
            x: "preferred_use conflict",
            series: Series::One("share"),
            axis: "share of sites that state a preference on the use",
            ..PLOT
        },
        counted: ("sites_counted", "sites that state a preference on the use"),
        definition: "Of the sites that state a preference on the use, the share whose rules contradict it. Yes and refused: an agent for that use only is named and blocked. No and let in: such an agent is named and allowed. Yes where all is refused: the agents of the group with the signal are blocked. Yes and no: a group says both.",
        zero: "No site contradicts its own preference",
        ..FIGURE
    },
];
