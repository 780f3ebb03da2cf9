//! Remapping by a smooth curve.

use alloc::vec::Vec;

use crate::arrays::Each;
use crate::derivative::bounds::{Bounds, hull};
use crate::derivative::chain_rule::Differentiated;
use crate::error::DataError;
use crate::limits::{CURVE_POINTS, CURVE_STEP, GIVEN, Scalar};
#[cfg(feature = "serde")]
use crate::limits::{MAX_CURVE_POINTS, at_most};
use crate::node::ops::remap::{Function, remapped};

/// A smooth curve through points (input, output): a remap without overshoot.
///
/// Between points it is the cubic Hermite spline with Fritsch and Butland's slopes. At an inner
/// point that is the weighted harmonic mean of the slopes of the chords on either side, (3 h0 + 3
/// h1) / ((2 h1 + h0) / d0 + (h1 + 2 h0) / d1) with widths h and slopes d, or 0 where they differ
/// in sign. At an end it is the slope of the chord. So the curve is monotonic between points and
/// does not overshoot them. Beyond the ends it continues as a straight line. It is continuously
/// differentiable once; the second derivative jumps at the points.
///
/// Source: F. N. Fritsch and J. Butland, "A Method for Constructing Local Monotone Piecewise Cubic
/// Interpolants", SIAM J. Sci. Stat. Comput. 5 (2), 1984.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Curve(
    /// Two to 64 points in the order of their inputs, which differ by at least 1e-6, all within
    /// +-1e6.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_CURVE_POINTS, _, _>"))]
    pub Vec<(f32, f32)>,
);

/// A curve, prepared for evaluation: the straight line below its first point, and from each point
/// on the piece up to the next one, or the straight line above the last.
#[derive(Clone, Debug)]
pub(crate) struct Spline {
    pieces: Vec<Piece>,
}

/// The cubic y + s (h m + s (c + s d)) with s = (x - start) / h.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: f32,
    y: f32,
    /// m, the slope at the start.
    slope: f32,
    /// h.
    width: f32,
    /// c and d.
    square: f32,
    cube: f32,
}

#[derive(Clone, Copy, Debug)]
struct Knot {
    x: f32,
    y: f32,
    slope: f32,
}

impl Curve {
    pub(crate) fn build(&self) -> Result<Spline, DataError> {
        let points = &self.0;
        CURVE_POINTS.check(points.len() as f64).map_err(DataError::here)?;
        for (i, &(x, y)) in points.iter().enumerate() {
            let wrong = |e| DataError::at(format!("[{i}]"), e);
            GIVEN.check(x.into()).and(GIVEN.check(y.into())).map_err(wrong)?;
        }
        let widths: Vec<f64> =
            points.windows(2).map(|p| f64::from(p[1].0) - f64::from(p[0].0)).collect();
        for (i, &width) in widths.iter().enumerate() {
            let wrong = |e| DataError::at(format!("[{i}]"), e);
            // In f32, like the inputs: a step written as 0.000001 is one of 1e-6.
            Scalar::check(width as f32, &CURVE_STEP).map_err(wrong)?;
        }
        let chords: Vec<f64> = points
            .windows(2)
            .zip(&widths)
            .map(|(p, width)| (f64::from(p[1].1) - f64::from(p[0].1)) / width)
            .collect();
        let slope =
            |i: usize| match (i.checked_sub(1).map(|i| (widths[i], chords[i])), chords.get(i)) {
                (None, Some(&chord)) => chord,
                (Some((_, chord)), None) => chord,
                (Some((h0, d0)), Some(&d1)) if d0 * d1 > 0.0 => {
                    let h1 = widths[i];
                    3.0 * (h0 + h1) / ((2.0 * h1 + h0) / d0 + (h1 + 2.0 * h0) / d1)
                }
                _ => 0.0,
            };
        let knot = |(i, &(x, y)): (usize, &(f32, f32))| Knot { x, y, slope: slope(i) as f32 };
        let knots: Vec<Knot> = points.iter().enumerate().map(knot).collect();
        let (first, last) = (knots[0], knots[knots.len() - 1]);
        let between = knots.windows(2).map(|pair| Piece::between(pair[0], pair[1]));
        let pieces = [Piece::straight(first)].into_iter().chain(between);
        Ok(Spline { pieces: pieces.chain([Piece::straight(last)]).collect() })
    }
}

impl Spline {
    /// The curve, its slope, and its second derivative. At a point, the latter is that of the piece
    /// above it.
    #[inline]
    fn at(&self, x: f32) -> [f32; 3] {
        let above = self.pieces[1..].partition_point(|piece| piece.start <= x);
        let piece = &self.pieces[above];
        let is_end = above == 0 || above + 1 == self.pieces.len();
        if is_end { piece.straight_at(x) } else { piece.at(x) }
    }

    /// The piece between each point and the next.
    fn between(&self) -> &[Piece] {
        &self.pieces[1..self.pieces.len() - 1]
    }

    /// The inputs of its points, and the outputs there.
    fn points(&self) -> impl Iterator<Item = (f32, f32)> {
        self.pieces[1..].iter().map(|piece| (piece.start, piece.y))
    }
}

impl Piece {
    fn between(a: Knot, b: Knot) -> Self {
        let width = b.x - a.x;
        let rise = b.y - a.y;
        Self {
            start: a.x,
            y: a.y,
            slope: a.slope,
            width,
            square: 3.0 * rise - width * (2.0 * a.slope + b.slope),
            cube: width * (a.slope + b.slope) - 2.0 * rise,
        }
    }

    fn straight(Knot { x, y, slope }: Knot) -> Self {
        Self { start: x, y, slope, width: 1.0, square: 0.0, cube: 0.0 }
    }

    /// The straight line through its first point.
    #[inline]
    fn straight_at(&self, x: f32) -> [f32; 3] {
        [self.y + self.slope * (x - self.start), self.slope, 0.0]
    }

    #[inline]
    fn at(&self, x: f32) -> [f32; 3] {
        let Self { start, y, slope, width: h, square: c, cube: d } = *self;
        let s = (x - start) / h;
        [
            y + s * (h * slope + s * (c + s * d)),
            slope + s * (2.0 * c + s * (3.0 * d)) / h,
            (2.0 * c + s * (6.0 * d)) / (h * h),
        ]
    }
}

impl Function for Spline {
    #[inline]
    fn apply<const N: usize, T: Differentiated<N>>(&self, field: T) -> T {
        remapped(field, |x| self.at(x))
    }

    fn bounds(&self, field: Bounds) -> Bounds {
        // Monotonic between knots and straight beyond them, so the extremes are at knots and at the
        // ends.
        let inside = self
            .points()
            .map(|(x, _)| f64::from(x))
            .filter(|x| (field.min..=field.max).contains(x));
        let ends = [field.min, field.max].into_iter();
        let range = hull(inside.chain(ends).map(|x| f64::from(self.at(x as f32)[0])));
        // The straight ends and the pieces that overlap the range.
        let (first, last) = (self.pieces[0], self.pieces[self.pieces.len() - 1]);
        let end = |piece: Piece, used: bool| if used { f64::from(piece.slope.abs()) } else { 0.0 };
        let mut slope = end(first, field.min < first.start.into())
            .max(end(last, field.max > last.start.into()));
        let mut second = 0f64;
        for (piece, (end, _)) in self.between().iter().zip(self.points().skip(1)) {
            if field.min > end.into() || field.max < piece.start.into() {
                continue;
            }
            let Piece { slope: m, width: h, square: c, cube: d, .. } = *piece;
            let [m, h, c, d] = [m, h, c, d].each(f64::from);
            // The slope m + (2 c s + 3 d s^2) / h is a parabola, and its derivative (2 c + 6 d s) /
            // h^2 is linear.
            let top = if d == 0.0 { 0.0 } else { (-c / (3.0 * d)).clamp(0.0, 1.0) };
            for s in [0.0, top, 1.0] {
                slope = slope.max((m + s * (2.0 * c + s * 3.0 * d) / h).abs());
            }
            second =
                second.max((2.0 * c / (h * h)).abs()).max(((2.0 * c + 6.0 * d) / (h * h)).abs());
        }
        field.mapped(range, slope, second)
    }

    /// Bounds outputs and coefficients: a slope is at most three times that of the chord.
    fn largest_term(&self) -> f64 {
        16.0 * self.points().map(|(_, y)| f64::from(y.abs())).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The curve goes through its points and does not overshoot. Its slope is the derivative of
        /// its values, and continuous.
        #[test]
        fn curves(steps in prop::collection::vec((0.05f32..2.0, -2f32..2.0), 2..9)) {
            let mut x = -3.0;
            let points: Vec<_> = steps.iter().map(|&(width, y)| { x += width; (x, y) }).collect();
            let spline = Curve(points.clone()).build().unwrap();
            for pair in points.windows(2) {
                let [(x0, y0), (x1, y1)] = [pair[0], pair[1]];
                prop_assert!((spline.at(x0)[0] - y0).abs() < 1e-5);
                prop_assert!((spline.at(x1)[0] - y1).abs() < 1e-5);
                for i in 0..=20 {
                    let x = x0 + (x1 - x0) * i as f32 / 20.0;
                    let [value, slope, second] = spline.at(x);
                    prop_assert!(value >= y0.min(y1) - 1e-5 && value <= y0.max(y1) + 1e-5);
                    let h = 1.0 / 1024.0;
                    // Rounded inputs are not exactly 2 h apart.
                    let [below, above] = [x - h, x + h];
                    let quotient = (spline.at(above)[0] - spline.at(below)[0]) / (above - below);
                    let near = spline.bounds(Bounds {
                        min: f64::from(x - h),
                        max: f64::from(x + h),
                        lipschitz: 1.0,
                        curvature: 0.0,
                    });
                    let bound = near.curvature as f32;
                    let error = (quotient - slope).abs();
                    prop_assert!(error < 2e-3 + h * bound, "{x}: {quotient} {slope}");
                    prop_assert!(second.abs() <= bound * (1.0 + 1e-5) + 1e-4);
                    // Within a piece the slope is a parabola, so its difference quotients are
                    // exact.
                    let [below, above] = [below.max(x0), above.min(x1 - 1e-6)];
                    let quotient = (spline.at(above)[1] - spline.at(below)[1]) / (above - below);
                    let straight = (spline.at(above)[2] + spline.at(below)[2]) / 2.0;
                    let error = (quotient - straight).abs();
                    prop_assert!(error < 1e-2 + 1e-3 * bound, "{x}: {quotient} {second}");
                    prop_assert!(f64::from(slope.abs()) <= near.lipschitz * (1.0 + 1e-5) + 1e-5);
                }
            }
        }
    }

    #[test]
    fn refuses_what_is_no_curve() {
        let build =
            |points: &[(f32, f32)]| Curve(points.to_vec()).build().map_err(|e| e.to_string());
        assert!(build(&[(0.0, 1.0)]).is_err());
        assert!(
            build(&[(0.0, 1.0), (0.0, 2.0)])
                .unwrap_err()
                .starts_with("[0]: the step to the next input is 0")
        );
        assert!(
            build(&[(0.0, 1.0), (1.0, f32::NAN)])
                .unwrap_err()
                .starts_with("[1]: a number of the list is NaN")
        );
        // A straight line stays straight, also beyond its ends.
        let line = build(&[(0.0, 1.0), (1.0, 3.0), (4.0, 9.0)]).unwrap();
        assert_eq!(
            [-1.0, 0.5, 2.0, 6.0].map(|x| line.at(x)),
            [[-1.0, 2.0, 0.0], [2.0, 2.0, 0.0], [5.0, 2.0, 0.0], [13.0, 2.0, 0.0]]
        );
    }
}
