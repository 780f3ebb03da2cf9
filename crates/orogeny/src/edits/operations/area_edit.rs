//! Operations within an area: what they share.

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::edits::area::{Area, PreparedArea};
use crate::edits::falloff::Jet64;
use crate::edits::grids::Span;
use crate::edits::operations::{Apply, Clear, Flood, Hole, Operation};
use crate::edits::span_weights::SpanWeights;
use crate::edits::widening::Widening;
use crate::region::Region;
use crate::simd::Level;

/// What an operation does within its area. Unless it says otherwise, the ground stays as it is.
pub(in crate::edits) trait Effect {
    /// Whether it disturbs what grows, as far as its weight goes.
    const DISTURBS: bool = false;

    /// The ground after the operation, given the ground before it and the weight of the area at
    /// `p`, which is above 0.
    #[inline]
    fn apply<T: Dual<2>>(&self, ground: T, _p: [f64; 2], _weight: Jet64) -> T {
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
    fn apply<T: Dual<2>>(&self, ground: T, p: [f64; 2]) -> T {
        let Some(weight) = self.area.weight(p) else { return ground };
        self.effect.apply(ground, p, weight)
    }

    fn apply_span<T: Dual<2>>(&self, level: Level, span: &Span, ground: &mut [T]) {
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
