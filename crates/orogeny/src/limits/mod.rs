//! The limits of parameters, used by validation, documentation and panels.
//!
//! The macro in `parameters.rs` declares each number of a structure once, with its unit, default,
//! limits and help text. The limits listed here do not belong to such numbers: they apply to lists,
//! products of numbers and proven bounds. Start with [`Limit`] and [`Parameters`].

mod edit;
mod limit;
#[cfg(feature = "serde")]
mod list;
mod parameters;
mod ray;
#[cfg(feature = "serde")]
mod read;
mod scatter;
mod terrain;
mod tree;

pub use edit::{PATH_HEIGHT, PATH_POINTS, PATH_STEP, POSITION};
pub use limit::{Limit, OutOfLimits};
pub use parameters::{Number, Parameters};
pub use ray::{RAY_DIRECTION, RAY_DISTANCE, RAY_ORIGIN, RAY_TOLERANCE};
pub use scatter::{SCATTER_PLACES, SCATTER_PLACES_TOGETHER};
pub use terrain::{FINEST_RIVERS, HEIGHT, MAX_HEIGHT, RIVER_REGION, SEA_LEVEL};
pub use tree::{
    AXIS_LENGTH, CONSTANT, CURVE_POINTS, CURVE_STEP, ERODED_CURVATURE, ERODED_SLOPE, ERODED_VALUE,
    FRAME_FREQUENCY, FRAME_REACH, FRAME_SCALE, GIVEN, LAST_FREQUENCY, LATTICE_POINTS, PERIOD,
    SCALE, SIZE, SLOPE, SMOOTH, TRANSLATE,
};

#[cfg(feature = "serde")]
pub(crate) use list::{
    MAX_CURVE_POINTS, MAX_LATTICE_POINTS, MAX_PATH_POINTS, arrays_at_most, at_most,
};
pub(crate) use parameters::{Scalar, parameters};
#[cfg(feature = "serde")]
pub(crate) use read::{Readable, read};
