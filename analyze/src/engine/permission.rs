//! Checks what statements do: they may only read, unless the user allows more.

use super::options::{Permission, SessionOptions};
use crate::catalog::external::external;
use datafusion::common::TableReference;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::context::SQLOptions;
use datafusion::logical_expr::{DdlStatement, LogicalPlan, Statement as PlanStatement, TransactionConclusion};
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::Statement as Sql;
use folder::Failure;
use std::path::Path;

const TRANSACTIONS: &str = "there are no transactions; every statement takes effect at once";

/// Fails if a statement does more than `access` allows.
pub(super) fn check_statement(statement: &Statement, access: Permission) -> Result<()> {
    if access == Permission::ReadOnly && !only_reads(statement) {
        // Others, such as BEGIN, are not supported at all.
        let cause = "statements may only read; --read-write allows CREATE, DROP, INSERT, SET and COPY";
        return Err(refused(&kind(statement), cause));
    }
    Ok(())
}

/// Fails if a plan does more than the options allow, since a part of a query can write, or if it changes the folder of
/// tables, a view of the program, or a file of the user that the session reads. `unchangeable` says why a table cannot
/// be changed. What is explained must be allowed, too.
pub(super) fn check_plan(
    plan: &LogicalPlan,
    options: &SessionOptions,
    tables: &Path,
    unchangeable: impl Fn(&str) -> Option<String>,
) -> Result<()> {
    let may = options.access == Permission::ReadWrite;
    SQLOptions::new().with_allow_ddl(may).with_allow_dml(may).with_allow_statements(may).verify_plan(plan)?;
    let plan = match plan {
        LogicalPlan::Explain(explain) => &explain.plan,
        LogicalPlan::Analyze(analyze) => &analyze.input,
        plan => plan,
    };
    let written = match plan {
        // The store checks every write as well, in whatever way the path is written, but only when rows are there.
        LogicalPlan::Copy(copy) => Some(copy.output_url.strip_prefix("file://").unwrap_or(&copy.output_url)),
        // DataFusion would make its folders for temporary files there.
        LogicalPlan::Statement(PlanStatement::SetVariable(set))
            if set.variable == "datafusion.runtime.temp_directory" =>
        {
            Some(set.value.as_str())
        }
        _ => None,
    };
    if let Some(path) = written {
        options.refuse_to_write(Path::new(path), tables).map_err(external)?;
    }
    if let Some((what, cause)) = without_effect(plan) {
        return Err(refused(what, cause));
    }
    match changed(plan).and_then(|(table, what)| Some((what, unchangeable(table.table())?))) {
        Some((what, cause)) => Err(refused(&what, &cause)),
        None => Ok(()),
    }
}

/// The keywords of a statement that DataFusion accepts and does nothing for, and the cause.
fn without_effect(plan: &LogicalPlan) -> Option<(&'static str, &'static str)> {
    match plan {
        LogicalPlan::Statement(PlanStatement::TransactionStart(_)) => Some(("START TRANSACTION", TRANSACTIONS)),
        LogicalPlan::Statement(PlanStatement::TransactionEnd(end)) => match end.conclusion {
            TransactionConclusion::Commit => Some(("COMMIT", TRANSACTIONS)),
            TransactionConclusion::Rollback => Some(("ROLLBACK", TRANSACTIONS)),
        },
        LogicalPlan::Ddl(DdlStatement::CreateIndex(_)) => Some(("CREATE INDEX", "tables have no indexes")),
        _ => None,
    }
}

/// The table that a plan writes to or drops, and the keywords of the statement.
fn changed(plan: &LogicalPlan) -> Option<(&TableReference, String)> {
    match plan {
        LogicalPlan::Dml(change) => Some((&change.table_name, change.op.to_string().to_uppercase())),
        LogicalPlan::Ddl(DdlStatement::DropTable(drop)) => Some((&drop.name, "DROP TABLE".to_owned())),
        LogicalPlan::Ddl(DdlStatement::DropView(drop)) => Some((&drop.name, "DROP VIEW".to_owned())),
        _ => None,
    }
}

fn refused(kind: &str, cause: &str) -> DataFusionError {
    external(Failure::new("statement is refused", Path::new(kind), cause))
}

/// Whether a statement only reads. Statements that are not listed here count as writing.
fn only_reads(statement: &Statement) -> bool {
    match statement {
        Statement::Explain(explain) => only_reads(&explain.statement),
        Statement::Statement(statement) => match statement.as_ref() {
            Sql::Explain { statement, .. } => only_reads(&Statement::Statement(statement.clone())),
            Sql::Query(_)
            | Sql::ExplainTable { .. }
            | Sql::ShowTables { .. }
            | Sql::ShowCreate { .. }
            | Sql::ShowColumns { .. }
            | Sql::ShowFunctions { .. }
            | Sql::ShowVariable { .. } => true,
            _ => false,
        },
        Statement::CreateExternalTable(_) | Statement::CopyTo(_) | Statement::Reset(_) => false,
    }
}

/// The keywords that a statement starts with, at most four.
fn kind(statement: &Statement) -> String {
    let text = statement.to_string();
    let is_keyword = |word: &&str| word.bytes().all(|byte| byte.is_ascii_uppercase());
    let words: Vec<&str> = text.split_whitespace().take_while(is_keyword).take(4).collect();
    if words.is_empty() { "STATEMENT".to_owned() } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::{ParsedStatement, parse_statements};

    fn check(text: &str, expected: Option<&str>) {
        let statements = parse_statements(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let [ParsedStatement(statement)] = statements.as_slice() else { panic!("{text}: {}", statements.len()) };
        let found = (!only_reads(statement)).then(|| kind(statement));
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn statements_that_only_read() {
        check("SELECT 1", None);
        check("WITH a AS (SELECT 1) SELECT * FROM a", None);
        check("VALUES (1)", None);
        check("EXPLAIN SELECT 1", None);
        check("EXPLAIN ANALYZE VERBOSE SELECT 1", None);
        check("SHOW TABLES", None);
        check("SHOW COLUMNS FROM captures", None);
        check("SHOW CREATE TABLE captures", None);
        check("SHOW ALL", None);
        check("DESCRIBE captures", None);
    }

    #[test]
    fn statements_that_do_more() {
        check("CREATE TABLE a AS SELECT 1", Some("CREATE TABLE"));
        check("CREATE OR REPLACE VIEW a AS SELECT 1", Some("CREATE OR REPLACE VIEW"));
        check("CREATE EXTERNAL TABLE a STORED AS CSV LOCATION 'a.csv'", Some("CREATE EXTERNAL TABLE"));
        check("CREATE FUNCTION f() RETURNS INT RETURN 1", Some("CREATE FUNCTION"));
        check("DROP TABLE captures", Some("DROP TABLE"));
        check("DROP VIEW a", Some("DROP VIEW"));
        check("INSERT INTO captures SELECT 1", Some("INSERT INTO"));
        check("UPDATE captures SET url = ''", Some("UPDATE"));
        check("DELETE FROM captures", Some("DELETE FROM"));
        check("COPY captures TO 'a.csv'", Some("COPY"));
        check("SET datafusion.execution.batch_size = 1", Some("SET"));
        check("RESET datafusion.execution.batch_size", Some("RESET"));
        check("PREPARE p AS SELECT 1", Some("PREPARE"));
        check("EXPLAIN ANALYZE COPY captures TO 'a.csv'", Some("EXPLAIN ANALYZE COPY"));
        check("EXPLAIN INSERT INTO captures SELECT 1", Some("EXPLAIN INSERT INTO"));
    }
}
