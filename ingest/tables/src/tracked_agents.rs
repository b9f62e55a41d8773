//! The agents that the derived tables have verdicts for.

use crate::declare::table;

table! { "tracked_agents", "one row per tracked agent, and one with * for all other agents" {
    agent: Word as Repeated + Ranged = "The token, as in agents but in lower case, or *.",
} }
