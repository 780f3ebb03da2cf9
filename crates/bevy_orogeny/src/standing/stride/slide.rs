//! Sliding down what is too steep: a point that gravity pulls along the slope, without friction.

use bevy_math::{DVec2, DVec3, Vec3Swizzles};

use super::{Feet, Stride, Surroundings, TerrainWalker};
use crate::query::Footing;
use crate::standing::walk::WalkerMotion;

/// Feet that are nearer to the floor touch it, in metres.
const CONTACT: f64 = 1e-6;
/// The most parts of a stride.
const MAX_PARTS: f64 = 64.0;
/// What is slower has no momentum that could carry it on, in metres per second.
const SLOW: f64 = 0.1;

/// A body that slides.
#[derive(Clone, Copy)]
pub(super) struct Body {
    /// Where its feet are, and their height.
    pub at: DVec2,
    pub height: f64,
    pub velocity: DVec3,
}

/// A velocity or an acceleration on a floor, without the part that leads into it.
pub(super) fn along(floor: &Footing, vector: DVec3) -> DVec3 {
    let normal = DVec3::new(-floor.gradient.x, 1.0, -floor.gradient.y).normalize();
    vector - normal * vector.dot(normal).min(0.0)
}

impl TerrainWalker {
    /// Slides for some seconds: on the floor along its slope, and over bumps through the air. It
    /// stands up where the slope is one that it could climb, or where it gets no lower. Its own
    /// `way` counts as far as it leads along the slope. Returns where its feet end, and the floor
    /// below.
    pub(super) fn slide<G: Fn(DVec2) -> Option<Footing>>(
        &mut self,
        around: &Surroundings<G>,
        body: Body,
        below: Footing,
        way: DVec2,
        time: f64,
    ) -> (Feet, Footing) {
        let (mut body, mut below) = (body, below);
        let length =
            (body.velocity.xz().length() + f64::from(self.gravity) * time) * time + way.length();
        if !length.is_finite() {
            self.stand();
            return (Feet { at: body.at, height: below.height }, below);
        }
        let parts = (length / self.longest_stride()).ceil().clamp(1.0, MAX_PARTS);
        for _ in 0..parts as u32 {
            (body, below) = self.slide_part(around, body, below, way / parts, time / parts);
            let WalkerMotion::Slides { velocity } = &mut self.motion else { break };
            *velocity = body.velocity.as_vec3();
        }
        (Feet { at: body.at, height: body.height }, below)
    }

    fn slide_part<G: Fn(DVec2) -> Option<Footing>>(
        &mut self,
        around: &Surroundings<G>,
        Body { at, height, velocity }: Body,
        below: Footing,
        way: DVec2,
        time: f64,
    ) -> (Body, Footing) {
        let fall = DVec3::new(0.0, -f64::from(self.gravity), 0.0);
        let touches = height <= below.height + CONTACT;
        let (velocity, pull, aside) = if touches {
            let contour = below.gradient.perp().normalize_or_zero();
            (along(&below, velocity), along(&below, fall), contour * way.dot(contour))
        } else {
            (velocity, fall, DVec2::ZERO)
        };
        let moved = (velocity + 0.5 * pull * time) * time;
        let mut faster = velocity + pull * time;
        let mut height = if touches { below.height } else { height };
        let to = at + moved.xz() + aside;
        let found = self.reach(around, Feet { at, height }, to);
        let wall = |next: &Footing| {
            !self.is_easy(next) && next.height > height + moved.y.max(0.0) + CONTACT
        };
        let (end, next) = match found {
            Some((end, next)) if !wall(&next) => {
                if end != to && time > 0.0 {
                    let passed = (end - at - aside) / time;
                    (faster.x, faster.z) = (passed.x, passed.y);
                }
                (end, next)
            }
            // Into a wall, an obstacle or a hole from the air: it falls down along that.
            _ if !touches => {
                faster = DVec3::new(0.0, faster.y, 0.0);
                (at, below)
            }
            found => {
                // In the crease between two slopes it follows that.
                let crease = found.and_then(|(_, next)| {
                    let crease = (below.gradient - next.gradient).perp().try_normalize()?;
                    let along = moved.xz().dot(crease);
                    let leads = along.abs() > 1e-3 * moved.xz().length();
                    leads.then_some((crease, at + crease * along))
                });
                let followed = crease.and_then(|(crease, to)| {
                    let (end, next) = self.reach(around, Feet { at, height }, to)?;
                    (!wall(&next)).then_some((crease, end, next))
                });
                let still = Body { at, height, velocity: DVec3::ZERO };
                match followed {
                    Some((crease, end, next)) => {
                        let level = crease * faster.xz().dot(crease);
                        let down = below.gradient.dot(level);
                        faster = DVec3::new(level.x, down, level.y);
                        (end, next)
                    }
                    None if time > 0.0 && (crease.is_none() || velocity.length() < SLOW) => {
                        self.stand();
                        return (still, below);
                    }
                    None => return (still, below),
                }
            }
        };
        let is_stopped = end.distance(at) <= 1e-3 * to.distance(at);
        let rests = touches && time > 0.0 && is_stopped;
        height += moved.y;
        if height <= next.height + CONTACT {
            height = next.height;
            if rests || self.is_easy(&next) {
                self.stand();
            } else {
                faster = along(&next, faster);
            }
        }
        if height < self.afloat(around.water) - super::DEEPER {
            self.motion = WalkerMotion::Swims;
        }
        (Body { at: end, height, velocity: faster }, next)
    }

    /// Where a way ends that keeps out of obstacles, and the floor there. `None` if they leave no
    /// room, or if there is no floor.
    fn reach<G: Fn(DVec2) -> Option<Footing>>(
        &self,
        around: &Surroundings<G>,
        Feet { at, height }: Feet,
        to: DVec2,
    ) -> Option<(DVec2, Footing)> {
        let end = around.keep_out(Stride { to, ..self.body(at, height) })?;
        Some((end, around.floor(end, height + self.step())?))
    }
}
