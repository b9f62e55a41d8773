//! `docs/conformance.md`, generated from `page.md`, the requirements and the cases.

use super::case::{Theme, folder};
use super::requirement::Requirement;
use std::fmt::Write;

/// The page: `page.md` with its placeholders replaced.
pub(crate) fn render(themes: &[Theme], requirements: &[Requirement]) -> String {
    prose()
        .replace("{{counts}}", &counts(themes, requirements))
        .replace("{{requirements}}", &table_of_requirements(requirements))
        .replace("{{cases}}", &tables_of_cases(themes))
}

/// The part of the page that is written by hand.
pub(crate) fn prose() -> String {
    std::fs::read_to_string(folder().join("page.md")).unwrap()
}

fn counts(themes: &[Theme], requirements: &[Requirement]) -> String {
    let cases: usize = themes.iter().map(|theme| theme.cases.len()).sum();
    let proved = requirements.iter().filter(|requirement| requirement.none.is_none()).count();
    format!(
        "{cases} cases in {} themes; {} requirements: {proved} have cases, and {} say why they have none.",
        themes.len(),
        requirements.len(),
        requirements.len() - proved
    )
}

fn table_of_requirements(requirements: &[Requirement]) -> String {
    let mut table = String::from("| § | level | the text | proved by |\n|---|---|---|---|\n");
    for requirement in requirements {
        let cases: Vec<String> = requirement.cases.iter().map(|case| format!("`{case}`")).collect();
        let proof = requirement.none.clone().unwrap_or_else(|| cases.join(", "));
        let Requirement { section, level, text, .. } = requirement;
        writeln!(table, "| {section} | {level} | {} | {} |", cell(text), cell(&proof)).unwrap();
    }
    table.trim_end().to_owned()
}

fn tables_of_cases(themes: &[Theme]) -> String {
    let mut tables = String::new();
    for theme in themes {
        writeln!(tables, "### {}\n\n{}\n", theme.title, theme.about).unwrap();
        tables.push_str("| case | authority | what it shows |\n|---|---|---|\n");
        for case in &theme.cases {
            let section = if case.section.is_empty() { String::new() } else { format!(", § {}", case.section) };
            writeln!(tables, "| `{}` | {}{section} | {} |", case.name, case.authority, cell(&case.reason)).unwrap();
        }
        tables.push('\n');
    }
    tables.trim_end().to_owned()
}

/// Text for a table cell, with escaped bars.
fn cell(text: &str) -> String {
    text.trim().replace('|', "\\|").replace('\n', " ")
}
