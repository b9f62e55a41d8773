//! Statements made from those of the questions by seeded mutations: whatever a statement is, the code that parses,
//! checks, rewrites and plans it returns, and a session that only reads accepts nothing but reads.

use crate::questions::modelled;
use crate::random::Random;
use crate::sample;
use analyze::queries::{self, QueryKind};
use analyze::statement::{ParsedQuery, parse_statements};
use analyze::{Session, SessionOptions};
use committed::full::is_full;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::logical_expr::LogicalPlan;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};

const SEED: u64 = 17;

/// How many statements are made, and how many in the full run.
const STATEMENTS: [usize; 2] = [50, 2_000];

/// Texts that make a statement write, if they stand before and after it.
const WRITES: [(&str, &str); 14] = [
    ("COPY (", ") TO 'stolen.csv'"),
    ("CREATE TABLE stolen AS ", ""),
    ("CREATE VIEW captures AS ", ""),
    ("CREATE EXTERNAL TABLE stolen STORED AS CSV LOCATION '/etc/passwd'; ", ""),
    ("INSERT INTO captures ", ""),
    ("EXPLAIN ANALYZE INSERT INTO captures ", ""),
    ("EXPLAIN COPY (", ") TO 'stolen.parquet'"),
    ("DELETE FROM captures WHERE url IN (", ")"),
    ("WITH gone AS (DELETE FROM captures RETURNING url) ", ""),
    ("DROP TABLE captures; ", ""),
    ("SET datafusion.execution.batch_size = 1; ", ""),
    ("PREPARE p AS ", ""),
    ("", " INTO stolen"),
    ("", "; UPDATE captures SET url = ''"),
];

/// Texts that nest a part of a statement, if they stand before and after it.
const NESTS: [(&str, &str); 8] = [
    ("(", ")"),
    ("(SELECT ", ")"),
    ("NOT ", ""),
    ("- ", ""),
    ("CASE WHEN ", " THEN 1 END"),
    ("1 + ", ""),
    ("SELECT * FROM (", ") AS n"),
    ("ARRAY<", ">"),
];

/// The statements of all questions with their defaults, as tokens.
fn statements() -> Vec<Vec<String>> {
    let views = queries::all(QueryKind::View).expect("the views can be read");
    let questions = queries::all(QueryKind::Question).expect("the questions can be read");
    (questions.iter())
        .map(|question| {
            let values = question.values(&views, &BTreeMap::new()).expect("they have defaults");
            tokens(&question.statement(&views, &values).expect("it can be parsed").to_string())
        })
        .collect()
}

fn tokens(text: &str) -> Vec<String> {
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize().expect("it has tokens");
    tokens.iter().filter(|token| !matches!(token, Token::Whitespace(_))).map(ToString::to_string).collect()
}

/// A statement with some mutations.
fn mutated(statements: &[Vec<String>], random: &mut Random) -> String {
    let mut pick = |count: usize| random.below(count.max(1));
    let mut tokens = statements[pick(statements.len())].clone();
    for _ in 0..[1, 1, 1, 2, 4][pick(5)] {
        if tokens.is_empty() {
            break;
        }
        let at = pick(tokens.len());
        let end = at + pick((tokens.len() - at).min(30));
        match pick(8) {
            0 => drop(tokens.drain(at..end)),
            1 => drop(tokens.splice(at..at, tokens[at..end].to_vec())),
            2 => {
                let other = pick(tokens.len());
                tokens.swap(at, other);
            }
            3 => {
                let other = &statements[pick(statements.len())];
                tokens[at].clone_from(&other[pick(other.len())]);
            }
            7 => {
                let (before, after) = [("EXPLAIN", ""), ("SELECT count(*) FROM (", ") AS n")][pick(2)];
                tokens.insert(0, before.to_owned());
                tokens.push(after.to_owned());
            }
            4 => {
                let (before, after) = NESTS[pick(NESTS.len())];
                let depth = [1, 3, 60, 300, 3_000][pick(5)];
                tokens.insert(end, after.repeat(depth));
                tokens.insert(at, before.repeat(depth));
            }
            5 => {
                let (before, after) = WRITES[pick(WRITES.len())];
                tokens.insert(0, before.to_owned());
                tokens.push(after.to_owned());
            }
            _ => {
                // A long chain.
                let chain = [" OR 1 = 1", " - 1", " || 'a'", ", 1", " UNION ALL SELECT 1", " JOIN sites USING (crawl)"];
                tokens.insert(at, chain[pick(chain.len())].repeat([2, 300, 6_000][pick(3)]));
            }
        }
    }
    tokens.join(" ")
}

/// Whether a plan and all plans in it only read.
fn only_reads(plan: &LogicalPlan) -> bool {
    let mut only = true;
    let _ = plan.apply_with_subqueries(|plan| {
        let writes = matches!(
            plan,
            LogicalPlan::Dml(_) | LogicalPlan::Ddl(_) | LogicalPlan::Copy(_) | LogicalPlan::Statement(_)
        );
        only &= !writes;
        Ok(TreeNodeRecursion::Continue)
    });
    only
}

#[test]
fn mutated_statements_are_answered_or_refused() {
    let tables = modelled();
    let before = sample::files(tables);
    let statements = statements();
    let count = STATEMENTS[usize::from(is_full())];
    let checked = analyze::with_large_stack(|| {
        let runtime = analyze::runtime(NonZeroUsize::MIN).expect("threads start");
        let session = runtime.block_on(Session::open(tables, &SessionOptions::default())).expect("it can be opened");
        let mut random = Random::new(SEED);
        let mut planned = 0;
        for nth in 0..count {
            let text = mutated(&statements, &mut random);
            let shown = text.chars().take(3_000).collect::<String>();
            let parsed = catch_unwind(|| {
                if let Ok(mut query) = ParsedQuery::parse(&text) {
                    query.fold();
                    query.for_spark();
                    let _ = (query.to_string(), query.tables(), query.calls(), query.column_names());
                }
                parse_statements(&text)
            });
            let parsed = parsed.unwrap_or_else(|_| panic!("seed {SEED}, number {nth} panics: {shown}"));
            for statement in parsed.into_iter().flatten() {
                let answer = catch_unwind(AssertUnwindSafe(|| runtime.block_on(session.answer(statement))));
                let answer = answer.unwrap_or_else(|_| panic!("seed {SEED}, number {nth} panics: {shown}"));
                if let Ok(frame) = answer {
                    assert!(only_reads(frame.logical_plan()), "number {nth} writes: {shown}");
                    planned += 1;
                }
            }
        }
        planned
    });
    let planned = checked.expect("a thread starts");
    assert!(planned >= count / 20, "{planned} of {count} mutated statements were planned");
    assert!(sample::files(tables) == before, "the tables have changed");
    assert!(!std::path::Path::new("stolen.csv").exists() && !std::path::Path::new("stolen.parquet").exists());
}
