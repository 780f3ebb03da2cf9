//! The same way at any frame rate, at any place, in equal frames and in unequal ones.

use super::*;

/// The lengths of frames that fill some seconds: equal ones, or as a busy machine has them.
fn frames(rate: f64, uneven: bool, seconds: f64) -> Vec<f64> {
    let mut frames = Vec::new();
    let mut left = seconds;
    while left > 1e-9 {
        let long = [0.4, 1.0, 2.3, 0.1, 1.2][frames.len() % 5];
        let frame = if uneven { long / rate } else { 1.0 / rate };
        frames.push(frame.min(left));
        left -= frame.min(left);
    }
    frames
}

const RATES: [f64; 5] = [30.0, 60.0, 144.0, 240.0, 1000.0];

/// Where feet are after some seconds, from a point of a ground, and how it moves there.
fn after(
    ground: impl Fn(DVec2) -> Option<Footing>,
    mut walker: TerrainWalker,
    from: DVec2,
    frames: &[f64],
) -> (DVec2, f64, TerrainWalker) {
    let around = Surroundings { ground, water: None, flow: DVec2::ZERO, obstacles: &[] };
    let mut feet = Feet { at: from, height: 0.0 };
    for &time in frames {
        let way = walker.velocity.as_dvec2() * time;
        feet = walker.go(&around, feet, way, time).unwrap();
        // What is paused for a moment goes on as it went.
        let paused = walker;
        assert_eq!(walker.go(&around, feet, DVec2::ZERO, 0.0), Some(feet));
        assert_eq!(walker, paused);
    }
    (feet.at, feet.height, walker)
}

/// Hills of 4 km, whose heights `f32` resolves to half a millimetre, about a point.
fn hills(middle: DVec2) -> impl Fn(DVec2) -> Option<Footing> {
    move |at| {
        let DVec2 { x, y: z } = at - middle;
        let height = 4000.3 + 2.0 * (x / 3.0).sin() + 1.5 * (z / 4.0).cos();
        let gradient = DVec2::new(2.0 / 3.0 * (x / 3.0).cos(), -1.5 / 4.0 * (z / 4.0).sin());
        Some(Footing { height, gradient })
    }
}

#[test]
fn a_walk_is_as_long_at_any_rate_and_place() {
    let way = DVec2::from_angle(10f64.to_radians()) * 1.4 * 5.0;
    for place in [0.0, 6e3, 1e5, 1e9] {
        for rate in RATES {
            for (uneven, step_height) in [(false, 0.4), (true, 0.4), (false, 0.0)] {
                let velocity = (way / 5.0).as_vec2();
                let walker = TerrainWalker { velocity, step_height, ..TerrainWalker::default() };
                let from = DVec2::new(place, -place);
                let frames = frames(rate, uneven, 5.0);
                let (feet, height, walker) = after(hills(from), walker, from, &frames);
                let error = (feet - from).distance(way);
                assert!(error < 0.001 * way.length(), "{place} {rate} {uneven}: {error}");
                assert_eq!(height, hills(from)(feet).unwrap().height);
                assert_eq!(walker.motion, WalkerMotion::Stands);
            }
        }
    }
}

/// Along a wall, and over a step that is as high as it may be.
#[test]
fn walls_and_steps_do_not_depend_on_the_rate() {
    for rate in RATES {
        for uneven in [false, true] {
            let velocity = DVec2::new(1.0, 1.0).as_vec2();
            let walker = TerrainWalker { velocity, ..TerrainWalker::default() };
            let frames = frames(rate, uneven, 4.0);
            let from = DVec2::new(-1.0, 0.0);
            let (wall, ..) = after(ramp(5.0, 100.0), walker, from, &frames);
            assert!(wall.x < 0.1 && (wall.y - 4.0).abs() < 0.1, "{rate} {uneven}: {wall}");
            let (step, height, _) = after(ramp(50.0, 0.399), walker, from, &frames);
            assert!(step.distance(DVec2::new(3.0, 4.0)) < 0.01, "{rate} {uneven}: {step}");
            assert_eq!(height, 0.399);
        }
    }
}

/// Falls, lands and slides take as long, and lead as far.
#[test]
fn landings_do_not_depend_on_the_rate() {
    let slope = 79f64.to_radians();
    let ground = move |at: DVec2| {
        let steep = at.x > 0.0;
        let gradient = DVec2::new(if steep { slope.tan() } else { 0.0 }, 0.0);
        Some(Footing { height: (at.x * slope.tan()).max(0.0), gradient })
    };
    let above = 20.0;
    let start = ground(DVec2::new(3.0, 0.0)).unwrap().height;
    // The closed form of a fall, of what remains of its speed along the slope, and of the slide.
    let gravity = f64::from(TerrainWalker::default().gravity);
    let falls = (2.0 * above / gravity).sqrt();
    let (speed, pull) = (gravity * falls * slope.sin(), gravity * slope.sin());
    let slides = ((speed * speed + 2.0 * pull * start / slope.sin()).sqrt() - speed) / pull;
    for rate in RATES {
        for uneven in [false, true] {
            let motion = WalkerMotion::Falls { speed: 0.0 };
            let mut walker = TerrainWalker { motion, ..TerrainWalker::default() };
            let around = Surroundings { ground, water: None, flow: DVec2::ZERO, obstacles: &[] };
            let (mut feet, mut time) =
                (Feet { at: DVec2::new(3.0, 0.0), height: start + above }, 0.0);
            for frame in frames(rate, uneven, 5.0) {
                let old = feet.height;
                feet = walker.go(&around, feet, DVec2::ZERO, frame).unwrap();
                assert!(feet.height <= old, "it climbs");
                if walker.motion == WalkerMotion::Stands {
                    break;
                }
                assert!(feet.height > 0.0, "{walker:?}");
                time += frame;
            }
            assert_eq!((walker.motion, feet.height), (WalkerMotion::Stands, 0.0));
            let expected = falls + slides;
            assert!((time - expected).abs() < 0.01 * expected + 2.4 / rate, "{rate}: {time}");
        }
    }
}

/// Out into a lake: wading is slower the deeper it is, and then it floats up.
#[test]
fn swimming_does_not_depend_on_the_rate() {
    let ground = |at: DVec2| {
        let gradient = DVec2::new(-0.5, 0.0);
        Some(Footing { height: -0.5 * at.x, gradient })
    };
    let swim = |rate, uneven| {
        let around =
            Surroundings { ground, water: Some(-0.5), flow: DVec2::new(0.0, 0.3), obstacles: &[] };
        let mut walker = TerrainWalker::default();
        let mut feet = Feet { at: DVec2::ZERO, height: 0.0 };
        for time in frames(rate, uneven, 8.0) {
            feet = walker.go(&around, feet, DVec2::new(time, 0.0), time).unwrap();
        }
        assert_eq!(walker.motion, WalkerMotion::Swims);
        feet.at.extend(feet.height)
    };
    let expected = swim(4000.0, false);
    for rate in RATES {
        for uneven in [false, true] {
            let found = swim(rate, uneven);
            let error = found.distance(expected);
            assert!(error < 0.01 * expected.length(), "{rate} {uneven}: {found}, {expected}");
        }
    }
}
