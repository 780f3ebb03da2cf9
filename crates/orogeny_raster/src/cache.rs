//! Values that are loaded on demand and evicted by last use.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A cache of up to `budget` bytes. Each value is loaded once, by the thread that asks first.
pub(crate) struct Cache<K, V> {
    budget: usize,
    state: Mutex<State<K, V>>,
}

struct State<K, V> {
    entries: HashMap<K, Entry<V>>,
    /// The keys of all entries by last use: the first is the least recently used.
    by_use: BTreeMap<u64, K>,
    /// The bytes of all entries.
    used: usize,
    /// Counts up with each use.
    clock: u64,
}

struct Entry<V> {
    slot: Arc<OnceLock<V>>,
    bytes: usize,
    last_use: u64,
}

/// A value in use: it stays in memory when the cache evicts it.
pub(crate) struct Held<V>(Arc<OnceLock<V>>);

impl<V> Held<V> {
    /// The value; `None` if the thread that loaded it panicked.
    pub fn get(&self) -> Option<&V> {
        self.0.get()
    }
}

impl<K: Hash + Eq + Copy, V> Cache<K, V> {
    pub fn new(budget: usize) -> Self {
        let state = State { entries: HashMap::new(), by_use: BTreeMap::new(), used: 0, clock: 0 };
        Self { budget, state: Mutex::new(state) }
    }

    /// The value of a key that takes `bytes`. If it is not there, it is loaded, while other threads
    /// that want it wait. A value larger than the budget is not kept.
    pub fn get(&self, key: K, bytes: usize, load: impl FnOnce() -> V) -> Held<V> {
        let slot = self.slot(key, bytes);
        slot.get_or_init(load);
        Held(slot)
    }

    fn slot(&self, key: K, bytes: usize) -> Arc<OnceLock<V>> {
        let mut state = self.lock();
        if let Some(slot) = state.touch(&key) {
            return slot;
        }
        let slot = Arc::new(OnceLock::new());
        if bytes <= self.budget {
            while state.used + bytes > self.budget {
                state.evict_oldest();
            }
            state.insert(key, slot.clone(), bytes);
        }
        slot
    }

    /// The budget in bytes.
    pub fn budget(&self) -> usize {
        self.budget
    }

    /// Forgets the value of a key.
    pub fn remove(&self, key: &K) {
        self.lock().remove(key);
    }

    /// The bytes of all values.
    pub fn used(&self) -> usize {
        self.lock().used
    }

    /// Forgets all values.
    pub fn clear(&self) {
        let mut state = self.lock();
        state.entries.clear();
        state.by_use.clear();
        state.used = 0;
    }

    /// No code panics while it holds the lock, so the state is always whole.
    fn lock(&self) -> MutexGuard<'_, State<K, V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq + Copy, V> State<K, V> {
    /// The entry of a key, which becomes the most recently used.
    fn touch(&mut self, key: &K) -> Option<Arc<OnceLock<V>>> {
        let entry = self.entries.get_mut(key)?;
        if entry.last_use != self.clock {
            self.clock += 1;
            self.by_use.remove(&entry.last_use);
            self.by_use.insert(self.clock, *key);
            entry.last_use = self.clock;
        }
        Some(entry.slot.clone())
    }

    /// Adds an entry of a key that has none.
    fn insert(&mut self, key: K, slot: Arc<OnceLock<V>>, bytes: usize) {
        self.clock += 1;
        self.used += bytes;
        self.by_use.insert(self.clock, key);
        self.entries.insert(key, Entry { slot, bytes, last_use: self.clock });
    }

    fn remove(&mut self, key: &K) {
        if let Some(entry) = self.entries.remove(key) {
            self.by_use.remove(&entry.last_use);
            self.used -= entry.bytes;
        }
    }

    fn evict_oldest(&mut self) {
        if let Some(key) = self.by_use.first_key_value().map(|(_, key)| *key) {
            self.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn the_least_recently_used_is_evicted() {
        let cache = Cache::new(30);
        let loads = AtomicUsize::new(0);
        let get = |key: usize| {
            let held = cache.get(key, 10, || {
                loads.fetch_add(1, Ordering::Relaxed);
                key * 2
            });
            assert_eq!(held.get(), Some(&(key * 2)));
            assert!(cache.used() <= 30);
            loads.load(Ordering::Relaxed)
        };
        assert_eq!([1, 2, 3].map(get), [1, 2, 3]);
        // 1 is used again, so 2 is the oldest.
        assert_eq!([1, 4, 1, 3, 2].map(get), [3, 4, 4, 4, 5]);
        assert_eq!(cache.used(), 30);
        cache.clear();
        assert_eq!((cache.used(), get(1)), (0, 6));
    }

    #[test]
    fn a_value_in_use_survives_and_a_huge_one_is_not_kept() {
        let cache = Cache::new(10);
        let held = cache.get(1, 10, || "one");
        let other = cache.get(2, 10, || "two");
        assert_eq!((held.get(), other.get()), (Some(&"one"), Some(&"two")));
        assert_eq!(cache.get(3, 11, || "three").get(), Some(&"three"));
        assert_eq!(cache.used(), 10);
    }

    #[test]
    fn threads_load_a_value_once() {
        let (cache, loads) = (Cache::new(1000), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for key in 0..100usize {
                        let held = cache.get(key, 10, || {
                            loads.fetch_add(1, Ordering::Relaxed);
                            thread::yield_now();
                            key
                        });
                        assert_eq!(held.get(), Some(&key));
                    }
                });
            }
        });
        assert_eq!((loads.into_inner(), cache.used()), (100, 1000));
    }

    /// The time of a miss, the shortest of some rounds, in a full cache of `count` entries.
    fn miss(count: usize) -> Duration {
        let cache = Cache::new(count);
        (0..count).for_each(|key| drop(cache.get(key, 1, || ())));
        let round = |round: usize| {
            let start = Instant::now();
            let first = count + round * 500;
            (first..first + 500).for_each(|key| drop(cache.get(key, 1, || ())));
            start.elapsed()
        };
        let shortest = (0..5).map(round).min().unwrap();
        assert_eq!(cache.used(), count);
        shortest
    }

    /// As many as 16 x 16 tiles of a TIFF in the default budget.
    #[test]
    fn many_entries_do_not_slow_eviction() {
        let [few, many] = [1000, 64_000].map(miss);
        assert!(many < 10 * few, "{few:?} {many:?}");
    }
}
