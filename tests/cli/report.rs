//! `robocensus report`: its files. The same tables give the same bytes.

use crate::crawls::{crawl, tables};
use crate::demo::demo;
use crate::given::RANKS;
use crate::questions::{modelled, sample_tables};
use crate::run::TestFolder;
use crate::sample;
use committed::full::{is_full, step};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn report(folder: &TestFolder, tables: &Path, out: &str, options: &[&str]) -> BTreeMap<PathBuf, Vec<u8>> {
    let tables = tables.to_str().expect("the path is UTF-8");
    folder.run(&[&["report", tables, "--out", out], options].concat()).exits_with(0);
    sample::files(&folder.path().join(out))
}

pub(crate) fn text(files: &BTreeMap<PathBuf, Vec<u8>>, name: &str) -> String {
    let bytes = files.get(Path::new(name)).unwrap_or_else(|| panic!("{name} is not there"));
    String::from_utf8(bytes.clone()).expect("it is UTF-8")
}

#[test]
fn the_report_of_the_sample_has_all_parts() {
    let (folder, _) = demo();
    let files = sample::files(&folder.path().join("a demo/report"));
    let page = text(&files, "index.html");
    assert!(page.len() < 3_000_000, "the page has {} bytes", page.len());
    for part in ["what_was_read", "access_overview", "definition_sensitivity", "agent_bias", "methods"] {
        assert!(page.contains(&format!("id=\"{part}\"")), "{part} is missing");
    }
    // Labels are names, not codes.
    for label in ["WordPress 4.4 and later", "last line without a line end"] {
        assert!(page.contains(label), "no label: {label}");
    }
    for outside in ["src=", "href=\"http:", " style=", " onclick=", "@import"] {
        assert!(!page.contains(outside), "the page has {outside}");
    }
    assert_eq!(page.matches("url(").count(), page.matches("url(#texture-").count(), "the page loads something");
    let links = page.matches("href=\"https:").count();
    assert_eq!(links, page.matches("href=\"https://www.rfc-editor.org/").count(), "the page links elsewhere");
    let figures = page.matches("<figure").count();
    for below in ["data", "sql"] {
        assert_eq!(files.keys().filter(|path| path.starts_with(below)).count(), figures, "{below}");
    }
    // A finding about search crawlers names them. All listed operators together may be one.
    let finding = "3 of 4 sites that block an agent of Apple for training by name (Applebot-Extended) block none of its \
                   search crawlers (Applebot).";
    assert!(page.contains(finding), "no finding: {finding}");
    // A CSV is the output of the command beside its figure.
    for (id, question, options) in [
        ("status_codes", "status_codes", &["--answer", "first", "--crawl", "SAMPLE-2025-10"][..]),
        ("access_overview", "access_overview", &[]),
        ("top_agents", "top_agents", &["--top", "50", "--crawl", "SAMPLE-2025-10"]),
    ] {
        let tables = sample_tables();
        let run = folder.run(&[&["query", "--tables", tables, "--format", "csv", question], options].concat());
        run.exits_with(0).prints(&text(&files, &format!("data/{id}.csv")));
    }
}

/// The words of a page: without its SQL, its commands, and texts from files.
fn shown_words(page: &str) -> Vec<String> {
    let mut text = page.to_owned();
    let hidden = [
        ("<style>", "</style>"),
        ("<script>", "</script>"),
        ("<details class=\"sql\">", "</details>"),
        ("<td class=\"raw\">", "</td>"),
        ("<td class=\"host\">", "</td>"),
    ];
    for (start, end) in hidden {
        let pieces = text.split(start).enumerate();
        let shown = pieces.map(|(nth, piece)| if nth == 0 { piece } else { piece.split_once(end).expect("it ends").1 });
        text = shown.collect::<Vec<_>>().join(" ");
    }
    let shown = text.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, shown)| shown));
    let shown = shown.collect::<Vec<_>>().join(" ");
    let is_of_word = |character: char| character.is_alphanumeric() || "_-.".contains(character);
    shown.split(|end| !is_of_word(end)).map(|word| word.trim_matches('.').to_owned()).collect()
}

/// Whether a word is a name from code: of a column, a value, a violation or a file.
fn is_code(word: &str) -> bool {
    let is_file = [".csv", ".md", ".sql", ".rs"].iter().any(|ending| word.ends_with(ending));
    let is_violation = || word.contains('-') && robots::Code::ALL.iter().any(|code| code.name() == word);
    word.contains('_') || is_file || is_violation()
}

#[test]
fn the_page_has_words_in_place_of_codes() {
    let (folder, _) = demo();
    let page = text(&sample::files(&folder.path().join("a demo/report")), "index.html");
    let codes = |page: &str| shown_words(page).into_iter().filter(|word| is_code(word)).collect::<BTreeSet<_>>();
    assert_eq!(codes(&page), BTreeSet::new());
    for code in ["sites_gaining_root", "yes_and_blocked", "file-html", "agents.csv"] {
        let planted = page.replacen("<figcaption>", &format!("<figcaption>{code}."), 1);
        assert_eq!(codes(&planted), BTreeSet::from([code.to_owned()]));
    }
}

/// Replaces the first report. The full run has all sections, other runs have one.
#[test]
fn any_number_of_threads_makes_the_same_bytes() {
    let folder = TestFolder::new("report_by_other_threads");
    let only: &[&str] = if is_full() { &[] } else { &["--only", "agents"] };
    let made = |jobs| report(&folder, modelled(), "report", &[&["--jobs", jobs], only].concat());
    let (files, again) = (made("1"), made("2"));
    let differing: Vec<_> = files.keys().filter(|path| files.get(*path) != again.get(*path)).collect();
    assert!(differing.is_empty() && files.len() == again.len(), "other bytes: {differing:?}");
}

#[test]
fn only_limits_the_sections() {
    let folder = TestFolder::new("report_of_a_part");
    let files =
        report(&folder, modelled(), "report", &["--only", "read,size", "--title", "<b>Sizes</b> & \u{202e}more"]);
    let page = text(&files, "index.html");
    assert!(page.contains("id=\"size\"") && !page.contains("id=\"grammar\""));
    assert!(page.contains(r"&lt;b&gt;Sizes&lt;/b&gt; &amp; \u{202e}more"), "the title is not what was typed");
    let files = report(&folder, modelled(), "markdown", &["--only", "access", "--format", "md"]);
    let page = text(&files, "report.md");
    assert!(!page.contains(r"u{a0}"), "a blank is shown as an escape");
    for line in page.lines().filter_map(|line| line.split_once("](charts/")?.1.strip_suffix(')')) {
        let chart = text(&files, &format!("charts/{line}"));
        assert!(chart.starts_with("<svg") && chart.contains("<title"), "{line}");
    }
    // As in the page for browsers.
    let commands = page.matches("Command with the same answer:\n\n    robocensus query ").count();
    assert!(commands > 0);
    assert_eq!(commands, page.matches("](sql/").count());
    assert!(page.contains("](charts/access_overview.svg)") && page.contains("](data/access_overview.csv)"));
}

#[test]
fn a_list_of_ranks_adds_figures_by_rank() {
    let folder = TestFolder::new("report_by_rank").with("ranks.csv", RANKS);
    let ranks = ["--table", "ranks=ranks.csv"];
    let files = report(&folder, modelled(), "report", &[&ranks[..], &["--only", "ranks"]].concat());
    let page = text(&files, "index.html");
    let figures = ["access_by_rank", "access_by_rank_and_crawl", "agents_by_rank", "ai_by_rank"];
    for figure in figures {
        assert!(page.contains(&format!("id=\"{figure}\"")), "{figure} is missing");
    }
    let tables = sample_tables();
    let asked = ["query", "--tables", tables, "--format", "csv", "access_by_rank"];
    let run = folder.run(&[&asked[..], &ranks].concat());
    run.exits_with(0).prints(&text(&files, "data/access_by_rank_and_crawl.csv"));
    // One panel for each stratum with a site.
    let figure = page.split("id=\"access_by_rank_and_crawl\"").nth(1).and_then(|rest| rest.split("</figure>").next());
    let strata: BTreeSet<&str> = run.stdout.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect();
    assert_eq!(figure.map(|figure| figure.matches("class=\"panel\"").count()), Some(strata.len()), "{strata:?}");
    let run = folder.run(&["report", sample_tables(), "--out", "none", "--only", "ranks"]);
    run.exits_with(0).complains("no figure is shown: none/index.html: it needs a list of ranks: --table ranks=FILE\n");
    let without = report(&folder, modelled(), "without", &["--only", "ranks"]);
    assert!(figures.iter().all(|figure| !text(&without, "index.html").contains(&format!("id=\"{figure}\""))));
}

#[test]
fn a_folder_that_is_not_a_report_is_left_alone() {
    let folder = TestFolder::new("report_over_something_else").with("mine.txt", "mine");
    let tables = sample_tables();
    folder.run(&["report", tables, "--out", "."]).exits_with(2).complains_among_others("folder is not a report: ");
    folder.run(&["report", tables, "--out", "mine.txt"]).exits_with(2).complains_among_others("it is a file");
    folder
        .run(&["report", tables, "--out", "new", "--crawl", "SAMPLE"])
        .exits_with(2)
        .complains_among_others("crawl is unknown: ");
    assert_eq!(fs::read_to_string(folder.path().join("mine.txt")).expect("it exists"), "mine");
    assert!(!folder.path().join("new").exists());
    // The folders of an earlier report can have files of the user, too.
    let report = ["report", tables, "--out", "report", "--only", "access", "--quiet"];
    folder.run(&report).exits_with(0);
    folder.run(&report).exits_with(0);
    for mine in ["data/mine.csv", "sql/mine.sql", "data/access_overview"] {
        let path = folder.path().join("report").join(mine);
        fs::write(&path, "mine").expect("a file can be written");
        folder.run(&report).exits_with(2).complains_among_others(&format!("it contains {mine}, which the report"));
        fs::remove_file(&path).expect("it exists");
    }
}

#[test]
fn a_crawl_without_a_record_has_a_report() {
    let folder = crawl("report_of_nothing", &[]);
    let only: &[&str] = if is_full() { &[] } else { &["--only", "access,size"] };
    let files = report(&folder, &folder.path().join("tables"), "report", only);
    let page = text(&files, "index.html");
    assert!(page.contains("TEST-2026-46") && page.contains("There is nothing to draw"));
    assert!(
        !page.contains("<svg class=\"wide\"") && !page.contains("<svg class=\"every\""),
        "something is drawn of nothing"
    );
    fs::create_dir(folder.path().join("empty")).expect("a folder can be made");
    folder
        .run(&["report", "empty", "--out", "none"])
        .exits_with(2)
        .complains_among_others("folder has no tables: empty: ");
    // Even if the report would be below that folder.
    folder
        .run(&["report", "empty", "--out", "empty/report"])
        .exits_with(2)
        .complains_among_others("folder has no tables: empty: ");
    folder
        .run(&["sql", "SELECT 1", "--tables", "empty", "--out", "empty/one.csv"])
        .exits_with(2)
        .complains_among_others("folder has no tables: empty: ");
}

#[test]
fn key_figures_count_one_as_one() {
    let folder = crawl("report_of_one_site", &[("a.example", 200, "User-agent: *\nDisallow: /a\n")]);
    let files = report(&folder, &folder.path().join("tables"), "report", &["--only", "access", "--format", "md"]);
    let page = text(&files, "report.md");
    for line in ["- 1 archive", "- 1 capture", "- 1 site", "- 1 of 1 captured site has a robots.txt with rules"] {
        assert!(page.lines().any(|other| other == line), "{line} is missing: {page}");
    }
}

/// Sentences in place of charts are true of the rows in their tables.
#[test]
fn sentences_in_place_of_charts_are_true() {
    let blocks = "User-agent: GPTBot\nDisallow: /\n";
    let allows = "User-agent: *\nDisallow: /a\nCrawl-delay: soon\n";
    let folder = tables(
        "report_of_one_block",
        &[
            ("ONE-2024-10", "2024-03-01", &[("a.example", 200, blocks)]),
            ("ONE-2024-26", "2024-06-25", &[("a.example", 200, allows)]),
            ("ONE-2024-40", "2024-10-01", &[("a.example", 200, allows)]),
        ],
    );
    let tables = folder.path().join("tables");
    let sentence = |page: &str, figure: &str| {
        let figure = page.split(&format!("<figure id=\"{figure}\"")).nth(1).expect("the figure is there");
        figure.split("<figcaption").next().expect("it has a caption").to_owned()
    };
    let files = report(&folder, &tables, "blocked", &["--only", "agents,ai,grammar,size", "--crawl", "ONE-2024-10"]);
    let page = text(&files, "index.html");
    for (figure, expected) in [
        // A site blocks GPTBot, but none blocks *, so there is no ratio.
        ("agent_bias", "There is no ratio to draw, since no site blocks unnamed crawlers or all ratios are 0 or 1."),
        ("agent_cooccurrence", "No site blocks two of these agents by name."),
        ("train_no_search_yes", "Sites name no agent for training together with another agent of its operator"),
        // Another crawl of the tables may have such sites.
        ("stale_tokens", "There is nothing to draw: there are no sites that block the retired agent by name."),
        ("over_500kib", "No file is longer than 500 KiB."),
        ("over_500kib_files", "No file is longer than 500 KiB."),
        ("dialect_disagreement", "On no site does a draft give another verdict on / than RFC 9309."),
        ("violation_examples", "No file has a violation or a remark."),
    ] {
        let sentence = sentence(&page, figure);
        assert!(sentence.contains(expected), "{figure}: {sentence}");
    }
    let files = report(&folder, &tables, "allowed", &["--only", "agents,change,records"]);
    let page = text(&files, "index.html");
    for (figure, expected) in [
        ("agent_bias", "Each site blocks both an agent and unnamed crawlers, or neither."),
        ("crawl_delay", "No file asks for a crawl delay in a valid number of seconds."),
        // The table has a site with a file.
        ("event_cloudflare_block", "No site names an AI agent, blocks unnamed crawlers or has Content-Signal or"),
    ] {
        let sentence = sentence(&page, figure);
        assert!(sentence.contains(expected), "{figure}: {sentence}");
    }
}

#[test]
fn a_crawl_without_a_success_has_a_report() {
    let folder = crawl("report_of_refusals", &[("a.example", 403, "no"), ("b.example", 403, "no")]);
    let files = report(&folder, &folder.path().join("tables"), "report", &["--only", "access,grammar,ai,change"]);
    let page = text(&files, "index.html");
    assert!(page.contains("There is nothing to draw") && page.contains("unavailable"));
    assert!(page.contains("it compares crawls, and there is no second one"));
    // Without a file, it is true but misleading that no file breaks the grammar.
    assert!(!page.contains("No file breaks the grammar") && page.contains("No file was read."));
    // An answer without a row is about a crawl, too.
    let examples = page.split("<figure id=\"violation_examples\"").nth(1).expect("the figure is there");
    let caption = examples.split("</figcaption>").next().expect("it has a caption");
    assert!(caption.contains("Crawl TEST-2026-46. "), "{caption}");
    // A finding of 0 % is a sentence, or none.
    assert!(page.contains("In TEST-2026-46, no site blocks an AI agent (0 of 2 "));
    assert!(!page.contains("the most sites block by name is"));
    // Lines of grids and axes are thin.
    let is_thin = |line: &str| line.split("/>").next().is_some_and(|line| line.contains("stroke-width=\"1\""));
    assert!(page.split("<polyline").skip(1).all(is_thin), "a line is drawn of one crawl");
    // Of AI agents, a list without them says nothing.
    fs::write(folder.path().join("seo.csv"), "token,tracked\nMJ12bot,true\n").expect("the file can be written");
    folder.run(&["models", "tables", "--agents", "seo.csv"]).exits_with(0);
    let options = ["--only", "access,ai", "--agents", "seo.csv"];
    let page = text(&report(&folder, &folder.path().join("tables"), "without_ai", &options), "index.html");
    assert!(page.contains("it is about AI agents, and the list of agents tracks none"));
    assert!(!page.contains("blocks an AI agent"));
}

/// `query` also has verdicts for agents that the list does not track.
#[test]
fn commands_name_the_agents_of_a_list() {
    let both = "User-agent: GPTBot\nUser-agent: CCBot\nUser-agent: bingbot\nDisallow: /\n";
    let folder = crawl("report_of_listed_agents", &[("a.example", 200, both)]);
    let tables = folder.path().join("tables");
    let of_list = |list: &str, out: &str| {
        fs::write(folder.path().join("list.csv"), list).expect("the file can be written");
        folder.run(&["models", "tables", "--agents", "list.csv"]).exits_with(0);
        report(&folder, &tables, out, &["--only", "agents,ai", "--agents", "list.csv", "--format", "md"])
    };
    let files = of_list("token,tracked,is_ai\nGPTBot,true,true\nbingbot,true,false\n", "some");
    let page = text(&files, "report.md");
    for (question, tokens) in [
        ("definition_sensitivity", "GPTBot,bingbot"),
        ("agent_cooccurrence", "GPTBot,bingbot"),
        ("ai_agents_named", "GPTBot"),
    ] {
        let start = format!("    robocensus query {question} --agents FILE ");
        let options = page.lines().find_map(|line| line.strip_prefix(&start)).expect("the command is there");
        assert!(options.contains(&format!("--tokens {tokens}")), "{question}: {options}");
        let asked = ["query", question, "--tables", "tables", "--agents", "list.csv", "--format", "csv"];
        let run = folder.run(&[&asked[..], &options.split(' ').collect::<Vec<_>>()].concat());
        run.exits_with(0).prints(&text(&files, &format!("data/{question}.csv")));
    }
    let files = of_list("token,tracked\nMJ12bot,true\n", "none");
    let why = "Agents blocked together by name: the list of agents tracks none of the agents that it is about.";
    let page = text(&files, "report.md");
    assert!(page.contains(why) && !page.contains("No site blocks two of these agents"));
}

/// The arguments of `query` that ask a listed question.
fn arguments_of(question: &serde_json::Value) -> Vec<&str> {
    let arguments = question["arguments"].as_array().expect("a question has arguments");
    arguments.iter().filter_map(|argument| argument.as_str()).collect()
}

/// Answers of another engine draw the same page. They must be about the same tables and have the same columns.
#[test]
fn answers_of_another_engine_draw_the_same_page() {
    let folder = TestFolder::new("report_of_answers");
    let tables = modelled().to_str().expect("the path is UTF-8");
    let only = ["--only", "size,grammar"];
    let listed = folder.run(&[&["report", tables, "--list-questions"], &only[..]].concat());
    listed.exits_with(0).complains("");
    fs::create_dir(folder.path().join("answers")).expect("a folder can be made");
    fs::write(folder.path().join("answers/questions.ndjson"), &listed.stdout).expect("a file can be written");
    let questions = &listed.objects()[1..];
    assert!(questions.len() >= 8, "{listed}");
    // With an engine, each question has the statements that `query` prints.
    let with_sql = folder.run(&[&["report", tables, "--list-questions", "--engine", "spark"], &only[..]].concat());
    let with_sql = with_sql.objects();
    assert_eq!(with_sql.len(), questions.len() + 1, "{listed}");
    for (question, with_sql) in questions.iter().zip(&with_sql[1..]).step_by(step(3)) {
        assert_eq!((&question["id"], &question["arguments"]), (&with_sql["id"], &with_sql["arguments"]));
        let arguments = arguments_of(question);
        let run = folder.run(&[&["query"], &arguments[..], &["--engine", "spark", "--tables", tables]].concat());
        match with_sql["sql"].as_str() {
            Some(sql) => run.exits_with(0).prints(sql),
            None => run.exits_with(2).complains_among_others("statement needs a function: "),
        };
    }
    assert_eq!(with_sql[1..].iter().filter(|question| question["sql"].is_null()).count(), 1);
    let refused = folder.run(&["report", tables, "--out", "refused", "--engine", "spark"]);
    refused.exits_with(2).complains_among_others("'--out <FOLDER>' cannot be used with '--engine <ENGINE>'");
    // The last one is answered by the report itself.
    for question in &questions[..questions.len() - 1] {
        let id = question["id"].as_str().expect("a question has a name");
        let arguments = arguments_of(question);
        let file = format!("answers/{id}.parquet");
        let options = ["--tables", tables, "--format", "parquet", "--out", &file];
        folder.run(&[&["query"], &arguments[..], &options].concat()).exits_with(0);
    }
    let whole = report(&folder, modelled(), "whole", &only);
    let drawn = report(&folder, modelled(), "drawn", &[&only[..], &["--answers", "answers"]].concat());
    let figures = text(&whole, "index.html").matches("<figure id=").count();
    assert!(figures > questions.len(), "two figures ask the same");
    let note = format!("; another engine answered {} of {figures} figures", figures - 1);
    assert!(text(&drawn, "index.html").contains(&note), "the page does not say so: {note}");
    for (path, bytes) in &whole {
        let found = String::from_utf8_lossy(&drawn[path]).replace(&note, "");
        assert!(found.as_bytes() == bytes, "{} differs", path.display());
    }
    let refused = |what: &str| {
        let arguments = ["report", tables, "--out", "refused", "--answers", "answers"];
        folder.run(&[&arguments[..], &only].concat()).exits_with(2).complains_among_others(what);
    };
    let [first, second] =
        [0, 1].map(|at| format!("answers/{}.parquet", questions[at]["id"].as_str().unwrap_or_default()));
    fs::copy(folder.path().join(&first), folder.path().join(&second)).expect("a file can be copied");
    refused(&format!("answer cannot be read: {second}: its columns are "));
    let other = listed.stdout.replacen(|digit: char| digit.is_ascii_digit(), "x", 1);
    fs::write(folder.path().join("answers/questions.ndjson"), other).expect("a file can be written");
    refused("answers are not used: answers: they are about other tables than ");
    for broken in ["", "{\"tables\":\"abc", "{\"id\":\"a\"}\n"] {
        fs::write(folder.path().join("answers/questions.ndjson"), broken).expect("a file can be written");
        refused("answers/questions.ndjson: it does not start with the line that report --list-questions prints first");
    }
}

/// One figure must not cost the others.
#[test]
fn a_figure_that_needs_more_memory_is_left_out() {
    let folder = TestFolder::new("report_memory");
    let report = |more: &[&str]| {
        let asked = ["report", sample_tables(), "--out", "report", "--only", "grammar"];
        let mut command = folder.command(&[&asked, more].concat());
        command.env("ROBOCENSUS_TEST_MEMORY", "dialect_disagreement");
        folder.run_by(command)
    };
    let title = "Where drafts of the standard disagree with RFC 9309: it needs more memory than --memory allows";
    let left_out = format!("figure is not shown: {title}\n");
    report(&["--quiet"]).exits_with(1).complains(&left_out);
    let short =
        "memory is short: report/index.html: 1 of its questions took longer for that; a larger --memory avoids it\n";
    report(&[]).exits_with(1).complains_among_others(&format!("{short}{left_out}"));
    let page = text(&sample::files(&folder.path().join("report")), "index.html");
    assert!(page.contains(&format!("{title}.")) && page.contains("<figure"), "{page}");
}
