//! Compares parsing and judging real bodies with the crate `robotstxt`, a port of Google's parser.
//!
//! `ROBOCENSUS_CORPUS=… cargo bench -p ingest --bench peers`. The bodies are the distinct ones in the archives below
//! the folder `bench` there, in three sets: robots.txt files of up to 16 KiB, which show the cost per file; all
//! robots.txt files, which show the cost per byte; and pages that were served instead. Both parsers get the same text
//! in the same run. So the ratio of two columns is meaningful, but not a column alone.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stderr, missing_docs, reason = "a benchmark")]

#[path = "../tests/all/bodies/archive.rs"]
mod archive;
#[path = "../tests/all/real.rs"]
mod real;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use robots::{BodyKind, Dialect, Naming, Parser, Reading, Target};
use robotstxt::{DefaultMatcher, RobotsParseHandler, parse_robotstxt};
use std::collections::{HashMap, HashSet};
use std::panic::catch_unwind;
use std::sync::LazyLock;

/// Crawlers that files name, and some that no file names.
const CRAWLERS: [&str; 20] = [
    "Googlebot",
    "Bingbot",
    "GPTBot",
    "ClaudeBot",
    "CCBot",
    "AhrefsBot",
    "SemrushBot",
    "DotBot",
    "PetalBot",
    "Yandex",
    "Baiduspider",
    "Slurp",
    "DuckDuckBot",
    "Applebot",
    "Bytespider",
    "Amazonbot",
    "ia-archiver",
    "FooBot",
    "BarBot",
    "BazBot",
];

/// Bodies as text, since the other parser takes text. Invalid UTF-8 is replaced for both.
struct Bodies {
    small: Vec<String>,
    all: Vec<String>,
    pages: Vec<String>,
}

static BODIES: LazyLock<Bodies> = LazyLock::new(|| {
    let mut seen = HashSet::new();
    let mut bodies = Bodies { small: Vec::new(), all: Vec::new(), pages: Vec::new() };
    archive::each_body("/bench/", |_, _, body| {
        if !seen.insert(body.to_vec()) {
            return;
        }
        let text = String::from_utf8_lossy(body).into_owned();
        match robots::parse(body).facts.kind {
            BodyKind::Html => bodies.pages.push(text),
            _ => {
                if text.len() <= 16 * 1024 {
                    bodies.small.push(text.clone());
                }
                bodies.all.push(text);
            }
        }
    });
    bodies
});

/// Files made to be expensive.
static MADE: LazyLock<HashMap<&str, String>> = LazyLock::new(|| {
    let repeated = |count: usize, each: fn(usize) -> String| (0..count).map(each).collect::<String>();
    let names = repeated(2_000, |n| format!("User-agent: bot{n}\n"));
    let rules = repeated(5_000, |n| format!("Disallow: /a/{n}\nAllow: /a/{n}/*.css$\n"));
    let groups = repeated(2_000, |n| format!("User-agent: bot{n}x\nDisallow: /\n\n"));
    // Each name has its own group and a group that all share.
    let own = repeated(2_000, |n| format!("User-agent: bot{n}\nAllow: /{n}\n\n"));
    // No witness path is allowed, so all of them are judged.
    let refused = repeated(300, |n| format!("Allow: /*{n}.html\nDisallow: /*{n}.html*\n"));
    HashMap::from([
        ("many names", format!("{names}{rules}")),
        ("many groups", groups),
        ("merged groups", format!("{names}{rules}{own}")),
        ("witnesses", format!("User-agent: *\nDisallow: /\n{refused}")),
    ])
});

fn main() {
    // The crate panics on some bodies. It is measured up to the panic, and the panic is not printed.
    std::panic::set_hook(Box::new(|_| {}));
    if !BODIES.all.is_empty() {
        divan::main();
    }
}

fn set(name: &str) -> &'static [String] {
    match name {
        "small" => &BODIES.small,
        "all" => &BODIES.all,
        "pages" => &BODIES.pages,
        made => std::slice::from_ref(&MADE[made]),
    }
}

fn over(bencher: Bencher, name: &str, mut each: impl FnMut(&str)) {
    let bodies = set(name);
    let bytes: usize = bodies.iter().map(String::len).sum();
    let bencher = bencher.counter(BytesCount::new(bytes)).counter(ItemsCount::new(bodies.len()));
    bencher.bench_local(|| bodies.iter().for_each(|body| each(body)));
}

/// Parses the bodies of a set one after the other, reusing memory.
fn parse_with_reuse(bencher: Bencher, name: &str) {
    let mut parser = Parser::default();
    over(bencher, name, |body| {
        let parsed = parser.parse(body.as_bytes());
        black_box(&parsed);
        parser.recycle(parsed);
    });
}

#[divan::bench_group(sample_count = 15, sample_size = 1)]
mod parse {
    use super::*;

    const SETS: [&str; 3] = ["small", "all", "pages"];

    #[divan::bench(args = SETS)]
    fn robocensus(bencher: Bencher, name: &str) {
        parse_with_reuse(bencher, name);
    }

    #[divan::bench(args = SETS)]
    fn robocensus_without_reuse(bencher: Bencher, name: &str) {
        over(bencher, name, |body| drop(black_box(robots::parse(body.as_bytes()))));
    }

    #[divan::bench(args = SETS)]
    fn robotstxt(bencher: Bencher, name: &str) {
        over(bencher, name, |body| {
            drop(catch_unwind(|| {
                let mut values = Values::default();
                parse_robotstxt(body, &mut values);
                black_box(&values.0);
            }));
        });
    }

    /// Keeps every value, the minimum that counts as parsing.
    #[derive(Default)]
    struct Values(Vec<String>);

    impl RobotsParseHandler for Values {
        fn handle_robots_start(&mut self) {}
        fn handle_robots_end(&mut self) {}
        fn handle_user_agent(&mut self, _: u32, value: &str) {
            self.0.push(value.to_owned());
        }
        fn handle_allow(&mut self, _: u32, value: &str) {
            self.0.push(value.to_owned());
        }
        fn handle_disallow(&mut self, _: u32, value: &str) {
            self.0.push(value.to_owned());
        }
        fn handle_sitemap(&mut self, _: u32, value: &str) {
            self.0.push(value.to_owned());
        }
        fn handle_unknown_action(&mut self, _: u32, _: &str, value: &str) {
            self.0.push(value.to_owned());
        }
    }
}

/// The cost of the policies of a file on top of parsing it: for real files, and for files made to be expensive.
#[divan::bench_group(sample_count = 15, sample_size = 1)]
mod policies {
    use super::*;

    const SETS: [&str; 6] = ["small", "all", "many names", "many groups", "merged groups", "witnesses"];

    #[divan::bench(args = SETS)]
    fn parse_alone(bencher: Bencher, name: &str) {
        parse_with_reuse(bencher, name);
    }

    #[divan::bench(args = SETS)]
    fn parse_and_policies(bencher: Bencher, name: &str) {
        let mut parser = Parser::default();
        over(bencher, name, |body| {
            let parsed = parser.parse(body.as_bytes());
            black_box(robots::policies(&parsed));
            parser.recycle(parsed);
        });
    }
}

/// `/` for twenty crawlers over each small file.
#[divan::bench_group(sample_count = 7, sample_size = 1)]
mod judge_root_for_twenty_crawlers {
    use super::*;

    /// Includes parsing the file once.
    #[divan::bench]
    fn robocensus_and_parse(bencher: Bencher) {
        let target = Target::new(b"/", Dialect::Rfc9309);
        let mut parser = Parser::default();
        over(bencher, "small", |body| {
            let parsed = parser.parse(body.as_bytes());
            let reading = Reading::new(&parsed, Dialect::Rfc9309);
            for crawler in CRAWLERS {
                black_box(reading.select(crawler.as_bytes(), Naming::Named).decide(&target).0);
            }
            drop(reading);
            parser.recycle(parsed);
        });
    }

    /// With files that were parsed before.
    #[divan::bench]
    fn robocensus(bencher: Bencher) {
        let target = Target::new(b"/", Dialect::Rfc9309);
        let parsed: Vec<_> = BODIES.small.iter().map(|body| robots::parse(body.as_bytes())).collect();
        bencher.counter(ItemsCount::new(parsed.len() * CRAWLERS.len())).bench_local(|| {
            for parsed in &parsed {
                let reading = Reading::new(parsed, Dialect::Rfc9309);
                for crawler in CRAWLERS {
                    black_box(reading.select(crawler.as_bytes(), Naming::Named).decide(&target).0);
                }
            }
        });
    }

    /// The crate parses for each question.
    #[divan::bench]
    fn robotstxt(bencher: Bencher) {
        bencher.counter(ItemsCount::new(BODIES.small.len() * CRAWLERS.len())).bench_local(|| {
            for body in &BODIES.small {
                drop(catch_unwind(|| {
                    for crawler in CRAWLERS {
                        let mut matcher = DefaultMatcher::default();
                        black_box(matcher.one_agent_allowed_by_robots(body, crawler, "https://example.com/"));
                    }
                }));
            }
        });
    }
}
