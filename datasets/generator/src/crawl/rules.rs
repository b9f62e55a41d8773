//! A robots.txt that a site has written itself, in contrast to a template.

use super::agents::{OF_MODELS, SINCE_2023, agent};
use super::random::Random;
use super::shape;
use super::words::{FOLDERS, WORDS};
use std::fmt::Write;
use std::ops::Range;

/// Writes a file of about `wanted` bytes for a host.
pub(super) fn rules(random: &mut Random, host: &str, wanted: usize, year: u32, out: &mut String) {
    // Writing to a `String` cannot fail, here and below.
    if random.happens(1_500) {
        let _ = writeln!(out, "# robots.txt of {host}\n");
    }
    let start = out.len();
    if wanted > 200 && random.happens(900) {
        block_models(&OF_MODELS, random.between(1, 8) as usize, out);
    }
    let block = start..out.len();
    let sitemap_bytes = host.len() + 35;
    let sitemaps = if wanted > 60 && random.happens(7_500) {
        // They fill at most half of the file.
        random.weighted(&shape::SITEMAPS).copied().unwrap_or(1).min(1 + wanted / 2 / sitemap_bytes)
    } else {
        0
    };
    let most = wanted.saturating_sub(sitemaps * sitemap_bytes);
    let mut named: Vec<String> = OF_MODELS.map(str::to_owned).to_vec();
    let list = group(random, "*", most, out);
    while out.len() + 70 < most {
        out.push('\n');
        let token = next_agent(random, &mut named);
        // Sites shut many crawlers out, or give them the list that all others have.
        match random.below(20) {
            0..=8 if named.len() < MANY_AGENTS => {
                let _ = writeln!(out, "User-agent: {token}\nDisallow: /");
            }
            9..=13 if named.len() < MANY_AGENTS && list.len() < most.saturating_sub(out.len()) => {
                let _ = writeln!(out, "User-agent: {token}");
                out.extend_from_within(list.clone());
            }
            _ => {
                group(random, &token, most, out);
            }
        }
    }
    if sitemaps > 0 {
        out.push('\n');
    }
    for number in 0..sitemaps {
        let _ = writeln!(out, "Sitemap: https://{host}/sitemap-{number}.xml");
    }
    other_records(random, host, out);
    // The file is made as in 2024 and changed at the end, so that everything else is the same in each year.
    if year != 2024 {
        let mut own = Random::new(host.bytes().fold(1, |seed, byte| seed * 31 % 1_000_003 + u64::from(byte)), 0);
        let share = if block.is_empty() { joined(year) } else { stayed(year) };
        let mut text = String::new();
        if own.below(10_000) < share {
            block_models(models(year), own.between(1, 8) as usize, &mut text);
        }
        out.replace_range(block, &text);
    }
    if year < 2024 {
        for token in SINCE_2023 {
            *out = out.replace(token, "rogerbot");
        }
    }
}

/// Records of few files that belong to one search engine.
fn other_records(random: &mut Random, host: &str, out: &mut String) {
    if random.happens(400) {
        let _ = writeln!(out, "Host: {host}");
    }
    if random.happens(80) {
        for _ in 0..random.between(1, 12) {
            let _ = writeln!(out, "Clean-param: {} /{}/", random.one_of(&WORDS), random.one_of(&FOLDERS));
        }
    }
    if random.happens(100) {
        for _ in 0..random.between(1, 16) {
            let _ = writeln!(out, "Noindex: /{}/{}/", random.one_of(&FOLDERS), random.one_of(&WORDS));
        }
    }
}

/// An agent that the file has not named yet, except in a few cases.
fn next_agent(random: &mut Random, named: &mut Vec<String>) -> String {
    let mut token = String::new();
    loop {
        token.clear();
        agent(random, &mut token);
        if random.happens(REPEATED) {
            return token;
        }
        let name = token.split('/').next().unwrap_or_default();
        if !named.iter().any(|other| other == name) {
            named.push(name.to_owned());
            return token;
        }
    }
}

/// With so many agents, a file has long lists instead of further agents.
const MANY_AGENTS: usize = 36;

/// How many of 10,000 agents of a file may be ones that it has named before.
const REPEATED: u32 = 60;

/// A group that blocks the first of some crawlers.
fn block_models(models: &[&str], most: usize, out: &mut String) {
    for token in models.iter().take(most) {
        out.push_str("User-agent: ");
        out.push_str(token);
        out.push('\n');
    }
    out.push_str("Disallow: /\n\n");
}

/// The crawlers for training models that a file of a year may block.
fn models(year: u32) -> &'static [&'static str] {
    match year {
        ..=2023 => &["CCBot"],
        _ => &OF_MODELS,
    }
}

/// How many of 10,000 files that block such crawlers in 2024 do so in another year.
fn stayed(year: u32) -> u32 {
    match year {
        ..=2022 => 700,
        2023 => 1_500,
        _ => 9_600,
    }
}

/// How many of 10,000 files that do not block them in 2024 do so in another year.
fn joined(year: u32) -> u32 {
    match year {
        ..=2024 => 0,
        2025 => 500,
        _ => 800,
    }
}

/// One group, up to a length in bytes. Returns where its lines are.
fn group(random: &mut Random, token: &str, most: usize, out: &mut String) -> Range<usize> {
    let key = if random.happens(8_500) { "User-agent" } else { "User-Agent" };
    let _ = writeln!(out, "{key}: {token}");
    let start = out.len();
    if random.happens(700) {
        let seconds = random.one_of(&["1", "2", "5", "10", "10", "20", "30", "0.5", "120"]);
        let _ = writeln!(out, "Crawl-delay: {seconds}");
    }
    // Many groups have one line, and few have long lists; long files have long lists.
    let lines = if random.happens(4_500) { 1 } else { random.between(2, 24).max(random.below(1 + most as u32 / 400)) };
    for _ in 0..lines {
        line(random, out);
        if out.len() >= most {
            break;
        }
    }
    start..out.len()
}

fn line(random: &mut Random, out: &mut String) {
    if random.happens(900) {
        let _ = writeln!(out, "# {} {}", random.one_of(&WORDS), random.one_of(&WORDS));
        return;
    }
    let key = match random.below(1_000) {
        0..=99 => "Allow: ",
        100 => "Disalow: ",
        101..=106 => "Disallow:",
        107..=112 => "disallow: ",
        _ => "Disallow: ",
    };
    out.push_str(key);
    path(random, out);
    out.push('\n');
}

fn path(random: &mut Random, out: &mut String) {
    let folder = random.one_of(&FOLDERS);
    let (one, two, number) = (random.one_of(&WORDS), random.one_of(&WORDS), random.below(100_000));
    // Half of the paths are those of common software. The others occur in one file only.
    let _ = match random.below(200) {
        0..=29 => write!(out, "/{folder}/"),
        30..=59 => write!(out, "/{folder}/{one}/"),
        60..=69 => write!(out, "/{one}-{two}"),
        70..=99 => write!(out, "/{folder}/{one}-{number}.html"),
        100..=103 => write!(out, "/*?{one}="),
        104..=113 => write!(out, "/*?{one}=*"),
        114..=116 => write!(out, "*?{one}="),
        117 => write!(out, "*/{folder}/{one}/*"),
        118 => write!(out, "{folder}/{one}/"),
        119 => write!(out, "/{folder}/caf\u{e9}-{one}-{number}/"),
        120..=129 => write!(out, "/{folder}/*.{}$", random.one_of(&["pdf", "php", "doc", "xml"])),
        130..=139 => write!(out, "/*/{one}/{two}"),
        140..=149 => write!(out, "/{one}/{two}/{number}"),
        150..=159 => write!(out, "/{one}%20{two}-{number}/"),
        160..=169 => write!(out, "/{folder}?{one}={number}&{two}=*"),
        _ => {
            let three = random.one_of(&WORDS);
            write!(out, "/{folder}/{one}-{two}/{three}/{two}-{three}-and-{one}-{number}.html")
        }
    };
}
