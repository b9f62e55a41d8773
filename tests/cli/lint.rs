//! `robocensus lint`.

use crate::run::TestFolder;

/// Lints one body under the name `robots.txt`.
#[track_caller]
fn check(test: &str, body: impl AsRef<[u8]>, exit: i32, expected: &str) {
    let folder = TestFolder::new(test).with("robots.txt", body);
    folder.run(&["lint", "robots.txt"]).exits_with(exit).complains("").prints(expected);
}

#[test]
fn standard_input_is_read_only_once() {
    let run = TestFolder::new("lint_twice").run_with_stdin(&["lint", "-", "-"], b"Disallow: /\n");
    run.exits_with(2).prints("").complains("input is named twice: -: standard input can be read only once\n");
}

#[test]
fn a_file_without_violations_gets_a_summary() {
    check(
        "lint_good",
        "User-agent: *\nDisallow: /private\n",
        0,
        "robots.txt: 0 errors, 0 warnings, 0 infos; tier A 0, tier B 0, tier C 0; conforms: yes\n",
    );
}

#[test]
fn quiet_prints_nothing_but_sets_the_exit_code() {
    let folder = TestFolder::new("lint_quiet")
        .with("bad.txt", "User-agent: *\nDisallow: a\n")
        .with("good.txt", "User-agent: *\n");
    folder.run(&["lint", "-q", "good.txt"]).exits_with(0).prints("").complains("");
    folder.run(&["lint", "-q", "good.txt", "bad.txt"]).exits_with(1).prints("").complains("");
    folder.run(&["lint", "-q", "missing.txt"]).exits_with(2).prints("").complains_among_others("missing.txt");
}

#[test]
fn an_error_is_printed_as_by_a_compiler() {
    check(
        "lint_error",
        "User-agent: *\nAllow: /\nDisallow: private/\n",
        1,
        "\
error[path-no-slash]: a path starts with neither `/` nor `*`, so it never matches; start it with a slash
 --> robots.txt:3:11
  |
3 | Disallow: private/
  |           ^^^^^^^^
  = RFC 9309 § 2.2; the line is lost

robots.txt: 1 error, 0 warnings, 0 infos; tier A 1, tier B 0, tier C 0; conforms: no
",
    );
}

/// As after `cat a.txt b.txt`. The rules of the second group applied to the first one, and lint found no error.
#[test]
fn a_group_that_a_byte_order_mark_hides_is_an_error() {
    check(
        "lint_joined",
        "User-agent: *\nDisallow: /tmp\n\u{feff}User-agent: GPTBot\nDisallow: /\n",
        1,
        "\
error[bom-misplaced]: a line starts with a byte order mark that does not start the file, so crawlers ignore it; remove the mark
 --> robots.txt:3:1
  |
3 | \\u{feff}User-agent: GPTBot
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^
  = RFC 9309 § 2.2; the line is lost

robots.txt: 1 error, 0 warnings, 0 infos; tier A 1, tier B 0, tier C 0; conforms: no
",
    );
}

/// A joined file may also start with a comment. No rule is lost.
#[test]
fn a_byte_order_mark_before_a_comment_is_an_info() {
    check(
        "lint_joined_at_comment",
        "User-agent: *\nDisallow: /tmp\n\u{feff}# second part\n",
        0,
        "\
info[bom-before-comment]: a byte order mark stands before a comment or on an empty line; crawlers ignore it, but remove it
 --> robots.txt:3:1
  |
3 | \\u{feff}# second part
  | ^^^^^^^^
  = RFC 9309 § 2.2

robots.txt: 0 errors, 0 warnings, 1 info; tier A 1, tier B 0, tier C 0; conforms: no
",
    );
}

#[test]
fn a_number_of_two_digits_widens_the_margin() {
    check(
        "lint_margin",
        "User-agent: *\nAllow: /\n\n\n\n\n\n\n\nDisalow: /x\n",
        0,
        "\
warning[key-misspelt]: a key is misspelt; it was understood here, but some crawlers ignore the line; correct the key
  --> robots.txt:10:1
   |
10 | Disalow: /x
   | ^^^^^^^
   = RFC 9309 § 2.2.4; the line is kept by tolerance

robots.txt: 0 errors, 1 warning, 0 infos; tier A 1, tier B 0, tier C 0; conforms: no
",
    );
}

#[test]
fn a_preference_that_does_not_count_is_a_warning_at_its_place() {
    check(
        "lint_preferences",
        "User-agent: *\nContent-Usage: Train-AI=n\nContent-Signal: search=yes, ai-trian=no\n",
        0,
        "\
info[ext-content-usage]: a record states a preference on use (the IETF's AIPREF group); crawlers may ignore it
 --> robots.txt:2:1
  |
2 | Content-Usage: Train-AI=n
  | ^^^^^^^^^^^^^
  = RFC 9309 § 2.2.4

warning[preference-void]: a Content-Usage line has a syntax error, so nothing on it counts; write it as in `train-ai=n, search=y`, in lower case
 --> robots.txt:2:16
  |
2 | Content-Usage: Train-AI=n
  |                ^^^^^^^^^^
  = RFC 9651 § 3.2; the line is lost

info[ext-content-signal]: a record states a preference on use (Content Signals); crawlers may ignore it
 --> robots.txt:3:1
  |
3 | Content-Signal: search=yes, ai-trian=no
  | ^^^^^^^^^^^^^^
  = RFC 9309 § 2.2.4

warning[preference-unknown-label]: the label is in no vocabulary, so the preference does not count; Content-Signal has `search`, `ai-input`, `ai-train` and `use`, Content-Usage has `train-ai`, `ai-use` and `search`
 --> robots.txt:3:29
  |
3 | Content-Signal: search=yes, ai-trian=no
  |                             ^^^^^^^^^^^
  = Content Signals, draft-ietf-aipref-vocab-08 § 6; the preference is lost

robots.txt: 0 errors, 2 warnings, 2 infos; tier A 0, tier B 2, tier C 2; conforms: no
",
    );
}

#[test]
fn an_empty_file_is_an_info() {
    check(
        "lint_empty",
        "",
        0,
        "\
info[file-empty]: the file is empty or has only white space, so crawlers may fetch everything
 --> robots.txt
  = RFC 9309 § 2.2

robots.txt: 0 errors, 0 warnings, 1 info; tier A 0, tier B 0, tier C 1; conforms: yes
",
    );
}

#[test]
fn a_byte_order_mark_takes_no_column() {
    let folder = TestFolder::new("lint_bom").with("robots.txt", "\u{feff}User-agent:\n");
    folder.run(&["lint", "robots.txt"]).exits_with(1).complains("").prints_among_others(
        "
1 | \\u{feff}User-agent:
  | ^^^^^^^^
",
    );
    folder.run(&["lint", "--min-severity", "error", "robots.txt"]).prints_among_others(
        " --> robots.txt:1:12
  |
1 | \\u{feff}User-agent:
  |                    ^
",
    );
}

#[test]
fn utf_16_is_shown_as_text() {
    let utf_16 = "\u{feff}User-agent: *\nDisallow: /caf\u{e9} x\n".encode_utf16().flat_map(u16::to_le_bytes);
    let folder = TestFolder::new("lint_utf_16").with("robots.txt", utf_16.collect::<Vec<u8>>());
    let run = folder.run(&["lint", "robots.txt"]);
    run.exits_with(1).prints_among_others("2 | Disallow: /caf\u{e9} x\n  |                ^\n");
    run.prints_among_others("error[file-utf16]: ").prints_among_others("so save it as UTF-8\n --> robots.txt\n");
}

#[test]
fn bytes_that_are_not_utf_8_are_escaped() {
    let folder = TestFolder::new("lint_not_utf_8").with("robots.txt", b"User-agent: *\nDisallow: /caf\xe9 x\n");
    let run = folder.run(&["lint", "robots.txt"]);
    run.exits_with(1).prints_among_others("2 | Disallow: /caf\\xe9 x\n  |                   ^\n");
    run.prints_among_others("error[file-not-utf8]");
}

#[test]
fn a_long_line_is_shown_around_the_violation() {
    let body = format!("User-agent: *\nDisallow: /{} /{}\n", "a".repeat(500), "b".repeat(500));
    let folder = TestFolder::new("lint_long").with("robots.txt", body);
    let run = folder.run(&["lint", "robots.txt"]);
    run.exits_with(1).prints_among_others(" --> robots.txt:2:512\n").prints_among_others(&format!(
        "2 | ...{} /{}...\n  | {:38}^\n",
        "a".repeat(35),
        "b".repeat(72),
        ""
    ));
    assert!(run.stdout.lines().all(|line| line.len() <= 120), "{run}");
}

#[test]
fn hostile_text_is_escaped() {
    let hostile =
        "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m\u{7f}\u{0}\u{202e}\u{2066}\u{200b}\u{200f}\u{61c}\u{2028}\u{8}";
    let body = format!(
        "{hostile}\nUser-agent: {hostile} x\nDisallow: {hostile}\nDisallow: /{hostile} x\n# {hostile}\n{hostile}: y\n"
    );
    let name = "a\u{1b}[31m\u{202e}\n.txt";
    let folder = TestFolder::new("lint_hostile").with(name, [body.as_bytes(), b"Disallow: /\x9b\xff x\n"].concat());
    let raw = |text: &str| {
        text.chars().find(|&character| {
            let is_bidi =
                matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            is_bidi || character == '\u{61c}' || (character.is_control() && character != '\n')
        })
    };
    for format in ["text", "json"] {
        let run = folder.run(&["lint", "--format", format, name, "missing\u{1b}[31m\u{202e}\n"]);
        run.exits_with(2);
        assert_eq!((raw(&run.stdout), raw(&run.stderr)), (None, None), "{format}\n{run}");
        run.complains("file cannot be read: missing\\u{1b}[31m\\u{202e}\\n: no such file or directory (os error 2)\n");
    }
    folder.run(&["lint", name]).prints_among_others(" --> a\\u{1b}[31m\\u{202e}\\n.txt:3:");
    folder
        .run(&["lint", "--explain", "\u{1b}[31m"])
        .exits_with(2)
        .complains_among_others("code is unknown: \\u{1b}[31m: ");
}

#[test]
fn standard_input_is_read() {
    let folder = TestFolder::new("lint_stdin");
    let run = folder.run_with_stdin(&["lint", "-"], b"User-agent: *\nDisallow: x\n");
    run.exits_with(1)
        .complains("")
        .prints_among_others(" --> <stdin>:2:11\n")
        .prints_among_others("\n<stdin>: 1 error, ");
    let run = folder.run_with_stdin(&["lint", "--format", "json", "-"], b"User-agent: *\nDisallow: x\n");
    assert_eq!(run.objects()[0]["file"], "-", "{run}");
}

#[test]
fn other_files_are_read_when_one_cannot_be_read() {
    let folder =
        TestFolder::new("lint_unreadable").with("good.txt", "User-agent: *\n").with("bad.txt", "Disallow: /\n");
    std::fs::create_dir(folder.path().join("folder")).expect("a folder can be made");
    let run = folder.run(&["lint", "missing.txt", "bad.txt", "folder", "good.txt"]);
    run.exits_with(2).prints_among_others("\nbad.txt: 1 error, ").prints_among_others("\ngood.txt: 0 errors, ");
    run.complains(
        "file cannot be read: missing.txt: no such file or directory (os error 2)\n\
         file cannot be read: folder: is a directory (os error 21)\n",
    );
    folder.run(&["lint", "good.txt", "bad.txt"]).exits_with(1).complains("");
    folder.run(&["lint", "https://a.example/robots.txt"]).complains(
        "file cannot be read: https://a.example/robots.txt: no such file or directory (os error 2); a URL is not fetched: \
         download the file first, or pipe it to -\n",
    );
}

#[test]
fn an_endless_file_is_read_up_to_the_cap() {
    let run = TestFolder::new("lint_endless").run_with_stdin(&["lint", "-"], &b"# a comment\n".repeat(1_500_000));
    run.exits_with(0)
        .complains("file is read in part: <stdin>: it is longer than 16777216 bytes, and the rest is ignored\n");
    run.prints_among_others("conforms: no\n");
}

#[test]
fn severities_below_the_minimum_are_counted_but_not_printed() {
    let folder =
        TestFolder::new("lint_least").with("robots.txt", "User-agent: *\nDisalow: /x\nSitemap: x\nDisallow: y\n");
    let codes = |least: &str| -> Vec<String> {
        let run = folder.run(&["lint", "--format", "json", "--min-severity", least, "robots.txt"]);
        run.exits_with(1).objects().iter().map(|violation| violation["code"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(codes("info"), ["key-misspelt", "ext-sitemap", "sitemap-not-absolute", "path-no-slash"]);
    assert_eq!(codes("warning"), ["key-misspelt", "sitemap-not-absolute", "path-no-slash"]);
    assert_eq!(codes("error"), ["path-no-slash"]);
    let run = folder.run(&["lint", "--min-severity", "error", "robots.txt"]);
    run.prints_among_others("robots.txt: 1 error, 2 warnings, 1 info; ");
}

#[test]
fn json_has_one_object_per_violation_and_nothing_else() {
    let folder = TestFolder::new("lint_json")
        .with("robots.txt", "\u{feff}User-agent: *\r\nDisallow: /\u{e9}\"\\\r\n\r\nhttp://\n");
    let run = folder.run(&["lint", "--format", "json", "robots.txt"]);
    run.exits_with(0).complains("");
    assert_eq!(
        run.stdout.lines().next(),
        Some(concat!(
            r#"{"file":"robots.txt","line":1,"column":1,"byte_offset":0,"byte_len":3,"code":"bom-utf8","tier":"A","#,
            r#""severity":"info","effect":"none","section":"§ 2.2","#,
            r#""message":"the file starts with a byte order mark, which the standard does not mention; "#,
            r#"save the file without it","#,
            r#""excerpt":"\ufeff"}"#
        )),
        "{run}"
    );
    let violations = run.objects();
    let places: Vec<_> = violations
        .iter()
        .map(|violation| {
            (violation["code"].as_str().unwrap(), violation["line"].as_u64(), violation["column"].as_u64())
        })
        .collect();
    let expected = [
        ("bom-utf8", Some(1), Some(1)),
        ("path-non-ascii", Some(2), Some(12)),
        ("stray-url", Some(4), Some(1)),
        ("eol-mixed", Some(0), Some(0)),
    ];
    assert_eq!(places, expected, "{run}");
    assert_eq!(violations[1]["excerpt"], "\u{e9}", "{run}");
    folder.run(&["lint", "--format", "json", "/dev/null"]).exits_with(0).complains("");
}

#[test]
fn the_option_color_chooses_colours() {
    let folder = TestFolder::new("lint_colours").with("robots.txt", "Disallow: /\n");
    let is_coloured =
        |arguments: &[&str]| folder.run(&[arguments, &["lint", "robots.txt"]].concat()).stdout.contains('\u{1b}');
    assert!(!is_coloured(&[]), "a pipe is no terminal");
    assert!(is_coloured(&["--color", "always"]));
    assert!(!is_coloured(&["--color", "never"]));
    let coloured = folder.run(&["lint", "--color", "always", "robots.txt"]);
    coloured.prints_among_others("\u{1b}[1m\u{1b}[91merror[rule-before-group]\u{1b}[0m\u{1b}[1m: a rule stands before");
}

#[test]
fn a_code_is_explained() {
    let folder = TestFolder::new("lint_explain");
    folder.run(&["lint", "--explain", "ua-version"]).exits_with(0).complains("").prints(
        "\
warning[ua-version]: a slash and a version or other text follow the product token; not every crawler ignores them, so remove them
  tier:    A, a violation of the grammar of RFC 9309
  effect:  kept by tolerance
  source:  RFC 9309 § 2.2.1
  example: User-agent: LinkedInBot/1.0
",
    );
    let unknown = folder.run(&["lint", "--explain", "ua-vrsion"]);
    unknown.exits_with(2).prints("").complains("code is unknown: ua-vrsion: did you mean ua-version?\n");
}
