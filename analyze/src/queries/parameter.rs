//! The parameters of queries.

use crate::statement::ParameterValue;
use std::num::{IntErrorKind, ParseIntError};

/// Shared parameters, which queries declare by name and default only: `NAME TYPE, UNIT: MEANING` on each line.
const SHARED: &str = include_str!("../../../queries/parameters.txt");

/// A parameter of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Its name, without the dollar sign.
    pub name: String,
    /// The type of its values.
    pub kind: ParameterKind,
    /// The value if the user gives none.
    pub default: ParameterValue,
    /// The default as the header writes it, without quotes.
    pub written_default: String,
    /// The unit of its value.
    pub unit: String,
    /// Its effect.
    pub meaning: String,
}

/// The type of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterKind {
    /// Any text.
    Text,
    /// A whole number.
    Integer,
    /// A whole number of at least 1.
    Count,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// The name of a crawl; empty for all crawls.
    Crawl,
    /// The name of a template.
    Template,
    /// A purpose of tracked agents.
    Purpose,
    /// The token of an agent, with ASCII letters in lower case, as in tables.
    Agent,
    /// Tokens of agents in the same form, separated by commas or blanks. An empty list is one empty text.
    Agents,
    /// Texts in lower case, separated by commas or blanks.
    Texts,
    /// A path that starts with a slash.
    Path,
    /// One of these words.
    OneOf(Vec<String>),
    /// Some of these words, separated by commas.
    SomeOf(Vec<String>),
}

/// The long option of `robocensus query` for the value of a parameter, without the dashes.
#[must_use]
pub fn option_name(parameter: &str) -> String {
    parameter.replace('_', "-")
}

impl Parameter {
    /// Reads `NAME TYPE = DEFAULT, UNIT: MEANING`, or `NAME = DEFAULT` with an optional `: MEANING` for a shared
    /// parameter.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let malformed = || format!("not of the form NAME TYPE = DEFAULT, UNIT: MEANING: {line}");
        let (declared, rest) = line.split_once(" = ").ok_or_else(malformed)?;
        let (name, kind, default, unit, meaning) = match declared.split_once(' ') {
            Some((name, kind)) => {
                let (rest, meaning) = rest.split_once(": ").ok_or_else(malformed)?;
                let (default, unit) = rest.rsplit_once(", ").ok_or_else(malformed)?;
                (name, kind, default, unit, meaning)
            }
            None => {
                let (kind, unit, shared_meaning) = find_shared(declared)?;
                let (default, meaning) = rest.split_once(": ").unwrap_or((rest, shared_meaning));
                (declared, kind, default, unit, meaning)
            }
        };
        let kind = ParameterKind::parse(kind)?;
        let written_default = unquoted(default.trim());
        let default = kind.read(written_default).map_err(|cause| format!("the default of {name}: {cause}"))?;
        Ok(Parameter {
            name: name.to_owned(),
            kind,
            default,
            written_default: written_default.to_owned(),
            unit: unit.trim().to_owned(),
            meaning: meaning.trim().to_owned(),
        })
    }

    /// Reads a typed value. Fails if it is not of the parameter's type.
    pub fn read(&self, typed: &str) -> Result<ParameterValue, String> {
        self.kind.read(typed)
    }
}

/// The types without words, by name.
const NAMED: [(&str, ParameterKind); 12] = [
    ("text", ParameterKind::Text),
    ("integer", ParameterKind::Integer),
    ("count", ParameterKind::Count),
    ("number", ParameterKind::Number),
    ("boolean", ParameterKind::Boolean),
    ("crawl", ParameterKind::Crawl),
    ("template", ParameterKind::Template),
    ("purpose", ParameterKind::Purpose),
    ("agent", ParameterKind::Agent),
    ("agents", ParameterKind::Agents),
    ("texts", ParameterKind::Texts),
    ("path", ParameterKind::Path),
];

/// Type, unit and meaning of a shared parameter.
fn find_shared(name: &str) -> Result<(&'static str, &'static str, &'static str), String> {
    let mut names = Vec::new();
    for line in SHARED.lines() {
        let Some((declared, meaning)) = line.split_once(": ") else { continue };
        let Some(((shared, kind), unit)) =
            declared.rsplit_once(", ").and_then(|(declared, unit)| Some((declared.split_once(' ')?, unit)))
        else {
            continue;
        };
        if shared == name {
            return Ok((kind, unit, meaning));
        }
        names.push(shared);
    }
    Err(format!("{name} has no type and is not a shared parameter; shared parameters are {}", names.join(", ")))
}

/// Removes the quotes of a default. Defaults that are empty, or start or end with a blank, need them.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).unwrap_or(text)
}

impl ParameterKind {
    fn parse(text: &str) -> Result<Self, String> {
        let words = |words: &str| words.split_whitespace().map(str::to_owned).collect();
        match (text.strip_prefix("one of "), text.strip_prefix("some of ")) {
            (Some(one), _) => Ok(ParameterKind::OneOf(words(one))),
            (_, Some(some)) => Ok(ParameterKind::SomeOf(words(some))),
            (None, None) => (NAMED.iter().find(|(name, _)| *name == text))
                .map(|(_, kind)| kind.clone())
                .ok_or_else(|| format!("unknown type: {text}; the types are {}", Self::list_names())),
        }
    }

    /// The types as question files name them.
    #[must_use]
    pub fn list_names() -> String {
        let names: Vec<&str> = NAMED.iter().map(|(name, _)| *name).collect();
        format!("{}, one of WORDS, some of WORDS", names.join(", "))
    }

    /// Reads a typed value. Fails if it is not of this type.
    pub fn read(&self, typed: &str) -> Result<ParameterValue, String> {
        match self {
            ParameterKind::Text | ParameterKind::Crawl | ParameterKind::Template | ParameterKind::Purpose => {
                Ok(ParameterValue::Text(typed.to_owned()))
            }
            ParameterKind::Agent if typed.is_empty() => Err("'' names no agent".to_owned()),
            ParameterKind::Agent => Ok(ParameterValue::Text(typed.to_ascii_lowercase())),
            ParameterKind::Agents => Ok(ParameterValue::Texts(agents(&typed.to_ascii_lowercase()))),
            ParameterKind::Texts => {
                let lower = typed.to_lowercase();
                let texts = lower.split(|between: char| between == ',' || between.is_whitespace());
                let mut texts: Vec<String> = texts.filter(|text| !text.is_empty()).map(str::to_owned).collect();
                if texts.is_empty() {
                    texts.push(String::new());
                }
                Ok(ParameterValue::Texts(texts))
            }
            ParameterKind::Path if typed.starts_with('/') => Ok(ParameterValue::Text(typed.to_owned())),
            ParameterKind::Path => Err(format!("{} does not start with a slash", shown(typed))),
            ParameterKind::Integer => whole_number(typed).map(ParameterValue::Integer),
            ParameterKind::Count => match whole_number(typed)? {
                count @ 1.. => Ok(ParameterValue::Integer(count)),
                _ => Err(format!("{} is less than 1", shown(typed))),
            },
            ParameterKind::Number => match typed.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(ParameterValue::Number(value)),
                _ => Err(format!("{} is not a number", shown(typed))),
            },
            ParameterKind::Boolean => typed
                .parse()
                .map(ParameterValue::Boolean)
                .map_err(|_| format!("{} is neither true nor false", shown(typed))),
            ParameterKind::OneOf(words) if words.iter().any(|word| word == typed) => {
                Ok(ParameterValue::Text(typed.to_owned()))
            }
            ParameterKind::OneOf(words) => Err(format!("{} is not one of {}", shown(typed), words.join(", "))),
            ParameterKind::SomeOf(words) => {
                let some: Vec<String> = typed.split(',').map(|word| word.trim().to_owned()).collect();
                match some.iter().find(|word| !words.contains(word)) {
                    Some(word) => Err(format!("{} is not one of {}", shown(word), words.join(", "))),
                    None if some.len() > 1 && some.iter().any(|word| word == "none") => {
                        Err("none cannot be combined with other words".to_owned())
                    }
                    None => Ok(ParameterValue::Texts(some)),
                }
            }
        }
    }
}

/// The agents of a list. A blank can separate names or be part of a name. Only a folder of tables tells which, so the
/// result has both readings: the whole text between two commas, and then its words.
fn agents(list: &str) -> Vec<String> {
    let mut agents: Vec<String> = Vec::new();
    for name in list.split(',').map(str::trim) {
        for agent in std::iter::once(name).chain(name.split_whitespace()) {
            if !agents.iter().any(|known| known == agent) {
                agents.push(agent.to_owned());
            }
        }
    }
    if agents.len() > 1 {
        // Two commas in a row, or one at the end, leave empty texts.
        agents.retain(|agent| !agent.is_empty());
    }
    agents
}

fn whole_number(typed: &str) -> Result<i64, String> {
    typed.parse().map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => format!("{} is more than {}", shown(typed), i64::MAX),
        IntErrorKind::NegOverflow => format!("{} is less than {}", shown(typed), i64::MIN),
        _ => format!("{} is not a whole number", shown(typed)),
    })
}

/// A typed value in a message, where an empty one would be invisible.
fn shown(typed: &str) -> &str {
    if typed.is_empty() { "''" } else { typed }
}

impl std::fmt::Display for ParameterKind {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ParameterKind::Count => formatter.write_str("number from 1"),
            ParameterKind::Boolean => formatter.write_str("true or false"),
            ParameterKind::OneOf(words) => write!(formatter, "one of {}", words.join(", ")),
            ParameterKind::SomeOf(words) => write!(formatter, "some of {}", words.join(", ")),
            other => {
                let named = NAMED.iter().find(|(_, kind)| kind == other);
                formatter.write_str(named.map_or("", |(name, _)| name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::{ParameterValues, ParsedQuery};

    #[test]
    fn a_shared_parameter_needs_no_type() {
        let check = |short: &str, long: &str| assert_eq!(Parameter::parse(short), Parameter::parse(long), "{short}");
        check("crawl = ''", "crawl crawl = '', name: the crawl; default: all crawls");
        check(
            "denominator = read",
            "denominator one of rules read answered decided all = read, sites: which sites are counted, as in population",
        );
        check(
            "by = tld: how to split",
            "by some of none rank-cumulative rank tld category server = tld, splits: how to split",
        );
        let name = |line: &'static str| line.split(' ').next().unwrap_or_default();
        assert!(SHARED.lines().map(name).all(|name| find_shared(name).is_ok()), "{SHARED}");
    }

    #[test]
    fn counts_names_and_lists_of_words() {
        let check = |kind: &str, typed: &str, expected: Result<ParameterValue, &str>| {
            let read = ParameterKind::parse(kind).unwrap().read(typed);
            assert_eq!(read, expected.map_err(str::to_owned), "{kind}: {typed}");
        };
        check("count", "1", Ok(ParameterValue::Integer(1)));
        check("count", "0", Err("0 is less than 1"));
        check("count", "-3", Err("-3 is less than 1"));
        check("count", "1.5", Err("1.5 is not a whole number"));
        // An empty value is an error: a script may have lost it.
        check("agent", "", Err("'' names no agent"));
        check("path", "", Err("'' does not start with a slash"));
        check("path", "/", Ok(ParameterValue::Text("/".to_owned())));
        let texts = |words: &[&str]| ParameterValue::Texts(words.iter().map(|&word| word.to_owned()).collect());
        check("some of none rank tld", "rank, tld", Ok(texts(&["rank", "tld"])));
        check("some of none rank tld", "none", Ok(texts(&["none"])));
        check("some of none rank tld", "none,tld", Err("none cannot be combined with other words"));
        check("some of none rank tld", "rank,tdl", Err("tdl is not one of none, rank, tld"));
        check("some of none rank tld", "", Err("'' is not one of none, rank, tld"));
    }

    #[test]
    fn lists_of_texts() {
        let check = |typed: &str, bound: &str| {
            let value = ParameterKind::Texts.read(typed).unwrap();
            let mut parsed = ParsedQuery::parse("SELECT a AND strpos(path, $texts) > 0 FROM t").unwrap();
            parsed.bind(&ParameterValues::from([("texts".to_owned(), value)]));
            assert_eq!(parsed.to_string(), format!("SELECT a AND {bound} FROM t"), "{typed}");
        };
        check("/Admin,, it's", "(strpos(path, '/admin') > 0 OR strpos(path, 'it''s') > 0)");
        check("/a", "(strpos(path, '/a') > 0)");
        check(" , ", "false");
        check("", "false");
    }

    #[test]
    fn lists_of_agents() {
        let check = |typed: &str, expected: &[&str], bound: &str| {
            let value = ParameterKind::Agents.read(typed).unwrap();
            assert_eq!(
                value,
                ParameterValue::Texts(expected.iter().map(|&agent| agent.to_owned()).collect()),
                "{typed}"
            );
            let mut parsed =
                ParsedQuery::parse("SELECT '' IN ($agents), agent NOT IN ('x', $agents, $other) FROM t").unwrap();
            parsed.bind(&ParameterValues::from([("agents".to_owned(), value)]));
            assert_eq!(parsed.to_string(), bound, "{typed}");
        };
        check("", &[""], "SELECT '' IN (''), agent NOT IN ('x', '', $other) FROM t");
        check(
            "GPTBot, it's*,",
            &["gptbot", "it's*"],
            "SELECT '' IN ('gptbot', 'it''s*'), agent NOT IN ('x', 'gptbot', 'it''s*', $other) FROM t",
        );
        check(
            "Sogou web gptbot gptbot",
            &["sogou web gptbot gptbot", "sogou", "web", "gptbot"],
            "SELECT '' IN ('sogou web gptbot gptbot', 'sogou', 'web', 'gptbot'), \
             agent NOT IN ('x', 'sogou web gptbot gptbot', 'sogou', 'web', 'gptbot', $other) FROM t",
        );
    }
}
