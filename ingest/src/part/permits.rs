//! Limits how many threads work at a time.

use parking_lot::{Condvar, Mutex, MutexGuard};
use std::io::{self, Read, Seek, SeekFrom};
use std::num::NonZeroUsize;

/// Permits to work. A thread that waits for another gives back its permit, so that a third can work meanwhile.
#[derive(Debug)]
pub struct Permits {
    free: Mutex<usize>,
    freed: Condvar,
}

impl Permits {
    /// `count` permits.
    #[must_use]
    pub fn new(count: NonZeroUsize) -> Self {
        Permits { free: Mutex::new(count.get()), freed: Condvar::new() }
    }

    /// Waits for a permit, and holds it while `work` runs.
    pub fn work<T>(&self, work: impl FnOnce() -> T) -> T {
        let _permit = self.hold();
        work()
    }

    /// Waits for a permit. It is given back when it is dropped, also by a panic.
    pub(super) fn hold(&self) -> Permit<'_> {
        self.take();
        Permit(self)
    }

    /// Gives back the permit of this thread while `wait` runs.
    pub(super) fn wait<T>(&self, wait: impl FnOnce() -> T) -> T {
        /// Takes the permit back, also after a panic, which may be caught.
        struct Lent<'p>(&'p Permits);

        impl Drop for Lent<'_> {
            fn drop(&mut self) {
                self.0.take();
            }
        }

        self.give();
        let _lent = Lent(self);
        wait()
    }

    fn take(&self) {
        let mut free = self.free();
        while *free == 0 {
            self.freed.wait(&mut free);
        }
        *free -= 1;
    }

    fn give(&self) {
        *self.free() += 1;
        self.freed.notify_one();
    }

    fn free(&self) -> MutexGuard<'_, usize> {
        self.free.lock()
    }
}

/// A permit that is held.
#[derive(Debug)]
pub(super) struct Permit<'p>(&'p Permits);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.give();
    }
}

/// A file. Its reader gives back its permit while it waits for the file.
pub(super) struct WaitingReader<'p, R> {
    pub(super) file: R,
    pub(super) permits: &'p Permits,
}

impl<R: Read> Read for WaitingReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.permits.wait(|| self.file.read(buffer))
    }
}

impl<R: Seek> Seek for WaitingReader<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;
    use std::thread;

    #[test]
    fn no_more_threads_work_than_there_are_permits() {
        for count in 1..=3 {
            let permits = Permits::new(NonZeroUsize::new(count).unwrap());
            let working = AtomicUsize::new(0);
            let step = || {
                assert!(working.fetch_add(1, Ordering::SeqCst) < count);
                thread::yield_now();
                working.fetch_sub(1, Ordering::SeqCst);
            };
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| (0..1_000).for_each(|_| permits.work(step)));
                }
            });
        }
    }

    #[test]
    fn a_thread_that_waits_lets_another_work() {
        let permits = Permits::new(NonZeroUsize::MIN);
        let (sender, receiver) = channel();
        let received = thread::scope(|scope| {
            let permits = &permits;
            permits.work(|| {
                scope.spawn(move || permits.work(|| sender.send(1)));
                permits.wait(|| receiver.recv())
            })
        });
        assert_eq!(received, Ok(1));
    }

    #[test]
    fn a_panic_while_a_thread_waits_leaves_its_permit() {
        let permits = Permits::new(NonZeroUsize::MIN);
        permits.work(|| {
            let waited = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| permits.wait(|| panic!("waited"))));
            assert!(waited.is_err());
            assert_eq!(*permits.free(), 0);
        });
        assert_eq!(*permits.free(), 1);
    }
}
