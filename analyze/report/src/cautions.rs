//! What a careful reader keeps in mind with all figures.

/// What a careful reader keeps in mind.
pub(crate) const CAUTIONS: [&str; 12] = [
    "A robots.txt is a request. Nothing here says which crawlers comply; studies find that they differ, and that stricter rules are obeyed less.",
    "What was served to one crawler is seen here, and not what others are served. Servers refuse an unknown crawler about ten times as often as a browser.",
    "Only hosts that were crawled are counted, and each crawl chooses its hosts anew. A share may move without any site having changed; figures of the same sites in both crawls say so.",
    "Archives of Common Crawl have dropped answers that are no text since about 2021 to 2023, and keep the target of a redirect only where it may be fetched there.",
    "Redirects of robots.txt were followed once before CC-MAIN-2023-50, and where they lead is not known of crawls before 2019-47. Media types that were detected are missing from 2016 to 2018.",
    "A site is a protocol, host and port, as RFC 9309 has it. http and https are two sites; whoever takes the better of the two hides where they differ.",
    "A URL may be captured several times in one crawl. One capture of each site counts, which is the latest unless the derived tables were made otherwise.",
    "Lists of ranks are cut and averaged in different ways; the top 1,000 of one is not that of another. Buckets of rank here exclude one another unless they are called cumulative.",
    "To refuse / is not to refuse everything where something else is allowed, and /* and a star alone refuse as much as /. What counts as blocked is therefore a parameter, and the figure on definitions shows what it does.",
    "Some names are no crawlers: a control token such as Google-Extended says what the copies of another crawler may be used for.",
    "A name in a file need not be its owner's choice: templates of software and copied lists name agents in bulk.",
    "The list of agents is of one day. Agents without a name in it are counted where files name them, and in no figure of blocking.",
];
