//! The keys of tables, and which columns join with which.

/// The columns whose values, with the crawl, identify a row of a table.
///
/// `violations` has no key: a line may have the same violation at several places.
pub const KEYS: [(&str, &[&str]); 13] = [
    ("captures", &["capture_id"]),
    ("bodies", &["body_id"]),
    ("groups", &["body_id", "agent_no"]),
    ("rules", &["body_id", "rule_no"]),
    ("records", &["body_id", "line_no"]),
    ("preferences", &["body_id", "line_no", "place"]),
    ("policies", &["body_id", "token"]),
    ("skips", &["warc_filename", "kind", "reason"]),
    ("inputs", &["warc_filename"]),
    ("tracked_agents", &["agent"]),
    ("body_classes", &["body_id"]),
    ("sites", &["site_id"]),
    ("class_verdicts", &["class_id", "agent"]),
];

/// The number of the first capture and of the first body of a part.
#[must_use]
pub fn first_id(part: u32) -> i64 {
    i64::from(part) << 32
}

/// The part of a capture or body.
#[must_use]
pub fn part_of_id(id: i64) -> i64 {
    id >> 32
}

/// Columns of a table that refer to rows of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference {
    /// The table.
    pub from: &'static str,
    /// Its columns, besides the crawl.
    pub columns: &'static [&'static str],
    /// The other table.
    pub to: &'static str,
    /// The columns there, besides the crawl.
    pub to_columns: &'static [&'static str],
    /// The rows that the join gives.
    pub gives: &'static str,
}

const fn reference(
    from: &'static str,
    columns: &'static [&'static str],
    to: &'static str,
    to_columns: &'static [&'static str],
    gives: &'static str,
) -> Reference {
    Reference { from, columns, to, to_columns, gives }
}

/// All references. A null refers to no row; any other value refers to an existing row.
pub const REFERENCES: [Reference; 20] = [
    reference("captures", &["body_id"], "bodies", &["body_id"], "the body of a capture"),
    reference("captures", &["warc_filename"], "inputs", &["warc_filename"], "the archive of a capture"),
    reference("groups", &["body_id"], "bodies", &["body_id"], "the body of a user-agent line"),
    reference("rules", &["body_id"], "bodies", &["body_id"], "the body of a rule"),
    reference(
        "rules",
        &["body_id", "group_no"],
        "groups",
        &["body_id", "group_no"],
        "the agents of a rule: one row for each",
    ),
    reference("records", &["body_id"], "bodies", &["body_id"], "the body of a record"),
    reference(
        "records",
        &["body_id", "group_no"],
        "groups",
        &["body_id", "group_no"],
        "the agents of a record: one row for each",
    ),
    reference("preferences", &["body_id"], "bodies", &["body_id"], "the body of a preference"),
    reference(
        "preferences",
        &["body_id", "group_no"],
        "groups",
        &["body_id", "group_no"],
        "the agents of a preference: one row for each",
    ),
    reference("violations", &["body_id"], "bodies", &["body_id"], "the body of a violation"),
    reference("policies", &["body_id"], "bodies", &["body_id"], "the body of a policy"),
    reference("skips", &["warc_filename"], "inputs", &["warc_filename"], "the archive of what was skipped"),
    reference("body_classes", &["body_id"], "bodies", &["body_id"], "the body of a row"),
    reference("body_classes", &["class_id"], "bodies", &["body_id"], "the body that gives a policy class its id"),
    reference("sites", &["capture_id"], "captures", &["capture_id"], "the capture that counts for a site"),
    reference(
        "sites",
        &["final_capture_id"],
        "captures",
        &["capture_id"],
        "the capture at the end of the redirects of a site",
    ),
    reference("sites", &["body_id"], "bodies", &["body_id"], "the body that applies to a site"),
    reference(
        "sites",
        &["class_id"],
        "class_verdicts",
        &["class_id"],
        "what a site says: one row for each agent that its class names, and one for `*`",
    ),
    reference("class_verdicts", &["class_id"], "sites", &["class_id"], "the sites of a policy class: one row for each"),
    reference("class_verdicts", &["agent"], "tracked_agents", &["agent"], "the agent of a verdict"),
];
