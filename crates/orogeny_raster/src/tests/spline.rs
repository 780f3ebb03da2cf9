//! The spline against formulas, a direct solver, and difference quotients.

use orogeny::Field;

use crate::tests::{random, raster_of, rough};
use crate::{Raster, RasterField};

/// Solves c(i-1) + 4 c(i) + c(i+1) = 6 s(i), mirrored at both ends, by elimination.
fn solve(samples: &[f64]) -> Vec<f64> {
    let n = samples.len();
    let (mut upper, mut right) = (vec![0.0; n], vec![0.0; n]);
    for i in 0..n {
        let (lower, above) = match i {
            0 => (0.0, 2.0),
            i if i == n - 1 => (2.0, 0.0),
            _ => (1.0, 1.0),
        };
        let (u, r) = if i == 0 { (0.0, 0.0) } else { (upper[i - 1], right[i - 1]) };
        let pivot = 4.0 - lower * u;
        upper[i] = above / pivot;
        right[i] = (6.0 * samples[i] - lower * r) / pivot;
    }
    for i in (0..n - 1).rev() {
        right[i] -= upper[i] * right[i + 1];
    }
    right
}

/// The cubic B-spline by its definition with powers of |x|.
fn beta(x: f64) -> f64 {
    let x = x.abs();
    if x < 1.0 {
        2.0 / 3.0 - x * x + x * x * x / 2.0
    } else if x < 2.0 {
        (2.0 - x) * (2.0 - x) * (2.0 - x) / 6.0
    } else {
        0.0
    }
}

/// The spline through a raster at indices (u, v), all in `f64`.
struct Oracle {
    size: [usize; 2],
    coefficients: Vec<f64>,
}

impl Oracle {
    fn new(raster: &Raster) -> Self {
        let [columns, rows] = raster.size();
        let mut all: Vec<f64> = raster.heights().iter().map(|&h| h.into()).collect();
        for i in 0..columns {
            let line: Vec<f64> = (0..rows).map(|j| all[j * columns + i]).collect();
            solve(&line).iter().enumerate().for_each(|(j, &c)| all[j * columns + i] = c);
        }
        for row in all.chunks_exact_mut(columns) {
            let solved = solve(row);
            row.copy_from_slice(&solved);
        }
        Self { size: [columns, rows], coefficients: all }
    }

    fn at(&self, u: f64, v: f64) -> f64 {
        let mirror = |i: i64, n: usize| {
            let last = n as i64 - 1;
            (if i < 0 {
                -i
            } else if i > last {
                2 * last - i
            } else {
                i
            }) as usize
        };
        let mut sum = 0.0;
        for j in v.floor() as i64 - 1..=v.floor() as i64 + 2 {
            for i in u.floor() as i64 - 1..=u.floor() as i64 + 2 {
                // The weight is 0 where the mirrored index would be outside, too.
                let weight = beta(u - i as f64) * beta(v - j as f64);
                if weight != 0.0 {
                    let index = mirror(j, self.size[1]) * self.size[0] + mirror(i, self.size[0]);
                    sum += weight * self.coefficients[index];
                }
            }
        }
        sum
    }
}

#[test]
fn it_is_the_spline_of_a_direct_solver() {
    for (seed, size) in
        [[2, 2], [2, 7], [3, 2], [4, 5], [16, 17], [18, 33], [70, 40]].into_iter().enumerate()
    {
        let raster = rough(seed as u64, size);
        let (oracle, field) = (Oracle::new(&raster), RasterField::new(&raster).unwrap());
        for k in 0..300 {
            let [u, v] = [0, 1]
                .map(|axis| (random(9 + axis as u64, k) * 0.5 + 0.5) * (size[axis] - 1) as f64);
            let found = field.value([10.0 + 2.0 * u, -20.0 + 3.0 * v]);
            let exact = oracle.at(u, v);
            assert!((f64::from(found) - exact).abs() < 1e-4, "{size:?} {u} {v}: {found} {exact}");
        }
    }
}

#[test]
fn it_hits_the_samples() {
    for size in [[2, 2], [5, 3], [40, 31]] {
        let raster = rough(3, size);
        let field = RasterField::new(&raster).unwrap();
        for j in 0..size[1] {
            for i in 0..size[0] {
                let found = field.value([10.0 + 2.0 * i as f64, -20.0 + 3.0 * j as f64]);
                let exact = raster.height(i, j).unwrap();
                assert!((found - exact).abs() <= 3e-5, "{size:?} {i} {j}: {found} {exact}");
            }
        }
    }
}

/// Away from the border, where the mirrored samples are forgotten, it is the cubic itself.
#[test]
fn it_reproduces_cubics() {
    let height = |x: f64, z: f64| {
        let (x, z) = (x / 60.0, z / 60.0);
        3.0 + 5.0 * x - 2.0 * z + 4.0 * x * z - 3.0 * x * x * z + x * x * x - 2.0 * z * z * z
    };
    let slope = |x: f64, z: f64| {
        let (x, z) = (x / 60.0, z / 60.0);
        let dx = 5.0 + 4.0 * z - 6.0 * x * z + 3.0 * x * x;
        let dz = -2.0 + 4.0 * x - 3.0 * x * x - 6.0 * z * z;
        [dx / 60.0, dz / 60.0]
    };
    let hessian = |x: f64, z: f64| {
        let (x, z) = (x / 60.0, z / 60.0);
        let (xx, xz, zz) = (-6.0 * z + 6.0 * x, 4.0 - 6.0 * x, -12.0 * z);
        [[xx, xz], [xz, zz]].map(|row| row.map(|h| h / 3600.0))
    };
    let raster = raster_of([81, 61], [1.5, 2.0], [-60.0, -60.0], height);
    let field = RasterField::new(&raster).unwrap();
    for k in 0..500 {
        let [x, z] = [25.0 * random(1, k), 25.0 * random(2, k)];
        let jet = field.jet([x, z]);
        assert!((f64::from(jet.sample.value) - height(x, z)).abs() < 1e-5, "{x} {z}");
        for axis in 0..2 {
            let found = f64::from(jet.sample.gradient[axis]);
            assert!((found - slope(x, z)[axis]).abs() < 1e-5, "{x} {z} {found}");
            for other in 0..2 {
                let found = f64::from(jet.hessian[axis][other]);
                assert!((found - hessian(x, z)[axis][other]).abs() < 1e-5, "{x} {z} {found}");
            }
        }
    }
}

#[test]
fn gradients_and_hessians_are_difference_quotients() {
    let size = [23, 19];
    let raster = rough(5, size);
    let (oracle, field) = (Oracle::new(&raster), RasterField::new(&raster).unwrap());
    let at = |x: f64, z: f64| oracle.at((x - 10.0) / 2.0, (z + 20.0) / 3.0);
    let h = 1e-4;
    for k in 0..400 {
        let x = 11.0 + 21.0 * (random(1, k) + 1.0) * 0.97;
        let z = -19.0 + 26.0 * (random(2, k) + 1.0) * 0.97;
        let jet = field.jet([x, z]);
        assert_eq!(jet.sample, field.sample([x, z]));
        let dx = (at(x + h, z) - at(x - h, z)) / (2.0 * h);
        let dz = (at(x, z + h) - at(x, z - h)) / (2.0 * h);
        for (found, exact) in jet.sample.gradient.into_iter().zip([dx, dz]) {
            assert!((f64::from(found) - exact).abs() < 1e-3, "{x} {z}: {found} {exact}");
        }
        // Differences of gradients, which the test above has checked.
        for axis in 0..2 {
            let moved = |h: f64| {
                let p = if axis == 0 { [x + h, z] } else { [x, z + h] };
                field.sample(p).gradient.map(f64::from)
            };
            let (h, before, after) = (1e-2, moved(-1e-2), moved(1e-2));
            for other in 0..2 {
                let exact = (after[other] - before[other]) / (2.0 * h);
                let found = f64::from(jet.hessian[axis][other]);
                // Third derivatives jump by some 1000 between cells.
                assert!((found - exact).abs() < 3.0, "{x} {z}: {found} {exact}");
            }
        }
        assert_eq!(jet.hessian[0][1].to_bits(), jet.hessian[1][0].to_bits());
    }
}

#[test]
fn it_is_exact_far_from_the_origin() {
    let position = [4_321_000.5, -6_543_210.25];
    let near = rough(7, [20, 20]);
    let far = near.clone().at(position).unwrap();
    let (near, far) = (RasterField::new(&near).unwrap(), RasterField::new(&far).unwrap());
    for k in 0..100 {
        // Halves and quarters have no rounding.
        let [u, v] = [(k % 10) as f64 * 0.25, (k / 10) as f64 * 0.5];
        let (a, b) = ([10.0 + u, -20.0 + v], [position[0] + u, position[1] + v]);
        assert_eq!(near.sample(a), far.sample(b));
    }
}
