//! The cache of tiles.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::cache::Cache;

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
