//! Which kinds grow in which climate.

use crate::cover::CoverPoint;
use crate::edits::Edits;
use crate::scatter::{KindId, Placement, Scatter, ScatterKind};
use crate::tests::scatter::{on_level_ground, scatter, square};
use crate::{Climate, Field, Node, Tree};

fn hills() -> Tree<2> {
    let noise = Node::<2>::noise(4).fbm(3).frequency(1.0 / 700.0).amplitude(300.0);
    noise.build().unwrap()
}

fn varied() -> Climate {
    Climate {
        temperature: 8.0,
        lapse_rate: 6.0,
        sunny_side: 5.0,
        warm_patches: 1.5,
        moisture: 0.4,
        moist_patches: 0.9,
        patch_size: 300.0,
        ..Climate::default()
    }
}

/// A scatter over the hills in a climate.
fn in_climate(climate: &Climate, scatter: &Scatter) -> Placement {
    super::in_climate(scatter, hills(), climate.clone())
}

/// A kind of grassland that keeps its distance from nothing.
fn kind(seed: u64) -> ScatterKind {
    ScatterKind {
        seed,
        radius: 2.0,
        grass: 1.0,
        slope: ScatterKind::SLOPE.below(1000.0),
        ..ScatterKind::default()
    }
}

/// Places on a lattice of 97 m.
fn places() -> Vec<[f64; 2]> {
    (0..900).map(|i| [f64::from(i % 30) * 97.0 - 1e3, f64::from(i / 30) * 97.0 - 5e4]).collect()
}

/// Slopes are differences of heights here, and the noises stay within what they may add.
#[test]
fn climate_depends_on_height_and_on_the_side_of_a_hill() {
    let placement = in_climate(&varied(), &Scatter::default());
    let smooth = hills().band_limited(CoverPoint::SCALE).unwrap();
    let height = |x: f64, z: f64| f64::from(smooth.value([x, z]));
    let (mut warmth, mut moisture) = ([f64::MAX, f64::MIN], [f64::MAX, f64::MIN]);
    let mut sides = [0; 2];
    for p in places() {
        let [x, z] = p;
        let step = 0.5;
        let slope_x = (height(x + step, z) - height(x - step, z)) / (2.0 * step);
        let slope_z = (height(x, z + step) - height(x, z - step)) / (2.0 * step);
        let facing = -slope_z / (1.0 + slope_x * slope_x + slope_z * slope_z).sqrt();
        sides[usize::from(facing > 0.2)] += 1;
        let without_noise = 8.0 - 6.0 * height(x, z) / 1000.0 + 5.0 * facing;
        let found = placement.climate(p);
        let noise = (f64::from(found.temperature) - without_noise) / 1.5;
        warmth = [warmth[0].min(noise), warmth[1].max(noise)];
        let found = f64::from(found.moisture);
        moisture = [moisture[0].min(found), moisture[1].max(found)];
    }
    assert!(sides[1] > 50, "{sides:?}");
    assert!((-1.01..-0.9).contains(&warmth[0]) && (0.9..1.01).contains(&warmth[1]), "{warmth:?}");
    assert_eq!(moisture, [0.0, 1.0]);
    // A steady climate has no noise at all.
    let steady = on_level_ground(&Scatter::default()).climate([1e6, -3e5]);
    assert!((steady.temperature - (10.0 - 6.5 * 0.005)).abs() < 1e-5 && steady.moisture == 0.5);
}

/// The edges of neighbouring bands add up to 1, so that a forest changes its trees and stays dense.
#[test]
fn kinds_of_neighbouring_climates_share_the_ground() {
    let [mut cold, mut warm, mut dry, mut moist] = [1, 2, 3, 4].map(kind);
    (cold.temperature.max, warm.temperature.min) = (8.0, 8.0);
    (dry.moisture.max, moist.moisture.min) = (0.45, 0.45);
    let kinds = vec![cold, warm, dry, moist, kind(5)];
    let placement = in_climate(&varied(), &scatter(kinds));
    // Around each place apart, because all of them together are too far from each other.
    let near = |p: [f64; 2]| {
        [1, 2, 3, 4, 5].map(|kind| placement.densities(KindId(kind), &[p]).unwrap()[0])
    };
    let mut both = [0; 2];
    for p in places() {
        let [cold, warm, dry, moist, all] = near(p);
        assert!((cold + warm - all).abs() < 1e-5, "{cold} and {warm} of {all} at {p:?}");
        assert!((dry + moist - all).abs() < 1e-5, "{dry} and {moist} of {all} at {p:?}");
        both[0] += usize::from(cold > 0.0 && warm > 0.0);
        both[1] += usize::from(dry > 0.0 && moist > 0.0);
    }
    assert!(both.iter().all(|&count| count > 20), "{both:?}");
}

#[test]
fn things_stand_only_in_their_climate() {
    let mut limited = kind(1);
    (limited.temperature.min, limited.temperature.max, limited.temperature.soft) = (7.0, 9.0, 0.0);
    (limited.moisture.max, limited.moisture.soft) = (0.6, 0.0);
    let climate = Climate { patch_size: 2000.0, ..varied() };
    let placement = in_climate(&climate, &scatter(vec![limited]));
    let found = placement.in_region(square(-500.0, 700.0), |_| true).unwrap();
    assert!(found.len() > 2000, "{}", found.len());
    for instance in &found {
        let climate = placement.climate(instance.position);
        // Between lattice points, the density is interpolated; slopes change by 0.05 there.
        assert!((6.6..9.4).contains(&climate.temperature), "{climate:?} at {instance:?}");
        assert!(climate.moisture < 0.68, "{climate:?} at {instance:?}");
    }
}

/// Where two kinds share the ground, both are as tall as elsewhere.
#[test]
fn a_shared_climate_does_not_stunt() {
    let [mut cold, mut warm] = [1, 2].map(kind);
    (cold.temperature.max, warm.temperature.min) = (8.0, 8.0);
    let sizes = |kind: ScatterKind| {
        let placement = in_climate(&varied(), &scatter(vec![kind]));
        let found = placement.in_region(square(-300.0, 300.0), |_| true).unwrap();
        assert!(found.len() > 300, "{}", found.len());
        found.iter().map(|tree| tree.size).sum::<f32>() / found.len() as f32
    };
    let [all, cold, warm] = [sizes(kind(1)), sizes(cold), sizes(warm)];
    assert!((cold / all - 1.0).abs() < 0.03 && (warm / all - 1.0).abs() < 0.03, "{cold} {warm}");
}

/// With other edits, the climate is still there.
#[test]
fn edits_leave_the_climate() {
    let placement = in_climate(&varied(), &scatter(vec![kind(1)]));
    let after = placement.with_edits(Edits::default());
    for p in places() {
        assert_eq!(placement.climate(p), after.climate(p));
    }
}

#[test]
fn faults_of_the_climate_name_the_number() {
    let climate = Climate { lapse_rate: f32::NAN, ..Climate::default() };
    assert_eq!(climate.build(0).unwrap_err().path, "climate.lapse_rate");
    let kind = ScatterKind { moisture: ScatterKind::MOISTURE.above(0.7).below(0.2), ..kind(1) };
    assert_eq!(scatter(vec![kind]).check().unwrap_err().path, "scatter.kinds[0].moisture.max");
}
