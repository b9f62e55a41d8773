//! The option `--out` of commands that otherwise print to standard output.

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
pub(crate) struct OutArguments {
    /// The file to write to instead of standard output. It appears when it is complete, and replaces an earlier file.
    #[arg(long, short, value_name = "FILE", value_parser = out_path())]
    pub(crate) out: Option<PathBuf>,
}

/// A path on disk to write to. A URL is refused: as a path, `s3://bucket` is a folder named `s3:`.
pub(super) fn disk_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.to_string_lossy().contains("://") {
        true => Err("it is a URL, and this command writes only to disk; name a path, and copy the result from there"),
        false => Ok(path),
    })
}

/// A file to write. `-` is refused: elsewhere it is standard input, and a file of that name would surprise.
pub(super) fn out_path() -> impl TypedValueParser<Value = PathBuf> {
    disk_path().try_map(|path| match path.as_os_str() == "-" {
        true => Err("without --out, it goes to standard output; write ./- for a file named -"),
        false => Ok(path),
    })
}
