//! The match cases of ten other parsers, from the file that `ROBOCENSUS_VECTORS` names. Each line is a JSON object with
//! a robots.txt, a crawler, a URL, the verdict that the suite expects, the verdict by RFC 9309 if it decides the case,
//! and the verdicts of eleven implementations.

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
        committed::skipped("ROBOCENSUS_VECTORS is not set");
        return;
    };
    let vectors = std::fs::read_to_string(path).unwrap();
    let failures: Vec<String> = vectors
        .lines()
        .zip(1..)
        .filter_map(|(line, line_no)| {
            let vector: Vector = serde_json::from_str(line).unwrap();
            let body = STANDARD.decode(&vector.robots_base64).unwrap();
            let failure = check(&vector, line_no, &body)?;
            let Vector { source, name, agent, url, .. } = vector;
            Some(format!("line {line_no}: {source}: {name}: {agent} on {url}: {failure}"))
        })
        .collect();
    assert_eq!(vectors.lines().count(), 2_292, "README.md has the number of vectors, too");
    assert!(failures.is_empty(), "{} vectors failed:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn verdicts_that_rfc_9309_decides() {
    each(|vector, _, body| {
        let verdict = judge(&parse(body), &vector.agent, &vector.url, Dialect::Rfc9309);
        let required = vector.rfc_expected_allowed?;
        (verdict.allowed != required).then(|| format!("RFC 9309 requires allowed = {required}, got {verdict:?}"))
    });
}

#[test]
fn disagreements_with_the_suites_are_the_listed_ones() {
    let listed: Disagreements = toml::from_str(include_str!("vectors/disagreements.toml")).unwrap();
    let mut reasons = BTreeMap::new();
    for Disagreement { name, section, reason, lines } in &listed.disagreement {
        assert!(!section.is_empty() && !reason.is_empty() && !lines.is_empty(), "{name} has an empty field");
        for line_no in lines {
            assert!(reasons.insert(*line_no, name).is_none(), "line {line_no} is listed twice");
        }
    }
    each(|vector, line_no, body| {
        let verdict = judge(&parse(body), &vector.agent, &vector.url, Dialect::Rfc9309);
        match (verdict.allowed == vector.expected_allowed, reasons.get(&line_no)) {
            (true, Some(name)) => Some(format!("is listed under {name}, but does not disagree")),
            (false, None) => Some(format!("the suite expects allowed = {}, got {verdict:?}", vector.expected_allowed)),
            _ => None,
        }
    });
}

#[test]
fn the_google_dialect_agrees_with_its_parser() {
    each(|vector, _, body| {
        let expected = vector.peers.get("google_cpp")?;
        let verdict = judge(&parse(body), &vector.agent, &vector.url, Dialect::Google);
        (verdict.allowed != (expected == "allowed"))
            .then(|| format!("Google's parser says {expected}, got {verdict:?}"))
    });
}
