//! The operations. [`Operation`] lists what the plain data of one must provide;
//! [`Apply`] what it must provide when it is prepared for evaluation, and [`Effect`] what is left
//! of that if it has an area. Start with [`Flatten`].

mod crater;
mod levelling;
mod path;
mod roughness;
mod stamp;
mod surface;

pub use crater::Crater;
pub use levelling::{Flatten, Raise, Terrace};
pub use path::Path;
pub use roughness::{Roughen, Smooth};
pub use stamp::{Blend, Stamp};
pub use surface::{Clear, Flood, Hole, Paint, Plant};

use alloc::vec::Vec;

use crate::arrays::Each;
use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Differentiated;
use crate::edits::area::{Area, PreparedArea};
use crate::edits::falloff::Jet64;
use crate::edits::grids::Span;
use crate::edits::smoothed_bases::Wavelength;
use crate::edits::weighted_target::SpanWeights;
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
    fn apply<T: Differentiated<2>>(&self, ground: T, _p: [f64; 2]) -> T {
        ground
    }

    /// The same at the points of a span.
    fn apply_span<T: Differentiated<2>>(&self, _: Level, span: &Span, ground: &mut [T]) {
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
        [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75]].each(at).into()
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

/// Declares [`PreparedEdit`], and the macro `each!`, which evaluates an expression for whichever
/// operation it contains.
macro_rules! prepared {
    ($($name:ident),*) => {
        /// Any operation, prepared for evaluation. The methods of [`Apply`], for all of them.
        #[derive(Clone, Debug)]
        pub(in crate::edits) enum PreparedEdit {
            $($name(<$name as Operation>::Prepared),)*
        }

        macro_rules! each {
            ($edit:expr, $operation:ident => $result:expr) => {
                match $edit {
                    $(PreparedEdit::$name($operation) => $result,)*
                }
            };
        }
    };
}
prepared!(
    Raise, Flatten, Roughen, Terrace, Crater, Hole, Path, Stamp, Smooth, Paint, Flood, Clear, Plant
);

/// Only [`Smooth`] edits blend the ground with the smoothed base, so `smoothed` is for them: it
/// evaluates the base without its octaves below a wavelength. It is `None` if the base has no such
/// form, and such edits leave the ground as it is then.
impl PreparedEdit {
    #[inline]
    pub fn apply<T: Differentiated<2>>(
        &self,
        ground: T,
        p: [f64; 2],
        smoothed: impl FnOnce(Wavelength) -> Option<T>,
    ) -> T {
        if let Self::Smooth(smooth) = self {
            return smooth.smooth(ground, p, smoothed);
        }
        each!(self, operation => operation.apply(ground, p))
    }

    /// `smoothed` gets the index of a point in the span, too.
    pub fn apply_span<T: Differentiated<2>>(
        &self,
        level: Level,
        span: &Span,
        ground: &mut [T],
        smoothed: &impl Fn(usize, Wavelength) -> Option<T>,
    ) {
        if let Self::Smooth(smooth) = self {
            return smooth.smooth_span(level, span, ground, smoothed);
        }
        each!(self, operation => operation.apply_span(level, span, ground));
    }

    /// Whether nothing is left of the ground before the edit at all points of a span that have
    /// ground.
    pub fn hides(&self, span: &Span) -> bool {
        matches!(self, Self::Flatten(flatten) if flatten.hides(span))
    }

    pub fn bounds(
        &self,
        ground: Bounds,
        p: [f64; 2],
        radius: f64,
        smoothed: impl FnOnce(Wavelength) -> Option<Bounds>,
    ) -> Bounds {
        if let Self::Smooth(smooth) = self {
            return smooth.smooth_bounds(ground, p, radius, smoothed);
        }
        each!(self, operation => operation.bounds(ground, p, radius))
    }

    /// The wavelength of the smoothed base that it blends the ground with.
    pub fn wavelength(&self) -> Option<Wavelength> {
        match self {
            Self::Smooth(smooth) => Some(smooth.effect.wavelength),
            _ => None,
        }
    }

    pub fn region(&self) -> Region {
        each!(self, operation => operation.region())
    }

    pub fn widening(&self) -> Widening {
        each!(self, operation => operation.widening())
    }

    pub fn probes(&self) -> Vec<[f64; 2]> {
        each!(self, operation => operation.probes())
    }

    pub fn disturbance(&self, p: [f64; 2]) -> f32 {
        each!(self, operation => operation.disturbance(p))
    }

    pub fn disturbed_distance(&self, p: [f64; 2], within: f64) -> f64 {
        each!(self, operation => operation.disturbed_distance(p, within))
    }
}

/// What an operation does within its area. Unless it says otherwise, the ground stays as it is.
pub(in crate::edits) trait Effect {
    /// Whether it disturbs what grows, as far as its weight goes.
    const DISTURBS: bool = false;

    /// The ground after the operation, given the ground before it and the weight of the area at
    /// `p`, which is above 0.
    #[inline]
    fn apply<T: Differentiated<2>>(&self, ground: T, _p: [f64; 2], _weight: Jet64) -> T {
        ground
    }

    /// Proven bounds of the ground within `radius` of `p`, given those before the operation and
    /// those of the weight.
    fn bounds(&self, ground: Bounds, _p: [f64; 2], _radius: f64, _weight: Bounds) -> Bounds {
        ground
    }

    /// What it can do to bounds anywhere.
    fn widening(&self, _area: &PreparedArea) -> Widening {
        Widening::NONE
    }
}

/// An operation within an area, prepared for evaluation.
#[derive(Clone, Debug)]
pub(crate) struct AreaEdit<E> {
    pub(in crate::edits) area: PreparedArea,
    pub(in crate::edits) effect: E,
}

impl<E> AreaEdit<E> {
    pub(in crate::edits) fn new(area: &Area, effect: E) -> Self {
        Self { area: area.prepared(), effect }
    }
}

/// Declares operations that are their own effect, and have only numbers to check.
macro_rules! effects {
    ($($name:ident),*) => {$(
        impl Operation for $name {
            type Prepared = AreaEdit<Self>;

            fn prepared(&self) -> AreaEdit<Self> {
                AreaEdit::new(&self.area, *self)
            }
        }
    )*};
}
effects!(Hole, Flood, Clear);

impl<E: Effect> Apply for AreaEdit<E> {
    fn region(&self) -> Region {
        self.area.region()
    }

    #[inline]
    fn apply<T: Differentiated<2>>(&self, ground: T, p: [f64; 2]) -> T {
        let Some(weight) = self.area.weight(p) else { return ground };
        self.effect.apply(ground, p, weight)
    }

    fn apply_span<T: Differentiated<2>>(&self, level: Level, span: &Span, ground: &mut [T]) {
        let mut weights = SpanWeights::NONE;
        weights.set(level, &self.area, span);
        span.change(&self.region(), ground, |i, ground, p| match weights.at(i) {
            Some(weight) => self.effect.apply(ground, p, weight),
            None => ground,
        });
    }

    fn bounds(&self, ground: Bounds, p: [f64; 2], radius: f64) -> Bounds {
        self.effect.bounds(ground, p, radius, self.area.local_bounds(p, radius))
    }

    fn widening(&self) -> Widening {
        self.effect.widening(&self.area)
    }

    fn disturbance(&self, p: [f64; 2]) -> f32 {
        let weight = if E::DISTURBS { self.area.weight(p) } else { None };
        weight.map_or(0.0, |weight| weight.value as f32)
    }

    fn disturbed_distance(&self, p: [f64; 2], _within: f64) -> f64 {
        if E::DISTURBS { self.area.distance(p) } else { f64::INFINITY }
    }
}
