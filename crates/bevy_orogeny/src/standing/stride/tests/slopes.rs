//! Slopes that are too steep: what comes down on them slides, and nothing hangs.

use super::*;

const STEEP: f64 = 2.0;

/// A walker that has fallen onto a ground from 3 m, after some seconds.
fn dropped(
    ground: impl Fn(DVec2) -> Option<Footing>,
    from: DVec2,
    obstacles: &[Upright],
    seconds: f64,
) -> (DVec2, f64, TerrainWalker) {
    let mut feet = Feet { at: from, height: ground(from).unwrap().height + 3.0 };
    let around = Surroundings { ground, water: None, flow: DVec2::ZERO, obstacles };
    let motion = WalkerMotion::Falls { speed: 0.0 };
    let mut walker = TerrainWalker { motion, ..TerrainWalker::default() };
    for _ in 0..(60.0 * seconds) as u32 {
        let old = feet.height;
        feet = walker.go(&around, feet, DVec2::ZERO, 1.0 / 60.0).unwrap();
        assert!(feet.height <= old + 1e-9, "{walker:?} climbs to {feet:?}");
    }
    (feet.at, feet.height, walker)
}

/// A gorge along z whose bed falls to level ground at z = 0.
fn gorge(fall: f64) -> impl Fn(DVec2) -> Option<Footing> {
    move |at| {
        let height = STEEP * at.x.abs() + fall * at.y;
        let is_gorge = height > 0.0;
        let gradient = DVec2::new(STEEP.copysign(at.x), fall);
        let gradient = if is_gorge { gradient } else { DVec2::ZERO };
        Some(Footing { height: height.max(0.0), gradient })
    }
}

#[test]
fn gorges_are_followed_to_their_end() {
    for x in [-2.0, -0.1, 0.3, 1.7] {
        let (feet, height, walker) = dropped(gorge(0.5), DVec2::new(x, 20.0), &[], 20.0);
        assert_eq!((height, walker.motion), (0.0, WalkerMotion::Stands), "{x}: {feet}");
    }
}

/// Where it gets no lower it stands, and may jump.
#[test]
fn the_bottom_of_a_pit_is_stood_on() {
    let pit = |at: DVec2| {
        let gradient = DVec2::new(STEEP.copysign(at.x), STEEP.copysign(at.y));
        Some(Footing { height: STEEP * (at.x.abs() + at.y.abs()), gradient })
    };
    let level_bed = gorge(0.0);
    let grounds: [&dyn Fn(DVec2) -> Option<Footing>; 2] = [&pit, &level_bed];
    for ground in grounds {
        for from in [DVec2::new(1.3, 2.1), DVec2::new(-0.7, 0.2)] {
            let (feet, height, mut walker) = dropped(ground, from, &[], 20.0);
            assert_eq!(walker.motion, WalkerMotion::Stands, "{feet} {height}");
            assert!(height < 1.0, "{feet} {height}");
            walker.jump = true;
            let around = Surroundings { ground, water: None, flow: DVec2::ZERO, obstacles: &[] };
            let Feet { height: jumped, .. } =
                walker.go(&around, Feet { at: feet, height }, DVec2::ZERO, 0.1).unwrap();
            assert!(jumped > height + 0.2);
        }
    }
}

/// A trunk stops the slide; a wall beside it does not.
#[test]
fn what_stands_on_a_slope_stops_a_slide() {
    let ground = gorge(0.0);
    let outline = Outline::Circle(0.5);
    let trunk = Upright { at: DVec2::new(2.0, 0.0), outline, bottom: -1.0, top: 30.0 };
    let (feet, _, walker) = dropped(ground, DVec2::new(5.0, 0.0), &[trunk], 5.0);
    assert!((feet.x - 2.8).abs() < 0.05 && walker.motion == WalkerMotion::Stands, "{feet}");
    let half = DVec2::new(50.0, 0.1);
    let outline = Outline::Rectangle { half, along: DVec2::from_angle(0.3) };
    let wall = Upright { at: DVec2::new(4.0, 0.0), outline, bottom: -1.0, top: 90.0 };
    let slope = |at: DVec2| {
        let gradient = DVec2::new(if at.x > 0.0 { STEEP } else { 0.0 }, 0.0);
        Some(Footing { height: (STEEP * at.x).max(0.0), gradient })
    };
    let (feet, height, walker) = dropped(slope, DVec2::new(8.0, 0.9), &[wall], 9.0);
    assert_eq!((height, walker.motion), (0.0, WalkerMotion::Stands), "{feet}");
}

/// It jumps at a wall of 63 degrees again and again: it comes down each time, as low as it was.
#[test]
fn a_jump_at_a_wall_does_not_end_on_it() {
    for slope in [1.2, 1.96, 5.1] {
        for rate in [30.0, 60.0, 1000.0] {
            for speed in [1.4, 7.0] {
                let ground = ramp(slope, 100.0);
                let around =
                    Surroundings { ground, water: None, flow: DVec2::ZERO, obstacles: &[] };
                let mut walker = TerrainWalker::default();
                let mut feet = Feet { at: DVec2::new(-1.0, 0.0), height: 0.0 };
                let (mut high, mut since) = (0.0f64, 0.0);
                for _ in 0..(12.0 * rate) as u32 {
                    walker.jump = true;
                    let way = DVec2::new(speed / rate, 0.0);
                    feet = walker.go(&around, feet, way, 1.0 / rate).unwrap();
                    high = high.max(feet.height);
                    since = if feet.height <= 0.41 { 0.0 } else { since + 1.0 / rate };
                    assert!(since < 2.0, "{slope} {rate} {speed}: hangs at {feet:?}, {walker:?}");
                }
                assert!(high < 1.6, "{slope} {rate} {speed}: {high}");
            }
        }
    }
}

/// Off the edge of a plateau it walks down a step, and slides from there.
#[test]
fn what_walks_onto_a_steep_slope_slides() {
    for rate in [30.0, 60.0, 1000.0] {
        let ground = descent(1.5, 30.0);
        let around = Surroundings { ground, water: None, flow: DVec2::ZERO, obstacles: &[] };
        let mut walker = TerrainWalker::default();
        let mut feet = Feet { at: DVec2::new(-20.5, 0.0), height: 30.0 };
        let mut slid = false;
        for _ in 0..(8.0 * rate) as u32 {
            feet = walker.go(&around, feet, DVec2::new(1.4 / rate, 0.0), 1.0 / rate).unwrap();
            slid |= matches!(walker.motion, WalkerMotion::Slides { .. });
            if slid && walker.motion == WalkerMotion::Stands {
                break;
            }
        }
        assert!(
            slid && walker.motion == WalkerMotion::Stands && feet.height == 0.0,
            "{rate} {feet:?}"
        );
    }
    // A step down is none.
    let low = descent(1.5, 0.39);
    let around = Surroundings { ground: low, water: None, flow: DVec2::ZERO, obstacles: &[] };
    let mut walker = TerrainWalker::default();
    let mut feet = Feet { at: DVec2::new(-1.0, 0.0), height: 0.39 };
    for _ in 0..2000 {
        feet = walker.go(&around, feet, DVec2::new(1e-3, 0.0), 1e-3).unwrap();
        assert_eq!(walker.motion, WalkerMotion::Stands, "{feet:?}");
    }
    assert!((feet.at.x - 1.0).abs() < 1e-6);
}

/// Into deep water it slides, and swims there.
#[test]
fn a_slide_ends_in_water() {
    let ground = ramp(3.0, 90.0);
    let water = Some(12.0);
    let around = Surroundings { ground, water, flow: DVec2::ZERO, obstacles: &[] };
    let motion = WalkerMotion::Falls { speed: 0.0 };
    let mut walker = TerrainWalker { motion, ..TerrainWalker::default() };
    let mut feet = Feet { at: DVec2::new(10.0, 0.0), height: 31.0 };
    for _ in 0..600 {
        feet = walker.go(&around, feet, DVec2::ZERO, 1.0 / 60.0).unwrap();
    }
    assert_eq!(walker.motion, WalkerMotion::Swims);
    assert!((feet.height - (12.0 - 1.4)).abs() < 0.01, "{feet:?}");
}

/// Numbers that make no sense leave it standing.
#[test]
fn without_gravity_nothing_slides_for_ever() {
    for gravity in [0.0, f32::NAN, f32::INFINITY] {
        for velocity in [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY] {
            let around = Surroundings {
                ground: ramp(3.0, 90.0),
                water: None,
                flow: DVec2::ZERO,
                obstacles: &[],
            };
            let motion = WalkerMotion::Slides { velocity };
            let mut walker = TerrainWalker { motion, gravity, ..TerrainWalker::default() };
            let (mut at, mut height) = (DVec2::new(10.0, 0.0), 30.0);
            for _ in 0..3 {
                Feet { at, height } =
                    walker.go(&around, Feet { at, height }, DVec2::ZERO, 0.02).unwrap();
            }
            assert_eq!(walker.motion, WalkerMotion::Stands, "{gravity} {velocity}");
            assert!(at.is_finite() && height.is_finite(), "{gravity} {velocity}: {at} {height}");
        }
    }
}
