//! Which shard of a plan this process makes: what was typed, or what a batch scheduler says.

use folder::Failure;
use std::fmt;
use std::num::NonZeroU32;
use std::path::Path;

/// A shard that was typed, as `3/16`. The first has the number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TypedShard {
    index: u32,
    of: NonZeroU32,
}

impl std::str::FromStr for TypedShard {
    type Err = &'static str;

    fn from_str(typed: &str) -> Result<Self, Self::Err> {
        let (index, of) = typed.split_once('/').ok_or("a shard is I/N, such as 0/16")?;
        let index: u32 = index.parse().map_err(|_| "I of I/N is a number from 0")?;
        let of: NonZeroU32 = of.parse().map_err(|_| "N of I/N is a number from 1")?;
        if index < of.get() { Ok(TypedShard { index, of }) } else { Err("I of I/N is less than N") }
    }
}

/// The shard of a process, and who says so.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) index: u32,
    of: NonZeroU32,
    by: String,
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shard { index, of, by } = self;
        write!(formatter, "shard {index} of {of}, by {by}")
    }
}

/// Where a scheduler tells a task of an array job its number.
const SLURM: &str = "SLURM_ARRAY_TASK_ID";
const AWS_BATCH: &str = "AWS_BATCH_JOB_ARRAY_INDEX";
const KUBERNETES: &str = "JOB_COMPLETION_INDEX";

impl Shard {
    /// The shard of a plan for `planned` shards: what was typed, or what the first scheduler says whose variable is set.
    /// `variable` reads the environment. Fails where nobody names a shard, and for the shard of another number of shards.
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
            let cause = format_args!("name one with --shard I/{planned}, or archives");
            return Err(Failure::new("no shard is named", Path::new("ingest"), cause));
        };
        if index >= planned.get() {
            let cause = format_args!("it names shard {index}, and there are {planned}, from 0 on");
            return Err(Failure::new("shard is unknown", Path::new(name), cause));
        }
        let value = variable(name).unwrap_or_default();
        Ok(Shard { index, of: planned, by: format!("{name}={value}") })
    }
}

/// An array of as many tasks as there are shards, without gaps, may begin at any number. Any other array lists shards by
/// their own numbers, as `robocensus commit --missing` prints them.
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
    value
        .trim()
        .parse()
        .map_err(|_| Failure::new("shard cannot be read", Path::new(name), format_args!("{value} is no number")))
}

fn same_number(found: u32, planned: NonZeroU32, by: &str) -> Result<(), Failure> {
    if found == planned.get() {
        return Ok(());
    }
    Err(Failure::new(
        "shards are planned otherwise",
        Path::new(by),
        format_args!("it says {found}, and the plan has {planned}"),
    ))
}

/// Shards in the form that schedulers take for an array: `3,17-19`.
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
        check(Some("3/16"), &[(SLURM, "5")], "shard 3 of 16, by --shard");
        check(Some("3/8"), &[], "shards are planned otherwise: --shard: it says 8, and the plan has 16");
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
        check(None, &slurm("15", "0", "15", "16"), "shard 15 of 16, by SLURM_ARRAY_TASK_ID=15");
        check(None, &slurm("16", "1", "16", "16"), "shard 15 of 16, by SLURM_ARRAY_TASK_ID=16");
        // The shards that are missing, as --array=3,7-8.
        check(None, &slurm("7", "3", "8", "3"), "shard 7 of 16, by SLURM_ARRAY_TASK_ID=7");
        check(None, &slurm("3", "3", "3", "1"), "shard 3 of 16, by SLURM_ARRAY_TASK_ID=3");
        check(
            None,
            &slurm("31", "0", "31", "32"),
            "shard is unknown: SLURM_ARRAY_TASK_ID: it names shard 31, and there are 16, from 0 on",
        );
        check(
            None,
            &[(AWS_BATCH, "4"), ("AWS_BATCH_JOB_ARRAY_SIZE", "16")],
            "shard 4 of 16, by AWS_BATCH_JOB_ARRAY_INDEX=4",
        );
        check(
            None,
            &[(AWS_BATCH, "4"), ("AWS_BATCH_JOB_ARRAY_SIZE", "8")],
            "shards are planned otherwise: AWS_BATCH_JOB_ARRAY_SIZE: it says 8, and the plan has 16",
        );
        check(None, &[(KUBERNETES, "0")], "shard 0 of 16, by JOB_COMPLETION_INDEX=0");
        check(None, &[(KUBERNETES, "x")], "shard cannot be read: JOB_COMPLETION_INDEX: x is no number");
        check(None, &[], "no shard is named: ingest: name one with --shard I/16, or archives");
    }

    #[test]
    fn lists_are_compact() {
        assert_eq!(compact(&[]), "");
        assert_eq!(compact(&[3]), "3");
        assert_eq!(compact(&[0, 1, 3, 17, 18, 19]), "0-1,3,17-19");
    }
}
