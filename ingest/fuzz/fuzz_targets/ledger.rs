//! Any bytes as ledger, plan or entry of a derived table are read or rejected, without a panic.
//!
//! An input is such a file; it is sealed first if its first byte is even.
#![no_main]

use folder::{Folder, ledger, models, seal};
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
    let root = std::env::temp_dir().join(format!("robocensus-fuzz-{}", std::process::id()));
    let folder = Folder::at(&root);
    for file in [ledger_file(&folder), models::entry(&folder, "sites", "C"), folder.plan()] {
        fs::create_dir_all(file.parent().expect("it lies below the root")).expect("a folder can be made");
    }
    root
});

fn ledger_file(folder: &Folder) -> PathBuf {
    folder.entry(0)
}

fuzz_target!(|input: &[u8]| {
    let Some((first, text)) = input.split_first() else { return };
    let written = match std::str::from_utf8(text) {
        Ok(text) if first % 2 == 0 => seal::seal(text).into_bytes(),
        _ => text.to_vec(),
    };
    let folder = Folder::at(&ROOT);
    for file in [ledger_file(&folder), models::entry(&folder, "sites", "C"), folder.plan()] {
        fs::write(file, &written).expect("a file can be written");
    }
    let _ = ledger::read(&folder);
    let _ = models::read(&folder, "sites", "C");
    let _ = ingest::plan::Plan::read(&folder);
});
