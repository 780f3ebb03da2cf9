//! The limits of parameters, used by validation, documentation and panels.
//!
//! The macro in `parameters.rs` declares each number of a structure once, with its unit, default,
//! limits and help text. Those of `constants.rs` do not belong to such numbers: they apply to
//! lists, products of numbers and proven bounds. Start with [`Limit`] and [`Parameters`].

mod constants;
mod parameters;
#[cfg(feature = "serde")]
mod read;

use alloc::string::String;
use core::fmt;

pub use constants::{
    AXIS_LENGTH, CONSTANT, CURVE_POINTS, CURVE_STEP, ERODED_CURVATURE, ERODED_SLOPE, ERODED_VALUE,
    FINEST_RIVERS, FRAME_FREQUENCY, FRAME_REACH, FRAME_SCALE, GIVEN, HEIGHT, LAST_FREQUENCY,
    LATTICE_POINTS, MAX_HEIGHT, PATH_HEIGHT, PATH_POINTS, PATH_STEP, PERIOD, POSITION,
    RAY_DIRECTION, RAY_DISTANCE, RAY_ORIGIN, RAY_TOLERANCE, RIVER_REGION, SCALE, SCATTER_PLACES,
    SCATTER_PLACES_TOGETHER, SEA_LEVEL, SIZE, SLOPE, SMOOTH, TRANSLATE,
};
pub use parameters::{Number, Parameters};

pub(crate) use parameters::{Scalar, parameters};
#[cfg(feature = "serde")]
pub(crate) use read::{
    MAX_CURVE_POINTS, MAX_LATTICE_POINTS, MAX_PATH_POINTS, Readable, arrays_at_most, at_most, read,
};

/// The range of a parameter, ends included. NaN is always outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The parameter's name, as in structures and files.
    pub name: &'static str,
    /// Its unit, such as "m"; empty for a plain number.
    pub unit: &'static str,
    /// The smallest allowed value.
    pub min: f64,
    /// The largest allowed value.
    pub max: f64,
    /// The default value.
    pub default: f64,
    /// What the parameter does, in a sentence, for documentation and hover texts.
    pub help: &'static str,
}

impl Limit {
    /// A limit with these fields.
    pub const fn new(
        name: &'static str,
        unit: &'static str,
        [min, max]: [f64; 2],
        default: f64,
        help: &'static str,
    ) -> Self {
        Self { name, unit, min, max, default, help }
    }

    /// Checks that `value` is in the range.
    ///
    /// # Errors
    /// [`OutOfLimits`], which names the parameter, if it is not.
    pub fn check(&self, value: f64) -> Result<(), OutOfLimits> {
        if (self.min..=self.max).contains(&value) {
            Ok(())
        } else {
            Err(OutOfLimits { limit: *self, value })
        }
    }
}

/// A parameter is outside its [`Limit`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutOfLimits {
    /// The limit.
    pub limit: Limit,
    /// The value found.
    pub value: f64,
}

impl fmt::Display for OutOfLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [value, min, max] = [self.value, self.limit.min, self.limit.max].map(number);
        write!(f, "{} is {value}, but must be between {min} and {max}", self.limit.name)
    }
}

impl core::error::Error for OutOfLimits {}

/// Formats a number in short form: 24, 0.5, 1e-9. One that comes from an `f32` has no more digits
/// than that: 7.1, not 7.099999904632568.
fn number(value: f64) -> String {
    let plain = value == 0.0 || (1e-4..1e6).contains(&value.abs()) || !value.is_finite();
    let single = value as f32;
    match (f64::from(single) == value, plain) {
        (true, true) => format!("{single}"),
        (true, false) => format!("{single:e}"),
        (false, true) => format!("{value}"),
        (false, false) => format!("{value:e}"),
    }
}

impl fmt::Display for Limit {
    /// The range, such as "1 to 24".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", number(self.min), number(self.max))?;
        if self.unit.is_empty() { Ok(()) } else { write!(f, " {}", self.unit) }
    }
}
