//! Joins by body and other columns, such as the rules of each group, without moving rows.
//!
//! Scans are partitioned by ranges of bodies. If both sides of a join have the same ranges, matching rows are in the
//! same partition. DataFusion 55.2 uses that for a join by body. For a join by body and group it sends all rows to
//! other threads by a hash of both. So nodes are added to the plan:
//!
//! - On each side, `KnownRanges` states that ranges of bodies are also ranges of bodies and groups.
//! - Above the join, `KnownRanges` states that its rows are still partitioned by ranges of bodies. Otherwise a grouping
//!   by body would send them to other threads again.
//! - Sides that are sorted by the keys are merged. A hash join would keep all rows of one side of a partition in memory.
//! - If one side has no ranges, such as the sites, `SentToRanges` sends its rows to the ranges of the other side. The
//!   rules stay where they are.
//!
//! Measured: over 996,000 captures, `KnownRanges` above joins and no shared sides with ranges cut `path_exposure` from
//! 51 CPU seconds to 31. Over 9.96 million, `SentToRanges` cut `duplicate_groups` from 74 s and 121 CPU seconds to 33 s
//! and 58. There, merging cut `path_exposure` from 80 s and 2.9 GB to 71 s and 1.2 GB, and `parsing_defects` from 2.1 GB
//! to 1.8.
//!
//! This waits for [apache/datafusion#25421](https://github.com/apache/datafusion/issues/25421), which plans such
//! joins.

mod ranges;

use super::stated::PlannedRows;
use datafusion::arrow::compute::SortOptions;
use datafusion::catalog::Session;
use datafusion::common::{DataFusionError, HashSet, JoinType, Result, ScalarValue, SplitPoint};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{LexOrdering, Partitioning, PhysicalExpr, PhysicalSortExpr, RangePartitioning};
use datafusion::physical_plan::joins::{HashJoinExec, PartitionMode, SortMergeJoinExec};
use datafusion::physical_plan::projection::{ProjectionExec, ProjectionExpr};
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties as _};
pub(super) use ranges::KnownRanges;
use ranges::SentToRanges;
use std::sync::Arc;

/// Rows that several statements join by body, in the order of bodies and in the ranges of scans, so that these joins are
/// merges. The same rows if they have no bodies, or scans have no ranges.
///
/// Measured: in a report over 59.8 million captures, `violation_overview` takes 133 CPU seconds and 1.5 GB instead of 161
/// and 3.1, and `top_agents` 139 and 2.2 GB instead of 148 and 3.1. Over 9.96 million, the time is the same.
pub(super) async fn in_order_of_bodies(rows: PlannedRows, session: &dyn Session) -> Result<PlannedRows> {
    let names = &session.config_options().catalog;
    let catalog = session.catalog_list().catalog(&names.default_catalog);
    let Some(schema) = catalog.and_then(|catalog| catalog.schema(&names.default_schema)) else { return Ok(rows) };
    let Some(bodies) = schema.table("bodies").await? else { return Ok(rows) };
    let bodies = bodies.scan(session, None, &[], None).await?;
    let Partitioning::Range(ranges) = bodies.output_partitioning() else { return Ok(rows) };
    let (columns, types) = (rows.schema(), bodies.schema());
    let own = |key: &PhysicalSortExpr| {
        let name = key.expr.downcast_ref::<Column>()?.name();
        let (place, column) = columns.column_with_name(name)?;
        let is_comparable = types.field_with_name(name).is_ok_and(|field| field.data_type() == column.data_type());
        is_comparable.then(|| PhysicalSortExpr::new(Arc::new(Column::new(name, place)), key.options))
    };
    let order = ranges.ordering().iter().map(own).collect::<Option<Vec<_>>>().and_then(LexOrdering::new);
    let Some(order) = order else { return Ok(rows) };
    let ranges = RangePartitioning::try_new(order.clone(), ranges.split_points().to_vec())?;
    let sent = Arc::new(SentToRanges::new(rows, Partitioning::Range(ranges))?);
    Ok(Arc::new(SortExec::new(order, sent).with_preserve_partitioning(true)))
}

/// The order of keys that are not keys of ranges.
const OTHER_KEYS: SortOptions = SortOptions { descending: false, nulls_first: true };

/// The same join without moving the rows of a side that has ranges; `None` if no side has ranges of keys of the join.
pub(super) fn join_in_place(join: &HashJoinExec) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    // `NOT IN` must know whether any row of a side is null.
    if join.null_aware {
        return Ok(None);
    }
    let Some((left, right)) = sides_by_ranges(join)? else { return Ok(None) };
    let (Partitioning::Range(left_ranges), Partitioning::Range(right_ranges)) =
        (left.output_partitioning(), right.output_partitioning())
    else {
        return Ok(None);
    };
    let mut others = join.on().to_vec();
    // An order has a key only once.
    let (lefts, rights): (HashSet<_>, HashSet<_>) = others.iter().cloned().unzip();
    if lefts.len() < others.len() || rights.len() < others.len() {
        return Ok(None);
    }
    let mut keys = Vec::new();
    for (left, right) in left_ranges.ordering().iter().zip(right_ranges.ordering().iter()) {
        let is_of_range = |(l, r): &(Arc<dyn PhysicalExpr>, Arc<dyn PhysicalExpr>)| l == &left.expr && r == &right.expr;
        let Some(place) = others.iter().position(is_of_range) else { return Ok(None) };
        keys.push(others.remove(place));
    }
    let all_keys = keys.iter().chain(&others).cloned().collect();
    if let Some(merged) = merge_in_place(join, (&left, left_ranges), (&right, right_ranges), all_keys)? {
        return Ok(Some(merged));
    }
    // In the other mode, one thread reads a whole side for all threads, and loses its order. DataFusion would choose it
    // where it underestimates the size of that side (apache/datafusion#25301).
    let by_ranges = join.builder().with_partition_mode(PartitionMode::Partitioned);
    let by_ranges = by_ranges.with_new_children(vec![Arc::clone(&left), Arc::clone(&right)])?;
    let by_ranges = by_ranges.recompute_properties().build_exec()?;
    if others.is_empty() {
        return Ok(Some(by_ranges));
    }
    let (left_others, right_others): (Vec<_>, Vec<_>) = others.iter().cloned().unzip();
    let sides: Vec<Arc<dyn ExecutionPlan>> = vec![
        Arc::new(KnownRanges::of_rows(Arc::clone(&left), more_keys(left_ranges, &left, &left_others)?)),
        Arc::new(KnownRanges::of_rows(Arc::clone(&right), more_keys(right_ranges, &right, &right_others)?)),
    ];
    keys.extend(others);
    let joined =
        join.builder().with_partition_mode(PartitionMode::Partitioned).with_on(keys).with_new_children(sides)?;
    let joined = joined.recompute_properties().build_exec()?;
    Ok(Some(Arc::new(KnownRanges::of_join(joined, by_ranges.output_partitioning().clone()))))
}

/// The same join of sides with the same ranges by merging their rows; `None` if they are not sorted by the keys.
fn merge_in_place(
    join: &HashJoinExec,
    left: (&PlannedRows, &RangePartitioning),
    right: (&PlannedRows, &RangePartitioning),
    keys: Vec<JoinedKeys>,
) -> Result<Option<PlannedRows>> {
    // A merge reads the rows of its first side one by one. A hash join does so with those of its second side.
    let is_swapped = match join.join_type() {
        JoinType::Left | JoinType::LeftSemi | JoinType::LeftAnti | JoinType::LeftMark => false,
        JoinType::Inner | JoinType::Right | JoinType::RightSemi | JoinType::RightAnti | JoinType::RightMark => true,
        // Its rows have no order.
        JoinType::Full => return Ok(None),
    };
    // A merge has no limit. Of left merges, DataFusion 55.2 checks the condition for rows without a match, too, and fails
    // if it reads a column that is never null (apache/datafusion#21197 fixed it for other joins). Others are rare.
    if join.filter().is_some() || join.fetch().is_some() {
        return Ok(None);
    }
    let ((first, first_ranges), (second, second_ranges)) = if is_swapped { (right, left) } else { (left, right) };
    let keys: Vec<JoinedKeys> =
        keys.into_iter().map(|(left, right)| if is_swapped { (right, left) } else { (left, right) }).collect();
    let of_ranges = first_ranges.ordering().iter().map(|key| key.options);
    let options: Vec<_> = of_ranges.chain(std::iter::repeat(OTHER_KEYS)).take(keys.len()).collect();
    let (first_keys, second_keys): (Vec<_>, Vec<_>) = keys.iter().cloned().unzip();
    let is_sorted = |rows: &PlannedRows, keys: &[Arc<dyn PhysicalExpr>]| {
        let sorted = keys.iter().zip(&options).map(|(key, options)| PhysicalSortExpr::new(Arc::clone(key), *options));
        rows.equivalence_properties().ordering_satisfy(sorted)
    };
    if !is_sorted(first, &first_keys)? || !is_sorted(second, &second_keys)? {
        return Ok(None);
    }
    let side = |rows: &PlannedRows, ranges: &RangePartitioning, keys: &[Arc<dyn PhysicalExpr>]| {
        let others = keys.get(ranges.ordering().len()..).unwrap_or_default();
        let ranges = more_keys(ranges, rows, others)?;
        Ok::<PlannedRows, DataFusionError>(Arc::new(KnownRanges::of_rows(Arc::clone(rows), ranges)))
    };
    let merge = SortMergeJoinExec::try_new(
        side(first, first_ranges, &first_keys)?,
        side(second, second_ranges, &second_keys)?,
        keys,
        None,
        if is_swapped { join.join_type().swap() } else { *join.join_type() },
        options,
        join.null_equality(),
    )?;
    let merge = KnownRanges::of_join(Arc::new(merge), Partitioning::Range(first_ranges.clone()));
    in_columns_of(join, is_swapped, Arc::new(merge)).map(Some)
}

/// The rows of a merge with the columns of the hash join that it replaces.
fn in_columns_of(join: &HashJoinExec, is_swapped: bool, merge: PlannedRows) -> Result<PlannedRows> {
    let (left, right) = (join.left().schema().fields().len(), join.right().schema().fields().len());
    let fields = join.join_schema().fields();
    let are_swapped = is_swapped && matches!(join.join_type(), JoinType::Inner | JoinType::Right);
    let columns = fields.iter().enumerate().map(|(column, field)| {
        let place = match column {
            _ if !are_swapped => column,
            _ if column < left => right + column,
            _ => column - left,
        };
        ProjectionExpr::new(Arc::new(Column::new(field.name(), place)), field.name().clone())
    });
    let columns: Vec<ProjectionExpr> = columns.collect();
    let columns = match &join.projection {
        Some(chosen) => chosen.iter().filter_map(|column| columns.get(*column).cloned()).collect(),
        None => columns,
    };
    Ok(Arc::new(ProjectionExec::try_new(columns, merge)?))
}

/// Both sides of a join. If only one has ranges, and the other is too large for one thread to read it for all, the rows
/// of the other are sent to these ranges. DataFusion would send both sides to other threads by a hash.
fn sides_by_ranges(join: &HashJoinExec) -> Result<Option<(PlannedRows, PlannedRows)>> {
    let (left, right) = (join.left(), join.right());
    Ok(match (left.output_partitioning(), right.output_partitioning()) {
        (Partitioning::Range(of_left), Partitioning::Range(of_right))
            if of_left.split_points() == of_right.split_points() =>
        {
            Some((Arc::clone(left), Arc::clone(right)))
        }
        _ if join.partition_mode() != &PartitionMode::Partitioned => None,
        (_, Partitioning::Range(ranges)) => {
            let keys: Vec<JoinedKeys> = join.on().iter().cloned().map(|(left, right)| (right, left)).collect();
            send(left, ranges, &keys)?.map(|left| (left, Arc::clone(right)))
        }
        (Partitioning::Range(ranges), _) => send(right, ranges, join.on())?.map(|right| (Arc::clone(left), right)),
        _ => None,
    })
}

/// A join key of the side with ranges, and the matching key of the other side.
type JoinedKeys = (Arc<dyn PhysicalExpr>, Arc<dyn PhysicalExpr>);

/// Sends rows to the ranges of the other side; `None` if the join does not compare all keys of the ranges.
fn send(rows: &PlannedRows, ranges: &RangePartitioning, keys: &[JoinedKeys]) -> Result<Option<PlannedRows>> {
    let own = |ranged: &PhysicalSortExpr| {
        let (_, own) = keys.iter().find(|(key, _)| key == &ranged.expr)?;
        Some(PhysicalSortExpr::new(Arc::clone(own), ranged.options))
    };
    let Some(ordering) = ranges.ordering().iter().map(own).collect::<Option<Vec<_>>>().and_then(LexOrdering::new)
    else {
        return Ok(None);
    };
    let ranges = RangePartitioning::try_new(ordering, ranges.split_points().to_vec())?;
    Ok(Some(Arc::new(SentToRanges::new(Arc::clone(rows), Partitioning::Range(ranges))?)))
}

/// The same ranges, stated for more keys.
fn more_keys(
    ranges: &RangePartitioning,
    rows: &Arc<dyn ExecutionPlan>,
    others: &[Arc<dyn PhysicalExpr>],
) -> Result<Partitioning> {
    let mut ordering = ranges.ordering().clone();
    ordering.extend(others.iter().map(|key| PhysicalSortExpr::new(Arc::clone(key), OTHER_KEYS)));
    let schema = rows.schema();
    let least = others.iter().map(|key| ScalarValue::try_new_null(&key.data_type(&schema)?));
    let least = least.collect::<Result<Vec<_>>>()?;
    let split_point = |point: &SplitPoint| SplitPoint::new([point.values(), &least].concat());
    let split_points = ranges.split_points().iter().map(split_point).collect();
    Ok(Partitioning::Range(RangePartitioning::try_new(ordering, split_points)?))
}
