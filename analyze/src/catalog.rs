//! What tables there are, and what each is made of: those of the folder, those that come with the program, and the user's.

#[cfg(test)]
mod datasets;
pub(crate) mod described;
pub(crate) mod dimension;
mod files;
mod ledger;
mod memory;
pub(crate) mod own;
mod views;

use crate::engine::options::SessionOptions;
use crate::freshness;

use async_trait::async_trait;
use datafusion::catalog::{SchemaProvider, TableProvider};
use datafusion::datasource::TableType;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::SessionState;
use datafusion::prelude::SessionContext;
use files::Derived;
use folder::ledger::LedgerEntry;
use folder::{Failure, Folder};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};
use tables::{Table, tables};
use views::View;

/// All tables by name. Those of the folder are opened when they are asked for, and then compared with what they should be.
#[derive(Debug)]
pub(crate) struct FolderSchema {
    folder: Folder,
    tables: Vec<(Table, Derived)>,
    /// What the ledger says of each part.
    entries: BTreeMap<u32, LedgerEntry>,
    options: SessionOptions,
    views: Vec<View>,
    /// Those that are opened or given, by name.
    open: RwLock<BTreeMap<String, Arc<dyn TableProvider>>>,
    /// The session that views are planned in. It holds this schema, which is not to hold it in turn.
    state: State,
}

/// The state that a view is planned in, as long as there is one.
struct State(Box<dyn Fn() -> Option<SessionState> + Send + Sync>);

/// It says nothing of itself, since all else hangs off it.
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
        let written = tables().into_iter().map(|table| (table, Derived::No));
        let derived = tables::derived().into_iter().map(|table| (table, Derived::Yes));
        let session = context.state_weak_ref();
        let schema = FolderSchema {
            tables: written.chain(derived).collect(),
            options: options.clone(),
            views: views::all()?,
            open: RwLock::default(),
            folder: folder.clone(),
            entries: folder::ledger::read(folder)?,
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

    fn view(&self, name: &str) -> Option<&View> {
        self.views.iter().find(|view| view.query.name == name)
    }

    /// Tables of the folder, without derived ones that were not made.
    fn there(&self) -> impl Iterator<Item = &Table> {
        let is_there =
            |(table, derived): &&(Table, Derived)| *derived == Derived::No || files::is_there(&self.folder, table);
        self.tables.iter().filter(is_there).map(|(table, _)| table)
    }

    /// Views of which all that they read is there.
    fn views_there(&self) -> impl Iterator<Item = &View> {
        let is_there = |name: &String| match self.declared(name) {
            Some((table, Derived::Yes)) => files::is_there(&self.folder, table),
            _ => true,
        };
        self.views.iter().filter(move |view| view.tables.iter().all(is_there))
    }

    fn all_opened(&self) -> Vec<(String, Arc<dyn TableProvider>)> {
        let open = self.open.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        open.iter().map(|(name, table)| (name.clone(), Arc::clone(table))).collect()
    }

    /// Whether a table is one of the folder's own.
    pub(crate) fn is_of_folder(&self, name: &str) -> bool {
        self.declared(name).is_some()
    }

    /// Whether a name is taken by what is not the user's.
    pub(crate) fn is_taken(&self, name: &str) -> bool {
        self.is_of_folder(name) || self.view(name).is_some() || self.opened(name).is_some()
    }

    /// Whether a table can be replaced or dropped.
    fn may_change(&self, name: &str) -> Result<()> {
        let whose = match (self.declared(name), self.view(name)) {
            (Some(_), _) => "table of the folder",
            (None, Some(_)) => "view of the program",
            (None, None) => return Ok(()),
        };
        Err(DataFusionError::Plan(format!("{name} is a {whose}, and stays as it is")))
    }

    /// A table by its name, opened if it was not yet.
    fn found<'f>(&'f self, name: &'f str) -> BoxFuture<'f, Result<Option<Arc<dyn TableProvider>>>> {
        let found = async move {
            if let Some(table) = self.opened(name) {
                return Ok(Some(table));
            }
            if let Some((table, derived)) = self.declared(name) {
                if *derived == Derived::Yes {
                    freshness::compare(name, &self.folder, &self.entries, &self.options).map_err(files::external)?;
                }
                let opened = files::open(&self.folder, table, *derived)?;
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
        let mut names: Vec<String> = self.there().map(|table| table.name.to_owned()).collect();
        names.extend(self.views_there().map(|view| view.query.name.clone()));
        let opened = self.all_opened().into_iter().map(|(name, _)| name);
        names.extend(opened.filter(|name| !self.is_of_folder(name) && self.view(name).is_none()));
        names
    }

    // Written out, so that the future is made elsewhere: the head of this crate says why.
    fn table<'a, 'b, 'f>(&'a self, name: &'b str) -> BoxFuture<'f, Result<Option<Arc<dyn TableProvider>>>>
    where
        'a: 'f,
        'b: 'f,
        Self: 'f,
    {
        self.found(name)
    }

    /// Who lists tables is not to wait until each is opened, nor to fail by one that is not what it should be.
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
        self.may_change(&name)?;
        Ok(self.add(name, table))
    }

    fn deregister_table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        self.may_change(name)?;
        let mut open = self.open.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(open.remove(name))
    }

    fn table_exist(&self, name: &str) -> bool {
        self.is_taken(name)
    }
}
