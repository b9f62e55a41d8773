//! DataFusion over a folder of tables: sessions, permissions, and our changes to its planner.
//!
//! - [`session`]: a folder of tables that answers statements.
//! - [`options`]: how a folder is opened.
//! - [`permission`]: which statements are allowed.
//! - [`once`]: computes a step once, even if a statement reads it several times.
//! - [`cooperation`]: lets joins be stopped.
//! - [`constants`]: drops keys that are the same in all rows.
//! - [`joins`]: all physical rules, in their order.
//! - [`body_joins`]: joins by body and other columns without moving the rows of bodies to other threads.
//! - [`body_unions`]: merges rows of bodies in `UNION ALL`.
//! - [`join_order`]: a workaround for joins of whose rows too much is stated.
//! - [`grouping_sets`]: a workaround for groupings of whose rows too much is stated.
//! - [`order_check`]: a workaround for plans that are refused although their rows have the required order.
//! - [`rankings`]: a workaround for rankings that lose rows which other functions read.
//! - [`unique_names`]: a workaround for conditions that end up on another column of the same name.
//! - [`stated`]: nodes that pass rows through and state other properties.
//! - [`filtered_merges`]: a workaround for outer joins that fail if they are merged.
//! - [`dependencies`]: a workaround for wrong answers of DataFusion 55.
//! - [`correlated`]: refuses correlated subqueries that DataFusion answers wrongly.
//! - [`unnested`]: refuses statements with a subquery that DataFusion cannot make a join.
//! - [`in_lists`]: a workaround for lists of values that are joined wrongly.
//! - [`in_subqueries`]: refuses IN and NOT IN where DataFusion's answer may be wrong.
//! - [`sound_rules`]: a workaround for optimizer rules that make some answers wrong.
//! - [`trusted`]: which columns the crate `guard` need not protect.
//! - [`batches`]: computes an answer on another thread.
//! - [`sizes`]: refuses calls that would need too much memory.
//! - [`files`]: the files that statements read and write.
//! - [`writes`]: why a file of a statement could not be written.
//! - [`spill`]: the folders for temporary files.
//! - [`table_reader`]: reads a file of the folder without DataFusion.
//! - [`threads`]: threads whose stacks are large enough for deep statements.
//! - [`failure`]: turns errors of DataFusion into messages.

pub(crate) mod batches;
mod body_joins;
mod body_unions;
mod constants;
mod cooperation;
mod correlated;
mod dependencies;
pub(crate) mod failure;
pub(crate) mod files;
mod filtered_merges;
#[cfg(test)]
mod fixture;
mod grouping_sets;
mod in_lists;
mod in_subqueries;
mod join_order;
pub(crate) mod joins;
pub(crate) mod once;
pub(crate) mod options;
mod order_check;
mod permission;
mod rankings;
pub(crate) mod session;
mod sizes;
mod sound_rules;
pub(crate) mod spill;
mod stated;
pub(crate) mod table_reader;
pub(crate) mod threads;
mod trusted;
mod unique_names;
mod unnested;
mod writes;
