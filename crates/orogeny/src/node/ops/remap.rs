//! Shaping: functions of one variable applied to a field.

pub use crate::node::ops::curve::Curve;
pub use crate::node::ops::terraces::Terraces;

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::derivative::elementary::Shaped;
use crate::error::RecipeError;
use crate::limits::{Parameters, parameters};
use crate::node::ops::curve::Spline;
use crate::samples::Buffer;

/// A function of one variable. The gradient of m(f) is m'(f) grad f, its Hessian m' H + m'' grad f
/// (grad f)^T, with m'' from one side where it jumps.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr))]
pub enum Shape {
    /// The absolute value. It has a crease where the field is zero; the gradient is 0 there.
    Abs,
    /// The square. As smooth as the field.
    Square,
    /// Keeps values within two ends.
    Clamp(Clamp),
    /// Steps of flat ground and smooth cliffs.
    Terraces(Terraces),
    /// A smooth curve through given points.
    Curve(Curve),
    /// Stretches the proven range to a given one.
    Normalize(Normalize),
}

parameters! {
    /// Keeps values within `min` and `max`.
    ///
    /// With `smooth` = 0, x below min becomes min and x above max becomes max: the field has
    /// creases where it reaches an end, and its gradient is 0 there and beyond. With `smooth` = s >
    /// 0 the corners of that function are rounded by parabolas over min - s to min + s and max - s
    /// to max + s, x + (s - x + min)^2 / (4 s) at the lower one, so that its slope is continuous
    /// and never above 1, and min and max are still not passed.
    #[derive(Copy)]
    pub struct Clamp {}
    numbers {
        /// The smallest value.
        min: f32 = 0 "", -1e6 to 1e6;
        /// The largest value, not less than min.
        max: f32 = 1 "", -1e6 to 1e6;
        /// The half width of the rounding at either end, at most (max - min) / 2.
        smooth: f32 = 0 "", 0 to 1e6;
    }
}

parameters! {
    /// Stretches the range that the field is proven to keep, see [`Bounds`](crate::Bounds), to
    /// `min` .. `max`, by a factor and an offset.
    ///
    /// Most fields stay well within the ends: the proven range holds for all seeds and positions.
    #[derive(Copy)]
    pub struct Normalize {}
    numbers {
        /// What becomes of the least value that the field could have.
        min: f32 = -1 "", -1e6 to 1e6;
        /// What becomes of the greatest, more than min.
        max: f32 = 1 "", -1e6 to 1e6;
    }
}

/// A shape ready to be evaluated.
#[derive(Clone, Debug)]
pub(crate) enum ShapeOp {
    Abs,
    Square,
    Clamp(Clamp),
    Terraces(Terraces),
    Curve(Spline),
    Stretch { stretch: Stretch, range: [f64; 2] },
    Times(f32),
}

impl Shape {
    /// Validates it and makes it ready for a field with the given bounds.
    pub(crate) fn build(&self, field: &Bounds) -> Result<ShapeOp, RecipeError> {
        match self {
            Shape::Abs => Ok(ShapeOp::Abs),
            Shape::Square => Ok(ShapeOp::Square),
            Shape::Clamp(clamp) => clamp.validate().map_err(|e| e.under("Clamp")),
            Shape::Terraces(terraces) => terraces
                .check()
                .map(|()| ShapeOp::Terraces(*terraces))
                .map_err(|e| RecipeError::from(e).under("Terraces")),
            Shape::Curve(curve) => curve.build().map(ShapeOp::Curve).map_err(|e| e.under("Curve")),
            Shape::Normalize(normalize) => normalize.fit(field).map_err(|e| e.under("Normalize")),
        }
    }
}

impl Clamp {
    fn validate(&self) -> Result<ShapeOp, RecipeError> {
        self.check()?;
        if self.max < self.min {
            let problem = format!("is {}, but must not be less than min, {}", self.max, self.min);
            return Err(RecipeError::at("max", problem));
        }
        // 0.3 is half of 0.7 - 0.1, also in f32.
        if self.smooth * (2.0 - 1e-6) > self.max - self.min {
            let (smooth, most) = (self.smooth, (self.max - self.min) / 2.0);
            let problem = format!("is {smooth}, but must be at most (max - min) / 2, {most}");
            return Err(RecipeError::at("smooth", problem));
        }
        Ok(ShapeOp::Clamp(*self))
    }

    /// The value and two derivatives.
    fn at(&self, x: f32) -> [f32; 3] {
        let Self { min, max, smooth } = *self;
        // How far x is above the lower corner's rounding, and below the upper one's.
        let (above, below) = (x - (min - smooth), (max + smooth) - x);
        if above <= 0.0 {
            [min, 0.0, 0.0]
        } else if below <= 0.0 {
            [max, 0.0, 0.0]
        } else if above < 2.0 * smooth {
            [min + above * above / (4.0 * smooth), above / (2.0 * smooth), 0.5 / smooth]
        } else if below < 2.0 * smooth {
            [max - below * below / (4.0 * smooth), below / (2.0 * smooth), -0.5 / smooth]
        } else {
            [x, 1.0, 0.0]
        }
    }
}

impl Normalize {
    fn fit(&self, field: &Bounds) -> Result<ShapeOp, RecipeError> {
        self.check()?;
        if self.max <= self.min {
            let problem = format!("is {}, but must be more than min, {}", self.max, self.min);
            return Err(RecipeError::at("max", problem));
        }
        let (middle, width) = ((field.min + field.max) / 2.0, field.max - field.min);
        // Far from zero, f32 cannot tell the values of a narrow range apart.
        if width.is_nan() || width <= 1e-4 * field.max_abs() {
            let problem = format!(
                "the field's range, {} to {}, is too narrow to be stretched: 1e-4 of its values at least",
                field.min, field.max
            );
            return Err(RecipeError::here(problem));
        }
        let (min, max) = (f64::from(self.min), f64::from(self.max));
        let factor = (max - min) / width;
        let stretch =
            Stretch { from: middle as f32, factor: factor as f32, to: ((min + max) / 2.0) as f32 };
        Ok(ShapeOp::Stretch { stretch, range: [min, max] })
    }
}

/// (f - from) factor + to: the middles are taken as they are, so that little is lost where they are
/// far from zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    from: f32,
    factor: f32,
    to: f32,
}

impl ShapeOp {
    /// m(f).
    #[inline]
    pub fn apply<const N: usize, T: Dual<N>>(&self, field: T) -> T {
        let x = field.sample().value;
        let [value, slope, bend] = match self {
            ShapeOp::Abs => return field.abs(),
            ShapeOp::Square => return field.square(),
            ShapeOp::Stretch { stretch: Stretch { from, factor, to }, .. } => {
                [(x - from) * factor + to, *factor, 0.0]
            }
            ShapeOp::Times(factor) => return field.times(*factor),
            ShapeOp::Clamp(clamp) => clamp.at(x),
            ShapeOp::Terraces(terraces) => terraces.at(x),
            ShapeOp::Curve(spline) => spline.at(x),
        };
        if x.is_nan() { T::OUTSIDE } else { field.map(value, slope, bend) }
    }

    /// Shapes a whole buffer: the bits of [`apply`](Self::apply).
    pub fn apply_all<const N: usize, B: Buffer<N>>(&self, out: &mut B) {
        // A loop for each of the simple ones, so that the compiler makes vectors of it.
        match self {
            ShapeOp::Square => out.update(Shaped::square),
            ShapeOp::Times(factor) => out.update(|field| field.times(*factor)),
            _ => out.update(|field| self.apply(field)),
        }
    }

    /// The bounds of m(f).
    pub fn bounds(&self, field: Bounds) -> Bounds {
        let at = |x: f64| f64::from(self.apply(crate::Sample::<0>::constant(x as f32)).value);
        match self {
            ShapeOp::Abs => field.abs(),
            ShapeOp::Square => field.square(),
            ShapeOp::Stretch { stretch, range } => field.mapped(*range, stretch.factor.into(), 0.0),
            ShapeOp::Times(factor) => field.times(*factor),
            ShapeOp::Clamp(Clamp { min, max, smooth }) => {
                // It does nothing to a field that keeps away from its corners, and makes one beyond
                // them flat.
                let inside =
                    field.min > f64::from(min + smooth) && field.max < f64::from(max - smooth);
                let flat =
                    field.max < f64::from(min - smooth) || field.min > f64::from(max + smooth);
                let bend = match smooth {
                    _ if inside || flat => 0.0,
                    0.0 => f64::INFINITY,
                    smooth => 0.5 / f64::from(*smooth),
                };
                let slope = if flat { 0.0 } else { 1.0 };
                field.mapped([at(field.min), at(field.max)], slope, bend)
            }
            ShapeOp::Terraces(terraces) => {
                let (slope, bend) = terraces.steepest([field.min, field.max]);
                field.mapped([at(field.min), at(field.max)], slope, bend)
            }
            ShapeOp::Curve(spline) => spline.bounds(field),
        }
    }

    /// The same where the bounds hold of a part of the domain alone: what is fitted to the field's
    /// whole range is not reached there.
    pub fn bounds_of_part(&self, field: Bounds) -> Bounds {
        let ShapeOp::Stretch { stretch, range } = self else { return self.bounds(field) };
        let [from, factor, to] = [stretch.from, stretch.factor, stretch.to].map(f64::from);
        let at = |x: f64| ((x - from) * factor + to).clamp(range[0], range[1]);
        field.mapped([at(field.min), at(field.max)], factor, 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derivative::sample::Sample;

    #[test]
    fn a_smooth_clamp_keeps_its_ends() {
        let clamp = Clamp { min: -1.0, max: 2.0, smooth: 0.5 };
        let mut last = -1.0;
        for i in -3000..4000 {
            let x = i as f32 / 1000.0;
            let [value, slope, _] = clamp.at(x);
            let [next, ..] = clamp.at(x + 1e-3);
            assert!((-1.0..=2.0).contains(&value) && value >= last && (0.0..=1.0).contains(&slope));
            assert!(((next - value) / 1e-3 - slope).abs() < 2e-3, "{x}");
            assert!((value - x.clamp(-1.0, 2.0)).abs() <= 0.125 + 1e-6);
            last = value;
        }
    }

    #[test]
    fn normalisation_needs_a_range() {
        let build = |normalize: Normalize, bounds| Shape::Normalize(normalize).build(&bounds);
        let range = Bounds { min: -3.0, max: 1.0, ..Bounds::constant(0.0) };
        let op = build(Normalize { min: 0.0, max: 1.0 }, range).unwrap();
        assert_eq!(
            [-3.0, -1.0, 1.0].map(|x| op.apply(Sample::<1>::constant(x)).value),
            [0.0, 0.5, 1.0]
        );
        assert!(build(Normalize::default(), Bounds::constant(1.0)).is_err());
        assert!(build(Normalize::default(), Bounds::UNKNOWN).is_err());
        assert!(build(Normalize { min: 1.0, max: 1.0 }, range).is_err());
    }
}
