//! Caveats that apply to all figures.

/// Caveats that apply to all figures.
pub(crate) const GENERAL_CAVEATS: [&str; 12] = [
    "A robots.txt is a request. These figures do not show which crawlers comply with it. Studies find that compliance differs between crawlers, and that stricter rules are obeyed less.",
    "The tables contain what servers sent to one crawler. Servers may send something else to other crawlers. They refuse an unknown crawler about ten times as often as a browser.",
    "Only crawled hosts are counted, and each crawl selects its hosts anew. A share may change although no site changed. Figures that compare the same sites in two crawls say so.",
    "Between 2021 and 2023, Common Crawl stopped archiving answers that are not text. Its archives have the target of a redirect only if the robots.txt there allows the crawler to fetch it.",
    "Before CC-MAIN-2023-50, Common Crawl followed only the first redirect of a robots.txt. For crawls before 2019-47, the targets of redirects are unknown. Crawls from 2016 to 2018 have no detected media types.",
    "A site is a protocol, host and port, as in RFC 9309: http and https are two sites. Counting only the better of the two would hide where they differ.",
    "A crawl may capture a URL several times. One capture per site counts: the latest, unless the derived tables were made with another choice.",
    "Lists of ranks differ in how they are made: the top 1,000 of one list are not the top 1,000 of another. A site is in one stratum of ranks only, unless the strata are called cumulative.",
    "Disallow: / does not block every path if an allow line allows a path. Disallow: /* and Disallow: * block as much as Disallow: /. Another definition of blocked may give another share.",
    "Some agents are not crawlers. A control token such as Google-Extended says how copies that another crawler fetched may be used.",
    "An agent may be named in a file without a decision of the site's owner: templates of software and copied lists name many agents at once.",
    "The list of tracked agents is from one day. Figures on names also count other agents. Figures on blocking do not.",
];
