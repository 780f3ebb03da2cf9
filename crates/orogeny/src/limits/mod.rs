//! The limits of parameters: one place for validation, documentation and panels.
//!
//! The numbers of a structure are declared once, with their unit, default, limits and a sentence of
//! help (see [`Parameters`]). What is listed here are limits that belong to no single field.

#[cfg(feature = "serde")]
mod list;
mod parameters;
mod ray;

pub use parameters::{Number, Parameters};
pub use ray::{RAY_DIRECTION, RAY_DISTANCE, RAY_ORIGIN, RAY_TOLERANCE};

#[cfg(feature = "serde")]
pub(crate) use list::at_most;
pub(crate) use parameters::{Scalar, parameters};

use alloc::string::String;
use core::fmt;

/// What a parameter may be, both ends included. NaN is never within.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The parameter's name, as in the structures and in files.
    pub name: &'static str,
    /// Its unit, such as "m"; empty for a plain number.
    pub unit: &'static str,
    /// The smallest allowed value.
    pub min: f64,
    /// The largest allowed value.
    pub max: f64,
    /// The default value.
    pub default: f64,
    /// What the parameter does, in a sentence, for documentation and a panel's hover text.
    pub help: &'static str,
}

impl Limit {
    /// Whether `value` is within.
    ///
    /// # Errors
    /// [`OutOfLimits`], naming the parameter, where it is not.
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
    /// The limit that is not kept.
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

/// A number as a person would write it: 24, 0.5, 1e-9.
fn number(value: f64) -> String {
    let plain = value == 0.0 || (1e-4..1e6).contains(&value.abs()) || !value.is_finite();
    if plain { format!("{value}") } else { format!("{value:e}") }
}

impl fmt::Display for Limit {
    /// The range, such as "1 to 24".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", number(self.min), number(self.max))?;
        if self.unit.is_empty() { Ok(()) } else { write!(f, " {}", self.unit) }
    }
}

/// Limits of the frequency of the last octave, frequency * lacunarity^(octaves - 1).
pub const LAST_FREQUENCY: Limit = Limit {
    name: "frequency * lacunarity^(octaves - 1)",
    unit: "cells per unit of length",
    min: 1e-9,
    max: 1e6,
    default: 1.0,
    help: "Frequency of the last octave",
};

/// Limits of the values that any part of a tree may be able to reach.
pub const SIZE: Limit = Limit {
    name: "a value that the field could reach",
    unit: "",
    min: -1e15,
    max: 1e15,
    default: 0.0,
    help: "The proven range of each part of a tree",
};

/// Limits of the slope that any part of a tree may be able to reach.
pub const SLOPE: Limit = Limit {
    name: "a slope that the field could reach",
    unit: "",
    min: 0.0,
    max: 1e15,
    default: 0.0,
    help: "The proven Lipschitz constant of each part of a tree",
};

/// Limits of the factors by which all transforms around a field together scale positions.
pub const FRAME_SCALE: Limit = Limit {
    name: "the product of all scales",
    unit: "",
    min: 1e-9,
    max: 1e9,
    default: 1.0,
    help: "The factor by which the transforms around a field scale positions",
};

/// Limits of the highest frequency of a noise times all scales around it.
pub const FRAME_FREQUENCY: Limit = Limit {
    name: "the highest frequency times all scales",
    unit: "cells per unit of length",
    min: 0.0,
    max: 1e6,
    default: 1.0,
    help: "Frequency of the last octave in the positions that are asked for",
};

/// Limits of the distance by which transforms and warps move positions, in cells of the highest
/// frequency.
pub const FRAME_REACH: Limit = Limit {
    name: "the way that positions are moved, times the highest frequency,",
    unit: "cells",
    min: 0.0,
    max: 1e15,
    default: 0.0,
    help: "How far translations and warps may carry a position into a noise",
};

/// Limits of the factors of a `Scale`, or of their negatives.
pub const SCALE: Limit = Limit {
    name: "scale",
    unit: "",
    min: 1e-9,
    max: 1e9,
    default: 1.0,
    help: "Multiplies a coordinate: 2 makes features half as large",
};

/// Limits of the coordinates of a `Translate`.
pub const TRANSLATE: Limit = Limit {
    name: "translation",
    unit: "units of length",
    min: -1e15,
    max: 1e15,
    default: 0.0,
    help: "Is added to a coordinate: features move the other way",
};

/// Limits of the length of a `Rotate`'s axis.
pub const AXIS_LENGTH: Limit = Limit {
    name: "the length of the axis",
    unit: "",
    min: 1e-6,
    max: 1e6,
    default: 1.0,
    help: "The direction counts, the length does not",
};

/// Limits of the inputs and outputs of a curve's points, of given heights and of the components of
/// given gradients.
pub const GIVEN: Limit = Limit {
    name: "a given number",
    unit: "",
    min: -1e6,
    max: 1e6,
    default: 0.0,
    help: "A number of a list",
};

/// Limits of the number of a curve's points.
pub const CURVE_POINTS: Limit = Limit {
    name: "the number of points",
    unit: "",
    min: 2.0,
    max: 64.0,
    default: 2.0,
    help: "Points that a curve goes through",
};

/// Limits of the difference of inputs from one point of a curve to the next.
pub const CURVE_STEP: Limit = Limit {
    name: "the step to the next input",
    unit: "",
    min: 1e-6,
    max: 2e6,
    default: 1.0,
    help: "How far apart the inputs of a curve's points are",
};

/// Limits of the number of points of a given lattice, and of gradients of a given table.
pub const LATTICE_POINTS: Limit = Limit {
    name: "the number of points",
    unit: "",
    min: 1.0,
    max: 65_536.0,
    default: 1.0,
    help: "Points of a lattice, or gradients of a table",
};

/// Limits of a noise's period along an axis, 0 for none.
pub const PERIOD: Limit = Limit {
    name: "period",
    unit: "cells",
    min: 0.0,
    max: 2_147_483_648.0,
    default: 0.0,
    help: "Cells after which the noise repeats along an axis, 0 for never",
};

/// Limits of the value of an eroded field times [`Erosion::height`](crate::Erosion::height). With
/// these three, the squares and products of erosion stay far within what `f32` holds.
pub const ERODED_VALUE: Limit = Limit {
    name: "the field's value times height",
    unit: "units of length",
    min: -1e9,
    max: 1e9,
    default: 0.0,
    help: "How high or low the field to erode could be",
};

/// Limits of the slope of an eroded field times [`Erosion::height`](crate::Erosion::height).
pub const ERODED_SLOPE: Limit = Limit {
    name: "the field's slope times height",
    unit: "",
    min: 0.0,
    max: 1e9,
    default: 0.0,
    help: "How steep the field to erode could be",
};

/// Limits of the second derivative of an eroded field times
/// [`Erosion::height`](crate::Erosion::height).
pub const ERODED_CURVATURE: Limit = Limit {
    name: "the field's second derivative times height",
    unit: "per unit of length",
    min: 0.0,
    max: 1e12,
    default: 0.0,
    help: "How strongly the field to erode could be curved",
};

/// Limits of the number in a `Constant`.
pub const CONSTANT: Limit = Limit {
    name: "constant",
    unit: "",
    min: -1e6,
    max: 1e6,
    default: 0.0,
    help: "The same value everywhere",
};

/// Limits of the width over which `Min` and `Max` blend.
pub const SMOOTH: Limit = Limit {
    name: "smooth",
    unit: "",
    min: 0.0,
    max: 1e6,
    default: 0.0,
    help: "The difference below which two fields blend",
};

/// Limits of [`Recipe::height`](crate::Recipe::height).
pub const HEIGHT: Limit = Limit {
    name: "height",
    unit: "m",
    min: 0.0,
    max: 1e5,
    default: 1.0,
    help: "Metres per unit of the field: scales all heights",
};

/// Limits of [`Recipe::sea_level`](crate::Recipe::sea_level).
pub const SEA_LEVEL: Limit = Limit {
    name: "sea_level",
    unit: "m",
    min: -1e5,
    max: 1e5,
    default: 0.0,
    help: "Height of the sea above the terrain's origin",
};

/// The greatest height, up or down, that a recipe may be able to reach.
pub const MAX_HEIGHT: Limit = Limit {
    name: "the greatest possible height",
    unit: "m",
    min: 0.0,
    max: 1e6,
    default: 1e3,
    help: "How far the terrain could rise or fall at most",
};
