//! Generates the page `docs/functions.md` from the documentation of the functions, with the answer to each example.

use super::fixture::{Site, batches, session_of};
use super::{documentation, register};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::common::HashSet;
use datafusion::prelude::SessionContext;
use std::fmt::Write;

const BLESS: &str = "ROBOCENSUS_BLESS=1 cargo test -p analyze functions";

const FILE: &str = "User-agent: GPTBot
User-agent: CCBot
Disallow: /press/drafts
Allow: /press/

User-agent: *
Disallow: /press/drafts/*/
";

/// The sites of the examples.
const SITES: [Site; 4] = [
    ("a.example", "rules", Some(200), Some(FILE)),
    ("b.example", "unavailable", Some(404), None),
    ("c.example", "unreachable", Some(503), None),
    ("d.example", "redirect_unresolved", Some(301), None),
];

#[test]
fn the_page_of_functions() {
    committed::check("docs/functions.md", &page(), BLESS);
}

#[test]
fn every_function_is_documented() {
    let names = |context: &SessionContext| {
        let state = context.state();
        let scalars = state.scalar_functions().keys().cloned();
        let aggregates = state.aggregate_functions().keys().cloned();
        scalars.chain(aggregates).chain(state.table_functions().keys().cloned()).collect::<HashSet<String>>()
    };
    let before = names(&SessionContext::new());
    let context = SessionContext::new();
    register(&context);
    let mut added: Vec<String> = names(&context).difference(&before).cloned().collect();
    let mut documented: Vec<String> = documentation().into_iter().map(|(name, _)| name).collect();
    added.sort();
    documented.sort();
    assert_eq!(added, documented);
}

fn page() -> String {
    let session = session_of(&SITES);
    let mut page = format!(
        "<!-- Made by analyze/src/functions/page.rs. To write it anew: {BLESS} -->

# Functions

These functions are added to those of [DataFusion](https://datafusion.apache.org/user-guide/sql/index.html). They call the same code as `robocensus judge` and `robocensus ingest`.

The examples that read a table run over four sites. The first has this file; the outcomes of the others are `unavailable`, `unreachable` and `redirect_unresolved`.

```text
{FILE}```
"
    );
    for (name, documentation) in documentation() {
        let syntax = &documentation.syntax_example;
        let _ = write!(page, "\n## {name}\n\n`{syntax}`\n\n{}\n\n", documentation.description);
        for (argument, meaning) in documentation.arguments.unwrap_or_default() {
            let _ = writeln!(page, "- `{argument}`: {meaning}.");
        }
        let example = documentation.sql_example.unwrap();
        let answer = pretty_format_batches(&batches(&session, &example)).unwrap();
        let _ = write!(page, "\n```sql\n{example}\n```\n\n```text\n{answer}\n```\n");
    }
    page
}
