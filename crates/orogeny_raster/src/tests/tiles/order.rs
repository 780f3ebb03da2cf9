//! The bits do not depend on the order of queries, evictions or threads.

use std::thread;

use orogeny::Field;

use super::{bits, position, tiled, unbounded};
use crate::Tiling;
use crate::tests::write::Folder;

#[test]
fn any_order_and_any_budget() {
    let folder = Folder::new();
    let large = tiled(&folder, true, unbounded());
    let expected: Vec<_> = (0..300).map(|k| bits(large.sample(position(k)))).collect();
    // Backwards, with all tiles forgotten now and then.
    let other = tiled(&folder, true, unbounded());
    for k in (0..300).rev() {
        if k % 50 == 0 {
            other.reload();
        }
        assert_eq!(bits(other.sample(position(k))), expected[k as usize]);
    }
    // By threads, with a scan before.
    let shared = tiled(&folder, true, Tiling::default());
    thread::scope(|scope| {
        for thread in 0..8 {
            let (shared, expected) = (&shared, &expected);
            scope.spawn(move || {
                for k in 0..300 {
                    let k = (k * 7 + thread * 31) % 300;
                    assert_eq!(bits(shared.sample(position(k))), expected[k as usize]);
                }
            });
        }
    });
}
