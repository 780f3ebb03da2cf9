//! What a ray hits: the solid cylinders of instances.

use crate::arrays::Each;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::{OutOfLimits, POSITION};
use crate::ray::Ray;
use crate::region::Region;
use crate::scatter::kind::ScatterKind;
use crate::scatter::placement::Instance;
use crate::scatter::placement::Placement;
use crate::scatter::queries::ALL;
use crate::scatter::squares::Wanted;

/// The length in metres of the pieces in which a ray is searched, on the map, unless what grows is
/// wider.
const PIECE: f64 = 64.0;
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

/// A ray with a direction of length 1.
struct Line {
    origin: [f64; 3],
    direction: [f64; 3],
    range: f64,
}

impl Placement {
    /// The first instance that a ray hits: its solid cylinder, which stands upright on the ground.
    /// Kinds without one are not hit, nor is what edits have planted where there is no ground. The
    /// ground stops no ray, see [`raycast`](crate::ray::raycast) for that. Rays end after
    /// [`MAX_RAY`] metres.
    ///
    /// # Errors
    /// Those of [`Ray::checked`]; a start beyond [`POSITION`](crate::limits::POSITION) on the map;
    /// and more places than [`SCATTER_PLACES`](crate::limits::SCATTER_PLACES) or
    /// [`SCATTER_PLACES_TOGETHER`](crate::limits::SCATTER_PLACES_TOGETHER) allow, if cylinders are
    /// kilometres wide.
    pub fn raycast(&self, ray: &Ray) -> Result<Option<RayHit>, OutOfLimits> {
        let line = Line::of(ray)?;
        let mut hit = None;
        let Some(solids) = Wanted::new(&self.kinds, ScatterKind::is_solid) else { return Ok(hit) };
        let is_near = |region: &Region| line.meets(region);
        self.each_planted_solid(&solids, is_near, |solid| self.try_hit(&line, solid, &mut hit));
        let widest = self.kinds().map(ScatterKind::widest_solid).fold(0.0, f64::max);
        let mut start = 0.0;
        while start <= line.range {
            let end = (start + line.step(widest)).min(line.range);
            let region = line.around(start, end).grown(widest);
            let is_near = |square: &Region| line.meets(&square.grown(widest));
            for square in self.parts(&region, 0.0, &solids, is_near)? {
                self.grow(&square, &ALL, &solids, &mut |solid| {
                    self.try_hit(&line, &solid, &mut hit);
                });
            }
            // One beyond this piece may be behind another one of the next.
            let is_first = hit.is_some_and(|hit| hit.distance <= end);
            if is_first || end >= line.range || end <= start {
                break;
            }
            start = end;
        }
        Ok(hit)
    }

    /// Replaces a hit by that of an instance, if the ray hits it before.
    fn try_hit(&self, line: &Line, instance: &Instance, hit: &mut Option<RayHit>) {
        let Some(distance) = self.crossing(line, instance) else { return };
        if hit.is_none_or(|hit| distance < hit.distance) {
            let position = line.at(distance);
            *hit = Some(RayHit { instance: *instance, distance, position });
        }
    }

    /// Where a ray enters the cylinder of an instance.
    fn crossing(&self, line: &Line, of: &Instance) -> Option<f64> {
        let Line { origin, direction, range } = *line;
        let kind = self.kind(of.kind)?;
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
        if !ground.is_finite() {
            return None;
        }
        let ends = [ground, ground + height].each(|y| y - origin[1]);
        let slab = if dy == 0.0 {
            if ends[0] > 0.0 || ends[1] < 0.0 {
                return None;
            }
            [f64::NEG_INFINITY, f64::INFINITY]
        } else {
            let [a, b] = ends.each(|end| end / dy);
            [a.min(b), a.max(b)]
        };
        let enter = sides[0].max(slab[0]).max(0.0);
        (enter <= sides[1].min(slab[1]).min(range)).then_some(enter)
    }
}

impl Line {
    /// A ray, checked and not longer than [`MAX_RAY`].
    fn of(ray: &Ray) -> Result<Self, OutOfLimits> {
        // Not `min`, which would replace a NaN.
        let is_longer = ray.max_distance > MAX_RAY;
        let range = if is_longer { MAX_RAY } else { ray.max_distance };
        let Ray { origin, direction, .. } = Ray { max_distance: range, ..*ray }.checked()?;
        [origin[0], origin[2]].into_iter().try_for_each(|x| POSITION.check(x))?;
        let [dx, dy, dz] = ray.direction;
        let length = (dx * dx + dy * dy + dz * dz).sqrt();
        // Scaling it first, as `checked` does, would round differently.
        let is_exact = length > 0.0 && length.is_finite();
        let direction = if is_exact { ray.direction.each(|d| d / length) } else { direction };
        Ok(Self { origin, direction, range })
    }

    fn at(&self, t: f64) -> [f64; 3] {
        [0, 1, 2].each(|k| self.origin[k] + t * self.direction[k])
    }

    /// The length of a piece: as long on the map as squares are wide, or as what grows is.
    fn step(&self, widest: f64) -> f64 {
        let [dx, _, dz] = self.direction;
        let (flat, piece) = ((dx * dx + dz * dz).sqrt(), PIECE.max(2.0 * widest));
        if flat * self.range > piece { piece / flat } else { self.range }
    }

    /// The region of a piece on the map.
    fn around(&self, start: f64, end: f64) -> Region {
        let [a, b] = [start, end].each(|t| self.at(t)).each(|[x, _, z]| [x, z]);
        let ends = |choose: fn(f64, f64) -> f64| [0, 1].each(|k| choose(a[k], b[k]));
        Region { min: ends(f64::min), max: ends(f64::max) }
    }

    /// Whether the ray passes over a region on the map, or nearly so.
    fn meets(&self, region: &Region) -> bool {
        // A little more, for rounding.
        let region = region.grown(0.01);
        let (mut enter, mut leave) = (0.0f64, self.range);
        for (k, axis) in [0, 2].into_iter().enumerate() {
            let ends = [region.min[k], region.max[k]].each(|end| end - self.origin[axis]);
            if self.direction[axis] == 0.0 {
                if ends[0] > 0.0 || ends[1] < 0.0 {
                    return false;
                }
                continue;
            }
            let [a, b] = ends.each(|end| end / self.direction[axis]);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
        enter <= leave
    }
}
