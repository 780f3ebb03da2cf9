//! Blending the ground with a target, at a point and at a span of points.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::derivative::chain_rule::{Differentiated, lerp};
use crate::edits::area::PreparedArea;
use crate::edits::falloff::Jet64;
use crate::edits::grids::{SPAN, Span};
use crate::real::{Lanes, Real};
use crate::simd::{Level, dispatch};

/// A weight and a target, each with its exact derivatives.
#[derive(Clone, Copy, Debug)]
pub(super) struct WeightedTarget<R = f64> {
    pub weight: Jet64<R>,
    pub target: Jet64<R>,
}

impl WeightedTarget {
    /// h + w (t - h).
    #[inline]
    pub fn apply<T: Differentiated<2>>(&self, ground: T) -> T {
        if self.weight.value == 0.0 {
            return ground;
        }
        lerp(ground, self.target.rounded(), self.weight.rounded())
    }
}

/// The numbers of a span of points, one list for each.
pub(super) type List = [f64; SPAN];

/// Those of a span of points. Where the weight is 0 the rest is not set.
pub(super) struct WeightedTargets {
    weight: Jet64<List>,
    target: Jet64<List>,
}

impl WeightedTargets {
    pub const NONE: Self = Self { weight: Jet64::LISTS, target: Jet64::LISTS };

    /// Sets the points from `start` on for which `mask` is set, unless they have a weight. Writes
    /// those derivatives that T has.
    #[inline(always)]
    pub fn merge<S: Simd, T: Differentiated<2>>(
        &mut self,
        simd: S,
        start: usize,
        mask: S::mask64s,
        lanes: &WeightedTarget<Lanes<S>>,
    ) {
        let weight = &self.weight.value[start..start + S::f64s::LEN];
        let nothing = S::f64s::splat(simd, 0.0);
        let mask = mask & S::f64s::from_slice(simd, weight).simd_eq(nothing);
        self.weight.merge::<S, T>(simd, start, mask, &lanes.weight);
        self.target.merge::<S, T>(simd, start, mask, &lanes.target);
    }

    /// Blends the points of the span.
    pub fn apply<T: Differentiated<2>>(&self, ground: &mut [T]) {
        for (i, ground) in ground.iter_mut().enumerate() {
            if self.weight.value[i] != 0.0 && !ground.value().is_nan() {
                let own =
                    WeightedTarget { weight: self.weight.lane(i), target: self.target.lane(i) };
                *ground = own.apply(*ground);
            }
        }
    }
}

impl Jet64<List> {
    pub const LISTS: Self =
        Self { value: [0.0; SPAN], gradient: [[0.0; SPAN]; 2], second: [[0.0; SPAN]; 3] };

    #[inline(always)]
    fn merge<S: Simd, T: Differentiated<2>>(
        &mut self,
        simd: S,
        start: usize,
        mask: S::mask64s,
        lanes: &Jet64<Lanes<S>>,
    ) {
        merge(simd, start, mask, &mut self.value, lanes.value);
        if T::HAS_GRADIENT {
            merge(simd, start, mask, &mut self.gradient[0], lanes.gradient[0]);
            merge(simd, start, mask, &mut self.gradient[1], lanes.gradient[1]);
        }
        if T::HAS_HESSIAN {
            merge(simd, start, mask, &mut self.second[0], lanes.second[0]);
            merge(simd, start, mask, &mut self.second[1], lanes.second[1]);
            merge(simd, start, mask, &mut self.second[2], lanes.second[2]);
        }
    }

    /// Replaces all numbers of a vector of points.
    #[inline(always)]
    pub fn store<S: Simd>(&mut self, start: usize, lanes: &Jet64<Lanes<S>>) {
        lanes.value.store(&mut self.value[start..]);
        lanes.gradient[0].store(&mut self.gradient[0][start..]);
        lanes.gradient[1].store(&mut self.gradient[1][start..]);
        lanes.second[0].store(&mut self.second[0][start..]);
        lanes.second[1].store(&mut self.second[1][start..]);
        lanes.second[2].store(&mut self.second[2][start..]);
    }

    #[inline]
    pub fn lane(&self, i: usize) -> Jet64 {
        Jet64 {
            value: self.value[i],
            gradient: [self.gradient[0][i], self.gradient[1][i]],
            second: [self.second[0][i], self.second[1][i], self.second[2][i]],
        }
    }
}

/// Replaces the numbers from `start` on for which `mask` is set.
#[inline(always)]
fn merge<S: Simd>(simd: S, start: usize, mask: S::mask64s, list: &mut List, lanes: Lanes<S>) {
    let list = &mut list[start..start + S::f64s::LEN];
    let own = Lanes(S::f64s::from_slice(simd, list));
    Lanes::select(mask, lanes, own).0.store_slice(list);
}

/// The weights of an area at the points of a span, with the bits of
/// [`PreparedArea::weight`].
pub(super) struct SpanWeights {
    /// 1 where the weight is above 0, and 0 elsewhere.
    is_in: List,
    weight: Jet64<List>,
}

impl SpanWeights {
    pub const NONE: Self = Self { is_in: [0.0; SPAN], weight: Jet64::LISTS };

    /// Sets all weights, of which there are none yet.
    #[inline]
    pub fn set(&mut self, level: Level, area: &PreparedArea, span: &Span) {
        if area.core_contains_line([span.point(0), span.point(span.len - 1)]) {
            (self.is_in, self.weight.value) = ([1.0; SPAN], [1.0; SPAN]);
        } else {
            dispatch!(level, simd => self.fill::<_, true>(simd, area, span));
        }
    }

    /// Sets them without derivatives, which are 0.
    pub fn set_values(&mut self, level: Level, area: &PreparedArea, span: &Span) {
        dispatch!(level, simd => self.fill::<_, false>(simd, area, span));
    }

    #[inline(always)]
    fn fill<S: Simd, const WITH_DERIVATIVES: bool>(
        &mut self,
        simd: S,
        area: &PreparedArea,
        span: &Span,
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let [zero, one] = [S::f64s::splat(simd, 0.0), S::f64s::splat(simd, 1.0)];
                for start in (0..span.len).step_by(S::f64s::LEN) {
                    let (is_in, weight) = area.weights(span.lanes(simd, start));
                    let is_in: S::f64s = is_in.select(one, zero);
                    is_in.store_slice(&mut self.is_in[start..start + S::f64s::LEN]);
                    if WITH_DERIVATIVES {
                        self.weight.store(start, &weight);
                    } else {
                        weight.value.store(&mut self.weight.value[start..]);
                    }
                }
            },
        );
    }

    /// The weight at a point; `None` where it is 0.
    #[inline]
    pub fn at(&self, i: usize) -> Option<Jet64> {
        (self.is_in[i] > 0.0).then(|| self.weight.lane(i))
    }
}
