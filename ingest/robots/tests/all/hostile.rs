//! Files that are built to be slow. Nothing is timed: if parsing took more than linear time, these tests would not
//! finish.

use robots::{Dialect, Naming, Reading, Target};

const MIB: usize = 1 << 20;

/// Parses a body, judges a path in all dialects for `foobot`, and decides the policies.
fn check(body: &[u8], path: &str, expected: bool) {
    let parsed = robots::parse(body);
    for dialect in Dialect::ALL {
        let reading = Reading::new(&parsed, dialect);
        let selection = reading.select(b"foobot", Naming::default());
        let (allowed, _) = selection.decide(&Target::new(path.as_bytes(), dialect));
        assert!(dialect == Dialect::Original1996 || allowed == expected, "{path:.40} in {}", dialect.name());
    }
    // Each line names its token and the product token at its start.
    assert!(robots::policies(&parsed).len() <= 2 * parsed.agents().len());
}

fn group(rules: &str) -> String {
    format!("User-agent: foobot\n{rules}")
}

#[test]
fn wildcards() {
    let path = format!("/{}", "a".repeat(900));
    check(group(&format!("Disallow: /{}*b\n", "*a".repeat(200))).as_bytes(), &path, true);
    check(group(&format!("Disallow: /{}*b\n", "*a".repeat(500))).as_bytes(), &path, true);
    check(group(&format!("Disallow: /{}*b\n", "*a".repeat(8))).as_bytes(), &path, true);
    check(
        group(&format!("Disallow: /{}$\n", "x*".repeat(3_000))).as_bytes(),
        &format!("/{}", "x".repeat(3_000)),
        false,
    );
    check(group(&format!("Disallow: /{}\n", "*".repeat(10_000))).as_bytes(), "/", false);
    let long = format!("/{}", "a".repeat(MIB));
    check(group(&format!("Disallow: /{}*b\n", "*a".repeat(8_000))).as_bytes(), &long, true);
    check(group(&format!("Disallow: /{}$\n", "*aab".repeat(4_000))).as_bytes(), &long, true);
}

#[test]
fn one_line_of_4_mib() {
    for piece in ["a", "\0", " ", ":", "#", "%", "%4", "*", "$", "\u{feff}", "\u{e9}", "\\", "<", "User-agent:"] {
        let long = piece.repeat(4 * MIB / piece.len());
        check(long.as_bytes(), "/b", true);
        check(group(&format!("Disallow: /c{long}\n")).as_bytes(), "/", true);
        check(format!("User-agent: {long}\n").as_bytes(), "/", true);
        check(group(&format!("{long}: /\n")).as_bytes(), "/", true);
    }
}

#[test]
fn lines_without_content() {
    for end in ["\n", "\r", "\r\n", " \n", "#\n", ":\n", "a\n", "\0\n", "\u{feff}\n"] {
        check(end.repeat(2 * MIB / end.len()).as_bytes(), "/", true);
    }
}

#[test]
fn bytes_that_decode_to_longer_text() {
    check(&[&b"\xff\xfe"[..], &b"\x00\xd8".repeat(2 * MIB)].concat(), "/", true);
    check(&[&b"\xfe\xff"[..], &b"\xdc\x00\x00\n".repeat(MIB)].concat(), "/", true);
    check(&b"\xc3".repeat(4 * MIB), "/", true);
}

#[test]
fn four_hundred_thousand_rules() {
    let numbered = |pattern: fn(usize) -> String| (0..400_000).map(pattern).collect::<String>();
    check(group(&numbered(|n| format!("Disallow: /{n}\n"))).as_bytes(), "/399999x", false);
    check(group(&numbered(|n| format!("Allow: /*{n}$\nDisallow: /\n"))).as_bytes(), "/x", false);
    check(group(&"Disallow: /a\n".repeat(400_000)).as_bytes(), "/a", false);
    check(group(&"Disallow: /$b9015858-988c/x\n".repeat(400_000)).as_bytes(), "/$b9015858-988c/x", false);
    check(numbered(|n| format!("Disallow: /{n}\n")).as_bytes(), "/1", true);
}

/// A different product token for each number below 26 to the power of 4.
fn letters(number: usize) -> String {
    [17_576, 676, 26, 1].map(|place| char::from(b'a' + (number / place % 26) as u8)).iter().collect()
}

#[test]
fn four_hundred_thousand_groups() {
    let numbered = |group: fn(usize) -> String| (0..400_000).map(group).collect::<String>();
    check(numbered(|n| format!("User-agent: a{n}\nDisallow: /\n")).as_bytes(), "/", true);
    check(numbered(|_| "User-agent: foobot\nDisallow: /a\n".to_owned()).as_bytes(), "/a", false);
    check(numbered(|n| format!("User-agent: foobot/{n}\n")).as_bytes(), "/a", true);
    check(numbered(|n| format!("User-agent: foobot/{n}\nSitemap: x\n")).as_bytes(), "/a", true);
    check(numbered(|n| format!("User-agent: {} text\nDisallow: /\n", letters(n))).as_bytes(), "/", true);
}

/// Each crawler shares a group of many rules with all others and has another group of its own, so no two crawlers have
/// the same groups.
#[test]
fn crawlers_that_share_a_large_group() {
    let names: String = (0..20_000).map(|n| format!("User-agent: b{n}\n")).collect();
    let rules = "Disallow:/b\n".repeat(60_000);
    let own: String = (0..20_000).map(|n| format!("User-agent: b{n}\nAllow:/\n")).collect();
    check(format!("{names}{rules}{own}").as_bytes(), "/b", true);
}

/// No witness is allowed, so all are tried, and each is as long as a rule.
#[test]
fn witnesses_as_long_as_the_rules() {
    let long = "ab".repeat(6_000);
    let rules: String = (0..200).map(|n| format!("Allow: /*{n}{long}\nDisallow: /*{n}{long}*\n")).collect();
    check(group(&format!("Disallow: /\n{rules}")).as_bytes(), "/", false);
}

/// Each preference of one crawler would be compared with all others of that crawler, and none overrules it.
#[test]
fn preferences_of_many_groups_of_one_crawler() {
    let allowing = "User-agent: foobot\nContent-Usage: train-ai=y\nDisallow: /a\n".repeat(200_000);
    let disallowing = "User-agent: b\nContent-Usage: train-ai=n\nDisallow: /a\n";
    check(format!("{allowing}{disallowing}").as_bytes(), "/a", false);
}
