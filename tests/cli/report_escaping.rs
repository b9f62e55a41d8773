//! `robocensus report`: text from crawled files is escaped.

use crate::crawls::crawl;
use crate::report::{report, text};
use crate::run::TestFolder;
use std::collections::BTreeSet;

/// The sections with names, paths and values from crawled files.
pub(crate) const HOSTILE: &[&str] = &["--only", "grammar,agents,records"];

/// Tables of two files. All their texts attack a page, a spreadsheet or a terminal.
pub(crate) fn hostile(test: &str) -> TestFolder {
    let hostile = [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=x>",
        "</style></title><svg>",
        "=cmd|' /C calc'!A0",
        "@SUM(1+1)*cmd",
        "\u{202e}\u{2066}gnirts\u{200b}",
        "]]>--><!--",
        "\u{1b}[31mred\u{7}",
    ];
    let body = |names: &[String]| -> String {
        let groups = names.iter().map(|name| {
            format!("User-agent: {name}\nDisallow: /{name}\nSitemap: {name}\nCrawl-delay: {name}\n{name}: {name}\n\n")
        });
        groups.collect()
    };
    let names: Vec<String> = hostile.iter().map(|name| (*name).to_owned()).collect();
    let huge = format!("User-agent: {}\nDisallow: /\n", "<b>".repeat(400_000));
    crawl(test, &[("a.example", 200, &body(&names)), ("b.example", 200, &huge)])
}

/// The elements of a page, without their content.
fn skeleton(page: &str) -> Vec<String> {
    let name = |tag: &str| tag.split(|end: char| end.is_whitespace() || end == '>').next().unwrap_or("").to_owned();
    // The content of the style and the script has no elements.
    let body = page.split_once("<body>").expect("it has a body").1;
    let body = body.split_once("<script>").expect("it has a script").0;
    body.split('<').skip(1).map(name).collect()
}

/// The elements without those of charts, since long names are placed elsewhere than short ones. Each chart is followed
/// by the kinds of its elements.
fn without_drawings(elements: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut kinds: Option<BTreeSet<&str>> = None;
    for element in elements {
        match (&mut kinds, element.as_str()) {
            (None, name) => {
                kept.push(name.to_owned());
                kinds = (name == "svg").then(BTreeSet::new);
            }
            (Some(found), "/svg") => {
                kept.push(format!("{found:?}"));
                kinds = None;
            }
            (Some(found), name) => _ = found.insert(name),
        }
    }
    kept
}

#[test]
fn text_from_outside_is_escaped() {
    let folder = hostile("report_of_hostile_text");
    let files = report(&folder, &folder.path().join("tables"), "report", HOSTILE);
    let page = text(&files, "index.html");
    assert!(page.len() < 3_000_000, "the page has {} bytes", page.len());
    for raw in ["<script>alert", "<img", "<b><b>", "\u{202e}", "\u{2066}", "\u{200b}", "\u{1b}", "\u{7}"] {
        assert!(!page.contains(raw), "the page has {raw:?}");
    }
    assert_eq!(page.matches("<script>").count(), 1);
    for (path, bytes) in files.iter().filter(|(path, _)| path.starts_with("data")) {
        let mut rows = csv::Reader::from_reader(bytes.as_slice());
        for row in rows.records() {
            let row = row.expect("it is CSV");
            let is_formula = |cell: &str| {
                cell.starts_with(['=', '+', '@']) || (cell.starts_with('-') && cell.parse::<f64>().is_err())
            };
            assert!(!row.iter().any(is_formula), "{}: {row:?}", path.display());
        }
    }
    // Texts add no elements to the page.
    let known = "a b body caption circle code dd defs desc details div dl dt figcaption figure footer h1 h2 h3 h4 header \
                 li main nav ol p path pattern polygon polyline line pre rect section span summary svg table tbody td text \
                 th thead title tr ul wbr";
    for element in skeleton(&page) {
        let name = element.trim_start_matches('/');
        assert!(known.split(' ').any(|known| known == name), "the page has an element {element:?}");
    }
}

#[test]
fn a_hostile_page_has_the_elements_of_its_harmless_twin() {
    let hostile = [
        "<script>x</script>",
        "\"><img src=x>",
        "]]>--><!--",
        "=cmd|'x'!A0",
        "@sum",
        "\u{202e}\u{2066}gnirts",
        "&lt;b&gt;",
    ];
    let twins: Vec<Vec<String>> = [false, true]
        .into_iter()
        .enumerate()
        .map(|(twin, is_hostile)| {
            let name = |nth: usize, hostile: &str| {
                if is_hostile { hostile.replace('/', "") } else { format!("harmless {nth}") }
            };
            let names = hostile.iter().enumerate().map(|(nth, hostile)| name(nth, hostile));
            let body: String = names.map(|name| format!("User-agent: {name}\nDisallow: /\n\n")).collect();
            let folder = crawl(&format!("report_of_twin_{twin}"), &[("a.example", 200, &body)]);
            let files = report(&folder, &folder.path().join("tables"), "report", &["--only", "agents"]);
            without_drawings(&skeleton(&text(&files, "index.html")))
        })
        .collect();
    assert_eq!(twins.first(), twins.last());
}
