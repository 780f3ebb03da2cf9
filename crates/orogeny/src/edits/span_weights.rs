//! The weights of an area at a span of points, several at a time.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::edits::area::PreparedArea;
use crate::edits::falloff::Jet64;
use crate::edits::grids::{SPAN, Span};
use crate::edits::weighted_target::List;
use crate::real::Real;
use crate::simd::{Level, dispatch};

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
