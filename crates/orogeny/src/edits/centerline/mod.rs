//! Centre lines: smooth curves in the plane with heights along them, and for each place near one
//! its distance and the height at its closest point, with exact derivatives.
//!
//! spline.rs is the curve; segment.rs cuts it into short parts with proven bounds, and finds those
//! near a place and the closest point on one; gap.rs proves that the curve stays away from itself.

mod gap;
mod segment;
mod spline;

pub(super) use segment::Closest;

use alloc::vec::Vec;

use crate::arrays::Each;
use crate::derivative::bounds::Bounds;
use crate::edits::centerline::segment::{SHARPEST, Segment, SegmentTree, check_grade};
use crate::edits::centerline::spline::{Cubic, length, minus, natural, plane};
use crate::edits::operations::Path;
use crate::error::DataError;
use crate::real::Real;
use crate::region::Region;

/// The natural cubic spline through points, and straight on beyond both of its ends. It is twice
/// continuously differentiable, as its second derivative at both ends is 0.
#[derive(Clone, Debug)]
pub(super) struct Centerline {
    /// The first control point. All positions are relative to it, so that they are exact far from
    /// the origin of the world.
    origin: [f64; 2],
    /// How far places may be from it.
    reach: f64,
    segments: Vec<Segment>,
    tree: SegmentTree,
    /// The largest curvature.
    curvature: f64,
    /// The bounds of the height at the closest point.
    heights: Bounds,
}

/// The maximum number of segments that have [`probes`](Centerline::probes).
const MAX_PROBES: usize = 32;

/// A segment of a centre line that may be near a place.
pub(super) struct NearSegment<'a> {
    line: &'a Centerline,
    segment: &'a Segment,
}

impl NearSegment<'_> {
    /// The closest point, and where it is on this segment. `None` if it is nowhere.
    #[inline(always)]
    pub fn closest<R: Real>(&self, p: [R; 2]) -> Option<(R::Mask, Closest<R>)> {
        self.segment.closest(self.line.own(p), self.line.reach)
    }
}

/// What is wrong with a centre line, and where.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    /// The curve is too sharp for its reach.
    Sharp { at: [f64; 2], radius: f64 },
    /// Two parts of the curve are too near to each other.
    Near { at: [f64; 2], gap: f64 },
    /// The heights along it are too steep.
    Steep { at: [f64; 2], grade: f64 },
}

impl Fault {
    fn moved(mut self, origin: [f64; 2]) -> Self {
        let (Self::Sharp { at, .. } | Self::Near { at, .. } | Self::Steep { at, .. }) = &mut self;
        *at = [0, 1].each(|k| at[k] + origin[k]);
        self
    }
}

/// The smallest radius of curvature of a centre line with this reach.
pub(super) fn smallest_radius(reach: f64) -> f64 {
    reach / SHARPEST
}

impl Centerline {
    /// The centre line through points (x, z, height), for places up to `reach` from it. Beyond its
    /// ends it goes on for `beyond` metres. `max_grade` is the largest slope along it, if any.
    pub fn new(
        points: &[[f64; 3]],
        reach: f64,
        beyond: f64,
        max_grade: Option<f64>,
    ) -> Result<Self, Fault> {
        let origin = plane(points[0]);
        Self::around(origin, points, reach, beyond, max_grade).map_err(|fault| fault.moved(origin))
    }

    fn around(
        origin: [f64; 2],
        points: &[[f64; 3]],
        reach: f64,
        beyond: f64,
        max_grade: Option<f64>,
    ) -> Result<Self, Fault> {
        let own = |p: &[f64; 3]| [p[0] - origin[0], p[1] - origin[1], p[2]];
        let points: Vec<_> = points.iter().map(own).collect();
        let cubics = natural(&points);
        if let Some(max_grade) = max_grade {
            cubics.iter().try_for_each(|cubic| check_grade(cubic, max_grade, 0))?;
        }
        let mut segments = Vec::new();
        for cubic in &cubics {
            Segment::split(cubic, reach, 0, &mut segments)?;
        }
        let (first, last) = (&cubics[0], &cubics[cubics.len() - 1]);
        let start = straight(first.position(0.0), first.velocity(0.0), -beyond);
        let end = straight(last.position(last.end), last.velocity(last.end), beyond);
        let mut all = Vec::with_capacity(segments.len() + 2);
        Segment::split(&start, reach, 0, &mut all)?;
        all[0].beyond = -1.0;
        all.append(&mut segments);
        Segment::split(&end, reach, 0, &mut all)?;
        if let Some(segment) = all.last_mut() {
            segment.beyond = 1.0;
        }
        // Where segments meet both have the same bits.
        for i in 1..all.len() {
            all[i].ends[0] = all[i - 1].ends[1];
        }
        let regions: Vec<_> = all.iter().map(|segment| segment.region).collect();
        let tree = SegmentTree::new(&regions);
        gap::check_gaps(&all, &tree, reach)?;
        let curvature = all.iter().fold(0.0, |max, segment| segment.curvature.max(max));
        let heights = all.iter().map(|segment| segment.height).fold(all[0].height, Bounds::or);
        Ok(Self { origin, reach, segments: all, tree, curvature, heights })
    }

    /// All places with a [`closest`](Self::closest) point are in it.
    pub fn region(&self) -> Region {
        let Region { min, max } = self.tree.region();
        let moved = |end: [f64; 2]| [0, 1].each(|k| end[k] + self.origin[k]);
        Region { min: moved(min), max: moved(max) }
    }

    /// The closest point of the curve, if it is less than the reach away. There is then one point
    /// at most whose normal passes through `p`.
    #[inline]
    pub fn closest(&self, p: [f64; 2]) -> Option<Closest> {
        let p = self.own(p);
        let mut near = self.tree.met(|region| region.contains(p));
        near.find_map(|i| match self.segments[i].closest(p, self.reach) {
            Some((true, closest)) => Some(closest),
            _ => None,
        })
    }

    /// The distance of a place from the curve between its first and its last control point; at
    /// least `within` if it is farther away than this.
    pub fn distance(&self, p: [f64; 2], within: f64) -> f64 {
        let p = self.own(p);
        let more = (within - self.reach).max(0.0);
        let near = self.tree.met(|region| region.grown(more).contains(p));
        let between = near.map(|i| &self.segments[i]).filter(|segment| segment.beyond == 0.0);
        between.map(|segment| segment.distance(p)).fold(f64::INFINITY, f64::min)
    }

    /// The segments that may be closest to some place in a region, in their order.
    #[inline]
    pub fn near(&self, region: Region) -> impl Iterator<Item = NearSegment<'_>> {
        let [min, max] = [self.own(region.min), self.own(region.max)];
        let region = Region { min, max };
        let segments = self.tree.met(move |other| other.meets(&region));
        segments.map(|i| NearSegment { line: self, segment: &self.segments[i] })
    }

    /// A place, relative to the first control point.
    #[inline(always)]
    fn own<R: Real>(&self, p: [R; 2]) -> [R; 2] {
        minus(p, self.origin)
    }

    /// Places along the curve, `aside` metres to its left and to its right.
    pub fn probes(&self, aside: f64) -> Vec<[f64; 2]> {
        let step = self.segments.len().div_ceil(MAX_PROBES);
        let place = |segment: &Segment, aside: f64| {
            let ([[x, z], _], [dx, dz]) = (segment.ends[0], segment.axis);
            [self.origin[0] + x - aside * dz, self.origin[1] + z + aside * dx]
        };
        let segments = self.segments.iter().step_by(step);
        segments.flat_map(|segment| [aside, -aside].each(|aside| place(segment, aside))).collect()
    }

    /// The largest curvature.
    pub fn curvature(&self) -> f64 {
        self.curvature
    }

    /// The bounds of the height at the closest point.
    pub fn heights(&self) -> Bounds {
        self.heights
    }

    /// Those for the places up to `radius` from `p`; `None` if all of them are beyond the reach.
    pub fn heights_near(&self, p: [f64; 2], radius: f64) -> Option<Bounds> {
        let p = self.own(p);
        let ball = Region::around(p, [radius; 2]);
        let near = self.tree.met(|region| region.meets(&ball)).filter_map(|i| {
            let segment = &self.segments[i];
            let [min, max] = segment.heights_near(p, self.reach + radius)?;
            Some(segment.height.and(Bounds { min, max, ..Bounds::UNKNOWN }))
        });
        near.reduce(Bounds::or)
    }
}

/// A straight line of a length from a point on, or up to it if that is negative.
fn straight(from: [f64; 3], velocity: [f64; 3], distance: f64) -> Cubic {
    let end = distance.abs() / length(plane(velocity));
    let back = if distance < 0.0 { end } else { 0.0 };
    let start = [0, 1, 2].each(|k| from[k] - back * velocity[k]);
    Cubic { terms: [start, velocity, [0.0; 3], [0.0; 3]], end }
}

impl Path {
    /// Points (x, z, height) of a line along the path, `offset` metres beside the curve and as high
    /// as its closest point: the curve itself for 0, the edges of the carriageway for `width` / 2
    /// and its negative. `parts` pieces join two control points.
    ///
    /// # Errors
    /// A path that cannot be built, as [`Edit::check`](crate::edits::Edit::check).
    pub fn line(&self, offset: f64, parts: u32) -> Result<Vec<[f64; 3]>, DataError> {
        self.check()?;
        let parts = parts.max(1);
        // Relative to the first point, so that it is exact far from the origin of the world.
        let [x, z, _] = self.points[0];
        let own: Vec<_> = self.points.iter().map(|p| [p[0] - x, p[1] - z, p[2]]).collect();
        let cubics = natural(&own);
        let mut line = Vec::with_capacity(cubics.len() * parts as usize + 1);
        for (i, cubic) in cubics.iter().enumerate() {
            // Where two pieces meet, both have the same point.
            for part in u32::from(i > 0)..=parts {
                let t = cubic.end * f64::from(part) / f64::from(parts);
                let ([px, pz, height], velocity) = (cubic.position(t), plane(cubic.velocity(t)));
                let speed = length(velocity);
                let [dx, dz] = velocity.each(|v| v / speed);
                line.push([x + px - offset * dz, z + pz + offset * dx, height]);
            }
        }
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use crate::Node;
    use crate::edits::{EditedField, Path};
    use crate::tests::edits::edited;

    /// The lines agree with the ground that the path makes: level with the curve across the
    /// carriageway, untouched beyond the falloff.
    #[test]
    fn lines_are_where_the_path_is() {
        let points = vec![[1e6, 0.0, 3.0], [1e6 + 60.0, 20.0, 9.0], [1e6 + 130.0, -10.0, 5.0]];
        let path = Path { points: points.clone(), width: 6.0, falloff: 5.0, ..Path::default() };
        let base = Node::<2>::Constant(-40.0).build().unwrap();
        let ground = EditedField::new(&base, edited([path.clone()]));
        for offset in [0.0, 2.999, -2.999] {
            let line = path.line(offset, 16).unwrap();
            assert_eq!(line.len(), 33);
            for &[x, z, height] in &line {
                let value = f64::from(ground.sample([x, z]).value);
                assert!((value - height).abs() < 1e-4, "{offset}: {value} {height}");
            }
        }
        for offset in [8.001, -8.001] {
            for [x, z, _] in path.line(offset, 16).unwrap() {
                assert_eq!(ground.sample([x, z]).value, -40.0, "{offset}");
            }
            let inside = path.line(0.98 * offset, 16).unwrap();
            assert!(inside.iter().all(|&[x, z, _]| ground.sample([x, z]).value > -40.0));
        }
        let curve = path.line(0.0, 1).unwrap();
        for (a, b) in curve.iter().zip(&points) {
            assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-9), "{a:?} {b:?}");
        }
        let sharp = Path { width: 200.0, ..path };
        let error = sharp.line(0.0, 16).unwrap_err();
        assert!(error.to_string().starts_with("points: the curve is too sharp at (1"), "{error}");
    }
}
