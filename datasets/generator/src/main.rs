//! The command line of the generator.

use clap::{Parser, Subcommand};
use generator::{crawl, sample};
use std::io::{Write, stderr, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

/// Makes archives: the sample from its sources, or large ones from a seed
#[derive(Parser)]
#[command(name = "generator")]
struct GeneratorArguments {
    #[command(subcommand)]
    command: GeneratorCommand,
}

#[derive(Subcommand)]
enum GeneratorCommand {
    /// Builds the sample from its sources
    Sample {
        /// The folder of sources
        sources: PathBuf,
        /// The folder that the sample is written to
        out: PathBuf,
    },
    /// Makes archives shaped like those of Common Crawl
    Crawl {
        /// The folder that `crawl-data` is written to
        #[arg(long)]
        out: PathBuf,
        /// The seed; one seed gives the same bytes every time
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How many archives
        #[arg(long, default_value_t = 10)]
        files: u32,
        /// How many captures in each
        #[arg(long, default_value_t = 1_660)]
        captures_per_file: u32,
        /// The name of the crawl
        #[arg(long, default_value = "SYNTH-2024-10")]
        crawl: String,
        /// The year of its dates. A seed gives the same sites in each year, and more of them block AI crawlers later
        #[arg(long, default_value_t = 2024)]
        year: u32,
        /// The level of compression. With 1, a crawl is made in a quarter of the time, and has 1.25 times the bytes
        #[arg(long, default_value_t = crawl::LEVEL, value_parser = clap::value_parser!(u32).range(..=9))]
        level: u32,
        /// How many threads write; the bytes do not depend on it
        #[arg(long, default_value_t = crawl::threads())]
        threads: usize,
    },
}

fn main() -> ExitCode {
    let (message, code) = match run(GeneratorArguments::parse().command) {
        Ok(message) => (writeln!(stdout(), "{message}"), ExitCode::SUCCESS),
        Err(error) => (writeln!(stderr(), "{error}"), ExitCode::from(2)),
    };
    // If no process reads the output, the message is lost, which is fine.
    drop(message);
    code
}

fn run(command: GeneratorCommand) -> Result<String, String> {
    match command {
        GeneratorCommand::Sample { sources, out } => {
            let sample = sample::read(&sources)?;
            sample::write(&sample, &out)?;
            Ok(format!("{} archives, {} records, {} bytes", sample.archives.len(), sample.records(), sample.bytes()))
        }
        GeneratorCommand::Crawl { out, seed, files, captures_per_file, crawl, year, level, threads } => {
            let plan = crawl::CrawlPlan { crawl, seed, year, files, captures_per_file, level };
            let bytes = crawl::write(&plan, &out, threads)?;
            Ok(format!("{files} archives, {bytes} bytes"))
        }
    }
}
