//! Refuses correlated subqueries that DataFusion 55.2 answers wrongly.
//!
//! A correlated subquery reads columns of the query around it. DataFusion makes it a join: it moves the conditions on
//! these columns out of the subquery, past all its steps, although some steps give other rows without the conditions.
//! It knows that for groupings, but not for all. This waits for
//! [apache/datafusion#5492](https://github.com/apache/datafusion/issues/5492), which replaces the method.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::tree_node::{Transformed, TreeNode as _, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, DataFusionError, JoinType, Result, plan_datafusion_err};
use datafusion::logical_expr::expr::Exists;
use datafusion::logical_expr::simplify::SimplifyContext;
use datafusion::logical_expr::type_coercion::binary::comparison_coercion;
use datafusion::logical_expr::utils::{find_out_reference_exprs, split_conjunction};
use datafusion::logical_expr::{
    Aggregate, BinaryExpr, Distinct, Expr, ExprSchemable as _, Join, LogicalPlan, Operator, Projection, Subquery,
    SubqueryAlias, lit,
};
use datafusion::optimizer::simplify_expressions::ExprSimplifier;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The plan, in which EXISTS reads no columns. Their names would be confused with those in the conditions.
pub(super) fn without_columns_of_exists(plan: LogicalPlan) -> Result<LogicalPlan> {
    let rewrite = |expression: Expr| match expression {
        Expr::Exists(Exists { subquery: Subquery { subquery, spans, .. }, negated }) => {
            let subquery = match subquery.as_ref() {
                LogicalPlan::Projection(columns) => {
                    LogicalPlan::Projection(Projection::try_new(vec![lit(1)], Arc::clone(&columns.input))?).into()
                }
                _ => subquery,
            };
            let outer_ref_columns = subquery.all_out_ref_exprs();
            Ok(Transformed::yes(Expr::Exists(Exists {
                subquery: Subquery { subquery, outer_ref_columns, spans },
                negated,
            })))
        }
        other => Ok(Transformed::no(other)),
    };
    let rewritten = plan
        .transform_down_with_subqueries(|node| node.map_expressions(|expression| expression.transform_down(rewrite)))?;
    Ok(rewritten.data)
}

/// Fails if a plan has such a subquery.
pub(super) fn check_correlated(plan: &LogicalPlan) -> Result<()> {
    let check = |query: &Subquery, used: Used| {
        let is_right = is_right(&query.subquery, used, true) && has_unique_names(&query.subquery);
        if is_right { Ok(()) } else { Err(unsupported()) }
    };
    plan.apply_with_subqueries(|node| {
        for input in node.inputs() {
            // Subqueries in expressions are no inputs.
            if let LogicalPlan::Subquery(lateral) = input {
                check(lateral, Used::Rows)?;
            }
        }
        node.apply_expressions(|expression| {
            expression.apply(|part| {
                let (query, used) = match part {
                    Expr::ScalarSubquery(query) => (query, Used::Rows),
                    Expr::InSubquery(membership) => (&membership.subquery, Used::Values),
                    Expr::SetComparison(comparison) => (&comparison.subquery, Used::Values),
                    Expr::Exists(existence) => (&existence.subquery, Used::Existence),
                    _ => return Ok(TreeNodeRecursion::Continue),
                };
                check(query, used)?;
                if reads_further_out(query, node) { Err(unsupported()) } else { Ok(TreeNodeRecursion::Continue) }
            })
        })
    })?;
    Ok(())
}

/// Whether a subquery reads a column that the query around it has from the query around that.
fn reads_further_out(query: &Subquery, around: &LogicalPlan) -> bool {
    let is_around = |column: &Column| around.inputs().iter().any(|input| input.schema().has_column(column));
    has_step(&query.subquery, |step| {
        let columns = step.expressions().into_iter().flat_map(|expression| find_out_reference_exprs(&expression));
        columns.into_iter().any(|outer| matches!(outer, Expr::OuterReferenceColumn(_, column) if !is_around(&column)))
    })
}

pub(super) fn unsupported() -> DataFusionError {
    plan_datafusion_err!(
        "this kind of correlated subquery is not supported; join a subquery instead that reads only its own tables"
    )
}

/// What the query around a subquery uses.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Used {
    /// All rows, as for LATERAL, or the only row, as for a scalar subquery.
    Rows,
    /// The values, however often they occur, as for IN.
    Values,
    /// Whether there is a row, as for EXISTS.
    Existence,
}

/// Whether an answer stays right if the conditions on outer columns are moved past a step of a subquery and the steps
/// before it. A step is last if all steps after it pass on each row.
fn is_right(step: &LogicalPlan, used: Used, is_last: bool) -> bool {
    let inputs = step.inputs();
    if !inputs.iter().any(|input| reads_outer(input)) {
        return true;
    }
    let (is_right_here, stays_last) = match step {
        LogicalPlan::Projection(columns) => (!has_whole_group(&columns.input) || reads_groups(columns), is_last),
        LogicalPlan::SubqueryAlias(_) => (true, is_last),
        LogicalPlan::Filter(_) | LogicalPlan::Sort(_) => (true, false),
        LogicalPlan::Aggregate(groups) => (is_right_grouping(groups, used, is_last), false),
        LogicalPlan::Distinct(Distinct::All(input)) => (used != Used::Rows || has_only_keys(input), false),
        // Any row counts, but not a row after those that are skipped.
        LogicalPlan::Limit(limit) => (used == Used::Existence && is_last && limit.skip.is_none(), is_last),
        LogicalPlan::Join(join) => (is_right_join(join), false),
        _ => (false, false),
    };
    is_right_here && inputs.into_iter().all(|input| is_right(input, used, stays_last))
}

/// DataFusion groups by the columns in the conditions, too. Without other groups, it adds the group of no rows again,
/// if no step follows that could drop it.
fn is_right_grouping(groups: &Aggregate, used: Used, is_last: bool) -> bool {
    match groups.group_expr.as_slice() {
        [] => used == Used::Rows && is_last && has_only_keys(&groups.input),
        [Expr::GroupingSet(_)] => false,
        _ if groups.aggr_expr.is_empty() && used != Used::Rows => true,
        _ => has_only_keys(&groups.input),
    }
}

/// Whether the rows of a step are the group of all rows.
fn has_whole_group(step: &LogicalPlan) -> bool {
    match step {
        LogicalPlan::Projection(Projection { input, .. }) | LogicalPlan::SubqueryAlias(SubqueryAlias { input, .. }) => {
            has_whole_group(input)
        }
        LogicalPlan::Aggregate(groups) => groups.group_expr.is_empty(),
        _ => false,
    }
}

/// Whether each expression reads a column after it is simplified. Others would be null in the group of no rows, which
/// DataFusion adds only to expressions that read a count.
fn reads_groups(columns: &Projection) -> bool {
    let schema = columns.input.schema();
    let simplifier = ExprSimplifier::new(SimplifyContext::builder().with_schema(Arc::clone(schema)).build());
    let simplify = |expression: &Expr| simplifier.simplify(simplifier.coerce(expression.clone(), schema)?);
    columns.expr.iter().all(|expression| simplify(expression).is_ok_and(|simple| simple.any_column_refs()))
}

/// Whether no outer column is read where a row without a match is kept, and where columns do not reach the result.
fn is_right_join(join: &Join) -> bool {
    match join.join_type {
        JoinType::Inner => true,
        JoinType::Left | JoinType::LeftSemi | JoinType::LeftAnti | JoinType::LeftMark => !reads_outer(&join.right),
        JoinType::Right | JoinType::RightSemi | JoinType::RightAnti | JoinType::RightMark => !reads_outer(&join.left),
        JoinType::Full => false,
    }
}

/// Whether all conditions on outer columns have the form `column = outer`, and no two values of the column equal the
/// same outer value. Then a row of the outer query has rows of one group only.
fn has_only_keys(plan: &LogicalPlan) -> bool {
    let is_key = |condition: &Expr, schema: &DFSchema| match condition {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) => match (left.as_ref(), right.as_ref()) {
            (column @ Expr::Column(_), outer) | (outer, column @ Expr::Column(_)) if !outer.any_column_refs() => {
                column.get_type(schema).and_then(|from| Ok((from, outer.get_type(schema)?))).is_ok_and(|(from, to)| {
                    comparison_coercion(&from, &to).is_some_and(|compared| keeps_distinct(&from, &compared))
                })
            }
            _ => false,
        },
        _ => false,
    };
    !has_step(plan, |node| match node {
        LogicalPlan::Filter(filter) => split_conjunction(&filter.predicate)
            .into_iter()
            .any(|part| part.contains_outer() && !is_key(part, filter.input.schema())),
        _ => node.contains_outer_reference(),
    })
}

/// Whether a cast makes different values of different values, unlike that of the texts `7` and `07` to numbers.
fn keeps_distinct(from: &DataType, to: &DataType) -> bool {
    match (from, to) {
        (DataType::Date32, DataType::Timestamp(..)) => true,
        (DataType::Timestamp(unit, zone), DataType::Timestamp(finer, same)) => unit <= finer && zone == same,
        _ if from.is_string() => to.is_string(),
        _ if from.is_integer() || from.is_decimal() => to.is_integer() || to.is_decimal(),
        _ => from == to,
    }
}

/// Whether the columns of a subquery, and those that its conditions compare with outer columns, have different names.
/// Once the conditions are moved, DataFusion tells columns of several tables apart by these names only.
fn has_unique_names(query: &LogicalPlan) -> bool {
    compared_columns(query).is_some_and(|compared| are_unique(query, &compared))
}

/// The columns that conditions on outer columns read; `None` if names of an inner query are not unique.
fn compared_columns(step: &LogicalPlan) -> Option<BTreeSet<Column>> {
    let mut columns = BTreeSet::new();
    if matches!(step, LogicalPlan::Subquery(_)) {
        return Some(columns);
    }
    for input in step.inputs() {
        columns.append(&mut compared_columns(input)?);
    }
    match step {
        LogicalPlan::Filter(filter) => {
            let conditions = split_conjunction(&filter.predicate).into_iter().filter(|part| part.contains_outer());
            columns.extend(conditions.flat_map(Expr::column_refs).cloned());
        }
        LogicalPlan::SubqueryAlias(SubqueryAlias { input, alias, .. }) => {
            let is_unique = are_unique(input, &columns);
            columns = columns.into_iter().map(|column| Column::new(Some(alias.clone()), column.name)).collect();
            return is_unique.then_some(columns);
        }
        _ => {}
    }
    Some(columns)
}

fn are_unique(query: &LogicalPlan, compared: &BTreeSet<Column>) -> bool {
    let columns: BTreeSet<Column> = query.schema().columns().into_iter().chain(compared.iter().cloned()).collect();
    let names: BTreeSet<&str> = columns.iter().map(Column::name).collect();
    compared.is_empty() || names.len() == columns.len()
}

fn reads_outer(plan: &LogicalPlan) -> bool {
    has_step(plan, LogicalPlan::contains_outer_reference)
}

/// Whether some step of a subquery fulfils a condition, without the subqueries in it.
fn has_step(plan: &LogicalPlan, is_found: impl Fn(&LogicalPlan) -> bool) -> bool {
    let mut found = false;
    let _ = plan.apply(|node| {
        found |= is_found(node);
        Ok(match node {
            _ if found => TreeNodeRecursion::Stop,
            LogicalPlan::Subquery(_) => TreeNodeRecursion::Jump,
            _ => TreeNodeRecursion::Continue,
        })
    });
    found
}

#[cfg(test)]
mod tests {
    use super::{check_correlated, without_columns_of_exists};
    use crate::engine::unnested::optimise;
    use datafusion::common::DataFusionError;
    use datafusion::prelude::SessionContext;

    const TABLES: &str = "WITH t (x, k) AS (VALUES (1, 10), (2, 20), (NULL, 30)), u (y, z) AS (VALUES (1, 1), (2, 5))";

    async fn check(query: &str) -> Result<(), String> {
        let state = SessionContext::new().state();
        let plan = state.create_logical_plan(&format!("{TABLES} SELECT k FROM t{query}")).await.unwrap();
        let check = || {
            let plan = without_columns_of_exists(plan)?;
            check_correlated(&plan)?;
            let analysed = state.analyzer().execute_and_check(plan, state.config_options(), |_, _| {})?;
            optimise(analysed, &state).map(|_| ())
        };
        check().map_err(|error: DataFusionError| error.to_string())
    }

    #[tokio::test]
    async fn wrong_answers_and_unclear_errors_are_refused() {
        for query in [
            ", LATERAL (SELECT count(*) OVER () FROM u WHERE y = x)",
            ", LATERAL (SELECT count(*) FROM u WHERE y = x HAVING count(*) > 2)",
            ", LATERAL (SELECT count(*) FROM u WHERE y = x GROUP BY ROLLUP (y))",
            ", LATERAL (SELECT DISTINCT y FROM u WHERE z > x)",
            ", LATERAL (SELECT z % 2 FROM u WHERE z > x GROUP BY z % 2)",
            ", LATERAL (SELECT count(*) FROM u WHERE CAST(y AS int) = x)",
            ", LATERAL (SELECT max(z) FROM u WHERE y > x)",
            ", LATERAL (SELECT x + 1)",
            ", LATERAL (SELECT 'a' AS a, count(*) FROM u WHERE y = x)",
            ", LATERAL (SELECT count(*), current_date >= DATE '2000-01-01' AS is_late FROM u WHERE y = x)",
            ", LATERAL (SELECT n, n IS NULL FROM (SELECT count(*) AS n FROM u WHERE y = x))",
            " LEFT JOIN LATERAL (SELECT 1 AS one FROM (SELECT max(z) FROM u WHERE y = x)) AS s ON s.one = 1",
            " WHERE (SELECT count(*) IS NOT NULL FROM u WHERE y = x)",
            " WHERE 'b' = (SELECT CASE WHEN count(*) IS NULL THEN 'a' ELSE 'b' END FROM u WHERE y = x)",
            " WHERE 0 = (SELECT count(*) * 0 FROM u WHERE y = x)",
            " WHERE (SELECT count(*) > 0 OR true FROM u WHERE y = x)",
            " WHERE 1 = (SELECT count(*) FROM (VALUES ('1'), ('01')) AS u (y) WHERE y = x)",
            " WHERE 1 = (SELECT sum(z) FROM u WHERE CAST(y AS double) = x)",
            " WHERE 1 = (SELECT sum(z) FROM u WHERE y = CAST(x AS double))",
            " WHERE (SELECT sum(z) FROM u WHERE y = x HAVING count(*) < 1) IS NULL",
            " WHERE 1 = (SELECT count(*) FROM t AS o LEFT JOIN (SELECT * FROM u WHERE y = t.x) ON z = o.k)",
            " WHERE 1 = (SELECT count(*) FROM u WHERE EXISTS (SELECT 1 FROM u AS o WHERE o.y = t.x))",
            " WHERE 1 = (SELECT max(z) FROM u WHERE y = x LIMIT 1)",
            " WHERE EXISTS (SELECT max(z) FROM u WHERE y = x)",
            " WHERE k = 10 OR NOT EXISTS (SELECT count(*) FROM u WHERE y = x)",
            " WHERE EXISTS (SELECT 1 FROM u WHERE y = x OFFSET 2)",
            " WHERE EXISTS (SELECT 1 FROM (SELECT * FROM u WHERE y = x LIMIT 1) WHERE z = 6)",
            " WHERE EXISTS (SELECT y FROM u EXCEPT SELECT y FROM u WHERE y = x)",
            " WHERE EXISTS (SELECT 1 FROM u FULL JOIN (SELECT * FROM u WHERE y = x) AS o ON o.z = u.z)",
            " WHERE 0 IN (SELECT count(*) FROM u WHERE y = x)",
            " WHERE 0 = ANY (SELECT count(*) FROM u WHERE y = x)",
            " WHERE x IN (SELECT o.y FROM u AS o JOIN u ON o.y = u.z WHERE u.y = t.k)",
            " WHERE EXISTS (SELECT DISTINCT o.y FROM u AS o JOIN u ON o.y = u.z WHERE u.y = x)",
            " WHERE EXISTS (SELECT 1 FROM u AS o JOIN u ON o.y = u.z WHERE o.y = k AND u.y = x)",
            " WHERE EXISTS (SELECT 1 FROM (SELECT o.y FROM u AS o JOIN u ON o.y = u.z WHERE u.y = x) AS n)",
            " WHERE 1 = (SELECT count(*) FROM u AS o JOIN u ON o.z = u.z WHERE o.y = k AND u.y = x)",
            ", LATERAL (SELECT o.y FROM u AS o JOIN u ON o.y = u.z WHERE u.y = x)",
        ] {
            let error = check(query).await.expect_err(query);
            assert!(error.contains("this kind of correlated subquery is not supported"), "{query}: {error}");
        }
    }

    #[tokio::test]
    async fn right_answers_are_given() {
        for query in [
            ", LATERAL (SELECT count(*) + 1 FROM u WHERE y = x)",
            " LEFT JOIN LATERAL (SELECT count(*) FROM u WHERE y = x GROUP BY z HAVING count(*) > 1) ON true",
            ", LATERAL (SELECT y FROM u WHERE z > x)",
            ", LATERAL (SELECT DISTINCT z % 2 FROM u WHERE y = x)",
            ", LATERAL (SELECT n FROM (SELECT y, rank() OVER (PARTITION BY y) AS n FROM u) WHERE y = x AND n = 1)",
            ", LATERAL (SELECT n FROM u LEFT JOIN LATERAL (SELECT max(k) AS n FROM t WHERE x = y) ON true WHERE z = x)",
            " WHERE (SELECT coalesce(sum(z), 0) FROM u WHERE y = x AND x = y) = 0",
            " WHERE (SELECT count(*) > 0 AND max(z) > 1 FROM u WHERE y = x)",
            " WHERE 1 = (SELECT count(*) FROM u WHERE y = CAST(x AS smallint) AND x + 1 = z)",
            " WHERE 1 = (SELECT count(*) FROM u WHERE y = CAST(x AS decimal(9, 2)))",
            " WHERE 1 = (SELECT count(*) FROM (VALUES (DATE '2024-02-29')) AS u (y) WHERE y = to_timestamp(x))",
            " WHERE 1 = (SELECT count(*) FROM (SELECT * FROM u WHERE y = x) LEFT JOIN t AS o ON z = o.k)",
            " WHERE EXISTS (SELECT DISTINCT y FROM u WHERE z > x LIMIT 1)",
            " WHERE EXISTS (SELECT y FROM u WHERE y = x GROUP BY y HAVING count(*) > (SELECT count(*) FROM t))",
            " WHERE EXISTS (SELECT max(z) FROM u)",
            " WHERE EXISTS (SELECT * FROM u AS o JOIN u ON o.y = u.z WHERE u.y = x)",
            " WHERE NOT EXISTS (SELECT z AS y FROM u WHERE y = x)",
            " WHERE EXISTS (SELECT x FROM u)",
            " WHERE EXISTS (SELECT 1 FROM (SELECT y FROM u WHERE y = x) AS n)",
            " WHERE x IN (SELECT DISTINCT y FROM u WHERE z > x) OR x < ALL (SELECT y FROM u WHERE z = x)",
        ] {
            assert_eq!(check(query).await, Ok(()), "{query}");
        }
        let other_error = check(" WHERE 1 = (SELECT z FROM u WHERE y = x)").await.expect_err("several rows");
        assert!(other_error.contains("must be aggregated"), "{other_error}");
    }
}
