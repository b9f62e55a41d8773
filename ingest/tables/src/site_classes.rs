//! Which policy class each site has: sites of one class treat every tracked agent alike.

use crate::declare::table;

table! { "site_classes", "one row per site" {
    site_id: Large as Near + Ranged = "The site, in sites.",
    class_id: Large = "Its policy class, in class_verdicts: the first site, by site_id, that treats every tracked agent alike.",
} }
