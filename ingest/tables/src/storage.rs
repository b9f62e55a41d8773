//! How columns are laid down in files, and why so.

use crate::declare::Table;
use crate::file::MADE_BY;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

const ZSTD_LEVEL: i32 = 3;
const ROW_GROUP_ROWS: usize = 256 << 10;
const PAGE_BYTES: usize = 4 << 20;
const BLOOM_FALSE_POSITIVES: f64 = 0.05;

/// How the values of a column are laid down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// Values that come again: once each in a dictionary.
    Repeated,
    /// Numbers of which each is near the one before it: by their differences.
    Near,
    /// Texts that hardly come again: their lengths first and then all of them, which deflates best.
    Distinct,
    /// Texts that begin like the one before them, such as the patterns of a body: without that beginning.
    Alike,
}

/// What of a column stands beside it, so that a reader who wants few rows can pass over the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// The least and the greatest value of each row group: of the numbers by which tables are joined, which ascend.
    Ranged,
    /// A filter that tells of a row group that a value is not in it: of what users look for by name.
    Sought,
}

/// How the files of a table are laid down.
pub(crate) fn properties(table: &Table) -> Result<WriterProperties, ParquetError> {
    let mut builder = WriterProperties::builder()
        .set_created_by(MADE_BY.to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_data_page_size_limit(PAGE_BYTES)
        .set_data_page_row_count_limit(ROW_GROUP_ROWS)
        .set_dictionary_page_size_limit(PAGE_BYTES)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true);
    for column in &table.columns {
        let path = || ColumnPath::from(column.name);
        let encoding = match column.storage {
            Storage::Repeated => None,
            Storage::Near => Some(Encoding::DELTA_BINARY_PACKED),
            Storage::Distinct => Some(Encoding::DELTA_LENGTH_BYTE_ARRAY),
            Storage::Alike => Some(Encoding::DELTA_BYTE_ARRAY),
        };
        if let Some(encoding) = encoding {
            builder = builder.set_column_dictionary_enabled(path(), false).set_column_encoding(path(), encoding);
        }
        builder = match column.index {
            None => builder,
            Some(Index::Ranged) => builder.set_column_statistics_enabled(path(), EnabledStatistics::Chunk),
            Some(Index::Sought) => builder
                .set_column_bloom_filter_enabled(path(), true)
                .set_column_bloom_filter_fpp(path(), BLOOM_FALSE_POSITIVES),
        };
    }
    Ok(builder.build())
}
