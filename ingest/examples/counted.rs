//! Fixed jobs. `benches/instructions.sh` counts their instructions: `counted ingest|parse|judge ARCHIVE OUT`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a tool")]

use ingest::answer::Decoder;
use ingest::archive::{RecordOrDamage, RecordType, Workshop, read};
use ingest::inputs::{self, InputNaming};
use ingest::plan::PlanOptions;
use ingest::progress::Progress;
use ingest::run::{RunOptions, run};
use robots::{Dialect, Naming, Parser, Reading, Target};
use std::fs::File;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use stores::Stores;

/// How often a body is parsed, so that reading the archive is a small part of the count.
const TIMES: usize = 10;

/// Two agents that many files name, and one that no file names.
const AGENTS: [&[u8]; 3] = [b"Googlebot", b"GPTBot", b"FooBot"];

const PATHS: [&[u8]; 3] = [b"/", b"/wp-admin/admin-ajax.php?a=1", b"/2024/05/26/some/page.html"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["ingest", archive, out] => println!("{} captures", captures(archive, Path::new(out))),
        ["parse", archive, _] => println!("{} rules", sum_over_bodies(archive, rules)),
        ["judge", archive, _] => println!("{} times allowed", sum_over_bodies(archive, times_allowed)),
        _ => println!("usage: counted ingest|parse|judge ARCHIVE OUT"),
    }
}

/// Reads the archive into tables with one thread, since the number of instructions should not depend on waiting.
fn captures(archive: &str, out: &Path) -> u64 {
    let naming = InputNaming::default();
    let inputs = inputs::expand(&[archive.into()], &naming, &mut std::io::empty()).unwrap().inputs;
    let options = RunOptions { jobs: NonZeroUsize::MIN, plan: PlanOptions::default(), stores: Stores::default() };
    run(inputs, out, &options, &Progress::default(), &AtomicBool::new(false)).unwrap().read.captures
}

/// The sum of `count` over all bodies of responses with status 200.
fn sum_over_bodies(archive: &str, count: fn(&mut Parser, &[u8]) -> usize) -> usize {
    let (mut parser, mut decoder) = (Parser::default(), Decoder::default());
    let mut sum = 0;
    let walked = read(File::open(archive).unwrap(), &mut Workshop::default(), |found| {
        if let RecordOrDamage::Record(record, _) = found
            && record.record_type == RecordType::Response
        {
            let answer = decoder.answer(record.block);
            if answer.head.status == Some(200) {
                sum += count(&mut parser, answer.body.bytes);
            }
        }
        ControlFlow::Continue(())
    });
    walked.unwrap();
    sum
}

fn rules(parser: &mut Parser, body: &[u8]) -> usize {
    let count = |_| {
        let parsed = parser.parse(body);
        let rules = parsed.rules().len();
        parser.recycle(parsed);
        rules
    };
    (0..TIMES).map(count).sum()
}

fn times_allowed(parser: &mut Parser, body: &[u8]) -> usize {
    let parsed = parser.parse(body);
    let reading = Reading::new(&parsed, Dialect::Rfc9309);
    let targets = PATHS.map(|path| Target::new(path, Dialect::Rfc9309));
    let mut allowed = 0;
    for agent in AGENTS.iter().cycle().take(TIMES * AGENTS.len()) {
        let selection = reading.select(agent, Naming::Named);
        allowed += targets.iter().filter(|target| selection.decide(target).0).count();
    }
    allowed
}
