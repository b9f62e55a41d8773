//! `robocensus check`: whole files whose rows contradict each other or the ledger are reported.

use crate::check_damages::check;
use arrow_array::RecordBatch;

#[test]
fn wrong_references_and_counts_are_reported() {
    check(
        "dangling_capture",
        |part| part.edit_number("captures", "body_id", 3, |_| 99),
        &[
            "body is missing: tables/captures: row 4 refers to body 99",
            "body has no capture: tables/bodies: body 2 has none before the first of body 3",
        ],
    );
    check(
        "bare_body",
        |part| part.edit_number("captures", "body_id", 3, |_| 0),
        &["body has no capture: tables/bodies: body 2 has none before the first of body 3"],
    );
    check(
        "body_bytes",
        |part| part.edit_number("captures", "body_bytes", 0, |bytes| bytes - 1),
        &["ledger has another sum: LEDGER: 359 bytes of bodies, but 358 in the tables"],
    );
    check(
        "body_length",
        |part| part.edit_number("bodies", "body_bytes", 0, |bytes| bytes - 1),
        &[
            "tables contradict each other: queries/checks/captures_against_bodies.sql: captures that differ from their body in length: …",
        ],
    );
    check(
        "capture_number",
        |part| part.edit_number("captures", "capture_id", 2, |_| 99),
        &["captures are misnumbered: tables/captures: row 3 is capture 99, not 2; and 1 more"],
    );
    check(
        "capture_twice",
        |part| part.repeat_first_row("captures"),
        &[
            "captures are misnumbered: tables/captures: row 12 is capture 0, not 11",
            "captures are miscounted: tables/inputs: a.warc.gz has 6, but 7 rows in captures",
            "ledger has another sum: LEDGER: 359 bytes of bodies, but 446 in the tables",
        ],
    );
    check(
        "body_number",
        |part| part.edit_number("bodies", "body_id", 1, |_| 99),
        &["bodies are misnumbered: tables/bodies: row 2 is body 99, not 1"],
    );
    check(
        "body_twice",
        |part| part.repeat_first_row("bodies"),
        &["bodies are misnumbered: tables/bodies: row 5 is body 0, not 4"],
    );
    for (table, column) in [
        ("groups", "agent_count"),
        ("rules", "rule_count"),
        ("records", "record_count"),
        ("violations", "violation_count"),
    ] {
        check(
            &format!("count_{table}"),
            |part| part.set_int("bodies", column, 0, Some(9)),
            &[&format!("rows are miscounted: tables/{table}: body 0 has …")],
        );
        check(
            &format!("dangling_{table}"),
            |part| part.edit_number(table, "body_id", 0, |_| -1),
            &[
                &format!("body is missing: tables/{table}: row 1 refers to body -1"),
                &format!("rows are miscounted: tables/{table}: body …"),
            ],
        );
    }
    check(
        "dangling_rule",
        |part| part.edit_number("rules", "body_id", 4, |_| 99),
        &[
            "body is missing: tables/rules: row 5 refers to body 99",
            "rows are miscounted: tables/rules: body 2 has 1 rows, but 2 in bodies",
        ],
    );
    check(
        "dangling_policy",
        |part| part.edit_number("policies", "body_id", 0, |_| -1),
        &["body is missing: tables/policies: row 1 refers to body -1"],
    );
    check(
        "order",
        |part| part.edit_number("rules", "body_id", 1, |_| 3),
        &["rows are out of order: tables/rules: row 3 belongs to body 1, but the one before it to 3"],
    );
    check(
        "order_of_groups",
        |part| part.set_int("rules", "group_no", 0, Some(7)),
        &["rows are out of order: tables/rules: row 2 of body 0 belongs to an earlier group than the one before it"],
    );
    check(
        "row_less",
        |part| part.remove_row("violations", 0),
        &["rows are miscounted: tables/violations: body 0 has 0 rows, but 1 in bodies"],
    );
    check(
        "body_less",
        |part| part.remove_row("bodies", 3),
        &[
            "body is missing: tables/violations: row 6 refers to body 3",
            "body is missing: tables/captures: row 6 refers to body 3; and 1 more",
        ],
    );
}

#[test]
fn wrong_sums_of_bytes_and_records_are_reported() {
    check(
        "capture_less",
        |part| part.remove_row("captures", 4),
        &[
            "captures are misnumbered: tables/captures: row 5 is capture 5, not 4",
            "captures are miscounted: tables/inputs: a.warc.gz has 6, but 5 rows in captures",
            "ledger has another sum: LEDGER: 359 bytes of bodies, but 333 in the tables",
        ],
    );
    check(
        "input_less",
        |part| part.remove_row("inputs", 1),
        &[
            "input has no row: tables/inputs: b.warc.gz",
            "ledger has another sum: LEDGER: 2 inputs, but 1 in the tables; and 5 more",
        ],
    );
    check("input_twice", |part| part.repeat_first_row("inputs"), &["input has two rows: tables/inputs: a.warc.gz"]);
    check(
        "input_bytes",
        |part| part.edit_number("inputs", "good_bytes", 0, |bytes| bytes - 1),
        &[
            "bytes do not add up: tables/inputs: a.warc.gz has 2036, which are not 2035 good + 0 damaged",
            "ledger has another sum: LEDGER: 3872 good bytes, but 3871 in the tables",
        ],
    );
    check(
        "input_size",
        |part| {
            part.edit_number("inputs", "good_bytes", 0, |bytes| bytes - 1);
            part.edit_number("inputs", "bytes", 0, |bytes| bytes - 1);
        },
        &[
            "input has another size: tables/inputs: a.warc.gz has 2035 bytes, but 2036 in the plan",
            "ledger has another sum: LEDGER: 4078 bytes, but 4077 in the tables; and 1 more",
        ],
    );
    check(
        "input_digest",
        |part| part.put_null("inputs", "digest"),
        &["input needs an error or a digest: tables/inputs: a.warc.gz has neither; and 1 more"],
    );
    check(
        "input_error",
        |part| part.set_text("inputs", "error", 0, "x"),
        &[
            "input needs an error or a digest: tables/inputs: a.warc.gz has an error and a digest",
            "ledger differs from the tables: LEDGER: a.warc.gz has no error, but x in inputs",
            "ledger has another sum: LEDGER: 0 failed inputs, but 1 in the tables",
        ],
    );
    check(
        "input_records",
        |part| part.edit_number("inputs", "records", 1, |records| records + 1),
        &[
            "records do not add up: tables/inputs: b.warc.gz has 12, which are not 5 captures + 6 skipped",
            "ledger has another sum: LEDGER: 23 records, but 24 in the tables",
        ],
    );
    check(
        "skips",
        |part| part.edit_number("skips", "occurrences", 0, |records| records + 1),
        &[
            "records do not add up: tables/inputs: a.warc.gz has 12, which are not 6 captures + 7 skipped",
            "ledger has another sum: LEDGER: 12 request, but 13 in the tables",
        ],
    );
    check(
        "damage_less",
        |part| {
            part.edit_rows("skips", |batch: RecordBatch| vec![batch.slice(0, 2)]);
        },
        &[
            "records do not add up: tables/inputs: b.warc.gz has 11, which are not 5 captures + 0 skipped",
            "damage is not accounted for: tables/skips: b.warc.gz has 0 stretches of damage, but 206 damaged bytes",
            "ledger has another sum: LEDGER: 1 damaged inputs, but 0 in the tables; and 1 more",
        ],
    );
}
