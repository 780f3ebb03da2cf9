//! Rays compared with a march in tiny steps, and the number of evaluations that they take.

use crate::fractal::Damped;
use crate::ray::{Cast, Hit, MAX_EVALUATIONS, Ray, counted, raycast};
use crate::tests::random::{Random, tree};
use crate::{Bounds, Field, Fractal, FractalKind, GradientNoise, Landscape, Node, Sample, Tree};

const CLEAR: Cast = Cast::Clear { is_proven: true };

/// A ray from above a random position, up or down by some degrees.
fn ray(r: &mut Random, field: &dyn Field<2>, above: [f64; 2], degrees: [f64; 2], size: f64) -> Ray {
    let [x, z] = r.point(size);
    let y = f64::from(field.value([x, z])) + r.within(above[0], above[1]);
    let [heading, pitch] = [[0.0, 360.0], degrees].map(|[a, b]| r.within(a, b).to_radians());
    let direction = [heading.cos() * pitch.cos(), pitch.sin(), heading.sin() * pitch.cos()];
    Ray { origin: [x, y, z], direction, max_distance: 1.0 }
}

fn depth(field: &dyn Field<2>, [x, y, z]: [f64; 3]) -> f64 {
    f64::from(field.value([x, z])) - y
}

/// Walks in equal steps to the hit or the end, and checks that no point on the way is deeper than
/// the tolerance.
fn check(field: &dyn Field<2>, ray: &Ray, tolerance: f64, steps: u32) -> Cast {
    let cast = raycast(field, ray, tolerance).unwrap();
    let ray = ray.checked().unwrap();
    let Bounds { min, max, lipschitz, .. } = field.bounds();
    let rounding = 2e-6 * (max - min + lipschitz).min(1e6);
    let end = match cast {
        Cast::Hit(Hit { distance, position, ground, .. }) => {
            assert_eq!(position, ray.at(distance));
            assert_eq!(ground, field.sample([position[0], position[2]]));
            let off = depth(field, position);
            assert!(
                off.abs() <= tolerance || distance == 0.0 && off > 0.0,
                "{off} {cast:?} {ray:?}"
            );
            assert!((0.0..=ray.max_distance).contains(&distance));
            distance
        }
        Cast::Clear { .. } => ray.max_distance,
        Cast::Unfinished { distance, .. } => distance,
    };
    for i in 0..steps {
        let t = end * f64::from(i) / f64::from(steps);
        let deep = depth(field, ray.at(t));
        assert!(deep <= tolerance + rounding, "{deep} at {t} of {cast:?}, {ray:?}, {tolerance}");
    }
    cast
}

#[test]
fn random_trees_let_nothing_deep_through() {
    let (mut hits, mut clear, mut open) = (0, 0, 0);
    for seed in 0..1500 {
        let mut r = Random::new(seed);
        let depth = 1 + r.below(4);
        let Ok(field) = tree::<2>(&mut r, depth).build() else { continue };
        for _ in 0..2 {
            let ray = Ray {
                max_distance: 60.0,
                ..ray(&mut r, &field, [0.01, 2.0], [-30.0, 15.0], 300.0)
            };
            match check(&field, &ray, 10f64.powf(r.within(-3.0, -1.0)), 600) {
                Cast::Hit(_) => hits += 1,
                Cast::Clear { .. } => clear += 1,
                Cast::Unfinished { .. } => open += 1,
            }
        }
    }
    println!("random trees: {hits} hits, {clear} clear, {open} unfinished");
    // Two rays run out of evaluations, in the trees of seeds 145 and 383.
    assert!(hits > 500 && clear > 500 && open <= 2);
}

#[test]
fn damped_octaves_let_nothing_deep_through() {
    let (mut hits, mut clear, mut open) = (0, 0, 0);
    let kind = FractalKind::Damped(Damped::default());
    let fractal = Fractal { kind, frequency: 0.3, ..Fractal::fbm(4.0, GradientNoise::seeded(5)) };
    let field = Node::from(fractal).build().unwrap();
    let mut r = Random::new(6);
    for _ in 0..100 {
        let ray = Ray { max_distance: 40.0, ..ray(&mut r, &field, [0.3, 2.0], [-3.0, 2.0], 300.0) };
        match check(&field, &ray, 0.01, 400) {
            Cast::Hit(_) => hits += 1,
            Cast::Clear { .. } => clear += 1,
            Cast::Unfinished { .. } => open += 1,
        }
    }
    println!("damped: {hits} hits, {clear} clear, {open} unfinished");
    assert!(hits > 20 && clear > 20 && open < 10);
}

#[cfg(feature = "ron")]
fn presets() -> impl Iterator<Item = (&'static str, Landscape)> {
    let mountains = include_str!("mountains.ron").to_owned();
    [("mountains", Some(mountains)), ("hills", crate::tests::presets::preset("hills"))]
        .into_iter()
        .filter_map(|(name, text)| Some((name, crate::Recipe::from_ron(&text?).unwrap())))
        .map(|(name, recipe)| (name, recipe.build().unwrap()))
}

/// Kinds of rays: height above the ground in metres, pitch in degrees, and length.
#[cfg(feature = "ron")]
const KINDS: [(&str, [f64; 2], [f64; 2], f64); 4] = [
    ("down", [1.0, 1000.0], [-80.0, -5.0], 20_000.0),
    ("level", [1.5, 200.0], [-5.0, 5.0], 20_000.0),
    ("grazing", [0.5, 3.0], [-1.0, 1.0], 5000.0),
    ("up", [1.0, 100.0], [5.0, 60.0], 20_000.0),
];

#[cfg(feature = "ron")]
#[test]
fn presets_let_nothing_deep_through() {
    for (_, field) in presets() {
        let mut r = Random::new(2);
        for (kind, above, degrees, _) in KINDS {
            // Steps of at most 10 cm along the ground.
            let far = if kind == "grazing" { 200.0 } else { 2000.0 };
            for tolerance in [0.001, 0.01, 0.1, 1.0] {
                for _ in 0..12 {
                    let ray = Ray { max_distance: far, ..ray(&mut r, &field, above, degrees, 1e5) };
                    check(&field, &ray, tolerance, 4000);
                }
            }
        }
    }
}

/// The work of rays over the presets, compared with a march in equal steps with the same guarantee:
/// steps of the tolerance over the largest change of depth.
#[cfg(feature = "ron")]
#[test]
fn rays_take_some_dozens_of_evaluations() {
    const RAYS: usize = 400;
    println!(
        "| preset | rays | hits | length, median | evaluations, median | 99 % | \
         an equal march, median | its steps of 1 m |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (name, field) in presets() {
        for (kind, above, degrees, far) in KINDS {
            let mut r = Random::new(1);
            let (mut hits, tolerance) = (0, 0.01);
            let mut rows = Vec::new();
            for _ in 0..RAYS {
                let ray = Ray { max_distance: far, ..ray(&mut r, &field, above, degrees, 1e5) };
                let (cast, evaluations) = counted(&field, &ray, tolerance).unwrap();
                assert!(!matches!(cast, Cast::Unfinished { .. }));
                let length = cast.hit().map_or(far, |hit| hit.distance);
                hits += usize::from(cast.hit().is_some());
                let [dx, dy, dz] = ray.direction;
                let fastest = field.bounds().lipschitz * dx.hypot(dz) + dy.abs();
                rows.push([length, evaluations as f64, length * fastest / tolerance]);
            }
            let [length, evaluations, equal] = [0, 1, 2].map(|k| {
                let mut column: Vec<f64> = rows.iter().map(|row| row[k]).collect();
                column.sort_by(f64::total_cmp);
                column
            });
            let (median, percentile_99) = (RAYS / 2, RAYS * 99 / 100);
            println!(
                "| {name} | {kind} | {} % | {:.0} m | {} | {} | {:.0} | {:.0} |",
                100 * hits / RAYS,
                length[median],
                evaluations[median],
                evaluations[percentile_99],
                equal[median],
                length[median],
            );
            assert!(evaluations[median] < 100.0 && evaluations[percentile_99] < 400.0);
        }
    }
}

fn hills() -> Tree<2> {
    let fractal = Fractal {
        frequency: 0.002,
        amplitude: 80.0,
        ..Fractal::fbm(8.0, GradientNoise::seeded(7))
    };
    Node::from(fractal).build().unwrap()
}

#[test]
fn special_rays() {
    let field = hills();
    let ground = f64::from(field.value([10.0, 20.0]));
    let from =
        |y: f64, direction, max_distance| Ray { origin: [10.0, y, 20.0], direction, max_distance };
    let run = |ray: Ray| counted(&field, &ray, 0.01).unwrap();
    // Straight down, from far above, and not far enough.
    let (cast, work) = run(from(1e9, [0.0, -5.0, 0.0], 1e18));
    let hit = cast.hit().unwrap();
    assert!((hit.position[1] - ground).abs() < 0.01 && work < 20, "{hit:?} {work}");
    let (cast, work) = run(from(ground + 100.0, [0.0, -1.0, 0.0], 99.0));
    assert!(cast == CLEAR && work < 4, "{cast:?} {work}");
    // Straight up, level above all heights, upwards without end, and away from the field's top.
    for ray in [
        from(ground + 1e-3, [0.0, 1.0, 0.0], 1e18),
        from(500.0, [1.0, 0.0, 1.0], 1e18),
        from(500.0, [1.0, 1e-9, 1.0], 1e18),
        from(5000.0, [1.0, -0.2, 0.0], 1000.0),
    ] {
        let (cast, work) = run(ray);
        assert!(cast == CLEAR && work < 20, "{ray:?}: {cast:?} {work}");
    }
    let (cast, work) = run(from(ground + 1.0, [1.0, 2.0, 0.0], 1e18));
    assert!(cast == CLEAR && work < 40, "{cast:?} {work}");
    // Almost level, from above all heights: the ground is far away, and the ray takes at most two
    // steps per kilometre.
    let (cast, work) = run(from(1000.0, [1.0, -1e-3, 0.5], 1e18));
    let distance = cast.hit().unwrap().distance;
    assert!(distance > 1e5 && (work as f64) < distance / 500.0, "{cast:?} {work}");
    // From below the ground, and of length 0.
    let (cast, _) = run(from(ground - 1e-3, [1.0, 5.0, 0.0], 10.0));
    assert_eq!(cast.hit().unwrap().distance, 0.0);
    assert_eq!(run(from(ground + 1.0, [1.0, -5.0, 0.0], 0.0)).0, CLEAR);
    // The length of the direction has no effect, however small or large.
    let far = run(from(300.0, [1.0, -1.0, 0.5], 1e4)).0.hit().unwrap();
    for size in [1e-300, 1e300] {
        let near = run(from(300.0, [1.0, -1.0, 0.5].map(|x| x * size), 1e4)).0.hit().unwrap();
        assert!((near.distance - far.distance).abs() < 0.01, "{near:?} {far:?}");
    }
}

#[test]
fn rays_far_from_home() {
    let field = hills();
    for (home, tolerance) in [(1e9, 0.01), (1e12, 0.01), (1e15, 10.0)] {
        let mut r = Random::new(3);
        for _ in 0..50 {
            let mut ray = Ray {
                max_distance: 3000.0,
                ..ray(&mut r, &field, [1.0, 80.0], [-20.0, 10.0], 1e3)
            };
            ray.origin[0] += home;
            ray.origin[2] -= home;
            ray.origin[1] = 100.0 + f64::from(field.value([ray.origin[0], ray.origin[2]]));
            check(&field, &ray, tolerance, 2000);
        }
    }
}

/// Cones 5 m high and a hundredth of that wide. The field only has a Lipschitz constant.
struct Spires;

impl Field<2> for Spires {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        let [x, z] = p.map(|x| x - (x / 50.0).round() * 50.0);
        let value = (5.0 - 200.0 * x.hypot(z)).max(0.0) as f32;
        Sample::constant(if p[0] > 1e6 { f32::NAN } else { value })
    }
    fn bounds(&self) -> Bounds {
        Bounds { lipschitz: 200.0, ..Bounds::UNKNOWN }
    }
}

#[test]
fn thin_things_are_not_missed() {
    for (height, hits) in [(4.9, true), (1.0, true), (5.1, false)] {
        for miss in [0.0, 0.4e-3] {
            let ray = Ray {
                origin: [-20.0, height, miss],
                direction: [1.0, 0.0, 0.0],
                max_distance: 900.0,
            };
            let cast = check(&Spires, &ray, 0.01, 10_000);
            assert_eq!(cast.hit().is_some(), hits, "{height} {cast:?}");
        }
    }
}

#[test]
fn work_has_an_end_and_can_go_on() {
    // A plane without a bound on curvature, and a ray a millimetre above it.
    struct Plane;
    impl Field<2> for Plane {
        fn sample(&self, _: [f64; 2]) -> Sample<2> {
            Sample::default()
        }
        fn bounds(&self) -> Bounds {
            Bounds { lipschitz: 100.0, ..Bounds::UNKNOWN }
        }
    }
    let ray = Ray { origin: [0.0, 1e-3, 0.0], direction: [1.0, 0.0, 0.0], max_distance: 1e6 };
    let (cast, work) = counted(&Plane, &ray, 1e-4).unwrap();
    let Cast::Unfinished { distance, .. } = cast else { panic!("{cast:?}") };
    assert!(work <= MAX_EVALUATIONS + 10 && distance > 1.0 && distance < 100.0, "{cast:?} {work}");
    let next = Ray { origin: ray.at(distance), ..ray };
    assert!(matches!(raycast(&Plane, &next, 1e-4).unwrap(), Cast::Unfinished { .. }));
}

#[test]
fn what_is_refused() {
    let field = hills();
    let good = Ray { origin: [0.0, 500.0, 0.0], direction: [1.0, -1.0, 0.0], max_distance: 1e4 };
    let name = |ray: Ray, tolerance: f64| match raycast(&field, &ray, tolerance) {
        Err(error) => error.limit.name,
        other => panic!("{other:?}"),
    };
    for wrong in [f64::NAN, f64::INFINITY, -1e19] {
        for k in 0..3 {
            let mut ray = good;
            ray.origin[k] = wrong;
            assert_eq!(name(ray, 0.01), "origin");
        }
    }
    for wrong in [[0.0; 3], [f64::NAN, 1.0, 1.0], [1.0, 1.0, f64::NAN], [f64::INFINITY, 0.0, 0.0]] {
        assert_eq!(name(Ray { direction: wrong, ..good }, 0.01), "the length of direction");
    }
    for wrong in [f64::NAN, -1.0, f64::INFINITY] {
        assert_eq!(name(Ray { max_distance: wrong, ..good }, 0.01), "max_distance");
    }
    for wrong in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
        assert_eq!(name(good, wrong), "tolerance");
    }
    let error = raycast(&field, &good, 0.0).unwrap_err().to_string();
    assert_eq!(error, "tolerance is 0, but must be between 1e-6 and 1e6");
}

/// A field that says nothing about itself: hills and a wall, or its values alone.
struct Untold;

impl Field<2> for Untold {
    fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
        let wall = 12.0 * (1.0 - (x - 300.0).abs() / 10.0).max(0.0);
        Sample {
            value: (10.0 * (x / 20.0).sin() + 10.0 * (z / 30.0).cos() + wall) as f32,
            gradient: [(0.5 * (x / 20.0).cos()) as f32, (-(z / 30.0).sin() / 3.0) as f32],
        }
    }
}

#[test]
fn fields_without_bounds_are_sampled() {
    let mut r = Random::new(11);
    let mut hits = 0;
    for _ in 0..300 {
        let ray = ray(&mut r, &Untold, [0.1, 60.0], [-40.0, 10.0], 300.0);
        let ray = Ray { max_distance: 400.0, ..ray };
        let (cast, work) = counted(&Untold, &ray, 0.01).unwrap();
        assert!(!cast.is_proven() && work < 1500, "{cast:?} {work}");
        assert_eq!(check(&Untold, &ray, 0.01, 4000), cast);
        hits += usize::from(cast.hit().is_some());
    }
    assert!(hits > 150, "{hits}");
    // Far up, out of sight, and without an end.
    let up = Ray { origin: [0.0, 1e6, 0.0], direction: [1.0, 1.0, 0.0], max_distance: 1e18 };
    let (cast, work) = counted(&Untold, &up, 0.01).unwrap();
    assert!(cast == Cast::Clear { is_proven: false } && work < 200, "{cast:?} {work}");
}

/// A plane at height 0 with a hole of radius 10 around the origin, and one of half the plane.
struct Holey;

impl Field<2> for Holey {
    fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
        let is_hole = x.hypot(z) < 10.0 || x > 1000.0;
        if is_hole { Sample::OUTSIDE } else { Sample::default() }
    }
    fn bounds(&self) -> Bounds {
        Bounds { min: 0.0, max: 0.0, lipschitz: 0.0, curvature: 0.0 }
    }
}

/// Rays compared with the closed form: where they cross the plane, or the side of the hole.
#[test]
fn rays_pass_through_holes() {
    let (mut hits, mut sides, mut clear) = (0, 0, 0);
    for seed in 0..20_000 {
        let mut r = Random::new(seed);
        let [x, z] = r.point(60.0).map(|x| x - 30.0);
        let [y, drop] = [r.within(-3.0, 30.0), r.within(-1.5, 0.5)];
        let heading = r.within(0.0, 360.0).to_radians();
        let direction = [heading.cos(), drop, heading.sin()];
        let ray = Ray { origin: [x, y, z], direction, max_distance: 900.0 };
        let ray = ray.checked().unwrap();
        let is_ground = |p: [f64; 3]| p[0].hypot(p[2]) >= 10.0 && p[0] <= 1000.0;
        // The end of the hole, if the ray starts in it or enters it.
        let along = ray.origin[0] * ray.direction[0] + ray.origin[2] * ray.direction[2];
        let level = ray.direction[0].hypot(ray.direction[2]);
        let across = (x * ray.direction[2] - z * ray.direction[0]) / level;
        let exit = -along / (level * level) + (100.0 - across * across).max(0.0).sqrt() / level;
        let plane = -ray.origin[1] / ray.direction[1];
        let expected = if y < 0.0 && is_ground(ray.origin) {
            Some(0.0)
        } else if (0.0..=900.0).contains(&plane) && ray.direction[1] < 0.0 && y >= 0.0 {
            let p = ray.at(plane);
            // Below the plane the ray can only meet the side of the hole.
            if is_ground(p) { Some(plane) } else { Some(exit).filter(|t| *t <= 900.0) }
        } else if y < 0.0 {
            let up = if ray.direction[1] > 0.0 { plane } else { f64::INFINITY };
            Some(exit).filter(|t| *t <= up.min(900.0))
        } else {
            None
        };
        // Rays that graze the rim or end at the second hole may differ.
        let grazes = (across.abs() - 10.0).abs() < 0.1
            || expected.is_some_and(|t| (ray.at(t)[0].hypot(ray.at(t)[2]) - 10.0).abs() < 0.1)
                && (ray.at(expected.unwrap_or(0.0))[1]).abs() < 0.1;
        if grazes || ray.direction[1].abs() < 1e-2 {
            continue;
        }
        let (cast, work) = counted(&Holey, &ray, 0.01).unwrap();
        assert!(work < 3000, "{work} {ray:?}");
        match (cast, expected) {
            (Cast::Hit(hit), Some(t)) => {
                let slack = 0.02 / ray.direction[1].abs() + 0.02 / level;
                assert!((hit.distance - t).abs() < slack, "{hit:?} {t} {ray:?}");
                assert!(is_ground(hit.position));
                if hit.position[1] < -0.1 { sides += 1 } else { hits += 1 }
            }
            (Cast::Clear { is_proven: true }, None) => clear += 1,
            other => panic!("{other:?} {ray:?}"),
        }
    }
    assert!(hits > 5000 && sides > 500 && clear > 1000, "{hits} {sides} {clear}");
    // Into the second hole, which has no end, and straight down through the first.
    for (origin, direction) in
        [([0.0, 5.0, 0.0], [0.0, -1.0, 0.0]), ([1e4, 5.0, 0.0], [1.0, -1.0, 0.0])]
    {
        let ray = Ray { origin, direction, max_distance: 1e6 };
        let (cast, work) = counted(&Holey, &ray, 0.01).unwrap();
        assert!(cast == Cast::Clear { is_proven: true } && work < 2000, "{cast:?} {work}");
    }
}
