//! Which policy class each body has: bodies of one class treat every tracked agent alike.

use crate::declare::table;

table! { "body_classes", "one row per body that names a tracked agent or *" {
    body_id: Large as Near + Ranged = "The body, in bodies.",
    class_id: Large = "Its policy class: the first body, by body_id, that treats every tracked agent alike.",
} }
