//! The field of a raster: the spline against formulas, a direct solver, and difference quotients,
//! grids against points, its domain, and its bounds.

use orogeny::{Bounds, Field, Grid, Samples};
use proptest::prelude::*;

use crate::tests::{assert_bounds, assert_grids_are_points, random, raster_of, rough};
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn grids_are_points(
        origin in [0.0..60.0, -30.0..40.0],
        spacing in [-1.0..1.0, -1.0..1.0],
        size in [0usize..200, 0usize..9],
        start in [0usize..40, 0usize..40],
    ) {
        let field = RasterField::new(&rough(1, [25, 20])).unwrap();
        let grid = Grid { origin, spacing, start, size };
        assert_grids_are_points(&field, &grid);
    }
}

#[test]
fn a_filled_buffer_allocates_nothing() {
    let field = RasterField::new(&rough(1, [25, 20])).unwrap();
    let grid = Grid::new([11.0, -15.0], 0.1, [150, 80]);
    let mut samples = Samples::new();
    field.sample_grid(&grid, &mut samples);
    let info = allocation_counter::measure(|| field.sample_grid(&grid, &mut samples));
    assert_eq!(info.count_total, 0);
    let info = allocation_counter::measure(|| {
        field.local_bounds([20.0, 0.0], 5.0);
        field.local_bounds([20.0, 0.0], 50.0);
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn there_is_nothing_outside() {
    let field = RasterField::new(&rough(2, [6, 5])).unwrap();
    let [[x0, z0], [x1, z1]] = field.corners();
    assert_eq!([[x0, z0], [x1, z1]], [[10.0, -20.0], [20.0, -8.0]]);
    for p in [[x0, z0], [x1, z0], [x0, z1], [x1, z1]] {
        assert!(field.value(p).is_finite(), "{p:?}");
    }
    let (far, nan) = (f64::INFINITY, f64::NAN);
    for p in [
        [x0 - 0.01, 0.0],
        [x1 + 0.01, -10.0],
        [15.0, z0 - 0.01],
        [15.0, z1 + 0.01],
        [far, 0.0],
        [-far, -10.0],
        [nan, -10.0],
        [15.0, nan],
        [1e300, -1e300],
    ] {
        let jet = field.jet(p);
        assert!(jet.sample.value.is_nan() && jet.sample.gradient.iter().all(|g| g.is_nan()));
        assert!(jet.hessian.as_flattened().iter().all(|h| h.is_nan()));
        assert_eq!(field.local_bounds(p, 1.0), orogeny::Bounds::UNKNOWN);
    }
}

/// Coordinates of an aligned grid are rounded, so its last ones may be outside by a hair.
#[test]
fn an_aligned_grid_has_all_samples() {
    for spacing in [0.1, 0.3, 1.0 / 3.0, 30.87, 27.7777] {
        let position = [-1234.567, 98765.4321];
        let raster = raster_of([200, 3], [spacing; 2], position, |x, _| x);
        let field = RasterField::new(&raster).unwrap();
        let grid = Grid::new(position, spacing, [200, 3]);
        let mut values = vec![0.0; grid.len()];
        field.value_grid(&grid, &mut values);
        for (found, exact) in values.iter().zip(raster.heights()) {
            assert!((found - exact).abs() <= 1e-3 * spacing as f32 + 2e-3, "{found} {exact}");
        }
    }
}

#[test]
fn a_cell_has_a_value_if_all_samples_around_have_data() {
    let size = [30, 24];
    let mut heights = rough(1, size).heights().to_vec();
    for (i, height) in heights.iter_mut().enumerate() {
        if random(4, i as u64) > 0.95 {
            *height = f32::NAN;
        }
    }
    let raster = Raster::new(size, [2.0, 3.0], [10.0, -20.0], heights).unwrap();
    let field = RasterField::new(&raster).unwrap();
    for j in 0..size[1] - 1 {
        for i in 0..size[0] - 1 {
            let around = |x: usize, count: usize| x.saturating_sub(1)..(x + 3).min(count);
            let is_whole = around(j, size[1])
                .flat_map(|j| around(i, size[0]).map(move |i| (i, j)))
                .all(|(i, j)| !raster.height(i, j).unwrap().is_nan());
            for t in [0.001, 0.5, 0.999] {
                let p = [10.0 + 2.0 * (i as f64 + t), -20.0 + 3.0 * (j as f64 + 1.0 - t)];
                assert_eq!(field.value(p).is_finite(), is_whole, "{i} {j} {t}");
                assert_eq!(field.sample(p).gradient[0].is_finite(), is_whole);
                assert_eq!(field.jet(p).hessian[1][1].is_finite(), is_whole);
            }
        }
    }
}

/// Smooth ground with a hole is what it is without one, but for the samples beside the hole.
#[test]
fn a_hole_does_not_ring() {
    let height = |x: f64, z: f64| 1000.0 + 0.3 * x - 0.2 * z + 1e-3 * x * z;
    let whole = raster_of([60, 60], [1.0; 2], [0.0; 2], height);
    let mut heights = whole.heights().to_vec();
    for j in 25..35 {
        for i in 20..32 {
            heights[j * 60 + i] = f32::NAN;
        }
    }
    let holed = Raster::new([60, 60], [1.0; 2], [0.0; 2], heights).unwrap();
    let (whole, holed) = (RasterField::new(&whole).unwrap(), RasterField::new(&holed).unwrap());
    let mut seen = 0;
    for k in 0..4000 {
        let p = [30.0 + 25.0 * random(1, k), 30.0 + 25.0 * random(2, k)];
        let (found, exact) = (holed.sample(p), whole.sample(p));
        if found.value.is_nan() {
            continue;
        }
        seen += 1;
        assert!((found.value - exact.value).abs() < 0.05, "{p:?} {found:?} {exact:?}");
        for axis in 0..2 {
            let difference = found.gradient[axis] - exact.gradient[axis];
            assert!(difference.abs() < 0.15, "{p:?} {found:?} {exact:?}");
        }
    }
    assert!(seen > 3000);
}

#[test]
fn samples_beside_holes_are_hit() {
    let mut heights = rough(6, [20, 20]).heights().to_vec();
    heights[10 * 20 + 10] = f32::NAN;
    let raster = Raster::new([20, 20], [2.0, 3.0], [10.0, -20.0], heights).unwrap();
    let field = RasterField::new(&raster).unwrap();
    // Column 8 is the last one that no cell with a hole shares.
    for (column, row) in [(7, 10), (8, 10), (12, 10), (10, 8), (10, 12)] {
        let p = [10.0 + 2.0 * column as f64, -20.0 + 3.0 * row as f64];
        let (found, exact) = (field.value(p), raster.height(column, row).unwrap());
        if !found.is_nan() {
            assert!((found - exact).abs() < 3e-5, "{column} {row}: {found} {exact}");
        }
    }
    assert!(field.value([10.0 + 2.0 * 7.0, 10.0]).is_finite());
}

#[test]
fn ground_that_could_not_be_shown_is_an_error() {
    let mut heights = vec![f32::NAN; 100];
    heights[42] = 7.0;
    let raster = Raster::new([10, 10], [1.0; 2], [0.0; 2], heights).unwrap();
    let error = RasterField::new(&raster).unwrap_err().to_string();
    assert!(error.contains("4 x 4"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn bounds_hold(
        seed in 0u64..50,
        size in [2usize..40, 2usize..40],
        center in [0.0..1.0, 0.0..1.0],
        radius in 0.0f64..60.0,
        hole in 0u64..4,
    ) {
        let mut heights = rough(seed, size).heights().to_vec();
        if hole > 1 {
            for (i, height) in heights.iter_mut().enumerate() {
                if random(77 + hole, i as u64) > 0.98 {
                    *height = f32::NAN;
                }
            }
        }
        let raster = crate::Raster::new(size, [2.0, 3.0], [10.0, -20.0], heights).unwrap();
        let Ok(field) = RasterField::new(&raster) else { return Ok(()) };
        let [[x0, z0], [x1, z1]] = field.corners();
        let p = [x0 + center[0] * (x1 - x0), z0 + center[1] * (z1 - z0)];
        let (all, local) = (field.bounds(), field.local_bounds(p, radius));
        if !field.value(p).is_nan() {
            prop_assert!(local.min >= all.min && local.max <= all.max);
            prop_assert!(local.lipschitz <= all.lipschitz && local.curvature <= all.curvature);
        }
        assert_bounds(&field, (p, radius), seed, 60, 1e-5);
    }
}

/// Of a plane they are its height range, its slope, and almost no curvature.
#[test]
fn bounds_are_tight() {
    let raster = raster_of([300, 200], [5.0, 5.0], [0.0, 0.0], |x, z| 0.3 * x + 0.4 * z);
    let field = RasterField::new(&raster).unwrap();
    let p = [750.0, 500.0];
    for radius in [0.0, 3.0, 30.0, 100.0, 300.0] {
        let bounds = field.local_bounds(p, radius);
        let middle = f64::from(field.value(p));
        // A block has 8 x 8 cells, or a quarter of the ball's diameter.
        let reach = 0.7 * (radius + 10.0 + if radius > 10.0 { 40.0 + radius } else { 0.0 });
        assert!(bounds.min >= middle - reach && bounds.max <= middle + reach, "{bounds:?}");
        assert!((0.4999..0.501).contains(&bounds.lipschitz), "{radius}: {bounds:?}");
        assert!(bounds.curvature < 1e-4, "{bounds:?}");
    }
    let all = field.bounds();
    assert_eq!(field.local_bounds(p, f64::INFINITY), all);
    assert_eq!(field.local_bounds(p, -1.0), Bounds::UNKNOWN);
    assert_eq!(field.local_bounds(p, f64::NAN), Bounds::UNKNOWN);
    assert!(all.min > -2.0 && all.max < 846.5 + 2.0, "{all:?}");
}

/// Even on white noise, the largest slope is not far below the bound.
#[test]
fn slopes_are_not_far_below() {
    let field = RasterField::new(&rough(3, [60, 60])).unwrap();
    let largest = (0..40_000)
        .map(|k| {
            let p = [10.0 + 59.0 * (random(1, k) + 1.0), -20.0 + 88.5 * (random(2, k) + 1.0)];
            let [x, z] = field.sample(p).gradient;
            f64::from((x * x + z * z).sqrt())
        })
        .fold(0.0, f64::max);
    let bound = field.bounds().lipschitz;
    assert!(bound < 2.5 * largest, "{bound} {largest}");
}
