//! `robocensus agents`: compares the list of agents with another list.

mod names;

use crate::exit::Exit;
use crate::failures::CommandResult;
use crate::input::RobotsInput;
use crate::print_format::PrintFormat;
use crate::streams::Streams;
use crate::terminal::{Safe, json};
use analyze::{KnownAgent, known_agents, normal_form};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;

/// The options of `agents`.
#[derive(Debug)]
pub(crate) struct AgentsCommand {
    /// The other list.
    pub(crate) list: RobotsInput,
    /// A list to use instead of the built-in one.
    pub(crate) agents: Option<PathBuf>,
    /// How to print.
    pub(crate) format: PrintFormat,
    /// Which names that the other list lacks to print.
    pub(crate) only_here: OnlyHere,
}

/// Which names that the other list lacks to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnlyHere {
    /// AI agents.
    Ai,
    /// All names.
    All,
}

/// Which lists have a name, and whether it is tracked; in the order of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Standing {
    /// Only the other list has it.
    Missing,
    /// Both lists have it, but the derived tables have no verdicts for it.
    Untracked,
    /// Both lists have it, and it is tracked.
    Tracked,
    /// Only our list has it.
    OnlyHere,
}

/// A name of one list or both.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct ComparedName<'n> {
    standing: Standing,
    token: String,
    name: &'n str,
    kind: &'n str,
    is_ai: bool,
    is_tracked: bool,
}

/// Compares the lists. Returns `Flawed` if the other list has a name that is missing here or not tracked.
pub(crate) fn run(command: &AgentsCommand, streams: &mut Streams<'_>) -> CommandResult {
    let known = known_agents(command.agents.as_deref())?;
    let mut text = Vec::new();
    if command.list.read(&mut text, streams)? == Exit::Failed {
        return Ok(Exit::Failed);
    }
    let listed = match names::read(&text) {
        Ok(listed) => listed,
        Err(cause) => {
            streams.complain(format_args!("list cannot be read: {}: {}", command.list, Safe(cause.as_bytes())))?;
            return Ok(Exit::Failed);
        }
    };
    let compared = compare(&known, &listed, command.only_here);
    for name in &compared {
        match command.format {
            PrintFormat::Json => json::write_line(streams.out, name)?,
            PrintFormat::Text => line(name, streams)?,
        }
    }
    let count = |standing| compared.iter().filter(|name| name.standing == standing).count();
    let (missing, untracked) = (count(Standing::Missing), count(Standing::Untracked));
    if command.format == PrintFormat::Text {
        let tracked = count(Standing::Tracked);
        let here = match command.only_here {
            OnlyHere::Ai => "AI agents",
            OnlyHere::All => "names",
        };
        writeln!(
            streams.out,
            "{} names: {tracked} tracked, {untracked} untracked, {missing} missing; {} {here} only here",
            tracked + untracked + missing,
            count(Standing::OnlyHere)
        )?;
    }
    Ok(if missing + untracked > 0 { Exit::Flawed } else { Exit::Good })
}

/// Prints a name that differs between the lists.
fn line(name: &ComparedName<'_>, streams: &mut Streams<'_>) -> io::Result<()> {
    let shown = Safe(name.name.as_bytes());
    match name.standing {
        Standing::Missing => writeln!(streams.out, "missing    {shown}"),
        Standing::Untracked if name.kind.is_empty() => writeln!(streams.out, "untracked  {shown}"),
        Standing::Untracked => writeln!(streams.out, "untracked  {shown} ({})", Safe(name.kind.as_bytes())),
        Standing::OnlyHere => writeln!(streams.out, "only here  {shown}"),
        Standing::Tracked => Ok(()),
    }
}

/// The names of both lists, each once, by standing and then by token. Names with the same token are one name.
fn compare<'n>(known: &'n [KnownAgent], listed: &'n [String], only_here: OnlyHere) -> Vec<ComparedName<'n>> {
    let by_token: BTreeMap<&str, &KnownAgent> = known.iter().map(|agent| (agent.token.as_str(), agent)).collect();
    let mut seen = BTreeSet::new();
    let mut compared = Vec::new();
    for name in listed {
        let token = normal_form(name);
        // The wildcard is not an agent.
        if token == "*" || !seen.insert(token.clone()) {
            continue;
        }
        compared.push(match by_token.get(token.as_str()) {
            Some(agent) => row(if agent.is_tracked { Standing::Tracked } else { Standing::Untracked }, agent),
            None => {
                ComparedName { standing: Standing::Missing, token, name, kind: "", is_ai: false, is_tracked: false }
            }
        });
    }
    let is_wanted = |agent: &KnownAgent| only_here == OnlyHere::All || agent.is_ai;
    let rest = by_token.into_values().filter(|agent| !seen.contains(&agent.token) && is_wanted(agent));
    compared.extend(rest.map(|agent| row(Standing::OnlyHere, agent)));
    compared.sort();
    compared
}

fn row(standing: Standing, agent: &KnownAgent) -> ComparedName<'_> {
    let KnownAgent { name, token, kind, is_ai, is_tracked } = agent;
    ComparedName { standing, token: token.clone(), name, kind, is_ai: *is_ai, is_tracked: *is_tracked }
}
