//! The options of statements that say how much of the machine they may use.

use super::jobs::{jobs, thread_count};
use analyze::SessionOptions;
use clap::Args;
use std::num::{IntErrorKind, NonZeroUsize};
use std::path::PathBuf;

/// How much of the machine statements may use.
#[derive(Debug, Clone, Args)]
pub(super) struct ResourceArguments {
    /// How much memory a statement may use before it spills to disk. One that finds too little is run again with sorts
    /// and joins that all spill, and then with one thread.
    #[arg(long, global = true, value_name = "SIZE", default_value = "2GiB", value_parser = bytes)]
    memory: usize,
    /// The folder to spill to; by default the system's folder for temporary files.
    #[arg(long, global = true, value_name = "DIR")]
    pub(super) spill: Option<PathBuf>,
    /// Number of threads; by default the number of cores.
    #[arg(long, global = true, value_name = "N", value_parser = thread_count)]
    pub(super) jobs: Option<NonZeroUsize>,
}

impl From<ResourceArguments> for SessionOptions {
    fn from(typed: ResourceArguments) -> Self {
        SessionOptions {
            jobs: jobs(typed.jobs),
            memory_bytes: typed.memory,
            spill: typed.spill.unwrap_or_else(std::env::temp_dir),
            ..SessionOptions::default()
        }
    }
}

const TOO_LARGE: &str = "too large for this machine";

/// A size in bytes, typed with its unit: `512MiB`.
fn bytes(typed: &str) -> Result<usize, &'static str> {
    const UNITS: [(&str, usize); 6] =
        [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000)];
    let digits = typed.trim_start_matches(|character: char| character.is_ascii_digit());
    let number = typed.strip_suffix(digits).unwrap_or_default();
    let unit = UNITS.iter().find(|(name, _)| *name == digits).map(|(_, bytes)| bytes);
    match (number.parse::<usize>(), unit) {
        (Ok(number @ 1..), Some(unit)) => number.checked_mul(*unit).ok_or(TOO_LARGE),
        (Err(error), Some(_)) if *error.kind() == IntErrorKind::PosOverflow => Err(TOO_LARGE),
        _ => Err("a size is a whole number with a unit (KiB, MiB, GiB, kB, MB or GB), such as 512MiB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let check = |typed: &str, expected: Option<usize>| assert_eq!(bytes(typed).ok(), expected, "{typed}");
        check("512MiB", Some(512 << 20));
        check("2GiB", Some(2 << 30));
        check("1kB", Some(1_000));
        for typed in ["", "2", "GiB", "0GiB", "2 GiB", "2gib", "2G", "-1GiB", "1.5GiB", "99999999999999999999GiB"] {
            check(typed, None);
        }
    }
}
