//! Parts of the plane that are kept once computed.
//!
//! What is kept never changes a result, only the time it takes.

use alloc::sync::Arc;
#[cfg(feature = "std")]
use std::sync::Mutex;

/// A value that is computed when it is first needed.
#[cfg(not(feature = "std"))]
pub(crate) use core::cell::OnceCell as Once;
#[cfg(feature = "std")]
pub(crate) use std::sync::OnceLock as Once;

/// The value of a cell, computed if it has none. Two threads may compute it at once, and neither
/// waits: the fields that they sample may hand work to other threads, which may need the same cell.
pub(crate) fn value_of<T>(cell: &Once<T>, compute: impl FnOnce() -> T) -> &T {
    if cell.get().is_none() {
        // Another thread may have been faster; both values are the same.
        let _ = cell.set(compute());
    }
    cell.get().expect("a value that was set")
}

/// Which part of the plane.
pub(crate) type Key = [i64; 2];

/// How many parts share a place: of parts that are needed one after another, few push out each
/// other.
#[cfg(feature = "std")]
const WAYS: usize = 4;

/// At most so many parts. A new one takes the place of one that nobody has asked for since others
/// there. Without the feature `std` nothing is kept.
#[derive(Debug)]
pub(crate) struct Tiles<T> {
    #[cfg(feature = "std")]
    places: alloc::boxed::Box<[Mutex<Place<T>>]>,
    #[cfg(not(feature = "std"))]
    nothing: core::marker::PhantomData<fn() -> T>,
}

/// The parts at a place, the last one that was asked for first.
#[cfg(feature = "std")]
type Place<T> = alloc::vec::Vec<(Key, Arc<T>)>;

#[cfg(feature = "std")]
impl<T> Tiles<T> {
    pub fn new(count: usize) -> Self {
        Self { places: (0..count.div_ceil(WAYS)).map(|_| Mutex::default()).collect() }
    }

    /// The part with a key. Two threads may compute the same part at once: neither waits.
    pub fn get(&self, key: Key, compute: impl FnOnce() -> T) -> Arc<T> {
        let hash = key.iter().fold(0u64, |hash, &part| {
            (hash.rotate_left(23) ^ part as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        let place = &self.places[(hash >> 32) as usize % self.places.len()];
        // A thread that panicked left what was there before.
        let lock = || place.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(tile) = last_of(&mut lock(), key) {
            return tile;
        }
        let tile = Arc::new(compute());
        let mut place = lock();
        // Another thread may have been faster: two would push out a part that others need.
        if let Some(known) = last_of(&mut place, key) {
            return known;
        }
        place.truncate(WAYS - 1);
        place.insert(0, (key, tile.clone()));
        tile
    }
}

/// The part with a key, which becomes the first of its place.
#[cfg(feature = "std")]
fn last_of<T>(place: &mut Place<T>, key: Key) -> Option<Arc<T>> {
    let at = place.iter().position(|(known, _)| *known == key)?;
    place[..=at].rotate_right(1);
    Some(place[0].1.clone())
}

#[cfg(not(feature = "std"))]
impl<T> Tiles<T> {
    pub fn new(_: usize) -> Self {
        Self { nothing: core::marker::PhantomData }
    }

    pub fn get(&self, _: Key, compute: impl FnOnce() -> T) -> Arc<T> {
        Arc::new(compute())
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    #[test]
    fn parts_that_are_asked_for_stay() {
        let tiles = Tiles::new(WAYS);
        let made = core::cell::Cell::new(0);
        let ask = |key: i64| {
            let tile = tiles.get([key, 0], || {
                made.set(made.get() + 1);
                key
            });
            assert_eq!(*tile, key);
            made.get()
        };
        (0..4).for_each(|key| assert_eq!(ask(key), key + 1));
        assert_eq!([ask(0), ask(1), ask(2), ask(3)], [4; 4]);
        // The fifth takes the place of the oldest.
        assert_eq!([ask(0), ask(4), ask(0), ask(2), ask(3)], [4, 5, 5, 5, 5]);
        assert_eq!(ask(1), 6);
        // As if two threads computed the same: the others stay.
        let first = tiles.get([9, 0], || *tiles.get([9, 0], || 7) + 1);
        assert_eq!(*first, 7);
        assert_eq!([ask(1), ask(3), ask(2)], [6; 3]);
    }
}
