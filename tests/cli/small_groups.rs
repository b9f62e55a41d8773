//! Questions about the groups and rules of a few files.

use crate::given::rows;
use crate::small_crawls::{ask, crawl};

/// An empty user-agent line matches no crawler, so its rules apply to no agent.
#[test]
fn an_empty_user_agent_line_names_no_agent() {
    let captures = [
        ("a.example", 200, "User-agent:\nDisallow: /x\n"),
        ("b.example", 200, "User-agent: GPTBot\nUser-agent:\nDisallow: /y\n"),
    ];
    let folder = crawl("groups_empty", &captures);
    let run = ask(&folder, "path_exposure", &[]);
    assert_eq!(rows(&run, "TEST", &["path", "sites", "sites_to_one_agent"]), "/y,1,1\n", "{run}");
    for name in ["token", "written"] {
        let run = ask(&folder, "top_agents", &["--name", name]);
        assert_eq!(rows(&run, "TEST", &["sites", "sites_counted"]), "1,2\n", "{run}");
    }
}

/// Only a pattern that starts with a slash has a first directory.
#[test]
fn patterns_without_a_directory_are_kept() {
    let rules =
        "User-agent: *\nDisallow: *.pdf$\nDisallow: */feed/\nDisallow: nothing\nDisallow: /a/b?c\nDisallow: /?s=\n";
    let folder = crawl("groups_directories", &[("a.example", 200, rules)]);
    let run = ask(&folder, "path_exposure", &["--paths", "directory"]);
    assert_eq!(rows(&run, "TEST", &["path"]), "*.pdf$\n*/feed/\n/\n/a\nnothing\n", "{run}");
}
