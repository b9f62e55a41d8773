//! The declaration of a table, and what is derived from it: row, batch, names, schema and dictionary.

use crate::kind::ValueKind;
use crate::storage::{Index, Storage};
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use std::sync::Arc;

/// The key in a file of what a row means. That of a column's meaning has a dot and the name of the column besides.
const DESCRIPTION: &str = "description";

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Its name, and the name of its folder.
    pub name: &'static str,
    /// The meaning of one row.
    pub grain: &'static str,
    /// Its columns, in order.
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub data_type: DataType,
    /// Whether it may be null.
    pub is_nullable: bool,
    /// Its meaning, without its words; [`Column::meaning`] adds these.
    pub description: &'static str,
    /// The words that can occur; empty if any value of its type can.
    pub words: &'static [&'static str],
    /// How its values are stored.
    pub storage: Storage,
    /// Whether it is text that no crawled site can choose.
    pub is_ours: bool,
    /// The index for it in files.
    pub index: Option<Index>,
}

impl Column {
    pub(crate) fn new<K: ValueKind>(
        name: &'static str,
        description: &'static str,
        words: Option<&'static [&'static str]>,
        storage: Option<Storage>,
        index: Option<Index>,
    ) -> Self {
        Column {
            name,
            data_type: K::data_type(),
            is_nullable: K::IS_NULLABLE,
            description,
            words: words.unwrap_or_default(),
            storage: storage.unwrap_or(Storage::Repeated),
            is_ours: K::IS_OURS,
            index,
        }
    }

    /// The description, with the words that can occur.
    #[must_use]
    pub fn meaning(&self) -> String {
        match self.words {
            [] => self.description.to_owned(),
            words => format!("{} One of: {}.", self.description, words.join(", ")),
        }
    }
}

impl Table {
    /// The columns of its files.
    #[must_use]
    pub fn schema(&self) -> Arc<Schema> {
        let field = |column: &Column| Field::new(column.name, column.data_type.clone(), column.is_nullable);
        Arc::new(Schema::new(self.columns.iter().map(field).collect::<Vec<_>>()))
    }

    /// What its files say of a row and of each column, as keys and texts.
    pub fn descriptions(&self) -> impl Iterator<Item = (String, String)> {
        let of_columns = self.columns.iter().map(|column| (format!("{DESCRIPTION}.{}", column.name), column.meaning()));
        std::iter::once((DESCRIPTION.to_owned(), self.grain.to_owned())).chain(of_columns)
    }
}

/// Fails if a column has a word that its declaration does not list. Only debug builds check this, so all tests do.
pub(crate) fn check_words(table: &Table, batch: &RecordBatch) -> Result<(), ArrowError> {
    if !cfg!(debug_assertions) {
        return Ok(());
    }
    for (column, values) in table.columns.iter().zip(batch.columns()).filter(|(column, _)| !column.words.is_empty()) {
        let mut values = values.as_string_opt::<i32>().into_iter().flatten().flatten();
        if let Some(word) = values.find(|value| !column.words.contains(value)) {
            let place = format!("{}.{}", table.name, column.name);
            return Err(ArrowError::InvalidArgumentError(format!("word is not declared: {place}: {word}")));
        }
    }
    Ok(())
}

/// A batch of rows of any table, to be written to a file.
pub trait Rows: Default {
    /// The type of a row.
    type Row<'v>;

    /// The declaration.
    fn table() -> Table;
    /// Adds a row.
    fn push(&mut self, row: Self::Row<'_>);
    /// The number of rows.
    fn rows(&self) -> usize;
    /// Roughly how many bytes of memory the rows take. Batches are limited by bytes, not rows, since one text may be as
    /// long as a million others.
    fn bytes(&self) -> usize;
    /// Returns the batch and starts another.
    fn finish(&mut self) -> Result<RecordBatch, ArrowError>;
}

/// Declares the table of a module: `"name", "grain" { column: ValueKind = "description" in WORDS, … }`. `in WORDS`
/// lists the words that can occur in the column. `ValueKind as Storage + Index` says how its values are stored, if not as
/// [`Storage::Repeated`] and without an index.
macro_rules! table {
    ($name:literal, $grain:literal { $($column:ident: $kind:ty $(as $storage:ident $(+ $index:ident)?)? = $description:literal $(in $words:expr)?,)* }) => {
        #[allow(unused_imports, reason = "no table has columns of all kinds")]
        use $crate::kind::{Flag, Large, Maybe, Real, Small, Text, Time, ValueKind, Word};

        /// The type of a row.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct Row<'v> {
            $(#[doc = $description] pub $column: <$kind as ValueKind>::Value<'v>,)*
        }

        /// The names of the columns.
        #[derive(Debug, Clone, Copy)]
        pub struct Names {
            $(#[doc = $description] pub $column: &'static str,)*
        }

        /// The names of the columns.
        pub const NAMES: Names = Names { $($column: stringify!($column),)* };

        #[derive(Debug, Default)]
        struct Columns {
            $($column: <$kind as ValueKind>::Builder,)*
        }

        /// Rows to be written to a file.
        #[derive(Debug)]
        pub struct Batch {
            schema: std::sync::Arc<arrow_schema::Schema>,
            rows: usize,
            bytes: usize,
            columns: Columns,
        }

        impl Default for Batch {
            fn default() -> Self {
                Batch { schema: table().schema(), rows: 0, bytes: 0, columns: Columns::default() }
            }
        }

        impl $crate::Rows for Batch {
            type Row<'v> = Row<'v>;

            fn table() -> $crate::Table {
                table()
            }

            fn push(&mut self, row: Row<'_>) {
                self.rows += 1;
                $(self.bytes += <$kind as ValueKind>::append(&mut self.columns.$column, row.$column);)*
            }

            fn rows(&self) -> usize {
                self.rows
            }

            fn bytes(&self) -> usize {
                self.bytes
            }

            fn finish(&mut self) -> Result<arrow_array::RecordBatch, arrow_schema::ArrowError> {
                (self.rows, self.bytes) = (0, 0);
                let columns = vec![$(<$kind as ValueKind>::finish(&mut self.columns.$column),)*];
                arrow_array::RecordBatch::try_new(std::sync::Arc::clone(&self.schema), columns)
            }
        }

        /// The declaration.
        #[must_use]
        pub fn table() -> $crate::Table {
            $crate::Table {
                name: $name,
                grain: $grain,
                columns: vec![$($crate::Column::new::<$kind>(
                    stringify!($column),
                    $description,
                    None$(.or(Some(&$words)))?,
                    None$(.or(Some($crate::Storage::$storage)))?,
                    None$($(.or(Some($crate::Index::$index)))?)?,
                ),)*],
            }
        }
    };
}

pub(crate) use table;
