//! `count(DISTINCT x)` that can spill.
//!
//! DataFusion 55.2 counts distinct values by a set for each group, unless all aggregates of a statement are over the same
//! distinct values, sums, minima or maxima. The set of a group must fit in memory, and that of texts takes 12 KB or more.
//! Measured over 59.8 million captures with 2 GiB: `SELECT crawl, count(*), count(DISTINCT url_host_name) FROM captures
//! GROUP BY crawl` failed.
//!
//! So the values become keys of a grouping, which can spill, and a second grouping counts them:
//!
//! - If there is one such `x`, the first grouping also counts and sums, and the second adds its results.
//! - If there are several, each has its own groupings. All groups of all these groupings are then joined by a union and a
//!   last grouping. They compute the input once for each `x`. So unless it is only read from a table, just a statement
//!   that found too little memory does this.
//!
//! Numbers have small sets, and also get this only then.
//!
//! Measured: that statement takes 27 s and 1.2 GB. Over 9.96 million captures, `SELECT url_host_name, count(*),
//! count(DISTINCT server) FROM captures GROUP BY url_host_name` took 50 CPU seconds and 2.0 GB, and takes 24 and 1.0. If
//! the sets of few groups fit in memory, the groupings take twice the CPU seconds: for that statement by crawl, 6 and not
//! 3.
//!
//! For one `x`, [apache/datafusion#24859](https://github.com/apache/datafusion/pull/24859) does the same in a later
//! release. Several wait for [apache/datafusion#21087](https://github.com/apache/datafusion/issues/21087).

use super::once::is_of_round;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::functions::core::expr_fn::coalesce;
use datafusion::functions_aggregate::expr_fn::{count, max, sum};
use datafusion::logical_expr::expr::AggregateFunction;
use datafusion::logical_expr::{
    Aggregate, AggregateUDF, Distinct, Expr, ExprSchemable as _, LogicalPlan, LogicalPlanBuilder, lit, when,
};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use datafusion::prelude::ident;
use std::sync::Arc;

/// Turns distinct counts into groupings.
#[derive(Debug)]
pub(super) struct CountByGroups {
    /// Whether it turns all that it can, also where this takes longer.
    pub(super) always: bool,
}

impl OptimizerRule for CountByGroups {
    fn name(&self) -> &'static str {
        "count_distinct_by_groups"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::BottomUp)
    }

    fn rewrite(&self, plan: LogicalPlan, _config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let LogicalPlan::Aggregate(groups) = &plan else { return Ok(Transformed::no(plan)) };
        Ok(match self.by_groups(groups)? {
            Some(other) => Transformed::yes(other),
            None => Transformed::no(plan),
        })
    }
}

impl CountByGroups {
    fn by_groups(&self, groups: &Aggregate) -> Result<Option<LogicalPlan>> {
        if groups.group_expr.iter().any(|key| matches!(key, Expr::GroupingSet(_))) {
            return Ok(None);
        }
        let counted = groups.aggr_expr.iter().map(AggregateKind::of).collect::<Result<Vec<_>>>()?;
        let mut values: Vec<&Expr> = Vec::new();
        for counted in &counted {
            if let AggregateKind::Values(value) = counted
                && !values.contains(&value)
            {
                values.push(value);
            }
        }
        let Some(first) = values.first() else { return Ok(None) };
        let is_text = |value: &&Expr| {
            let of = value.get_type(groups.input.schema())?;
            Ok(!of.is_primitive() && of != DataType::Boolean)
        };
        let have_texts = values.iter().map(is_text).collect::<Result<Vec<_>>>()?.contains(&true);
        let can_be_added = counted.iter().all(|counted| !matches!(counted, AggregateKind::Whole(_)));
        let plan = if values.len() == 1 && can_be_added && (have_texts || self.always) {
            in_two_steps(groups, first, &counted)?
        } else if (self.always || have_texts && only_reads(&groups.input)?) && may_be_joined(groups)? {
            one_by_one(groups, &values, &counted)?
        } else {
            return Ok(None);
        };
        // A sum of sums may have another type than a sum.
        let has_types = plan.schema().logically_equivalent_names_and_types(&groups.schema);
        Ok(has_types.then_some(plan))
    }
}

/// How an aggregate can be computed.
enum AggregateKind<'e> {
    /// It counts the distinct values of an expression.
    Values(Expr),
    /// Parts of the rows can be counted, and then the counts are added.
    Rows(&'e Expr),
    /// Parts of the rows can be aggregated, and then the results by the same function.
    Parts(&'e Expr, &'e AggregateUDF),
    /// It needs all rows.
    Whole(&'e Expr),
}

impl<'e> AggregateKind<'e> {
    fn of(call: &'e Expr) -> Result<Self> {
        let call = if let Expr::Alias(alias) = call { alias.expr.as_ref() } else { call };
        let Expr::AggregateFunction(AggregateFunction { func, params }) = call else {
            return Ok(AggregateKind::Whole(call));
        };
        if !params.order_by.is_empty() || params.null_treatment.is_some() {
            return Ok(AggregateKind::Whole(call));
        }
        Ok(match (func.name(), params.distinct, params.args.as_slice(), &params.filter) {
            ("count", true, [value], None) => AggregateKind::Values(value.clone()),
            // A count leaves out nulls.
            ("count", true, [value], Some(filter)) => {
                AggregateKind::Values(when(filter.as_ref().clone(), value.clone()).end()?)
            }
            ("count", false, ..) => AggregateKind::Rows(call),
            ("sum" | "min" | "max" | "bool_and" | "bool_or", false, ..) => AggregateKind::Parts(call, func),
            _ => AggregateKind::Whole(call),
        })
    }

    /// The aggregate itself, unless it counts distinct values.
    fn call(&self) -> Option<&'e Expr> {
        match self {
            AggregateKind::Values(_) => None,
            AggregateKind::Rows(call) | AggregateKind::Parts(call, _) | AggregateKind::Whole(call) => Some(call),
        }
    }
}

/// The aggregates that count no distinct values, under the names of their results.
fn calls(counted: &[AggregateKind<'_>]) -> Vec<Expr> {
    let named = |(place, counted): (usize, &AggregateKind<'_>)| Some(counted.call()?.clone().alias(result(place)));
    counted.iter().enumerate().filter_map(named).collect()
}

/// Groups by the keys and the values, and then by the keys. No aggregate may need all rows.
fn in_two_steps(groups: &Aggregate, value: &Expr, counted: &[AggregateKind<'_>]) -> Result<LogicalPlan> {
    let sums = counted.iter().enumerate().map(|(place, counted)| {
        let sum = match counted {
            AggregateKind::Values(_) => count(ident(VALUE)),
            AggregateKind::Parts(_, function) => function.call(vec![ident(result(place))]),
            AggregateKind::Rows(_) | AggregateKind::Whole(_) => sum(ident(result(place))),
        };
        sum.alias(result(place))
    });
    let plan = LogicalPlanBuilder::new_from_arc(Arc::clone(&groups.input))
        .aggregate(keys(groups).chain([value.clone().alias(VALUE)]), calls(counted))?
        .aggregate(key_columns(groups), sums.collect::<Vec<_>>())?;
    named(plan, groups, counted)
}

/// Groups by the keys and each value, and then by the keys; and by the keys for all other aggregates. Then joins the
/// results of each group.
fn one_by_one(groups: &Aggregate, values: &[&Expr], counted: &[AggregateKind<'_>]) -> Result<LogicalPlan> {
    let input = || LogicalPlanBuilder::new_from_arc(Arc::clone(&groups.input));
    // The keys and the results; null where another branch has the result.
    let results = |has: &dyn Fn(&AggregateKind<'_>) -> bool, of: &dyn Fn(usize) -> String| {
        let column = |(place, counted): (usize, &AggregateKind<'_>)| {
            let (_, field) = groups.schema.qualified_field(groups.group_expr.len() + place);
            let null = || Ok::<_, DataFusionError>(Expr::Literal(ScalarValue::try_from(field.data_type())?, None));
            Ok(if has(counted) { ident(of(place)) } else { null()? }.alias(result(place)))
        };
        let columns = counted.iter().enumerate().map(column).collect::<Result<Vec<_>>>()?;
        Ok::<_, DataFusionError>(key_columns(groups).chain(columns).collect::<Vec<_>>())
    };
    let mut branches = Vec::new();
    let calls = calls(counted);
    if !calls.is_empty() {
        let has = |counted: &AggregateKind<'_>| counted.call().is_some();
        branches.push(input().aggregate(keys(groups), calls)?.project(results(&has, &result)?)?.build()?);
    }
    for value in values {
        let has = |counted: &AggregateKind<'_>| matches!(counted, AggregateKind::Values(other) if other == *value);
        let counts = input()
            .aggregate(keys(groups).chain([(*value).clone().alias(VALUE)]), Vec::<Expr>::new())?
            .aggregate(key_columns(groups), [count(ident(VALUE)).alias(VALUE)])?;
        branches.push(counts.project(results(&has, &|_| VALUE.to_owned())?)?.build()?);
    }
    let mut branches = branches.into_iter();
    let all = LogicalPlanBuilder::from(branches.next().unwrap_or_default());
    let all = branches.try_fold(all, LogicalPlanBuilder::union)?;
    // Each group has one row of each branch.
    let results = (0..counted.len()).map(|place| max(ident(result(place))).alias(result(place)));
    named(all.aggregate(key_columns(groups), results.collect::<Vec<_>>())?, groups, counted)
}

/// The name of a key in the plan.
fn key(place: usize) -> String {
    format!("group_key_{place}")
}

/// The name of a result in the plan.
fn result(place: usize) -> String {
    format!("group_result_{place}")
}

/// The name of the distinct values in the plan.
const VALUE: &str = "group_value";

fn keys(groups: &Aggregate) -> impl Iterator<Item = Expr> {
    groups.group_expr.iter().enumerate().map(|(place, expr)| expr.clone().alias(key(place)))
}

fn key_columns(groups: &Aggregate) -> impl Iterator<Item = Expr> {
    (0..groups.group_expr.len()).map(|place| ident(key(place)))
}

/// The columns of the grouping, with its names.
fn named(plan: LogicalPlanBuilder, groups: &Aggregate, counted: &[AggregateKind<'_>]) -> Result<LogicalPlan> {
    // A sum of no rows is null.
    let number = |(place, counted): (usize, &AggregateKind<'_>)| match counted {
        AggregateKind::Values(_) | AggregateKind::Rows(_) => coalesce(vec![ident(result(place)), lit(0_i64)]),
        AggregateKind::Parts(..) | AggregateKind::Whole(_) => ident(result(place)),
    };
    let columns = key_columns(groups).chain(counted.iter().enumerate().map(number));
    let columns = columns.zip(groups.schema.iter());
    plan.project(columns.map(|(column, (qualifier, field))| column.alias_qualified(qualifier.cloned(), field.name())))?
        .build()
}

/// Whether a plan is only read from a table.
fn only_reads(plan: &LogicalPlan) -> Result<bool> {
    let computes = |node: &LogicalPlan| {
        use LogicalPlan::{Filter, Projection, SubqueryAlias, TableScan};
        !matches!(node, TableScan(_) | Filter(_) | Projection(_) | SubqueryAlias(_))
    };
    Ok(!plan.exists(|node| Ok(computes(node)))?)
}

/// Whether the input has the same rows each time it runs, also in a round of a recursive statement, and results can be told
/// from nulls by a maximum.
fn may_be_joined(groups: &Aggregate) -> Result<bool> {
    let may_change = |node: &LogicalPlan| match node {
        LogicalPlan::TableScan(scan) => scan.fetch.is_some(),
        LogicalPlan::Projection(_)
        | LogicalPlan::Filter(_)
        | LogicalPlan::Join(_)
        | LogicalPlan::Aggregate(_)
        | LogicalPlan::Distinct(Distinct::All(_))
        | LogicalPlan::Union(_)
        | LogicalPlan::SubqueryAlias(_)
        | LogicalPlan::EmptyRelation(_)
        | LogicalPlan::Values(_) => node.expressions().iter().any(Expr::is_volatile),
        // The rows of a LIMIT and of some windows depend on the order of the input.
        _ => true,
    };
    let mut expressions = groups.group_expr.iter().chain(&groups.aggr_expr);
    let has_lists = groups.schema.fields().iter().any(|field| field.data_type().is_nested());
    let is_the_same = !is_of_round(&groups.input) && !groups.input.exists(|node| Ok(may_change(node)))?;
    Ok(is_the_same && !expressions.any(Expr::is_volatile) && !has_lists)
}

#[cfg(test)]
mod tests {
    use super::CountByGroups;
    use crate::engine::fixture::{answer_in, answer_with_optimizer};
    use datafusion::execution::memory_pool::FairSpillPool;
    use datafusion::execution::runtime_env::RuntimeEnvBuilder;
    use datafusion::execution::session_state::SessionStateBuilder;
    use datafusion::optimizer::optimizer::Optimizer;
    use datafusion::prelude::{SessionConfig, SessionContext};
    use std::sync::Arc;

    /// Two keys and two texts, each with nulls.
    const ROWS: &str = "WITH t AS (SELECT nullif(value % 3, 2) AS k, nullif(value % 2, 1) AS l, value AS n,
        arrow_cast(nullif(value % 7, 4), 'Utf8') AS a, arrow_cast(nullif(value % 5, 3), 'Utf8') AS b, value % 11 AS m
        FROM range(0, 60))";

    /// With one text, and nothing that needs all rows.
    const OF_ONE: [&str; 8] = [
        "SELECT k, count(*) AS rows, count(DISTINCT a) AS texts FROM t GROUP BY k ORDER BY k",
        "SELECT count(DISTINCT a) AS texts, k + 1 AS next, count(b) AS others, sum(n), min(n), max(b), bool_or(n > 50) \
         FROM t GROUP BY k, l ORDER BY k, l",
        "SELECT count(*) AS rows, count(DISTINCT a) AS texts FROM t",
        "SELECT count(*) AS rows, count(b) AS others, count(DISTINCT a) AS texts, sum(n) AS n FROM t WHERE n < 0",
        "SELECT k, count(*) AS rows, count(DISTINCT a) AS texts FROM t WHERE n < 0 GROUP BY k",
        "SELECT k, count(*) FILTER (WHERE n < 9) AS rows, count(DISTINCT a) FILTER (WHERE n > 50) AS texts FROM t \
         GROUP BY k HAVING count(*) > 3 ORDER BY k",
        "SELECT k AS x, count(DISTINCT substr(a, 1, 1)) + count(*) AS x2 FROM t GROUP BY k ORDER BY x",
        "SELECT x.k, y.k AS k2, count(*) AS rows, count(DISTINCT x.a) AS texts FROM t AS x JOIN t AS y ON x.n = y.m \
         GROUP BY x.k, y.k ORDER BY x.k, k2",
    ];

    /// With several texts, or an aggregate that needs all rows.
    const OF_SEVERAL: [&str; 4] = [
        "SELECT k, count(DISTINCT a) AS texts, count(DISTINCT b) AS others FROM t GROUP BY k ORDER BY k",
        "SELECT k, l, count(DISTINCT a) AS texts, avg(n) AS mean, count(DISTINCT m) AS numbers, count(*) AS rows, \
         sum(DISTINCT m) AS sum, count(DISTINCT a) FILTER (WHERE n < 20) AS few FROM t GROUP BY k, l ORDER BY k, l",
        "SELECT count(DISTINCT a) AS texts, median(n) AS middle, count(DISTINCT b) AS others FROM t",
        "SELECT count(DISTINCT a) AS texts, count(*) AS rows, count(DISTINCT b) AS others FROM t WHERE n < 0",
    ];

    /// With numbers, or over a join.
    const COSTLY: [&str; 3] = [
        "SELECT k, count(*) AS rows, count(DISTINCT m) AS numbers FROM t GROUP BY k ORDER BY k",
        "SELECT count(DISTINCT m) AS numbers, count(DISTINCT n) AS others FROM t",
        "SELECT x.k, count(DISTINCT x.a) AS texts, count(DISTINCT y.a) AS others FROM t AS x JOIN t AS y ON x.n = y.m \
         GROUP BY x.k ORDER BY x.k",
    ];

    /// With lists, or with other rows if they were read twice, or without distinct counts.
    const OTHERS: [&str; 7] = [
        "SELECT count(DISTINCT a) AS texts, count(DISTINCT b) AS others FROM t GROUP BY random() < 2",
        "SELECT k, array_agg(n ORDER BY n) AS numbers, count(DISTINCT a) AS texts FROM t GROUP BY k ORDER BY k",
        "SELECT count(DISTINCT a) AS texts, count(DISTINCT b) AS others FROM \
         (SELECT *, row_number() OVER (ORDER BY m) AS place FROM t) WHERE place < 30",
        "SELECT count(DISTINCT a) AS texts, count(DISTINCT b) AS others FROM (SELECT * FROM t LIMIT 30)",
        "SELECT count(DISTINCT a) AS texts, count(DISTINCT b) AS others FROM t WHERE random() < 2",
        "SELECT k, l, count(*) AS rows, count(DISTINCT a) AS texts FROM t GROUP BY ROLLUP (k, l) ORDER BY k, l, rows",
        "SELECT k, count(*) AS rows, count(a) AS texts FROM t GROUP BY k ORDER BY k",
    ];

    fn optimizer(always: bool) -> Optimizer {
        let mut optimizer = Optimizer::new();
        optimizer.rules.push(Arc::new(CountByGroups { always }));
        optimizer
    }

    #[tokio::test]
    async fn counts_are_those_of_sets() {
        for (statements, changes) in [
            (&OF_ONE[..], [true, true]),
            (&OF_SEVERAL[..], [true, true]),
            (&COSTLY[..], [false, true]),
            (&OTHERS[..], [false, false]),
        ] {
            for sql in statements {
                let sql = format!("{ROWS} {sql}");
                let expected = answer_with_optimizer(Optimizer::new(), &sql).await;
                for (always, changes) in [false, true].into_iter().zip(changes) {
                    assert_eq!(answer_with_optimizer(optimizer(always), &sql).await, expected, "{always}: {sql}");
                    let plan = answer_with_optimizer(optimizer(always), &format!("EXPLAIN {sql}")).await;
                    assert_eq!(plan.contains(super::VALUE), changes, "{always}: {sql}: {plan}");
                }
            }
        }
    }

    /// A session with two MB.
    fn sparing(optimizer: Optimizer) -> SessionContext {
        let memory = RuntimeEnvBuilder::new().with_memory_pool(Arc::new(FairSpillPool::new(2 << 20)));
        let config = SessionConfig::new().with_target_partitions(1).with_batch_size(64);
        let config = config.with_sort_spill_reservation_bytes(100 << 10);
        let state = SessionStateBuilder::new().with_default_features().with_config(config);
        let state = state.with_runtime_env(memory.build_arc().unwrap()).with_optimizer_rules(optimizer.rules);
        SessionContext::new_with_state(state.build())
    }

    const MANY: &str = "SELECT k, count(*) AS rows, count(DISTINCT a) AS texts FROM \
        (SELECT value % 2 AS k, arrow_cast(value % 80001, 'Utf8') AS a FROM range(0, 160002)) GROUP BY k ORDER BY k";

    #[tokio::test]
    async fn many_values_of_few_groups_spill() {
        let answer = answer_in(&sparing(optimizer(false)), MANY).await;
        assert!(answer.contains("| 0 | 80001 | 80001 |"), "{answer}");
        let several = MANY.replace("texts", "texts, count(DISTINCT k) AS keys");
        let answer = answer_in(&sparing(optimizer(true)), &several).await;
        assert!(answer.contains("| 0 | 80001 | 80001 | 1    |"), "{answer}");
    }

    /// When this fails, DataFusion has been fixed.
    #[tokio::test]
    async fn datafusion_still_needs_this() {
        let error = sparing(Optimizer::new()).sql(MANY).await.unwrap().collect().await.unwrap_err();
        assert!(error.to_string().contains("allocate"), "{error}");
    }
}
