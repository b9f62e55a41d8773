//! Works on several items at the same time, and takes the results in the order of the items.

use super::watch::Halt;
use std::num::NonZeroUsize;
use std::sync::mpsc::{RecvError, sync_channel};
use std::thread;

/// The most threads. More would wait for the one that takes the results, with results in memory: the sites of a part of
/// 100,000 captures take 25 MB.
const MOST_THREADS: usize = 8;

/// Calls `work` with each item, on so many threads, and `take` with what it returns, on this thread and in the order of
/// the items. Ends at the first failure.
///
/// Each thread has every nth item, and waits with a result until it is taken. So what is in memory does not grow with
/// the number of items.
pub(super) fn in_order<I: Sync, T: Send>(
    items: &[I],
    jobs: NonZeroUsize,
    work: impl Fn(&I) -> Result<T, Halt> + Sync,
    mut take: impl FnMut(T) -> Result<(), Halt>,
) -> Result<(), Halt> {
    let jobs = jobs.get().min(items.len()).min(MOST_THREADS);
    if jobs <= 1 {
        return items.iter().try_for_each(|item| take(work(item)?));
    }
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..jobs)
            .map(|first| {
                let (sender, results) = sync_channel(0);
                scope.spawn(move || {
                    for item in items.iter().skip(first).step_by(jobs) {
                        // Nobody takes more results after a failure.
                        if sender.send(work(item)).is_err() {
                            break;
                        }
                    }
                });
                results
            })
            .collect();
        for results in threads.iter().cycle().take(items.len()) {
            match results.recv() {
                Ok(result) => take(result?)?,
                // The thread has panicked, and so does the scope.
                Err(RecvError) => break,
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use parking_lot::Mutex;
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    const FOUR: NonZeroUsize = NonZeroUsize::new(4).unwrap();

    #[test]
    fn results_come_in_order_from_several_threads() {
        let threads = Mutex::new(HashSet::new());
        let items: Vec<usize> = (0..100).collect();
        let mut taken = Vec::new();
        let work = |item: &usize| {
            threads.lock().insert(thread::current().id());
            Ok(item * 2)
        };
        in_order(&items, FOUR, work, |result| {
            taken.push(result);
            Ok(())
        })
        .unwrap();
        assert_eq!(taken, items.iter().map(|item| item * 2).collect::<Vec<_>>());
        assert_eq!(threads.into_inner().len(), 4);
    }

    #[test]
    fn nothing_follows_a_failure() {
        let items: Vec<usize> = (0..1000).collect();
        for jobs in [NonZeroUsize::MIN, FOUR] {
            let begun = AtomicUsize::new(0);
            let work = |item: &usize| {
                begun.fetch_add(1, SeqCst);
                if *item == 20 { Err(Halt::Stopped) } else { Ok(*item) }
            };
            let mut taken = 0;
            let halt = in_order(&items, jobs, work, |_| {
                taken += 1;
                Ok(())
            });
            assert!(matches!(halt, Err(Halt::Stopped)), "{halt:?}");
            assert_eq!(taken, 20);
            assert!(begun.into_inner() <= 21 + jobs.get(), "{jobs} jobs");
        }
    }
}
