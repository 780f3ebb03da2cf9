//! What looks wrong in elevation data, although it can be read.

use std::fmt::{self, Display};

use crate::raster::{MAX_SAMPLES, MAX_SIDE};

/// Something that looks wrong in elevation data, although it can be read.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// There are so few distinct heights that slopes become terraces.
    FewDistinctValues {
        /// The number of distinct values.
        count: usize,
    },
    /// All samples have the same value.
    AllEqual {
        /// The value in units of the file.
        value: f64,
    },
    /// A value that commonly marks missing data occurs, but is not declared as such.
    UndeclaredNoData {
        /// The value in units of the file.
        value: f64,
        /// How many samples have it.
        count: usize,
    },
    /// All values are within 0 to 1, and one unit is one metre: the heights are normalised.
    Normalised,
    /// Some heights are beyond the limit of 1e5 m.
    BeyondLimit {
        /// The value of the first such sample in units of the file.
        value: f64,
        /// How many there are.
        count: usize,
    },
    /// Some heights are lower than -12 km or higher than 9.5 km, where no ground on Earth is.
    BeyondEarth {
        /// The first such height in metres.
        height: f64,
        /// How many there are.
        count: usize,
    },
    /// The file does not say where on Earth it lies.
    NoGeoreference,
    /// Bytes swapped, the heights would be far smoother.
    ByteOrder,
    /// Neighbouring samples differ by more than their distance on average.
    Steep {
        /// The mean difference in height of neighbours, over their distance.
        slope: f64,
    },
    /// The spacing is so small that it may be in degrees.
    TinySpacing {
        /// The spacing in metres.
        spacing: f64,
    },
    /// The raster is too large to be read whole.
    LargerThanMemory,
    /// The samples were not looked at, since the bounds of a raster in tiles were given.
    NotSurveyed,
    /// Something was assumed that the file does not say.
    Assumed(String),
}

impl Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewDistinctValues { count } => {
                write!(f, "only {count} distinct values: expect terraces, as from 8-bit data")
            }
            Self::AllEqual { value } => write!(f, "all samples are {value}: a flat plane"),
            Self::UndeclaredNoData { value, count } => write!(
                f,
                "{count} samples are {value}, which often marks missing data, but is not declared \
                 so: give Reading::no_data = Some({value:?}) if it is"
            ),
            Self::Normalised => f.write_str(
                "all values are within 0 to 1: normalised heights? Give Reading::height_scale, \
                 the height in metres of the value 1",
            ),
            Self::BeyondLimit { value, count } => write!(
                f,
                "{count} samples are beyond +-100000 m, the first one has the value {value}: a \
                 wrong byte order, unit, or undeclared Reading::no_data"
            ),
            Self::BeyondEarth { height, count } => write!(
                f,
                "{count} samples are lower than -12 km or higher than 9.5 km, the first one is at \
                 {height} m: a wrong format (Terrain-RGB, Terrarium), unit, or undeclared \
                 Reading::no_data, unless it is not on Earth"
            ),
            Self::NoGeoreference => f.write_str("no georeference: where it lies is unknown"),
            Self::ByteOrder => f.write_str(
                "with the other byte order the ground would be far smoother: check \
                 Reading::byte_order",
            ),
            Self::Steep { slope } => write!(
                f,
                "neighbours differ by {slope:.1} times their distance on average: check the units \
                 of Reading::spacing and Reading::height_scale"
            ),
            Self::TinySpacing { spacing } => {
                write!(f, "the spacing is only {spacing} m: is it in degrees?")
            }
            Self::LargerThanMemory => write!(
                f,
                "larger than {MAX_SIDE} samples a side or {MAX_SAMPLES} in all: read it in tiles, \
                 by RasterTiles; its samples were not looked at"
            ),
            Self::NotSurveyed => f.write_str(
                "its samples were not looked at, since its bounds were given: open it with \
                 TileBounds::Scan for all warnings",
            ),
            Self::Assumed(what) => f.write_str(what),
        }
    }
}
