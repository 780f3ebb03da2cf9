//! Clamping between two limits, with sharp or rounded corners.

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Differentiated;
use crate::error::DataError;
use crate::limits::{Parameters, parameters};
use crate::node::ops::remap::{Function, range_of, remapped};

parameters! {
    /// Clamps values between `min` and `max`.
    ///
    /// With `smooth` = 0, x below min becomes min and x above max becomes max. The field has
    /// creases where it reaches a limit, and its gradient is 0 there and beyond.
    ///
    /// With `smooth` = s > 0 parabolas round the corners of that function. They extend over s on
    /// either side of min and max. At the lower corner the parabola is x + (s - x + min)^2 / (4 s).
    /// So the slope is continuous and at most 1, and values stay between min and max.
    #[derive(Copy)]
    pub struct Clamp {}
    numbers {
        /// The minimum value.
        min: f32 = 0 "", -1e6 to 1e6;
        /// The maximum value, at least `min`.
        max: f32 = 1 "", -1e6 to 1e6;
        /// Half the width of the rounding at each corner, at most (`max` - `min`) / 2.
        smooth: f32 = 0 "", 0 to 1e6;
    }
}

impl Clamp {
    /// Checks the numbers, and that they are consistent.
    pub(crate) fn check(&self) -> Result<(), DataError> {
        self.check_numbers()?;
        if self.max < self.min {
            let problem = format!("is {}, but must be at least `min`, {}", self.max, self.min);
            return Err(DataError::at("max", problem));
        }
        // 0.3 is half of 0.7 - 0.1, in f32 as well.
        if self.smooth * (2.0 - 1e-6) > self.max - self.min {
            let (smooth, max) = (self.smooth, (self.max - self.min) / 2.0);
            let problem =
                format!("is {smooth}, but must be at most half of `max` minus `min`, {max}");
            return Err(DataError::at("smooth", problem));
        }
        Ok(())
    }

    /// The value and its first two derivatives.
    fn at(&self, x: f32) -> [f32; 3] {
        let Self { min, max, smooth } = *self;
        // The distance of x above the start of the lower rounding, and below the end of the upper
        // one.
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

impl Function for Clamp {
    #[inline]
    fn apply<const N: usize, T: Differentiated<N>>(&self, field: T) -> T {
        remapped(field, |x| self.at(x))
    }

    fn bounds(&self, field: Bounds) -> Bounds {
        let Self { min, max, smooth } = *self;
        // A field that stays between the corners is not changed, and one beyond a corner is
        // constant.
        let inside = field.min > f64::from(min + smooth) && field.max < f64::from(max - smooth);
        let flat = field.max < f64::from(min - smooth) || field.min > f64::from(max + smooth);
        let second = match smooth {
            _ if inside || flat => 0.0,
            0.0 => f64::INFINITY,
            smooth => 0.5 / f64::from(smooth),
        };
        let slope = if flat { 0.0 } else { 1.0 };
        field.mapped(range_of(self, field), slope, second)
    }

    fn largest_term(&self) -> f64 {
        f64::from(self.min.abs().max(self.max.abs()) + self.smooth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
