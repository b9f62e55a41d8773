//! The description of a folder as a dataset, in MLCommons' Croissant 1.1, which is JSON-LD.
//!
//! <https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html>

use super::cataloged::{CatalogFile, CatalogTable};
use datafusion::arrow::datatypes::DataType;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tables::keys::KEYS;
use tables::{Column, PARTITION};

/// Properties that only the publisher of a dataset knows. A property that is not given is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AboutDataset {
    /// Its name; `robocensus` by default.
    pub name: Option<String>,
    /// The URL of its licence.
    pub license: Option<String>,
    /// The URL of its page.
    pub url: Option<String>,
    /// The persons who made it.
    pub persons: Vec<String>,
    /// The organisations that made it.
    pub organizations: Vec<String>,
    /// The day on which it was published.
    pub published: Option<String>,
    /// How to cite it, best as BibTeX.
    pub cite_as: Option<String>,
}

impl AboutDataset {
    /// The required properties that are not given.
    #[must_use]
    pub fn missing(&self) -> Vec<&'static str> {
        let is_made_by_nobody = self.persons.is_empty() && self.organizations.is_empty();
        let needed = [
            ("license", self.license.is_none()),
            ("url", self.url.is_none()),
            ("creator", is_made_by_nobody),
            ("datePublished", self.published.is_none()),
        ];
        needed.into_iter().filter(|(_, is_missing)| *is_missing).map(|(name, _)| name).collect()
    }
}

/// The most files that are described one by one, with their digests. Readers load the whole description, and each file
/// takes half a kilobyte.
const MOST_FILES: usize = 10_000;

/// The description. Without a location, paths are relative to the folder.
pub(super) fn description(tables: &[CatalogTable], location: Option<&str>, about: &AboutDataset) -> Value {
    let files: usize = tables.iter().map(|table| table.files.len()).sum();
    let mut distribution: Vec<Value> = tables.iter().map(file_set).collect();
    if files <= MOST_FILES {
        let prefix = location.map(|location| format!("{}/", location.trim_end_matches('/'))).unwrap_or_default();
        let all = tables.iter().flat_map(|table| &table.files);
        distribution.extend(all.map(|file| file_object(file, &prefix)));
    }
    let crawls: BTreeSet<&str> = tables.iter().flat_map(CatalogTable::crawls).collect();
    let crawls = crawls.into_iter().collect::<Vec<_>>().join(", ");
    let digests = if files > MOST_FILES {
        format!(" The SHA-256 of each of the {files} files is in _robocensus/ledger and _robocensus/models.")
    } else {
        String::new()
    };
    let mut dataset = json!({
        "@context": context(),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": about.name.as_deref().unwrap_or("robocensus"),
        "description": format!(
            "Tables of the robots.txt files in web crawl archives, with their rules, their violations of RFC 9309, and \
             what they allow each crawler. Made by robocensus. Crawls: {crawls}.{digests}"
        ),
        "keywords": ["robots.txt", "Robots Exclusion Protocol", "RFC 9309", "web crawling"],
        "distribution": distribution,
        "recordSet": tables.iter().map(record_set).collect::<Vec<_>>(),
    });
    let named = |kind: &'static str| move |name: &String| json!({"@type": kind, "name": name});
    let persons = about.persons.iter().map(named("sc:Person"));
    let creators: Vec<Value> = persons.chain(about.organizations.iter().map(named("sc:Organization"))).collect();
    let mut add = |name: &str, value: Option<Value>| {
        if let (Some(value), Some(properties)) = (value, dataset.as_object_mut()) {
            properties.insert(name.to_owned(), value);
        }
    };
    add("license", about.license.as_ref().map(|text| json!(text)));
    add("url", about.url.as_ref().map(|text| json!(text)));
    add("creator", (!creators.is_empty()).then(|| json!(creators)));
    add("datePublished", about.published.as_ref().map(|text| json!(text)));
    add("citeAs", about.cite_as.as_ref().map(|text| json!(text)));
    dataset
}

/// The media type by which Croissant knows Parquet.
const PARQUET: &str = "application/x-parquet";

/// All files of a table.
fn file_set(table: &CatalogTable) -> Value {
    let name = table.table.name;
    json!({
        "@type": "cr:FileSet",
        "@id": files_of(name),
        "name": files_of(name),
        "description": format!("The files of the table {name}."),
        "encodingFormat": PARQUET,
        "includes": format!("{name}/*/*.parquet"),
    })
}

fn files_of(table: &str) -> String {
    format!("{table}-files")
}

/// One file, by which a copy can be verified.
fn file_object(file: &CatalogFile, prefix: &str) -> Value {
    json!({
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "contentUrl": format!("{prefix}{}", file.path),
        "contentSize": format!("{} B", file.written.bytes),
        "encodingFormat": PARQUET,
        "sha256": file.written.sha256,
    })
}

/// The rows of a table.
fn record_set(cataloged: &CatalogTable) -> Value {
    let table = cataloged.table.name;
    let field = |column: &Column| {
        // `crawl` is in the path, not in the files.
        let source = if column.name == PARTITION.name {
            let regex = format!(".*{}=([^/]+)/.*", PARTITION.name);
            json!({
                "fileSet": {"@id": files_of(table)},
                "extract": {"fileProperty": "fullpath"},
                "transform": {"regex": regex},
            })
        } else {
            json!({"fileSet": {"@id": files_of(table)}, "extract": {"column": column.name}})
        };
        json!({
            "@type": "cr:Field",
            "@id": format!("{table}/{}", column.name),
            "name": column.name,
            "description": column.meaning(),
            "dataType": type_name(&column.data_type),
            "source": source,
        })
    };
    let mut records = json!({
        "@type": "cr:RecordSet",
        "@id": table,
        "name": table,
        "description": cataloged.table.grain,
        "field": cataloged.columns().map(field).collect::<Vec<_>>(),
    });
    if let (Some((_, key)), Some(properties)) = (KEYS.iter().find(|(name, _)| *name == table), records.as_object_mut())
    {
        let fields = [PARTITION.name].into_iter().chain(key.iter().copied());
        let fields = fields.map(|column| json!({"@id": format!("{table}/{column}")}));
        properties.insert("key".to_owned(), fields.collect());
    }
    records
}

fn type_name(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Boolean => "sc:Boolean",
        DataType::Int32 | DataType::Int64 => "sc:Integer",
        DataType::Float64 => "sc:Float",
        DataType::Timestamp(..) => "sc:DateTime",
        _ => "sc:Text",
    }
}

/// The context that the standard recommends, in its appendix 1.
fn context() -> Value {
    json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "sc": "https://schema.org/",
        "cr": "http://mlcommons.org/croissant/",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "dct": "http://purl.org/dc/terms/",
        "annotation": "cr:annotation",
        "arrayShape": "cr:arrayShape",
        "citeAs": "cr:citeAs",
        "column": "cr:column",
        "conformsTo": "dct:conformsTo",
        "containedIn": "cr:containedIn",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "equivalentProperty": "cr:equivalentProperty",
        "examples": {"@id": "cr:examples", "@type": "@json"},
        "excludes": "cr:excludes",
        "extract": "cr:extract",
        "field": "cr:field",
        "fileObject": "cr:fileObject",
        "fileProperty": "cr:fileProperty",
        "fileSet": "cr:fileSet",
        "format": "cr:format",
        "includes": "cr:includes",
        "isArray": "cr:isArray",
        "isLiveDataset": "cr:isLiveDataset",
        "jsonPath": "cr:jsonPath",
        "key": "cr:key",
        "md5": "cr:md5",
        "parentField": "cr:parentField",
        "readLines": "cr:readLines",
        "recordSet": "cr:recordSet",
        "references": "cr:references",
        "regex": "cr:regex",
        "sdVersion": "cr:sdVersion",
        "separator": "cr:separator",
        "source": "cr:source",
        "subField": "cr:subField",
        "transform": "cr:transform",
        "unArchive": "cr:unArchive",
        "value": "cr:value",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use folder::blocks::Blocks;
    use folder::ledger::WrittenFile;

    fn table_of(files: usize) -> CatalogTable {
        let file = |part: usize| CatalogFile {
            crawl: "A".to_owned(),
            path: format!("skips/crawl=A/part-{part:05}.parquet"),
            written: WrittenFile {
                table: "skips".to_owned(),
                rows: 1,
                bytes: 2,
                sha256: "0".repeat(64),
                blocks: Blocks::default(),
            },
        };
        CatalogTable { table: tables::skips::table(), files: (0..files).map(file).collect() }
    }

    fn distribution(files: usize) -> usize {
        let description = description(&[table_of(files)], None, &AboutDataset::default());
        description["distribution"].as_array().unwrap().len()
    }

    #[test]
    fn few_files_are_described_one_by_one() {
        assert_eq!(distribution(3), 1 + 3);
        assert_eq!(distribution(MOST_FILES), 1 + MOST_FILES);
        assert_eq!(distribution(MOST_FILES + 1), 1);
    }
}
