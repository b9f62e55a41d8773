//! Which sites say the same to the crawlers that are tracked.

use crate::declare::table;

table! { "site_stances", "one row per site" {
    site_id: Large as Near + Ranged = "The site, in sites.",
    stance_id: Large = "Its stance, in stances: the first site, by site_id, that says the same to every tracked agent.",
} }
