//! DataFusion over a folder of tables: sessions, permissions, and our changes to its planner. Each file says at its start
//! what it is for.

// A folder that answers statements, and what statements may do.
pub(crate) mod options;
mod permission;
pub(crate) mod session;
mod sizes;

// How they are answered: files, memory, threads and messages.
pub(crate) mod batches;
pub(crate) mod failure;
pub(crate) mod files;
pub(crate) mod spill;
pub(crate) mod table_reader;
pub(crate) mod threads;
mod writes;

// Faster plans, and joins that can be stopped.
mod body_joins;
mod body_unions;
mod constants;
mod cooperation;
pub(crate) mod once;
mod trusted;

// Workarounds: without them, DataFusion would give wrong answers, or fail.
mod aggregate_orders;
mod dependencies;
mod grouping_sets;
mod in_lists;
mod intervals;
mod join_order;
pub(crate) mod joins;
mod merges;
mod named;
mod order_check;
mod rankings;
mod sort_limits;
mod sound_rules;
mod sparing_pool;
mod stated;
mod unique_names;
mod unknown_bounds;
mod wide_numbers;

// Refusals: DataFusion would answer such statements wrongly, or with an unclear error.
mod calls;
mod correlated;
mod in_subqueries;
mod unnested;

#[cfg(test)]
pub(crate) mod fixture;
