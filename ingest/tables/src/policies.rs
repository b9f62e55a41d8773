//! What bodies say to each crawler that they name.

use crate::declare::table;

table! { "policies", "one row per body and token that it names" {
    body_id: Large as Near + Ranged = "The body, in bodies.",
    token: Text as Repeated + Sought = "The token by which the judge finds these groups; a star is one.",
    is_written: Flag = "A user-agent line has this token, as in groups. If not, it is the product token that longer ones begin with: GPTBot Foo names gptbot, too.",
    merged_groups: Small = "How many groups hold for it.",
    allow_rules: Small = "Allow lines in them.",
    disallow_rules: Small = "Disallow lines in them.",
    crawl_delay_s: Maybe<Real> = "The first crawl delay in them that is a number of seconds.",
    root_allowed: Flag = "The path / may be fetched.",
    access: Word = "How much of the site the token may fetch, by witness paths." in robots::AccessClass::WORDS,
    has_disallow_root: Flag = "A disallow line says exactly /.",
    is_only_disallow_root: Flag = "Every line does, and there is one.",
    deciding_line: Maybe<Small> as Near = "The line that decides on /, from 1.",
} }
