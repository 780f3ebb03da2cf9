//! A walker's movement in strides: pure geometry.
//!
//! The way of a frame is split into strides, and each stride is a way on the floor and then one up
//! or down. Nothing depends on the length of a stride: what a walker may climb is counted from the
//! last ground that was not too steep, and heights are not rounded. So a thousand strides of a
//! millimetre lead where ten of 10 cm do.

mod slide;

use bevy_math::{DVec2, DVec3};

use super::obstacle::Upright;
use super::walk::{TerrainWalker, WalkerMotion};
use crate::query::Footing;

/// Heights that differ by less are the same, in metres: games set them in `f32`.
pub(super) const TOLERANCE: f64 = 1e-3;

/// What is around a walker.
pub(super) struct Surroundings<'a, G: Fn(DVec2) -> Option<Footing>> {
    pub ground: G,
    /// The height of the surface of the water, if there is any.
    pub water: Option<f64>,
    /// How fast that water flows along x and z, in metres per second.
    pub flow: DVec2,
    pub obstacles: &'a [Upright],
}

/// A stride of a body.
#[derive(Clone, Copy)]
pub(super) struct Stride {
    pub from: DVec2,
    pub to: DVec2,
    /// The radius of the body.
    pub radius: f64,
    /// The height that it can step onto, and that of its head.
    pub beside: [f64; 2],
}

impl<G: Fn(DVec2) -> Option<Footing>> Surroundings<'_, G> {
    /// The ground at a point, or the top of an obstacle that is higher, if feet at a height can
    /// step onto it. An obstacle may lie over a hole.
    pub fn floor(&self, at: DVec2, highest: f64) -> Option<Footing> {
        let reachable = |it: &&Upright| it.top <= highest + TOLERANCE && it.is_below(at);
        let top = self.obstacles.iter().filter(reachable).map(|it| it.top).reduce(f64::max);
        let ground = (self.ground)(at);
        let top = top.filter(|&top| ground.is_none_or(|ground| top > ground.height));
        top.map(Footing::level).or(ground)
    }

    /// The lowest bottom above a head.
    pub fn ceiling(&self, at: DVec2, head: f64) -> f64 {
        let above = |it: &&Upright| it.bottom >= head - TOLERANCE && it.is_below(at);
        self.obstacles.iter().filter(above).map(|it| it.bottom).fold(f64::INFINITY, f64::min)
    }

    /// Where a stride ends that keeps out of all obstacles. `None` if they leave no room.
    pub fn keep_out(&self, stride: Stride) -> Option<DVec2> {
        let Stride { from, to, radius, .. } = stride;
        let stopping = || self.stopping(stride, stride.beside[1]);
        let end = stopping().fold(to, |at, it| it.keep_out(at, radius).unwrap_or(at));
        // In a corner the second one pushes the body into the first, and a body is not pushed to
        // the other side.
        let is_free = stopping().all(|it| it.keep_out(end, 0.999 * radius).is_none());
        let is_near = end.distance(to) <= from.distance(to) + radius + TOLERANCE;
        (is_free && is_near).then_some(end)
    }

    /// Whether a body that stands still is in an obstacle, as when that has moved.
    pub fn is_touched(&self, body: Stride) -> bool {
        self.stopping(body, body.beside[1]).any(|it| it.keep_out(body.from, body.radius).is_some())
    }

    /// Whether there is room for the head at the end of a stride that lifts it.
    pub fn has_headroom(&self, stride: Stride, head: f64) -> bool {
        let mut stopping = self.stopping(stride, head);
        stopping.all(|it| it.keep_out(stride.to, 0.999 * stride.radius).is_none())
    }

    /// The obstacles beside a body with its head at a height. One that it is in already does not
    /// stop it, so that it gets out.
    fn stopping(&self, stride: Stride, head: f64) -> impl Iterator<Item = &Upright> {
        let Stride { from, beside: [feet, now], .. } = stride;
        let is_in = move |it: &Upright| it.is_beside(feet, now) && it.is_below(from);
        let obstacles = self.obstacles.iter();
        obstacles.filter(move |it| it.is_beside(feet + TOLERANCE, head - TOLERANCE) && !is_in(it))
    }
}

/// The longest stride in metres: the ground is sampled once per stride. It is no longer than the
/// radius of a walker, which would pass thin walls otherwise.
const STRIDE: f64 = 0.25;
/// The longest time of a stride in seconds.
const STRIDE_TIME: f64 = 1.0 / 30.0;
/// The maximum number of strides in a frame: a walker moves at most 64 m a frame.
const MAX_STRIDES: f64 = 256.0;
/// How much deeper the water is where a walker begins to swim than where it stops, in metres.
const DEEPER: f64 = 0.1;
/// Ground that falls away by less, in metres, is followed by every walker.
const MIN_STEP: f32 = 1e-3;
/// The shortest limit of a stride in metres, for thin walkers.
const SHORTEST: f64 = 0.05;
/// How fast a swimmer comes to its depth, as a part of the way in a second.
const BUOYANCY: f64 = 4.0;

/// Where a walker's feet are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Feet {
    /// (x, z) in metres.
    pub at: DVec2,
    /// In metres.
    pub height: f64,
}

impl TerrainWalker {
    /// Walks, jumps, falls, slides and swims for some seconds. `way` is the way along x and z that
    /// it wants to go. Returns where its feet end. `None` if the ground has no answer at the start.
    pub(super) fn go<G: Fn(DVec2) -> Option<Footing>>(
        &mut self,
        around: &Surroundings<G>,
        feet: Feet,
        way: DVec2,
        time: f64,
    ) -> Option<Feet> {
        let Feet { mut at, mut height } = feet;
        let mut below = around.floor(at, height + self.step())?;
        self.start(&below, &mut height, around.water);
        let longest = self.longest_stride();
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
        if time > 0.0 && core::mem::take(&mut self.jump) && self.can_jump() {
            self.motion = WalkerMotion::Falls { speed: self.jump_speed };
        }
        for _ in 0..strides as u32 {
            if let WalkerMotion::Slides { velocity } = self.motion {
                let body = slide::Body { at, height, velocity: velocity.as_dvec3() };
                (Feet { at, height }, below) = self.slide(around, body, below, way, time);
                continue;
            }
            let start = at;
            let drift = if self.motion == WalkerMotion::Swims { drift } else { DVec2::ZERO };
            let stride = way * f64::from(self.slowed(around.water, height)) + drift;
            if stride != DVec2::ZERO || time > 0.0 && around.is_touched(self.body(at, height)) {
                let feet = Feet { at, height };
                let next = self.stride(around, feet, &below, stride).or_else(|| {
                    // If the slope ahead is too steep, walk along it.
                    let contour = along_contour(around, at, stride)?;
                    self.stride(around, feet, &below, contour)
                });
                (at, below) = next.unwrap_or((at, below));
            }
            let head = f64::from(self.head.max(0.0));
            let ceiling = around.ceiling(at, height + head) - head;
            let gone = at - start;
            let limits = Limits { floor: &below, ceiling, water: around.water };
            height = self.rise_or_fall(limits, height, gone, time);
        }
        Some(Feet { at, height })
    }

    /// Puts it on a floor if it is to be placed there, or if that has come up through its feet.
    fn start(&mut self, below: &Footing, height: &mut f64, water: Option<f64>) {
        if self.motion == WalkerMotion::Placed {
            *height = self.afloat(water).max(below.height);
            let swims = *height > below.height;
            self.motion = if swims { WalkerMotion::Swims } else { WalkerMotion::Stands };
            self.climbed = 0.0;
        } else if self.comes_up(below, *height) {
            *height = below.height;
        }
    }

    /// Has it slide if it stood and a floor that is too steep has come up through its feet. Returns
    /// whether it does.
    pub(super) fn comes_up(&mut self, floor: &Footing, height: f64) -> bool {
        let slides = self.motion == WalkerMotion::Stands
            && !self.is_easy(floor)
            && floor.height > height + self.step().max(MIN_STEP.into());
        if slides {
            self.motion = WalkerMotion::Slides { velocity: Default::default() };
        }
        slides
    }

    /// Makes it stand where it is: what it climbs is counted from there.
    fn stand(&mut self) {
        self.motion = WalkerMotion::Stands;
        self.climbed = 0.0;
    }

    /// The height of a step that it climbs, in metres.
    pub(super) fn step(&self) -> f64 {
        f64::from(self.step_height)
    }

    pub(super) fn longest_stride(&self) -> f64 {
        STRIDE.min(f64::from(self.radius).max(SHORTEST))
    }

    /// The stride of a body that stands still.
    fn body(&self, at: DVec2, feet: f64) -> Stride {
        let [radius, head] = [self.radius, self.head].map(|x| f64::from(x.max(0.0)));
        Stride { from: at, to: at, radius, beside: [feet + self.step(), feet + head] }
    }

    /// Whether it can jump. What slides down a slope cannot, or it would climb that in jumps.
    fn can_jump(&self) -> bool {
        matches!(self.motion, WalkerMotion::Stands | WalkerMotion::Swims)
    }

    /// Whether it can climb the slope of the ground.
    fn is_easy(&self, ground: &Footing) -> bool {
        ground.slope() <= self.steepest()
    }

    /// The steepest slope that it climbs. A limit that is not a number climbs nothing but steps.
    fn steepest(&self) -> f64 {
        f64::from(self.steepest.max(0.0))
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

    /// The height of its feet after some time in which it has `gone` over the floor.
    fn rise_or_fall(&mut self, limits: Limits, feet: f64, gone: DVec2, time: f64) -> f64 {
        let Limits { floor, ceiling, water } = limits;
        let afloat = self.afloat(water);
        let step = f64::from(self.step_height.max(MIN_STEP));
        let falls = WalkerMotion::Falls { speed: 0.0 };
        let slides = |velocity: DVec3| WalkerMotion::Slides { velocity: velocity.as_vec3() };
        // What leaves the ground goes on as it went.
        let ahead = if time > 0.0 { gone / time } else { DVec2::ZERO };
        let leaves = slides(DVec3::new(ahead.x, 0.0, ahead.y));
        let easy = self.is_easy(floor);
        let mut feet = feet;
        match self.motion {
            WalkerMotion::Placed | WalkerMotion::Stands => {
                // It follows ground that falls away by no more than a step, or than a slope does
                // that it could climb.
                let slope = if easy { (-floor.gradient.dot(gone)).max(0.0) } else { 0.0 };
                if floor.height >= feet - step - slope {
                    feet = floor.height;
                    if !easy && f64::from(self.climbed) < -step {
                        self.motion = leaves;
                    }
                } else {
                    self.motion = if easy { falls } else { leaves };
                }
            }
            WalkerMotion::Falls { speed } => {
                let gravity = f64::from(self.gravity);
                feet += (f64::from(speed) - 0.5 * gravity * time) * time;
                let speed = if feet > ceiling { 0.0 } else { speed - (gravity * time) as f32 };
                self.motion = WalkerMotion::Falls { speed };
                if speed <= 0.0 && feet < afloat {
                    self.motion = WalkerMotion::Swims;
                } else if feet <= floor.height && !easy {
                    // Its own way does not carry it up a slope.
                    let down = DVec3::new(0.0, f64::from(speed).min(0.0), 0.0);
                    self.climbed = 0.0;
                    self.motion = slides(slide::along(floor, down));
                    return floor.height;
                }
            }
            // Where the water ends, or falls away, so does the swimmer.
            WalkerMotion::Swims if afloat < feet - step => self.motion = falls,
            WalkerMotion::Swims => feet += (afloat - feet) * -(-BUOYANCY * time).exp_m1(),
            WalkerMotion::Slides { .. } => {}
        }
        // A speed that is not a number ends on the ground, too.
        feet = if feet.is_finite() { feet.min(ceiling) } else { floor.height };
        if feet <= floor.height {
            feet = floor.height;
            match self.motion {
                WalkerMotion::Stands | WalkerMotion::Slides { .. } => {}
                _ => self.stand(),
            }
        }
        // Not back and forth where the water is as deep.
        if self.motion == WalkerMotion::Stands && feet < afloat - DEEPER {
            self.motion = WalkerMotion::Swims;
        }
        feet
    }

    /// Makes one stride, if obstacles, the slope and the step height allow it.
    fn stride<G: Fn(DVec2) -> Option<Footing>>(
        &mut self,
        around: &Surroundings<G>,
        Feet { at: from, height: feet }: Feet,
        below: &Footing,
        stride: DVec2,
    ) -> Option<(DVec2, Footing)> {
        let step_up = feet + self.step();
        let stride = Stride { to: from + stride, ..self.body(from, feet) };
        let at = around.keep_out(stride)?;
        let next = around.floor(at, step_up)?;
        let stands = self.motion == WalkerMotion::Stands;
        let lifted = if stands { next.height } else { feet.max(next.height) };
        let head = f64::from(self.head.max(0.0));
        if !around.has_headroom(Stride { to: at, ..stride }, lifted + head) {
            return None;
        }
        if !stands {
            // In the air and in water, what is higher than a step stops it. A jump does not go up a
            // slope that a walk cannot.
            let rises = next.height > feet && matches!(self.motion, WalkerMotion::Falls { .. });
            let is_stopped = next.height > step_up || rises && !self.is_easy(&next);
            return (!is_stopped).then_some((at, next));
        }
        let rise = next.height - below.height;
        let length = from.distance(at);
        // The ground may rise more between the ends of a stride than the slopes there suggest.
        if self.is_easy(&next) && rise.atan2(length) <= self.steepest() {
            self.climbed = 0.0;
            return Some((at, next));
        }
        let climbed = f64::from(self.climbed) + rise;
        if rise > 0.0 && climbed > self.step() {
            return None;
        }
        self.climbed = climbed as f32;
        Some((at, next))
    }
}

/// What limits the height of feet.
struct Limits<'a> {
    floor: &'a Footing,
    ceiling: f64,
    water: Option<f64>,
}

/// The component of a stride along the contour line of the slope ahead.
fn along_contour<G: Fn(DVec2) -> Option<Footing>>(
    around: &Surroundings<G>,
    from: DVec2,
    stride: DVec2,
) -> Option<DVec2> {
    let gradient = (around.ground)(from + stride)?.gradient;
    let contour = gradient.perp().try_normalize()?;
    // A thousandth of the stride goes downhill, so that rounded heights do not count as a climb.
    let down = -gradient.normalize() * 1e-3 * stride.length();
    Some(contour * stride.dot(contour) + down)
}

#[cfg(test)]
mod tests;

impl TerrainWalker {
    /// Where feet are after what they stand on has moved them: as far as other obstacles and
    /// higher ground let them.
    pub(in crate::standing) fn carried<G: Fn(DVec2) -> Option<Footing>>(
        &self,
        around: &Surroundings<G>,
        Feet { at: from, .. }: Feet,
        Feet { at: to, height }: Feet,
    ) -> Feet {
        let way = to - from;
        let strides = (way.length() / self.longest_stride()).ceil().clamp(1.0, MAX_STRIDES);
        let mut at = from;
        for _ in 0..strides as u32 {
            let next = at + way / strides;
            let stride = Stride { to: next, ..self.body(at, height) };
            let Some(end) = around.keep_out(stride) else { break };
            if (around.ground)(end).is_some_and(|it| it.height > height + self.step()) {
                break;
            }
            at = end;
        }
        Feet { at, height }
    }
}
