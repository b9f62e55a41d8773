//! `robocensus judge`: may this crawler fetch that, and which line decides.

mod answer;
mod lines;
pub(crate) mod ndjson;

use crate::arguments::Format;
use crate::exit::Exit;
use crate::input::Input;
use crate::streams::Streams;
use crate::terminal::json;
use answer::{Answer, Report};
use lines::Lines;
use robots::{Dialect, Naming, Reading, Target};
use std::io;

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Judge {
    /// Judge URLs by one file.
    Urls {
        /// The file.
        robots: Input,
        /// The crawler.
        agent: String,
        /// The URLs, in the order in which they are judged.
        urls: Vec<String>,
        /// How the file is read.
        manner: Manner,
        /// How to print.
        format: Format,
    },
    /// Judge the questions on standard input.
    Lines {
        /// How files are read, where a question does not say.
        manner: Manner,
    },
}

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manner {
    pub(crate) dialect: Dialect,
    pub(crate) naming: Naming,
}

/// Does it.
pub(crate) fn run(judge: &Judge, streams: &mut Streams<'_>) -> io::Result<Exit> {
    match judge {
        Judge::Urls { robots, agent, urls, manner, format } => urls_by(robots, agent, urls, *manner, *format, streams),
        Judge::Lines { manner } => ndjson::run(*manner, streams),
    }
}

fn urls_by(
    input: &Input,
    agent: &str,
    urls: &[String],
    manner: Manner,
    format: Format,
    streams: &mut Streams<'_>,
) -> io::Result<Exit> {
    let mut body = Vec::new();
    if input.read(&mut body, streams)? == Exit::Failed {
        return Ok(Exit::Failed);
    }
    let parsed = robots::parse(&body);
    let reading = Reading::new(&parsed, manner.dialect);
    let selection = reading.select(agent.as_bytes(), manner.naming);
    let lines = Lines::of(reading.text());
    for url in urls {
        let verdict = selection.judge(&Target::new(url.as_bytes(), manner.dialect));
        match format {
            Format::Json => json::write_line(streams.out, &Answer::new(url, &verdict, reading.text()))?,
            Format::Text => {
                Report { input, url, verdict: &verdict, lines: &lines }.write(&streams.screen, streams.out)?;
            }
        }
    }
    Ok(Exit::Good)
}
