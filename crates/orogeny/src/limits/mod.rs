//! The limits of parameters: one place for validation, documentation and panels.
//!
//! The numbers of a structure are declared once, with their unit, default, limits and a sentence of help (see
//! [`Parameters`]). What is listed here are limits that belong to no single field.

mod parameters;

pub use parameters::{Number, Parameters};

pub(crate) use parameters::{Scalar, parameters};

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
    /// What it is where nothing is said.
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
        write!(f, "{} is {value}, but must lie within {min} and {max}", self.limit.name)
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

/// The greatest height, up or down, that a recipe may be able to reach.
pub const MAX_HEIGHT: Limit = Limit {
    name: "the greatest possible height",
    unit: "m",
    min: 0.0,
    max: 1e6,
    default: 1e3,
    help: "How far the terrain could rise or fall at most",
};
