//! Robots.txt files that many sites share, since they come with their software. All were written for this project in
//! the style of such files; none is a copy.

use super::random::Random;
use std::fmt::Write;

/// The most common templates, with the weight of each.
const SHORT: [(&str, u32); 24] = [
    ("User-agent: *\nDisallow:\n", 150),
    ("User-agent: *\nDisallow: \n", 60),
    ("User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n", 260),
    ("User-agent: *\nAllow: /\n", 60),
    ("User-agent: *\nAllow: /", 30),
    ("User-agent: *\nDisallow: /\n", 60),
    ("User-agent: *\nDisallow: /", 25),
    ("User-Agent: *\nDisallow: /wp-admin/\nDisallow: /wp-includes/\n", 70),
    ("User-agent: *\r\nDisallow:\r\n", 30),
    ("User-agent: *\r\nDisallow: /\r\n", 15),
    ("User-agent: *\nCrawl-delay: 10\n", 20),
    ("# this file lets crawlers in\nUser-agent: *\nDisallow:\n", 20),
    ("User-agent: *\nDisallow: /cgi-bin/\n", 25),
    ("User-agent: *\nDisallow: /admin\n", 20),
    ("User-agent: *\nDisallow: /search\nAllow: /\n", 25),
    ("User-agent: Mediapartners-Google\nDisallow:\n\nUser-agent: *\nDisallow: /search\nAllow: /\n", 35),
    ("user-agent: *\ndisallow: /cart\ndisallow: /checkout\ndisallow: /account\ndisallow: /orders\n", 25),
    ("User-agent: *\nDisallow: /administrator/\nDisallow: /cache/\nDisallow: /components/\nDisallow: /includes/\n", 20),
    ("Sitemap: /sitemap.xml\n", 6),
    ("not found", 10),
    ("User-agent: *", 8),
    ("# robots\n", 6),
    ("{\"error\":\"not found\"}", 5),
    ("User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow:\n", 10),
];

/// How many of 10,000 templates are the long file of a content management system.
const LONG: u32 = 1_000;

/// Variants of the long file, one for each version of the system.
const VERSIONS: u32 = 12;

/// Writes a template.
pub(super) fn template(random: &mut Random, out: &mut String) {
    if random.happens(LONG) {
        long(random.below(VERSIONS), out);
    } else {
        out.push_str(random.weighted(&SHORT).copied().unwrap_or_default());
    }
}

/// A file of about 2,100 bytes, mostly comments and folders.
fn long(version: u32, out: &mut String) {
    const FOLDERS: [&str; 12] = [
        "core", "profiles", "vendor", "includes", "misc", "modules", "scripts", "themes", "layouts", "locale",
        "updates", "install",
    ];
    const PAGES: [&str; 10] = [
        "admin/",
        "comment/reply/",
        "filter/tips",
        "node/add/",
        "search/",
        "user/register",
        "user/password",
        "user/login",
        "user/logout",
        "media/oembed",
    ];
    out.push_str(
        "#\n# This file asks crawlers to leave alone what is of no use to readers,\n# and so saves the time of \
         both servers. It lies at the root of a host\n# and is of no effect anywhere else.\n#\n\nUser-agent: *\n",
    );
    // Writing to a `String` cannot fail.
    for kind in ["css", "js", "gif", "jpg", "png", "svg"] {
        let _ = writeln!(out, "Allow: /core/*.{kind}$\nAllow: /core/*.{kind}?\nAllow: /profiles/*.{kind}$");
    }
    out.push_str("# Folders\n");
    for folder in FOLDERS {
        let _ = writeln!(out, "Disallow: /{folder}/");
    }
    let _ = writeln!(out, "# Files of version {version}\nDisallow: /README.txt\nDisallow: /web.config");
    for prefix in ["", "index.php/", "?q="] {
        let _ = writeln!(out, "# Paths, as /{prefix}");
        for page in PAGES {
            let _ = writeln!(out, "Disallow: /{prefix}{page}");
        }
    }
}
