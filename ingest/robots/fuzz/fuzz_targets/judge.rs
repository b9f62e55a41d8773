//! Judging returns for every file, crawler and path, in every dialect, and policies agree with it.
//!
//! An input is a crawler's name, a path and a file, separated by 0xFF, a byte that none of them needs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use robots::{Dialect, Naming, Reading, Target};

fuzz_target!(|input: &[u8]| {
    let mut parts = input.splitn(3, |byte| *byte == 0xff);
    let (Some(crawler), Some(path), Some(body)) = (parts.next(), parts.next(), parts.next()) else { return };
    let parsed = robots::parse(body);
    for dialect in Dialect::ALL {
        let reading = Reading::new(&parsed, dialect);
        let target = Target::new(path, dialect);
        for naming in Naming::ALL {
            let selection = reading.select(crawler, naming);
            let verdict = selection.judge(&target);
            assert_eq!(verdict.line, verdict.rule.map(|rule| rule.line_no));
            if let Some(rule) = verdict.rule {
                // In Google's parser an empty value can decide, and it disallows nothing.
                assert_eq!(verdict.allowed, rule.allow || rule.pattern.len == 0);
                assert!(rule.pattern.end() <= reading.text().len());
            } else {
                assert!(verdict.allowed);
            }
            // Names are compared without regard to case.
            let upper = reading.select(&crawler.to_ascii_uppercase(), naming).judge(&target);
            assert_eq!(verdict, upper);
        }
    }
    let reading = Reading::new(&parsed, Dialect::Rfc9309);
    let root = Target::new(b"/", Dialect::Rfc9309);
    for policy in robots::policies(&parsed).iter().take(64) {
        let verdict = reading.select(policy.token, Naming::Named).judge(&root);
        assert_eq!(policy.terms.root_allowed, verdict.allowed);
        assert_eq!(policy.terms.deciding_line, verdict.line);
    }
});
