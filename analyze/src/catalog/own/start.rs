//! What a file of the user must not start with: a name that two columns have, a JSON array, and a mark before JSON.
//!
//! For CSV and JSON, DataFusion would fail without the name of the file and the cause, and with the whole array. Of two
//! columns with one name in Parquet or JSON, it would read only one.

use super::{MOST_HEADER, OwnFormat};
use datafusion::arrow::datatypes::Schema;
use folder::Failure;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _};
use std::path::Path;

/// Fails if two columns have the same name, or if JSON starts with an array or a byte order mark. A file without a
/// header has no names to compare.
pub(super) fn check(path: &Path) -> Result<(), Failure> {
    let refuse = |cause: &dyn fmt::Display| Failure::new("table cannot be read", path, cause);
    let format = OwnFormat::from_ending(path)?;
    let file = File::open(path).map_err(|error| refuse(&error))?;
    let repeated = match (format, format.delimiter()) {
        (_, Some(delimiter)) => {
            first_repeated(first_line(file, delimiter).map_err(|error| refuse(&error))?.into_iter())
        }
        (OwnFormat::Parquet, None) => repeated_in_parquet(&file),
        (_, None) => {
            if let Some(cause) = wrong_start_of_json(&file).map_err(|error| refuse(&error))? {
                return Err(refuse(&cause));
            }
            repeated_in_json(file).map_err(|error| refuse(&error))?
        }
    };
    match repeated {
        None => Ok(()),
        Some(name) => Err(refuse(&format_args!("two columns have the name '{name}'"))),
    }
}

fn wrong_start_of_json(file: &File) -> io::Result<Option<&'static str>> {
    let mut reader = BufReader::new(file);
    if reader.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
        return Ok(Some(
            "it starts with a byte order mark, which JSON must not have (RFC 8259 section 8.1); remove it",
        ));
    }
    let first = reader.bytes().find(|byte| !byte.as_ref().is_ok_and(u8::is_ascii_whitespace)).transpose()?;
    Ok((first == Some(b'[')).then_some("it is a JSON array; write one object per line"))
}

/// The values of the first line of a text file.
pub(super) fn first_line(file: File, delimiter: u8) -> csv::Result<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(file.take(MOST_HEADER));
    Ok(reader.byte_headers()?.iter().map(|value| String::from_utf8_lossy(value).into_owned()).collect())
}

/// Reads up to the first value that is no object; a failure to read that is left to the engine.
fn repeated_in_json(mut file: File) -> io::Result<Option<String>> {
    file.rewind()?;
    let objects = serde_json::Deserializer::from_reader(BufReader::new(file)).into_iter::<ObjectKeys>();
    Ok(objects.map_while(Result::ok).find_map(|ObjectKeys(keys)| first_repeated(keys.into_iter())))
}

/// A file without metadata is left to the engine.
fn repeated_in_parquet(file: &File) -> Option<String> {
    let metadata = ArrowReaderMetadata::load(file, ArrowReaderOptions::new()).ok()?;
    repeated_column(metadata.schema()).map(str::to_owned)
}

/// The first name that two columns have.
pub(crate) fn repeated_column(schema: &Schema) -> Option<&str> {
    first_repeated(schema.fields().iter().map(|field| field.name().as_str()))
}

fn first_repeated<T: Ord + Clone>(mut names: impl Iterator<Item = T>) -> Option<T> {
    let mut seen = BTreeSet::new();
    names.find(|name| !seen.insert(name.clone()))
}

/// The keys of a JSON object, in its order.
struct ObjectKeys(Vec<String>);

impl<'de> Deserialize<'de> for ObjectKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectKeysVisitor)
    }
}

struct ObjectKeysVisitor;

impl<'de> Visitor<'de> for ObjectKeysVisitor {
    type Value = ObjectKeys;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ObjectKeys, A::Error> {
        let mut keys = Vec::new();
        while let Some((key, _)) = map.next_entry::<String, IgnoredAny>()? {
            keys.push(key);
        }
        Ok(ObjectKeys(keys))
    }
}
