//! The sections and their figures, in the order that a reader asks.

use super::{Crawls, Figure, Kind, Plot, Section, Series};

/// A figure with nothing set.
const FIGURE: Figure = Figure {
    id: "",
    question: "",
    title: "",
    set: &[],
    crawls: Crawls::One,
    plot: PLOT,
    columns: &[],
    counted: ("sites_counted", ""),
    definition: "",
    needs: None,
    rows: 30,
};

/// A plot with nothing set.
pub(super) const PLOT: Plot = Plot {
    kind: Kind::Table,
    x: "",
    series: Series::One(""),
    panel: "",
    axis: "share of sites",
    most: 20,
    only: ("", &[]),
    not: ("", &[]),
};

const NONE: (&str, &str) = ("", "");
const READ: (&str, &str) = ("sites_counted", "sites whose file was read");

/// All sections.
pub(crate) const SECTIONS: &[Section] = &[
    Section {
        id: "read",
        title: "What was read",
        lead: "Every record of every archive is accounted for: it became a capture, or it was skipped for a reason that is counted.",
        figures: READING,
    },
    Section {
        id: "access",
        title: "Access",
        lead: "Before rules matter there has to be a robots.txt. RFC 9309 takes a 4xx answer for leave to fetch everything, and a server that cannot be reached for a refusal of everything.",
        figures: ACCESS,
    },
    Section {
        id: "ranks",
        title: "By rank",
        lead: "The same by the rank of the site in the list that was given. Ranks of different lists cannot be compared.",
        figures: RANKS,
    },
    Section {
        id: "size",
        title: "Size and the limit of 500 KiB",
        lead: "A crawler has to read at least 500 KiB (512,000 bytes) of a robots.txt, by RFC 9309, and may ignore the rest.",
        figures: SIZE,
    },
    Section {
        id: "grammar",
        title: "Grammar",
        lead: "Tier A is what breaks the grammar of RFC 9309, tier B are other records, which the standard permits, and tier C are remarks. Crawlers understand far more than the letter of the standard.",
        figures: GRAMMAR,
    },
    Section {
        id: "agents",
        title: "Agents and blocking",
        lead: "Whom files name, whom they block, and how far the answer moves with the meaning of the word.",
        figures: AGENTS,
    },
    Section {
        id: "ai",
        title: "AI agents",
        lead: "Agents that exist to train models, to feed AI search or assistants, or to act for them. Search engines are none, though some of them feed models too.",
        figures: AI,
    },
    Section {
        id: "signals",
        title: "Preference signals",
        lead: "Records by which a site says what its content may be used for, whoever fetches it.",
        figures: SIGNALS,
    },
    Section {
        id: "records",
        title: "Crawl delay, sitemaps and other records",
        lead: "What else stands in robots.txt. RFC 9309 leaves these records to the crawlers that know them.",
        figures: RECORDS,
    },
    Section {
        id: "consistency",
        title: "Consistency",
        lead: "By RFC 9309 each scheme, host and port has a robots.txt of its own. Sites seldom mean them to differ.",
        figures: CONSISTENCY,
    },
    Section {
        id: "change",
        title: "Change between crawls",
        lead: "Shares of all sites of each crawl move with the choice of hosts, too. Figures of the same sites in both crawls say so.",
        figures: CHANGE,
    },
];

const READING: &[Figure] = &[
    Figure {
        id: "what_was_read",
        question: "what_was_read",
        title: "Archives, bytes and records of each crawl",
        crawls: Crawls::All,
        counted: NONE,
        plot: PLOT,
        definition: "Records are captures and records skipped; bytes are good bytes and damaged bytes.",
        ..FIGURE
    },
    Figure {
        id: "what_was_skipped",
        question: "what_was_skipped",
        title: "What was skipped, damaged or odd, by reason",
        counted: NONE,
        plot: Plot {
            kind: Kind::Bars,
            x: "kind reason",
            series: Series::One("occurrences"),
            axis: "records, or stretches of bytes",
            ..PLOT
        },
        definition: "Skipped are records that are no captures, damaged are stretches of bytes that hold no record, and remarks are of records that were read.",
        ..FIGURE
    },
    Figure {
        id: "refetch_duplicates",
        question: "refetch_duplicates",
        title: "Captures of one site in one crawl",
        counted: ("sites_counted", "sites that were captured"),
        plot: Plot { kind: Kind::Histogram, x: "captures_of_site", series: Series::One("share"), ..PLOT },
        definition: "How many captures of its own /robots.txt a site has; of several, the latest counts in all other figures.",
        ..FIGURE
    },
];

const ACCESS: &[Figure] = &[
    Figure {
        id: "access_overview",
        question: "access_overview",
        title: "Outcomes of asking for robots.txt",
        crawls: Crawls::All,
        plot: Plot { kind: Kind::Stacked, x: "crawl", series: Series::By("outcome", "share"), ..PLOT },
        columns: &["crawl", "outcome", "sites", "sites_counted", "share", "sites_redirected"],
        definition: "The outcome of a site is that of its last answer once redirects are followed up to five times: rules; no rules, where a file has none; not robots, where something else was served; unavailable (4xx); unreachable (5xx and no answer).",
        ..FIGURE
    },
    Figure {
        id: "status_codes",
        question: "status_codes",
        title: "Statuses of the first answer",
        set: &[("answer", "first")],
        columns: &["crawl", "status", "sites", "sites_counted", "share"],
        plot: Plot { kind: Kind::Bars, x: "status", series: Series::One("share"), most: 15, ..PLOT },
        definition: "The HTTP status of the site's own answer, before redirects are followed.",
        ..FIGURE
    },
    Figure {
        id: "unresolved_redirects",
        question: "unresolved_redirects",
        title: "Where redirects of robots.txt lead",
        counted: ("sites_redirecting", "sites that redirect"),
        plot: Plot {
            kind: Kind::Bars,
            x: "redirect_end hops",
            series: Series::One("share"),
            axis: "share of sites that redirect",
            ..PLOT
        },
        definition: "The end is answered, or why there is no answer; the number is how many redirects were followed.",
        ..FIGURE
    },
    Figure {
        id: "access_by_tld_country",
        question: "access_by_tld_country",
        title: "Outcomes by top-level domain",
        set: &[("top", "12")],
        columns: &["crawl", "suffix", "is_country", "outcome", "sites", "sites_counted", "share"],
        plot: Plot {
            kind: Kind::Stacked,
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

const RANKS: &[Figure] = &[
    Figure {
        id: "access_by_rank",
        question: "access_by_rank",
        title: "Outcomes by rank",
        needs: Some("ranks"),
        columns: &["crawl", "stratum", "outcome", "sites", "sites_counted", "share"],
        counted: ("sites_counted", "sites of each stratum"),
        plot: Plot {
            kind: Kind::Stacked,
            x: "stratum",
            series: Series::By("outcome", "share"),
            axis: "share of sites of the stratum",
            ..PLOT
        },
        definition: "The outcome of asking for robots.txt, by the rank of the host or else of its domain; each site is in one stratum.",
        ..FIGURE
    },
    Figure {
        id: "agents_by_rank",
        question: "agents_by_rank",
        title: "Agents named, by rank",
        needs: Some("ranks"),
        set: &[("top", "8")],
        counted: ("sites_counted", "sites of each stratum"),
        plot: Plot {
            kind: Kind::Lines,
            x: "stratum",
            series: Series::By("agent", "share"),
            axis: "share of sites of the stratum",
            ..PLOT
        },
        definition: "Share of sites whose file has a group for the agent, whatever the group says.",
        ..FIGURE
    },
    Figure {
        id: "ai_by_rank",
        question: "ai_by_rank_tld",
        title: "AI agents blocked, by rank",
        needs: Some("ranks"),
        set: &[("by", "rank"), ("least", "1")],
        counted: ("sites_counted", "sites of each stratum"),
        plot: Plot {
            kind: Kind::Dots,
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

const SIZE: &[Figure] = &[
    Figure {
        id: "size_distribution",
        question: "size_distribution",
        title: "Sizes of robots.txt files",
        columns: &["crawl", "from_bytes", "to_bytes", "sites", "sites_counted", "share", "share_so_far"],
        plot: Plot { kind: Kind::Histogram, x: "from_bytes to_bytes", series: Series::One("share"), most: 40, ..PLOT },
        definition: "The length of the body with all encodings undone, in bytes; each bin is twice as wide as the one before.",
        rows: 40,
        ..FIGURE
    },
    Figure {
        id: "over_500kib",
        question: "over_500kib",
        title: "Files longer than 500 KiB",
        crawls: Crawls::All,
        plot: Plot { kind: Kind::Lines, x: "crawl", series: Series::By("stratum", "share"), ..PLOT },
        definition: "Share of sites whose robots.txt has more than 512,000 bytes.",
        ..FIGURE
    },
    Figure {
        id: "limit_effect",
        question: "limit_effect",
        title: "What a crawler misses that stops at 500 KiB",
        plot: Plot { kind: Kind::Bars, x: "agent", series: Series::One("share_losing_rules"), ..PLOT },
        columns: &[
            "crawl",
            "agent",
            "sites_losing_rules",
            "sites_root_opened",
            "sites_root_closed",
            "sites_all_opened",
            "sites_counted",
            "share_losing_rules",
            "share_root_changed",
        ],
        definition: "Share of sites where rules that hold for the agent lie behind the first 512,000 bytes.",
        ..FIGURE
    },
    Figure {
        id: "over_500kib_files",
        question: "over_500kib_files",
        title: "The longest files",
        counted: NONE,
        plot: PLOT,
        definition: "Distinct files by their length; sites tells how many serve the same bytes.",
        rows: 15,
        ..FIGURE
    },
    Figure {
        id: "rules_per_file",
        question: "rules_per_file",
        title: "Lines, groups and rules of a file",
        plot: PLOT,
        columns: &[
            "crawl",
            "counted",
            "sites_with_any",
            "sites_counted",
            "share_with_any",
            "mean",
            "p10",
            "p25",
            "median",
            "p75",
            "p90",
            "p99",
            "most",
        ],
        definition: "Quantiles over sites: of a tenth of the sites the file has p10 or fewer, of half the median or fewer.",
        ..FIGURE
    },
    Figure {
        id: "ruleset_length",
        question: "ruleset_length_histogram",
        title: "Rules for the star",
        counted: ("rulesets_counted", "sets of rules"),
        plot: Plot {
            kind: Kind::Histogram,
            x: "from_rules to_rules",
            series: Series::One("share"),
            axis: "share of sets of rules",
            most: 40,
            only: ("named", &["star"]),
            ..PLOT
        },
        definition: "How many rules hold for a crawler that a file does not name, over sites; the table has those for named agents as well.",
        ..FIGURE
    },
];

const GRAMMAR: &[Figure] = &[
    Figure {
        id: "violation_tiers",
        question: "violation_overview",
        title: "Files that depart from the grammar, by tier",
        counted: READ,
        plot: Plot {
            kind: Kind::Bars,
            x: "tier code",
            series: Series::One("share"),
            only: ("code", &["any", "conforms"]),
            ..PLOT
        },
        columns: &[
            "crawl",
            "tier",
            "code",
            "severity",
            "sites",
            "sites_counted",
            "share",
            "bodies",
            "bodies_counted",
            "share_of_bodies",
            "occurrences",
        ],
        definition: "Share of sites whose file has any departure of the tier; conforms is what can be derived from the ABNF to the letter, which no file with a Sitemap line can.",
        rows: 100,
        ..FIGURE
    },
    Figure {
        id: "violation_codes",
        question: "violation_overview",
        title: "The commonest departures",
        counted: READ,
        plot: Plot {
            kind: Kind::Bars,
            x: "tier code",
            series: Series::One("share"),
            only: ("tier", &["A", "C"]),
            not: ("code", &["any"]),
            most: 60,
            ..PLOT
        },
        columns: &["crawl", "tier", "code", "severity", "sites", "sites_counted", "share", "bodies", "occurrences"],
        definition: "Share of sites whose file departs in this way at least once, tiers A and C; docs/violations.md tells each.",
        rows: 100,
        ..FIGURE
    },
    Figure {
        id: "violation_examples",
        question: "violation_examples",
        title: "What departures look like",
        counted: NONE,
        plot: PLOT,
        columns: &["code", "tier", "sites", "bodies", "line_no", "example"],
        definition: "One example of each departure, of the first file that has it; what acts on a screen is shown as an escape.",
        ..FIGURE
    },
    Figure {
        id: "key_typos",
        question: "key_typos",
        title: "Misspelt keys",
        counted: READ,
        plot: Plot { kind: Kind::Bars, x: "spelling", series: Series::One("share"), most: 12, ..PLOT },
        definition: "Keys that are taken for a misspelling of a known key, as they are written.",
        ..FIGURE
    },
    Figure {
        id: "dialect_disagreement",
        question: "dialect_disagreement",
        title: "Where the readings of the standard disagree",
        plot: Plot {
            kind: Kind::Bars,
            x: "dialect",
            series: Series::One("share"),
            axis: "share of sites that refuse the root",
            ..PLOT
        },
        definition: "Share of sites that refuse / to a crawler that no file names, by each reading of the file.",
        ..FIGURE
    },
];

const AGENTS: &[Figure] = &[
    Figure {
        id: "top_agents",
        question: "top_agents",
        title: "Agents named most",
        set: &[("top", "50")],
        plot: Plot { kind: Kind::Bars, x: "name", series: Series::One("share"), most: 25, ..PLOT },
        columns: &["place", "name", "sites", "sites_counted", "share", "bodies", "lines"],
        rows: 50,
        definition: "Share of sites whose file has a group for the agent; case, versions and stars at the end of the name aside.",
        ..FIGURE
    },
    Figure {
        id: "blocked_by_agent",
        question: "blocked_by_agent",
        title: "Agents blocked most",
        set: &[("top", "30")],
        plot: Plot {
            kind: Kind::Stacked,
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
    Figure {
        id: "explicit_vs_wildcard",
        question: "explicit_vs_wildcard",
        title: "Agents blocked by name and by the star",
        set: &[("top", "30")],
        plot: Plot {
            kind: Kind::Stacked,
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
    Figure {
        id: "definition_sensitivity",
        question: "definition_sensitivity",
        title: "How far the share of blocking sites moves with the definition",
        set: &[("top", "20")],
        plot: Plot {
            kind: Kind::Heat,
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
    Figure {
        id: "agent_bias",
        question: "agent_bias",
        title: "Agents favoured and penalised against the star",
        plot: Plot {
            kind: Kind::Ratio,
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
    Figure {
        id: "template_adjusted_agents",
        question: "template_adjusted_agents",
        title: "Agents named, with and without templates of software",
        set: &[("top", "25")],
        plot: Plot {
            kind: Kind::Dots,
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
    Figure {
        id: "agent_cooccurrence",
        question: "agent_cooccurrence",
        title: "Agents blocked together",
        plot: Plot {
            kind: Kind::Heat,
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
    Figure {
        id: "noblock_rate",
        question: "noblock_rate",
        title: "Sites that restrict nothing",
        crawls: Crawls::All,
        plot: Plot {
            kind: Kind::Stacked,
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
    Figure {
        id: "templates",
        question: "templates",
        title: "Files that software writes",
        plot: Plot {
            kind: Kind::Bars,
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

const AI: &[Figure] = &[
    Figure {
        id: "ai_overview",
        question: "ai_overview",
        title: "Sites that block AI agents",
        crawls: Crawls::All,
        plot: Plot {
            kind: Kind::Lines,
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
    Figure {
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
            kind: Kind::Dots,
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
    Figure {
        id: "ai_agents_by_purpose",
        question: "ai_agents_by_purpose",
        title: "AI agents blocked by name, one by one",
        crawls: Crawls::All,
        plot: Plot {
            kind: Kind::Lines,
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
    Figure {
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
            kind: Kind::Dots,
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
    Figure {
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
            kind: Kind::Bars,
            x: "operator",
            series: Series::One("share_of_training_blocked"),
            axis: "share of sites that block training",
            ..PLOT
        },
        definition: "Of the sites that block the operator's agents for training, the share that lets in all its agents for search and people; * is all operators together.",
        ..FIGURE
    },
    Figure {
        id: "stale_tokens",
        question: "stale_tokens",
        title: "Retired agents blocked, their successors not",
        counted: ("sites_blocked_by_name", "sites that block the retired agent by name"),
        plot: Plot {
            kind: Kind::Bars,
            x: "agent successor",
            series: Series::One("share_of_blocked_by_name"),
            axis: "share of sites that block it by name",
            ..PLOT
        },
        definition: "Of the sites that block the retired agent by name, the share that lets in the one that took its place.",
        ..FIGURE
    },
];

const SIGNALS: &[Figure] = &[
    Figure {
        id: "signal_adoption",
        question: "signal_adoption",
        title: "Preference signals in use",
        plot: Plot { kind: Kind::Bars, x: "signal", series: Series::One("share"), ..PLOT },
        columns: &["crawl", "signal", "sites", "sites_counted", "share"],
        definition: "Share of sites whose file has at least one record of the kind.",
        ..FIGURE
    },
    Figure {
        id: "signal_values",
        question: "signal_values",
        title: "What content signals say",
        plot: Plot { kind: Kind::Bars, x: "signal what said", series: Series::One("share"), ..PLOT },
        columns: &["crawl", "signal", "what", "said", "sites", "sites_counted", "share"],
        definition: "Preferences, and the whole set of them, as they are written.",
        ..FIGURE
    },
    Figure {
        id: "signal_conflicts",
        question: "signal_conflicts",
        title: "Signals that the rules contradict",
        plot: Plot { kind: Kind::Bars, x: "preferred_use conflict", series: Series::One("share"), ..PLOT },
        definition: "Sites that signal one thing and whose rules say another.",
        ..FIGURE
    },
];

const RECORDS: &[Figure] = &[
    Figure {
        id: "other_records",
        question: "other_records",
        title: "Known records besides rules",
        counted: READ,
        plot: Plot { kind: Kind::Bars, x: "code", series: Series::One("share"), ..PLOT },
        definition: "Share of sites whose file has the record at least once.",
        ..FIGURE
    },
    Figure {
        id: "crawl_delay",
        question: "crawl_delay",
        title: "Crawl delays, by the agent they are for",
        set: &[("top", "20")],
        counted: READ,
        plot: Plot { kind: Kind::Bars, x: "agent", series: Series::One("share"), most: 15, ..PLOT },
        definition: "Share of sites whose file asks the agent for a delay between two requests.",
        ..FIGURE
    },
    Figure {
        id: "crawl_delay_values",
        question: "crawl_delay_values",
        title: "Crawl delays, by length",
        set: &[("top", "20")],
        counted: READ,
        plot: Plot { kind: Kind::Bars, x: "value", series: Series::One("share"), most: 12, ..PLOT },
        definition: "The delays as they are written, in seconds where they are numbers; those of most sites first.",
        ..FIGURE
    },
    Figure {
        id: "sitemaps",
        question: "sitemaps",
        title: "Sitemaps",
        counted: READ,
        plot: Plot { kind: Kind::Bars, x: "fact", series: Series::One("share"), ..PLOT },
        definition: "Share of sites for whose sitemap lines the fact holds; some: at least one, many: more than fifty.",
        ..FIGURE
    },
    Figure {
        id: "sitemap_hosts",
        question: "sitemap_hosts",
        title: "Where sitemaps lie",
        counted: ("sites_counted", "sites with sitemaps"),
        plot: Plot { kind: Kind::Bars, x: "relation", series: Series::One("share"), ..PLOT },
        definition: "How the host of a sitemap is related to that of the site.",
        ..FIGURE
    },
];

const CONSISTENCY: &[Figure] = &[
    Figure {
        id: "http_vs_https",
        question: "http_vs_https",
        title: "Rules over http and over https",
        counted: ("hosts_counted", "hosts that were captured over both"),
        plot: Plot {
            kind: Kind::Bars,
            x: "difference http_access https_access",
            series: Series::One("share"),
            axis: "share of hosts captured over both",
            ..PLOT
        },
        definition: "What a crawler that no file names may fetch, over http and over https: all, part or none.",
        ..FIGURE
    },
    Figure {
        id: "www_vs_apex",
        question: "www_vs_apex",
        title: "Rules with www. and without",
        counted: ("pairs_counted", "domains of which both were captured"),
        plot: Plot {
            kind: Kind::Bars,
            x: "difference apex_access www_access",
            series: Series::One("share"),
            axis: "share of domains captured with both",
            ..PLOT
        },
        definition: "What a crawler that no file names may fetch, without www. and with it: all, part or none.",
        ..FIGURE
    },
    Figure {
        id: "status_vs_rules",
        question: "status_vs_rules",
        title: "Hosts that refuse here and answer there",
        counted: ("hosts_refusing", "hosts that refuse in this way"),
        plot: Plot {
            kind: Kind::Bars,
            x: "refusal",
            series: Series::One("share"),
            axis: "share of hosts that refuse in this way",
            ..PLOT
        },
        definition: "Of the hosts that refuse the request for robots.txt somewhere, the share that answers it with 200 elsewhere in the same crawl.",
        ..FIGURE
    },
];

const CHANGE: &[Figure] = &[
    Figure {
        id: "forbidden_trend",
        question: "forbidden_trend",
        title: "Refusals of robots.txt",
        crawls: Crawls::Several,
        plot: Plot { kind: Kind::Lines, x: "crawl", series: Series::By("refusal", "share"), ..PLOT },
        definition: "Share of sites that answer the request for robots.txt with the status.",
        ..FIGURE
    },
    Figure {
        id: "agent_adoption_curve",
        question: "agent_adoption_curve",
        title: "When agents came to be named",
        crawls: Crawls::Several,
        set: &[("top", "8"), ("only", "ai")],
        plot: Plot { kind: Kind::Lines, x: "crawl", series: Series::By("agent", "share"), ..PLOT },
        columns: &["crawl", "agent", "first_crawl", "sites", "sites_counted", "share", "share_gained"],
        definition: "Share of sites whose file names the AI agent, crawl by crawl. To be named is not to be blocked.",
        rows: 60,
        ..FIGURE
    },
    Figure {
        id: "ai_purpose_trend",
        question: "ai_by_purpose",
        title: "AI agents blocked by name, by purpose and crawl",
        crawls: Crawls::Several,
        plot: Plot { kind: Kind::Lines, x: "crawl", series: Series::By("purpose", "share_by_name"), ..PLOT },
        columns: &["crawl", "purpose", "agents", "sites", "sites_by_name", "sites_counted", "share", "share_by_name"],
        definition: "Share of sites that block at least one agent of the purpose by name.",
        ..FIGURE
    },
    Figure {
        id: "policy_flips",
        question: "policy_flips",
        title: "Agents that sites began or ceased to block",
        crawls: Crawls::Several,
        counted: ("sites_counted", "sites that are in both crawls and whose answer is known in both"),
        plot: Plot {
            kind: Kind::Dots,
            x: "agent",
            series: Series::Wide(&[("share_newly_blocked", "newly blocked"), ("share_freed", "freed")]),
            ..PLOT
        },
        definition: "Of the sites that are in the last two crawls, the shares that began and that ceased to block the agent.",
        ..FIGURE
    },
    Figure {
        id: "panel_change",
        question: "panel_change",
        title: "What became of sites between the last two crawls",
        crawls: Crawls::Several,
        counted: ("sites_counted", "sites that are in either crawl"),
        plot: Plot { kind: Kind::Bars, x: "change", series: Series::One("share"), ..PLOT },
        definition: "Sites of either crawl by whether they are in both and whether their file changed.",
        ..FIGURE
    },
    Figure {
        id: "churn_rate",
        question: "churn_rate",
        title: "How much of a file changes",
        crawls: Crawls::Several,
        counted: ("sites_counted", "sites whose file was read in both crawls"),
        plot: Plot { kind: Kind::Bars, x: "change", series: Series::One("share"), ..PLOT },
        definition: "Files by how many rules were gained and lost; a rule is an agent, a verb and a pattern.",
        ..FIGURE
    },
];
