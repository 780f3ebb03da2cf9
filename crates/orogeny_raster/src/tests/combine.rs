//! Rasters with other fields.

use std::sync::Arc;

use orogeny::{Field, Grid, Node, SharedField};

use crate::combine::coverage::distances;
use crate::tests::tiles::{self, reading, tiled, unbounded};
use crate::tests::write::Folder;
use crate::tests::{assert_bounds, assert_grids_are_points, random, raster_of};
use crate::{Amplification, Raster, RasterField, RasterTiles, Tiling};

const SIZE: [usize; 2] = [50, 40];
const SPACING: [f64; 2] = [5.0, 4.0];
const CORNER: [f64; 2] = [100.0, -60.0];

/// Hills, steeper in the east, with a hole of 3 x 2 samples.
fn field() -> RasterField {
    let height = |k: usize| {
        let [i, j] = [k % SIZE[0], k / SIZE[0]];
        let is_hole = (24..27).contains(&i) && (18..20).contains(&j);
        let [x, z] = [i, j].map(|x| x as f64);
        let height = 100.0 + x * x * 0.08 + 6.0 * (z / 4.0).sin() + random(3, k as u64);
        if is_hole { f32::NAN } else { height as f32 }
    };
    let heights = (0..SIZE[0] * SIZE[1]).map(height).collect();
    RasterField::new(&Raster::new(SIZE, SPACING, CORNER, heights).unwrap()).unwrap()
}

fn noise(frequency: f64, amplitude: f32) -> SharedField<2> {
    let noise = Node::<2>::noise(7).fbm(4).frequency(frequency).amplitude(amplitude);
    Arc::new(noise.build().unwrap())
}

/// A position within the raster, or `beyond` metres outside.
fn position(k: u64, beyond: f64) -> [f64; 2] {
    [0, 1].map(|axis| {
        let side = (SIZE[axis] - 1) as f64 * SPACING[axis] + 2.0 * beyond;
        CORNER[axis] - beyond + side * (0.5 + 0.5 * random(axis as u64, k))
    })
}

/// Gradients are difference quotients of values, and Hessians those of gradients.
fn assert_derivatives(field: &dyn Field<2>, p: [f64; 2], tolerances: [f64; 2]) {
    let jet = field.jet(p);
    assert_eq!(jet.sample, field.sample(p));
    for axis in 0..2 {
        let moved = |h: f64| {
            let mut p = p;
            p[axis] += h;
            field.sample(p)
        };
        let quotient =
            |h: f64, of: &dyn Fn(f64) -> f32| (f64::from(of(h)) - f64::from(of(-h))) / (2.0 * h);
        let slope = quotient(0.02, &|h| moved(h).value);
        let found = f64::from(jet.sample.gradient[axis]);
        assert!((found - slope).abs() < tolerances[0], "{p:?}: {found} {slope}");
        for other in 0..2 {
            let second = quotient(0.01, &|h| moved(h).gradient[other]);
            let found = f64::from(jet.hessian[axis][other]);
            assert!((found - second).abs() < tolerances[1], "{p:?}: {found} {second}");
        }
    }
}

const WIDTH: f64 = 30.0;

/// The mask by its definition, in `f64`: distances to all samples, and the B-spline by powers.
fn mask(field: &RasterField, [x, z]: [f64; 2]) -> f64 {
    let at = |i: usize, j: usize| [i as f64 * SPACING[0], j as f64 * SPACING[1]];
    let has_data = |i: usize, j: usize| field.has_data(i, j);
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
fn derivatives_of_a_blend_are_exact() {
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
        assert_bounds(&ground, (position(k, 30.0), radius), k, 30, 1e-4);
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

#[test]
fn tiles_are_blended_at_edges_and_holes() {
    let folder = Folder::new();
    let raster = tiled(&folder, false, Tiling::default());
    let hills = noise(0.001, 40.0);
    let ground = raster.over(hills.clone(), 50.0).unwrap();
    let [first, last] = raster.corners();
    for p in [first, last, [0.0, 0.0], [first[0], 400.0]] {
        assert_eq!(ground.jet(p), hills.jet(p), "{p:?}");
    }
    let middle = [0, 1].map(|k| first[k] + tiles::SIZE[k] as f64 / 2.0 * tiles::SPACING[k]);
    assert_eq!(ground.jet(middle), raster.jet(middle));
    for (k, radius) in (0..60).zip([0.0, 4.0, 30.0].into_iter().cycle()) {
        assert_bounds(&ground, (tiles::position(k), radius), k, 30, 1e-4);
    }
    assert_grids_are_points(&ground, &Grid::new([-5.0, 200.0], 4.0, [70, 20]));
    let far = ground.sparse(200.0).unwrap();
    assert_eq!(far.sample([0.0, 0.0]), hills.sample([0.0, 0.0]));
    assert!((far.value(middle) - ground.value(middle)).abs() < 60.0);
}

/// Wherever the raster has a hole, the ground has none.
#[test]
fn holes_are_filled() {
    let folder = Folder::new();
    let raster = tiled(&folder, true, Tiling::default());
    match raster.over(noise(0.001, 40.0), 0.0) {
        Ok(ground) => (0..3000).for_each(|k| assert!(ground.value(tiles::position(k)).is_finite())),
        // Holes everywhere leave nothing to show.
        Err(error) => assert!(error.to_string().contains("nowhere"), "{error}"),
    }
    let error = tiled(&folder, false, unbounded()).over(noise(0.001, 40.0), 1.0).unwrap_err();
    assert!(error.to_string().contains("Scan"), "{error}");
}

/// On a plane of one slope, the factor is that of the slope, and far points have no noise.
#[test]
fn tiles_are_amplified_by_their_slopes() {
    let folder = Folder::new();
    let plane = |k: usize| {
        0.3 * tiles::SPACING[0] * (k % tiles::SIZE[0]) as f64
            + 0.4 * tiles::SPACING[1] * (k / tiles::SIZE[0]) as f64
    };
    let heights: Vec<f32> = (0..tiles::SIZE[0] * tiles::SIZE[1]).map(|k| plane(k) as f32).collect();
    let path = tiles::r32(&folder, &heights);
    let (raster, _) = RasterTiles::open(path, &reading(), &Tiling::default()).unwrap();
    let noise = noise(0.5, 2.0);
    let amplification = Amplification { slopes: [0.25, 0.75], factors: [0.5, -2.0] };
    let ground = raster.amplified(noise.clone(), amplification).unwrap();
    let [x0, z0] = raster.corners()[0];
    for k in 0..200 {
        // Far from the border, where samples are mirrored.
        let [u, v] = [0, 1].map(|axis| 0.5 + 0.3 * random(axis, k));
        let p = [x0 + u * 600.0 * tiles::SPACING[0], z0 + v * 300.0 * tiles::SPACING[1]];
        let difference = f64::from(ground.value(p)) - f64::from(raster.value(p));
        let exact = -0.75 * f64::from(noise.value(p));
        assert!((difference - exact).abs() < 1e-3, "{p:?}: {difference} {exact}");
        assert_bounds(&ground, (p, 10.0), k, 30, 1e-4);
    }
    let far = ground.sparse(200.0).unwrap();
    let p = [x0 + 600.0, z0 + 450.0];
    assert_eq!(far.sample(p), raster.sparse(200.0).unwrap().sample(p));
    let over = ground.over(noise.clone(), 20.0).unwrap();
    assert_eq!(over.sample([x0 - 1.0, z0]), noise.sample([x0 - 1.0, z0]));
    assert_eq!(over.sample(p), ground.sample(p));
    assert!(tiled(&folder, false, unbounded()).amplified(noise, amplification).is_err());
}

/// On planes, of which all samples have the same slope, the factor is that of the slope.
#[test]
fn the_factor_follows_the_slope() {
    let noise = noise(0.3, 2.0);
    let amplification = Amplification { slopes: [0.25, 0.75], factors: [0.5, -2.0] };
    for (slope, factor) in [(0.0, 0.5), (0.2, 0.5), (0.5, -0.75), (0.8, -2.0), (3.0, -2.0)] {
        // Above the sea.
        let plane = |k: usize| 7.0 + (0.6 * (k % 40) as f32 + 0.8 * (k / 40) as f32) * slope * 5.0;
        let heights = (0..1600).map(plane).collect();
        let raster = Raster::new([40; 2], [5.0; 2], [0.0; 2], heights).unwrap();
        let field = RasterField::new(&raster).unwrap();
        let ground = field.amplified(noise.clone(), amplification).unwrap();
        for k in 0..50 {
            // Far from the border, where samples are mirrored.
            let p = [0, 1].map(|axis| 100.0 + 30.0 * random(axis, k));
            let difference = f64::from(ground.value(p)) - f64::from(field.value(p));
            let exact = factor * f64::from(noise.value(p));
            assert!((difference - exact).abs() < 2e-4, "{slope}: {difference} {exact}");
        }
    }
}

/// Whatever the slopes are, the factor is between the two.
#[test]
fn the_factor_is_between_the_two() {
    let (raster, noise) = (field(), noise(0.3, 2.0));
    let ground = raster.amplified(noise.clone(), Amplification::default()).unwrap();
    let mut seen = [f64::INFINITY, f64::NEG_INFINITY];
    for k in 0..2000 {
        let p = position(k, 5.0);
        let (found, own) = (f64::from(ground.value(p)), f64::from(raster.value(p)));
        assert_eq!(found.is_nan(), own.is_nan());
        let noise = f64::from(noise.value(p));
        if noise.abs() > 0.5 && !found.is_nan() {
            let factor = (found - own) / noise;
            assert!((0.0999..1.0001).contains(&factor), "{factor}");
            seen = [seen[0].min(factor), seen[1].max(factor)];
        }
    }
    assert!(seen[0] < 0.2 && seen[1] > 0.99, "{seen:?}");
}

#[test]
fn derivatives_with_noise_are_exact_and_bounds_hold() {
    let ground = field().amplified(noise(0.08, 2.0), Amplification::default()).unwrap();
    for k in 0..200 {
        let p = position(k, -1.0);
        let is_whole = [-0.02, 0.02].iter().all(|h| !ground.value([p[0] + h, p[1] + h]).is_nan());
        if is_whole && !ground.value([p[0] + 0.02, p[1] - 0.02]).is_nan() {
            assert_derivatives(&ground, p, [2e-2, 0.7]);
        }
    }
    for (k, radius) in (0..100).zip([0.0, 0.3, 4.0, 30.0, 300.0].into_iter().cycle()) {
        assert_bounds(&ground, (position(k, 10.0), radius), k, 30, 1e-4);
    }
}

#[test]
fn grids_are_points_also_over_other_ground() {
    let ground = field().amplified(noise(0.3, 2.0), Amplification::default()).unwrap();
    let grid = Grid::new([CORNER[0] - 3.0, CORNER[1] - 3.0], 2.3, [90, 70]);
    assert_grids_are_points(&ground, &grid);
    let hills = noise(0.01, 40.0);
    let over = ground.over(hills.clone(), 20.0).unwrap();
    assert_grids_are_points(&over, &grid);
    let inside = [CORNER[0] + 12.0 * SPACING[0], CORNER[1] + 15.0 * SPACING[1]];
    assert_eq!(over.jet(inside), ground.jet(inside));
    assert_eq!(over.jet([0.0, 0.0]), hills.jet([0.0, 0.0]));
    for (k, radius) in (0..60).zip([0.0, 4.0, 30.0].into_iter().cycle()) {
        assert_bounds(&over, (position(k, 10.0), radius), k, 30, 1e-4);
    }
    let filtered = ground.band_limited(10.0).unwrap();
    assert_eq!(filtered.value(inside).to_bits(), ground.value(inside).to_bits());
}

#[test]
fn absurd_numbers_are_errors() {
    for (slopes, factors) in [
        ([1.0, 0.5], [0.0, 1.0]),
        ([-1.0, 0.5], [0.0, 1.0]),
        ([f64::NAN, 0.5], [0.0, 1.0]),
        ([0.0, f64::INFINITY], [0.0, 1.0]),
        ([0.0, 1.0], [f64::NAN, 1.0]),
        ([0.0, 1.0], [0.0, 1e7]),
    ] {
        let error = field().amplified(noise(0.3, 2.0), Amplification { slopes, factors });
        assert!(error.unwrap_err().to_string().contains("limits"));
    }
    // A step is allowed: the spline smooths it.
    let step = Amplification { slopes: [0.5, 0.5], factors: [0.0, 1.0] };
    assert!(field().amplified(noise(0.3, 2.0), step).is_ok());
}

#[test]
fn distances_are_those_of_the_nearest_of_all() {
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

/// A coast with islands: noise that is as strong on plains as on slopes leaves the sea alone.
#[test]
fn the_sea_has_no_noise() {
    let folder = Folder::new();
    let size = tiles::SIZE;
    let land = |x: f64, z: f64| {
        let shore = 700.0 + 90.0 * (z / 60.0).sin();
        let island = ((x - 1000.0) / 30.0).hypot((z - 300.0) / 50.0) < 1.0;
        if x < shore || island { 8.0 + (x - shore).abs() * 0.2 } else { 0.0 }
    };
    let raster = raster_of(size, tiles::SPACING, [10.0, -20.0], land);
    let path = tiles::r32(&folder, raster.heights());
    let (in_tiles, _) = RasterTiles::open(path, &reading(), &Tiling::default()).unwrap();
    let whole = RasterField::new(&raster).unwrap();
    let (noise, amplification) =
        (noise(0.3, 2.0), Amplification { slopes: [0.1; 2], factors: [1.0; 2] });
    let grounds: [(&dyn Field<2>, &dyn Field<2>, f64); 2] = [
        (&whole, &whole.amplified(noise.clone(), amplification).unwrap(), 3.0),
        (&in_tiles, &in_tiles.amplified(noise.clone(), amplification).unwrap(), 144.0),
    ];
    let sea: Vec<[usize; 2]> = (0..size[0] - 1)
        .flat_map(|i| (0..size[1] - 1).map(move |j| [i, j]))
        .filter(|&[i, j]| {
            let own = [[0, 0], [1, 0], [0, 1], [1, 1]];
            own.into_iter().all(|[x, z]| raster.height(i + x, j + z) == Some(0.0))
        })
        .collect();
    assert!(sea.len() > 50_000);
    let at = |[u, v]: [f64; 2]| [10.0 + tiles::SPACING[0] * u, -20.0 + tiles::SPACING[1] * v];
    for (plain, ground, reach) in grounds {
        for (k, [i, j]) in sea.iter().enumerate() {
            let part = |axis| 0.5 + 0.5 * random(axis, k as u64);
            let p = at([*i as f64 + part(1), *j as f64 + part(2)]);
            assert_eq!(ground.sample(p), plain.sample(p), "{i} {j}");
            assert!(ground.value(p) <= 0.0);
        }
        assert!(ground.value(at([480.0, 20.0])).abs() < 1e-30);
        // Land has all of it, as near to the sea as is said.
        for k in 0..200 {
            let [u, v] = [random(3, k), random(4, k)].map(|x| 0.5 + 0.5 * x);
            let p = at([u * (300.0 - reach), 4.0 + v * 290.0]);
            let difference = ground.value(p) - plain.value(p);
            assert!((difference - noise.value(p)).abs() < 1e-3, "{p:?}");
        }
    }
}
