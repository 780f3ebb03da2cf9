//! A walker's movement in strides: pure geometry.

use bevy_math::DVec2;
use orogeny::Sample;

use super::surroundings::{Stride, Surroundings};
use super::walk::{TerrainWalker, WalkerMotion};
use crate::chunk::height_field::normal;

/// The longest stride in metres: the ground is sampled once per stride. It is no longer than the
/// radius of a walker, which would pass thin walls otherwise.
const STRIDE: f64 = 0.25;
/// The longest time of a stride in seconds.
const STRIDE_TIME: f64 = 1.0 / 30.0;
/// The maximum number of strides in a frame: a walker moves at most 64 m a frame.
const MAX_STRIDES: f64 = 256.0;
/// How much deeper the water is where a walker begins to swim than where it stops, in metres.
const DEEPER: f64 = 0.1;
/// Ground that falls away by less, in metres, is followed by every walker: `f32` rounds heights.
const MIN_STEP: f32 = 1e-3;
/// The shortest limit of a stride in metres, for thin walkers.
const SHORTEST: f64 = 0.05;
/// How fast a swimmer comes to its depth, as a part of the way in a second.
const BUOYANCY: f64 = 4.0;

/// Where a walker's feet are: (x, z) and the height, in metres.
pub(super) type Feet = (DVec2, f64);

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
            height = self.afloat(around.water).max(below.value.into());
            let swims = height > below.value.into();
            self.motion = if swims { WalkerMotion::Swims } else { WalkerMotion::Stands };
        }
        let longest = STRIDE.min(f64::from(self.radius).max(SHORTEST));
        let limited = |way: DVec2| {
            let way = way.clamp_length_max(longest * MAX_STRIDES);
            if way.is_finite() { way } else { DVec2::ZERO }
        };
        let time = if time.is_finite() { time.max(0.0) } else { 0.0 };
        let (way, drift) = (limited(way), limited(around.flow * time));
        let strides = ((way.length() + drift.length()) / longest).max(time / STRIDE_TIME).ceil();
        let strides = strides.clamp(1.0, MAX_STRIDES);
        let (way, drift, time) = (way / strides, drift / strides, time / strides);
        // A jump waits while time stands still.
        if time > 0.0 && core::mem::take(&mut self.jump) && self.can_jump(&below) {
            self.motion = WalkerMotion::Falls { speed: self.jump_speed };
        }
        for _ in 0..strides as u32 {
            let drift = if self.motion == WalkerMotion::Swims { drift } else { DVec2::ZERO };
            let stride = way * f64::from(self.slowed(around.water, height)) + drift;
            if stride != DVec2::ZERO {
                let next = self.step(around, (at, height), &below, stride).or_else(|| {
                    // If the slope ahead is too steep, walk along it.
                    let contour = along_contour(around, at, stride)?;
                    self.step(around, (at, height), &below, contour)
                });
                (at, below) = next.unwrap_or((at, below));
            }
            let head = f64::from(self.head.max(0.0));
            let ceiling = around.ceiling(at, height + head) - head;
            let floor = f64::from(below.value);
            height = self.rise_or_fall(around.water, height, [floor, ceiling], time);
        }
        Some((at, height))
    }

    /// Whether it can jump from a floor. From ground that is too steep to climb it cannot, or it
    /// would climb that in jumps.
    fn can_jump(&self, floor: &Sample<2>) -> bool {
        match self.motion {
            WalkerMotion::Placed | WalkerMotion::Stands => self.is_easy(floor),
            WalkerMotion::Falls { .. } => false,
            WalkerMotion::Swims => true,
        }
    }

    /// Whether it can climb the slope of the ground.
    fn is_easy(&self, ground: &Sample<2>) -> bool {
        normal(*ground).y.acos() <= self.steepest
    }

    /// The part of its speed that water at its feet leaves it.
    fn slowed(&self, water: Option<f64>, feet: f64) -> f32 {
        let depth = water.map_or(0.0, |surface| (surface - feet).max(0.0)) as f32;
        let deep = (depth / self.swim_depth.max(0.1)).min(1.0);
        1.0 + (self.swim_speed - 1.0) * deep
    }

    /// The height of its feet when it swims.
    fn afloat(&self, water: Option<f64>) -> f64 {
        water.map_or(f64::NEG_INFINITY, |it| it - f64::from(self.swim_depth))
    }

    /// The height of its feet after some time between a floor and a ceiling for its feet.
    fn rise_or_fall(
        &mut self,
        water: Option<f64>,
        feet: f64,
        [floor, ceiling]: [f64; 2],
        time: f64,
    ) -> f64 {
        let afloat = self.afloat(water);
        let step = f64::from(self.step_height.max(MIN_STEP));
        let falls = WalkerMotion::Falls { speed: 0.0 };
        let mut feet = feet;
        match self.motion {
            // It follows ground that falls away by no more than a step.
            WalkerMotion::Placed | WalkerMotion::Stands if floor >= feet - step => feet = floor,
            WalkerMotion::Placed | WalkerMotion::Stands => self.motion = falls,
            WalkerMotion::Falls { speed } => {
                let gravity = f64::from(self.gravity);
                feet += (f64::from(speed) - 0.5 * gravity * time) * time;
                let speed = if feet > ceiling { 0.0 } else { speed - (gravity * time) as f32 };
                self.motion = WalkerMotion::Falls { speed };
                if speed <= 0.0 && feet < afloat {
                    self.motion = WalkerMotion::Swims;
                }
            }
            // Where the water ends, or falls away, so does the swimmer.
            WalkerMotion::Swims if afloat < feet - step => self.motion = falls,
            WalkerMotion::Swims => feet += (afloat - feet) * (BUOYANCY * time).min(1.0),
        }
        feet = feet.min(ceiling);
        // A speed that is not a number ends on the ground, too.
        if feet <= floor || feet.is_nan() {
            self.motion = WalkerMotion::Stands;
            feet = floor;
        }
        // Not back and forth where the water is as deep.
        if self.motion == WalkerMotion::Stands && feet < afloat - DEEPER {
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
        let [radius, head] = [self.radius, self.head].map(|x| f64::from(x.max(0.0)));
        let stride = Stride { from, to: from + stride, radius, beside: [step_up, feet + head] };
        let at = around.keep_out(stride)?;
        let next = around.floor(at, step_up)?;
        let floor = f64::from(next.value);
        let stands = self.motion == WalkerMotion::Stands;
        let lifted = if stands { floor } else { feet.max(floor) };
        if !around.has_headroom(Stride { to: at, ..stride }, lifted + head) {
            return None;
        }
        if !stands {
            // In the air and in water, what is higher than a step stops it. A jump does not go up a
            // slope that a walk cannot.
            let rises = floor > feet && matches!(self.motion, WalkerMotion::Falls { .. });
            let is_stopped = floor > step_up || rises && !self.is_easy(&next);
            return (!is_stopped).then_some((at, next));
        }
        let rise = next.value - below.value;
        let length = from.distance(at) as f32;
        // The ground may rise more between the ends of a stride than the slopes there suggest.
        let easy = self.is_easy(&next) && rise.atan2(length) <= self.steepest;
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
    from: DVec2,
    stride: DVec2,
) -> Option<DVec2> {
    let [x, z] = (around.ground)(from + stride)?.gradient.map(f64::from);
    let contour = DVec2::new(-z, x).try_normalize()?;
    // A thousandth of the stride goes downhill, so that rounded heights do not count as a climb.
    let down = DVec2::new(-x, -z).normalize() * 1e-3 * stride.length();
    Some(contour * stride.dot(contour) + down)
}

#[cfg(test)]
mod tests;
