//! Descriptions of tables, for people.

use super::{FolderSchema, dimension, ledger};
use tables::{PARTITION, Table};

/// The description of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDescription {
    /// Its name.
    pub name: String,
    /// The meaning of one row.
    pub grain: String,
    /// Its columns; empty for a view that is not open, since its columns are still unknown.
    pub columns: Vec<ColumnDescription>,
}

/// The description of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnDescription {
    /// Its name.
    pub name: String,
    /// Its type.
    pub data_type: String,
    /// Whether it may be null.
    pub is_nullable: bool,
    /// The meaning of its values; empty for a table that is not declared.
    pub description: String,
}

impl FolderSchema {
    /// Describes all tables without opening them.
    pub(crate) fn described(&self) -> Vec<TableDescription> {
        let declared = self.present_tables().map(describe);
        let views = self.present_views().map(|view| TableDescription {
            name: view.query.name.clone(),
            grain: view.query.header.grain.clone(),
            columns: Vec::new(),
        });
        let mut all: Vec<TableDescription> = declared.chain(views).collect();
        for (name, provider) in self.all_opened() {
            if all.iter().any(|table| table.name == name) {
                continue;
            }
            let column = |field: &std::sync::Arc<datafusion::arrow::datatypes::Field>| ColumnDescription {
                name: field.name().clone(),
                data_type: field.data_type().to_string(),
                is_nullable: field.is_nullable(),
                description: String::new(),
            };
            let columns = provider.schema().fields().iter().map(column).collect();
            let grain = dimension::grain(&name).or_else(|| ledger::grain(&name)).unwrap_or_default().to_owned();
            all.push(TableDescription { name, grain, columns });
        }
        all
    }
}

fn describe(table: &Table) -> TableDescription {
    let columns = table.columns.iter().chain([&PARTITION]).map(|column| ColumnDescription {
        name: column.name.to_owned(),
        data_type: column.data_type.to_string(),
        is_nullable: column.is_nullable,
        description: column.meaning(),
    });
    TableDescription { name: table.name.to_owned(), grain: table.grain.to_owned(), columns: columns.collect() }
}
