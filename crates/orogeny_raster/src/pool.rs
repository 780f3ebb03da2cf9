//! Values that one thread uses at a time, kept for the next one.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// A pool whose values take up to `budget` bytes, idle and lent ones together. A single value may
/// take more.
pub(crate) struct Pool<K, T> {
    budget: usize,
    state: Mutex<State<K, T>>,
    /// Notified when a value comes back.
    returned: Condvar,
}

struct State<K, T> {
    /// Values that no thread uses; the first one has waited for longest.
    idle: VecDeque<Idle<K, T>>,
    lent: usize,
    /// The bytes of all values, idle and lent.
    used: usize,
}

struct Idle<K, T> {
    key: K,
    value: T,
    bytes: usize,
}

/// A value in use. It returns to its pool when it is dropped.
struct Lent<'a, K: Copy, T> {
    pool: &'a Pool<K, T>,
    key: K,
    bytes: usize,
    /// `None` until it is made.
    value: Option<T>,
}

impl<K: Eq + Copy, T> Pool<K, T> {
    pub fn new(budget: usize) -> Self {
        let state = State { idle: VecDeque::new(), lent: 0, used: 0 };
        Self { budget, state: Mutex::new(state), returned: Condvar::new() }
    }

    /// Adds an idle value that takes `bytes`.
    pub fn add(&self, key: K, bytes: usize, value: T) {
        let mut state = self.lock();
        state.used += bytes;
        state.idle.push_back(Idle { key, value, bytes });
        while state.used > self.budget && state.idle.len() + state.lent > 1 && state.evict() {}
    }

    /// Lends an idle value of a key to `work`, or makes one that takes `bytes`. Waits while other
    /// lent values leave no room for it, so `work` must not borrow from the same pool.
    pub fn lend<R, E>(
        &self,
        key: K,
        bytes: usize,
        make: impl FnOnce() -> Result<T, E>,
        work: impl FnOnce(&mut T) -> R,
    ) -> Result<R, E> {
        let mut state = self.lock();
        let idle = loop {
            if let Some(index) = state.idle.iter().rposition(|idle| idle.key == key) {
                break state.idle.remove(index);
            }
            while state.used.saturating_add(bytes) > self.budget && state.evict() {}
            if state.used.saturating_add(bytes) <= self.budget || state.lent == 0 {
                state.used += bytes;
                break None;
            }
            state = self.returned.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        state.lent += 1;
        drop(state);
        // If `make` fails, the room for its value is free again.
        let mut lent = Lent { pool: self, key, bytes, value: None };
        let value = idle.map_or_else(make, |idle| Ok(idle.value))?;
        Ok(work(lent.value.insert(value)))
    }

    /// The bytes of all values.
    pub fn used(&self) -> usize {
        self.lock().used
    }
}

impl<K, T> Pool<K, T> {
    /// No code panics while it holds the lock, so the state is always whole.
    fn lock(&self) -> MutexGuard<'_, State<K, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K, T> State<K, T> {
    /// Drops the value that has been idle for longest. Returns whether there was one.
    fn evict(&mut self) -> bool {
        let oldest = self.idle.pop_front();
        self.used -= oldest.as_ref().map_or(0, |idle| idle.bytes);
        oldest.is_some()
    }
}

impl<K: Copy, T> Drop for Lent<'_, K, T> {
    fn drop(&mut self) {
        // What a panic leaves behind is not used again.
        let value = self.value.take().filter(|_| !thread::panicking());
        let mut state = self.pool.lock();
        state.lent -= 1;
        match value {
            Some(value) => {
                state.idle.push_back(Idle { key: self.key, value, bytes: self.bytes });
            }
            None => state.used -= self.bytes,
        }
        drop(state);
        self.pool.returned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    /// Lends a value to a closure, made if there is none. Returns whether it was made.
    fn is_new(pool: &Pool<usize, usize>, key: usize, bytes: usize) -> bool {
        let mut is_made = false;
        let make = || {
            is_made = true;
            Ok::<_, Infallible>(key)
        };
        let Ok(value) = pool.lend(key, bytes, make, |value| *value);
        assert_eq!(value, key);
        is_made
    }

    #[test]
    fn what_has_been_idle_for_longest_makes_room() {
        let pool = Pool::new(30);
        pool.add(1, 10, 1);
        assert_eq!([1, 2, 3, 1].map(|key| is_new(&pool, key, 10)), [false, true, true, false]);
        // 2 has been idle for longest.
        assert_eq!([4, 3, 1, 2].map(|key| is_new(&pool, key, 10)), [true, false, false, true]);
        assert_eq!(pool.used(), 30);
        // A single value may exceed the budget.
        assert!(is_new(&pool, 5, 100) && !is_new(&pool, 5, 100));
        assert_eq!(pool.used(), 100);
        assert!(is_new(&pool, 1, 10));
        assert_eq!(pool.used(), 10);
        pool.add(5, 100, 5);
        assert_eq!(pool.used(), 100);
    }

    #[test]
    fn threads_wait_for_room() {
        let (pool, in_use) = (Pool::new(30), AtomicUsize::new(0));
        thread::scope(|scope| {
            for thread in 0..8 {
                let (pool, in_use) = (&pool, &in_use);
                scope.spawn(move || {
                    for k in 0..200 {
                        let key = (thread + k) % 5;
                        let work = |_: &mut usize| {
                            assert!(in_use.fetch_add(1, Ordering::Relaxed) < 3);
                            assert!(pool.used() <= 30);
                            thread::yield_now();
                            in_use.fetch_sub(1, Ordering::Relaxed);
                        };
                        let Ok(()) = pool.lend(key, 10, || Ok::<_, Infallible>(key), work);
                    }
                });
            }
        });
        assert_eq!(pool.used(), 30);
    }

    #[test]
    fn failures_leave_no_trace() {
        let pool = Pool::new(10);
        assert_eq!(pool.lend(1, 10, || Err::<usize, _>("no"), |_| ()), Err("no"));
        assert_eq!(pool.used(), 0);
        let panics = || pool.lend(1, 10, || Ok::<_, Infallible>(1), |_| panic!("on purpose"));
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
        assert_eq!(pool.used(), 0);
        assert!(is_new(&pool, 1, 10));
    }
}
