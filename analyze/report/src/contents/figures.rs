//! The sections and their figures, in the order that a reader asks.

mod access;
mod agents;
mod ai;
mod files;
mod records;

use super::{ChartKind, CrawlScope, FigureSpec, Plot, Section, Series};

/// A figure with nothing set.
const FIGURE: FigureSpec = FigureSpec {
    id: "",
    question: "",
    title: "",
    set: &[],
    crawls: CrawlScope::One,
    plot: PLOT,
    columns: &[],
    counted: ("sites_counted", ""),
    definition: "",
    needs: None,
    rows: 30,
};

/// A plot with nothing set.
const PLOT: Plot = Plot {
    kind: ChartKind::Table,
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
        figures: access::READING,
    },
    Section {
        id: "access",
        title: "Access",
        lead: "Before rules matter there has to be a robots.txt. RFC 9309 takes a 4xx answer for leave to fetch everything, and a server that cannot be reached for a refusal of everything.",
        figures: access::ACCESS,
    },
    Section {
        id: "ranks",
        title: "By rank",
        lead: "The same by the rank of the site in the list that was given. Ranks of different lists cannot be compared.",
        figures: access::RANKS,
    },
    Section {
        id: "size",
        title: "Size and the limit of 500 KiB",
        lead: "A crawler has to read at least 500 KiB (512,000 bytes) of a robots.txt, by RFC 9309, and may ignore the rest.",
        figures: files::SIZE,
    },
    Section {
        id: "grammar",
        title: "Grammar",
        lead: "Tier A is what breaks the grammar of RFC 9309, tier B are other records, which the standard permits, and tier C are remarks. Crawlers understand far more than the letter of the standard.",
        figures: files::GRAMMAR,
    },
    Section {
        id: "agents",
        title: "Agents and blocking",
        lead: "Whom files name, whom they block, and how far the answer moves with the meaning of the word.",
        figures: agents::AGENTS,
    },
    Section {
        id: "ai",
        title: "AI agents",
        lead: "Agents that exist to train models, to feed AI search or assistants, or to act for them. Search engines are none, though some of them feed models too.",
        figures: ai::AI,
    },
    Section {
        id: "signals",
        title: "Preference signals",
        lead: "Records by which a site says what its content may be used for, whoever fetches it.",
        figures: ai::SIGNALS,
    },
    Section {
        id: "records",
        title: "Crawl delay, sitemaps and other records",
        lead: "What else stands in robots.txt. RFC 9309 leaves these records to the crawlers that know them.",
        figures: records::RECORDS,
    },
    Section {
        id: "consistency",
        title: "Consistency",
        lead: "By RFC 9309 each scheme, host and port has a robots.txt of its own. Sites seldom mean them to differ.",
        figures: records::CONSISTENCY,
    },
    Section {
        id: "change",
        title: "Change between crawls",
        lead: "Shares of all sites of each crawl move with the choice of hosts, too. Figures of the same sites in both crawls say so.",
        figures: records::CHANGE,
    },
];
