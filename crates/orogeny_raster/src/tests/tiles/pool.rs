//! The pool of TIFF decoders.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::pool::Pool;

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
