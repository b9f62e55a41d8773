//! How fast one host is asked.
//!
//! Requests leave at a steady rate. An answer that asks for patience holds back all requests to its host for a while, and
//! halves the rate, down to an eighth. Each good answer raises it by a twentieth, up to where it was.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// A host is asked at no less than this fraction of its rate. What is slower than that is a wait.
const MOST_SLOWER: u32 = 8;

/// The lowest rate that somebody may ask for.
const LONGEST_INTERVAL: Duration = Duration::from_secs(3600);

/// After so many objects in a row that a host refused for good, no more are asked for.
const MOST_REFUSED: u32 = 3;

/// The pace of a host.
#[derive(Debug)]
pub(crate) struct Pace {
    fastest: Duration,
    state: Mutex<PaceState>,
    /// A permit for each connection.
    pub(crate) connections: Arc<Semaphore>,
    requests: AtomicU64,
    has_answered: AtomicBool,
    refused_in_a_row: AtomicU32,
}

#[derive(Debug)]
struct PaceState {
    interval: Duration,
    /// When the next request may leave.
    next: Instant,
    /// Until when none may.
    held_until: Instant,
}

impl Pace {
    pub(crate) fn new(requests_per_second: f64, connections: usize) -> Self {
        let fastest =
            Duration::try_from_secs_f64(1.0 / requests_per_second).unwrap_or(LONGEST_INTERVAL).min(LONGEST_INTERVAL);
        let now = Instant::now();
        Pace {
            fastest,
            state: Mutex::new(PaceState { interval: fastest, next: now, held_until: now }),
            connections: Arc::new(Semaphore::new(connections)),
            requests: AtomicU64::new(0),
            has_answered: AtomicBool::new(false),
            refused_in_a_row: AtomicU32::new(0),
        }
    }

    fn state(&self) -> MutexGuard<'_, PaceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the turn of a request.
    pub(crate) async fn turn(&self) {
        loop {
            let at = {
                let mut state = self.state();
                let at = state.next.max(state.held_until).max(Instant::now());
                state.next = at + state.interval;
                at
            };
            tokio::time::sleep_until(at).await;
            // It may have been held back meanwhile. It then takes another turn, so that not all leave at once.
            if self.state().held_until <= at {
                return;
            }
        }
    }

    /// Counts a request that leaves.
    pub(crate) fn count(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    /// How many requests have left.
    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Holds back all requests for a while, and asks at half the rate from then on.
    pub(crate) fn slow_down(&self, wait: Duration) {
        let mut state = self.state();
        let until = Instant::now() + wait;
        // Answers to requests that left together ask for one thing.
        if state.held_until <= Instant::now() {
            state.interval = (state.interval * 2).min(self.fastest * MOST_SLOWER);
        }
        state.held_until = state.held_until.max(until);
    }

    /// Notes that the host answers.
    pub(crate) fn succeeded(&self) {
        self.has_answered.store(true, Ordering::Relaxed);
        self.refused_in_a_row.store(0, Ordering::Relaxed);
        let mut state = self.state();
        state.interval = (state.interval * 19 / 20).max(self.fastest);
    }

    /// Whether the host has ever given an object.
    pub(crate) fn has_answered(&self) -> bool {
        self.has_answered.load(Ordering::Relaxed)
    }

    /// Notes that the host refused an object after all tries.
    pub(crate) fn refused(&self) {
        self.refused_in_a_row.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether to ask no more.
    pub(crate) fn is_given_up(&self) -> bool {
        self.refused_in_a_row.load(Ordering::Relaxed) >= MOST_REFUSED
    }
}

/// The wait before another try: it doubles, and a random half of it keeps readers that failed together apart.
pub(crate) fn backoff(failures: u32, first: Duration, longest: Duration) -> Duration {
    let full = first.saturating_mul(1 << failures.saturating_sub(1).min(20)).min(longest);
    full / 2 + full.mul_f64(random_share() / 2.0)
}

/// A number from 0 to 1, from the seeds that the standard library draws for its maps.
fn random_share() -> f64 {
    use std::hash::{BuildHasher as _, RandomState};
    f64::from(u32::try_from(RandomState::new().hash_one(0u8) >> 32).unwrap_or(0)) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest() {
        let second = Duration::from_secs(1);
        for (failures, longest) in [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (40, 60)] {
            let wait = backoff(failures, second, second * 60);
            assert!(wait >= second * longest / 2 && wait <= second * longest, "{failures}: {wait:?}");
        }
    }

    #[test]
    fn a_host_that_asks_for_patience_is_asked_at_half_the_rate() {
        let pace = Pace::new(10.0, 1);
        let interval = || pace.state().interval.as_millis();
        let mut found = vec![interval()];
        for _ in 0..4 {
            pace.slow_down(Duration::ZERO);
            found.push(interval());
        }
        assert_eq!(found, [100, 200, 400, 800, 800]);
        // Answers to requests that left together count once.
        let pace = Pace::new(10.0, 1);
        pace.slow_down(Duration::from_secs(60));
        pace.slow_down(Duration::from_secs(60));
        assert_eq!(pace.state().interval.as_millis(), 200);
        (0..20).for_each(|_| pace.succeeded());
        assert_eq!(pace.state().interval.as_millis(), 100);
    }

    #[test]
    fn a_random_share_is_a_share() {
        let shares: Vec<f64> = (0..100).map(|_| random_share()).collect();
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
        assert!(shares.iter().any(|share| *share < 0.5) && shares.iter().any(|share| *share > 0.5));
    }

    #[test]
    fn a_host_is_given_up_after_refusals_in_a_row() {
        let pace = Pace::new(1.0, 1);
        pace.refused();
        pace.refused();
        pace.succeeded();
        pace.refused();
        pace.refused();
        assert!(!pace.is_given_up());
        pace.refused();
        assert!(pace.is_given_up());
    }
}
