//! The tables of a folder that have files.

use folder::ledger::{self, WrittenFile};
use folder::models::{self, PART};
use folder::{Failure, Folder};
use std::collections::BTreeSet;
use std::path::Path;
use tables::{Column, PARTITION, Table};

/// A table that has files.
pub(super) struct CatalogTable {
    pub(super) table: Table,
    /// Its files, by crawl and part.
    pub(super) files: Vec<CatalogFile>,
}

/// A file of a table.
pub(super) struct CatalogFile {
    pub(super) crawl: String,
    /// Its path in the folder.
    pub(super) path: String,
    pub(super) written: WrittenFile,
}

impl CatalogTable {
    /// Its crawls.
    pub(super) fn crawls(&self) -> BTreeSet<&str> {
        self.files.iter().map(|file| file.crawl.as_str()).collect()
    }

    /// Its columns, followed by `crawl`, which is part of the path.
    pub(super) fn columns(&self) -> impl Iterator<Item = &Column> {
        self.table.columns.iter().chain([&PARTITION])
    }
}

/// The tables of a folder that have files, in the order of the declarations.
pub(super) fn read_tables(folder: &Folder) -> Result<Vec<CatalogTable>, Failure> {
    let entries = ledger::read(folder)?;
    let relative = Folder::at(Path::new(""));
    let file = |crawl: &str, part: u32, written: &WrittenFile| CatalogFile {
        crawl: crawl.to_owned(),
        path: relative.file(&written.table, crawl, part).to_string_lossy().into_owned(),
        written: written.clone(),
    };
    let mut found = Vec::new();
    for table in tables::all() {
        let parts = entries.values().flat_map(|entry| entry.files.iter().map(move |written| (entry, written)));
        let parts = parts.filter(|(_, written)| written.table == table.name);
        let mut files: Vec<_> = parts.map(|(entry, written)| file(&entry.crawl, entry.part, written)).collect();
        for (_, made) in models::each(folder, table.name)? {
            let made = made?;
            if made.file.table == table.name {
                files.push(file(&made.crawl, PART, &made.file));
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        if !files.is_empty() {
            found.push(CatalogTable { table, files });
        }
    }
    Ok(found)
}
