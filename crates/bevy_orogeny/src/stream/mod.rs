//! Tiles that are built in the background: which are wanted, which a task is building, which are
//! ready, and which of these the ground has left behind.
//!
//! There is no ECS here. A layer that is made of the ground has a [`TileStream`] for each terrain.
//! It [touches](TileStream::touch) the tiles that an edit changes, which stay until they are built
//! again. It says what it [wants](TileStream::want), [begins](TileStream::begin) tasks for the most
//! urgent tiles as its budget allows, and [receives](TileStream::receive) what is finished. Tiles
//! that cannot wait for a task are built at once and [put](TileStream::put) in.
//!
//! A change that is shown in one frame is built in a second stream. That one
//! [shares](TileStream::share) what does not change, and takes the place of the first.

use core::hash::Hash;
use std::collections::BTreeSet;

use bevy_platform::collections::HashMap;
use bevy_tasks::Task;
use bevy_tasks::futures::check_ready;

#[cfg(test)]
mod tests;

/// A distance that no tile has.
const UNWANTED: u64 = u64::MAX;

/// In the order of urgency: why a tile is built, the bits of its distance, which have the order of
/// the distances themselves, and its key.
pub type Urgency<K, R> = (R, u64, K);

/// Tiles with keys `K`. A task builds a `B`, of which the layer keeps a `T`. `R` is why a tile is
/// built, the most urgent reason first; the default is that there is none yet.
#[derive(Debug)]
pub struct TileStream<K, B, T, R = ()> {
    /// All tiles that are wanted or stay.
    slots: HashMap<K, Slot<T, R>>,
    /// Dropping a task cancels it.
    tasks: HashMap<K, Task<B>>,
    /// The tiles for which a task must begin.
    missing: BTreeSet<Urgency<K, R>>,
    /// The number of tiles that are ready.
    ready: usize,
}

#[derive(Debug)]
struct Slot<T, R> {
    /// Its bits.
    distance: u64,
    ready: Option<T>,
    /// Why a task must begin, although the tile is ready or will be: it has been touched since the
    /// last one began.
    stale: Option<R>,
}

impl<T, R: Copy + Default> Slot<T, R> {
    fn new(distance: u64) -> Self {
        Self { distance, ready: None, stale: None }
    }

    fn urgency<K>(&self, key: K) -> Urgency<K, R> {
        (self.ready.as_ref().and(self.stale).unwrap_or_default(), self.distance, key)
    }

    /// Whether it would be built the same again.
    fn is_current(&self, is_building: bool) -> bool {
        self.ready.is_some() && self.stale.is_none() && !is_building
    }
}

impl<K, B, T, R> Default for TileStream<K, B, T, R> {
    fn default() -> Self {
        let (slots, tasks) = (HashMap::default(), HashMap::default());
        Self { slots, tasks, missing: BTreeSet::new(), ready: 0 }
    }
}

impl<K: Copy + Ord + Hash, B, T, R: Copy + Ord + Default> TileStream<K, B, T, R> {
    /// Wants tiles at distances of at least 0, of which the nearest counts. Of others, those that
    /// are ready or being built stay if `stays(key, ready, is_current)` says so, for viewers that
    /// move back and forth. The rest is dropped, and its tasks are cancelled. Returns what was
    /// ready of it.
    pub fn want(
        &mut self,
        wanted: impl IntoIterator<Item = (K, f64)>,
        mut stays: impl FnMut(K, Option<&T>, bool) -> bool,
    ) -> Vec<(K, T)> {
        self.slots.values_mut().for_each(|slot| slot.distance = UNWANTED);
        for (key, distance) in wanted {
            let slot = self.slots.entry(key).or_insert_with(|| Slot::new(UNWANTED));
            slot.distance = slot.distance.min(distance.abs().to_bits());
        }
        let Self { slots, tasks, .. } = self;
        let gone = slots.extract_if(|&key, slot| {
            if slot.distance != UNWANTED {
                return false;
            }
            let is_building = tasks.contains_key(&key);
            let exists = is_building || slot.ready.is_some();
            let ready = slot.ready.as_ref();
            let stays = exists && stays(key, ready, slot.is_current(is_building));
            if stays {
                slot.distance = f64::INFINITY.to_bits();
            } else {
                tasks.remove(&key);
            }
            !stays
        });
        let gone = gone.filter_map(|(key, slot)| Some((key, slot.ready?))).collect();
        self.list();
        gone
    }

    fn list(&mut self) {
        let Self { slots, tasks, missing, ready } = self;
        *ready = slots.values().filter(|slot| slot.ready.is_some()).count();
        let is_missing =
            |(key, slot): &(&K, &Slot<T, R>)| !slot.is_current(false) && !tasks.contains_key(*key);
        missing.clear();
        missing.extend(slots.iter().filter(is_missing).map(|(&key, slot)| slot.urgency(key)));
    }

    /// Changes a tile, and whether it is missing.
    fn change(&mut self, key: K, change: impl FnOnce(&mut Slot<T, R>)) {
        let Some(slot) = self.slots.get_mut(&key) else { return };
        self.missing.remove(&slot.urgency(key));
        self.ready -= usize::from(slot.ready.is_some());
        change(slot);
        self.ready += usize::from(slot.ready.is_some());
        if !self.tasks.contains_key(&key) && !slot.is_current(false) {
            self.missing.insert(slot.urgency(key));
        }
    }

    /// Builds a tile again, if it is ready or being built. What is ready stays, and what a task
    /// has begun to build serves until then: if it did not, edits in each frame would keep the tile
    /// from ever changing.
    pub fn touch(&mut self, key: K, reason: R) {
        let is_building = self.tasks.contains_key(&key);
        self.change(key, |slot| {
            if is_building || slot.ready.is_some() {
                slot.stale = Some(slot.stale.map_or(reason, |old| old.min(reason)));
            }
        });
    }

    /// The same, but cancels its task.
    pub fn restart(&mut self, key: K, reason: R) {
        self.tasks.remove(&key);
        self.touch(key, reason);
    }

    /// Takes a tile that was built without a task, in place of any other one of its key. The task
    /// of that is cancelled.
    pub fn put(&mut self, key: K, tile: T) {
        self.tasks.remove(&key);
        self.slots.entry(key).or_insert_with(|| Slot::new(f64::INFINITY.to_bits()));
        self.change(key, |slot| {
            slot.ready = Some(tile);
            slot.stale = None;
        });
    }

    /// Says that a tile that was ready has been lost. Returns what was kept of it.
    pub fn lose(&mut self, key: K) -> Option<T> {
        let mut lost = None;
        self.change(key, |slot| lost = slot.ready.take());
        lost
    }

    /// The most urgent of the missing tiles.
    pub fn next(&self) -> Option<Urgency<K, R>> {
        self.missing.first().copied()
    }

    /// Begins to build a missing tile: the [next](Self::next), or whichever the layer finds more
    /// urgent.
    pub fn begin(&mut self, key: K, task: Task<B>) {
        if self.slots.contains_key(&key) {
            self.tasks.insert(key, task);
            self.change(key, |slot| slot.stale = None);
        }
    }

    /// Makes a finished tile ready. `keep` gets what was built, and what was kept of it before.
    pub fn receive(&mut self, key: K, keep: impl FnOnce(B, Option<T>) -> T) {
        let Some(built) = self.tasks.get_mut(&key).and_then(check_ready) else { return };
        self.tasks.remove(&key);
        self.change(key, |slot| slot.ready = Some(keep(built, slot.ready.take())));
    }

    /// The same tiles for another ground. It has those that are current and that it `shares`; all
    /// others are missing.
    pub fn share(&self, shares: impl Fn(K) -> bool) -> Self
    where
        T: Clone,
    {
        let slots = self.slots.iter().map(|(&key, slot)| {
            let is_current = slot.is_current(self.tasks.contains_key(&key));
            let ready = slot.ready.clone().filter(|_| is_current && shares(key));
            (key, Slot { distance: slot.distance, ready, stale: None })
        });
        let mut shared = Self { slots: slots.collect(), ..Self::default() };
        shared.list();
        shared
    }

    /// The tiles that are ready or being built.
    pub fn begun(&self) -> impl Iterator<Item = K> {
        let has_begun = |key: &K| self.get(*key).is_some() || self.tasks.contains_key(key);
        self.slots.keys().copied().filter(has_begun)
    }

    /// The tiles that are ready, current or not.
    pub fn ready(&self) -> impl Iterator<Item = (K, &T)> {
        self.slots.iter().filter_map(|(&key, slot)| Some((key, slot.ready.as_ref()?)))
    }

    /// The number of tiles that are ready.
    pub fn ready_len(&self) -> usize {
        self.ready
    }

    /// What is kept of the tiles that are ready, to be changed.
    pub fn ready_mut(&mut self) -> impl Iterator<Item = (K, &mut T)> {
        self.slots.iter_mut().filter_map(|(&key, slot)| Some((key, slot.ready.as_mut()?)))
    }

    /// What is kept of a tile that is ready.
    pub fn get(&self, key: K) -> Option<&T> {
        self.slots.get(&key)?.ready.as_ref()
    }

    /// Whether a tile is ready but not current: it was touched, and has not been built since.
    pub fn is_stale(&self, key: K) -> bool {
        let is_building = self.tasks.contains_key(&key);
        let slot = self.slots.get(&key).filter(|slot| slot.ready.is_some());
        slot.is_some_and(|slot| !slot.is_current(is_building))
    }

    /// The distance at which a tile was last wanted; infinite for one that only stays.
    pub fn distance(&self, key: K) -> f64 {
        self.slots.get(&key).map_or(f64::INFINITY, |slot| f64::from_bits(slot.distance))
    }

    /// The tiles for which no task has begun, the most urgent first.
    pub fn missing(&self) -> impl ExactSizeIterator<Item = K> {
        self.missing.iter().map(|&(.., key)| key)
    }

    /// The tiles that have a task.
    pub fn building(&self) -> impl ExactSizeIterator<Item = K> {
        self.tasks.keys().copied()
    }

    /// Those of them whose task is done.
    pub fn finished(&self) -> Vec<K> {
        let finished = self.tasks.iter().filter(|(_, task)| task.is_finished());
        finished.map(|(&key, _)| key).collect()
    }
}
