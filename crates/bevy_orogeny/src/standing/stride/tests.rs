//! Walking, jumping, falling and swimming on simple ground.

use bevy_math::Vec3;

use super::*;
use crate::standing::obstacle::{Outline, Upright};

mod rates;
mod slopes;

/// A ramp along x that starts at x = 0 and rises to the height `top`.
fn ramp(slope: f64, top: f64) -> impl Fn(DVec2) -> Option<Footing> {
    move |at| {
        let height = at.x * slope;
        let inside = height > 0.0 && height < top;
        let gradient = DVec2::new(if inside { slope } else { 0.0 }, 0.0);
        Some(Footing { height: height.clamp(0.0, top), gradient })
    }
}

/// The same ramp, down along x to x = 0.
fn descent(slope: f64, top: f64) -> impl Fn(DVec2) -> Option<Footing> {
    move |at| {
        let Footing { height, gradient } = ramp(slope, top)(DVec2::new(-at.x, at.y))?;
        Some(Footing { height, gradient: -gradient })
    }
}

fn level(_: DVec2) -> Option<Footing> {
    Some(Footing::level(0.0))
}

fn end(ground: impl Fn(DVec2) -> Option<Footing>, way: [f64; 2], frames: u32) -> (DVec2, f64) {
    let mut walker = TerrainWalker::default();
    let around = Surroundings { ground, water: None, flow: DVec2::ZERO, obstacles: &[] };
    let mut feet = Feet { at: DVec2::new(-1.0, 0.0), height: 0.0 };
    // Slowly, so that whoever falls has the time to land.
    let time = 100.0 / f64::from(frames);
    for _ in 0..frames {
        feet = walker.go(&around, feet, DVec2::from(way) / f64::from(frames), time).unwrap();
    }
    (feet.at, feet.height)
}

/// The result is the same in one frame as in many.
#[test]
fn slopes_are_climbed_up_to_the_limit() {
    for frames in [1, 7, 240] {
        let (feet, height) = end(ramp(0.9, 5.0), [10.0, 0.0], frames);
        assert!((feet.x - 9.0).abs() < 1e-9 && height == 5.0, "{feet} {height}");
        let (feet, height) = end(ramp(1.2, 5.0), [10.0, 0.0], frames);
        assert!(feet.x < 0.4 && height <= 0.4, "{frames}: {feet} {height}");
    }
}

/// A limit of 90 degrees climbs everything; a limit of NaN only climbs steps.
#[test]
fn limits_may_be_extreme() {
    for (steepest, reached) in [(std::f32::consts::FRAC_PI_2, 9.0), (f32::NAN, 0.3)] {
        let mut walker = TerrainWalker { steepest, ..TerrainWalker::default() };
        let around = Surroundings {
            ground: ramp(50.0, 90.0),
            water: None,
            flow: DVec2::ZERO,
            obstacles: &[],
        };
        let (start, way) = (Feet { at: DVec2::new(-1.0, 0.0), height: 0.0 }, DVec2::new(10.0, 0.0));
        let Feet { at: feet, .. } = walker.go(&around, start, way, 1.0).unwrap();
        assert!((feet.x <= reached + 1e-9) && (feet.x > reached - 1.0), "{steepest}: {feet}");
    }
}

#[test]
fn steps_are_climbed_up_to_their_height() {
    for frames in [1, 7, 240] {
        assert_eq!(end(ramp(50.0, 0.39), [2.0, 0.0], frames).1, 0.39);
        let (feet, height) = end(ramp(50.0, 0.6), [2.0, 0.0], frames);
        assert!(feet.x < 0.01 && height <= 0.4, "{frames}: {feet} {height}");
    }
}

#[test]
fn down_is_always_possible_and_walls_are_walked_along() {
    let hill = descent(0.9, 100.0);
    assert!((end(hill, [5.0, 0.0], 30).0.x - 4.0).abs() < 1e-9);
    // Down a cliff it slides, and then goes on.
    let cliff = descent(80.0, 100.0);
    let (feet, height) = end(cliff, [5.0, 0.0], 30);
    assert!((2.0..6.0).contains(&feet.x) && height == 0.0, "{feet}");
    let (feet, _) = end(ramp(5.0, 100.0), [4.0, 4.0], 60);
    assert!(feet.x < 0.1 && feet.y > 3.5, "{feet}");
}

#[test]
fn without_ground_a_walker_stays() {
    let nowhere = Surroundings { ground: |_| None, water: None, flow: DVec2::ZERO, obstacles: &[] };
    assert!(
        TerrainWalker::default()
            .go(&nowhere, Feet { at: DVec2::ZERO, height: 0.0 }, DVec2::X, 1.0)
            .is_none()
    );
    let (feet, _) = end(ramp(0.1, 9.0), [f64::NAN, 1.0], 1);
    assert_eq!(feet, DVec2::new(-1.0, 0.0));
}

/// Steps through frames on level ground at height 0, and returns the heights of its feet.
fn heights(walker: &mut TerrainWalker, water: Option<f64>, from: f64, rate: f64) -> Vec<f64> {
    let ground = level;
    let around = Surroundings { ground, water, flow: DVec2::ZERO, obstacles: &[] };
    let mut feet = Feet { at: DVec2::ZERO, height: from };
    let mut frame = || {
        feet = walker.go(&around, feet, DVec2::ZERO, 1.0 / rate).unwrap();
        feet.height
    };
    (0..(3.0 * rate) as u32).map(|_| frame()).collect()
}

/// The height and the time of a jump are those of a throw, at any frame rate.
#[test]
fn jumps_are_throws() {
    for rate in [20.0, 60.0, 240.0] {
        let mut walker =
            TerrainWalker { jump: true, motion: WalkerMotion::Stands, ..TerrainWalker::default() };
        let heights = heights(&mut walker, None, 0.0, rate);
        let top = f64::from(walker.jump_speed).powi(2) / (2.0 * f64::from(walker.gravity));
        let found = heights.iter().copied().fold(0.0, f64::max);
        assert!((found - top).abs() < 0.01, "{rate}: {found} for {top}");
        let airborne = heights.iter().filter(|&&height| height > 0.0).count() as f64 / rate;
        let time = 2.0 * f64::from(walker.jump_speed / walker.gravity);
        assert!((airborne - time).abs() < 1.5 / rate, "{rate}: {airborne} s for {time} s");
        assert_eq!((walker.motion, walker.jump), (WalkerMotion::Stands, false));
    }
}

#[test]
fn swimmers_float_and_waders_stand() {
    let falls = WalkerMotion::Falls { speed: 0.0 };
    let mut walker = TerrainWalker { motion: falls, ..TerrainWalker::default() };
    let deep = heights(&mut walker, Some(3.0), 5.0, 60.0);
    assert_eq!(walker.motion, WalkerMotion::Swims);
    assert!((deep.last().unwrap() - (3.0 - f64::from(walker.swim_depth))).abs() < 0.01);
    let mut walker = TerrainWalker { motion: falls, ..TerrainWalker::default() };
    assert_eq!(heights(&mut walker, Some(0.5), 5.0, 60.0).last(), Some(&0.0));
    assert_eq!(walker.motion, WalkerMotion::Stands);
    let [dry, wet] = [0.0, 9.0].map(|water| walker.slowed(Some(water), 0.0));
    assert!(dry == 1.0 && (wet - walker.swim_speed).abs() < 1e-6, "{dry} {wet}");
}

/// A high stone stops, a low one is climbed, and one in between is jumped onto.
#[test]
fn obstacles_stop_until_they_are_jumped_onto() {
    let outline = Outline::Circle(0.5);
    let stone = |top| Upright { at: DVec2::new(2.0, 0.0), outline, bottom: 0.0, top };
    let walk = |top: f64, jump: bool| {
        let obstacles = [stone(top)];
        let around =
            Surroundings { ground: level, water: None, flow: DVec2::ZERO, obstacles: &obstacles };
        let mut walker = TerrainWalker { jump, ..TerrainWalker::default() };
        let mut feet = Feet { at: DVec2::ZERO, height: 0.0 };
        let mut highest = 0.0f64;
        for _ in 0..100 {
            feet = walker.go(&around, feet, DVec2::new(0.03, 0.0), 0.015).unwrap();
            highest = highest.max(feet.height);
            walker.jump = jump;
        }
        (feet.at, highest)
    };
    let (stopped, height) = walk(1.5, false);
    assert!(stopped.x < 1.21 && height == 0.0, "{stopped}");
    assert!((walk(0.3, false).1 - 0.3).abs() < 1e-6);
    let (over, height) = walk(0.8, true);
    assert!(over.x > 2.0 && height > 0.8, "{over} {height}");
}

/// Ground that falls away is fallen from, not stuck to.
#[test]
fn cliffs_are_fallen_from() {
    let ground = |at: DVec2| Some(Footing::level(if at.x > 0.5 { -20.0 } else { 0.0 }));
    let around = Surroundings { ground, water: None, flow: DVec2::ZERO, obstacles: &[] };
    let mut walker = TerrainWalker::default();
    let mut feet = Feet { at: DVec2::ZERO, height: 0.0 };
    for _ in 0..30 {
        feet = walker.go(&around, feet, DVec2::new(0.1, 0.0), 1.0 / 60.0).unwrap();
    }
    assert!(matches!(walker.motion, WalkerMotion::Falls { .. }), "{walker:?}");
    assert!((-5.0..-0.1).contains(&feet.height), "{feet:?}");
}

/// Walks along x for some seconds among boxes over level ground, from x = 0.
fn among(obstacles: &[Upright], walker: TerrainWalker, jumps: bool, seconds: f64) -> Feet {
    let ground = level;
    let around = Surroundings { ground, water: None, flow: DVec2::ZERO, obstacles };
    let (mut walker, mut feet) = (walker, Feet { at: DVec2::ZERO, height: 0.0 });
    for _ in 0..(60.0 * seconds) as u32 {
        walker.jump = jumps;
        feet = walker.go(&around, feet, DVec2::new(0.05, 0.0), 1.0 / 60.0).unwrap();
    }
    feet
}

/// A box across the way at x = 3, as long as that is wide.
fn bar(half_x: f64, bottom: f64, top: f64) -> Upright {
    let outline = Outline::Rectangle { half: DVec2::new(half_x, 50.0), along: DVec2::X };
    Upright { at: DVec2::new(3.0, 0.0), outline, bottom, top }
}

/// Wherever the origin of the entity is: it is not its body.
#[test]
fn walls_stop_the_whole_body() {
    for height in [0.0, 0.9, 1.7] {
        for (bottom, top) in [(0.0, 3.0), (1.0, 3.0), (1.7, 1.9)] {
            let walker = TerrainWalker { height, ..TerrainWalker::default() };
            let Feet { at, .. } = among(&[bar(0.1, bottom, top)], walker, false, 3.0);
            assert!((2.5..2.61).contains(&at.x), "{height}, {bottom} to {top}: {at}");
        }
    }
    // A thin walker does not pass a thin wall.
    let thin = TerrainWalker { radius: 0.06, ..TerrainWalker::default() };
    let Feet { at, .. } = among(&[bar(0.01, 0.0, 3.0)], thin, false, 3.0);
    assert!(at.x < 3.0, "{at}");
}

#[test]
fn ceilings_stop_a_jump_and_move_nobody_aside() {
    let roof = Upright { at: DVec2::ZERO, ..bar(4.0, 2.2, 2.4) };
    let ground = level;
    let around = Surroundings { ground, water: None, flow: DVec2::ZERO, obstacles: &[roof] };
    let mut walker = TerrainWalker::default();
    let mut feet = Feet { at: DVec2::ZERO, height: 0.0 };
    for frame in 0..120 {
        walker.jump = true;
        let old = feet;
        feet = walker.go(&around, feet, DVec2::new(0.0, 0.02), 1.0 / 60.0).unwrap();
        assert!((feet.at - old.at).length() < 0.021, "{frame}: {old:?} {feet:?}");
        assert!(feet.height <= 0.4 + 1e-6, "{feet:?}");
    }
    assert!(feet.at.y > 2.3);
}

/// Uphill under a bridge it stops where it would touch it.
#[test]
fn there_is_room_for_the_head() {
    let around = Surroundings {
        ground: ramp(0.5, 50.0),
        water: None,
        flow: DVec2::ZERO,
        obstacles: &[bar(3.0, 2.5, 3.0)],
    };
    let mut walker = TerrainWalker::default();
    let mut feet = Feet { at: DVec2::new(-1.0, 0.0), height: 0.0 };
    for _ in 0..400 {
        feet = walker.go(&around, feet, DVec2::new(0.03, 0.0), 1.0 / 60.0).unwrap();
    }
    assert!((feet.at.x - 1.4).abs() < 0.1 && feet.height + 1.8 <= 2.51, "{feet:?}");
}

#[test]
fn a_body_that_is_in_a_box_gets_out() {
    let Feet { at, .. } = among(&[bar(20.0, 0.0, 3.0)], TerrainWalker::default(), false, 10.0);
    assert!(at.x > 23.0, "{at}");
}

#[test]
fn a_bridge_carries_over_a_hole() {
    let ground = |at: DVec2| {
        let is_hole = (2.0..4.0).contains(&at.x);
        (!is_hole).then_some(Footing::level(0.0))
    };
    let around =
        Surroundings { ground, water: None, flow: DVec2::ZERO, obstacles: &[bar(2.0, -0.2, 0.1)] };
    let mut walker = TerrainWalker::default();
    let mut feet = Feet { at: DVec2::ZERO, height: 0.0 };
    for _ in 0..120 {
        feet = walker.go(&around, feet, DVec2::new(0.05, 0.0), 1.0 / 60.0).unwrap();
    }
    assert!(feet.at.x > 5.9 && feet.height == 0.0, "{feet:?}");
}

#[test]
fn jumps_do_not_climb_what_is_too_steep() {
    for slope in [1.8, 5.0] {
        let around = Surroundings {
            ground: ramp(slope, 100.0),
            water: None,
            flow: DVec2::ZERO,
            obstacles: &[],
        };
        let mut walker = TerrainWalker::default();
        let mut feet = Feet { at: DVec2::new(-1.0, 0.0), height: 0.0 };
        let mut highest = 0.0f64;
        for _ in 0..1200 {
            walker.jump = true;
            feet = walker.go(&around, feet, DVec2::new(0.025, 0.0), 1.0 / 60.0).unwrap();
            highest = highest.max(feet.height);
        }
        // One jump, and a step.
        assert!(highest < 1.6, "{slope}: {highest}");
    }
}

/// In water that is about as deep as it swims, it does not change between both.
#[test]
fn swimmers_and_waders_make_up_their_mind() {
    let ground = level;
    let mut walker = TerrainWalker::default();
    let (mut feet, mut changes) = (Feet { at: DVec2::ZERO, height: 0.0 }, 0);
    for frame in 0..600 {
        let water = Some(1.4 + 0.04 * (0.1 * f64::from(frame)).sin());
        let around = Surroundings { ground, water, flow: DVec2::ZERO, obstacles: &[] };
        let old = walker.motion;
        feet = walker.go(&around, feet, DVec2::ZERO, 1.0 / 60.0).unwrap();
        changes += u32::from(walker.motion != old);
    }
    assert!(changes <= 2, "{changes}");
    // Placed in deep water, it is afloat at once.
    walker.motion = WalkerMotion::Placed;
    let around = Surroundings { ground, water: Some(9.0), flow: DVec2::ZERO, obstacles: &[] };
    let Feet { height, .. } = walker.go(&around, feet, DVec2::ZERO, 1.0 / 60.0).unwrap();
    assert!((height - 7.6).abs() < 1e-6 && walker.motion == WalkerMotion::Swims, "{height}");
}

/// Water that ends lets a swimmer fall, and the flow takes it along at its own speed.
#[test]
fn swimmers_drift_and_fall() {
    let ground = level;
    let flow = DVec2::new(2.0, 0.0);
    let river = Surroundings { ground, water: Some(20.0), flow, obstacles: &[] };
    let mut walker =
        TerrainWalker { motion: WalkerMotion::Swims, swim_speed: 0.0, ..TerrainWalker::default() };
    let mut feet = Feet { at: DVec2::ZERO, height: 18.6 };
    for _ in 0..60 {
        feet = walker.go(&river, feet, DVec2::ZERO, 1.0 / 60.0).unwrap();
    }
    assert!((feet.at.x - 2.0).abs() < 1e-6 && (feet.height - 18.6).abs() < 1e-6, "{feet:?}");
    let dry = Surroundings { ground, water: None, flow: DVec2::ZERO, obstacles: &[] };
    let Feet { height, .. } = walker.go(&dry, feet, DVec2::ZERO, 1.0 / 60.0).unwrap();
    assert!(height > 18.0 && walker.motion == WalkerMotion::Falls { speed: 0.0 }, "{height}");
    let lower = Surroundings { ground, water: Some(9.0), flow: DVec2::ZERO, obstacles: &[] };
    walker.motion = WalkerMotion::Swims;
    let Feet { height, .. } = walker.go(&lower, feet, DVec2::ZERO, 0.0).unwrap();
    assert_eq!(height, feet.height);
}

/// Rounded heights are no steps, and a jump waits for the time to go on.
#[test]
fn a_walker_without_steps_jumps_and_a_pause_keeps_the_jump() {
    let mut walker = TerrainWalker { step_height: 0.0, ..TerrainWalker::default() };
    let ground = |_| Some(Footing::level(100.3));
    let around = Surroundings { ground, water: None, flow: DVec2::ZERO, obstacles: &[] };
    let mut feet = Feet { at: DVec2::ZERO, height: 100.3 };
    for _ in 0..10 {
        // As a translation in `f32` has it.
        feet.height = f64::from((feet.height + 1.7) as f32) - f64::from(1.7f32);
        feet = walker.go(&around, feet, DVec2::ZERO, 1.0 / 60.0).unwrap();
        assert_eq!(walker.motion, WalkerMotion::Stands);
    }
    walker.jump = true;
    walker.go(&around, feet, DVec2::ZERO, 0.0).unwrap();
    assert!(walker.jump);
    let Feet { height, .. } = walker.go(&around, feet, DVec2::ZERO, 1.0 / 60.0).unwrap();
    assert!(height > 100.3 && !walker.jump);
}
