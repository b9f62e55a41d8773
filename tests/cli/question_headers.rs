//! Every query in `queries/` has a correct header, every view is read, and every question has an expected answer.

use crate::questions::{all, expected_folder};
use analyze::queries::QueryKind;
use std::collections::BTreeSet;
use std::fs;

#[test]
fn headers_are_true() {
    let views = all(QueryKind::View);
    let mut faults = Vec::new();
    for kind in [QueryKind::View, QueryKind::Model, QueryKind::Question, QueryKind::Check] {
        for query in all(kind) {
            faults.extend(query.faults(kind, &views).into_iter().map(|fault| format!("{}: {fault}", query.name)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Views for the SQL of users, which no question reads: all rows of `site_access`, and old names.
const FOR_USERS: [&str; 4] = ["site_access", "site_classes", "stances", "site_stances"];

#[test]
fn each_view_is_read_and_each_name_is_unique() {
    let views = all(QueryKind::View);
    let questions = all(QueryKind::Question);
    let read: BTreeSet<&String> = views.iter().chain(&questions).flat_map(|query| &query.header.reads).collect();
    for view in &views {
        let is_read = read.contains(&view.name) || FOR_USERS.contains(&view.name.as_str());
        assert!(is_read, "no query reads the view {}", view.name);
        let is_table = tables::all().into_iter().any(|table| table.name == view.name);
        assert!(!is_table, "{} is a table, too", view.name);
    }
    let titles: BTreeSet<&String> = questions.iter().map(|question| &question.header.title).collect();
    assert_eq!(titles.len(), questions.len(), "two questions have one title");
}

/// Every question has a file in `queries/expected`, and every file there has a question.
#[test]
fn each_question_has_an_expected_answer() {
    let names: BTreeSet<String> = all(QueryKind::Question).into_iter().map(|question| question.name + ".csv").collect();
    let listed = fs::read_dir(expected_folder()).expect("the folder can be read");
    let there: BTreeSet<String> =
        listed.map(|found| found.expect("it can be read").file_name().to_string_lossy().into_owned()).collect();
    let missing: Vec<_> = names.difference(&there).collect();
    let orphans: Vec<_> = there.difference(&names).collect();
    assert!(
        missing.is_empty() && orphans.is_empty(),
        "questions without a file: {missing:?}; files without a question: {orphans:?}"
    );
}
