//! The crawlers that robots.txt files name, most frequent first. The tokens are those that their operators publish.

use super::random::Random;
use super::words::WORDS;

/// Without `*`, which most groups are for.
const KNOWN: [&str; 96] = [
    "Googlebot",
    "Mediapartners-Google",
    "bingbot",
    "Slurp",
    "MJ12bot",
    "AhrefsBot",
    "Yandex",
    "Baiduspider",
    "SemrushBot",
    "ia_archiver",
    "msnbot",
    "AdsBot-Google",
    "Googlebot-Image",
    "dotbot",
    "GPTBot",
    "CCBot",
    "Twitterbot",
    "Googlebot-Mobile",
    "BLEXBot",
    "rogerbot",
    "wget",
    "HTTrack",
    "WebZIP",
    "Teleport",
    "WebCopier",
    "SiteSnagger",
    "Offline Explorer",
    "EmailCollector",
    "EmailSiphon",
    "WebBandit",
    "WebStripper",
    "Xenu",
    "larbin",
    "libwww",
    "grub",
    "Fetch",
    "Zao",
    "NPBot",
    "TurnitinBot",
    "psbot",
    "Exabot",
    "Gigabot",
    "Teoma",
    "Scooter",
    "YandexBot",
    "PetalBot",
    "Bytespider",
    "ClaudeBot",
    "anthropic-ai",
    "Google-Extended",
    "ChatGPT-User",
    "PerplexityBot",
    "Amazonbot",
    "Applebot",
    "Applebot-Extended",
    "FacebookBot",
    "meta-externalagent",
    "cohere-ai",
    "Omgilibot",
    "Diffbot",
    "ImagesiftBot",
    "DataForSeoBot",
    "SeekportBot",
    "BUbiNG",
    "Mail.Ru",
    "Sogou web spider",
    "Sosospider",
    "YoudaoBot",
    "360Spider",
    "YisouSpider",
    "DuckDuckBot",
    "facebookexternalhit",
    "LinkedInBot",
    "Pinterestbot",
    "Screaming Frog",
    "SEOkicks",
    "spbot",
    "linkdexbot",
    "archive.org_bot",
    "trendictionbot",
    "magpie-crawler",
    "Mozilla",
    "ZoominfoBot",
    "Barkrowler",
    "MegaIndex",
    "serpstatbot",
    "Cliqzbot",
    "Seznambot",
    "heritrix",
    "nutch",
    "Swiftbot",
    "Uptimebot",
    "CazoodleBot",
    "discobot",
    "moget",
    "ichiro",
];

/// A crawler.
pub(super) fn agent(random: &mut Random, out: &mut String) {
    if random.happens(150) {
        // The long tail of crawlers that are rarely named.
        out.push_str(random.one_of(&WORDS));
        out.push_str(random.one_of(&WORDS));
        out.push_str(random.one_of(&["bot", "Bot", "-spider", "crawler", "/1.0", " Agent"]));
    } else {
        out.push_str(random.zipf(&KNOWN).copied().unwrap_or_default());
        if random.happens(500) {
            out.push_str(random.one_of(&["/1.0", "/2.1", "/4.0"]));
        }
    }
}

/// Crawlers for training language models. Sites name them together.
pub(super) const OF_MODELS: [&str; 8] =
    ["GPTBot", "CCBot", "ClaudeBot", "Google-Extended", "Bytespider", "anthropic-ai", "PerplexityBot", "Amazonbot"];

/// Crawlers that no file of 2023 or before names.
pub(super) const SINCE_2023: [&str; 10] = [
    "Applebot-Extended",
    "ChatGPT-User",
    "ClaudeBot",
    "Google-Extended",
    "GPTBot",
    "ImagesiftBot",
    "PerplexityBot",
    "anthropic-ai",
    "cohere-ai",
    "meta-externalagent",
];
