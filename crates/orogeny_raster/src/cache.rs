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
