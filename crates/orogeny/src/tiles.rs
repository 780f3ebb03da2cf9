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

/// Which part of the plane.
pub(crate) type Key = [i64; 2];

/// At most so many parts. A new one takes the place of an older one. Without the feature `std`
/// nothing is kept.
#[derive(Debug)]
pub(crate) struct Tiles<T> {
    #[cfg(feature = "std")]
    places: alloc::boxed::Box<[Mutex<Option<(Key, Arc<T>)>>]>,
    #[cfg(not(feature = "std"))]
    nothing: core::marker::PhantomData<fn() -> T>,
}

#[cfg(feature = "std")]
impl<T> Tiles<T> {
    pub fn new(count: usize) -> Self {
        Self { places: (0..count).map(|_| Mutex::new(None)).collect() }
    }

    /// The part with a key. Two threads may compute the same part at once: neither waits.
    pub fn get(&self, key: Key, compute: impl FnOnce() -> T) -> Arc<T> {
        let hash = key.iter().fold(0u64, |hash, &part| {
            (hash.rotate_left(23) ^ part as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        let place = &self.places[(hash >> 32) as usize % self.places.len()];
        // A thread that panicked left what was there before.
        let lock = || place.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((known, tile)) = &*lock()
            && *known == key
        {
            return tile.clone();
        }
        let tile = Arc::new(compute());
        *lock() = Some((key, tile.clone()));
        tile
    }
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
