//! The expectations of a case: verdicts, facts of the file, the meaning of a status. Each returns its failed
//! expectations.

use super::case::repeated;
use robots::{AccessResult, Dialect, Parsed};
use serde::Deserialize;

/// Whether a crawler may fetch a URL.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Verdict {
    agent: String,
    #[serde(default)]
    url: String,
    /// Pieces of a long URL, and how often each is repeated.
    url_repeated: Option<Vec<(String, usize)>>,
    /// The dialects; `["all"]` means all of them.
    #[serde(default = "rfc9309")]
    dialects: Vec<String>,
    allowed: bool,
    /// The line that decides; 0 if none does.
    line: Option<u32>,
    /// The kind of the chosen group: `explicit`, `wildcard`, `none`.
    #[serde(rename = "match")]
    matched: Option<String>,
    /// The lines of the user-agent lines of the chosen groups.
    group_lines: Option<Vec<u32>>,
}

/// Facts of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parse {
    conforms: Option<bool>,
    /// All violations, in order.
    pub(crate) codes: Option<Vec<String>>,
    /// The text at the place of each violation, in order.
    places: Option<Vec<String>>,
    /// The user-agent lines of each group, as written.
    groups: Option<Vec<Vec<String>>>,
    /// All rules as `disallow /x`, including those in no group.
    rules: Option<Vec<String>>,
    /// The keys and values of all other records.
    records: Option<Vec<String>>,
    pub(crate) preferences: Option<Vec<String>>,
    kind: Option<String>,
    encoding: Option<String>,
    lines: Option<u32>,
    rules_beyond_500_kib: Option<u32>,
}

/// The meaning of a status.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Access {
    /// 0 if there was no response.
    status: u16,
    #[serde(default = "rfc9309")]
    dialects: Vec<String>,
    /// The class of the response, § 2.3.1.
    result: Option<String>,
    /// `rules`, `redirect`, `all`, `none`.
    allows: String,
}

fn rfc9309() -> Vec<String> {
    vec![Dialect::Rfc9309.name().to_owned()]
}

fn dialects(names: &[String]) -> Vec<Dialect> {
    match names {
        [all] if all == "all" => Dialect::ALL.to_vec(),
        names => {
            names.iter().map(|name| Dialect::named(name).unwrap_or_else(|| panic!("unknown dialect: {name}"))).collect()
        }
    }
}

fn compare<T: PartialEq + std::fmt::Debug>(what: &str, expected: Option<&T>, got: &T) -> Option<String> {
    let expected = expected.filter(|expected| *expected != got)?;
    Some(format!("{what}: expected {expected:?}, got {got:?}"))
}

impl Verdict {
    pub(crate) fn failures(&self, parsed: &Parsed<'_>) -> Vec<String> {
        let url = self.url_repeated.as_ref().map_or_else(|| self.url.clone(), |pieces| repeated(pieces));
        let failures_in = |dialect: Dialect| {
            let got = robots::judge(parsed, &self.agent, &url, dialect);
            let found = [
                compare("allowed", Some(&self.allowed), &got.allowed),
                compare("line", self.line.as_ref(), &got.line.unwrap_or_default()),
                compare("match", self.matched.as_ref(), &got.matched.name().to_owned()),
                compare("group lines", self.group_lines.as_ref(), &got.group_lines),
            ];
            let asked = format!("{} on {:.80} in {}", self.agent, url, dialect.name());
            found.into_iter().flatten().map(move |failure| format!("{asked}: {failure}"))
        };
        dialects(&self.dialects).into_iter().flat_map(failures_in).collect()
    }
}

impl Parse {
    pub(crate) fn failures(&self, parsed: &Parsed<'_>) -> Vec<String> {
        let text = |span| String::from_utf8_lossy(parsed.bytes(span)).into_owned();
        let codes: Vec<String> = parsed.violations().iter().map(|violation| violation.code.name().to_owned()).collect();
        let places: Vec<String> = parsed.violations().iter().map(|violation| text(violation.span)).collect();
        let agents_of = |group| parsed.agents_of(group).iter().map(|agent| text(agent.value)).collect();
        let groups: Vec<Vec<String>> = parsed.groups().iter().map(agents_of).collect();
        let rule = |rule: &robots::Rule| {
            format!("{} {}", if rule.allow { "allow" } else { "disallow" }, text(rule.pattern)).trim_end().to_owned()
        };
        let rules: Vec<String> = parsed.rules().iter().map(rule).collect();
        let record = |record: &robots::OtherRecord| format!("{}: {}", text(record.key), text(record.value));
        let records: Vec<String> = parsed.records().iter().map(record).collect();
        let preferences: Vec<String> =
            parsed.preferences().iter().map(|preference| stated(preference, parsed)).collect();
        let facts = parsed.facts;
        let found = [
            compare("conforms", self.conforms.as_ref(), &facts.conforms),
            compare("codes", self.codes.as_ref(), &codes),
            compare("places", self.places.as_ref(), &places),
            compare("groups", self.groups.as_ref(), &groups),
            compare("rules", self.rules.as_ref(), &rules),
            compare("records", self.records.as_ref(), &records),
            compare("preferences", self.preferences.as_ref(), &preferences),
            compare("kind", self.kind.as_ref(), &facts.kind.name().to_owned()),
            compare("encoding", self.encoding.as_ref(), &facts.encoding.name().to_owned()),
            compare("lines", self.lines.as_ref(), &facts.line_count),
            compare("rules beyond 500 KiB", self.rules_beyond_500_kib.as_ref(), &facts.rules_beyond_500_kib),
        ];
        found.into_iter().flatten().collect()
    }
}

/// A preference as `path label says, effect: problem`, without parts that it does not have.
fn stated(preference: &robots::Preference, parsed: &Parsed<'_>) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let says = preference.stated.map_or("", robots::Stated::name);
    let words = [text(parsed.bytes(preference.path)), text(&preference.label(parsed.text())), says.to_owned()];
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
    let effect = preference.effect().name();
    match preference.problem {
        None => format!("{}, {effect}", words.join(" ")),
        Some(problem) => format!("{}, {effect}: {}", words.join(" "), problem.name()),
    }
}

impl Access {
    pub(crate) fn failures(&self) -> Vec<String> {
        let status = Some(self.status).filter(|status| *status > 0);
        let result = AccessResult::from_status(status).name().to_owned();
        let failures_in = |dialect: Dialect| {
            let allows = match robots::SiteAccess::from_status(status, dialect) {
                robots::SiteAccess::ByRules => "rules",
                robots::SiteAccess::ByRedirect => "redirect",
                robots::SiteAccess::All => "all",
                robots::SiteAccess::None => "none",
                robots::SiteAccess::Unknown => "unknown",
            };
            let found = [
                compare("allows", Some(&self.allows), &allows.to_owned()),
                compare("result", self.result.as_ref(), &result),
            ];
            let asked = format!("status {} in {}", self.status, dialect.name());
            found.into_iter().flatten().map(move |failure| format!("{asked}: {failure}"))
        };
        dialects(&self.dialects).into_iter().flat_map(failures_in).collect()
    }
}
