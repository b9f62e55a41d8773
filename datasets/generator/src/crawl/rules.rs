//! A robots.txt that a site has written itself, in contrast to a template.

use super::agents::{OF_MODELS, SINCE_2023, agent};
use super::random::Random;
use super::words::{FOLDERS, WORDS};
use std::fmt::Write;

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
    let sitemap_bytes = if wanted > 80 && random.happens(5_000) { host.len() + 29 } else { 0 };
    group(random, "*", wanted.saturating_sub(sitemap_bytes), out);
    let mut token = String::new();
    while out.len() + sitemap_bytes + 60 < wanted {
        token.clear();
        agent(random, &mut token);
        out.push('\n');
        group(random, &token, wanted.saturating_sub(sitemap_bytes), out);
    }
    if sitemap_bytes > 0 {
        let _ = writeln!(out, "\nSitemap: https://{host}/sitemap.xml");
    }
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

/// One group, up to a length in bytes.
fn group(random: &mut Random, token: &str, most: usize, out: &mut String) {
    let key = if random.happens(8_500) { "User-agent" } else { "User-Agent" };
    let _ = writeln!(out, "{key}: {token}");
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
}

fn line(random: &mut Random, out: &mut String) {
    if random.happens(400) {
        let _ = writeln!(out, "# {} {}", random.one_of(&WORDS), random.one_of(&WORDS));
        return;
    }
    let key = match random.below(1_000) {
        0..=99 => "Allow: ",
        100..=103 => "Disalow: ",
        104..=109 => "Disallow:",
        110..=115 => "disallow: ",
        _ => "Disallow: ",
    };
    out.push_str(key);
    path(random, out);
    out.push('\n');
}

fn path(random: &mut Random, out: &mut String) {
    let folder = random.one_of(&FOLDERS);
    let (one, two, number) = (random.one_of(&WORDS), random.one_of(&WORDS), random.below(100_000));
    let _ = match random.below(20) {
        0..=6 => write!(out, "/{folder}/{one}/"),
        7..=9 => write!(out, "/{one}-{two}"),
        10..=12 => write!(out, "/{folder}/{one}-{number}.html"),
        13 | 14 => write!(out, "/*?{one}="),
        15 => write!(out, "/{folder}/*.{}$", random.one_of(&["pdf", "php", "doc", "xml"])),
        16 => write!(out, "/*/{one}/{two}"),
        17 => write!(out, "/{one}/{two}/{number}"),
        18 => write!(out, "/{one}%20{two}/"),
        _ => write!(out, "/{folder}?{one}={number}&{two}=*"),
    };
}
