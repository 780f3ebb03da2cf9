//! Values that are loaded on demand and evicted by last use.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A cache of up to `budget` bytes. Each value is loaded once, by the thread that asks first.
pub(crate) struct Cache<K, V> {
    budget: usize,
    state: Mutex<State<K, V>>,
}

struct State<K, V> {
    entries: HashMap<K, Entry<V>>,
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
        let state = State { entries: HashMap::new(), used: 0, clock: 0 };
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
        state.clock += 1;
        let now = state.clock;
        if let Some(entry) = state.entries.get_mut(&key) {
            entry.last_use = now;
            return entry.slot.clone();
        }
        let slot = Arc::new(OnceLock::new());
        if bytes <= self.budget {
            while state.used + bytes > self.budget {
                state.evict_oldest();
            }
            state.used += bytes;
            state.entries.insert(key, Entry { slot: slot.clone(), bytes, last_use: now });
        }
        slot
    }

    /// The bytes of all values.
    pub fn used(&self) -> usize {
        self.lock().used
    }

    /// Forgets all values.
    pub fn clear(&self) {
        let mut state = self.lock();
        state.entries.clear();
        state.used = 0;
    }

    /// No code panics while it holds the lock, so the state is always whole.
    fn lock(&self) -> MutexGuard<'_, State<K, V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq + Copy, V> State<K, V> {
    /// Loading takes far longer than to look at all entries.
    fn evict_oldest(&mut self) {
        let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.last_use);
        if let Some(key) = oldest.map(|(key, _)| *key) {
            self.used -= self.entries.remove(&key).map_or(0, |entry| entry.bytes);
        }
    }
}
