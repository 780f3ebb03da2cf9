//! Any operation, prepared for evaluation.

use alloc::vec::Vec;

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::edits::grids::Span;
use crate::edits::operations::{
    Apply, Clear, Crater, Flatten, Flood, Hole, Operation, Paint, Path, Plant, Raise, Roughen,
    Smooth, Stamp, Terrace,
};
use crate::edits::wavelength::Wavelength;
use crate::edits::widening::Widening;
use crate::region::Region;
use crate::simd::Level;

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
    pub fn apply<T: Dual<2>>(
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
    pub fn apply_span<T: Dual<2>>(
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
