//! The rounding of ridges and gully floors.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::kernel::sample_lanes::SampleLanes;

/// The function k_b, which sharpens crests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crest {
    /// b.
    width: f32,
    /// The square of b, and 2 / (sqrt(1 + b^2) - b).
    squared: f32,
    scale: f32,
    /// The same two for the slope, or those of a wider crest if a grid cannot resolve this one.
    slope: [f32; 2],
}

impl Crest {
    /// A crest of the width b. Its slope is that of a crest of the width `least` or b, whichever is
    /// larger.
    pub fn new(width: f32, least: f32) -> Self {
        // Rationalised, so that a large b causes no cancellation.
        let scale = |squared: f32| 2.0 * ((1.0 + squared).sqrt() + squared.sqrt());
        let squared = width * width;
        let wider = squared.max(least * least);
        let slope = [wider, 0.25 * scale(wider)];
        Self { width, squared, scale: scale(squared), slope }
    }

    /// 1 - scale (sqrt(u + b^2) - b) with u = (1 - x) / 2.
    #[inline(always)]
    pub(super) fn of<S: Simd>(&self, x: SampleLanes<S>) -> SampleLanes<S> {
        let simd = x.value.token();
        let u = S::f32s::splat(simd, 0.5) - x.value * 0.5;
        let root = (u + self.squared).sqrt();
        let value = S::f32s::splat(simd, 1.0) - (root - self.width) * self.scale;
        let [squared, scale] = self.slope;
        let wider = if squared == self.squared { root } else { (u + squared).sqrt() };
        x.map(value, S::f32s::splat(simd, scale) / wider)
    }
}
