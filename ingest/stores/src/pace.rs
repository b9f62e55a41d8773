//! The rate of requests to one host.
//!
//! Requests are sent at a steady rate. A response that asks to slow down holds back all requests to its host for a
//! while, and halves the rate, down to an eighth. Each successful response shortens the interval by a twentieth, down
//! to the original one.

use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// The interval between requests grows at most by this factor.
const MAX_SLOWDOWN: u32 = 8;

/// The longest interval between requests, whatever rate the user chose.
const LONGEST_INTERVAL: Duration = Duration::from_secs(3600);

/// After this many objects in a row failed despite all tries, the host gets no more requests.
const MAX_REFUSED: u32 = 3;

/// The pace of requests to a host.
#[derive(Debug)]
pub(crate) struct Pace {
    shortest_interval: Duration,
    state: Mutex<PaceState>,
    /// A permit for each connection.
    pub(crate) connections: Arc<Semaphore>,
    requests: AtomicU64,
    has_answered: AtomicBool,
    refused_in_a_row: AtomicU32,
    /// Why the host gets no more requests.
    given_up: OnceLock<String>,
}

#[derive(Debug)]
struct PaceState {
    interval: Duration,
    /// When the next request may be sent.
    next: Instant,
    /// Until when no request may be sent.
    held_until: Instant,
}

impl Pace {
    pub(crate) fn new(requests_per_second: f64, connections: usize) -> Self {
        let shortest_interval =
            Duration::try_from_secs_f64(1.0 / requests_per_second).unwrap_or(LONGEST_INTERVAL).min(LONGEST_INTERVAL);
        let now = Instant::now();
        Pace {
            shortest_interval,
            state: Mutex::new(PaceState { interval: shortest_interval, next: now, held_until: now }),
            connections: Arc::new(Semaphore::new(connections)),
            requests: AtomicU64::new(0),
            has_answered: AtomicBool::new(false),
            refused_in_a_row: AtomicU32::new(0),
            given_up: OnceLock::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, PaceState> {
        self.state.lock()
    }

    /// Waits until a request may be sent.
    pub(crate) async fn wait_for_turn(&self) {
        loop {
            let at = {
                let mut state = self.state();
                let at = state.next.max(state.held_until).max(Instant::now());
                state.next = at + state.interval;
                at
            };
            tokio::time::sleep_until(at).await;
            // If all requests were held back meanwhile, wait for another turn, so that they are not all sent together.
            if self.state().held_until <= at {
                return;
            }
        }
    }

    /// Counts a request that is sent.
    pub(crate) fn count(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    /// How many requests were sent.
    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Holds back all requests for `wait`, and then sends them at half the rate.
    pub(crate) fn slow_down(&self, wait: Duration) {
        let mut state = self.state();
        let until = Instant::now() + wait;
        // Responses to requests that were sent together halve the rate only once.
        if state.held_until <= Instant::now() {
            state.interval = (state.interval * 2).min(self.shortest_interval * MAX_SLOWDOWN);
        }
        state.held_until = state.held_until.max(until);
    }

    /// Records a successful response.
    pub(crate) fn succeeded(&self) {
        self.refused_in_a_row.store(0, Ordering::Relaxed);
        let mut state = self.state();
        state.interval = (state.interval * 19 / 20).max(self.shortest_interval);
    }

    /// Records a response. Even an error proves that the host exists.
    pub(crate) fn answered(&self) {
        self.has_answered.store(true, Ordering::Relaxed);
    }

    /// Whether the host has ever answered.
    pub(crate) fn has_answered(&self) -> bool {
        self.has_answered.load(Ordering::Relaxed)
    }

    /// Records that an object failed after all tries, and why.
    pub(crate) fn refused(&self, why: &str) {
        if self.refused_in_a_row.fetch_add(1, Ordering::Relaxed) + 1 >= MAX_REFUSED {
            self.give_up(&format!("{MAX_REFUSED} objects in a row failed: {why}"));
        }
    }

    /// Sends no more requests. Only the first reason counts.
    pub(crate) fn give_up(&self, why: &str) {
        self.given_up.get_or_init(|| why.to_owned());
    }

    /// Why no more requests are sent; `None` if they are.
    pub(crate) fn given_up(&self) -> Option<&str> {
        self.given_up.get().map(String::as_str)
    }
}

/// The wait before another try. It doubles with each failure, and half of it is random, so that readers that failed
/// together do not retry together.
pub(crate) fn backoff(failures: u32, first: Duration, longest: Duration) -> Duration {
    let full = first.saturating_mul(1 << failures.saturating_sub(1).min(20)).min(longest);
    full / 2 + full.mul_f64(random_share() / 2.0)
}

/// A random number from 0 to 1, from the seeds that the standard library draws for its maps.
#[must_use]
pub fn random_share() -> f64 {
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
    fn each_slow_down_halves_the_rate_down_to_an_eighth() {
        let pace = Pace::new(10.0, 1);
        let interval = || pace.state().interval.as_millis();
        let mut found = vec![interval()];
        for _ in 0..4 {
            pace.slow_down(Duration::ZERO);
            found.push(interval());
        }
        assert_eq!(found, [100, 200, 400, 800, 800]);
        // Responses to requests that were sent together count once.
        let pace = Pace::new(10.0, 1);
        pace.slow_down(Duration::from_secs(60));
        pace.slow_down(Duration::from_secs(60));
        assert_eq!(pace.state().interval.as_millis(), 200);
        (0..20).for_each(|_| pace.succeeded());
        assert_eq!(pace.state().interval.as_millis(), 100);
    }

    #[test]
    fn random_shares_are_from_0_to_1() {
        let shares: Vec<f64> = (0..100).map(|_| random_share()).collect();
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
        assert!(shares.iter().any(|share| *share < 0.5) && shares.iter().any(|share| *share > 0.5));
    }

    #[test]
    fn a_host_is_given_up_after_refusals_in_a_row() {
        let pace = Pace::new(1.0, 1);
        pace.refused("one");
        pace.refused("two");
        pace.succeeded();
        pace.refused("three");
        pace.refused("four");
        assert_eq!(pace.given_up(), None);
        pace.refused("five");
        let why = "3 objects in a row failed: five";
        assert_eq!(pace.given_up(), Some(why));
        // The response to an earlier request may arrive later.
        pace.succeeded();
        assert_eq!(pace.given_up(), Some(why));
    }
}
