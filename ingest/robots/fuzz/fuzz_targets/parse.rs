//! Parsing returns for every input, its facts are consistent, and policies agree with a slow and simple computation.
#![no_main]

#[path = "../../tests/all/facts.rs"]
mod facts;
#[path = "../../tests/all/slow.rs"]
mod slow;

use libfuzzer_sys::fuzz_target;
use robots::Parser;
use std::cell::RefCell;

thread_local! {
    /// One parser for all inputs, so that state left over from one would show in the next.
    static PARSER: RefCell<Parser> = RefCell::default();
}

fuzz_target!(|body: &[u8]| {
    let fresh = robots::parse(body);
    facts::check(&fresh, body);
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
