//! Parsing returns for every input, its facts are consistent, and policies agree with a slow and simple computation.
#![no_main]

#[path = "../../tests/all/slow.rs"]
mod slow;

use libfuzzer_sys::fuzz_target;
use robots::{Parsed, Parser, Tier};
use std::cell::RefCell;

thread_local! {
    /// One parser for all inputs, so that state left over from one would show in the next.
    static PARSER: RefCell<Parser> = RefCell::default();
}

fuzz_target!(|body: &[u8]| {
    let fresh = robots::parse(body);
    check(&fresh);
    PARSER.with_borrow_mut(|parser| {
        let reused = parser.parse(body);
        assert_eq!(fresh.facts, reused.facts);
        assert_eq!(fresh.rules(), reused.rules());
        assert_eq!(fresh.agents(), reused.agents());
        assert_eq!(fresh.violations(), reused.violations());
        parser.recycle(reused);
    });
    let policies = robots::policies(&fresh);
    // A user-agent line may name two tokens: all of it, and the product token at its start.
    let written = policies.iter().filter(|policy| policy.is_written).count();
    assert!(written <= fresh.agents().len() && policies.len() - written <= fresh.agents().len());
    // The slow computation takes quadratic time in the number of lines.
    if body.len() <= 1_024 && !slow::has_split_encoding(&fresh) {
        for policy in policies {
            let expected = slow::policy(&fresh, policy.token);
            assert_eq!(policy, expected);
        }
    }
});

fn check(parsed: &Parsed<'_>) {
    let facts = parsed.facts;
    let text = parsed.text();
    let lines = facts.line_count;
    assert!(facts.blank_lines + facts.comment_lines <= lines);
    assert_eq!(parsed.groups().iter().map(|group| group.agents as usize).sum::<usize>(), parsed.agents().len());
    let in_groups: usize = parsed.groups().iter().map(|group| group.rules as usize).sum();
    let before_groups = parsed.rules().iter().filter(|rule| rule.group.is_none()).count();
    assert_eq!(in_groups + before_groups, parsed.rules().len());
    for rule in parsed.rules() {
        assert!(rule.pattern.end() <= text.len() && rule.line_no <= lines);
        // A normal form is its own normal form.
        let normal = parsed.normal(rule);
        let again = [b"User-agent: *\nAllow: ", normal].concat();
        let again = robots::parse(&again);
        assert_eq!(again.rules().first().map(|rule| again.normal(rule)), Some(normal));
    }
    for agent in parsed.agents() {
        assert!(agent.value.end() <= text.len() && agent.product_len as usize <= parsed.token(agent).len());
    }
    for violation in parsed.violations() {
        assert!(violation.span.end() <= text.len() && violation.line_no <= lines.max(1));
    }
    let by_tier = |tier| parsed.violations().iter().filter(|violation| violation.code.tier() == tier).count() as u32;
    for tier in [Tier::A, Tier::B, Tier::C] {
        assert_eq!(by_tier(tier), facts.violations(tier));
    }
    if facts.conforms {
        assert_eq!(facts.violations(Tier::A) + facts.violations(Tier::B), 0);
    }
}
