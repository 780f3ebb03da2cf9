//! Erosion: compared with the oracle, its bounds, its bits, and the trees that it refuses.

use super::oracle;
use super::random::{Random, extreme_erosion};
use crate::fractal::Ridged;
use crate::ray::{Cast, Ray, raycast};
use crate::simd::levels;
use crate::{
    Erosion, Field, Fractal, FractalKind, GradientNoise, Grid, Jet, Jets, Node, Recipe, Sample,
    Samples, Tree,
};

/// Mountains half a kilometre high and two kilometres wide.
fn mountains(seed: u64) -> Node<2> {
    let fractal = Fractal::fbm(3.0, GradientNoise::seeded(seed));
    Fractal { frequency: 1.0 / 2000.0, amplitude: 600.0, gain: 0.45, ..fractal }.into()
}

fn random(r: &mut Random) -> Erosion {
    let mut number = |a, b| r.within(a, b) as f32;
    Erosion {
        strength: number(0.1, 0.6),
        gain: number(0.3, 0.6),
        ridge_sharpness: number(0.0, 1.0),
        valley_sharpness: number(0.0, 1.0),
        threshold: number(0.1, 0.5),
        branching: number(0.0, 1.5),
        middle: number(-100.0, 100.0),
        relief: number(50.0, 500.0),
        height: number(0.5, 2.0),
        scale: number(200.0, 500.0).into(),
        octaves: number(1.0, 6.0).into(),
        seed: r.bits(),
    }
}

fn build(node: &Node<2>) -> Tree<2> {
    node.build().unwrap()
}

/// The angle between the normals of two slopes, in degrees.
fn angle(a: [f64; 2], b: [f64; 2]) -> f64 {
    let cross = [a[0] - b[0], a[1] - b[1], a[0] * b[1] - a[1] * b[0]];
    let dot = 1.0 + a[0] * b[0] + a[1] * b[1];
    cross.iter().map(|x| x * x).sum::<f64>().sqrt().atan2(dot).to_degrees()
}

fn part(sorted: &[f64], part: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * part) as usize]
}

#[test]
fn normals_are_those_of_the_height() {
    let mut r = Random::new(5);
    let (mut exact, mut usual, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..150 {
        let base = mountains(r.bits());
        let erosion = if i % 3 == 0 { Erosion::seeded(i) } else { random(&mut r) };
        let node = base.clone().erode(erosion);
        let field = build(&node);
        for _ in 0..20 {
            let p = r.point(1e4);
            let sample = field.sample(p);
            let (value, approximate) = oracle::eroded(&erosion, &base, p);
            values.push((f64::from(sample.value) - value).abs());
            // Differences of the fourth order, over a thousandth of the width of the finest
            // gullies.
            let step = erosion.finest() / 1000.0;
            let along = |k: usize, h: f64| {
                let at = |h: f64| {
                    let mut q = p;
                    q[k] += h;
                    oracle::value(&node, q)
                };
                (at(h) - at(-h)) / (2.0 * h)
            };
            let truth = [0, 1].map(|k| (4.0 * along(k, step) - along(k, 2.0 * step)) / 3.0);
            exact.push(angle(sample.gradient.map(f64::from), truth));
            usual.push(angle(approximate, truth));
        }
    }
    for (name, angles) in [("returned", &mut exact), ("usual, approximate", &mut usual)] {
        angles.sort_by(f64::total_cmp);
        println!(
            "angle from the true normal, {name}: median {:.5}, 99 % {:.4}, largest {:.3} degrees",
            part(angles, 0.5),
            part(angles, 0.99),
            part(angles, 1.0)
        );
    }
    values.sort_by(f64::total_cmp);
    println!(
        "error of the height: median {:.1e}, largest {:.1e} m",
        part(&values, 0.5),
        part(&values, 1.0)
    );
    assert!(part(&exact, 0.5) < 1e-4 && part(&exact, 0.99) < 1e-2 && part(&exact, 1.0) < 0.1);
    assert!(part(&usual, 0.5) > 1.0, "the usual slopes are wrong, or this test is");
    assert!(part(&values, 0.5) < 1e-4 && part(&values, 1.0) < 1e-2);
}

fn bits(sample: Sample<2>) -> [u32; 3] {
    let Sample { value, gradient: [x, z] } = sample;
    [value, x, z].map(|number| if number.is_nan() { f32::NAN.to_bits() } else { number.to_bits() })
}

fn jet_bits(Jet { sample, hessian }: Jet<2>) -> ([u32; 3], [[u32; 2]; 2]) {
    (bits(sample), hessian.map(|row| row.map(f32::to_bits)))
}

/// Points, grids, batches, values only and jets, at every SIMD level, near the origin and far away,
/// with and without a band limit.
#[test]
fn the_bits_are_those_of_points() {
    let mut r = Random::new(8);
    for i in 0..24 {
        let erosion = random(&mut r);
        let node = match i % 4 {
            0 => mountains(i).warp([3, 4].map(mountains)).erode(erosion),
            1 => mountains(i).erode(erosion).rotate(30.0) * 0.5 + mountains(i + 1),
            _ => mountains(i).erode(erosion),
        };
        let whole = build(&node);
        let spacing = [0.5, 8.0, 64.0][i as usize % 3];
        let limited = whole.band_limited(spacing).unwrap();
        let far = [0.0, -3e5, 1e12][r.below(3)];
        let origin = [far + 0.5, 77.25 - far];
        let grid = Grid::new(origin, spacing, [1 + r.below(40), 1 + r.below(6)]);
        let points: Vec<_> = grid.points().collect();
        for field in [&whole as &dyn Field<2>, &*limited] {
            let exact: Vec<_> = points.iter().map(|&p| bits(field.sample(p))).collect();
            for (level, simd) in levels() {
                for mut out in
                    [Samples::new(), Samples::values_only()].map(|out| out.with_level(simd))
                {
                    for is_grid in [true, false] {
                        if is_grid {
                            field.sample_grid(&grid, &mut out);
                        } else {
                            field.sample_points(&points, &mut out);
                        }
                        for (i, sample) in out.iter().enumerate() {
                            let [value, slopes @ ..] = bits(sample);
                            let [known, known_slopes @ ..] = exact[i];
                            assert_eq!(value, known, "{level} at {:?} of {node:#?}", points[i]);
                            let equal = slopes == known_slopes || !out.has_gradients();
                            assert!(equal, "{level} at {:?} of {node:#?}", points[i]);
                        }
                    }
                }
            }
        }
        for field in [&whole as &dyn Field<2>, &*limited] {
            let exact: Vec<_> = points.iter().map(|&p| jet_bits(field.jet(p))).collect();
            for (level, simd) in levels() {
                let mut jets = Jets::new().with_level(simd);
                field.jet_grid(&grid, &mut jets);
                assert!(jets.iter().map(jet_bits).eq(exact.iter().copied()), "{level} {node:#?}");
                field.jet_points(&points, &mut jets);
                assert!(jets.iter().map(jet_bits).eq(exact.iter().copied()), "{level} {node:#?}");
            }
        }
        let same = |p: &[f64; 2]| whole.value(*p).to_bits() == limited.value(*p).to_bits();
        assert!(points.iter().all(same), "values do not depend on the band limit");
    }
}

/// Proven bounds hold, and loose ones are reported as loose.
#[test]
fn bounds_hold_and_rays_are_not_proven() {
    let mut r = Random::new(9);
    for i in 0..40 {
        let erosion = random(&mut r);
        let base = mountains(i);
        let field = build(&base.clone().erode(erosion));
        let bounds = field.bounds();
        let depth = erosion.depth();
        let own = build(&base).bounds();
        assert!((bounds.max - own.max - depth).abs() < 1e-6 * bounds.max);
        assert!(
            field.has_loose_bounds()
                && bounds.lipschitz > own.lipschitz
                && bounds.curvature.is_infinite()
        );
        for _ in 0..200 {
            let p = r.point(1e5);
            let sample = field.sample(p);
            let value = f64::from(sample.value);
            assert!((bounds.min..=bounds.max).contains(&value));
            let slope = sample.gradient[0].hypot(sample.gradient[1]);
            assert!(f64::from(slope) <= bounds.lipschitz);
            let radius = r.within(0.0, 200.0);
            let near = field.local_bounds(p, radius);
            let q = [p[0] + 0.7 * radius, p[1] - 0.7 * radius];
            assert!((near.min..=near.max).contains(&f64::from(field.value(q))));
        }
        let ray = Ray { origin: [0.0, 1e4, 0.0], direction: [1.0, -1.0, 0.0], max_distance: 1e5 };
        let hit = raycast(&field, &ray, 0.1).unwrap().hit().unwrap();
        assert!((hit.position[1] - f64::from(hit.ground.value)).abs() <= 0.1 && !hit.is_proven);
        let up = Ray { direction: [1.0, 0.1, 0.0], ..ray };
        assert_eq!(raycast(&field, &up, 0.1), Ok(Cast::Clear { is_proven: true }));
        let outside = [1e30, 0.0];
        assert!(field.value(outside).is_nan());
        assert_eq!(field.local_bounds(outside, 1.0).max, f64::INFINITY);
    }
    let none = build(&mountains(1).erode(Erosion { strength: 0.0, ..Erosion::default() }));
    assert_eq!(none.bounds(), build(&mountains(1)).bounds());
    assert_eq!(none.sample([3.0, 4.0]), build(&mountains(1)).sample([3.0, 4.0]));
}

#[test]
fn what_cannot_be_eroded_is_refused() {
    let error = |node: Node<2>| node.build().unwrap_err().to_string();
    let ridged = Fractal {
        kind: FractalKind::Ridged(Ridged::default()),
        ..Fractal::fbm(3.0, GradientNoise::seeded(1))
    };
    let creases = error(Node::from(ridged).erode(Erosion::default()));
    assert!(creases.starts_with("Erode.field: has creases"), "{creases}");
    let wrong = error(mountains(1).erode(Erosion { scale: f64::NAN, ..Erosion::default() }));
    assert!(wrong.starts_with("Erode.by.scale: ") && wrong.contains("0.001 and"), "{wrong}");
    let small = error(mountains(1).erode(Erosion { height: 1e-9, ..Erosion::default() }));
    assert!(small.starts_with("Erode.by.height: is 0.000000001, but must be 0 or"), "{small}");
    let twice = error((mountains(1).erode(Erosion::default()) * 0.0).erode(Erosion::default()));
    assert!(twice.starts_with("Erode.field: has creases, or no second"), "{twice}");
    let fine = Erosion { scale: 1e-3, octaves: 10.0, ..Erosion::default() };
    let too_fine = error(mountains(1).erode(fine).frequency(1e3));
    assert!(too_fine.starts_with("Domain.field.Erode.by: the highest frequency"), "{too_fine}");
    let in_three = Node::<3>::noise(1).erode(Erosion::default()).build().unwrap_err().to_string();
    assert!(in_three.starts_with("Erode.by: exists in 2 dimensions, not in 3"), "{in_three}");
}

/// A regression test: slopes of 1e12 times a height of 1e5 once overflowed, and gradients were NaN.
#[test]
fn slopes_beyond_what_f32_can_square_are_refused() {
    let field = Fractal {
        lacunarity: 8.0,
        gain: 1.0,
        amplitude: 1e6,
        frequency: 1e3,
        ..Fractal::fbm(4.0, GradientNoise::default())
    };
    let by = Erosion { height: 1e5, ..Erosion::default() };
    let error = Recipe::new(0, 1e-3, Node::from(field).erode(by)).build().unwrap_err();
    assert_eq!(error.path, "field.Erode.field");
    assert!(error.problem.starts_with("the field's value times height is"), "{error}");
    let steep = |amplitude, frequency| {
        let noise = Fractal { amplitude, frequency, ..Fractal::fbm(1.0, GradientNoise::default()) };
        Node::<2>::from(noise).erode(Erosion { height: 1e5, ..by }).build().unwrap_err().problem
    };
    assert!(steep(1e3, 1e2).starts_with("the field's slope times height is"));
    assert!(steep(4.0, 1e3).starts_with("the field's second derivative times height is"));
}

/// All accepted trees have finite values and gradients everywhere within their domain.
#[test]
fn extreme_erosion_has_finite_gradients() {
    let (mut accepted, mut samples) = (0, Samples::new());
    for seed in 0..3000 {
        let mut r = Random::new(seed);
        let node = extreme_erosion(&mut r);
        let Ok(field) = node.build() else { continue };
        accepted += 1;
        let size = r.magnitude(1e-6, 1e9);
        let mut points: Vec<[f64; 2]> = (0..64).map(|_| r.point(size)).collect();
        // Lattice points, where noise is 0 and slopes are not, and points nearby.
        points.extend([[0.0; 2], [1.0; 2], [-1e-9, 1e-9], [0.5, 1.0]]);
        field.sample_points(&points, &mut samples);
        for (p, sample) in points.iter().zip(samples.iter()) {
            let is_finite = |sample: Sample<2>| {
                sample.value.is_finite() && sample.gradient.iter().all(|g| g.is_finite())
            };
            assert!(is_finite(sample), "{seed}: {sample:?} at {p:?} of {node:#?}");
            assert_eq!(bits(sample), bits(field.sample(*p)));
        }
        for p in &points[..8] {
            let jet = field.jet(*p);
            assert!(!jet.hessian.as_flattened().iter().any(|h| h.is_nan()), "{seed}: {jet:?}");
        }
    }
    println!("{accepted} of 3000 trees are accepted");
    assert!(accepted > 300, "{accepted}");
}

/// Erosion of strength 0 changes nothing and costs nothing, even if repeated.
#[test]
fn nothing_is_not_eroded() {
    let nothing = Erosion { strength: 0.0, ..Erosion::default() };
    let many = (0..14).fold(mountains(1), |node, _| node.erode(nothing));
    let (many, one) = (build(&many), build(&mountains(1)));
    assert_eq!(many.jet([3.0, 4.0]), one.jet([3.0, 4.0]));
}

/// In a recipe, slopes are computed with its height.
#[test]
fn heights_are_those_of_the_recipe() {
    let fractal = Fractal::fbm(3.0, GradientNoise::seeded(1));
    let hills = Node::from(Fractal { frequency: 1.0 / 2000.0, ..fractal });
    let build = |height| {
        let field = hills.clone().erode(Erosion { height, ..Erosion::default() });
        Recipe::new(7, 600.0, field).build().unwrap()
    };
    let p = [1234.5, -678.0];
    assert_eq!(build(0.0).sample(p), build(600.0).sample(p));
    assert_ne!(build(0.0).sample(p), build(1.0).sample(p));
}

/// A fine grid resolves the whole gradient, a coarse one little of the gullies' gradient, and a
/// grid coarser than all features nothing.
#[test]
fn coarse_grids_carry_less() {
    let field = build(&mountains(3).erode(Erosion::default()));
    let limited = |spacing: f64| field.band_limited(spacing).unwrap();
    let (fine, coarse, none) = (limited(0.1), limited(180.0), limited(f64::INFINITY));
    let base = build(&mountains(3)).band_limited(180.0).unwrap();
    let mut r = Random::new(12);
    let (mut whole, mut left) = (0.0, 0.0);
    for _ in 0..500 {
        let p = r.point(1e4);
        let exact = field.sample(p).gradient.map(f64::from);
        assert!(angle(fine.sample(p).gradient.map(f64::from), exact) < 0.01);
        assert!(none.sample(p).gradient.iter().all(|&g| g == 0.0), "{:?}", none.sample(p));
        let smooth = base.sample(p).gradient.map(f64::from);
        whole += angle(exact, smooth);
        left += angle(coarse.sample(p).gradient.map(f64::from), smooth);
    }
    println!("of the gullies' slopes, {:.2} are left", left / whole);
    // The remaining slopes come from raising peaks and lowering valleys.
    assert!(left < 0.35 * whole, "{left} of {whole}");
}

/// Second derivatives equal the differences of the gradient.
#[test]
fn hessians_are_those_of_the_gradient() {
    let mut r = Random::new(10);
    let mut errors = Vec::new();
    for i in 0..40 {
        let field = build(&mountains(i).erode(random(&mut r)));
        for _ in 0..10 {
            let p = r.point(1e4);
            let Jet { sample, hessian } = field.jet(p);
            assert_eq!(bits(sample), bits(field.sample(p)));
            // A different step than that of the field's own differences.
            let (mut scale, mut worst) = (1e-6f64, 0f64);
            for (k, axis) in [[1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
                const H: f64 = 0.05;
                let at = |h: f64| field.sample([p[0] + h * axis[0], p[1] + h * axis[1]]).gradient;
                for ((below, above), row) in at(-H).into_iter().zip(at(H)).zip(hessian) {
                    let quotient = f64::from(above - below) / (2.0 * H);
                    scale = scale.max(quotient.abs());
                    worst = worst.max((f64::from(row[k]) - quotient).abs());
                }
            }
            errors.push(worst / scale);
        }
    }
    errors.sort_by(f64::total_cmp);
    println!(
        "error of second derivatives: median {:.1e}, 99 % {:.1e}",
        part(&errors, 0.5),
        part(&errors, 0.99)
    );
    assert!(part(&errors, 0.5) < 1e-2 && part(&errors, 0.95) < 0.1);
}
