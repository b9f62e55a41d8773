//! How much work a file may cost in vain.
//!
//! Whether a member begins at some place shows only when it was inflated, and that may fail at its very end. Damage by
//! accident makes that work once. A file can be built, though, in which thousands of beginnings run into each other and
//! on to the end of the file, each of which fails there; it must not keep a worker busy for days. So failures are paid
//! from a purse, which fills as the file is passed. While it is empty, bytes are passed over and nothing is tried on
//! them, until it is full enough again.

/// What is in the purse at first, in bytes read and inflated: a damaged bomb of a GiB, in a second of work.
const FIRST_BYTES: u64 = 1 << 30;

/// What is added for each byte that was passed: far above what a member of text holds for a byte of its own.
const PER_BYTE: u64 = 64;

/// What a failure costs at least, whatever it read.
const AT_LEAST: u64 = 4 << 10;

/// How often the fast inflater may fail on what is no member. It does not tell how far it came, so that its failures
/// cannot be paid; a file in which it failed so often is left to the one that does.
const FAST_FAILURES: u32 = 64;

/// What is left of it for a file.
#[derive(Debug, Default)]
pub(super) struct Patience {
    passed: u64,
    spent: u64,
    fast_failures: u32,
}

impl Patience {
    /// Whether something may be tried, where so much of the file lies behind.
    pub(super) fn is_left(&mut self, passed: u64) -> bool {
        self.passed = self.passed.max(passed);
        self.spent <= self.passed.saturating_mul(PER_BYTE).saturating_add(FIRST_BYTES)
    }

    /// Pays for what was read and inflated in vain.
    pub(super) fn spend(&mut self, bytes: u64) {
        self.spent = self.spent.saturating_add(bytes.max(AT_LEAST));
    }

    /// Whether the fast inflater may be tried.
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
