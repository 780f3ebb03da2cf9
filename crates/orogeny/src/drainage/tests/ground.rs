//! The ground at points and on grids.

use alloc::vec::Vec;

use super::{areas, continents, drainage, with_land};
use crate::drainage::blocks::Blocks;
use crate::drainage::network::Network;
use crate::drainage::survey::{Around, Survey};
use crate::drainage::valley::Parts;
use crate::drainage::{Drainage, Drained};
use crate::field::Field;
use crate::samples::Samples;
use crate::samples::grid::Grid;
use crate::simd::levels;
use crate::tests::random::Random;

/// Far fewer reaches, and all of them.
#[test]
fn the_ground_is_the_smooth_minimum_of_all_valleys() {
    let network = Network::new(&drainage(4), 4);
    let blocks = Blocks::new(network.clone());
    let mut random = Random::new(4);
    with_land(4, |land| {
        for area in areas(&mut random, 900.0) {
            let survey = Survey::new(&network, area, land);
            let ground = survey.all();
            let wet = survey.reaches.iter().zip(0..).filter(|(reach, _)| reach.half_width > 0.0);
            let wet = wet.map(|(_, i)| i).collect();
            let all = Around { ground, wet };
            for _ in 0..200 {
                let p = [0, 1].map(|k| random.within(area[0][k], area[1][k]));
                let (ground, left) = blocks.ground(p, land);
                let (whole, all_left) = survey.ground(&all, p, &mut Parts::default());
                assert_eq!(left.value.to_bits(), all_left.value.to_bits());
                assert_eq!(ground.value.to_bits(), whole.value.to_bits());
                assert_eq!(ground.gradient.map(f64::to_bits), whole.gradient.map(f64::to_bits));
            }
        }
    });
}

#[test]
fn gradients_are_difference_quotients() {
    let network = Network::new(&drainage(6), 6);
    let blocks = Blocks::new(network.clone());
    let mut random = Random::new(6);
    with_land(6, |land| {
        let ground = |p| {
            let (ground, left) = blocks.ground(p, land);
            [ground, left]
        };
        let (mut errors, mut faded) = ([Vec::new(), Vec::new()], 0);
        for _ in 0..3000 {
            let p = [0; 2].map(|_| random.within(-3e4, 3e4));
            let step = 1e-4;
            for k in 0..2 {
                let at = |by: f64| {
                    let mut q = p;
                    q[k] += by;
                    ground(q).map(|slope| slope.value)
                };
                let ([after, before], own) = ([step, -step].map(at), ground(p));
                for i in 0..2 {
                    let quotient = (after[i] - before[i]) / (2.0 * step);
                    errors[i].push((quotient - own[i].gradient[k]).abs());
                }
                faded += i32::from(own[1].value > 0.0 && own[1].value < 1.0);
            }
        }
        assert!(faded > 100, "{faded}");
        // In the narrow parts between valleys, the slope changes within centimetres.
        for mut errors in errors {
            errors.sort_by(f64::total_cmp);
            let [most, worst] = [errors.len() * 99 / 100, errors.len() - 1].map(|i| errors[i]);
            assert!(most < 1e-5 && worst < 0.05, "{most} {worst}");
        }
    });
}

#[test]
fn points_and_grids_of_all_levels_have_the_same_bits() {
    let mut random = Random::new(7);
    let field = Drained::new(continents(7), &drainage(7)).unwrap().with_sea(0.0);
    for (name, level) in levels() {
        for (far, spacing) in [(1e4, 0.3), (1e5, 7.0), (1e12, 40.0), (1e6, -900.0)] {
            let origin = [0; 2].map(|_| random.within(-far, far));
            let grid = Grid::new(origin, spacing, [1 + random.below(39), 23]);
            let mut samples = Samples::new().with_level(level);
            // A field without anything kept: another order.
            let other = Drained::new(continents(7), &drainage(7)).unwrap().with_sea(0.0);
            other.sample_grid(&grid, &mut samples);
            let mut values = vec![0.0; grid.len()];
            field.value_grid(&grid, &mut values);
            for ((p, sample), value) in grid.points().zip(samples.iter()).zip(values) {
                let own = field.sample(p);
                assert!(own.value.is_finite(), "{name} {p:?}");
                assert_eq!(own.value.to_bits(), sample.value.to_bits(), "{name} {p:?}");
                assert_eq!(own.value.to_bits(), value.to_bits(), "{name} {p:?}");
                assert_eq!(own.gradient.map(f32::to_bits), sample.gradient.map(f32::to_bits));
            }
        }
    }
}

#[test]
fn distances_of_banks_are_those_of_points() {
    let field = Drained::new(continents(12), &drainage(12)).unwrap();
    // Wide grids are surveyed at once; others use blocks that are kept.
    for spacing in [23.0, 7.0] {
        let grid = Grid::new([31e3, -8e3], spacing, [150, 170]);
        let mut found = vec![f64::INFINITY; grid.len()];
        field.bank_distances(&grid, |i, distance| found[i] = distance);
        for (p, found) in grid.points().zip(&found) {
            assert_eq!(field.bank_distance(p).to_bits(), found.to_bits());
        }
        let near = found.iter().filter(|distance| distance.is_finite()).count();
        assert!(near > 100 && near < grid.len(), "{near}");
    }
}

#[test]
fn sparse_ground_leaves_out_the_rivers_between_its_points() {
    let field = Drained::new(continents(13), &drainage(13)).unwrap().with_sea(0.0);
    let finest = field.rivers.network.shape.spacing;
    for spacing in [-1.0, 0.0, finest, f64::NAN] {
        assert!(field.sparse(spacing).is_none(), "{spacing}");
    }
    for (spacing, rivers) in [(1.01 * finest, true), (1e9, false)] {
        let sparse = field.sparse(spacing).unwrap();
        let smooth = field.smoothed(spacing).unwrap();
        let mut random = Random::new(13);
        let mut drained = 0;
        for _ in 0..200 {
            let p = [0; 2].map(|_| random.within(-1e5, 1e5));
            assert_eq!(sparse.sample(p).value.to_bits(), smooth.sample(p).value.to_bits());
            let land = field.field.smoothed(spacing).unwrap().sample(p).value;
            drained += i32::from(sparse.sample(p).value != land);
        }
        assert_eq!(drained > 0, rivers, "{drained}");
    }
}

#[test]
fn bad_numbers_are_errors_and_bad_positions_have_no_ground() {
    let field = || continents(1);
    for (bad, name) in [
        (Drainage { spacing: f64::NAN, ..drainage(1) }, "spacing"),
        (Drainage { levels: 9.0, ..drainage(1) }, "levels"),
        (Drainage { levels: 0.0, ..drainage(1) }, "levels"),
        (Drainage { steepness: f32::INFINITY, ..drainage(1) }, "steepness"),
        (Drainage { gain: 1.0, ..drainage(1) }, "gain"),
        (Drainage { floor: -1.0, ..drainage(1) }, "floor"),
    ] {
        let error = Drained::new(field(), &bad).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
    let field = Drained::new(field(), &drainage(1)).unwrap();
    for p in [[f64::NAN, 0.0], [0.0, f64::INFINITY], [1e300, 0.0]] {
        assert!(field.sample(p).value.is_nan());
    }
    let mut samples = Samples::new();
    field.sample_grid(&Grid::new([f64::MAX, 0.0], 1.0, [3, 2]), &mut samples);
    assert!(samples.iter().all(|sample| sample.value.is_nan()));
    field.sample_grid(&Grid::new([0.0; 2], 1.0, [0, 2]), &mut samples);
    assert_eq!(samples.iter().count(), 0);
}
