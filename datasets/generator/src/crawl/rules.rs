//! A robots.txt that a site wrote itself, in contrast to a template.

use super::agents::{OF_MODELS, agent};
use super::random::Random;
use super::words::{FOLDERS, WORDS};
use std::fmt::Write;

/// Writes a file of about so many bytes for a host.
pub(super) fn rules(random: &mut Random, host: &str, wanted: usize, out: &mut String) {
    // Writing to a `String` cannot fail, here and below.
    if random.happens(1_500) {
        let _ = writeln!(out, "# robots.txt of {host}\n");
    }
    if wanted > 200 && random.happens(900) {
        OF_MODELS.iter().take(random.between(1, 8) as usize).for_each(|token| {
            let _ = writeln!(out, "User-agent: {token}");
        });
        out.push_str("Disallow: /\n\n");
    }
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
