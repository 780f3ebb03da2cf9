//! The limits of parameters: one place for validation, documentation and panels.

use core::fmt;

/// What a parameter may be, both ends included. NaN is never within.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The parameter's name, as in the structures and in files.
    pub name: &'static str,
    /// The smallest allowed value.
    pub min: f64,
    /// The largest allowed value.
    pub max: f64,
    /// What the parameter does, in a sentence with its unit, for a panel's hover text.
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
        write!(f, "{} to {}", number(self.min), number(self.max))
    }
}

/// Limits of [`Fbm::octaves`](crate::Fbm::octaves).
pub const OCTAVES: Limit = Limit {
    name: "octaves",
    min: 1.0,
    max: 24.0,
    help: "Number of noise layers, each finer and fainter than the one before",
};

/// Limits of [`Fbm::frequency`](crate::Fbm::frequency).
pub const FREQUENCY: Limit = Limit {
    name: "frequency",
    min: 1e-9,
    max: 1e3,
    help: "Cells of the first octave per metre: features are about 1 / frequency wide",
};

/// Limits of the frequency of the last octave, frequency * lacunarity^(octaves - 1).
pub const LAST_FREQUENCY: Limit = Limit {
    name: "frequency * lacunarity^(octaves - 1)",
    min: 1e-9,
    max: 1e6,
    help: "Cells of the last octave per metre",
};

/// Limits of [`Fbm::amplitude`](crate::Fbm::amplitude).
pub const AMPLITUDE: Limit =
    Limit { name: "amplitude", min: -1e6, max: 1e6, help: "Amplitude of the first octave" };

/// Limits of [`Fbm::lacunarity`](crate::Fbm::lacunarity).
pub const LACUNARITY: Limit = Limit {
    name: "lacunarity",
    min: 1.0,
    max: 8.0,
    help: "Ratio of frequencies from one octave to the next",
};

/// Limits of [`Fbm::gain`](crate::Fbm::gain).
pub const GAIN: Limit = Limit {
    name: "gain",
    min: 0.0,
    max: 1.0,
    help: "Ratio of amplitudes from one octave to the next (also called persistence): roughness",
};

/// Limits of the number in a recipe's `Constant`.
pub const CONSTANT: Limit =
    Limit { name: "constant", min: -1e6, max: 1e6, help: "The same value everywhere" };

/// Limits of [`Recipe::height`](crate::Recipe::height).
pub const HEIGHT: Limit = Limit {
    name: "height",
    min: 0.0,
    max: 1e5,
    help: "Metres per unit of the field: scales all heights",
};

/// The greatest height, up or down, that a recipe may be able to reach, in metres.
pub const MAX_HEIGHT: Limit = Limit {
    name: "the greatest possible height",
    min: 0.0,
    max: 1e6,
    help: "Metres that the terrain could rise or fall at most",
};
