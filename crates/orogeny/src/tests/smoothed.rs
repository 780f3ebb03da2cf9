//! Fields without their fine octaves: which ones stay, the mean of the others, and bounds.

use super::random::{Random, cases, tree};
use crate::tests::random::fractal_kinds;
use crate::{
    Bounds, Cellular, Erosion, Field, Fractal, FractalKind, GradientNoise, Grid, Node, Sample,
    Samples, Simplex, Transform, Tree,
};

fn bits<const N: usize>(sample: Sample<N>) -> (u32, [u32; N]) {
    (sample.value.to_bits(), sample.gradient.map(f32::to_bits))
}

fn built(node: impl Into<Node<2>>) -> Tree<2> {
    node.into().build().unwrap()
}

/// Octaves of wavelengths 64, 32, 16, 8, 4 and 2.
fn fractal(kind: FractalKind, octaves: u32) -> Fractal<2> {
    let fbm = Fractal::fbm(octaves.into(), GradientNoise::seeded(5));
    Fractal { kind, frequency: 1.0 / 64.0, ..fbm }
}

/// The mean of field - part, and the mean of its square.
fn difference(field: &dyn Field<2>, part: &dyn Field<2>, reach: f64) -> [f64; 2] {
    let mut r = Random::new(77);
    let mut sums = [0.0; 2];
    for _ in 0..30_000 {
        let p = r.point(reach);
        let difference = f64::from(field.value(p)) - f64::from(part.value(p));
        sums = [sums[0] + difference, sums[1] + difference * difference];
    }
    sums.map(|sum| sum / 30_000.0)
}

/// The coarse octaves are those of a fractal with fewer, and the mean stays.
#[test]
fn every_kind_keeps_its_coarse_octaves_and_its_mean() {
    let mut r = Random::new(1);
    for kind in fractal_kinds() {
        let whole = built(fractal(kind, 6));
        for left in 0..=6u32 {
            // From the wavelength of the last octave that stays up to that of the one before.
            let wavelength = 64.0 / f64::from(1 << left) * 2.0;
            for wavelength in [wavelength, 0.51 * wavelength] {
                let smoothed = whole.smoothed(wavelength).unwrap();
                let p = [r.point(1e3), r.point(1e3)];
                if left == 0 {
                    assert_eq!(smoothed.sample(p[0]), smoothed.sample(p[1]));
                    assert_eq!(smoothed.sample(p[0]).gradient, [0.0; 2]);
                    continue;
                }
                let coarse = built(fractal(kind, left));
                let shift = smoothed.value(p[0]) - coarse.value(p[0]);
                for p in p {
                    let (own, expected) = (smoothed.jet(p), coarse.jet(p));
                    assert_eq!(own.sample.gradient, expected.sample.gradient, "{kind:?} {left}");
                    assert_eq!(own.hessian, expected.hessian, "{kind:?} {left}");
                    let shift = own.sample.value - expected.sample.value - shift;
                    assert!(shift.abs() < 1e-6, "{kind:?} {left}");
                }
                if left == 6 || matches!(kind, FractalKind::Fbm | FractalKind::Damped(_)) {
                    assert_eq!(shift, 0.0, "{kind:?} {left}");
                }
            }
            let smoothed = whole.smoothed(wavelength).unwrap();
            let [mean, square] = difference(&whole, &*smoothed, 1e5);
            let amplitude = 0.5f64.powi(left as i32);
            println!("{kind:?}, {left} left: {mean:.5}, {:.4} of the amplitude", mean / amplitude);
            assert!(mean.abs() < 0.04 * amplitude, "{kind:?} {left}: {mean}");
            assert_eq!(square == 0.0, left == 6, "{kind:?} {left}");
        }
    }
    // Without compensation the mean of a billow would move by a third of the amplitude.
    let [billow, coarse] = [6, 1].map(|left| built(fractal(FractalKind::Billow, left)));
    let [mean, _] = difference(&billow, &coarse, 1e5);
    assert!(mean.abs() > 0.3, "{mean}");
}

#[test]
fn noises_of_other_means_keep_theirs() {
    let value = GradientNoise::value(2);
    let noises = [
        ("cellular", Node::from(Cellular::seeded(1)).frequency(0.1)),
        ("simplex", Node::from(Simplex { seed: 3 }).frequency(0.1)),
        ("value", Node::from(value).frequency(0.1)),
        ("a product", Node::noise(4).frequency(0.1) * Node::noise(5).frequency(0.1)),
    ];
    for (name, node) in noises {
        let whole = built(node + Node::noise(8).frequency(0.001));
        let smoothed = whole.smoothed(50.0).unwrap();
        let [mean, square] = difference(&whole, &*smoothed, 1e5);
        assert!(mean.abs() < 0.03 && square > 1e-4, "{name}: {mean} {square}");
    }
}

/// Transforms count by the largest factor of their scales; a warp passes the wavelength on.
#[test]
fn wavelengths_are_those_of_the_whole_tree() {
    let is_left = |node: Node<2>, wavelength: f64| {
        let smoothed = built(node).smoothed(wavelength).unwrap();
        smoothed.sample([0.3, 0.4]).gradient != [0.0; 2]
    };
    let noise = || Node::<2>::noise(6);
    let scaled = |x, z| noise().transform(Transform::Scale([x, z])).rotate(30.0);
    for (node, longest) in [
        (noise(), 1.0),
        (scaled(0.25, 0.25), 4.0),
        (scaled(0.25, -0.5), 2.0),
        (noise().frequency(0.125), 8.0),
        (noise().rotate(45.0).translate([3.0, 4.0]), 1.0),
    ] {
        assert!(is_left(node.clone(), longest) && !is_left(node, 1.01 * longest), "{longest}");
    }
    let wide = || noise().frequency(0.01);
    let warped = built(wide().warp([noise() * 5.0, noise() * 5.0]));
    let smoothed = warped.smoothed(50.0).unwrap();
    for p in [[3.0, 4.0], [-70.0, 21.5]] {
        assert_eq!(bits(smoothed.sample(p)), bits(built(wide()).sample(p)));
    }
}

#[test]
fn erosion_keeps_its_wide_gullies() {
    let base = || Node::<2>::noise(3).fbm(3).frequency(1.0 / 2048.0).amplitude(300.0);
    // Gullies of 256, 128, 64, 32 and 16 m.
    let erosion = Erosion { scale: 256.0, octaves: 4.5, ..Erosion::seeded(4) };
    let whole = built(base().erode(erosion));
    let mut r = Random::new(9);
    for (wavelength, octaves) in [(16.0, 4.5), (17.0, 4.0), (100.0, 2.0), (256.0, 1.0)] {
        let smoothed = whole.smoothed(wavelength).unwrap();
        let coarse = built(base().erode(Erosion { octaves, ..erosion }));
        for _ in 0..50 {
            let p = r.point(1e4);
            assert_eq!(smoothed.sample(p).gradient, coarse.sample(p).gradient, "{wavelength}");
        }
        let shift = smoothed.value([1.0, 2.0]) - coarse.value([1.0, 2.0]);
        // The amplitude of the widest gullies is 22 m.
        let [mean, _] = difference(&whole, &*smoothed, 1e5);
        println!("gullies from {wavelength} m: {mean:.3} m off, by {shift:.3} m");
        assert!(mean.abs() < 0.5, "{wavelength}: {mean}");
    }
    let smoothed = whole.smoothed(600.0).unwrap();
    // Octaves of 2048 and 1024 m are left.
    let coarse = built(Node::<2>::noise(3).fbm(2).frequency(1.0 / 2048.0).amplitude(300.0));
    for _ in 0..50 {
        let p = r.point(1e4);
        assert_eq!(smoothed.sample(p).gradient, coarse.sample(p).gradient);
    }
    let [mean, _] = difference(&whole, &*smoothed, 1e6);
    assert!(mean.abs() < 1.0, "{mean}");
}

/// Bounds of smoothed trees are proven, and their ranges and slopes are no wider than those of the
/// whole tree. Grids have the bits of points.
#[test]
fn random_trees_keep_their_bounds() {
    fn check<const N: usize>(size: [usize; N], trees: u64) {
        let mut out = Samples::new();
        let mut changed = 0u64;
        for seed in 0..trees {
            let mut r = Random::new(seed);
            let Ok(field) = tree::<N>(&mut r, 4).build() else { continue };
            let grid = Grid::new(r.point(100.0), 0.37, size);
            for wavelength in [0.0, 0.5, r.magnitude(0.1, 10.0), f64::INFINITY] {
                let smoothed = field.smoothed(wavelength).unwrap();
                smoothed.sample_grid(&grid, &mut out);
                let (own, all) = (smoothed.bounds(), field.bounds());
                let slack = 1e-5 * (1.0 + all.max_abs());
                let is_within = own.min >= all.min - slack
                    && own.max <= all.max + slack
                    && own.lipschitz <= all.lipschitz * (1.0 + 1e-5)
                    && own.curvature <= all.curvature * (1.0 + 1e-5);
                assert!(is_within, "seed {seed}, {wavelength}: {own:?} {all:?}");
                for (i, p) in grid.points().enumerate() {
                    let found = out.get(i);
                    assert_eq!(bits(found), bits(smoothed.sample(p)), "seed {seed} at {p:?}");
                    let length = found.gradient.iter().map(|&g| f64::from(g).powi(2)).sum::<f64>();
                    let near: Bounds = smoothed.local_bounds(p, 0.01);
                    for bounds in [own, near] {
                        let value = f64::from(found.value);
                        let range = bounds.min - slack..=bounds.max + slack;
                        assert!(range.contains(&value), "seed {seed} at {p:?}: {found:?}");
                        assert!(length.sqrt() <= bounds.lipschitz * (1.0 + 1e-5) + 1e-5);
                    }
                    if wavelength == 0.0 {
                        assert_eq!(bits(found), bits(field.sample(p)), "seed {seed} at {p:?}");
                    } else if wavelength == f64::INFINITY {
                        assert_eq!(found.gradient, [0.0; N], "seed {seed} at {p:?}");
                    } else {
                        changed += u64::from(found.value != field.sample(p).value);
                    }
                }
            }
        }
        assert!(changed > 10 * trees, "{changed}");
    }
    check([17], cases(150) as u64);
    check([7, 5], cases(150) as u64);
    check([4, 3, 2], cases(100) as u64);
    check([3, 2, 2, 2], cases(30) as u64);
}

#[test]
fn smoothing_twice_and_what_is_refused() {
    let whole = built(fractal(FractalKind::Fbm, 6));
    let p = [12.0, -3.4];
    for (first, second) in [(5.0, 20.0), (20.0, 5.0)] {
        let twice = whole.smoothed(first).unwrap().smoothed(second).unwrap();
        assert_eq!(bits(twice.sample(p)), bits(whole.smoothed(20.0).unwrap().sample(p)));
    }
    for wrong in [f64::NAN, -1.0, f64::NEG_INFINITY] {
        assert!(whole.smoothed(wrong).is_none());
    }
    // Outside the domain it is NaN, even if no octave is left.
    assert!(whole.smoothed(1e9).unwrap().value([f64::NAN, 0.0]).is_nan());
    // Pointers forward the call.
    let boxed: Box<dyn Field<2>> = Box::new(whole);
    assert!(boxed.smoothed(3.0).is_some());
}
