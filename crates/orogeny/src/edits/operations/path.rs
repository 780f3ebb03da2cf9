//! Builds a path: a road, a dam, a canal or a ditch.

use alloc::vec::Vec;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::{Differentiated, lerp_bounds};
use crate::edits::centerline::{Centerline, Closest, Fault, smallest_radius};
use crate::edits::falloff::{Jet64, along, steepest};
use crate::edits::grids::{SPAN, Span};
use crate::edits::operations::{Apply, Operation};
use crate::edits::weighted_target::{WeightedTarget, WeightedTargets};
use crate::edits::widening::Widening;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::parameters;
#[cfg(feature = "serde")]
use crate::limits::{MAX_PATH_POINTS, at_most};
use crate::real::Real;
use crate::region::Region;
use crate::simd::{Level, dispatch};

parameters! {
    /// Builds a path: a road, a dam, a canal or a ditch. It blends the ground with the height of a
    /// curve at its closest point: h' = h + w (t - h).
    ///
    /// **The curve** is the natural cubic spline through `points`, over the sum of the distances
    /// between neighbours in the plane. Its position and its height are twice continuously
    /// differentiable, and at both ends its curvature is 0. It goes straight on beyond them, with
    /// the same slope.
    ///
    /// **The cross-section.** At the distance d from the curve, w is 1 up to `width` / 2 and falls
    /// to 0 over `falloff` beyond it, by the quintic curve of all edits. The target is the height
    /// of the curve at the closest point, less a bed across the carriageway:
    ///
    /// t = height - depth max(0, 1 - (2 d / width)^2)^3.
    ///
    /// **The ends** are square: beyond each of them w is multiplied by a second weight, that falls
    /// to 0 over `falloff` along the straight line.
    ///
    /// **Limits.** The closest point is unique, and its derivatives exist, within the curve's reach
    /// (Herbert Federer, "Curvature measures", 1959). Let r = width / 2 + falloff. A path is an
    /// error if its radius of curvature is anywhere below r / 0.9, or if two parts of it come as
    /// close as 2 r and the curve turns by more than 180 degrees from one to the other, left and
    /// right added. The second test is conservative: it may refuse gaps that are some 15 % wider. A
    /// closed loop takes two paths.
    ///
    /// **Derivatives.** Value and gradient are continuous everywhere. So is the Hessian, except on
    /// the normals of the curve at its control points, where the third derivative of the spline
    /// jumps: there it jumps by a term proportional to the slope along the path times d. On the
    /// curve itself, and on a path of constant height, it is continuous.
    #[derive(PartialOrd)]
    pub struct Path {
        /// The control points (x, z, height) in metres: 2 to 256, neighbours 0.1 to 10,000 m apart
        /// in the plane.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_PATH_POINTS, _, _>"))]
        points: Vec<[f64; 3]> = vec![[-20.0, 0.0, 0.0], [20.0, 0.0, 0.0]],
    }
    numbers {
        /// The width of the carriageway.
        width: f64 = 4 "m", 0.1 to 1e4;
        /// The distance over which the weight falls to 0, on either side and beyond the ends.
        falloff: f64 = 4 "m", 0.01 to 1e4;
        /// The depth of the bed below the edges of the carriageway, on the curve. Negative for a
        /// crown.
        depth: f32 = 0 "m", -1e3 to 1e3;
        /// The maximum slope along the path. A steeper path is an error. 0 for no limit.
        max_grade: f32 = 0 "", 0 to 100;
    }
}

impl Path {
    fn centerline(&self) -> Result<Centerline, Fault> {
        let max_grade = (self.max_grade > 0.0).then_some(f64::from(self.max_grade));
        Centerline::new(&self.points, self.reach(), self.falloff, max_grade)
    }

    /// How far from the curve it changes the ground.
    fn reach(&self) -> f64 {
        0.5 * self.width + self.falloff
    }

    /// The error of a fault of the curve.
    fn explained(&self, fault: Fault) -> DataError {
        let reach = self.reach();
        DataError::at(
            "points",
            match fault {
                Fault::Sharp { at: [x, z], radius } => format!(
                    "the curve is too sharp at ({x:.1}, {z:.1}): its radius is {radius:.2} m, but \
                     with this width and falloff it must be at least {:.2} m",
                    smallest_radius(reach)
                ),
                Fault::Near { at: [x, z], gap } => format!(
                    "the curve comes too near itself at ({x:.1}, {z:.1}): its parts may be \
                     {gap:.2} m apart, but with this width and falloff must be more than {:.2} m",
                    2.0 * reach
                ),
                Fault::Steep { at: [x, z], grade } => format!(
                    "the path is too steep at ({x:.1}, {z:.1}): its slope is {grade:.3}, but must \
                     be at most {}",
                    self.max_grade
                ),
            },
        )
    }
}

impl Operation for Path {
    type Prepared = PreparedPath;

    fn check_rest(&self) -> Result<(), DataError> {
        self.centerline().map(|_| ()).map_err(|fault| self.explained(fault))
    }

    fn prepared(&self) -> PreparedPath {
        PreparedPath::new(self, self.centerline().expect("a checked path"))
    }
}

#[derive(Clone, Debug)]
pub(in crate::edits) struct PreparedPath {
    line: Centerline,
    /// Half the width.
    half: f64,
    falloff: f64,
    depth: f64,
}

impl PreparedPath {
    pub fn new(path: &Path, line: Centerline) -> Self {
        let depth = f64::from(path.depth);
        Self { line, half: 0.5 * path.width, falloff: path.falloff, depth }
    }

    /// The weight and the target.
    #[inline(always)]
    fn weighted_target<R: Real>(&self, closest: &Closest<R>) -> WeightedTarget<R> {
        let [value, slope, second] = along(closest.distance.abs() - self.half, self.falloff);
        let across = closest.across([value, slope * closest.distance.signum(), second]);
        let weight = match closest.beyond {
            None => across,
            Some((beyond, outward)) => {
                across.product(Jet64::straight(along(beyond, self.falloff), outward))
            }
        };
        if self.depth == 0.0 {
            return WeightedTarget { weight, target: closest.height };
        }
        let x = closest.distance * (1.0 / self.half);
        let rest = (-(x * x) + 1.0).clamp(0.0, 1.0);
        let [slope, second] = [self.depth / self.half, self.depth / (self.half * self.half)];
        let bed = [
            rest * rest * rest * -self.depth,
            x * rest * rest * (6.0 * slope),
            rest * (-(x * x * 5.0) + 1.0) * (6.0 * second),
        ];
        WeightedTarget { weight, target: closest.height.plus(closest.across(bed)) }
    }

    /// Writes the weights and targets at the points of a span that the path touches.
    fn fill<S: Simd, T: Differentiated<2>>(&self, simd: S, span: &Span, out: &mut WeightedTargets) {
        simd.vectorize(
            #[inline(always)]
            || {
                for segment in self.line.near(span.region()) {
                    for start in (0..SPAN).step_by(S::f64s::LEN) {
                        let p = span.lanes(simd, start);
                        if let Some((found, closest)) = segment.closest(p) {
                            out.merge::<S, T>(simd, start, found, &self.weighted_target(&closest));
                        }
                    }
                }
            },
        );
    }

    /// The largest second derivative along the curve of the distance d, up to `reach` from it:
    /// k / (1 - k d).
    fn curvature(&self, reach: f64) -> f64 {
        let curvature = self.line.curvature();
        curvature / (1.0 - curvature * reach)
    }

    /// Proven bounds of the weight, over the whole plane.
    ///
    /// Second derivatives across the curve and along it are in orthogonal directions, so the larger
    /// one counts. Beyond the ends, where the curve is straight, the weight is that of a rectangle.
    fn weight_bounds(&self) -> Bounds {
        let [slope, second] = steepest(self.falloff);
        let curvature =
            (slope * self.curvature(self.half + self.falloff)).max(second + slope * slope);
        Bounds { min: 0.0, max: 1.0, lipschitz: 2f64.sqrt() * slope, curvature }
    }

    /// Proven bounds of the bed: 6 x (1 - x^2)^2 is largest at x^2 = 1/5, and its derivative in the
    /// middle.
    fn bed_bounds(&self) -> Bounds {
        let slope = 1.717_4 * self.depth.abs() / self.half;
        let second = 6.0 * self.depth.abs() / (self.half * self.half);
        let curvature = (slope * self.curvature(self.half)).max(second);
        Bounds {
            min: (-self.depth).min(0.0),
            max: (-self.depth).max(0.0),
            lipschitz: slope,
            curvature,
        }
    }
}

impl Apply for PreparedPath {
    fn region(&self) -> Region {
        self.line.region()
    }

    #[inline]
    fn apply<T: Differentiated<2>>(&self, ground: T, p: [f64; 2]) -> T {
        self.line.closest(p).map_or(ground, |closest| self.weighted_target(&closest).apply(ground))
    }

    fn apply_span<T: Differentiated<2>>(&self, level: Level, span: &Span, ground: &mut [T]) {
        let mut targets = WeightedTargets::NONE;
        dispatch!(level, simd => self.fill::<_, T>(simd, span, &mut targets));
        targets.apply(ground);
    }

    fn bounds(&self, ground: Bounds, p: [f64; 2], radius: f64) -> Bounds {
        let Some(heights) = self.line.heights_near(p, radius) else { return ground };
        let all = self.weight_bounds();
        let here = self.line.closest(p);
        let value = here.map_or(0.0, |closest| self.weighted_target(&closest).weight.value);
        let weight = all.near(value, all.lipschitz * radius + 1e-6);
        lerp_bounds(ground, heights + self.bed_bounds(), weight)
    }

    fn widening(&self) -> Widening {
        Widening::blending(self.weight_bounds(), self.line.heights() + self.bed_bounds())
    }

    /// On both edges of the carriageway.
    fn probes(&self) -> Vec<[f64; 2]> {
        self.line.probes(self.half)
    }

    fn disturbance(&self, p: [f64; 2]) -> f32 {
        self.line
            .closest(p)
            .map_or(0.0, |closest| self.weighted_target(&closest).weight.value as f32)
    }

    fn disturbed_distance(&self, p: [f64; 2], within: f64) -> f64 {
        (self.line.distance(p, within + self.half) - self.half).max(0.0)
    }
}
