//! A walker's movement in strides: pure geometry.

use bevy_math::DVec2;
use orogeny::Sample;

use super::obstacle::Upright;
use super::walk::{TerrainWalker, WalkerMotion};
use crate::chunk::height_field::normal;

/// The longest stride in metres: the ground is sampled once per stride.
const STRIDE: f64 = 0.25;
/// The longest time of a stride in seconds.
const STRIDE_TIME: f64 = 1.0 / 30.0;
/// The maximum number of strides in a frame: a walker moves at most 64 m a frame.
const MAX_STRIDES: f64 = 256.0;
/// How fast a swimmer comes to its depth, as a part of the way in a second.
const BUOYANCY: f64 = 4.0;

/// What is around a walker.
pub(super) struct Surroundings<'a, G: Fn(DVec2) -> Option<Sample<2>>> {
    pub ground: G,
    /// The height of the surface of the water, if there is any.
    pub water: Option<f64>,
    pub obstacles: &'a [Upright],
}

/// Where a walker's feet are: (x, z) and the height, in metres.
pub(super) type Feet = (DVec2, f64);

impl<G: Fn(DVec2) -> Option<Sample<2>>> Surroundings<'_, G> {
    /// The ground at a point, or the top of an obstacle that is higher, if feet at a height can
    /// step onto it.
    fn floor(&self, at: DVec2, highest: f64) -> Option<Sample<2>> {
        let ground = (self.ground)(at)?;
        let tops = self.obstacles.iter().filter(|it| it.top <= highest && it.is_below(at));
        let top = tops.map(|it| it.top).fold(f64::NEG_INFINITY, f64::max);
        let is_higher = top > ground.value.into();
        Some(if is_higher { Sample { value: top as f32, gradient: [0.0; 2] } } else { ground })
    }

    /// Keeps a body out of all obstacles that it is beside. `None` if they leave no room.
    fn keep_out(&self, body: DVec2, radius: f64, [feet, head]: [f64; 2]) -> Option<DVec2> {
        let beside = || self.obstacles.iter().filter(|it| it.is_beside(feet, head));
        let pushed = beside().fold(body, |at, it| it.keep_out(at, radius).unwrap_or(at));
        // In a corner the second pushes the body into the first.
        let is_free = beside().all(|it| it.keep_out(pushed, 0.999 * radius).is_none());
        is_free.then_some(pushed)
    }
}

impl TerrainWalker {
    /// Walks, jumps, falls and swims for some seconds. `way` is the way along x and z that it wants
    /// to go. Returns where its feet end. `None` if the ground has no answer at the start.
    pub(super) fn go<G: Fn(DVec2) -> Option<Sample<2>>>(
        &mut self,
        around: &Surroundings<G>,
        feet: Feet,
        way: DVec2,
        time: f64,
    ) -> Option<Feet> {
        let (mut at, mut height) = feet;
        let mut below = around.floor(at, height + f64::from(self.step_height))?;
        if self.motion == WalkerMotion::Placed {
            self.motion = WalkerMotion::Stands;
            height = below.value.into();
        }
        let way =
            if way.is_finite() { way.clamp_length_max(STRIDE * MAX_STRIDES) } else { DVec2::ZERO };
        let time = if time.is_finite() { time.max(0.0) } else { 0.0 };
        let strides = (way.length() / STRIDE).max(time / STRIDE_TIME).ceil();
        let strides = strides.clamp(1.0, MAX_STRIDES);
        let (stride, time) = (way / strides, time / strides);
        if core::mem::take(&mut self.jump) && !matches!(self.motion, WalkerMotion::Falls { .. }) {
            self.motion = WalkerMotion::Falls { speed: self.jump_speed };
        }
        for _ in 0..strides as u32 {
            let slow = f64::from(self.slowed(around.water, height));
            if stride != DVec2::ZERO {
                let next = self.step(around, (at, height), &below, stride * slow).or_else(|| {
                    // If the slope ahead is too steep, walk along it.
                    let contour = along_contour(around, (at, height), stride * slow)?;
                    self.step(around, (at, height), &below, contour)
                });
                (at, below) = next.unwrap_or((at, below));
            }
            height = self.rise_or_fall(around.water, height, f64::from(below.value), time);
        }
        Some((at, height))
    }

    /// The part of its speed that water at its feet leaves it.
    fn slowed(&self, water: Option<f64>, feet: f64) -> f32 {
        let depth = water.map_or(0.0, |surface| (surface - feet).max(0.0)) as f32;
        let deep = (depth / self.swim_depth.max(0.1)).min(1.0);
        1.0 + (self.swim_speed - 1.0) * deep
    }

    /// The height of its feet after some time over a floor.
    fn rise_or_fall(&mut self, water: Option<f64>, feet: f64, floor: f64, time: f64) -> f64 {
        let afloat = water.map_or(f64::NEG_INFINITY, |it| it - f64::from(self.swim_depth));
        let mut feet = feet;
        match self.motion {
            WalkerMotion::Placed | WalkerMotion::Stands => {
                // It follows ground that falls away by no more than a step.
                if floor >= feet - f64::from(self.step_height.max(0.0)) {
                    feet = floor;
                } else {
                    self.motion = WalkerMotion::Falls { speed: 0.0 };
                }
            }
            WalkerMotion::Falls { speed } => {
                let gravity = f64::from(self.gravity);
                feet += (f64::from(speed) - 0.5 * gravity * time) * time;
                let speed = speed - (gravity * time) as f32;
                self.motion = WalkerMotion::Falls { speed };
                if speed <= 0.0 && feet < afloat {
                    self.motion = WalkerMotion::Swims;
                }
            }
            WalkerMotion::Swims => feet += (afloat - feet) * (BUOYANCY * time).min(1.0),
        }
        // A speed that is not a number ends on the ground, too.
        if feet <= floor || feet.is_nan() {
            self.motion = WalkerMotion::Stands;
            feet = floor;
        }
        if self.motion == WalkerMotion::Stands && feet < afloat {
            self.motion = WalkerMotion::Swims;
        }
        feet
    }

    /// Makes one stride, if obstacles, the slope and the step height allow it.
    fn step<G: Fn(DVec2) -> Option<Sample<2>>>(
        &mut self,
        around: &Surroundings<G>,
        (from, feet): Feet,
        below: &Sample<2>,
        stride: DVec2,
    ) -> Option<(DVec2, Sample<2>)> {
        let step_up = feet + f64::from(self.step_height);
        let [radius, head] = [self.radius, self.height].map(|x| f64::from(x.max(0.0)));
        let at = around.keep_out(from + stride, radius, [step_up, feet + head])?;
        let next = around.floor(at, step_up)?;
        if self.motion != WalkerMotion::Stands {
            // In the air and in water, what is higher than a step stops it.
            return (f64::from(next.value) <= step_up).then_some((at, next));
        }
        let rise = next.value - below.value;
        let length = from.distance(at) as f32;
        // The ground may rise more between the ends of a stride than the slopes there suggest.
        let easy = normal(next).y.acos() <= self.steepest && rise.atan2(length) <= self.steepest;
        if easy {
            self.climbed = 0.0;
        } else if rise > 0.0 {
            let climbed = self.climbed + rise;
            if climbed <= self.step_height {
                self.climbed = climbed;
            } else {
                return None;
            }
        }
        Some((at, next))
    }
}

/// The component of a stride along the contour line of the slope ahead.
fn along_contour<G: Fn(DVec2) -> Option<Sample<2>>>(
    around: &Surroundings<G>,
    (from, _): Feet,
    stride: DVec2,
) -> Option<DVec2> {
    let [x, z] = (around.ground)(from + stride)?.gradient.map(f64::from);
    let contour = DVec2::new(-z, x).try_normalize()?;
    // A thousandth of the stride goes downhill, so that rounded heights do not count as a climb.
    let down = DVec2::new(-x, -z).normalize() * 1e-3 * stride.length();
    Some(contour * stride.dot(contour) + down)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ramp along x that starts at x = 0 and rises to the height `top`.
    fn ramp(slope: f32, top: f32) -> impl Fn(DVec2) -> Option<Sample<2>> {
        move |at| {
            let height = at.x as f32 * slope;
            let inside = height > 0.0 && height < top;
            let gradient = [if inside { slope } else { 0.0 }, 0.0];
            Some(Sample { value: height.clamp(0.0, top), gradient })
        }
    }

    fn end(
        ground: impl Fn(DVec2) -> Option<Sample<2>>,
        way: [f64; 2],
        frames: u32,
    ) -> (DVec2, f32) {
        let mut walker = TerrainWalker::default();
        let around = Surroundings { ground, water: None, obstacles: &[] };
        let mut feet = (DVec2::new(-1.0, 0.0), 0.0);
        // Slowly, so that whoever falls has the time to land.
        let time = 100.0 / f64::from(frames);
        for _ in 0..frames {
            feet = walker.go(&around, feet, DVec2::from(way) / f64::from(frames), time).unwrap();
        }
        (feet.0, feet.1 as f32)
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
            let around = Surroundings { ground: ramp(50.0, 90.0), water: None, obstacles: &[] };
            let (start, way) = ((DVec2::new(-1.0, 0.0), 0.0), DVec2::new(10.0, 0.0));
            let (feet, _) = walker.go(&around, start, way, 1.0).unwrap();
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
        let cliff = |at: DVec2| ramp(80.0, 100.0)(DVec2::new(-at.x, at.y));
        assert!((end(cliff, [5.0, 0.0], 30).0.x - 4.0).abs() < 1e-9);
        let (feet, _) = end(ramp(5.0, 100.0), [4.0, 4.0], 60);
        assert!(feet.x < 0.1 && feet.y > 3.5, "{feet}");
    }

    #[test]
    fn without_ground_a_walker_stays() {
        let nowhere = Surroundings { ground: |_| None, water: None, obstacles: &[] };
        assert!(TerrainWalker::default().go(&nowhere, (DVec2::ZERO, 0.0), DVec2::X, 1.0).is_none());
        let (feet, _) = end(ramp(0.1, 9.0), [f64::NAN, 1.0], 1);
        assert_eq!(feet, DVec2::new(-1.0, 0.0));
    }

    /// Steps through frames on level ground at height 0, and returns the heights of its feet.
    fn heights(walker: &mut TerrainWalker, water: Option<f64>, from: f64, rate: f64) -> Vec<f64> {
        let ground = |_| Some(Sample { value: 0.0, gradient: [0.0; 2] });
        let around = Surroundings { ground, water, obstacles: &[] };
        let mut feet = (DVec2::ZERO, from);
        let mut frame = || {
            feet = walker.go(&around, feet, DVec2::ZERO, 1.0 / rate).unwrap();
            feet.1
        };
        (0..(3.0 * rate) as u32).map(|_| frame()).collect()
    }

    /// The height and the time of a jump are those of a throw, at any frame rate.
    #[test]
    fn jumps_are_throws() {
        for rate in [20.0, 60.0, 240.0] {
            let mut walker = TerrainWalker {
                jump: true,
                motion: WalkerMotion::Stands,
                ..TerrainWalker::default()
            };
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
        let level = |_| Some(Sample { value: 0.0, gradient: [0.0; 2] });
        let outline = super::super::obstacle::Outline::Circle(0.5);
        let stone = |top| Upright { at: DVec2::new(2.0, 0.0), outline, bottom: -1.0, top };
        let walk = |top: f64, jump: bool| {
            let obstacles = [stone(top)];
            let around = Surroundings { ground: level, water: None, obstacles: &obstacles };
            let mut walker = TerrainWalker { jump, ..TerrainWalker::default() };
            let mut feet = (DVec2::ZERO, 0.0);
            let mut highest = 0.0f64;
            for _ in 0..100 {
                feet = walker.go(&around, feet, DVec2::new(0.03, 0.0), 0.015).unwrap();
                highest = highest.max(feet.1);
                walker.jump = jump;
            }
            (feet.0, highest)
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
        let ground = |at: DVec2| {
            Some(Sample { value: if at.x > 0.5 { -20.0 } else { 0.0 }, gradient: [0.0; 2] })
        };
        let around = Surroundings { ground, water: None, obstacles: &[] };
        let mut walker = TerrainWalker::default();
        let mut feet = (DVec2::ZERO, 0.0);
        for _ in 0..30 {
            feet = walker.go(&around, feet, DVec2::new(0.1, 0.0), 1.0 / 60.0).unwrap();
        }
        assert!(matches!(walker.motion, WalkerMotion::Falls { .. }), "{walker:?}");
        assert!((-5.0..-0.1).contains(&feet.1), "{feet:?}");
    }
}
