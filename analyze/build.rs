//! Lists the files of `queries/`, which are compiled into the program.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    // Read when the script runs, because a script that was built for another copy of the source may be reused.
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let queries = package.join("../queries").canonicalize()?;
    let mut list = String::from("&[\n");
    for kind in ["views", "models", "questions", "checks"] {
        let folder = queries.join(kind);
        println!("cargo::rerun-if-changed={}", folder.display());
        for file in files(&folder)? {
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            // Writing to a string cannot fail.
            let _ = writeln!(list, "    ({kind:?}, {name:?}, include_str!({:?})),", file.display().to_string());
        }
    }
    list.push_str("]\n");
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("queries.rs"), list)
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files =
        fs::read_dir(folder)?.map(|found| found.map(|found| found.path())).collect::<io::Result<Vec<_>>>()?;
    files.retain(|file| file.extension().is_some_and(|end| end == "sql"));
    files.sort();
    Ok(files)
}
