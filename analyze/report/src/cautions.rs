//! Cautions that hold for all figures.

/// Cautions that hold for all figures.
pub(crate) const CAUTIONS: [&str; 12] = [
    "A robots.txt is a request. These figures do not show which crawlers comply. Studies find that crawlers differ, and that they obey stricter rules less.",
    "The tables hold what servers sent to one crawler. Other crawlers may get something else. Servers refuse an unknown crawler about ten times as often as a browser.",
    "Only crawled hosts are counted, and each crawl chooses its hosts anew. A share may change although no site did. Figures that compare the same sites in two crawls say so.",
    "Since about 2021 to 2023 archives of Common Crawl leave out answers that are not text. They keep the target of a redirect only if it may be fetched there.",
    "Before CC-MAIN-2023-50 only the first redirect of a robots.txt was followed. For crawls before 2019-47 the targets of redirects are unknown. Detected media types are missing from 2016 to 2018.",
    "A site is a protocol, host and port, as in RFC 9309. http and https are two sites. Counting only the better of the two hides where they differ.",
    "A crawl may capture a URL several times. One capture of each site counts: the latest, unless the derived tables were made with another choice.",
    "Lists of ranks are cut and averaged in different ways. The top 1,000 of one list is not the top 1,000 of another. Rank buckets exclude one another unless they are called cumulative.",
    "Disallow: / does not block every path if the file allows another one. Disallow: /* and Disallow: * block as much as Disallow: /. The figure on definitions shows how the share changes with the meaning of blocked.",
    "Some names are not crawlers: a control token such as Google-Extended says how copies that another crawler fetched may be used.",
    "A name in a file need not be the owner's choice. Software templates and copied lists name many agents at once.",
    "The list of agents is from one day. Other agents are counted where files name them, but not in figures on blocking.",
];
