//! Which shard of a plan this process makes: the typed one, or the one that a batch scheduler assigns.

use folder::Failure;
use std::fmt;
use std::num::NonZeroU32;
use std::path::Path;

/// A typed shard, such as `3/16`. The first shard is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TypedShard {
    index: u32,
    of: NonZeroU32,
}

impl std::str::FromStr for TypedShard {
    type Err = &'static str;

    fn from_str(typed: &str) -> Result<Self, Self::Err> {
        let (index, of) = typed.split_once('/').ok_or("a shard is I/N, such as 0/16")?;
        let index: u32 = index.parse().map_err(|_| "I of I/N must be a number from 0")?;
        let of: NonZeroU32 = of.parse().map_err(|_| "N of I/N must be a number from 1")?;
        if index < of.get() { Ok(TypedShard { index, of }) } else { Err("I of I/N must be less than N") }
    }
}

/// The shard of a process, and the option or variable that names it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) index: u32,
    of: NonZeroU32,
    by: String,
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shard { index, of, by } = self;
        write!(formatter, "shard {index} of {of}, from {by}")
    }
}

/// The variables in which schedulers pass its number to a task of an array job.
const SLURM: &str = "SLURM_ARRAY_TASK_ID";
const AWS_BATCH: &str = "AWS_BATCH_JOB_ARRAY_INDEX";
const KUBERNETES: &str = "JOB_COMPLETION_INDEX";

impl Shard {
    /// The shard of a plan for `planned` shards: the typed one, or else the one in the first variable of a scheduler
    /// that is set. `variable` reads the environment. Fails if nothing names a shard, or if the plan does not have it.
    pub(crate) fn find(
        typed: Option<TypedShard>,
        planned: NonZeroU32,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, Failure> {
        if let Some(TypedShard { index, of }) = typed {
            same_number(of.get(), planned, "--shard")?;
            return Ok(Shard { index, of: planned, by: "--shard".to_owned() });
        }
        let number = |name: &'static str| variable(name).map(|value| parse(name, &value)).transpose();
        let (name, index) = if let Some(id) = number(SLURM)? {
            let [first, last, count] =
                ["SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_COUNT"].map(&number);
            (SLURM, slurm_index(id, first?, last?, count?, planned))
        } else if let Some(index) = number(AWS_BATCH)? {
            if let Some(size) = number("AWS_BATCH_JOB_ARRAY_SIZE")? {
                same_number(size, planned, "AWS_BATCH_JOB_ARRAY_SIZE")?;
            }
            (AWS_BATCH, index)
        } else if let Some(index) = number(KUBERNETES)? {
            (KUBERNETES, index)
        } else {
            let cause = format_args!("give --shard I/{planned}, or archives");
            return Err(Failure::new("no shard is named", Path::new("ingest"), cause));
        };
        if index >= planned.get() {
            let cause = format_args!("it names shard {index}, but the plan has {planned}, counted from 0");
            return Err(Failure::new("shard is unknown", Path::new(name), cause));
        }
        let value = variable(name).unwrap_or_default();
        Ok(Shard { index, of: planned, by: format!("{name}={value}") })
    }
}

/// If the array has as many tasks as the plan has shards, without gaps, it may start at any number. The tasks of any
/// other array have the numbers of their shards, as `robocensus commit --missing` prints them.
fn slurm_index(id: u32, first: Option<u32>, last: Option<u32>, count: Option<u32>, planned: NonZeroU32) -> u32 {
    match (first, last, count) {
        (Some(first), Some(last), Some(count))
            if count == planned.get() && last.checked_sub(first) == Some(count - 1) =>
        {
            id.saturating_sub(first)
        }
        _ => id,
    }
}

fn parse(name: &'static str, value: &str) -> Result<u32, Failure> {
    value.trim().parse().map_err(|_| {
        Failure::new("shard cannot be read", Path::new(name), format_args!("the value {value} is not a number"))
    })
}

fn same_number(found: u32, planned: NonZeroU32, by: &str) -> Result<(), Failure> {
    if found == planned.get() {
        return Ok(());
    }
    Err(Failure::new(
        "number of shards is wrong",
        Path::new(by),
        format_args!("it says {found}, but the plan has {planned}"),
    ))
}

/// Shards in the form that schedulers accept for an array: `3,17-19`.
pub(crate) fn compact(shards: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for shard in shards {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *shard => *last = *shard,
            _ => ranges.push((*shard, *shard)),
        }
    }
    let text = |(first, last): &(u32, u32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    ranges.iter().map(text).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: Option<&str>, variables: &[(&str, &str)], expected: &str) {
        let typed = typed.map(|typed| typed.parse().unwrap());
        let variable =
            |name: &str| variables.iter().find(|(set, _)| *set == name).map(|(_, value)| (*value).to_owned());
        let found = match Shard::find(typed, NonZeroU32::new(16).unwrap(), &variable) {
            Ok(shard) => shard.to_string(),
            Err(failure) => failure.to_string(),
        };
        assert_eq!(found, expected, "{variables:?}");
    }

    #[test]
    fn the_command_line_wins() {
        check(Some("3/16"), &[(SLURM, "5")], "shard 3 of 16, from --shard");
        check(Some("3/8"), &[], "number of shards is wrong: --shard: it says 8, but the plan has 16");
        for wrong in ["3", "16/16", "-1/16", "0/0", "a/b", "1/2/3"] {
            assert!(wrong.parse::<TypedShard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn schedulers_name_the_shard() {
        let slurm = |id, first, last, count| {
            [
                (SLURM, id),
                ("SLURM_ARRAY_TASK_MIN", first),
                ("SLURM_ARRAY_TASK_MAX", last),
                ("SLURM_ARRAY_TASK_COUNT", count),
            ]
        };
        check(None, &slurm("15", "0", "15", "16"), "shard 15 of 16, from SLURM_ARRAY_TASK_ID=15");
        check(None, &slurm("16", "1", "16", "16"), "shard 15 of 16, from SLURM_ARRAY_TASK_ID=16");
        // The shards that are missing, as --array=3,7-8.
        check(None, &slurm("7", "3", "8", "3"), "shard 7 of 16, from SLURM_ARRAY_TASK_ID=7");
        check(None, &slurm("3", "3", "3", "1"), "shard 3 of 16, from SLURM_ARRAY_TASK_ID=3");
        check(
            None,
            &slurm("31", "0", "31", "32"),
            "shard is unknown: SLURM_ARRAY_TASK_ID: it names shard 31, but the plan has 16, counted from 0",
        );
        check(
            None,
            &[(AWS_BATCH, "4"), ("AWS_BATCH_JOB_ARRAY_SIZE", "16")],
            "shard 4 of 16, from AWS_BATCH_JOB_ARRAY_INDEX=4",
        );
        check(
            None,
            &[(AWS_BATCH, "4"), ("AWS_BATCH_JOB_ARRAY_SIZE", "8")],
            "number of shards is wrong: AWS_BATCH_JOB_ARRAY_SIZE: it says 8, but the plan has 16",
        );
        check(None, &[(KUBERNETES, "0")], "shard 0 of 16, from JOB_COMPLETION_INDEX=0");
        check(None, &[(KUBERNETES, "x")], "shard cannot be read: JOB_COMPLETION_INDEX: the value x is not a number");
        check(None, &[], "no shard is named: ingest: give --shard I/16, or archives");
    }

    #[test]
    fn lists_are_compact() {
        assert_eq!(compact(&[]), "");
        assert_eq!(compact(&[3]), "3");
        assert_eq!(compact(&[0, 1, 3, 17, 18, 19]), "0-1,3,17-19");
    }
}
