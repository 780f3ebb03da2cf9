//! Ground over a part of the plane.

use orogeny::{Bounds, Field, SharedField};

use crate::field::RasterField;
use crate::tiles::RasterTiles;

/// Ground over a part of the plane.
pub(crate) trait Patch: Field<2> + Send + Sync {
    /// Proven bounds over the part of a ball that is in the domain. Unlike those of
    /// [`Field::local_bounds`], the middle of the ball may be outside. `radius` is not negative.
    fn bounds_near(&self, p: [f64; 2], radius: f64) -> Bounds;
}

impl Patch for RasterField {
    fn bounds_near(&self, p: [f64; 2], radius: f64) -> Bounds {
        self.spline().bounds_near(p, radius)
    }
}

impl Patch for RasterTiles {
    fn bounds_near(&self, p: [f64; 2], radius: f64) -> Bounds {
        self.bounds_of_ball(p, radius)
    }
}

impl Patch for SharedField<2> {
    fn bounds_near(&self, _: [f64; 2], _: f64) -> Bounds {
        self.bounds()
    }
}
