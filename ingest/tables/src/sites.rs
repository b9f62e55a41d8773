//! Sites and the outcome of their robots.txt, after redirects.

use crate::declare::table;

/// The policy class of sites whose file names no tracked agent, and of sites without a file: all is allowed.
pub const CLASS_OF_ALL: i64 = -1;

/// The policy class of unreachable sites: nothing is allowed.
pub const CLASS_OF_NONE: i64 = -2;

/// The policy class of sites whose access is unknown.
pub const CLASS_OF_UNKNOWN: i64 = -3;

table! { "sites", "one row per protocol (http or https), host and port whose /robots.txt was captured" {
    site_id: Large as Near + Ranged = "The smallest capture_id of its captures.",
    url_protocol: Text = "The scheme.",
    url_host_name: Text as Distinct + Sought = "The host, as in captures.",
    url_port: Small = "The port; the default port of the scheme if the URL has none.",
    url_host_tld: Maybe<Text> = "The last label of the host name.",
    url_host_registered_domain: Maybe<Text> as Distinct + Sought = "The domain directly below a public suffix, as in captures.",
    url_host_private_domain: Maybe<Text> as Distinct = "The same by both sections of the public suffix list.",
    captures: Large = "How many captures of its /robots.txt there are.",
    capture_id: Large as Near = "The capture that counts for the site, in captures.",
    fetch_time: Maybe<Time> as Near = "When that capture was fetched.",
    fetch_status: Maybe<Small> = "The status of that capture.",
    access_result: Word = "The access result of that capture." in robots::AccessResult::WORDS,
    hops: Small = "How many redirects were followed from that capture to another one, at most five.",
    final_capture_id: Maybe<Large> as Near = "The capture that redirects lead to, or capture_id without redirects; null if redirects lead to no capture.",
    final_url: Maybe<Text> as Distinct = "The URL that redirects lead to, captured or not; null without redirects, and if the last response has no usable Location.",
    final_host_name: Maybe<Text> as Distinct = "The host of the capture that redirects lead to; null without redirects.",
    final_registered_domain: Maybe<Text> as Distinct = "The registered domain of that host; null without redirects.",
    final_status: Maybe<Small> = "The status of the capture that counts, or of the capture that redirects lead to; null if they lead to none. In a loop and after too many redirects, that of the capture that the fifth redirect leads to.",
    outcome: Word = "What became of the robots.txt; docs/definitions.md explains each outcome." in robots::SiteOutcome::WORDS,
    access_without_rules: Maybe<Word> = "How much may be fetched if no rule decides: none if the file is unreachable; null if unknown, as after a redirect that was not resolved." in robots::AccessClass::ALL_OR_NONE,
    redirect_end: Maybe<Word> = "Why a redirect was not resolved; null if none failed." in robots::RedirectEnd::WORDS,
    body_id: Maybe<Large> as Near + Ranged = "The body that applies to the site, in bodies; null if there is none.",
    class_id: Large = "Its policy class, in class_verdicts: the smallest body_id among bodies with the same verdicts for each tracked agent. Without a body that names a tracked agent or *: -1 if all is allowed, -2 if nothing is, -3 if unknown.",
} }
