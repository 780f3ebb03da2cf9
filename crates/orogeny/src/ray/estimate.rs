//! Slopes found by sampling, for ground whose proven slopes are of no use.

use crate::derivative::bounds::Bounds;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// How much steeper than all samples of a ray the ground may be.
const MARGIN: f64 = 2.0;

/// The slope that ground may have even where all samples are level.
const LEAST: f64 = 2.0;

/// The slopes of the samples of a ray.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slopes {
    /// Whether proven slopes are far above real ones, see
    /// [`Field::has_loose_bounds`](crate::Field::has_loose_bounds), or have turned out to be
    /// infinite even in the smallest discs.
    pub is_loose: bool,
    /// The square of the steepest one.
    square: f64,
}

impl Slopes {
    pub fn new(is_loose: bool) -> Self {
        Self { is_loose, square: 0.0 }
    }

    pub fn add(&mut self, gradient: [f32; 2]) {
        let [x, z] = gradient.map(f64::from);
        let square = x * x + z * z;
        if square.is_finite() {
            self.square = self.square.max(square);
        }
    }

    /// Whether to use these slopes instead of a proven one, in a disc that is as small as needed or
    /// not.
    pub fn replace(&self, proven: Bounds, is_small: bool) -> bool {
        let is_useless = self.is_loose || is_small && !proven.lipschitz.is_finite();
        is_useless && self.steepest() < proven.lipschitz
    }

    /// The bounds that a value in the middle of a disc makes likely.
    pub fn bounds(&self, value: f64, radius: f64) -> Bounds {
        let lipschitz = self.steepest();
        let reach = lipschitz * radius + 1e-6 * value.abs();
        let (min, max) = (value - reach, value + reach);
        Bounds { min, max, lipschitz, ..Bounds::UNKNOWN }
    }

    /// The slope that the ground is likely to have at most.
    fn steepest(&self) -> f64 {
        (MARGIN * self.square.sqrt()).max(LEAST)
    }
}
