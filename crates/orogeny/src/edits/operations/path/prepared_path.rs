//! A path, prepared for evaluation.

use alloc::vec::Vec;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::derivative::lerp::lerp_bounds;
use crate::edits::centerline::{Centerline, Closest};
use crate::edits::falloff::{Jet64, along, steepest};
use crate::edits::grids::{SPAN, Span};
use crate::edits::operations::{Apply, Path};
use crate::edits::weighted_target::{WeightedTarget, WeightedTargets};
use crate::edits::widening::Widening;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::real::Real;
use crate::region::Region;
use crate::simd::{Level, dispatch};

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
        let [value, slope, bend] = along(closest.distance.abs() - self.half, self.falloff);
        let across = closest.across([value, slope * closest.distance.signum(), bend]);
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
        let [slope, bend] = [self.depth / self.half, self.depth / (self.half * self.half)];
        let bed = [
            rest * rest * rest * -self.depth,
            x * rest * rest * (6.0 * slope),
            rest * (-(x * x * 5.0) + 1.0) * (6.0 * bend),
        ];
        WeightedTarget { weight, target: closest.height.plus(closest.across(bed)) }
    }

    /// Writes the weights and targets at the points of a span that the path touches.
    fn fill<S: Simd, T: Dual<2>>(&self, simd: S, span: &Span, out: &mut WeightedTargets) {
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
    fn turn(&self, reach: f64) -> f64 {
        let curvature = self.line.curvature();
        curvature / (1.0 - curvature * reach)
    }

    /// Proven bounds of the weight, over the whole plane.
    ///
    /// Second derivatives across the curve and along it are in orthogonal directions, so the larger
    /// one counts. Beyond the ends, where the curve is straight, the weight is that of a rectangle.
    fn weight_bounds(&self) -> Bounds {
        let [slope, bend] = steepest(self.falloff);
        let curvature = (slope * self.turn(self.half + self.falloff)).max(bend + slope * slope);
        Bounds { min: 0.0, max: 1.0, lipschitz: 2f64.sqrt() * slope, curvature }
    }

    /// Proven bounds of the bed: 6 x (1 - x^2)^2 is largest at x^2 = 1/5, and its derivative in the
    /// middle.
    fn bed_bounds(&self) -> Bounds {
        let slope = 1.717_4 * self.depth.abs() / self.half;
        let bend = 6.0 * self.depth.abs() / (self.half * self.half);
        let curvature = (slope * self.turn(self.half)).max(bend);
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
    fn apply<T: Dual<2>>(&self, ground: T, p: [f64; 2]) -> T {
        self.line.closest(p).map_or(ground, |closest| self.weighted_target(&closest).apply(ground))
    }

    fn apply_span<T: Dual<2>>(&self, level: Level, span: &Span, ground: &mut [T]) {
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
