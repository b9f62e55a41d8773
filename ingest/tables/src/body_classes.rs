//! Which policy class each body has: bodies of one class have the same verdicts for each tracked agent.

use crate::declare::table;

table! { "body_classes", "one row per body that names a tracked agent or *" {
    body_id: Large as Near + Ranged = "The body, in bodies.",
    class_id: Large = "Its policy class: the smallest body_id among bodies with the same verdicts for each tracked agent.",
} }
