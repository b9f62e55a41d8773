//! Columns in the statements of a catalog.

use tables::Column;

/// The longest comment of a column that Hive's metastore and AWS Glue accept uncut.
pub(super) const COMMENT_BYTES: usize = 255;

/// The description of a column, for a metastore: without its list of words if that does not fit.
pub(super) fn comment(column: &Column) -> String {
    let meaning = column.meaning();
    if meaning.len() <= COMMENT_BYTES { meaning } else { column.description.to_owned() }
}

/// Columns as a list, one a line.
pub(super) fn listed<'c>(columns: impl IntoIterator<Item = &'c Column>, line: impl Fn(&Column) -> String) -> String {
    columns.into_iter().map(|column| format!("  {}", line(column))).collect::<Vec<_>>().join(",\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tables::PARTITION;

    #[test]
    fn comments_fit_a_metastore() {
        for table in tables::all() {
            for column in table.columns.iter().chain([&PARTITION]) {
                let comment = comment(column);
                assert!(comment.len() <= COMMENT_BYTES && !comment.contains('\n'), "{}.{}", table.name, column.name);
            }
        }
    }
}
