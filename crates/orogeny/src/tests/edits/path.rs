//! Paths alone: against brute force, and within their bounds.

use super::oracle::Waves;
use super::path_oracle::{self, Spline};
use super::{keeps, random};
use crate::edits::{EditLog, EditedField, Path};
use crate::tests::random::{Random, cases};
use crate::{Bounds, Field, Sample};

fn field(path: &Path) -> EditedField<Waves> {
    let mut log = EditLog::new();
    log.add(0, path.clone()).expect("a valid path");
    EditedField::new(Waves, log.edits())
}

/// Places on and around paths alone.
#[test]
fn a_path_matches_brute_force() {
    let (mut worst, mut touched) = ([0.0f64; 3], 0);
    let paths = cases(400);
    for seed in 0..paths as u64 {
        let mut r = Random::new(seed);
        let path = random::path(&mut r, [0.0; 2]);
        let (field, spline) = (field(&path), Spline::new(&path));
        let reach = path.width / 2.0 + path.falloff;
        let all = field.bounds();
        for _ in 0..50 {
            let u = r.within(-reach, spline.length() + reach);
            let [x, z, _] = spline.at(u);
            let p = [x[0], z[0]].map(|x| x + r.within(-1.1, 1.1) * reach);
            let at = |p: [f64; 2]| {
                let [weight, target] = path_oracle::of(&path, p);
                let ground = Waves::height(p);
                ground + weight * (target - ground)
            };
            let exact = at(p);
            touched += usize::from(path_oracle::of(&path, p)[0] > 0.0);
            let jet = field.jet(p);
            worst[0] = worst[0].max((f64::from(jet.sample.value) - exact).abs());
            let h = 1e-4;
            let along = |k: usize, by: f64| {
                let mut q = p;
                q[k] += by;
                q
            };
            for k in 0..2 {
                let [below, above] = [-h, h].map(|by| at(along(k, by)));
                let slope = (above - below) / (2.0 * h);
                let found = f64::from(jet.sample.gradient[k]);
                worst[1] = worst[1].max((found - slope).abs() / (1.0 + all.lipschitz));
                for j in 0..2 {
                    // Of the field's own gradients.
                    let slope = |by| f64::from(field.sample(along(j, by)).gradient[k]);
                    let bend = (slope(4e-3) - slope(-4e-3)) / 8e-3;
                    let found = f64::from(jet.hessian[j][k]);
                    worst[2] = worst[2].max((found - bend).abs() / (1.0 + all.curvature));
                }
            }
        }
    }
    println!("{touched} touched; value, gradient and Hessian: {worst:?}");
    assert!(touched > 20 * paths);
    assert!(worst[0] < 2e-5 && worst[1] < 1e-5 && worst[2] < 2e-3, "{worst:?}");
}

/// A search on and around paths alone.
#[test]
fn no_path_breaks_its_bounds() {
    // How close to its bounds the ground comes: slope and second derivative.
    let mut tightest = [0.0f64; 2];
    for seed in 0..300 {
        let mut r = Random::new(seed);
        let path = random::path(&mut r, [0.0; 2]);
        let (field, spline) = (field(&path), Spline::new(&path));
        let (all, reach) = (field.bounds(), path.width / 2.0 + path.falloff);
        for _ in 0..20 {
            let [x, z, _] = spline.at(r.within(-reach, spline.length() + reach));
            let center = [x[0], z[0]].map(|x| x + r.within(-1.2, 1.2) * reach);
            let radius = r.magnitude(0.01, 30.0);
            let near = field.local_bounds(center, radius);
            for _ in 0..50 {
                let (angle, distance) = (r.within(0.0, 6.3), r.within(0.0, 0.999 * radius));
                let p = [center[0] + distance * angle.cos(), center[1] + distance * angle.sin()];
                let jet = field.jet(p);
                for bounds in [all, near] {
                    assert!(keeps(bounds, jet), "seed {seed} at {p:?}: {jet:?}, {bounds:?}");
                }
                let [x, z] = jet.sample.gradient;
                tightest[0] = tightest[0].max(f64::from(x.hypot(z)) / near.lipschitz);
                let bend = f64::from((jet.hessian[0][0] + jet.hessian[1][1]).abs());
                tightest[1] = tightest[1].max(bend / near.curvature);
            }
        }
    }
    println!("slopes and second derivatives up to {tightest:?} of their bounds");
    assert!(tightest[0] > 0.3 && tightest[1] > 0.2, "{tightest:?}");
}

/// Lines along a path, at several distances from it.
#[test]
fn gradients_are_continuous_across_knots_and_ends() {
    let points = vec![[0.0, 0.0, 0.0], [30.0, 0.0, 3.0], [55.0, 15.0, 2.0], [80.0, 10.0, 8.0]];
    let path = Path { points, width: 4.0, falloff: 6.0, depth: 1.0, max_grade: 0.0 };
    let (field, spline) = (field(&path), Spline::new(&path));
    let Bounds { curvature, .. } = field.bounds();
    for side in [-7.5, -3.0, 0.0, 1.0, 6.5] {
        let mut last: Option<Sample<2>> = None;
        let n = 200_000;
        let step = (spline.length() + 18.0) / f64::from(n);
        for i in 0..n {
            let [[x, dx], [z, dz], _] = spline.at(-9.0 + step * f64::from(i));
            let speed = dx.hypot(dz);
            let sample = field.sample([x - side * dz / speed, z + side * dx / speed]);
            if let Some(last) = last {
                let jump = |k: usize| (sample.gradient[k] - last.gradient[k]).abs();
                assert!(f64::from(jump(0).max(jump(1))) < 2.5 * step * curvature + 1e-5);
                assert!((sample.value - last.value).abs() < 0.01);
            }
            last = Some(sample);
        }
    }
}

#[test]
fn the_carriageway_has_the_height_of_the_curve() {
    let points = vec![[1e12, -3e11, 5.0], [1e12 + 40.0, -3e11, 9.0]];
    let road = Path { points, width: 6.0, falloff: 5.0, ..Path::default() };
    let ground = field(&road);
    for (x, z, height) in [(0.0, 0.0, 5.0), (20.0, 2.5, 7.0), (40.0, -3.0, 9.0)] {
        let sample = ground.sample([1e12 + x, -3e11 + z]);
        assert_eq!(sample, Sample { value: height, gradient: [0.1, 0.0] });
    }
    // Beyond the ends it goes on with its slope, and falls off over 5 m.
    assert_ne!(ground.value([1e12 - 4.0, -3e11]), Waves.sample([1e12 - 4.0, -3e11]).value);
    assert_eq!(ground.value([1e12 - 5.1, -3e11]), Waves.sample([1e12 - 5.1, -3e11]).value);
    let ditch = field(&Path { depth: 2.0, ..road.clone() });
    assert_eq!(ditch.value([1e12 + 20.0, -3e11]), 5.0);
    assert_eq!(ditch.value([1e12 + 20.0, -3e11 + 3.0]), 7.0);
    let crown = field(&Path { depth: -0.1, ..road });
    assert_eq!(crown.value([1e12 + 20.0, -3e11]), 7.1);
}
