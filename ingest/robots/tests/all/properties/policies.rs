//! Policies, compared with the judge: each figure is computed again in a slow and simple way.

use crate::question::body;
use crate::slow;
use crate::text::config;
use proptest::prelude::*;
use proptest::sample::select;
use robots::{AccessClass, Parsed};

/// A file of groups whose names share tokens and product tokens, with rules and delays.
fn file() -> impl Strategy<Value = String> {
    const NAMES: [&str; 10] = ["*", "a", "A", "a/1.0", "a2", "a2/3", "b c", "b", "*x", "* all"];
    const PATHS: [&str; 18] = [
        "",
        "/",
        "/*",
        "*",
        "/$",
        "/a",
        "/ab",
        "/a*",
        "/a$",
        "/*b",
        "/*b$",
        "x",
        "/a/b",
        "/%61",
        "/caf\u{e9}",
        "$",
        "**",
        "/a*b*",
    ];
    let path = || select(&PATHS[..]);
    let line = prop_oneof![
        3 => select(&NAMES[..]).prop_map(|name| format!("User-agent: {name}\n")),
        3 => path().prop_map(|path| format!("Disallow: {path}\n")),
        3 => path().prop_map(|path| format!("Allow: {path}\n")),
        1 => (0..9u32).prop_map(|seconds| format!("Crawl-delay: {seconds}\n")),
        1 => Just("Crawl-delay: soon\n".to_owned()),
    ];
    proptest::collection::vec(line, 0..14).prop_map(|lines| lines.concat())
}

/// One group or two, with rules made of wildcards, anchors and pieces of witness paths.
fn groups_of_rules() -> impl Strategy<Value = String> {
    const PIECES: [&str; 17] = [
        "/",
        "/",
        "*",
        "*",
        "$",
        "a",
        "b",
        "-",
        "s",
        "?",
        "-robocensus",
        "-witness",
        "-robocensus-witness",
        "robots.txt",
        "%61",
        "%2a",
        "\u{e9}",
    ];
    let path = (any::<bool>(), proptest::collection::vec(select(&PIECES[..]), 0..5));
    let rule = (any::<bool>(), path).prop_map(|(allow, (has_slash, pieces))| {
        let (key, slash) = (if allow { "Allow" } else { "Disallow" }, if has_slash { "/" } else { "" });
        format!("{key}: {slash}{}\n", pieces.concat())
    });
    let rules = || proptest::collection::vec(rule.clone(), 0..8).prop_map(|rules| rules.concat());
    (rules(), rules(), select(&["a", "a2", "b"][..]))
        .prop_map(|(first, second, name)| format!("User-agent: a\n{first}User-agent: {name}\n{second}"))
}

fn check(rules: &str, expected: AccessClass) {
    let text = format!("User-agent: a\n{rules}");
    let parsed = robots::parse(text.as_bytes());
    assert_eq!(robots::policies(&parsed)[0].terms.access, expected, "{rules:?}");
}

/// Whatever characters the rules name, some paths have others.
#[test]
fn no_rule_mentions_the_text_of_a_witness() {
    for character in "-robocensus-witness~".chars() {
        check(&format!("Disallow: /$\nDisallow: /*{character}\n"), AccessClass::Part);
        check(&format!("Disallow: /$\nDisallow: /{character}\n"), AccessClass::Part);
        check(&format!("Disallow: /a\nAllow: /a$\nAllow: /*{character}\n"), AccessClass::Part);
    }
    check("Disallow: /*%20\nDisallow: /$\n", AccessClass::Part);
}

/// Files of shops have so many rules.
#[test]
fn a_file_of_many_rules_has_one_access() {
    let rules: String =
        (0..500).map(|nth| format!("Disallow: /*/catalog/category/view/product-{nth}/*&color=\n")).collect();
    check(&format!("Disallow: /\nAllow: /robots.txt$\n{rules}"), AccessClass::None);
    let rules: String = (0..3_000).map(|nth| format!("Disallow: /page-{nth}/x\n")).collect();
    check(&format!("Disallow: /\nAllow: /robots.txt$\n{rules}"), AccessClass::None);
}

/// `/robots.txt` is always allowed, so its verdict does not depend on the rules.
#[test]
fn the_robots_txt_itself_is_not_a_witness() {
    check("Disallow: /\nDisallow: /robots.txt$\n", AccessClass::None);
    check("Disallow: /\nDisallow: /robots.txt$\nAllow: /q\nDisallow: /q*\n", AccessClass::None);
    check("Disallow: /\nAllow: /robots.txt$\n", AccessClass::None);
    // `/%4~1` is allowed. Without the wildcard, `%41` would encode a letter.
    check("Disallow: /\nAllow: /%4*1\n", AccessClass::Part);
}

/// Checks that the policies of a file are those that are computed slowly.
fn check_policies(parsed: &Parsed<'_>) {
    for policy in robots::policies(parsed) {
        let expected = slow::policy(parsed, policy.token);
        assert_eq!(policy, expected);
    }
}

proptest! {
    #![proptest_config(config(6_000))]

    #[test]
    fn policies_agree_with_the_judge_on_files_of_groups(text in file()) {
        check_policies(&robots::parse(text.as_bytes()));
    }

    #[test]
    fn policies_agree_with_the_judge_on_any_rules(text in groups_of_rules()) {
        let parsed = robots::parse(text.as_bytes());
        prop_assume!(!slow::has_split_encoding(&parsed));
        check_policies(&parsed);
    }

    #[test]
    fn policies_agree_with_the_judge_on_any_body(body in body()) {
        let parsed = robots::parse(&body);
        prop_assume!(!slow::has_split_encoding(&parsed));
        check_policies(&parsed);
    }

    #[test]
    fn every_token_has_one_policy_in_the_order_of_the_file(text in file()) {
        let parsed = robots::parse(text.as_bytes());
        let mut tokens: Vec<Vec<u8>> = Vec::new();
        for token in parsed.agents().iter().map(|agent| parsed.token(agent).to_vec()) {
            if !tokens.contains(&token) {
                tokens.push(token);
            }
        }
        let policies = robots::policies(&parsed);
        let written = policies.iter().filter(|policy| policy.is_written);
        let named: Vec<Vec<u8>> = written.map(|policy| policy.token.to_vec()).collect();
        prop_assert_eq!(&named, &tokens);
        // The other policies come last, one for each product token that is not in `tokens`.
        let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || b"-_".contains(byte);
        let mut products: Vec<Vec<u8>> = Vec::new();
        for token in &tokens {
            let product: Vec<u8> = token.iter().copied().take_while(is_letter).collect();
            if !product.is_empty() && !tokens.contains(&product) && !products.contains(&product) {
                products.push(product);
            }
        }
        let found: Vec<Vec<u8>> = policies[named.len()..].iter().map(|policy| policy.token.to_vec()).collect();
        prop_assert_eq!(found, products);
    }
}

proptest! {
    #![proptest_config(config(200))]

    /// 512,000 bytes of comments separate two parts of the file.
    #[test]
    fn policies_agree_with_the_judge_beyond_500_kib(first in file(), second in file()) {
        let text = format!("{first}{}{second}", format!("#{}\n", "-".repeat(998)).repeat(512));
        check_policies(&robots::parse(text.as_bytes()));
    }
}
