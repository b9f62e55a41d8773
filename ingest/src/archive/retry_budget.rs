//! Limits the work on members that turn out to be damaged.
//!
//! Only inflating shows whether bytes are a member, and that may fail at the last byte. Accidental damage causes this
//! once. But a malicious file can have thousands of overlapping starts that all fail at the end of the file, which
//! could keep a worker busy for days. So each failure is paid from a budget, which grows as the file is read. While the
//! budget is empty, the walk skips bytes without trying to inflate them.

/// The budget at the start, in bytes read and inflated: one damaged member of 1 GiB, which takes a second.
const FIRST_BYTES: u64 = 1 << 30;

/// How many bytes each byte of the file adds to the budget: far more than a byte of compressed text inflates to.
const PER_BYTE: u64 = 64;

/// The minimum cost of a failure, in bytes.
const AT_LEAST: u64 = 4 << 10;

/// How often the fast inflater may fail in a file. It does not report how far it came, so its failures cannot be
/// charged by the byte. After this many, the stepwise inflater reads the rest of the file.
const FAST_FAILURES: u32 = 64;

/// The budget for one file.
#[derive(Debug, Default)]
pub(super) struct RetryBudget {
    passed: u64,
    spent: u64,
    fast_failures: u32,
}

impl RetryBudget {
    /// Whether enough is left to try a member at this offset in the file.
    pub(super) fn is_left(&mut self, passed: u64) -> bool {
        self.spent <= self.allowed(passed)
    }

    /// Whether half is left, so that looking ahead from this offset in the file takes nothing from damaged members.
    pub(super) fn is_half_left(&mut self, passed: u64) -> bool {
        self.spent <= self.allowed(passed) / 2
    }

    fn allowed(&mut self, passed: u64) -> u64 {
        self.passed = self.passed.max(passed);
        self.passed.saturating_mul(PER_BYTE).saturating_add(FIRST_BYTES)
    }

    /// Charges for bytes that were read and inflated in vain.
    pub(super) fn spend(&mut self, bytes: u64) {
        self.spent = self.spent.saturating_add(bytes.max(AT_LEAST));
    }

    /// Whether the fast inflater may still be tried.
    pub(super) fn allows_fast(&self) -> bool {
        self.fast_failures < FAST_FAILURES
    }

    /// Counts a failure of the fast inflater.
    pub(super) fn count_fast_failure(&mut self) {
        self.fast_failures += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_grows_as_the_file_is_read() {
        let mut budget = RetryBudget::default();
        budget.spend(FIRST_BYTES / 2);
        assert!(budget.is_half_left(0));
        budget.spend(FIRST_BYTES / 2);
        assert!(budget.is_left(0) && !budget.is_half_left(0));
        budget.spend(1);
        assert!(!budget.is_left(AT_LEAST / PER_BYTE - 1));
        assert!(budget.is_left(AT_LEAST / PER_BYTE));
        assert!(budget.is_left(0), "the budget never shrinks when the walk goes back");
    }
}
