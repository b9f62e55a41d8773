//! Any text is planned or refused, and a plan that is not refused only reads. A planned query that is printed is the same
//! query, and all that is done to it before it is planned leaves a query.
//!
//! An input is a text of statements. They are planned over the folder of tables that `ROBOCENSUS_TABLES` names, and not
//! run.
#![no_main]

use analyze::statement::ParsedQuery;
use analyze::{Session, SessionOptions, runtime};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::logical_expr::LogicalPlan;
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::LazyLock;
use tokio::runtime::Runtime;

/// Its threads have the stacks that statements need.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| runtime(NonZeroUsize::MIN).expect("a runtime can be started"));

static SESSION: LazyLock<Session> = LazyLock::new(|| {
    let tables = PathBuf::from(std::env::var_os("ROBOCENSUS_TABLES").expect("ROBOCENSUS_TABLES names tables"));
    let session = async move { Session::open(&tables, &SessionOptions::default()).await };
    RUNTIME.block_on(session).expect("the folder opens")
});

fuzz_target!(|text: &str| {
    let session = &*SESSION;
    let text = text.to_owned();
    let checked = RUNTIME.spawn(async move {
        let Ok(frame) = session.query(&text).await else { return };
        assert_only_reads(frame.logical_plan());
        // The parser reads and prints some texts that are no SQL, such as `a . 0`, as texts that it does not read.
        if let Ok(query) = ParsedQuery::parse(&text) {
            assert_stays_a_query(query);
        }
    });
    RUNTIME.block_on(checked).expect("it does not panic");
});

fn assert_only_reads(plan: &LogicalPlan) {
    let read = plan.apply_with_subqueries(|node| {
        let writes = matches!(
            node,
            LogicalPlan::Dml(_) | LogicalPlan::Ddl(_) | LogicalPlan::Copy(_) | LogicalPlan::Statement(_)
        );
        assert!(!writes, "{node}");
        Ok(TreeNodeRecursion::Continue)
    });
    read.expect("the plan can be read");
}

fn assert_stays_a_query(query: ParsedQuery) {
    let printed = query.to_string();
    let again = ParsedQuery::parse(&printed).unwrap_or_else(|error| panic!("{printed}: {error}"));
    assert_eq!(again.to_string(), printed);
    let mut bound = query;
    bound.bind(&BTreeMap::new());
    bound.fold();
    let printed = bound.to_string();
    ParsedQuery::parse(&printed).unwrap_or_else(|error| panic!("{printed}: {error}"));
    // Spark has literals that other engines do not have.
    bound.for_spark();
    assert!(!bound.to_string().is_empty());
}
