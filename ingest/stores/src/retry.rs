//! How often a failed request is tried again, and when.

use crate::options::Waits;
use crate::pace::{Pace, backoff};
use crate::refusal::{AfterRefusal, FetchError, FetchErrorKind, Refusal};
use std::time::Duration;

/// The tries for a host that has never answered, so that a misspelt name is reported within seconds.
const FIRST_TRIES: u32 = 3;

/// The longest wait that a server may ask for. Beyond it, the request fails.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(15 * 60);

/// The failures of one request in a row.
#[derive(Debug)]
pub(crate) struct Failures {
    count: u32,
    /// After how many failures in a row the request fails for good.
    tries: u32,
    waits: Waits,
}

impl Failures {
    pub(crate) fn new(tries: u32, waits: Waits) -> Self {
        Failures { count: 0, tries, waits }
    }

    /// Starts counting again, because a request made progress.
    pub(crate) fn forget(&mut self) {
        self.count = 0;
    }

    /// Fails if the host gets no more requests.
    pub(crate) fn check(pace: &Pace) -> Result<(), FetchError> {
        match pace.given_up() {
            Some(why) => Err(FetchError::given_up(format_args!("its host gets no more requests: {why}"))),
            None => Ok(()),
        }
    }

    /// Counts a failure. Returns how long to wait before the next try: if the host asked to slow down, no time at all,
    /// since then all requests wait for their turn. Fails if the request must not be tried again.
    pub(crate) fn add(&mut self, refusal: Refusal, pace: &Pace) -> Result<Duration, FetchError> {
        let Refusal { text, hint, next } = refusal;
        self.count += 1;
        let failures = self.count;
        let wait = backoff(failures, self.waits.first, self.waits.longest);
        let most = if pace.has_answered() { self.tries } else { self.tries.min(FIRST_TRIES) };
        let host_wait = match next {
            AfterRefusal::Fail => return Err(FetchError::unread(format_args!("{text}{hint}"))),
            AfterRefusal::GiveUp => {
                let why = format!("{text}{hint}");
                pace.give_up(&why);
                return Err(FetchError::given_up(why));
            }
            AfterRefusal::FailChanged => return Err(FetchError::new(FetchErrorKind::Changed, text)),
            AfterRefusal::Retry => None,
            AfterRefusal::SlowDown(asked) => Some(asked.unwrap_or(wait).max(wait)),
        };
        let asks_too_much = host_wait.filter(|asked| *asked > LONGEST_RETRY_AFTER);
        if asks_too_much.is_some() || failures >= most {
            let later = if host_wait.is_some() { "; try again later" } else { "" };
            pace.refused(&format!("{text}{hint}{later}"));
            let tries = if failures == 1 { "one try".to_owned() } else { format!("{failures} tries in a row") };
            return Err(FetchError::unread(match asks_too_much {
                Some(asked) => format!("{text}, and asks to wait for {} s", asked.as_secs()),
                None => format!("{text}, after {tries}{hint}"),
            }));
        }
        Ok(match host_wait {
            Some(host_wait) => {
                pace.slow_down(host_wait);
                Duration::ZERO
            }
            None => wait,
        })
    }
}
