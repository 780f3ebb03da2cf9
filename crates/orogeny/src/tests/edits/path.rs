//! Paths alone: against brute force, and within their bounds.

use crate::edits::{Edit, EditedField, Path};
use crate::tests::edits::oracle::{Spline, Waves, of_path};
use crate::tests::edits::{edited, keeps, random};
use crate::tests::random::{Random, cases};
use crate::{Bounds, DataError, Field, Sample};

fn field(path: &Path) -> EditedField<Waves> {
    EditedField::new(Waves, edited([path.clone()]))
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
                let [weight, target] = of_path(&path, p);
                let ground = Waves::height(p);
                ground + weight * (target - ground)
            };
            let exact = at(p);
            touched += usize::from(of_path(&path, p)[0] > 0.0);
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
                    let second = (slope(4e-3) - slope(-4e-3)) / 8e-3;
                    let found = f64::from(jet.hessian[j][k]);
                    worst[2] = worst[2].max((found - second).abs() / (1.0 + all.curvature));
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
                let second = f64::from((jet.hessian[0][0] + jet.hessian[1][1]).abs());
                tightest[1] = tightest[1].max(second / near.curvature);
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

fn error(path: &Path) -> DataError {
    Edit::from(path.clone()).check().expect_err("an error")
}

/// A half circle of a radius between two straight parts.
fn hairpin(radius: f64, length: f64) -> Path {
    let mut points: Vec<_> =
        (0..5).map(|i| [length * (f64::from(i) / 5.0 - 1.0), -radius, 0.0]).collect();
    points.extend((0..=12).map(|i| {
        let angle = std::f64::consts::PI * f64::from(i) / 12.0;
        [radius * angle.sin(), -radius * angle.cos(), 0.0]
    }));
    points.extend((1..=5).map(|i| [-length * f64::from(i) / 5.0, radius, 0.0]));
    Path { points, ..Path::default() }
}

#[test]
fn errors_name_the_number_or_the_place() {
    let points = |points: &[[f64; 3]]| Path { points: points.to_vec(), ..Path::default() };
    let (a, b) = ([0.0, 0.0, 0.0], [10.0, 0.0, 0.0]);
    let many: Vec<_> = (0..257).map(|i| [f64::from(i), 0.0, 0.0]).collect();
    for (path, at) in [
        (points(&[]), "Path.points"),
        (points(&[a]), "Path.points"),
        (points(&many), "Path.points"),
        (points(&[a, [f64::NAN, 0.0, 0.0]]), "Path.points[1]"),
        (points(&[a, b, [0.0, -2e15, 0.0]]), "Path.points[2]"),
        (points(&[a, [10.0, 0.0, f64::INFINITY]]), "Path.points[1]"),
        (points(&[a, [10.0, 0.0, 2e6]]), "Path.points[1]"),
        (points(&[a, b, b]), "Path.points[1]"),
        (points(&[a, [2e4, 0.0, 0.0]]), "Path.points[0]"),
        (Path { width: 0.0, ..Path::default() }, "Path.width"),
        (Path { falloff: f64::NAN, ..Path::default() }, "Path.falloff"),
        (Path { depth: 1e30, ..Path::default() }, "Path.depth"),
        (Path { max_grade: -1.0, ..Path::default() }, "Path.max_grade"),
    ] {
        assert_eq!(error(&path).path, at, "{}", error(&path));
    }
    let longest = points(&many[1..]);
    assert!(Edit::from(longest.clone()).check().is_ok());
    let read = |points: &[[f64; 3]]| {
        let text = serde_json::json!({ "points": points, "width": 3.0 });
        serde_json::from_value::<Path>(text)
    };
    assert_eq!(read(&longest.points).unwrap(), Path { width: 3.0, ..longest });
    assert!(read(&many).unwrap_err().to_string().contains("more than 256 items"));
    let sharp = error(&points(&[[-20.0, 1e6, 0.0], [0.0, 1e6, 0.0], [0.0, 1e6 + 20.0, 0.0]]));
    assert!(sharp.problem.contains("too sharp at (-1."), "{sharp}");
    let back = error(&points(&[a, b, [20.0, 0.0, 0.0], [5.0, 0.0, 0.0]]));
    assert!(back.problem.contains("too sharp"), "{back}");
    let steep = [[0.0, 0.0, 0.0], [50.0, 0.0, 2.0], [100.0, 0.0, 10.0]];
    let steep = Path { points: steep.to_vec(), max_grade: 0.12, ..Path::default() };
    let refused = error(&steep);
    assert!(refused.problem.contains("too steep at (75.0, 0.0)"), "{refused}");
    assert!(Edit::from(Path { max_grade: 0.2, ..steep }).check().is_ok());
    let exact = [[0.0, 0.0, 0.0], [50.0, 0.0, 5.0], [100.0, 0.0, 10.0]];
    let exact = Path { points: exact.to_vec(), max_grade: 0.1, ..Path::default() };
    assert!(Edit::from(exact).check().is_ok());
}

/// Hairpins are refused where they are too tight, and where their arms are too near.
#[test]
fn bends_and_gaps_have_limits() {
    // The reach is 6 m.
    let path = |radius| Edit::from(hairpin(radius, 60.0)).check();
    assert!(path(6.0).unwrap_err().problem.contains("too sharp"));
    assert!(path(8.5).is_ok(), "{:?}", path(8.5));
    // A loop that comes back to its first arm.
    let bulb = |gap: f64| {
        let mut points = vec![[-60.0, -gap / 2.0, 0.0], [-30.0, -gap / 2.0, 0.0]];
        points.extend((0..=12).map(|i| {
            let angle = 0.55 + (2.0 * std::f64::consts::PI - 1.1) * f64::from(i) / 12.0;
            [40.0 - 40.0 * angle.cos(), -40.0 * angle.sin(), 0.0]
        }));
        points.extend([[-30.0, gap / 2.0, 0.0], [-60.0, gap / 2.0, 0.0]]);
        Edit::from(Path { points, ..Path::default() }).check()
    };
    assert!(bulb(11.0).unwrap_err().problem.contains("too near"));
    assert!(bulb(14.0).is_ok(), "{:?}", bulb(14.0));
    // A crossing.
    let points = vec![
        [-60.0, 0.0, 0.0],
        [0.0, 0.0, 0.0],
        [60.0, 0.0, 0.0],
        [90.0, 40.0, 0.0],
        [50.0, 70.0, 0.0],
        [20.0, 30.0, 0.0],
        [10.0, -60.0, 0.0],
    ];
    let crossing = error(&Path { points, ..Path::default() });
    assert!(crossing.problem.contains("too near"), "{crossing}");
}

/// Where the check accepts a path, the closest point of each place near it is the one whose normal
/// it is on. A search over random winding paths.
#[test]
fn accepted_paths_have_one_closest_point() {
    let mut counts = [0; 2];
    let paths = cases(600);
    for seed in 0..paths as u64 {
        let mut r = Random::new(seed);
        let (mut x, mut z, mut angle) = (0.0, 0.0, 0.0);
        let step = r.magnitude(6.0, 30.0);
        let sharp = r.within(0.2, 1.2);
        let mut turn = 0.0;
        let points = (0..14).map(|_| {
            turn = (turn + r.within(-sharp, sharp)).clamp(-sharp, sharp);
            angle += turn;
            (x, z) = (x + step * angle.cos(), z + step * angle.sin());
            [x, z, 0.0]
        });
        let path = Path { points: points.collect(), ..Path::default() };
        let accepted = Edit::from(path.clone()).check().is_ok();
        counts[usize::from(accepted)] += 1;
        if !accepted {
            continue;
        }
        let (spline, reach) = (Spline::new(&path), 6.0);
        let n = 300;
        let at = |i: u32| {
            let [[x, dx], [z, dz], _] = spline.at(spline.length() * f64::from(i) / f64::from(n));
            ([x, z], [dx, dz])
        };
        for i in 0..=n {
            let ([x, z], [dx, dz]) = at(i);
            let speed = dx.hypot(dz);
            for side in [-0.99 * reach, 0.99 * reach] {
                // Its closest point is where it came from.
                let p = [x - side * dz / speed, z + side * dx / speed];
                for j in 0..=n {
                    let ([x, z], _) = at(j);
                    let distance = (p[0] - x).hypot(p[1] - z);
                    assert!(distance >= side.abs() - 1e-9, "seed {seed}: {path:?}");
                }
            }
        }
    }
    println!("refused and accepted: {counts:?}");
    assert!(counts.iter().all(|&count| count > paths / 6), "{counts:?}");
}
