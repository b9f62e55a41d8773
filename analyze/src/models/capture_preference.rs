//! Which capture stands for its site. One whose file is not known counts only if no other does.

/// Which capture of a site counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CapturePreference {
    /// The latest.
    #[default]
    Latest,
    /// The first.
    First,
    /// The best result: successful or a confirmed file, then unavailable, then redirect, then unreachable; of equal
    /// results, the latest.
    Best,
}

impl CapturePreference {
    /// The preference with a name.
    pub(super) fn find(name: &str) -> Option<Self> {
        [CapturePreference::Latest, CapturePreference::First, CapturePreference::Best]
            .into_iter()
            .find(|preference| preference.name() == name)
    }

    /// The name, as the parameter of a derived table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CapturePreference::Latest => "latest",
            CapturePreference::First => "first",
            CapturePreference::Best => "best",
        }
    }
}
