//! Adds keys to `UNION` in a recursive statement, which drops the rows of earlier rounds.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::catalog::cte_worktable::CteWorkTable;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::datasource::{provider_as_source, source_as_provider};
use datafusion::logical_expr::logical_plan::{Projection, RecursiveQuery, TableScan};
use datafusion::logical_expr::{Expr, ExprSchemable as _, LogicalPlan};

use super::aggregate::{columns_of, with_column};
use super::key::{is_text, text_key};

/// The same query, whose rows also have a key of their texts.
pub(super) fn keyed(query: RecursiveQuery) -> Result<Transformed<LogicalPlan>> {
    let columns = columns_of(&query.schema);
    if !query.is_distinct || texts(&columns, &query.schema)?.is_empty() {
        return Ok(Transformed::no(LogicalPlan::RecursiveQuery(query)));
    }
    let recursive = Arc::unwrap_or_clone(query.recursive_term);
    let recursive = recursive.transform_up_with_subqueries(|plan| wider(plan, &query.name))?.data;
    let mut fields: Vec<_> = query.schema.iter().map(|(of, field)| (of.cloned(), Arc::clone(field))).collect();
    fields.push((None, key_field()));
    let found = RecursiveQuery {
        static_term: with_key(query.static_term)?,
        recursive_term: with_key(Arc::new(recursive))?,
        schema: Arc::new(DFSchema::new_with_metadata(fields, query.schema.metadata().clone())?),
        name: query.name,
        is_distinct: true,
    };
    let found = Arc::new(LogicalPlan::RecursiveQuery(found));
    Ok(Transformed::yes(LogicalPlan::Projection(Projection::try_new(columns, found)?)))
}

const KEY: &str = "__text_key";

fn key_field() -> Arc<Field> {
    Arc::new(Field::new(KEY, DataType::Int64, true))
}

fn with_key(term: Arc<LogicalPlan>) -> Result<Arc<LogicalPlan>> {
    let texts = texts(&columns_of(term.schema()), term.schema())?;
    with_column(term, text_key(texts).alias(KEY))
}

/// The columns with texts, of any origin: both terms must have the same columns.
fn texts(columns: &[Expr], schema: &DFSchema) -> Result<Vec<Expr>> {
    let mut texts = Vec::new();
    for column in columns {
        if is_text(&column.get_type(schema)?) {
            texts.push(column.clone());
        }
    }
    Ok(texts)
}

/// Adds the key to the table of the last round's rows. Its readers read the same columns as before.
fn wider(plan: LogicalPlan, name: &str) -> Result<Transformed<LogicalPlan>> {
    let LogicalPlan::TableScan(scan) = plan else {
        return Ok(Transformed::no(plan));
    };
    let provider = source_as_provider(&scan.source);
    let columns = match provider.as_ref().map(|provider| provider.downcast_ref::<CteWorkTable>()) {
        Ok(Some(table)) if table.name() == name => table.schema(),
        _ => return Ok(Transformed::no(LogicalPlan::TableScan(scan))),
    };
    let read = scan.projection.clone().unwrap_or_else(|| (0..columns.fields().len()).collect());
    let fields: Vec<_> = columns.fields().iter().cloned().chain([key_field()]).collect();
    let wider = Arc::new(Schema::new_with_metadata(fields, columns.metadata().clone()));
    let source = provider_as_source(Arc::new(CteWorkTable::new(name, wider)));
    Ok(Transformed::yes(LogicalPlan::TableScan(TableScan { source, projection: Some(read), ..scan })))
}
