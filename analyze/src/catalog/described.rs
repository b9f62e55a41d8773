//! What a person is told of the tables that there are.

use super::FolderSchema;
use tables::{PARTITION, Table};

/// A table as a person is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// What one row of it is.
    pub grain: String,
    /// Its columns, as far as they are known without opening it.
    pub columns: Vec<DescribedColumn>,
}

/// A column of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribedColumn {
    /// Its name.
    pub name: String,
    /// Its type.
    pub data_type: String,
    /// Whether there may be nulls.
    pub is_nullable: bool,
    /// What it says.
    pub description: String,
}

impl FolderSchema {
    /// All tables that there are, without opening one.
    pub(crate) fn described(&self) -> Vec<Described> {
        let declared = self.there().map(describe);
        let views = self.views_there().map(|view| Described {
            name: view.query.name.clone(),
            grain: view.query.header.grain.clone(),
            columns: Vec::new(),
        });
        let mut all: Vec<Described> = declared.chain(views).collect();
        for (name, provider) in self.all_opened() {
            if all.iter().any(|table| table.name == name) {
                continue;
            }
            let column = |field: &std::sync::Arc<datafusion::arrow::datatypes::Field>| DescribedColumn {
                name: field.name().clone(),
                data_type: field.data_type().to_string(),
                is_nullable: field.is_nullable(),
                description: String::new(),
            };
            let columns = provider.schema().fields().iter().map(column).collect();
            all.push(Described { grain: self.grain(&name), name, columns });
        }
        all
    }

    fn grain(&self, name: &str) -> String {
        match name {
            "agents" => "one row per token of a crawler that is known",
            "templates" => "one row per group, rule or record that tells a template",
            "ranks" => "one row per host, with its rank; --table ranks=FILE",
            "weights" => "one row per host, with its weight; --table weights=FILE",
            "categories" => "one row per host, with its category; --table categories=FILE",
            "ledger_parts" => "one row per part that was ingested",
            "ledger_files" => "one row per part and table",
            _ => "",
        }
        .to_owned()
    }
}

fn describe(table: &Table) -> Described {
    let columns = table.columns.iter().chain([&PARTITION]).map(|column| DescribedColumn {
        name: column.name.to_owned(),
        data_type: column.data_type.to_string(),
        is_nullable: column.is_nullable,
        description: column.meaning(),
    });
    Described { name: table.name.to_owned(), grain: table.grain.to_owned(), columns: columns.collect() }
}
