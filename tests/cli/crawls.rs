//! Crawls of a few responses, their tables, and answers about them.

use crate::run::{Run, TestFolder};

/// A crawl: its name, the day of its captures, and host, status and body of each.
pub(crate) type Crawl<'c> = (&'c str, &'c str, &'c [(&'c str, u16, &'c str)]);

/// A time for records whose day does not matter.
pub(crate) const TIME: &str = "2024-03-01T12:00:00Z";

/// A WARC record with a response. More fields of the response each end with CRLF.
pub(crate) fn record(url: &str, time: &str, status: u16, fields: &str, body: &str) -> String {
    let length = body.len();
    let http =
        format!("HTTP/1.1 {status} X\r\nContent-Type: text/plain\r\n{fields}Content-Length: {length}\r\n\r\n{body}");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{:012}>\r\n\
         WARC-Date: {time}\r\nWARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {}\r\n\r\n{http}\r\n\r\n",
        url.len(),
        http.len()
    )
}

/// A folder with the tables of a crawl TEST-2026-46: host, status and body of each capture.
pub(crate) fn crawl(test: &str, captures: &[(&str, u16, &str)]) -> TestFolder {
    tables(test, &[("TEST-2026-46", "2026-11-10", captures)])
}

/// A folder with the tables of some crawls.
pub(crate) fn tables(test: &str, crawls: &[Crawl<'_>]) -> TestFolder {
    let archives = crawls.iter().map(|(crawl, day, captures)| {
        let time = format!("{day}T12:00:00Z");
        let url = |host: &str| format!("https://{host}/robots.txt");
        (*crawl, captures.iter().map(|(host, status, body)| record(&url(host), &time, *status, "", body)).collect())
    });
    tables_of(test, &archives.collect::<Vec<_>>())
}

/// A folder with the tables of some crawls, each of one archive.
pub(crate) fn tables_of(test: &str, archives: &[(&str, String)]) -> TestFolder {
    let folder = TestFolder::new(test);
    for (crawl, archive) in archives {
        folder.write(&format!("crawl-data/{crawl}/segments/1/robotstxt/{crawl}-00000.warc"), archive);
    }
    // An empty archive is damaged.
    let is_damaged = archives.iter().any(|(_, archive)| archive.is_empty());
    let ingest = ["ingest", "crawl-data", "--out", "tables", "--models", "latest"];
    folder.run(&ingest).exits_with(i32::from(is_damaged));
    folder
}

/// Asks a question about the tables in a folder.
pub(crate) fn ask(folder: &TestFolder, question: &str, more: &[&str]) -> Run {
    ask_about("tables", folder, question, more)
}

/// Asks a question about some tables.
pub(crate) fn ask_about(tables: &str, folder: &TestFolder, question: &str, more: &[&str]) -> Run {
    folder.run(&[&["query", question, "--tables", tables, "--format", "csv", "--exact"], more].concat())
}

/// Some columns of the rows that contain a text, one row per line.
#[track_caller]
pub(crate) fn rows(run: &Run, holding: &str, columns: &[&str]) -> String {
    run.exits_with(0).complains("");
    let mut reader = csv::Reader::from_reader(run.stdout.as_bytes());
    let header = reader.headers().expect("it is CSV").clone();
    let place = |column: &&str| header.iter().position(|name| name == *column).unwrap_or_else(|| panic!("{run}"));
    let places: Vec<usize> = columns.iter().map(place).collect();
    let rows = reader.records().map(|row| row.expect("it is CSV"));
    let wanted = rows.filter(|row| row.iter().any(|cell| cell.contains(holding)));
    wanted.map(|row| places.iter().map(|at| &row[*at]).collect::<Vec<_>>().join(",") + "\n").collect()
}
