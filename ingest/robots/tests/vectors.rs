//! The match cases of ten other parsers, from a file that `ROBOCENSUS_VECTORS` names: one JSON object a line, with a
//! robots.txt, a crawler, a URL, what the suite expects, what RFC 9309 demands where it decides the case, and what
//! eleven implementations say.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use robots::{Dialect, judge, parse};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Vector {
    source: String,
    name: String,
    robots_base64: String,
    agent: String,
    url: String,
    expected_allowed: bool,
    rfc_expected_allowed: Option<bool>,
    peers: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Disagreements {
    disagreement: Vec<Disagreement>,
}

#[derive(Deserialize)]
struct Disagreement {
    name: String,
    section: String,
    reason: String,
    lines: Vec<usize>,
}

/// Calls `check` with each vector, its line number and its body, and collects the failures.
fn each(check: impl Fn(&Vector, usize, &[u8]) -> Option<String>) {
    let Some(path) = std::env::var_os("ROBOCENSUS_VECTORS") else {
        eprintln!("skipped: ROBOCENSUS_VECTORS is not set");
        return;
    };
    let vectors = std::fs::read_to_string(path).unwrap();
    let complaints: Vec<String> = vectors
        .lines()
        .zip(1..)
        .filter_map(|(line, line_no)| {
            let vector: Vector = serde_json::from_str(line).unwrap();
            let body = STANDARD.decode(&vector.robots_base64).unwrap();
            let complaint = check(&vector, line_no, &body)?;
            let Vector { source, name, agent, url, .. } = vector;
            Some(format!("line {line_no}: {source}: {name}: {agent} on {url}: {complaint}"))
        })
        .collect();
    assert!(vectors.lines().count() > 2_000, "the file of vectors is cut short");
    assert!(complaints.is_empty(), "{} of them:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn rfc_9309_decides() {
    each(|vector, _, body| {
        let verdict = judge(&parse(body), &vector.agent, &vector.url, Dialect::Rfc9309);
        let demanded = vector.rfc_expected_allowed?;
        (verdict.allowed != demanded).then(|| format!("RFC 9309 demands allowed = {demanded}, got {verdict:?}"))
    });
}

#[test]
fn disagreements_with_the_suites_are_the_listed_ones() {
    let listed: Disagreements = toml::from_str(include_str!("vectors/disagreements.toml")).unwrap();
    let mut reasons = BTreeMap::new();
    for Disagreement { name, section, reason, lines } in &listed.disagreement {
        assert!(!section.is_empty() && !reason.is_empty() && !lines.is_empty(), "{name} says too little");
        for line_no in lines {
            assert!(reasons.insert(*line_no, name).is_none(), "line {line_no} is listed twice");
        }
    }
    each(|vector, line_no, body| {
        let verdict = judge(&parse(body), &vector.agent, &vector.url, Dialect::Rfc9309);
        match (verdict.allowed == vector.expected_allowed, reasons.get(&line_no)) {
            (true, Some(name)) => Some(format!("listed under {name} as a disagreement, and is none")),
            (false, None) => Some(format!("the suite expects allowed = {}, got {verdict:?}", vector.expected_allowed)),
            _ => None,
        }
    });
}

#[test]
fn google_says_what_its_parser_says() {
    each(|vector, _, body| {
        let said = vector.peers.get("google_cpp")?;
        let verdict = judge(&parse(body), &vector.agent, &vector.url, Dialect::Google);
        (verdict.allowed != (said == "allowed")).then(|| format!("Google's parser says {said}, got {verdict:?}"))
    });
}
