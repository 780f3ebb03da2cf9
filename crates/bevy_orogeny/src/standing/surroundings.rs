//! What is around a walker: pure geometry.

use bevy_math::DVec2;

use super::obstacle::Upright;
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
