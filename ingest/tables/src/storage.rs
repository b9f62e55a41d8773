//! How columns are stored in files, and why.

use crate::declare::Column;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;

// The figures below are from commit 87a19f68, unless they say otherwise: DuckDB on one thread, over tables of 256
// generated archives (7.3 million rules, in files as large as those of a large crawl). Times are the fastest of five
// runs; 10 % of them is noise.

/// The tables are 10 % larger at level 1, 2.4 % smaller at 6, and 3.7 % smaller at 9. No query is faster or slower, but
/// at level 6 ingest takes 1.17 times the CPU time (real crawls, `benches/ingest.sh`).
const ZSTD_LEVEL: i32 = 3;

/// A query for one body reads one row group of `rules`, in 2.2 ms. It takes at most 3.9 ms with 64 Ki to 512 Ki rows,
/// and 18.6 ms with 1 Mi. A scan takes the same time with any size. The tables are 1.2 % larger with 64 Ki rows, and
/// not smaller with more than 256 Ki.
const ROW_GROUP_ROWS: usize = 256 << 10;

/// A row group also ends after this many bytes of rows, before compression. Ordinary row groups have up to 60 MB. Rows
/// with long texts would otherwise fill the memory of `ingest`, which keeps a row group until it ends, and that of
/// readers.
pub(crate) const ROW_GROUP_BYTES: usize = 64 << 20;

/// A row group of most columns is one page. The tables are 8.1 % larger with pages of 64 KiB, and 1.0 % with 1 MiB.
/// With 64 KiB, a host is found in 10.3 ms instead of 15.1 ms, but no scan is faster.
const PAGE_BYTES: usize = 4 << 20;

/// The false positive rate of a filter. With 0.01, no lookup is faster. With 0.2, captures are 1.0 % smaller, but
/// looking up a host that does not occur takes 8.5 ms instead of 1.5 ms.
const BLOOM_FALSE_POSITIVES: f64 = 0.05;

/// How the values of a column are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// Values that repeat: in a dictionary.
    Repeated,
    /// Numbers close to the one before: as differences.
    Near,
    /// Texts that rarely repeat: all lengths first, then all texts, which compresses best.
    Distinct,
    /// Texts that start like the one before, such as the patterns of a body: without the common prefix.
    ///
    /// `Alike`, `Distinct` and `Repeated` compare as follows. Patterns of real bodies take 1.77, 1.91 and 2.28 MB,
    /// written in 44, 74 and 56 ms. Generated patterns, which are less alike, take 43.6, 42.8 and 40.7 MB, written in
    /// 910, 829 and 744 ms. Scans of all patterns can be slower: finding those that start with `/wp-` takes 487, 221 and
    /// 219 ms among generated ones, and 25, 19 and 26 ms among real ones.
    Alike,
}

/// An index of a column. It lets a reader that needs few rows skip the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// The minimum and maximum of each row group, for ascending numbers that join tables.
    ///
    /// Without it, the rules of one body take 17.7 ms instead of 2.2 ms, and those of 100 bodies of one domain 374 ms
    /// instead of 55 ms. It takes almost no space. On other columns, it made no query faster.
    Ranged,
    /// A Bloom filter that shows that a value is not in a row group, for values that users look up by name.
    ///
    /// In captures it takes 2.1 % of the size. A host is found in 15 ms instead of 35 ms, and one that does not occur
    /// is missed in 2 ms instead of 29 ms. In policies it takes 1.0 %, and a rare token takes 2.3 ms instead of 3.2 ms.
    /// These times are for four files; of the 1,563 files of a large crawl, a reader skips all but 5 %. Polars does not
    /// use it.
    Sought,
}

/// The `created_by` of all files.
pub const MADE_BY: &str = concat!("robocensus ", env!("CARGO_PKG_VERSION"));

/// The compression of pages, in tables and in answers that are written as Parquet.
pub fn compression() -> Result<Compression, ParquetError> {
    Ok(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
}

/// How the files of a table with these columns are stored.
pub(crate) fn properties(columns: &[Column]) -> Result<WriterPropertiesBuilder, ParquetError> {
    let mut builder = WriterProperties::builder()
        .set_created_by(MADE_BY.to_owned())
        .set_compression(compression()?)
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_data_page_size_limit(PAGE_BYTES)
        .set_data_page_row_count_limit(ROW_GROUP_ROWS)
        .set_dictionary_page_size_limit(PAGE_BYTES)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true);
    for Column { name, storage, index, .. } in columns {
        let path = || ColumnPath::from(*name);
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
    Ok(builder)
}
