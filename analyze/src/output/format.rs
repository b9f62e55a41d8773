//! The formats of answers, with their names and the file-name endings that select them.

use crate::catalog::own::repeated_column;
use datafusion::arrow::datatypes::Schema;

/// Declares the formats: variant, name, endings. `start_answer` creates the writer of each.
macro_rules! answer_formats {
    ($($(#[$doc:meta])* $format:ident $name:literal [$($ending:literal)*],)*) => {
        /// How an answer is written.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum AnswerFormat {
            $($(#[$doc])* $format,)*
        }

        impl AnswerFormat {
            /// All formats, in the order of the help.
            pub const ALL: [AnswerFormat; [$($name),*].len()] = [$(AnswerFormat::$format),*];

            /// The name, as in the option `--format`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(AnswerFormat::$format => $name),* }
            }

            /// The endings of file names that select it, in lower case.
            fn endings(self) -> &'static [&'static str] {
                match self { $(AnswerFormat::$format => &[$($ending),*]),* }
            }
        }
    };
}

answer_formats! {
    /// Aligned columns, for a terminal.
    Table "table" ["txt"],
    /// Values with commas between them.
    Csv "csv" ["csv"],
    /// Values with tabs between them.
    Tsv "tsv" ["tsv"],
    /// One JSON array of objects.
    Json "json" ["json"],
    /// One JSON object per line.
    Ndjson "ndjson" ["ndjson" "jsonl"],
    /// A table of GitHub's Markdown.
    Markdown "markdown" ["md"],
    /// A Parquet file.
    Parquet "parquet" ["parquet"],
}

impl AnswerFormat {
    /// A name that two columns have, in a format whose readers would find only one of them. Readers of the others tell
    /// columns apart by their place.
    #[must_use]
    pub fn ambiguous_column(self, schema: &Schema) -> Option<&str> {
        match self {
            AnswerFormat::Json | AnswerFormat::Ndjson | AnswerFormat::Parquet => repeated_column(schema),
            AnswerFormat::Table | AnswerFormat::Csv | AnswerFormat::Tsv | AnswerFormat::Markdown => None,
        }
    }

    /// The format with this name; `None` for an unknown name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The endings of file names that select a format, as text: `txt, csv, …`.
    #[must_use]
    pub fn list_endings() -> String {
        Self::ALL.iter().flat_map(|format| format.endings()).copied().collect::<Vec<_>>().join(", ")
    }

    /// The format that the ending of a file name selects, in either case; `None` for an unknown ending.
    #[must_use]
    pub fn from_ending(ending: &str) -> Option<Self> {
        let ending = ending.to_ascii_lowercase();
        Self::ALL.into_iter().find(|format| format.endings().contains(&ending.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_lists_the_endings() {
        let help = std::fs::read_to_string(committed::path("src/arguments/session.rs")).unwrap();
        let endings = AnswerFormat::list_endings();
        let (others, last) = endings.rsplit_once(", ").unwrap();
        let stated = format!("the extension of --out decides: {others} or {last}.");
        assert!(help.replace("\n    /// ", " ").contains(&stated), "{stated}");
    }

    #[test]
    fn the_page_has_all_formats() {
        let page = std::fs::read_to_string(committed::path("docs/asking.md")).unwrap();
        let rows = page.lines().skip_while(|line| !line.starts_with("| `--format` |")).skip(2);
        let first_cells = rows.map_while(|row| row.strip_prefix('|')?.split('|').next());
        let mut described: Vec<&str> = first_cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
        let mut names = AnswerFormat::ALL.map(AnswerFormat::name);
        described.sort_unstable();
        names.sort_unstable();
        assert_eq!(described, names);
    }
}
