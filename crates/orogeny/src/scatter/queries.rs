//! Queries: what stands in a box or a circle, what is nearest, and what a ray hits.

use alloc::vec::Vec;

#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::ray::Ray;
use crate::scatter::instance::Instance;
use crate::scatter::kind::ScatterKind;
use crate::scatter::scattered::Scattered;

/// The width in metres of the blocks in which queries look.
const BLOCK: f64 = 64.0;
/// The maximum number of blocks that a query looks at.
const MAX_BLOCKS: f64 = 1e6;
/// The length in metres after which rays through a scatter end.
pub const MAX_RAY: f64 = 1e5;

/// What a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The instance.
    pub instance: Instance,
    /// The distance from the origin of the ray in metres.
    pub distance: f64,
    /// The position (x, height, z) of the hit.
    pub position: [f64; 3],
}

impl Scattered {
    /// All instances of some kinds in a box, without its upper ends, block by block.
    ///
    /// Time and memory grow with the number of instances: ask for trees, not for blades of grass,
    /// in large boxes. There is nothing in a box that is empty, not finite, or larger than a
    /// million blocks of 64 m.
    pub fn in_box(
        &self,
        min: [f64; 2],
        max: [f64; 2],
        is_wanted: impl Fn(&ScatterKind) -> bool,
    ) -> Vec<Instance> {
        let mut found = Vec::new();
        self.each_block(min, max, &is_wanted, |block| found.extend_from_slice(block));
        found
    }

    /// All instances of some kinds at most `radius` metres from a point, as
    /// [`in_box`](Self::in_box).
    pub fn in_circle(
        &self,
        center: [f64; 2],
        radius: f64,
        is_wanted: impl Fn(&ScatterKind) -> bool,
    ) -> Vec<Instance> {
        let mut found = Vec::new();
        let [min, max] = around(center, radius);
        self.each_block(min, max, &is_wanted, |block| {
            let near = |instance: &&Instance| distance(center, instance.position) <= radius;
            found.extend(block.iter().filter(near));
        });
        found
    }

    /// The instance of some kinds that is nearest to a point, at most `radius` metres away.
    pub fn nearest(
        &self,
        center: [f64; 2],
        radius: f64,
        is_wanted: impl Fn(&ScatterKind) -> bool,
    ) -> Option<Instance> {
        if radius.is_nan() {
            return None;
        }
        // Larger and larger circles, so that only the last one is mostly in vain.
        let mut reach = radius.min(8.0);
        loop {
            let found = self.in_circle(center, reach, &is_wanted);
            let nearest = found.into_iter().min_by(|a, b| {
                let [a, b] = [a, b].map(|instance| distance(center, instance.position));
                a.total_cmp(&b)
            });
            if nearest.is_some() || reach >= radius {
                return nearest;
            }
            reach = (4.0 * reach).min(radius);
        }
    }

    /// The first instance that a ray hits: its solid cylinder, which stands upright on the ground.
    /// Kinds without one are not hit, and the ground stops no ray, see
    /// [`raycast`](crate::ray::raycast) for that. Rays end after [`MAX_RAY`] metres.
    pub fn raycast(&self, ray: &Ray) -> Option<RayHit> {
        let [dx, dy, dz] = ray.direction;
        let range = if ray.max_distance > MAX_RAY { MAX_RAY } else { ray.max_distance };
        let length = (dx * dx + dy * dy + dz * dz).sqrt();
        if !(length > 0.0 && length.is_finite() && range >= 0.0) {
            return None;
        }
        let direction = ray.direction.map(|d| d / length);
        let solids = self.kinds().filter(|kind| kind.is_solid());
        let widest = solids.map(ScatterKind::widest_solid).reduce(f64::max)?;
        let flat = (direction[0] * direction[0] + direction[2] * direction[2]).sqrt();
        // Pieces of the ray that are about a block long on the map.
        let step = if flat * range > BLOCK { BLOCK / flat } else { range };
        let mut start = 0.0;
        while start <= range {
            let end = (start + step).min(range);
            let ends = [start, end]
                .map(|t| [ray.origin[0] + t * direction[0], ray.origin[2] + t * direction[2]]);
            let [low, high] =
                [f64::min, f64::max].map(|choose| [0, 1].map(|k| choose(ends[0][k], ends[1][k])));
            let mut hit: Option<RayHit> = None;
            let [min, max] = [low.map(|x| x - widest), high.map(|x| x + widest)];
            self.each_block(min, max, &ScatterKind::is_solid, |block| {
                for instance in block {
                    let Some(t) = self.crossing(ray.origin, direction, instance) else { continue };
                    if t <= range && hit.is_none_or(|hit| t < hit.distance) {
                        let position = [0, 1, 2].map(|k| ray.origin[k] + t * direction[k]);
                        hit = Some(RayHit { instance: *instance, distance: t, position });
                    }
                }
            });
            // One beyond this piece may be behind another one of the next.
            if let Some(hit) = hit.filter(|hit| hit.distance <= end || end >= range) {
                return Some(hit);
            }
            if end >= range || step <= 0.0 {
                return None;
            }
            start = end;
        }
        None
    }

    /// Where a ray enters the cylinder of an instance.
    fn crossing(&self, origin: [f64; 3], direction: [f64; 3], of: &Instance) -> Option<f64> {
        let kind = self.kind(of);
        let size = f64::from(of.size);
        let (radius, height) =
            (f64::from(kind.solid_radius) * size, f64::from(kind.solid_height) * size);
        let [ox, oz] = [origin[0] - of.position[0], origin[2] - of.position[1]];
        let [dx, dy, dz] = direction;
        // |o + t d|^2 = r^2 on the map.
        let a = dx * dx + dz * dz;
        let b = ox * dx + oz * dz;
        let c = ox * ox + oz * oz - radius * radius;
        let root = b * b - a * c;
        let sides = if a > 0.0 {
            if root < 0.0 {
                return None;
            }
            let root = root.sqrt();
            [(-b - root) / a, (-b + root) / a]
        } else if c <= 0.0 {
            [f64::NEG_INFINITY, f64::INFINITY]
        } else {
            return None;
        };
        let ground = f64::from(self.standing(of).value);
        let ends = [ground, ground + height].map(|y| y - origin[1]);
        let slab = if dy == 0.0 {
            if ends[0] > 0.0 || ends[1] < 0.0 {
                return None;
            }
            [f64::NEG_INFINITY, f64::INFINITY]
        } else {
            let [a, b] = ends.map(|end| end / dy);
            [a.min(b), a.max(b)]
        };
        let enter = sides[0].max(slab[0]).max(0.0);
        (enter <= sides[1].min(slab[1])).then_some(enter)
    }

    /// Visits the instances of a box, block by block.
    fn each_block(
        &self,
        min: [f64; 2],
        max: [f64; 2],
        is_wanted: &impl Fn(&ScatterKind) -> bool,
        mut visit: impl FnMut(&[Instance]),
    ) {
        let blocks = [0, 1].map(|k| ((max[k] - min[k]) / BLOCK).ceil());
        let count = blocks[0] * blocks[1];
        if count.is_nan() || count > MAX_BLOCKS {
            return;
        }
        let end = |k: usize, i: f64| (min[k] + i * BLOCK).min(max[k]);
        let mut found = Vec::new();
        for j in 0..blocks[1] as u32 {
            for i in 0..blocks[0] as u32 {
                let [low, high] =
                    [0.0, 1.0].map(|by| [end(0, f64::from(i) + by), end(1, f64::from(j) + by)]);
                found.clear();
                self.place([low, high], |kind| is_wanted(&self.kinds[kind].kind), &mut found);
                visit(&found);
            }
        }
    }
}

fn around(center: [f64; 2], radius: f64) -> [[f64; 2]; 2] {
    // A little more, since boxes have no upper ends.
    [-1.0, 1.0].map(|sign| center.map(|x| x + sign * (radius + 1.0)))
}

fn distance(p: [f64; 2], q: [f64; 2]) -> f64 {
    let [x, z] = [p[0] - q[0], p[1] - q[1]];
    (x * x + z * z).sqrt()
}
