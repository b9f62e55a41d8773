//! DataFusion over a folder of tables: sessions, permissions, and our changes to its planner. Each file says at its start
//! what it is for.

// A folder that answers statements, and what statements may do.
pub(crate) mod options;
mod permission;
pub(crate) mod session;
mod shared_pool;
mod sizes;

// How they are answered: files, memory, threads and messages.
pub(crate) mod batches;
pub(crate) mod failure;
pub(crate) mod files;
pub(crate) mod spill;
mod spill_files;
pub(crate) mod table_reader;
pub(crate) mod threads;
mod writes;

// Our rules for plans, among those of DataFusion, and what several of them need.
mod logical_rules;
mod named;
pub(crate) mod physical_rules;
mod stated;

// Faster plans, less memory, and joins that can be stopped.
mod body_joins;
mod body_unions;
mod constants;
mod cooperation;
mod distinct_counts;
mod estimated_rows;
mod few_bodies;
pub(crate) mod once;
mod repeated_keys;
mod spilling_joins;
mod trusted;
mod unused_sides;

// Workarounds: without them, DataFusion would give wrong answers, or fail.
mod aggregate_orders;
mod dependencies;
mod grouping_sets;
mod in_lists;
mod intervals;
mod join_order;
mod order_check;
mod rankings;
mod sort_limits;
mod sorted_keys;
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
