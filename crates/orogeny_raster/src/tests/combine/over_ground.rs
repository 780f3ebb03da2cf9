//! A raster over other ground.

use orogeny::{Field, Grid};

use super::{
    CORNER, SIZE, SPACING, assert_bounds, assert_derivatives, assert_grids_are_points, field,
    noise, position,
};
use crate::RasterField;

const WIDTH: f64 = 30.0;

/// The mask by its definition, in `f64`: distances to all samples, and the B-spline by powers.
fn mask(field: &RasterField, [x, z]: [f64; 2]) -> f64 {
    let at = |i: usize, j: usize| [i as f64 * SPACING[0], j as f64 * SPACING[1]];
    let has_data = |i: usize, j: usize| field.spline().has_data(i, j);
    let is_hidden = |i: usize, j: usize| {
        let near = |x: usize, count: usize| x.saturating_sub(3)..(x + 4).min(count);
        let [columns, rows] = SIZE;
        let is_edge = i < 2 || j < 2 || i + 2 >= columns || j + 2 >= rows;
        is_edge || near(j, rows).any(|j| near(i, columns).any(|i| !has_data(i, j)))
    };
    let coefficient = |i: usize, j: usize| {
        let [x, z] = at(i, j);
        let mut distance = f64::INFINITY;
        for l in 0..SIZE[1] {
            for k in 0..SIZE[0] {
                if is_hidden(k, l) {
                    let [u, v] = at(k, l);
                    distance = distance.min((x - u).hypot(z - v));
                }
            }
        }
        let t = (distance / WIDTH).min(1.0);
        6.0 * t.powi(5) - 15.0 * t.powi(4) + 10.0 * t.powi(3)
    };
    let beta = |x: f64| match x.abs() {
        x if x < 1.0 => 2.0 / 3.0 - x * x + x * x * x / 2.0,
        x if x < 2.0 => (2.0 - x).powi(3) / 6.0,
        _ => 0.0,
    };
    let [u, v] = [(x - CORNER[0]) / SPACING[0], (z - CORNER[1]) / SPACING[1]];
    let range = |u: f64, count: usize| {
        (u.floor() as i64 - 1).max(0) as usize..((u.floor() as i64 + 3).max(0) as usize).min(count)
    };
    let mut sum = 0.0;
    for j in range(v, SIZE[1]) {
        for i in range(u, SIZE[0]) {
            sum += beta(u - i as f64) * beta(v - j as f64) * coefficient(i, j);
        }
    }
    sum
}

#[test]
fn it_is_the_mean_weighted_by_the_mask() {
    let (raster, hills) = (field(), noise(0.01, 40.0));
    let ground = raster.over(hills.clone(), WIDTH).unwrap();
    let mut kinds = [0; 3];
    for k in 0..60 {
        let p = position(k, 20.0);
        let (found, mask) = (f64::from(ground.value(p)), mask(&raster, p));
        let (g, r) = (f64::from(hills.value(p)), f64::from(raster.value(p)));
        let exact = if mask == 0.0 { g } else { (1.0 - mask) * g + mask * r };
        assert!((found - exact).abs() < 3e-5, "{p:?}: {found} {exact} {mask}");
        kinds[if mask == 0.0 {
            0
        } else if mask < 1.0 - 1e-9 {
            1
        } else {
            2
        }] += 1;
    }
    assert!(kinds.iter().all(|&count| count > 1), "{kinds:?}");
}

#[test]
fn both_ends_are_exact() {
    let (raster, hills) = (field(), noise(0.01, 40.0));
    let ground = raster.over(hills.clone(), WIDTH).unwrap();
    // Outside, at the edges, and in the hole.
    let outside = [[0.0, 0.0], [1e6, -3e5], [99.9, 0.0], CORNER, [CORNER[0] + 125.0, 12.0]];
    for p in outside {
        assert_eq!(ground.jet(p), hills.jet(p), "{p:?}");
    }
    // Well inside: the width and some cells from edges and hole.
    let inside = [CORNER[0] + 60.0, CORNER[1] + 60.0];
    assert_eq!(ground.jet(inside), raster.jet(inside));
    let far = ground.local_bounds(inside, 2.0);
    assert!(far.lipschitz <= raster.local_bounds(inside, 2.0).lipschitz * 1.001, "{far:?}");
    assert_eq!(ground.local_bounds([0.0, 0.0], 20.0), hills.local_bounds([0.0, 0.0], 20.0));
}

#[test]
fn derivatives_are_exact() {
    for width in [0.0, WIDTH] {
        let ground = field().over(noise(0.01, 40.0), width).unwrap();
        for k in 0..200 {
            assert_derivatives(&ground, position(k, 10.0), [2e-2, 0.7]);
        }
    }
}

/// Second derivatives have no step where the mask begins and ends, or between cells.
#[test]
fn it_is_twice_continuously_differentiable() {
    let ground = field().over(noise(0.01, 40.0), WIDTH).unwrap();
    for k in 0..400 {
        let [x, z] = position(k, 10.0);
        let cell =
            |k: usize, x: f64| CORNER[k] + ((x - CORNER[k]) / SPACING[k]).round() * SPACING[k];
        for p in [[cell(0, x), z], [x, cell(1, z)]] {
            let e = 1e-6;
            let [before, after] = [-e, e].map(|e| ground.jet([p[0] + e, p[1] + e]));
            if before.sample.value.is_nan() || after.sample.value.is_nan() {
                continue;
            }
            for k in 0..2 {
                for l in 0..2 {
                    let step = before.hessian[k][l] - after.hessian[k][l];
                    assert!(step.abs() < 1e-4, "{p:?} {before:?} {after:?}");
                }
            }
        }
    }
}

#[test]
fn grids_are_points_and_bounds_hold() {
    let ground = field().over(noise(0.01, 40.0), WIDTH).unwrap();
    for (corner, spacing) in [([80.0, -80.0], 3.1), ([90.0, -66.0], 0.5), ([180.0, -10.0], 0.1)] {
        assert_grids_are_points(&ground, &Grid::new(corner, spacing, [70, 60]));
    }
    for (k, radius) in (0..150).zip([0.0, 0.3, 4.0, 30.0, 300.0].into_iter().cycle()) {
        assert_bounds(&ground, position(k, 30.0), radius, k);
    }
}

#[test]
fn filtered_gradients_belong_to_the_ground() {
    let (raster, hills) = (field(), noise(0.1, 40.0));
    let ground = raster.over(hills.clone(), WIDTH).unwrap();
    let filtered = ground.band_limited(10.0).unwrap();
    let (p, inside) = ([0.0, 0.0], [CORNER[0] + 60.0, CORNER[1] + 60.0]);
    assert_eq!(filtered.sample(p), hills.band_limited(10.0).unwrap().sample(p));
    assert_eq!(filtered.value(p).to_bits(), ground.value(p).to_bits());
    assert_eq!(filtered.sample(inside), raster.sample(inside));
    assert!(ground.sparse(10.0).is_none());
}

#[test]
fn what_cannot_be_blended_is_an_error() {
    for width in [-1.0, f64::NAN, 1e8] {
        let error = field().over(noise(0.01, 1.0), width).unwrap_err().to_string();
        assert!(error.contains("width"), "{error}");
    }
    let tiny = crate::tests::rough(1, [5, 4]);
    let error = RasterField::new(&tiny).unwrap().over(noise(0.01, 1.0), 1.0).unwrap_err();
    assert!(error.to_string().contains("nowhere"), "{error}");
}
