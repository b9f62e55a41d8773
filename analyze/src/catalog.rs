//! What tables there are, and what each is made of: those of the folder, those that come with the program, and the user's.

mod dimension;
mod files;
mod ledger;
pub(crate) mod own;

use crate::models;
use crate::session::Options;
pub(crate) use dimension::agents_text;

use async_trait::async_trait;
use datafusion::catalog::{SchemaProvider, TableProvider};
use datafusion::datasource::MemTable;
use datafusion::error::{DataFusionError, Result};
use files::Derived;
use folder::{Failure, Folder};
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};
use tables::{Table, tables};

/// All tables by name. Those of the folder are opened when they are asked for, and then compared with what they should be.
#[derive(Debug)]
pub(crate) struct FolderSchema {
    folder: Folder,
    tables: Vec<(Table, Derived)>,
    options: Options,
    /// Those that are opened or given, by name.
    open: RwLock<BTreeMap<String, Arc<dyn TableProvider>>>,
}

impl FolderSchema {
    pub(crate) fn new(folder: Folder, options: &Options) -> std::result::Result<Self, Failure> {
        let written = tables().into_iter().map(|table| (table, Derived::No));
        let derived = tables::derived().into_iter().map(|table| (table, Derived::Yes));
        let tables = written.chain(derived).collect();
        let schema = FolderSchema { folder: folder.clone(), tables, options: options.clone(), open: RwLock::default() };
        for (name, table) in dimension::all(options)? {
            schema.add(name, table);
        }
        for (name, table) in ledger::all(&folder)? {
            schema.add(name, table);
        }
        Ok(schema)
    }

    fn add(&self, name: impl Into<String>, table: Arc<dyn TableProvider>) -> Option<Arc<dyn TableProvider>> {
        let mut open = self.open.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        open.insert(name.into(), table)
    }

    fn opened(&self, name: &str) -> Option<Arc<dyn TableProvider>> {
        let open = self.open.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        open.get(name).cloned()
    }

    fn declared(&self, name: &str) -> Option<&(Table, Derived)> {
        self.tables.iter().find(|(table, _)| table.name == name)
    }

    /// Whether a name is taken by what is not the user's.
    pub(crate) fn is_taken(&self, name: &str) -> bool {
        self.declared(name).is_some() || self.opened(name).is_some()
    }
}

#[async_trait]
impl SchemaProvider for FolderSchema {
    fn table_names(&self) -> Vec<String> {
        let open = self.open.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut names: Vec<String> = (self.tables.iter())
            .filter(|(table, derived)| *derived == Derived::No || files::is_there(&self.folder, table))
            .map(|(table, _)| table.name.to_owned())
            .collect();
        names.extend(open.keys().filter(|name| !names.contains(name)).cloned().collect::<Vec<_>>());
        names
    }

    async fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        if let Some(table) = self.opened(name) {
            return Ok(Some(table));
        }
        let Some((table, derived)) = self.declared(name) else { return Ok(None) };
        if *derived == Derived::Yes {
            models::compare(name, &self.folder, &self.options).map_err(files::external)?;
        }
        let opened = files::open(&self.folder, table, *derived)?;
        self.add(name, Arc::clone(&opened));
        Ok(Some(opened))
    }

    fn register_table(&self, name: String, table: Arc<dyn TableProvider>) -> Result<Option<Arc<dyn TableProvider>>> {
        if self.declared(&name).is_some() {
            return Err(DataFusionError::Plan(format!("{name} is a table of the folder, and cannot be replaced")));
        }
        Ok(self.add(name, table))
    }

    fn deregister_table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        if self.declared(name).is_some() {
            return Err(DataFusionError::Plan(format!("{name} is a table of the folder, and cannot be dropped")));
        }
        let mut open = self.open.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(open.remove(name))
    }

    fn table_exist(&self, name: &str) -> bool {
        self.is_taken(name)
    }
}

/// A table in memory.
fn in_memory(batch: datafusion::arrow::array::RecordBatch) -> Result<Arc<dyn TableProvider>> {
    Ok(Arc::new(MemTable::try_new(batch.schema(), vec![vec![batch]])?))
}
