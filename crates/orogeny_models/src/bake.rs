//! Baking of the patterns into layers of a texture array.

use std::future::ready;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use glam::Vec3;

use crate::Surface;
use crate::mips::{Level, Srgb, chain, encode};

/// The most texels along a side.
const MOST: u32 = 4096;
/// The rows of texels between two turns.
const ROWS: usize = 8;
/// Texels along a side of the smallest level that samples the pattern.
const LEAST: usize = 64;

impl Surface {
    /// Bakes the pattern into a layer of a texture array: RGBA texels of four bytes, the colour
    /// encoded as sRGB and not multiplied by alpha, which is the coverage.
    ///
    /// First come the `size` x `size` texels of level 0, row by row, then all mip levels down to
    /// 1 x 1, without gaps. Texel (i, j) of level 0 shows [`Surface::at`] around
    /// ((i + 0.5) / `size`, (j + 0.5) / `size`). `size` must be a power of two from 1 to 4096;
    /// others are raised to the next one or lowered to 4096. Layers smaller than 64 x 64 are mip
    /// levels of one of that size.
    ///
    /// * Mip levels average the colours in linear light, weighted by coverage. Texels without
    ///   coverage have the colour of what is around them, so that filtering shows no fringe.
    /// * Averages alone would thin foliage out with the distance. Therefore the alpha of each mip
    ///   level is scaled until the share of texels with an alpha of at least 128 is as in level 0,
    ///   in each of the four patterns while a level has 8 x 8 texels, below in all together.
    ///   [Opaque](Self::is_opaque) surfaces have an alpha of 255 everywhere.
    /// * The layer is that of `variant` 0.5, which is untinted. To tint an instance as
    ///   [`Surface::at`] does, multiply the encoded colour by 1 + 0.16 s for [`Rock`](Self::Rock)
    ///   and [`Wood`](Self::Wood), and by (1 + 0.3 s, 1 + 0.14 s, 1 - 0.1 s) for all others, where
    ///   s is `variant` - 0.5. A sampled colour is linear: encode it first.
    pub fn bake(self, size: u32) -> Vec<u8> {
        at_once(self.bake_in_turns(size, || ready(())))
    }

    /// The same, awaiting a turn after each part of the work, for tasks that share a thread.
    pub async fn bake_in_turns<T: Future>(self, size: u32, turn: impl Fn() -> T) -> Vec<u8> {
        let size = rounded(size);
        let srgb = Srgb::new();
        // Fewer samples would miss parts of the pattern.
        let finest = self.finest(size.max(LEAST), &srgb, &turn).await;
        turn().await;
        let mut levels = chain(finest);
        levels.retain(|level| level.size <= size);
        encode(&levels, &srgb, &turn).await
    }

    /// The pattern. A texel is the mean of two samples on its diagonal, which differ in u and in v,
    /// for half the time of 2 x 2.
    async fn finest<T: Future>(self, size: usize, srgb: &Srgb, turn: &impl Fn() -> T) -> Level {
        let at = |x: usize, y: usize, shift: f32| {
            let uv = [x, y].map(|i| (i as f32 + shift) / size as f32);
            let (colour, coverage) = self.at(uv, 0.5);
            (Vec3::from(colour.map(|channel| srgb.decode(channel))) * coverage).extend(coverage)
        };
        let texel = |i: usize| {
            let (x, y) = (i % size, i / size);
            0.5 * (at(x, y, 0.25) + at(x, y, 0.75))
        };
        let mut texels = Vec::with_capacity(size * size);
        for row in 0..size {
            if row % ROWS == 0 {
                turn().await;
            }
            texels.extend((row * size..(row + 1) * size).map(texel));
        }
        Level { size, texels }
    }
}

/// The size of the layer for a size that may not be a power of two, or be out of range.
pub(crate) fn rounded(size: u32) -> usize {
    size.clamp(1, MOST).next_power_of_two() as usize
}

/// The result of work whose turns come at once.
pub(crate) fn at_once<T>(work: impl Future<Output = T>) -> T {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(work).poll(&mut context) {
        Poll::Ready(done) => done,
        Poll::Pending => unreachable!("all turns are ready"),
    }
}

#[test]
fn odd_sizes_are_rounded() {
    let sizes = [0, 1, 2, 3, 100, 512, 513, 4095, 4096, 4097, u32::MAX];
    assert_eq!(sizes.map(rounded), [1, 1, 2, 4, 128, 512, 1024, 4096, 4096, 4096, 4096]);
}
