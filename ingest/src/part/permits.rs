//! Limits how many threads work at a time.

use std::io::{self, Read, Seek, SeekFrom};
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

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
        self.give();
        let waited = wait();
        self.take();
        waited
    }

    fn take(&self) {
        let mut free = self.free();
        while *free == 0 {
            free = self.freed.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        *free -= 1;
    }

    fn give(&self) {
        *self.free() += 1;
        self.freed.notify_one();
    }

    fn free(&self) -> MutexGuard<'_, usize> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Sends messages to another thread, and gives back the permit of this one while it waits.
#[derive(Debug)]
pub(super) struct Sender<'p, T> {
    pub(super) channel: SyncSender<T>,
    pub(super) permits: &'p Permits,
}

impl<T> Clone for Sender<'_, T> {
    fn clone(&self) -> Self {
        Sender { channel: self.channel.clone(), permits: self.permits }
    }
}

impl<T> Sender<'_, T> {
    /// Waits until the channel has room. Fails if the other thread has ended.
    pub(super) fn send(&self, message: T) -> Result<(), ThreadEnded> {
        match self.channel.try_send(message) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(message)) => {
                self.permits.wait(|| self.channel.send(message)).map_err(|_| ThreadEnded)
            }
            Err(TrySendError::Disconnected(_)) => Err(ThreadEnded),
        }
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

/// The thread that should receive a message has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ThreadEnded;

/// The next message from another thread. Gives back the permit of this thread while it waits. `None` once the other
/// thread has ended.
pub(super) fn receive<T>(channel: &Receiver<T>, permits: &Permits) -> Option<T> {
    match channel.try_recv() {
        Ok(message) => Some(message),
        Err(TryRecvError::Empty) => permits.wait(|| channel.recv()).ok(),
        Err(TryRecvError::Disconnected) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::sync_channel;
    use std::thread;

    /// Three threads in a row, with at most as many permits: all messages arrive in order, and no more threads work at
    /// a time than there are permits.
    #[test]
    fn threads_that_wait_let_others_work() {
        for count in 1..=3 {
            let permits = Permits::new(NonZeroUsize::new(count).unwrap());
            let working = AtomicUsize::new(0);
            let step = || {
                assert!(working.fetch_add(1, Ordering::SeqCst) < count);
                thread::yield_now();
                working.fetch_sub(1, Ordering::SeqCst);
            };
            let ((first, second), (third, fourth)) = (sync_channel(1), sync_channel(1));
            let (first, third) =
                (Sender { channel: first, permits: &permits }, Sender { channel: third, permits: &permits });
            let taken = thread::scope(|scope| {
                let (permits, step) = (&permits, &step);
                scope.spawn(move || {
                    permits.work(move || {
                        for number in 0..1_000 {
                            step();
                            first.send(number).unwrap();
                        }
                    });
                });
                scope.spawn(move || {
                    permits.work(move || {
                        while let Some(number) = receive(&second, permits) {
                            step();
                            third.send(number).unwrap();
                        }
                    });
                });
                permits
                    .work(|| std::iter::from_fn(|| receive(&fourth, permits)).inspect(|_| step()).collect::<Vec<i32>>())
            });
            assert!(taken.into_iter().eq(0..1_000), "{count} permits");
        }
    }

    #[test]
    fn a_thread_that_has_ended_takes_nothing() {
        let permits = Permits::new(NonZeroUsize::MIN);
        let (sender, receiver) = sync_channel(1);
        let sender = Sender { channel: sender, permits: &permits };
        drop(receiver);
        assert_eq!(permits.work(|| sender.send(1)), Err(ThreadEnded));
    }
}
