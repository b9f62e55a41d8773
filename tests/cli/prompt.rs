//! The prompt of `robocensus sql`, on a terminal.

use crate::run::TestFolder;
use crate::sample;
use rexpect::process::WaitStatus;
use rexpect::session::{Options, PtySession, spawn_with_options};
use std::fs;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

const PROMPT: &str = "robocensus> ";
/// The prompt within a statement.
const CONTINUED: &str = "       ...> ";
const ENTER: &str = "\r";
const TAB: &str = "\t";
const UP: &str = "\u{1b}[A";

/// Far longer than any answer takes, even on a busy machine.
const TIMEOUT_MS: u64 = 300_000;

fn open(folder: &TestFolder) -> PtySession {
    open_on("xterm", folder)
}

fn open_on(terminal: &str, folder: &TestFolder) -> PtySession {
    // The terminal of a test has no width, so set one.
    let mut command = Command::new("sh");
    command.args(["-c", "stty cols 80 rows 24; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_robocensus")]);
    command.args(["sql", "--tables", sample::OUT]).current_dir(folder.path());
    command.env("TERM", terminal).env("XDG_STATE_HOME", folder.path().join("state")).env("NO_COLOR", "1");
    let options = Options::new().timeout_ms(Some(TIMEOUT_MS)).strip_ansi_escape_codes(true);
    spawn_with_options(command, options).expect("the binary starts at a terminal")
}

/// Waits for the prompt and types.
#[track_caller]
fn types(session: &mut PtySession, keys: &[&str]) {
    types_at(PROMPT, session, keys);
}

/// Waits for the prompt within a statement and types.
#[track_caller]
fn continues(session: &mut PtySession, keys: &[&str]) {
    types_at(CONTINUED, session, keys);
}

#[track_caller]
fn types_at(prompt: &str, session: &mut PtySession, keys: &[&str]) {
    shows(session, prompt);
    session.send(&keys.concat()).and_then(|_| session.flush()).unwrap_or_else(|error| panic!("{error}"));
}

/// Waits for a text on the screen, and returns the text before it.
#[track_caller]
fn shows(session: &mut PtySession, text: &str) -> String {
    session.exp_string(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Such as the shell of Emacs, which cannot move the cursor.
#[test]
fn the_prompt_answers_on_a_terminal_without_control_sequences() {
    let folder = sample::ingested("prompt_dumb");
    let mut session = open_on("dumb", &folder);
    types(&mut session, &["SELECT 'ans' ||\n"]);
    continues(&mut session, &["'wered' AS said;\n"]);
    shows(&mut session, "answered\r\n");
    types(&mut session, &["\\q\n"]);
    let ended = session.process().wait().expect("it ends");
    assert!(matches!(ended, WaitStatus::Exited(_, 0)), "{ended:?}");
}

#[test]
fn the_prompt_answers_completes_and_keeps_a_history() {
    let folder = sample::ingested("prompt");
    let mut session = open(&folder);
    shows(&mut session, "tables; \\? for help, \\q to leave");

    // A statement over two lines, with a name that Tab completes. The typed text does not contain the answer.
    types(&mut session, &["SELECT 'ans' || 'wered' AS said", ENTER]);
    continues(&mut session, &["FROM capt", TAB, " WHERE capture_id = 0;", ENTER]);
    shows(&mut session, "answered\r\n");
    shows(&mut session, "1 row\r\n");

    types(&mut session, &[UP, ENTER]);
    shows(&mut session, "answered\r\n");
    shows(&mut session, "1 row\r\n");

    types(&mut session, &["SELECT capture_idd FROM captures;", ENTER]);
    shows(&mut session, "statement cannot be planned: ");
    types(&mut session, &["SELECT 6 * 7 AS product;", ENTER]);
    shows(&mut session, "42\r\n");

    // A discarded line, and then Ctrl-D.
    types(&mut session, &["SELECT 'nobody"]);
    session.send_control('c').expect("it can be typed");
    types(&mut session, &[]);
    session.send_control('d').expect("it can be typed");
    session.exp_eof().unwrap_or_else(|error| panic!("{error}"));
    let status = session.process().wait().expect("the binary ends");
    assert!(matches!(status, WaitStatus::Exited(_, 0)), "{status:?}");

    let history = fs::read_to_string(folder.path().join("state/robocensus/history")).expect("it is kept");
    for typed in ["FROM captures WHERE capture_id = 0;", "SELECT capture_idd", "SELECT 6 * 7 AS product;"] {
        assert!(history.contains(typed), "{typed} is not in\n{history}");
    }
    assert!(!history.contains("nobody"), "{history}");
}

#[test]
fn lines_typed_ahead_are_kept() {
    let folder = sample::ingested("prompt_ahead");
    let mut session = open(&folder);
    let ahead = ["SELECT 'fir' || 'st' AS a;", ENTER, "SELECT 'sec' || 'ond' AS b;", ENTER, "\\q", ENTER];
    types(&mut session, &ahead);
    shows(&mut session, "first\r\n");
    shows(&mut session, "second\r\n");
    session.exp_eof().unwrap_or_else(|error| panic!("{error}"));
}

/// The first statement is in one function call for hours, the second in a join.
#[test]
fn the_prompt_answers_after_a_statement_was_stopped() {
    let folder = sample::ingested("prompt_stopped");
    let mut session = open(&folder);
    let batch = "SELECT levenshtein(repeat(CAST(octets AS text), 100000), repeat('ab', 100000)) AS n FROM rules;";
    let join = "SELECT count(*) AS n FROM rules a, rules b, rules c, rules d WHERE a.octets + b.octets > c.octets;";
    for slow in [batch, join] {
        types(&mut session, &[slow, ENTER]);
        // Until then, Ctrl-C would be a key of the prompt.
        sleep(Duration::from_secs(2));
        session.send_control('c').expect("it can be typed");
        shows(&mut session, "stopped: statement: by Ctrl-C");
        types(&mut session, &["SELECT 6 * 7 AS product;", ENTER]);
        shows(&mut session, "42\r\n");
    }
    types(&mut session, &["\\q", ENTER]);
    session.exp_eof().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn rows_are_cut_to_the_window_or_shown_value_by_value() {
    let folder = sample::ingested("prompt_rows");
    let mut session = open(&folder);
    types(&mut session, &["SELECT repeat('w', 500) AS wide, 'unseen' AS last;", ENTER]);
    let before = shows(&mut session, "1 row; cut to the window, \\x shows whole rows\r\n");
    // The terminal library reads each byte of the ellipsis as a character.
    let mark: String = "\u{2026}".bytes().map(char::from).collect();
    assert!(before.contains(&format!("w{mark}\r\n")) && !before.contains("unseen\r\n"), "{before:?}");
    types(&mut session, &["\\x", ENTER]);
    shows(&mut session, "one value per line\r\n");
    types(&mut session, &["SELECT repeat('w', 500) AS wide, 'seen' AS last;", ENTER]);
    shows(&mut session, "-- row 1 ");
    shows(&mut session, "last  seen\r\n");

    // Lines of the prompt's own are cut as rows are.
    types(&mut session, &["\\x", ENTER]);
    types(&mut session, &["\\d", ENTER]);
    let tables = shows(&mut session, PROMPT);
    assert!(tables.contains("...\r\n") && tables.lines().all(|line| line.len() <= 80), "{tables}");
    session.send(&format!("\\?{ENTER}")).and_then(|_| session.flush()).expect("it can be typed");
    let help = shows(&mut session, PROMPT);
    assert!(help.contains("list tables") && help.lines().all(|line| line.len() <= 80), "{help}");
    session.send(&format!("\\x{ENTER}")).and_then(|_| session.flush()).expect("it can be typed");

    // A command within a statement, at the second prompt.
    types(&mut session, &["SELECT count(*) > 0 AS some", ENTER]);
    continues(&mut session, &["\\d captures", ENTER]);
    shows(&mut session, "fetch_status");
    continues(&mut session, &["FROM captures;", ENTER]);
    shows(&mut session, "some  true\r\n");
    types(&mut session, &["\\q", ENTER]);
    session.exp_eof().unwrap_or_else(|error| panic!("{error}"));
}
