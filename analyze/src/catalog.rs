//! The tables of a session: those of the folder, built-in tables, views, and the user's own tables.

#[cfg(test)]
mod datasets;
pub(crate) mod described;
pub(crate) mod dimension;
pub(crate) mod external;
mod files;
pub(crate) mod folder_table;
mod ledger;
pub(crate) mod memory;
pub(crate) mod own;
pub(crate) mod provider;
mod views;

use crate::engine::options::SessionOptions;
use crate::freshness::{self, is_derived};
use async_trait::async_trait;
use datafusion::catalog::{SchemaProvider, TableProvider};
use datafusion::datasource::TableType;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::prelude::SessionContext;
use external::external;
pub(crate) use files::has_file;
use folder::ledger::LedgerEntry;
use folder::verified::KnownFiles;
use folder::{Failure, Folder};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use parking_lot::RwLock;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tables::Table;
use views::View;

/// All tables by name. A table of the folder is opened when it is first read, and its files are compared with its
/// declaration then.
#[derive(Debug)]
pub(crate) struct FolderSchema {
    folder: Folder,
    tables: Vec<Table>,
    /// The ledger, by part.
    entries: BTreeMap<u32, LedgerEntry>,
    /// The digests of the files of open tables.
    known: Arc<KnownFiles>,
    options: SessionOptions,
    views: Vec<View>,
    /// Tables that are open, by name.
    open: RwLock<BTreeMap<String, Arc<dyn TableProvider>>>,
    /// The session in which views are planned. It owns this schema, so the reference is weak.
    state: State,
}

/// Returns the state of the session; `None` if the session has ended.
struct State(Box<dyn Fn() -> Option<SessionState> + Send + Sync>);

/// Prints only the name, since the state would print everything that the session owns.
impl std::fmt::Debug for State {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("State")
    }
}

impl FolderSchema {
    pub(crate) fn new(
        folder: &Folder,
        context: &SessionContext,
        options: &SessionOptions,
    ) -> std::result::Result<Self, Failure> {
        let session = context.state_weak_ref();
        let schema = FolderSchema {
            tables: tables::all(),
            options: options.clone(),
            views: views::all()?,
            open: RwLock::default(),
            folder: folder.clone(),
            entries: folder::ledger::read(folder)?,
            known: Arc::default(),
            state: State(Box::new(move || session.upgrade().map(|state| state.read().clone()))),
        };
        for (name, table) in dimension::all(options)? {
            schema.add(name, table);
        }
        for (name, table) in ledger::all(folder, &schema.entries)? {
            schema.add(name, table);
        }
        Ok(schema)
    }

    /// How many parts of the archives are not in the tables yet.
    /// Whether the ledger lists no file.
    pub(crate) fn is_unlisted(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn parts_left(&self) -> usize {
        folder::unfinished::parts_left(&self.folder, &self.entries)
    }

    /// The crawls of the ledger, by name.
    pub(crate) fn crawls(&self) -> BTreeSet<&str> {
        folder::ledger::crawls(&self.entries)
    }

    /// The digests of the files of open tables.
    pub(crate) fn known(&self) -> Arc<KnownFiles> {
        Arc::clone(&self.known)
    }

    fn add(&self, name: impl Into<String>, table: Arc<dyn TableProvider>) -> Option<Arc<dyn TableProvider>> {
        let mut open = self.open.write();
        open.insert(name.into(), table)
    }

    fn opened(&self, name: &str) -> Option<Arc<dyn TableProvider>> {
        let open = self.open.read();
        open.get(name).cloned()
    }

    fn declared(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }

    fn view(&self, name: &str) -> Option<&View> {
        self.views.iter().find(|view| view.query.name == name)
    }

    /// Tables of the folder, without derived tables that have no file.
    fn present_tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().filter(|table| self.is_present(table))
    }

    fn is_present(&self, table: &Table) -> bool {
        !is_derived(table.name) || has_file(&self.folder, table)
    }

    /// Views whose tables are all present.
    fn present_views(&self) -> impl Iterator<Item = &View> {
        let is_there = |name: &String| self.declared(name).is_none_or(|table| self.is_present(table));
        self.views.iter().filter(move |view| view.tables.iter().all(is_there))
    }

    fn all_opened(&self) -> Vec<(String, Arc<dyn TableProvider>)> {
        let open = self.open.read();
        open.iter().map(|(name, table)| (name.clone(), Arc::clone(table))).collect()
    }

    /// Whether a table is declared. Declared tables belong to the folder.
    pub(crate) fn is_of_folder(&self, name: &str) -> bool {
        self.declared(name).is_some()
    }

    /// Whether a table or view has this name already.
    pub(crate) fn is_taken(&self, name: &str) -> bool {
        self.is_of_folder(name) || self.view(name).is_some() || self.opened(name).is_some()
    }

    /// Why a table or view cannot be replaced or dropped; `None` if it can.
    pub(crate) fn unchangeable(&self, name: &str) -> Option<String> {
        let whose = match (self.declared(name), self.view(name)) {
            (Some(_), _) => "table of the folder",
            (None, Some(_)) => "view of the program",
            (None, None) => return None,
        };
        Some(format!("{name} is a {whose} and cannot be changed"))
    }

    fn check_changeable(&self, name: &str) -> Result<()> {
        self.unchangeable(name).map_or(Ok(()), |cause| Err(DataFusionError::Plan(cause)))
    }

    /// Finds a table by its name, and opens it if it is not open.
    fn find<'f>(&'f self, name: &'f str) -> BoxFuture<'f, Result<Option<Arc<dyn TableProvider>>>> {
        let found = async move {
            if let Some(table) = self.opened(name) {
                if ledger::NAMES.contains(&name) {
                    files::compare_ledger(&self.folder, &self.entries).map_err(external)?;
                }
                return Ok(Some(table));
            }
            if let Some(table) = self.declared(name) {
                if is_derived(name) {
                    freshness::compare(name, &self.folder, &self.entries, &self.options).map_err(external)?;
                }
                let written = files::written(&self.folder, table, &self.entries).map_err(external)?;
                let opened = files::open(&self.folder, table, written.as_ref(), &self.known)?;
                self.add(name, Arc::clone(&opened));
                return Ok(Some(opened));
            }
            let Some(view) = self.view(name) else { return Ok(None) };
            let state = (self.state.0)().ok_or_else(views::ended)?;
            let opened = view.open(&state).await?;
            self.add(name, Arc::clone(&opened));
            Ok(Some(opened))
        };
        found.boxed()
    }
}

#[async_trait]
impl SchemaProvider for FolderSchema {
    fn table_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.present_tables().map(|table| table.name.to_owned()).collect();
        names.extend(self.present_views().map(|view| view.query.name.clone()));
        let opened = self.all_opened().into_iter().map(|(name, _)| name);
        names.extend(opened.filter(|name| !self.is_of_folder(name) && self.view(name).is_none()));
        names
    }

    // Not `async`: lib.rs says why.
    fn table<'a, 'b, 'f>(&'a self, name: &'b str) -> BoxFuture<'f, Result<Option<Arc<dyn TableProvider>>>>
    where
        'a: 'f,
        'b: 'f,
        Self: 'f,
    {
        self.find(name)
    }

    /// Does not open the table. Otherwise one invalid table would delay or fail the list of all tables.
    async fn table_type(&self, name: &str) -> Result<Option<TableType>> {
        if self.is_of_folder(name) {
            return Ok(Some(TableType::Base));
        }
        if self.view(name).is_some() {
            return Ok(Some(TableType::View));
        }
        Ok(self.opened(name).map(|table| table.table_type()))
    }

    fn register_table(&self, name: String, table: Arc<dyn TableProvider>) -> Result<Option<Arc<dyn TableProvider>>> {
        self.check_changeable(&name)?;
        Ok(self.add(name, table))
    }

    fn deregister_table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        self.check_changeable(name)?;
        let mut open = self.open.write();
        Ok(open.remove(name))
    }

    fn table_exist(&self, name: &str) -> bool {
        self.is_taken(name)
    }
}
