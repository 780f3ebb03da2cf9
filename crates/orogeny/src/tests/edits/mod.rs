//! Edited ground against an oracle, and the bits of all ways to sample it.

mod bounds;
#[cfg(feature = "checksum")]
mod checksum;
#[cfg(all(feature = "ron", feature = "json"))]
mod files;
mod log;
mod oracle;
mod path;
#[cfg(not(target_family = "wasm"))]
mod piles;
mod positions;
pub(super) mod random;
mod smooth;
mod stamp;
mod strokes;
mod surface;

use crate::edits::{Edit, EditLog, EditedField, Edits, State};
use crate::simd::{Level, levels};
use crate::tests::random::{Random, cases};
use crate::{Bounds, Field, Grid, Jet, Jets, Node, Sample, Samples};
use oracle::Waves;

/// These edits, by one author.
pub(crate) fn edited<E: Into<Edit>>(all: impl IntoIterator<Item = E>) -> Edits {
    let mut log = EditLog::new();
    all.into_iter().for_each(|edit| drop(log.add(1, edit).unwrap()));
    log.edits()
}

fn shown(log: &EditLog) -> Vec<Edit> {
    let edit = |change: crate::edits::Change| match change.state {
        State::Shown(edit) => Some(edit),
        State::Hidden(_) | State::Removed => None,
    };
    log.changes().filter_map(edit).collect()
}

/// The gradient and the Hessian of the oracle by differences over `h`; `None` near a hole.
fn quotients(edits: &[Edit], p: [f64; 2], h: f64) -> Option<([f64; 2], [[f64; 2]; 2])> {
    let at = |x: f64, z: f64| {
        let q = [p[0] + x * h, p[1] + z * h];
        oracle::edited(edits, Waves::height(q), q)
    };
    let here = at(0.0, 0.0)?;
    let [west, east, south, north] = [at(-1.0, 0.0)?, at(1.0, 0.0)?, at(0.0, -1.0)?, at(0.0, 1.0)?];
    let corners = at(1.0, 1.0)? - at(-1.0, 1.0)? - at(1.0, -1.0)? + at(-1.0, -1.0)?;
    let mixed = corners / (4.0 * h * h);
    let hessian = [
        [(east - 2.0 * here + west) / (h * h), mixed],
        [mixed, (north - 2.0 * here + south) / (h * h)],
    ];
    Some(([(east - west) / (2.0 * h), (north - south) / (2.0 * h)], hessian))
}

#[test]
fn random_logs_match_the_oracle() {
    let mut worst = [0.0f64; 3];
    for seed in 0..cases(60) as u64 {
        let mut r = Random::new(seed);
        let count = [1, 3, 20, 200][seed as usize % 4];
        let log = random::log(&mut r, [0.0; 2], count, true);
        let edits = shown(&log);
        let field = EditedField::new(Waves, log.edits());
        for _ in 0..60 {
            let p = [r.within(-130.0, 130.0), r.within(-130.0, 130.0)];
            let jet = field.jet(p);
            let Some(exact) = oracle::edited(&edits, Waves::height(p), p) else {
                assert!(jet.sample.value.is_nan(), "seed {seed}: a hole at {p:?}");
                continue;
            };
            // Rounding grows with the slopes that edits multiply.
            let Bounds { lipschitz, curvature, .. } = field.local_bounds(p, 1e-3);
            let error = (f64::from(jet.sample.value) - exact).abs() / (50.0 + exact.abs());
            worst[0] = worst[0].max(error);
            assert!(error < 1e-5, "seed {seed} at {p:?}: {jet:?}, exact {exact}");
            let Some((gradient, hessian)) = quotients(&edits, p, 2e-4) else { continue };
            let [dx, dz] = jet.sample.gradient.map(f64::from);
            let error = (dx - gradient[0]).abs().max((dz - gradient[1]).abs());
            worst[1] = worst[1].max(error / (1.0 + lipschitz));
            let pairs = jet.hessian.as_flattened().iter().zip(hessian.as_flattened());
            for (found, exact) in pairs {
                worst[2] = worst[2].max((f64::from(*found) - exact).abs() / (1.0 + curvature));
            }
            assert!(worst[1] < 2e-5 && worst[2] < 2e-4, "seed {seed} at {p:?}: {worst:?} {jet:?}");
        }
    }
    println!("value, gradient and Hessian, relative: {worst:?}");
}

#[test]
fn no_sample_breaks_bounds() {
    for seed in 0..40 {
        let mut r = Random::new(1000 + seed);
        let count = [1, 2, 10, 60][seed as usize % 4];
        let log = random::log(&mut r, [0.0; 2], count, true);
        let field = EditedField::new(Waves, log.edits());
        let all = field.bounds();
        for _ in 0..20 {
            let p = [r.within(-130.0, 130.0), r.within(-130.0, 130.0)];
            let radius = r.magnitude(0.01, 50.0);
            let near = field.local_bounds(p, radius);
            for _ in 0..50 {
                let (angle, distance) = (r.within(0.0, 6.3), r.within(0.0, 0.999 * radius));
                let q = [p[0] + distance * angle.cos(), p[1] + distance * angle.sin()];
                let jet = field.jet(q);
                for bounds in [all, near] {
                    assert!(keeps(bounds, jet), "seed {seed} at {q:?}: {jet:?}, {bounds:?}");
                }
            }
        }
    }
}

/// Whether a jet is within bounds, but for rounding. One without a value is.
fn keeps(bounds: Bounds, jet: Jet<2>) -> bool {
    let Sample { value, gradient: [x, z] } = jet.sample;
    let slope = f64::from(x).hypot(z.into());
    let [[a, b], [_, c]] = jet.hessian.map(|row| row.map(f64::from));
    // The larger eigenvalue by its absolute value.
    let second = (0.5 * (a + c)).abs() + (0.25 * (a - c) * (a - c) + b * b).sqrt();
    let slack = 1e-4 * (1.0 + bounds.max_abs());
    value.is_nan()
        || (bounds.min - slack..=bounds.max + slack).contains(&value.into())
            && slope <= bounds.lipschitz * 1.0001 + 1e-4
            && second <= bounds.curvature * 1.001 + 1e-3
}

fn bits(sample: Sample<2>) -> (u32, [u32; 2]) {
    (sample.value.to_bits(), sample.gradient.map(f32::to_bits))
}

/// Grids, scattered points, jets and values at points, near the origin and far from it.
#[test]
fn all_ways_to_sample_have_the_same_bits() {
    let hills = Node::<2>::noise(7).fbm(8.0).frequency(1.0 / 500.0).amplitude(80.0);
    let hills = hills.build().expect("a field");
    let [mut samples, mut scattered] = [Samples::new(), Samples::new()];
    let [mut values, mut lone_values] = [Samples::values_only(), Samples::values_only()];
    let [mut jets, mut scattered_jets] = [Jets::new(), Jets::new()];
    for (seed, near) in [[0.0, 0.0], [1e6, -3e5], [-1e12, 1e12]].into_iter().enumerate() {
        let mut r = Random::new(seed as u64);
        let mut log = random::log(&mut r, near, 40, true);
        strokes::add(&mut r, &mut log, near, 60);
        let field = EditedField::new(&hills, log.edits());
        let grid = Grid::new([near[0] - 120.0, near[1] - 120.0], 3.75, [65, 65]);
        let grids = [grid, Grid { spacing: [-3.5, 2.5], ..grid.part([7, 3], [33, 20]) }];
        for grid in grids {
            let points: Vec<_> = grid.points().collect();
            field.sample_grid(&grid, &mut samples);
            field.sample_points(&points, &mut scattered);
            field.sample_grid(&grid, &mut values);
            field.sample_points(&points, &mut lone_values);
            field.jet_grid(&grid, &mut jets);
            let levels = levels().into_iter().map(|(_, level)| level);
            for level in levels.chain([Level::fallback()]) {
                let mut other = Samples::new().with_level(level);
                field.sample_grid(&grid, &mut other);
                let same = (0..grid.len()).all(|i| bits(other.get(i)) == bits(samples.get(i)));
                assert!(same, "{level:?}");
            }
            field.jet_points(&points, &mut scattered_jets);
            for (i, &p) in points.iter().enumerate() {
                let expected = bits(field.sample(p));
                let value = |s: &Samples<2>| s.values()[i].to_bits();
                assert_eq!(bits(samples.get(i)), expected, "grid at {p:?}");
                assert_eq!(bits(scattered.get(i)), expected, "points at {p:?}");
                assert_eq!(bits(jets.get(i).sample), expected, "jets at {p:?}");
                assert_eq!(format!("{:?}", jets.get(i)), format!("{:?}", field.jet(p)));
                assert_eq!(format!("{:?}", scattered_jets.get(i)), format!("{:?}", field.jet(p)));
                assert_eq!([value(&values), value(&lone_values)], [expected.0; 2]);
                assert_eq!(field.value(p).to_bits(), expected.0);
            }
        }
    }
}

#[test]
fn untouched_ground_has_the_bits_of_the_field() {
    let hills = Node::<2>::noise(7).fbm(8.0).frequency(0.01).build().expect("a field");
    let log = random::log(&mut Random::new(5), [0.0; 2], 300, true);
    let field = EditedField::new(&hills, log.edits());
    let far = Grid::new([1000.0, -5000.0], 10.0, [65, 65]);
    let [mut own, mut base] = [Samples::new(), Samples::new()];
    field.sample_grid(&far, &mut own);
    hills.sample_grid(&far, &mut base);
    assert!(own.iter().zip(base.iter()).all(|(a, b)| bits(a) == bits(b)));
    let p = [1000.0, 4.0];
    assert_eq!(field.jet(p), hills.jet(p));
    assert_eq!(field.local_bounds(p, 100.0), hills.local_bounds(p, 100.0));
    // Outside the domain too.
    assert!(field.value([f64::NAN, 0.0]).is_nan() && field.value([1e300, 0.0]).is_nan());
}
