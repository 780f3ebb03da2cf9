//! Builds a path: a road, a dam, a canal or a ditch.

mod prepared_path;

use alloc::vec::Vec;

pub(in crate::edits) use prepared_path::PreparedPath;

use crate::edits::centerline::{Centerline, Fault, smallest_radius};
use crate::edits::operations::Operation;
use crate::error::DataError;
use crate::limits::parameters;
#[cfg(feature = "serde")]
use crate::limits::{MAX_PATH_POINTS, at_most};

parameters! {
    /// Builds a path: a road, a dam, a canal or a ditch. It blends the ground with the height of a
    /// curve at its closest point: h' = h + w (t - h).
    ///
    /// **The curve** is the natural cubic spline through `points`, over the sum of the distances
    /// between neighbours in the plane. Its position and its height are twice continuously
    /// differentiable, and at both ends its curvature is 0. It goes straight on beyond them, with
    /// the same slope.
    ///
    /// **The cross-section.** At the distance d from the curve, w is 1 up to `width` / 2 and falls
    /// to 0 over `falloff` beyond it, by the quintic curve of all edits. The target is the height
    /// of the curve at the closest point, less a bed across the carriageway:
    ///
    /// t = height - depth max(0, 1 - (2 d / width)^2)^3.
    ///
    /// **The ends** are square: beyond each of them w is multiplied by a second weight, that falls
    /// to 0 over `falloff` along the straight line.
    ///
    /// **Limits.** The closest point is unique, and its derivatives exist, within the curve's reach
    /// (Herbert Federer, "Curvature measures", 1959). Let r = width / 2 + falloff. A path is an
    /// error if its radius of curvature is anywhere below r / 0.9, or if two parts of it come as
    /// close as 2 r and the curve turns by more than 180 degrees from one to the other, left and
    /// right added. The second test is conservative: it may refuse gaps that are some 15 % wider. A
    /// closed loop takes two paths.
    ///
    /// **Derivatives.** Value and gradient are continuous everywhere. So is the Hessian, except on
    /// the normals of the curve at its control points, where the third derivative of the spline
    /// jumps: there it jumps by a term proportional to the slope along the path times d. On the
    /// curve itself, and on a path of constant height, it is continuous.
    #[derive(PartialOrd)]
    pub struct Path {
        /// The control points (x, z, height) in metres: 2 to 256, neighbours 0.1 to 10,000 m apart
        /// in the plane.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_PATH_POINTS, _, _>"))]
        points: Vec<[f64; 3]> = vec![[-20.0, 0.0, 0.0], [20.0, 0.0, 0.0]],
    }
    numbers {
        /// The width of the carriageway.
        width: f64 = 4 "m", 0.1 to 1e4;
        /// The distance over which the weight falls to 0, on either side and beyond the ends.
        falloff: f64 = 4 "m", 0.01 to 1e4;
        /// The depth of the bed below the edges of the carriageway, on the curve. Negative for a
        /// crown.
        depth: f32 = 0 "m", -1e3 to 1e3;
        /// The maximum slope along the path. A steeper path is an error. 0 for no limit.
        max_grade: f32 = 0 "", 0 to 100;
    }
}

impl Path {
    fn centerline(&self) -> Result<Centerline, Fault> {
        let max_grade = (self.max_grade > 0.0).then_some(f64::from(self.max_grade));
        Centerline::new(&self.points, self.reach(), self.falloff, max_grade)
    }

    /// How far from the curve it changes the ground.
    fn reach(&self) -> f64 {
        0.5 * self.width + self.falloff
    }

    /// The error of a fault of the curve.
    fn explained(&self, fault: Fault) -> DataError {
        let reach = self.reach();
        DataError::at(
            "points",
            match fault {
                Fault::Sharp { at: [x, z], radius } => format!(
                    "the curve is too sharp at ({x:.1}, {z:.1}): its radius is {radius:.2} m, but \
                     with this width and falloff it must be at least {:.2} m",
                    smallest_radius(reach)
                ),
                Fault::Near { at: [x, z], gap } => format!(
                    "the curve comes too near itself at ({x:.1}, {z:.1}): its parts may be \
                     {gap:.2} m apart, but with this width and falloff must be more than {:.2} m",
                    2.0 * reach
                ),
                Fault::Steep { at: [x, z], grade } => format!(
                    "the path is too steep at ({x:.1}, {z:.1}): its slope is {grade:.3}, but must \
                     be at most {}",
                    self.max_grade
                ),
            },
        )
    }
}

impl Operation for Path {
    type Prepared = PreparedPath;

    fn check_rest(&self) -> Result<(), DataError> {
        self.centerline().map(|_| ()).map_err(|fault| self.explained(fault))
    }

    fn prepared(&self) -> PreparedPath {
        PreparedPath::new(self, self.centerline().expect("a checked path"))
    }
}
