//! `lint --explain`: describes a violation code.

use super::diagnostic::citation;
use crate::exit::Exit;
use crate::failures::CommandResult;
use crate::streams::Streams;
use crate::terminal::Safe;
use analyze::nearest;
use folder::Failure;
use robots::{Code, Tier};
use std::path::Path;

/// Prints the description of a code. For an unknown code it prints similar ones and returns `Failed`.
pub(crate) fn run(name: &str, streams: &mut Streams<'_>) -> CommandResult {
    let Some(code) = Code::named(name) else {
        let similar = similar_codes(name);
        let hint = if similar.is_empty() {
            "lint prints the codes in brackets".into()
        } else {
            format!("did you mean {}?", similar.join(", "))
        };
        return Err(Failure::new("code is unknown", Path::new(name), hint).into());
    };
    let severity = streams.screen.palette.severity(code.severity());
    let message = streams.screen.palette.message;
    let tier = match code.tier() {
        Tier::A => "a violation of the grammar of RFC 9309",
        Tier::B => "another record: RFC 9309 allows it, and its grammar does not include it",
        Tier::C => "a remark: the grammar may allow it, but parsers read it differently, or it has no effect",
    };
    let out = &mut *streams.out;
    writeln!(
        out,
        "{severity}{}[{}]{severity:#}{message}: {}{message:#}",
        code.severity().name(),
        code.name(),
        code.text()
    )?;
    writeln!(out, "  tier:    {}, {tier}", code.tier().name())?;
    writeln!(out, "  effect:  {}", code.effect().name())?;
    writeln!(out, "  source:  {}", citation(code))?;
    writeln!(out, "  example: {}", Safe(code.example().as_bytes()))?;
    Ok(Exit::Good)
}

/// The first codes that contain the name; without any, the most similar code.
fn similar_codes(name: &str) -> Vec<&'static str> {
    const SHOWN: usize = 5;
    let name = name.to_ascii_lowercase();
    let codes = || Code::ALL.iter().map(|code| code.name());
    let containing: Vec<_> = codes().filter(|code| name.len() > 2 && code.contains(&name)).take(SHOWN).collect();
    if containing.is_empty() { nearest(&name, codes()).into_iter().collect() } else { containing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_codes_come_first() {
        assert_eq!(similar_codes("ua-vrsion").first(), Some(&"ua-version"));
        assert_eq!(similar_codes("UA-VERSION").first(), Some(&"ua-version"));
        assert!(similar_codes("sitemap").contains(&"ext-sitemap"), "{:?}", similar_codes("sitemap"));
        assert!(similar_codes("qqqq").is_empty(), "{:?}", similar_codes("qqqq"));
        assert!(similar_codes("").is_empty(), "{:?}", similar_codes(""));
    }
}
