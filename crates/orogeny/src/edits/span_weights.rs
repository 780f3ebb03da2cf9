//! The weights of an area at a span of points, several at a time.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::edits::area::PreparedArea;
use crate::edits::falloff::Jet64;
use crate::edits::grids::{SPAN, Span};
use crate::edits::weighted_target::List;
use crate::simd::{Level, dispatch};

/// The weights of an area at the points of a span, with the bits of
/// [`PreparedArea::weight`].
pub(super) struct SpanWeights {
    /// 1 where the weight is above 0, and 0 elsewhere.
    is_in: List,
    weight: Jet64<List>,
}

impl SpanWeights {
    pub fn new(level: Level, area: &PreparedArea, span: &Span) -> Self {
        if area.core_contains_line([span.point(0), span.point(span.len - 1)]) {
            let weight = Jet64 { value: [1.0; SPAN], ..Jet64::LISTS };
            return Self { is_in: [1.0; SPAN], weight };
        }
        let mut weights = Self { is_in: [0.0; SPAN], weight: Jet64::LISTS };
        dispatch!(level, simd => weights.fill(simd, area, span));
        weights
    }

    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, area: &PreparedArea, span: &Span) {
        simd.vectorize(
            #[inline(always)]
            || {
                for start in (0..span.len).step_by(S::f64s::LEN) {
                    let (is_in, weight) = area.weights(span.lanes(simd, start));
                    let [zero, one] = [S::f64s::splat(simd, 0.0), S::f64s::splat(simd, 1.0)];
                    is_in
                        .select(one, zero)
                        .store_slice(&mut self.is_in[start..start + S::f64s::LEN]);
                    self.weight.store(start, &weight);
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
