//! How far a field may be from its linear interpolation over small simplices: triangles, in two
//! dimensions.
//!
//! Say the corners of a simplex lie on a sphere of radius R about a point that the simplex does not
//! leave by more than R, as those of a cube's corners do (half a square of side h: R = h / sqrt 2).
//! For a point p of it with barycentric weights w_i, and If the interpolation of f between the
//! corners v_i,
//!
//! sum of w_i |v_i - p|^2 = R^2 - |p - centre|^2 <= R^2,
//!
//! so that |f - If| <= C R^2 / 2 by Taylor's formula, and <= L R, and <= the range of f; and the
//! values at the corners differ by s_f = 2 R L at most. From there it composes, with e_f for the
//! largest |f - If|:
//!
//! | field | e | why |
//! |---|---|---|
//! | f + g | e_f + e_g | |
//! | f g | \|f\| e_g + \|g\| e_f + s_f s_g / 4 | fg - I(fg) = (f - If) g + If (g - Ig) + (If Ig - I(fg)), and the last one is a covariance |
//! | \|f\| | e_f + s_f / 2, or e_f where f keeps its sign | 2 min(sum of w_i f_i+, sum of w_i f_i-) <= s_f / 2 |
//! | triangle wave of f | e_f + s_f / 2, or e_f where f crosses no whole number | sup\|m'\| is 1 |
//! | f^2 | 2 \|f\| e_f + s_f^2 / 4 | a variance |
//! | min(f, 1) | e_f + s_f / 4 | |
//! | min and max of f and g, smooth or not | max(e_f, e_g) + max(s_f, s_g) | their slopes are weights of a mean |
//! | m(f) | sup\|m'\| (e_f + s_f / 2) | |
//!
//! and each is cut with what the field's own bounds say. Octaves are summed one by one: the coarse
//! ones by their curvature, the fine ones by their range.

use core::array;

use crate::derivative::bounds::{Bounds, times, warp_bounds};
use crate::derivative::elementary::Shaped;
use crate::fractal::damped::DampedBounds;
use crate::fractal::fractal_kind::{Damped, FractalKind};
use crate::fractal::octaves::Octaves;
use crate::kernel::OctaveTerms;
use crate::node::ops::combine::{Join, lerp_bounds};
use crate::node::ops::remap::ShapeOp;
use crate::node::tree::Op;

/// A field over simplices of a size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chord {
    bounds: Bounds,
    /// R.
    radius: f64,
    /// e.
    pub error: f64,
    /// s.
    swing: f64,
}

impl Chord {
    fn new(bounds: Bounds, radius: f64) -> Self {
        let swing = times(bounds.lipschitz, 2.0 * radius).min(bounds.max - bounds.min);
        Self { bounds, radius, error: bounds.chord_error(radius), swing }
    }

    /// A field with these bounds, of which more is known.
    fn with(self, bounds: Bounds, error: f64, swing: f64) -> Self {
        let own = Self::new(bounds, self.radius);
        Self { error: own.error.min(error), swing: own.swing.min(swing), ..own }
    }

    fn plus(self, other: Self) -> Self {
        let bounds = self.bounds + other.bounds;
        self.with(bounds, self.error + other.error, self.swing + other.swing)
    }

    fn joined(self, join: Join, other: Self) -> Self {
        match join {
            Join::Add => self.plus(other),
            Join::Multiply => self.product(other),
            Join::Min(_) | Join::Max(_) => {
                let swing = self.swing.max(other.swing);
                let bounds = join.bounds(self.bounds, other.bounds);
                // Smooth ones blend values that differ by their width: those of a corner too.
                self.with(bounds, self.error.max(other.error) + swing, swing)
            }
        }
    }

    fn shaped(self, shape: &ShapeOp) -> Self {
        let bounds = shape.bounds(self.bounds);
        match shape {
            ShapeOp::Abs => self.abs(),
            ShapeOp::Square => self.square(),
            _ if self.bounds.lipschitz > 0.0 && self.bounds.lipschitz.is_finite() => {
                // The bounds of m(f) have sup|m'| as a factor.
                let slope = bounds.lipschitz / self.bounds.lipschitz;
                let gap = if matches!(shape, ShapeOp::Stretch { .. } | ShapeOp::Times(_)) {
                    0.0
                } else {
                    self.swing / 2.0
                };
                self.with(bounds, times(slope, self.error + gap), times(slope, self.swing))
            }
            _ => Self::new(bounds, self.radius),
        }
    }
}

impl Shaped for Chord {
    fn times(self, factor: f32) -> Self {
        self.affine(factor, 0.0)
    }

    fn affine(self, factor: f32, offset: f32) -> Self {
        let size = f64::from(factor.abs());
        let bounds = self.bounds.affine(factor, offset);
        self.with(bounds, times(size, self.error), times(size, self.swing))
    }

    fn product(self, other: Self) -> Self {
        let (a, b) = (self.bounds.max_abs(), other.bounds.max_abs());
        let error = times(a, other.error) + times(b, self.error);
        let swing = times(a, other.swing) + times(b, self.swing);
        let covariance = times(self.swing, other.swing) / 4.0;
        self.with(self.bounds * other.bounds, error + covariance, swing)
    }

    fn abs(self) -> Self {
        let crosses = self.bounds.min < 0.0 && self.bounds.max > 0.0;
        let gap = if crosses { self.swing / 2.0 } else { 0.0 };
        self.with(self.bounds.abs(), self.error + gap, self.swing)
    }

    fn square(self) -> Self {
        let twice = 2.0 * self.bounds.max_abs();
        let error = times(twice, self.error) + times(self.swing, self.swing) / 4.0;
        self.with(self.bounds.square(), error, times(twice, self.swing))
    }

    fn triangle(self) -> Self {
        // Whole numbers are the creases.
        let crosses = self.bounds.min.ceil() <= self.bounds.max.floor();
        let gap = if crosses { self.swing / 2.0 } else { 0.0 };
        self.with(self.bounds.triangle(), self.error + gap, self.swing)
    }

    fn at_most_one(self) -> Self {
        let gap = if self.bounds.max > 1.0 { self.swing / 4.0 } else { 0.0 };
        self.with(self.bounds.at_most_one(), self.error + gap, self.swing)
    }
}

impl<const N: usize> Octaves<N> {
    fn chord(&self, radius: f64) -> Chord {
        if let FractalKind::Damped(Damped { strength }) = self.kind {
            // Term by term: of each its slope or its range.
            let mut damped = DampedBounds::new(strength);
            return self
                .list
                .iter()
                .map(|octave| damped.next(octave.bounds, octave.amplitude, octave.share))
                .map(|term| Chord::new(term, radius))
                .reduce(Chord::plus)
                .unwrap_or(Chord::new(Bounds::UNKNOWN, radius));
        }
        let mut terms = OctaveTerms::new(self.kind.term());
        self.list
            .iter()
            .map(|octave| terms.next(Chord::new(octave.bounds, radius), octave.amplitude))
            .reduce(Chord::plus)
            .unwrap_or(Chord::new(Bounds::UNKNOWN, radius))
    }
}

impl<const N: usize> Op<N> {
    pub fn chord(&self, radius: f64) -> Chord {
        match self {
            Op::Constant(value) => Chord::new(Bounds::constant((*value).into()), radius),
            Op::Octaves(octaves) => octaves.chord(radius),
            Op::Join(join, of) => of
                .iter()
                .map(|op| op.chord(radius))
                .reduce(|a, b| a.joined(*join, b))
                .unwrap_or(Chord::new(Bounds::UNKNOWN, radius)),
            Op::Lerp(of) => {
                let [from, to, mask] = array::from_fn(|i| of[i].chord(radius));
                // (1 - m) a + m b = a + (b - a) m.
                let sum = from.plus(to.plus(from.times(-1.0)).product(mask));
                sum.with(lerp_bounds(from.bounds, to.bounds, mask.bounds), sum.error, sum.swing)
            }
            Op::Shape(field, by) => by.iter().fold(field.chord(radius), Chord::shaped),
            Op::Domain(field, map) => {
                let inner = field.chord(radius * map.norm());
                Chord { radius, ..inner }.with(
                    inner.bounds.stretched(map.norm()),
                    inner.error,
                    inner.swing,
                )
            }
            Op::Erode(eroded) => {
                // The sum of the field and of gullies, of which nothing but the range is known to
                // be of use.
                let (field, erosion) = (eroded.field.chord(radius), &eroded.erosion);
                let range = 2.0 * erosion.depth();
                field.with(erosion.bounds(field.bounds), field.error + range, field.swing + range)
            }
            Op::Warp(field, by) => {
                let moves = by.iter().map(|op| op.chord(radius).bounds).collect::<Vec<_>>();
                Chord::new(warp_bounds(field.chord(radius).bounds, &moves), radius)
            }
        }
    }
}
