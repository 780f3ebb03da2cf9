//! Which paths are refused, and with which error.

use super::path_oracle::Spline;
use crate::DataError;
use crate::edits::{Edit, Path};
use crate::tests::random::{Random, cases};

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
