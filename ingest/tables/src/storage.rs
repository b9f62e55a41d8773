//! How columns are stored in files, and why.

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

// The figures beside constants and settings are those of `benches/queries.py`, unless they say otherwise: DuckDB on one
// thread, over tables of 256 archives that the generator made (7.3 million rules, in files as large as those of a large
// crawl). Milliseconds are the fastest of five; a tenth of them is noise.

/// At level 1 the tables are 10 % larger, at 6 they are 2.4 % smaller and at 9 3.7 %. No query is faster or slower, but at
/// level 6 ingest takes 1.17 times the CPU seconds (real crawls, `benches/ingest.sh`).
const ZSTD_LEVEL: i32 = 3;

/// A query for one body reads one row group of `rules`, in 2.2 ms. With 64 Ki to 512 Ki rows it takes at most 3.9 ms, with
/// 1 Mi 18.6 ms. A scan takes the same time with any size. With 64 Ki rows the tables are 1.2 % larger,
/// with more than 256 Ki no smaller.
const ROW_GROUP_ROWS: usize = 256 << 10;

/// A row group of most columns is one page. With pages of 64 KiB the tables are 8.1 % larger, of 1 MiB 1.0 %. With the
/// former a host is found in 10.3 ms instead of 15.1, and no scan is faster.
const PAGE_BYTES: usize = 4 << 20;

/// The rate of false positives of a filter. With 0.01 no lookup is faster; with 0.2 captures are
/// 1.0 % smaller, and a host that is nowhere takes 8.5 ms instead of 1.5.
const BLOOM_FALSE_POSITIVES: f64 = 0.05;

/// How the values of a column are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// Values that repeat: in a dictionary.
    Repeated,
    /// Numbers near the one before: by their differences.
    Near,
    /// Texts that rarely repeat: all lengths first, then all texts, which compresses best.
    Distinct,
    /// Texts that begin like the one before them, such as the patterns of a body: without that beginning. The patterns
    /// of real bodies take 1.77 MB so, 1.91 as `Distinct` and 2.28 as `Repeated`, and this writer takes 44, 74 and 56
    /// ms for them (generated ones, which are less alike, 43.6, 42.8 and 40.7 MB in 910, 829 and 744 ms). Who scans all
    /// patterns pays: to find what begins with `/wp-` takes 487, 221 and 219 ms of generated ones, 25, 19 and 26 of
    /// real ones.
    Alike,
}

/// An index of a column, with which a reader that wants few rows can skip the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// The least and the greatest value of each row group: of the numbers by which tables are joined, which ascend.
    /// Without them the rules of one body take 17.7 ms instead of 2.2, and those of a hundred bodies of one domain 374
    /// instead of 55. They take no room to speak of, and no query gained by those of other columns.
    Ranged,
    /// A filter that tells of a row group that a value is not in it: of what users look for by name. It takes 2.1 % of
    /// captures, where a host is found in 15 ms instead of 35 and one that is nowhere is missed in 2 instead of 29; of
    /// policies it takes 1.0 %, where a rare token takes 2.3 ms instead of 3.2. Those were four files; of the 1,563 of
    /// a large crawl it spares a reader all but a twentieth. Polars makes no use of it.
    Sought,
}

/// The `created_by` of all files.
pub const MADE_BY: &str = concat!("robocensus ", env!("CARGO_PKG_VERSION"));

/// How pages are compressed, in tables and in answers that are written as Parquet.
pub fn compression() -> Result<Compression, ParquetError> {
    Ok(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
}

/// How the files of a table are stored, by the name, storage and index of each column.
pub(crate) fn properties(
    columns: impl Iterator<Item = (&'static str, Storage, Option<Index>)>,
) -> Result<WriterProperties, ParquetError> {
    let mut builder = WriterProperties::builder()
        .set_created_by(MADE_BY.to_owned())
        .set_compression(compression()?)
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_data_page_size_limit(PAGE_BYTES)
        .set_data_page_row_count_limit(ROW_GROUP_ROWS)
        .set_dictionary_page_size_limit(PAGE_BYTES)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true);
    for (name, storage, index) in columns {
        let path = || ColumnPath::from(name);
        let encoding = match storage {
            Storage::Repeated => None,
            Storage::Near => Some(Encoding::DELTA_BINARY_PACKED),
            Storage::Distinct => Some(Encoding::DELTA_LENGTH_BYTE_ARRAY),
            Storage::Alike => Some(Encoding::DELTA_BYTE_ARRAY),
        };
        if let Some(encoding) = encoding {
            builder = builder.set_column_dictionary_enabled(path(), false).set_column_encoding(path(), encoding);
        }
        builder = match index {
            None => builder,
            Some(Index::Ranged) => builder.set_column_statistics_enabled(path(), EnabledStatistics::Chunk),
            Some(Index::Sought) => builder
                .set_column_bloom_filter_enabled(path(), true)
                .set_column_bloom_filter_fpp(path(), BLOOM_FALSE_POSITIVES),
        };
    }
    Ok(builder.build())
}
