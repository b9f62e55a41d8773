//! An optimizer rule that drops keys of joins and groups whose value is the same in all rows: above all the crawl, if a
//! folder has only one or a condition selects one.
//!
//! Every statement groups and joins by crawl, so that it is right for several crawls. With one crawl, its name would be
//! hashed, compared and stored with every row. Measured: without this rule, all questions over 10⁶ captures take 1.1
//! times the CPU time.

use super::once::query_of_step;
use crate::catalog::folder_table::FolderTable;
use datafusion::common::tree_node::{Transformed, TreeNode as _, TreeNodeRecursion};
use datafusion::common::{JoinType, Result, ScalarValue};
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{
    Aggregate, BinaryExpr, Distinct, Expr, Join, LogicalPlan, Operator, Projection, TableScan, lit,
};
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use std::sync::Arc;
use tables::PARTITION;

/// The optimizer rule.
#[derive(Debug)]
pub(super) struct LeaveOutConstantKeys;

impl OptimizerRule for LeaveOutConstantKeys {
    fn name(&self) -> &'static str {
        "leave_out_constant_keys"
    }

    fn rewrite(&self, plan: LogicalPlan, _config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        Ok(rewrite(plan)?.0)
    }
}

/// For each column of a plan, the text that all its rows have.
type Constants = Vec<Option<String>>;

fn rewrite(plan: LogicalPlan) -> Result<(Transformed<LogicalPlan>, Constants)> {
    let mut inputs = Vec::new();
    let Transformed { data: plan, transformed, .. } = plan.map_children(|input| {
        let (input, constants) = rewrite(input)?;
        inputs.push(constants);
        Ok(input)
    })?;
    let constants = constants(&plan, &inputs);
    let plan = match (plan, inputs.as_slice()) {
        (LogicalPlan::Join(join), [left, right]) => without_keys_of_join(join, left, right),
        (LogicalPlan::Aggregate(aggregate), [input]) => without_keys_of_groups(aggregate, input)?,
        (plan, _) => Transformed::no(plan),
    };
    Ok((Transformed::new(plan.data, plan.transformed || transformed, TreeNodeRecursion::Continue), constants))
}

/// Drops pairs of keys that are equal in all rows. If all are, they stay, since a join needs a key.
fn without_keys_of_join(mut join: Join, left: &Constants, right: &Constants) -> Transformed<LogicalPlan> {
    let is_constant = |(l, r): &(Expr, Expr)| {
        let value = constant(l, &join.left, left);
        value.is_some() && value == constant(r, &join.right, right)
    };
    let needed: Vec<_> = join.on.iter().filter(|pair| !is_constant(pair)).cloned().collect();
    if needed.is_empty() || needed.len() == join.on.len() {
        return Transformed::no(LogicalPlan::Join(join));
    }
    join.on = needed;
    Transformed::yes(LogicalPlan::Join(join))
}

/// Groups by the keys that are not constant. If all are constant, they stay: without keys, an empty input would give a
/// row.
fn without_keys_of_groups(aggregate: Aggregate, input: &Constants) -> Result<Transformed<LogicalPlan>> {
    let values: Constants = aggregate.group_expr.iter().map(|key| constant(key, &aggregate.input, input)).collect();
    let kept =
        aggregate.group_expr.iter().zip(&values).filter(|(_, value)| value.is_none()).map(|(key, _)| key.clone());
    let kept: Vec<_> = kept.collect();
    let has_all_columns = aggregate.schema.fields().len() == aggregate.group_expr.len() + aggregate.aggr_expr.len();
    if kept.is_empty() || kept.len() == values.len() || !has_all_columns {
        return Ok(Transformed::no(LogicalPlan::Aggregate(aggregate)));
    }
    let grouped = Aggregate::try_new(aggregate.input, kept, aggregate.aggr_expr)?;
    let values = values.into_iter().chain(std::iter::repeat(None));
    let columns = aggregate.schema.iter().zip(values).map(|((table, field), value)| match value {
        Some(value) => lit(value).alias_qualified(table.cloned(), field.name()),
        None => Expr::from((table, field)),
    });
    let projected = Projection::try_new(columns.collect(), Arc::new(LogicalPlan::Aggregate(grouped)))?;
    Ok(Transformed::yes(LogicalPlan::Projection(projected)))
}

/// The constants of a plan, from those of its inputs.
fn constants(plan: &LogicalPlan, inputs: &[Constants]) -> Constants {
    let unknown = |columns: usize| std::iter::repeat_n(None, columns);
    let columns = plan.schema().fields().len();
    match (plan, inputs) {
        (LogicalPlan::TableScan(scan), _) => {
            let mut found = constants_of_table(scan);
            scan.filters.iter().for_each(|filter| add_condition(filter, plan, &mut found));
            found
        }
        (LogicalPlan::Filter(filter), [input]) => {
            let mut found = input.clone();
            add_condition(&filter.predicate, &filter.input, &mut found);
            found
        }
        (LogicalPlan::Projection(projection), [input]) => {
            projection.expr.iter().map(|column| constant(column, &projection.input, input)).collect()
        }
        (LogicalPlan::Aggregate(aggregate), [input]) => {
            let keys = aggregate.group_expr.iter().map(|key| constant(key, &aggregate.input, input));
            // Grouping sets have more columns than keys, and nulls in them.
            if columns == aggregate.group_expr.len() + aggregate.aggr_expr.len()
                && !aggregate.group_expr.iter().any(|key| matches!(key, Expr::GroupingSet(_)))
            {
                keys.chain(unknown(aggregate.aggr_expr.len())).collect()
            } else {
                unknown(columns).collect()
            }
        }
        (LogicalPlan::Join(join), [left, right]) => {
            let (left, right) = (left.iter().cloned(), right.iter().cloned());
            match join.join_type {
                JoinType::Inner => left.chain(right).collect(),
                JoinType::Left => left.chain(unknown(right.len())).collect(),
                JoinType::Right => unknown(left.len()).chain(right).collect(),
                JoinType::LeftSemi | JoinType::LeftAnti => left.collect(),
                JoinType::RightSemi | JoinType::RightAnti => right.collect(),
                JoinType::LeftMark => left.chain([None]).collect(),
                JoinType::RightMark => right.chain([None]).collect(),
                JoinType::Full => unknown(columns).collect(),
            }
        }
        (LogicalPlan::Window(window), [input]) => {
            input.iter().cloned().chain(unknown(window.window_expr.len())).collect()
        }
        (LogicalPlan::Union(_), [first, others @ ..]) => {
            let is_of_all = |(nth, value): (usize, &Option<String>)| {
                value.clone().filter(|_| others.iter().all(|other| other.get(nth) == Some(value)))
            };
            first.iter().enumerate().map(is_of_all).collect()
        }
        (
            LogicalPlan::SubqueryAlias(_)
            | LogicalPlan::Sort(_)
            | LogicalPlan::Limit(_)
            | LogicalPlan::Distinct(Distinct::All(_)),
            [input],
        ) => input.clone(),
        _ => unknown(columns).collect(),
    }
}

/// The crawl of a table of the folder, and the constants of a step.
fn constants_of_table(scan: &TableScan) -> Constants {
    let fields = scan.projected_schema.fields();
    if let Some(query) = query_of_step(scan) {
        let all = constants_of(query);
        let column = |nth: usize| scan.projection.as_ref().map_or(Some(nth), |columns| columns.get(nth).copied());
        return (0..fields.len())
            .map(|nth| column(nth).and_then(|column| all.get(column).cloned().flatten()))
            .collect();
    }
    let crawl = FolderTable::only_crawl(scan);
    let value = |name: &str| crawl.filter(|_| name == PARTITION.name).map(str::to_owned);
    fields.iter().map(|field| value(field.name())).collect()
}

fn constants_of(plan: &LogicalPlan) -> Constants {
    let inputs: Vec<_> = plan.inputs().into_iter().map(constants_of).collect();
    constants(plan, &inputs)
}

/// Adds the columns that a condition sets equal to a text.
fn add_condition(condition: &Expr, plan: &LogicalPlan, constants: &mut Constants) {
    for part in split_conjunction(condition) {
        let Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) = part else { continue };
        let (column, value) = match (left.as_ref(), right.as_ref()) {
            (Expr::Column(column), value) | (value, Expr::Column(column)) => {
                (column, constant(value, plan, &Vec::new()))
            }
            _ => continue,
        };
        let place = plan.schema().index_of_column(column).ok();
        if let Some(known) = place.and_then(|place| constants.get_mut(place)) {
            *known = value.or(known.take());
        }
    }
}

/// The text that an expression has in all rows of its input.
fn constant(expression: &Expr, input: &LogicalPlan, constants: &Constants) -> Option<String> {
    match expression {
        Expr::Literal(ScalarValue::Utf8(text), _) => text.clone(),
        Expr::Alias(alias) => constant(&alias.expr, input, constants),
        Expr::Column(column) => constants.get(input.schema().index_of_column(column).ok()?)?.clone(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by it")]

    use super::LeaveOutConstantKeys;
    use datafusion::arrow::util::pretty::pretty_format_batches;
    use datafusion::execution::session_state::SessionStateBuilder;
    use datafusion::prelude::SessionContext;
    use std::sync::Arc;

    const TABLES: &str = "WITH a AS (SELECT 'A' AS crawl, x, y FROM (VALUES (1, 'p'), (1, 'q'), (2, 'q'), (3, NULL)) AS t (x, y)), \
        b AS (SELECT 'A' AS crawl, x, y FROM (VALUES (1, 'p'), (2, 'p'), (4, 'q')) AS t (x, y)), \
        other AS (SELECT 'B' AS crawl, x, y FROM (VALUES (1, 'p')) AS t (x, y)), \
        both AS (SELECT * FROM a UNION ALL SELECT * FROM other)";

    /// A statement, and whether its optimized plan still has the crawl or another constant as a key.
    const STATEMENTS: [(&str, bool); 15] = [
        ("SELECT crawl, x, count(*) FROM a GROUP BY crawl, x", false),
        ("SELECT crawl, x, y, sum(x) FROM a WHERE y = 'q' GROUP BY crawl, y, x", false),
        ("SELECT DISTINCT crawl, x FROM a", false),
        ("SELECT a.crawl, b.x, b.crawl FROM a JOIN b ON a.crawl = b.crawl AND a.x = b.x", false),
        ("SELECT a.x, b.crawl FROM a LEFT JOIN b ON a.crawl = b.crawl AND a.x = b.x", false),
        ("SELECT a.x, b.x FROM a FULL JOIN b ON a.crawl = b.crawl AND a.x = b.x", false),
        ("SELECT x FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.crawl = a.crawl AND b.x = a.x)", false),
        // Null where there is no match.
        ("SELECT b.crawl, a.x, count(*) FROM a LEFT JOIN b ON a.x = b.x GROUP BY b.crawl, a.x", true),
        ("SELECT a.crawl, b.x, count(*) FROM a FULL JOIN b ON a.x = b.x GROUP BY a.crawl, b.x", true),
        // Two values.
        ("SELECT crawl, x, count(*) FROM both GROUP BY crawl, x", true),
        ("SELECT a.x FROM a JOIN both ON both.crawl = a.crawl AND both.x = a.x", true),
        // Constants that differ match in no row.
        ("SELECT a.x FROM a JOIN other ON other.crawl = a.crawl AND other.x = a.x", true),
        // The last key stays.
        ("SELECT crawl, count(*) FROM a WHERE x > 5 GROUP BY crawl", true),
        ("SELECT a.x, b.x FROM a JOIN b ON a.crawl = b.crawl WHERE a.x > 2", true),
        ("SELECT crawl, x, count(*) FROM a GROUP BY ROLLUP (crawl, x)", true),
    ];

    async fn answer(statement: &str, is_with_rule: bool) -> (String, String) {
        let mut builder = SessionStateBuilder::new().with_default_features();
        if is_with_rule {
            builder = builder.with_optimizer_rule(Arc::new(LeaveOutConstantKeys));
        }
        let session = SessionContext::new_with_state(builder.build());
        let planned = session.sql(&format!("{TABLES} {statement}")).await.unwrap();
        let plan = planned.clone().into_optimized_plan().unwrap().display_indent().to_string();
        let rows = pretty_format_batches(&planned.collect().await.unwrap()).unwrap().to_string();
        let mut rows: Vec<_> = rows.lines().collect();
        rows.sort_unstable();
        (rows.join("\n"), plan)
    }

    #[tokio::test]
    async fn answers_stay_the_same() {
        for (statement, has_constant_key) in STATEMENTS {
            let (rows, plan) = answer(statement, true).await;
            assert_eq!(rows, answer(statement, false).await.0, "{statement}");
            let is_key = |line: &str| {
                let keys = line.split("aggr=").next().unwrap_or_default();
                (line.contains("Join:") || line.contains("groupBy=")) && (keys.contains("crawl") || keys.contains(".y"))
            };
            assert_eq!(plan.lines().any(is_key), has_constant_key, "{statement}: {plan}");
        }
    }
}
