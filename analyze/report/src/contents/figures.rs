//! All sections and their figures, in the order of the page.

mod access;
mod agents;
mod ai;
mod defaults;
mod files;
mod records;

use super::figure_spec::ReportSection;

/// All sections.
pub const SECTIONS: &[ReportSection] = &[
    ReportSection {
        id: "access",
        title: "Access",
        lead: "By RFC 9309, a 4xx answer allows every path. A server that answers with 5xx or not at all blocks every path.",
        figures: access::ACCESS,
    },
    ReportSection {
        id: "ranks",
        title: "By rank",
        lead: "Sites by their rank in the list of ranks that this report was made with. Ranks of different lists cannot be compared.",
        figures: access::RANKS,
    },
    ReportSection {
        id: "size",
        title: "Size and the limit of 500 KiB",
        lead: "By RFC 9309, a crawler must read at least 500 KiB (512,000 bytes) of a robots.txt. It may ignore the rest.",
        figures: files::SIZE,
    },
    ReportSection {
        id: "grammar",
        title: "Grammar",
        lead: "Tier A violates the grammar of RFC 9309. Tier B is other records, such as Sitemap, which the standard permits. Tier C is remarks. Crawlers understand more than the grammar allows.",
        figures: files::GRAMMAR,
    },
    ReportSection {
        id: "agents",
        title: "Agents and blocking",
        lead: "Which agents files name, which they block, and how much the share depends on the definition of blocked.",
        figures: agents::AGENTS,
    },
    ReportSection {
        id: "ai",
        title: "AI agents",
        lead: "AI agents train models, feed AI search or assistants, or act for a user. Crawlers of search engines do not count as AI agents here, although some of them feed models too.",
        figures: ai::AI,
    },
    ReportSection {
        id: "signals",
        title: "Preference signals",
        lead: "Records that say what the content of a site may be used for.",
        figures: ai::SIGNALS,
    },
    ReportSection {
        id: "records",
        title: "Crawl delay, sitemaps and other records",
        lead: "Records other than rules. RFC 9309 permits them but does not define them.",
        figures: records::RECORDS,
    },
    ReportSection {
        id: "consistency",
        title: "Consistency",
        lead: "By RFC 9309, each scheme, host and port has its own robots.txt. Owners seldom want them to differ.",
        figures: records::CONSISTENCY,
    },
    ReportSection {
        id: "change",
        title: "Change between crawls",
        lead: "Each crawl selects its hosts anew, so a share of all sites may change although no site changed. Figures that compare the same sites in two crawls say so.",
        figures: records::CHANGE,
    },
    ReportSection {
        id: "read",
        title: "What was read",
        lead: "Every record of every archive counts as a capture or as skipped, with the reason.",
        figures: access::READING,
    },
];
