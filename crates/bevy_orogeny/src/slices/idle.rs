//! Tasks on threads that would be idle.
//!
//! Bevy gives a quarter of the threads to async compute tasks, at the start and after a jump one of
//! two cores. As many are there for reading files, and have little to do.

use core::future::Future;
use core::sync::atomic::{AtomicUsize, Ordering};

use bevy_tasks::{AsyncComputeTaskPool, IoTaskPool, Task, TaskPool};

/// How many of these tasks may wait for a thread of a pool, or run there, before others are begun
/// elsewhere: enough for the time until the next frame, and few enough for a file to be read soon.
const WAITING: usize = 4;

/// A task that is counted until it is finished or cancelled.
struct Counted(&'static AtomicUsize);

impl Counted {
    fn new(among: &'static AtomicUsize) -> Self {
        among.fetch_add(1, Ordering::Relaxed);
        Self(among)
    }

    /// `None` if there are already so many.
    fn below(most: usize, among: &'static AtomicUsize) -> Option<Self> {
        let one_more = |count| (count < most).then_some(count + 1);
        let added = among.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more);
        added.ok().map(|_| Self(among))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A pool for these tasks, one for the others, and how many of them are in each, not finished.
struct Pools<'a> {
    computing: &'a TaskPool,
    idle: Option<&'a TaskPool>,
    counts: &'static [AtomicUsize; 2],
}

impl Pools<'_> {
    fn spawn<T: Send + 'static>(&self, task: impl Future<Output = T> + Send + 'static) -> Task<T> {
        let counted_as = |counted: Counted| async move {
            let _counted = counted;
            task.await
        };
        let [computing, idle] = self.counts;
        if computing.load(Ordering::Relaxed) >= WAITING * self.computing.thread_num()
            && let Some(pool) = self.idle
            && let Some(counted) = Counted::below(WAITING * pool.thread_num(), idle)
        {
            return pool.spawn(counted_as(counted));
        }
        self.computing.spawn(counted_as(Counted::new(computing)))
    }
}

/// Begins a task: see [`spawn_one_of_many`](super::spawn_one_of_many).
///
/// # Panics
/// Without Bevy's [`AsyncComputeTaskPool`].
pub(super) fn spawn<T: Send + 'static>(
    task: impl Future<Output = T> + Send + 'static,
    on_io_threads: bool,
) -> Task<T> {
    static COUNTS: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
    let io = if on_io_threads { IoTaskPool::try_get() } else { None };
    let computing = AsyncComputeTaskPool::get();
    Pools { computing, idle: io.map(|pool| &**pool), counts: &COUNTS }.spawn(task)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Condvar, Mutex};
    use std::thread;

    use bevy_tasks::{TaskPoolBuilder, block_on};

    use super::*;

    /// Tasks wait until it is opened, at the latest when it is dropped: a pool waits for its tasks.
    #[derive(Default)]
    struct Gate(Arc<(Mutex<bool>, Condvar)>);

    impl Gate {
        fn open(&self) {
            let (is_open, opened) = &*self.0;
            *is_open.lock().unwrap() = true;
            opened.notify_all();
        }
    }

    impl Drop for Gate {
        fn drop(&mut self) {
            self.open();
        }
    }

    #[test]
    fn many_tasks_use_idle_threads_and_a_few_do_not() {
        static COUNTS: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
        let counts = || COUNTS.each_ref().map(|count| count.load(Ordering::Relaxed));
        let [computing, idle] = [2, 1].map(|n| TaskPoolBuilder::new().num_threads(n).build());
        let pools = Pools { computing: &computing, idle: Some(&idle), counts: &COUNTS };
        // Each task says on which thread it went on.
        let gate = Gate::default();
        let begin = |pools: &Pools| {
            let gate = gate.0.clone();
            pools.spawn(async move {
                let (is_open, opened) = &*gate;
                let is_open = is_open.lock().unwrap();
                drop(opened.wait_while(is_open, |is_open| !*is_open).unwrap());
                thread::current().id()
            })
        };
        let few: Vec<_> = (0..2 * WAITING).map(|_| begin(&pools)).collect();
        assert_eq!(counts(), [2 * WAITING, 0]);
        let many: Vec<_> = (0..WAITING).map(|_| begin(&pools)).collect();
        assert_eq!(counts(), [2 * WAITING, WAITING]);
        // The others wait, as do those that may not run there.
        let rest = [begin(&pools), begin(&Pools { idle: None, ..pools })];
        assert_eq!(counts(), [2 * WAITING + 2, WAITING]);
        // Who does not want them any more makes room.
        let [kept, cancelled] = rest;
        drop(cancelled);

        gate.open();
        let ids = |tasks: Vec<Task<_>>| -> Vec<_> { tasks.into_iter().map(block_on).collect() };
        let (own, lent) = (ids(few), ids(many));
        assert!(lent.iter().all(|id| !own.contains(id)));
        assert!(own.contains(&block_on(kept)));
        // A cancelled task is dropped by a thread of its pool.
        while counts() != [0, 0] {
            thread::yield_now();
        }
    }
}
