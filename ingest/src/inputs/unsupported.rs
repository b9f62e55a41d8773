//! Inputs of known formats that are not read. Without this they would count as damaged or missing.

use folder::regular;
use std::io::Read as _;
use std::path::Path;

/// Why an input is not supported, by how it is written or by its name; `None` if it may be an archive.
pub(super) fn by_name(path: &Path) -> Option<&'static str> {
    let written = path.to_string_lossy().to_ascii_lowercase();
    if has_scheme(&written) {
        return Some("archives are read from disk; download it first");
    }
    ENDINGS.iter().find(|(ending, _)| written.ends_with(ending)).map(|(_, why)| *why)
}

/// Why a file is not supported, by its first bytes. For files whose name says nothing.
pub(super) fn by_bytes(path: &Path) -> Option<&'static str> {
    let mut start = [0; 11];
    // A file that cannot be read, or is shorter, is reported when its records are read.
    regular::open(path).and_then(|mut file| file.read_exact(&mut start)).ok()?;
    SIGNATURES.iter().find(|(signature, _)| start.starts_with(signature)).map(|(_, why)| *why)
}

const ZSTD: &str = "it is compressed with zstd; unpack it (zstd -d) and read the .warc file";
const WACZ: &str = "WACZ is a zip file of archives; unpack it (unzip) and read its folder archive";
const ARC: &str = "ARC is the format before WARC; convert it (warcio recompress)";

const ENDINGS: [(&str, &str); 4] = [(".zst", ZSTD), (".wacz", WACZ), (".arc", ARC), (".arc.gz", ARC)];

/// RFC 8878 section 3.1.1; a local file header of zip; the first line of ARC.
const SIGNATURES: [(&[u8], &str); 3] = [(b"\x28\xb5\x2f\xfd", ZSTD), (b"PK\x03\x04", WACZ), (b"filedesc://", ARC)];

/// Whether a text is a URL, as `https://…` or `s3://…`.
fn has_scheme(written: &str) -> bool {
    written.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}
