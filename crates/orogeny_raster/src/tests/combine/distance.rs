//! Distances against all pairs.

use crate::combine::distance::distances;
use crate::tests::random;

#[test]
fn they_are_those_of_the_nearest_of_all() {
    for (seed, share) in (0..40).zip([0.7, 0.9, 0.99, 0.0].into_iter().cycle()) {
        let [columns, rows] = [1 + seed as usize % 17, 1 + seed as usize % 11];
        let spacing = [0.5 + seed as f64 / 9.0, 3.0];
        let set: Vec<bool> = (0..columns * rows).map(|k| random(seed, k as u64) > share).collect();
        let found = distances(&set, columns, spacing);
        let at = |k: usize| [(k % columns) as f64 * spacing[0], (k / columns) as f64 * spacing[1]];
        for (k, &found) in found.iter().enumerate() {
            let others = set.iter().enumerate().filter(|(_, is)| **is).map(|(other, _)| {
                let ([x, z], [u, v]) = (at(k), at(other));
                (x - u).hypot(z - v)
            });
            let exact = others.fold(f64::INFINITY, f64::min);
            assert!(
                f64::from(found) == exact || (f64::from(found) - exact).abs() < 1e-5 * exact,
                "{columns} x {rows}, {k}: {found} {exact}"
            );
        }
    }
}

/// The longest columns, with a spacing that is not a sum of powers of two: no error adds up.
#[test]
fn long_columns_are_exact_up_to_rounding() {
    let (rows, spacing) = (16_384, [1.0, 0.1]);
    for first in [0, rows - 1] {
        let set: Vec<bool> = (0..rows).map(|j| j == first).collect();
        for (j, found) in distances(&set, 1, spacing).into_iter().enumerate() {
            assert_eq!(found, (0.1 * j.abs_diff(first) as f64) as f32, "row {j}");
        }
    }
}
