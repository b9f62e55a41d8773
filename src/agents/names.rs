//! Reads the names in a list of agents, in any format in which such lists are published.

use serde_json::Value;

/// The names of a list: the keys of a JSON object, a JSON array of texts, a CSV with a column `token`, the user-agent
/// lines of a robots.txt, or one name per line. Fails on invalid UTF-8, JSON or CSV, and on a list without a name.
pub(super) fn read(text: &[u8]) -> Result<Vec<String>, String> {
    let text = std::str::from_utf8(text).map_err(|error| error.to_string())?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first_line = text.lines().next().unwrap_or_default();
    let names = if text.trim_start().starts_with(['{', '[']) {
        names_in_json(text)?
    } else if first_line.split(',').any(|column| column.trim_matches('"') == "token") {
        names_in_csv(text)?
    } else {
        names_in_lines(text)
    };
    if names.is_empty() { Err("it has no name".to_owned()) } else { Ok(names) }
}

fn names_in_json(text: &str) -> Result<Vec<String>, String> {
    match serde_json::from_str(text).map_err(|error| error.to_string())? {
        Value::Object(agents) => Ok(agents.into_iter().map(|(name, _)| name).collect()),
        Value::Array(agents) => agents
            .into_iter()
            .map(|agent| match agent {
                Value::String(name) => Ok(name),
                other => Err(format!("it is not a name: {other}")),
            })
            .collect(),
        other => Err(format!("it is not a list: {other}")),
    }
}

fn names_in_csv(text: &str) -> Result<Vec<String>, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?;
    let place = header.iter().position(|column| column == "token");
    let mut names = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        names.extend(place.and_then(|place| record.get(place)).filter(|name| !name.is_empty()).map(str::to_owned));
    }
    Ok(names)
}

fn names_in_lines(text: &str) -> Vec<String> {
    let parsed = robots::parse(text.as_bytes());
    if !parsed.agents().is_empty() {
        let name = |agent: &robots::Agent| String::from_utf8_lossy(parsed.bytes(agent.value)).into_owned();
        return parsed.agents().iter().map(name).collect();
    }
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::read;

    fn check(text: &str, expected: Result<&[&str], &str>) {
        let found = read(text.as_bytes());
        let found: Result<Vec<&str>, &str> = match &found {
            Ok(names) => Ok(names.iter().map(String::as_str).collect()),
            Err(cause) => Err(cause),
        };
        assert_eq!(found, expected.map(<[&str]>::to_vec), "{text:?}");
    }

    #[test]
    fn names_are_read_from_every_format() {
        check("{\"GPTBot\": {\"operator\": \"OpenAI\"}, \"A b\": {}}", Ok(&["A b", "GPTBot"]));
        check("[\"GPTBot\", \"A b\"]", Ok(&["GPTBot", "A b"]));
        check("token,operator\nGPTBot,OpenAI\n\"A, b\",\n", Ok(&["GPTBot", "A, b"]));
        check("operator,token\r\n,GPTBot\r\n", Ok(&["GPTBot"]));
        check("User-agent: GPTBot\nUser-agent: A b # c\nDisallow: /\n", Ok(&["GPTBot", "A b"]));
        check("# names\nGPTBot\n\n A b \nMistralAI-User/1.0", Ok(&["GPTBot", "A b", "MistralAI-User/1.0"]));
    }

    #[test]
    fn invalid_lists_fail() {
        check("", Err("it has no name"));
        check("{}", Err("it has no name"));
        check("[1]", Err("it is not a name: 1"));
        check("{\"GPTBot\"", Err("EOF while parsing an object at line 1 column 9"));
        assert!(read(b"\xff").is_err());
    }
}
