//! What files say to AI agents, by rules and by preferences.

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
                ("share", "any, by name or by the star"),
                ("share_by_name", "any, by name"),
                ("share_many", "five or more"),
                ("share_all", "all that are tracked"),
            ]),
            ..PLOT
        },
        definition: "Share of sites that block at least one AI agent that is tracked, five or more of them, or all.",
        ..FIGURE
    },
    FigureSpec {
        id: "ai_by_purpose",
        question: "ai_by_purpose",
        title: "AI agents blocked, by purpose",
        columns: &[
            "purpose",
            "agents",
            "sites",
            "sites_by_name",
            "sites_all",
            "sites_counted",
            "share",
            "share_by_name",
            "share_all",
        ],
        plot: Plot {
            kind: ChartKind::Dots,
            x: "purpose",
            series: Series::Wide(&[
                ("share", "any agent, by name or by the star"),
                ("share_by_name", "any agent, by name"),
                ("share_all", "all agents"),
            ]),
            ..PLOT
        },
        definition: "Share of sites that block an agent of the purpose. An agent with several purposes counts for each.",
        ..FIGURE
    },
    FigureSpec {
        id: "ai_agents_by_purpose",
        question: "ai_agents_by_purpose",
        title: "AI agents blocked by name, one by one",
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
            "sites",
            "sites_by_name",
            "sites_counted",
            "share",
            "share_by_name",
        ],
        definition: "Share of sites that block the agent by name; a panel for each purpose, with its agents that are blocked most, all on one scale.",
        rows: 60,
        ..FIGURE
    },
    FigureSpec {
        id: "ai_by_operator",
        question: "ai_by_operator",
        title: "AI agents blocked, by operator",
        columns: &[
            "operator",
            "agents",
            "sites",
            "sites_by_name",
            "sites_all",
            "sites_counted",
            "share",
            "share_by_name",
            "share_all",
        ],
        plot: Plot {
            kind: ChartKind::Dots,
            x: "operator",
            series: Series::Wide(&[
                ("share", "any agent, by name or by the star"),
                ("share_by_name", "any agent, by name"),
            ]),
            ..PLOT
        },
        definition: "Share of sites that block an AI agent of the operator.",
        ..FIGURE
    },
    FigureSpec {
        id: "train_no_search_yes",
        question: "train_no_search_yes",
        title: "Training blocked, search and people let in",
        columns: &[
            "operator",
            "agents_training",
            "agents_serving",
            "sites",
            "sites_by_name",
            "sites_some_let_in",
            "sites_none_let_in",
            "sites_the_other_way",
            "sites_training_blocked",
            "share_of_training_blocked",
        ],
        counted: ("sites_training_blocked", "sites that block the operator's agents for training"),
        plot: Plot {
            kind: ChartKind::Bars,
            x: "operator",
            series: Series::One("share_of_training_blocked"),
            axis: "share of sites that block training",
            ..PLOT
        },
        definition: "Of the sites that block the operator's agents for training, the share that lets in all its agents for search and people; * is all operators together.",
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
        definition: "Of the sites that block the retired agent by name, the share that lets in the one that took its place.",
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
        definition: "Share of sites whose file has at least one record of the kind.",
        ..FIGURE
    },
    FigureSpec {
        id: "signal_values",
        question: "signal_values",
        title: "What content signals say",
        plot: Plot { kind: ChartKind::Bars, x: "signal what said", series: Series::One("share"), ..PLOT },
        columns: &["crawl", "signal", "what", "said", "sites", "sites_counted", "share"],
        definition: "Preferences, and the whole set of them, as they are written.",
        ..FIGURE
    },
    FigureSpec {
        id: "signal_conflicts",
        question: "signal_conflicts",
        title: "Signals that the rules contradict",
        plot: Plot { kind: ChartKind::Bars, x: "preferred_use conflict", series: Series::One("share"), ..PLOT },
        definition: "Sites that signal one thing and whose rules say another.",
        ..FIGURE
    },
];
