//! The weight of the rule that decides among the rows so far. It is a maximum, so rows may come in any order and in
//! parts that are merged later.

use super::NAME;
use crate::functions::matches::Targets;
use datafusion::arrow::array::{Array, ArrayRef, BooleanArray, Int64Array};
use datafusion::common::cast::{as_boolean_array, as_int64_array, as_string_array};
use datafusion::common::utils::take_function_args;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{Accumulator, EmitTo, GroupsAccumulator};
use robots::{Pattern, Weight};
use std::sync::Arc;

/// The weight of the rule that decides, as a number. The greatest weight wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DecidingWeight(i64);

impl Default for DecidingWeight {
    /// The weight of no rule.
    fn default() -> Self {
        DecidingWeight(i64::from(Weight::default().to_number()))
    }
}

impl DecidingWeight {
    /// The weight for a null path. It is greater than that of any rule, so one null path makes the result null.
    const UNKNOWN: DecidingWeight = DecidingWeight(i64::MAX);

    fn allowed(self) -> Option<bool> {
        u32::try_from(self.0).ok().map(|number| Weight::from_number(number).allows())
    }

    fn add(&mut self, other: DecidingWeight) {
        *self = (*self).max(other);
    }
}

/// Calls `with` for each row of the arguments, with the weight of the row's rule for the row's path.
fn each(values: &[ArrayRef], filter: Option<&BooleanArray>, mut with: impl FnMut(usize, DecidingWeight)) -> Result<()> {
    let [allows, patterns, paths] = take_function_args(NAME, values)?;
    let rules = as_boolean_array(allows)?.iter().zip(as_string_array(patterns)?);
    let mut targets = Targets::default();
    for (row, (rule, path)) in rules.zip(as_string_array(paths)?).enumerate() {
        if filter.is_some_and(|filter| filter.is_null(row) || !filter.value(row)) {
            continue;
        }
        let weight = match (path.and_then(|path| targets.target(path)), rule) {
            (None, _) => DecidingWeight::UNKNOWN,
            (Some(target), (Some(allow), Some(pattern))) => {
                let weight = Weight::of_rule(allow, &Pattern::new(pattern.as_bytes()), target);
                DecidingWeight(i64::from(weight.to_number()))
            }
            (Some(_), _) => continue,
        };
        with(row, weight);
    }
    Ok(())
}

fn each_state(states: &[ArrayRef], mut with: impl FnMut(usize, DecidingWeight)) -> Result<()> {
    let [weights] = take_function_args(NAME, states)?;
    for (row, weight) in as_int64_array(weights)?.iter().enumerate() {
        if let Some(weight) = weight {
            with(row, DecidingWeight(weight));
        }
    }
    Ok(())
}

impl Accumulator for DecidingWeight {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        each(values, None, |_, weight| self.add(weight))
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        each_state(states, |_, weight| self.add(weight))
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![ScalarValue::Int64(Some(self.0))])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Boolean(self.allowed()))
    }

    fn size(&self) -> usize {
        size_of::<Self>()
    }
}

/// The deciding weights of many groups of rows.
#[derive(Debug, Default)]
pub(super) struct DecidingWeights(Vec<DecidingWeight>);

impl DecidingWeights {
    fn add(&mut self, group: Option<&usize>, weight: DecidingWeight) {
        if let Some(of_group) = group.and_then(|group| self.0.get_mut(*group)) {
            of_group.add(weight);
        }
    }
}

impl GroupsAccumulator for DecidingWeights {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        group_indices: &[usize],
        opt_filter: Option<&BooleanArray>,
        total_num_groups: usize,
    ) -> Result<()> {
        self.0.resize(total_num_groups, DecidingWeight::default());
        each(values, opt_filter, |row, weight| self.add(group_indices.get(row), weight))
    }

    fn merge_batch(&mut self, states: &[ArrayRef], group_indices: &[usize], total_num_groups: usize) -> Result<()> {
        self.0.resize(total_num_groups, DecidingWeight::default());
        each_state(states, |row, weight| self.add(group_indices.get(row), weight))
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let emitted = emit_to.take_needed(&mut self.0);
        Ok(Arc::new(emitted.into_iter().map(DecidingWeight::allowed).collect::<BooleanArray>()))
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        let emitted = emit_to.take_needed(&mut self.0);
        Ok(vec![Arc::new(emitted.into_iter().map(|weight| weight.0).collect::<Int64Array>())])
    }

    fn convert_to_state(&self, values: &[ArrayRef], opt_filter: Option<&BooleanArray>) -> Result<Vec<ArrayRef>> {
        let rows = values.first().map_or(0, |value| value.len());
        let mut states = DecidingWeights(vec![DecidingWeight::default(); rows]);
        each(values, opt_filter, |row, weight| states.add(Some(&row), weight))?;
        states.state(EmitTo::All)
    }

    fn size(&self) -> usize {
        self.0.capacity() * size_of::<DecidingWeight>()
    }
}
