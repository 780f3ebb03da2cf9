//! The operations, one file each. [`Operation`] lists what the plain data of one must provide;
//! [`Apply`] what it must provide when it is prepared for evaluation, and [`Effect`] what is left
//! of that if it has an area. Start with [`flatten`].

mod area_edit;
mod clear;
mod crater;
mod flatten;
mod flood;
mod hole;
mod paint;
mod path;
mod plant;
mod prepared_edit;
mod raise;
mod roughen;
mod smooth;
mod stamp;
mod terrace;

pub(crate) use area_edit::AreaEdit;
pub(in crate::edits) use area_edit::Effect;
pub use clear::Clear;
pub use crater::Crater;
pub use flatten::Flatten;
pub use flood::Flood;
pub use hole::Hole;
pub use paint::Paint;
pub use path::Path;
pub use plant::Plant;
pub(in crate::edits) use prepared_edit::PreparedEdit;
pub use raise::Raise;
pub use roughen::Roughen;
pub use smooth::Smooth;
pub use stamp::{Blend, Stamp};
pub use terrace::Terrace;

use alloc::vec::Vec;

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::edits::grids::Span;
use crate::edits::widening::Widening;
use crate::error::DataError;
use crate::limits::Parameters;
use crate::region::Region;
use crate::simd::Level;

/// An operation as plain data.
pub(super) trait Operation: Parameters {
    /// The operation, prepared for evaluation.
    type Prepared: Apply;

    /// Checks what else makes it invalid, after its anchor and its numbers.
    fn check_rest(&self) -> Result<(), DataError> {
        Ok(())
    }

    /// Prepares the operation, if it was checked.
    fn prepared(&self) -> Self::Prepared;
}

/// An operation prepared for evaluation. Unless it says otherwise, the ground stays as it is.
pub(super) trait Apply {
    /// All ground that it changes is in this region.
    fn region(&self) -> Region;

    /// The ground after the operation, given the ground before it and a position in the region.
    #[inline]
    fn apply<T: Dual<2>>(&self, ground: T, _p: [f64; 2]) -> T {
        ground
    }

    /// The same at the points of a span.
    fn apply_span<T: Dual<2>>(&self, _: Level, span: &Span, ground: &mut [T]) {
        span.change(&self.region(), ground, |_, ground, p| self.apply(ground, p));
    }

    /// Proven bounds of the ground within `radius` of `p`, given those before the operation.
    fn bounds(&self, ground: Bounds, _p: [f64; 2], _radius: f64) -> Bounds {
        ground
    }

    /// What it can do to bounds anywhere.
    fn widening(&self) -> Widening {
        Widening::NONE
    }

    /// Places at which to look how far it moves the ground: where its weight is large.
    fn probes(&self) -> Vec<[f64; 2]> {
        let Region { min, max } = self.region();
        let at =
            |[x, z]: [f64; 2]| [min[0] + x * (max[0] - min[0]), min[1] + z * (max[1] - min[1])];
        [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]].map(at).into()
    }

    /// How far it disturbs what grows at a point: 0 to 1.
    fn disturbance(&self, _p: [f64; 2]) -> f32 {
        0.0
    }

    /// The distance of a point from the ground that it disturbs most: 0 on it; at least `within` if
    /// that is farther away than this; infinity if there is none.
    fn disturbed_distance(&self, _p: [f64; 2], _within: f64) -> f64 {
        f64::INFINITY
    }
}
