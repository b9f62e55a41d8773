//! Limits the work on members that turn out to be damaged.
//!
//! Whether a member starts somewhere shows only when it is inflated, and that may fail at its very end. Accidental damage
//! causes this once. But a malicious file can have thousands of overlapping starts that all fail at the end of the file,
//! and must not keep a worker busy for days. So each failure is paid from a budget, which grows as the file is read. While
//! the budget is empty, bytes are skipped.

/// The budget at the start, in bytes read and inflated: a damaged bomb of 1 GiB, which takes a second.
const FIRST_BYTES: u64 = 1 << 30;

/// What each byte of the file adds to the budget: far more than a byte of a compressed text inflates to.
const PER_BYTE: u64 = 64;

/// The least that a failure costs.
const AT_LEAST: u64 = 4 << 10;

/// How often the fast inflater may fail in a file. It does not say how far it came, so that its failures have no price.
/// After so many, the other inflater reads the rest of the file.
const FAST_FAILURES: u32 = 64;

/// The budget that is left for a file.
#[derive(Debug, Default)]
pub(super) struct Patience {
    passed: u64,
    spent: u64,
    fast_failures: u32,
}

impl Patience {
    /// Whether to try a member at this offset of the file.
    pub(super) fn is_left(&mut self, passed: u64) -> bool {
        self.passed = self.passed.max(passed);
        self.spent <= self.passed.saturating_mul(PER_BYTE).saturating_add(FIRST_BYTES)
    }

    /// Pays for bytes that were read and inflated in vain.
    pub(super) fn spend(&mut self, bytes: u64) {
        self.spent = self.spent.saturating_add(bytes.max(AT_LEAST));
    }

    /// Whether to try the fast inflater.
    pub(super) fn has_fast(&self) -> bool {
        self.fast_failures < FAST_FAILURES
    }

    /// Counts a failure of the fast inflater.
    pub(super) fn fast_failure(&mut self) {
        self.fast_failures += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_purse_fills_as_the_file_is_passed() {
        let mut patience = Patience::default();
        patience.spend(FIRST_BYTES);
        assert!(patience.is_left(0));
        patience.spend(1);
        assert!(!patience.is_left(AT_LEAST / PER_BYTE - 1));
        assert!(patience.is_left(AT_LEAST / PER_BYTE));
        assert!(patience.is_left(0), "what was passed stays passed");
    }
}
