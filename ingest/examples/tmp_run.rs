//! tmp
#![allow(clippy::all, clippy::unwrap_used, clippy::print_stdout, clippy::indexing_slicing)]
use ingest::plan::*;
use ingest::rows::KeepText;
use ingest::run::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let jobs: usize = a[2].parse().unwrap();
    let inputs = ingest::inputs::expand(
        &a[3..].iter().map(Into::into).collect::<Vec<_>>(),
        &Default::default(),
        &mut std::io::empty(),
    )
    .unwrap();
    let p = Default::default();
    let s = Default::default();
    let t = std::time::Instant::now();
    let r = run(
        inputs,
        a[1].as_ref(),
        &Options { jobs: jobs.try_into().unwrap(), keep_text: KeepText::No, changed: Changed::Refuse, takes: None },
        &p,
        &s,
    )
    .unwrap();
    println!("{r:#?} {:?}", t.elapsed());
}
