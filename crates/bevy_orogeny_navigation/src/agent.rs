//! Who walks on a navigation mesh.

use bevy_orogeny::orogeny::limits::{Limit, OutOfLimits};

/// Limits of [`NavigationAgent::radius`]. It must also be at most 16 cells.
pub const RADIUS: Limit = Limit::new(
    "radius",
    "m",
    [0.01, 64.0],
    0.4,
    "Radius of the upright cylinder that holds an agent",
);

/// Limits of [`NavigationAgent::height`].
pub const HEIGHT: Limit = Limit::new(
    "height",
    "m",
    [0.01, 1000.0],
    1.8,
    "Height of the upright cylinder that holds an agent",
);

/// Limits of [`NavigationAgent::step_height`].
pub const STEP_HEIGHT: Limit = Limit::new(
    "step_height",
    "m",
    [0.0, 64.0],
    0.4,
    "Maximum height of a step that an agent climbs",
);

/// Limits of [`NavigationAgent::slope_limit`]: 0 to 85 degrees.
pub const SLOPE_LIMIT: Limit = Limit::new(
    "slope_limit",
    "rad",
    [0.0, 85.0 / 180.0 * core::f64::consts::PI],
    core::f64::consts::FRAC_PI_4,
    "Angle of the steepest slope that an agent walks on, from the horizontal",
);

/// Limits of [`NavigationAgent::wade_depth`].
pub const WADE_DEPTH: Limit = Limit::new(
    "wade_depth",
    "m",
    [0.0, 1e6],
    0.5,
    "Depth of the deepest water that an agent walks through",
);

/// Limits of [`NavigationAgent::cell_size`], which must be a power of two.
pub const CELL_SIZE: Limit = Limit::new(
    "cell_size",
    "m",
    [0.0625, 4.0],
    0.25,
    "Width of the cells that are walkable or not: a power of two",
);

/// Limits of [`NavigationAgent::snap`].
pub const SNAP: Limit =
    Limit::new("snap", "m", [0.0, 64.0], 2.0, "How far beside the mesh a path may start or end");

/// The largest radius in cells, which bounds the work of a tile.
const MAX_RADIUS_CELLS: f64 = 16.0;

/// The kind of agent that a navigation mesh is for: where it can walk, and how finely that is
/// found out.
///
/// ```
/// use bevy_orogeny_navigation::NavigationAgent;
///
/// let sheep = NavigationAgent { radius: 0.35, wade_depth: 0.3, ..NavigationAgent::default() };
/// assert!(sheep.check().is_ok());
/// let error = NavigationAgent { radius: f64::NAN, ..sheep }.check().unwrap_err();
/// assert_eq!(error.limit.name, "radius");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavigationAgent {
    /// The radius of the upright cylinder that holds the agent, in metres, see [`RADIUS`]. The mesh
    /// keeps this distance from trunks, rocks, obstacles, holes, deep water and steep ground.
    pub radius: f64,
    /// The height of that cylinder, in metres, see [`HEIGHT`]. An
    /// [obstacle](crate::NavigationObstacle) that is higher above the ground is none. Ground itself
    /// has no ceilings.
    pub height: f64,
    /// The maximum height of a step that it climbs, in metres, see [`STEP_HEIGHT`]. Rocks and
    /// obstacles that are no higher are none.
    pub step_height: f64,
    /// The angle of the steepest slope that it walks on, in radians from the horizontal, see
    /// [`SLOPE_LIMIT`].
    pub slope_limit: f64,
    /// The depth of the deepest water that it walks through, in metres, see [`WADE_DEPTH`].
    pub wade_depth: f64,
    /// The width of the cells that are walkable or not, in metres: a power of two, see
    /// [`CELL_SIZE`]. Half the radius or less finds gaps well. A tile has 64 by 64 cells: its time
    /// does not depend on their width, but the number of tiles within a range does.
    pub cell_size: f64,
    /// How far beside the mesh a path may start or end, in metres, see [`SNAP`]. It then starts or
    /// ends at the nearest point of the mesh. A hundredth of a cell is always allowed, because a
    /// `Transform` rounds positions.
    pub snap: f64,
}

impl Default for NavigationAgent {
    /// A human.
    fn default() -> Self {
        Self {
            radius: RADIUS.default,
            height: HEIGHT.default,
            step_height: STEP_HEIGHT.default,
            slope_limit: SLOPE_LIMIT.default,
            wade_depth: WADE_DEPTH.default,
            cell_size: CELL_SIZE.default,
            snap: SNAP.default,
        }
    }
}

impl NavigationAgent {
    /// Checks all numbers.
    ///
    /// # Errors
    /// The first number that is outside its limits. A cell size that is no power of two is, and a
    /// radius above 16 cells.
    pub fn check(&self) -> Result<(), OutOfLimits> {
        CELL_SIZE.check(self.cell_size)?;
        if self.cell_size.log2().fract() != 0.0 {
            let limit = Limit { name: "cell_size (a power of two)", ..CELL_SIZE };
            return Err(OutOfLimits { limit, value: self.cell_size });
        }
        let radius = RADIUS.max.min(MAX_RADIUS_CELLS * self.cell_size);
        Limit { max: radius, ..RADIUS }.check(self.radius)?;
        HEIGHT.check(self.height)?;
        STEP_HEIGHT.check(self.step_height)?;
        SLOPE_LIMIT.check(self.slope_limit)?;
        WADE_DEPTH.check(self.wade_depth)?;
        SNAP.check(self.snap)
    }

    /// The slope limit as a rise over a run.
    pub(crate) fn steepest(&self) -> f64 {
        self.slope_limit.tan()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_their_limits_are_named() {
        let name = |agent: NavigationAgent| agent.check().unwrap_err().limit.name;
        let agent = NavigationAgent::default();
        assert!(agent.check().is_ok());
        assert_eq!(name(NavigationAgent { radius: 0.0, ..agent }), "radius");
        assert_eq!(name(NavigationAgent { radius: 4.1, ..agent }), "radius");
        assert_eq!(name(NavigationAgent { height: 0.0, ..agent }), "height");
        assert_eq!(name(NavigationAgent { step_height: -1.0, ..agent }), "step_height");
        assert_eq!(name(NavigationAgent { slope_limit: 1.5, ..agent }), "slope_limit");
        assert_eq!(name(NavigationAgent { wade_depth: f64::NAN, ..agent }), "wade_depth");
        assert_eq!(name(NavigationAgent { cell_size: 1e9, ..agent }), "cell_size");
        assert!(name(NavigationAgent { cell_size: 0.3, ..agent }).contains("power of two"));
        assert_eq!(name(NavigationAgent { snap: f64::INFINITY, ..agent }), "snap");
    }
}
