//! The operations, one file each. [`Operation`] and [`Apply`] list what a file must provide: the
//! edit as plain data, and the edit prepared for evaluation. Start with [`flatten`].

mod clear;
mod crater;
mod flatten;
mod flood;
mod hole;
mod paint;
mod path;
mod plant;
mod raise;
mod roughen;
mod smooth;
mod stamp;
mod terrace;

pub use clear::Clear;
pub(crate) use clear::Cleared;
pub use crater::Crater;
pub use flatten::Flatten;
pub use flood::Flood;
pub use hole::Hole;
pub use paint::Paint;
pub use path::Path;
pub use plant::Plant;
pub use raise::Raise;
pub(in crate::edits) use raise::Raised;
pub use roughen::Roughen;
pub use smooth::Smooth;
pub use stamp::{Blend, Stamp};
pub use terrace::Terrace;

use alloc::vec::Vec;

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::edits::grids::Span;
use crate::edits::smoothed_bases::Targets;
use crate::edits::wavelength::Wavelength;
use crate::edits::widening::Widening;
use crate::error::DataError;
use crate::region::Region;
use crate::simd::Level;

/// An operation as plain data.
pub(super) trait Operation {
    /// Checks every number against its limits, and what else makes an edit invalid.
    fn check(&self) -> Result<(), DataError>;

    /// The operation, if it was checked, prepared for evaluation.
    fn prepared(&self) -> PreparedEdit;
}

/// An operation prepared for evaluation. Unless it says otherwise, the ground stays as it is.
pub(super) trait Apply {
    /// All ground that it changes is in this region.
    fn region(&self) -> Region;

    /// The wavelength of the smoothed base that it blends the ground with. Most use none.
    fn wavelength(&self) -> Option<Wavelength> {
        None
    }

    /// The ground after the operation, given the ground before it, a position in the region, and
    /// the smoothed bases there.
    #[inline]
    fn apply<T: Dual<2>>(&self, ground: T, _: [f64; 2], _: &mut impl Targets<T>) -> T {
        ground
    }

    /// The same at the points of a span. `target` gives the smoothed base at one of them.
    fn apply_span<T: Dual<2>>(
        &self,
        _: Level,
        span: &Span,
        ground: &mut [T],
        target: &impl Fn(usize, Wavelength) -> Option<T>,
    ) {
        let region = self.region();
        for (i, ground) in ground.iter_mut().enumerate() {
            let p = span.point(i);
            if region.contains(p) && !ground.value().is_nan() {
                *ground = self.apply(*ground, p, &mut |wavelength| target(i, wavelength));
            }
        }
    }

    /// Proven bounds of the ground within `radius` of `p`, given those before the operation and
    /// those of the smoothed bases.
    fn bounds(&self, ground: Bounds, _: [f64; 2], _: f64, _: &mut impl Targets<Bounds>) -> Bounds {
        ground
    }

    /// What it can do to bounds anywhere.
    fn widening(&self) -> Widening {
        Widening::NONE
    }

    /// Places at which to look how far it moves the ground: where its weight is large.
    fn places(&self) -> Vec<[f64; 2]> {
        let Region { min, max } = self.region();
        let at =
            |[x, z]: [f64; 2]| [min[0] + x * (max[0] - min[0]), min[1] + z * (max[1] - min[1])];
        [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]].map(at).into()
    }

    /// How far it disturbs what grows at a point: 0 to 1.
    fn disturbance(&self, _: [f64; 2]) -> f32 {
        0.0
    }

    /// The distance of a point from the ground that it disturbs most: 0 on it; at least `within` if
    /// that is farther away than this; infinity if there is none.
    fn distance(&self, _: [f64; 2], _within: f64) -> f64 {
        f64::INFINITY
    }
}

/// Declares [`PreparedEdit`], which forwards each method to the operation that it contains.
macro_rules! prepared {
    ($($name:ident($operation:ty),)*) => {
        /// Any operation, prepared for evaluation.
        #[derive(Clone, Debug)]
        pub(in crate::edits) enum PreparedEdit {
            $($name($operation),)*
        }

        impl Apply for PreparedEdit {
            fn region(&self) -> Region {
                match self { $(Self::$name(operation) => operation.region(),)* }
            }

            fn wavelength(&self) -> Option<Wavelength> {
                match self { $(Self::$name(operation) => operation.wavelength(),)* }
            }

            #[inline]
            fn apply<T: Dual<2>>(
                &self,
                ground: T,
                p: [f64; 2],
                targets: &mut impl Targets<T>,
            ) -> T {
                match self { $(Self::$name(operation) => operation.apply(ground, p, targets),)* }
            }

            fn disturbance(&self, p: [f64; 2]) -> f32 {
                match self { $(Self::$name(operation) => operation.disturbance(p),)* }
            }

            fn distance(&self, p: [f64; 2], within: f64) -> f64 {
                match self { $(Self::$name(operation) => operation.distance(p, within),)* }
            }

            fn apply_span<T: Dual<2>>(
                &self,
                level: Level,
                span: &Span,
                ground: &mut [T],
                target: &impl Fn(usize, Wavelength) -> Option<T>,
            ) {
                match self {
                    $(Self::$name(operation) => {
                        operation.apply_span(level, span, ground, target);
                    })*
                }
            }

            fn bounds(
                &self,
                ground: Bounds,
                p: [f64; 2],
                radius: f64,
                targets: &mut impl Targets<Bounds>,
            ) -> Bounds {
                match self {
                    $(Self::$name(operation) => operation.bounds(ground, p, radius, targets),)*
                }
            }

            fn widening(&self) -> Widening {
                match self { $(Self::$name(operation) => operation.widening(),)* }
            }

            fn places(&self) -> Vec<[f64; 2]> {
                match self { $(Self::$name(operation) => operation.places(),)* }
            }
        }
    };
}
prepared! {
    Raise(Raised),
    Flatten(flatten::Flattened),
    Roughen(roughen::Roughened),
    Terrace(terrace::Terraced),
    Crater(crater::PreparedCrater),
    Hole(hole::Holed),
    Path(path::PreparedPath),
    Stamp(stamp::Stamped),
    Smooth(smooth::Smoothed),
    Paint(paint::Painted),
    Flood(flood::Flooded),
    Clear(clear::Cleared),
    Plant(plant::Plant),
}
