//! The procedural patterns of plants and rocks, with the value noise that they are made of, and
//! their baking into layers of a texture array.

mod cards;
mod crowns;
mod flowers;
mod opaque;

use std::future::ready;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use glam::{Vec2, Vec3};

use crate::mips::{Level, Srgb, chain, encode};

/// The most texels along a side.
const MOST: u32 = 4096;
/// The rows of texels between two turns.
const ROWS: usize = 8;
/// Texels along a side of the smallest level that samples the pattern.
const LEAST: usize = 64;

/// What the fragment shader draws.
///
/// On cards, which are the patterns from [`Needles`](Self::Needles) to [`Flower`](Self::Flower),
/// the unit square holds four cells, two by two, so that the cards of a plant differ.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Furrowed bark. u runs around the trunk and v along it, 1 for every 2 m: it repeats.
    Bark,
    /// Bark of a pine: grey and furrowed below, orange and flaky above.
    PineBark,
    /// White bark with dark horizontal marks.
    BirchBark,
    /// Bare grey wood. u runs around and v along.
    Wood,
    /// Rock with grain, cracks and lichen.
    Rock,
    /// A spray of a spruce from base (u = 0) to tip, with side twigs.
    Needles,
    /// A clump of pine twigs with tufts of needles.
    PineNeedles,
    /// A clump of broad leaves.
    Leaves,
    /// Hanging twigs of a birch, v = 1 at the top.
    BirchLeaves,
    /// A frond of a fern from base (u = 0) to tip.
    Frond,
    /// A blade of grass from base (u = 0) to tip. It covers its whole card.
    Blade,
    /// The plume of a reed from base (u = 0) to tip.
    Plume,
    /// The silhouette of a spruce crown, v = 0 at the bottom.
    ConiferFar,
    /// The silhouette of a pine crown.
    PineFar,
    /// The silhouette of a broad-leaved crown, or of a large part of one.
    CrownFar,
    /// The silhouette of a birch crown, v = 1 at the top.
    BirchFar,
    /// The silhouette of a bush.
    BushFar,
    /// A flower from above. Each cell has another one: a daisy, a buttercup, a cranesbill, clover.
    Flower,
}

impl Pattern {
    /// All patterns, in the order of their discriminants.
    pub const ALL: [Self; 18] = [
        Pattern::Bark,
        Pattern::PineBark,
        Pattern::BirchBark,
        Pattern::Wood,
        Pattern::Rock,
        Pattern::Needles,
        Pattern::PineNeedles,
        Pattern::Leaves,
        Pattern::BirchLeaves,
        Pattern::Frond,
        Pattern::Blade,
        Pattern::Plume,
        Pattern::ConiferFar,
        Pattern::PineFar,
        Pattern::CrownFar,
        Pattern::BirchFar,
        Pattern::BushFar,
        Pattern::Flower,
    ];

    /// Whether the coverage is 1 everywhere.
    pub fn is_opaque(self) -> bool {
        use Pattern::{Bark, BirchBark, Blade, PineBark, Rock, Wood};
        matches!(self, Bark | PineBark | BirchBark | Wood | Rock | Blade)
    }

    /// What the fragment shader draws at `uv`: a colour, encoded as sRGB within 0..=1, and the
    /// coverage. Discard the fragment where the coverage is below 0.5. The coverage crosses 0.5
    /// with a finite slope, so it can drive alpha to coverage.
    ///
    /// `variant` within 0..=1 belongs to the instance. It selects the tint and the pattern.
    pub fn at(self, uv: [f32; 2], variant: f32) -> ([f32; 3], f32) {
        let uv = Vec2::from(uv);
        let seed = (variant * 63.0).floor();
        // Patterns of cards: one of four cells, and the position in it.
        let cell = (uv * 2.0).floor().min(Vec2::ONE);
        let p = uv * 2.0 - cell;
        let card = seed * 4.0 + cell.x + 2.0 * cell.y;
        let (colour, coverage) = match self {
            Pattern::Bark => (opaque::bark(uv, seed), 1.0),
            Pattern::PineBark => (opaque::pine_bark(uv, seed), 1.0),
            Pattern::BirchBark => (opaque::birch_bark(uv, seed), 1.0),
            Pattern::Wood => (opaque::wood(uv, seed), 1.0),
            Pattern::Rock => (opaque::rock(uv, seed), 1.0),
            Pattern::Needles => cards::needles(p, card),
            Pattern::Frond => cards::frond(p, card),
            Pattern::PineNeedles => cards::pine(p, card),
            Pattern::Leaves => cards::broad(p, card),
            Pattern::BirchLeaves => cards::birch(p, card),
            Pattern::Blade => (opaque::blade(p, card), 1.0),
            Pattern::Plume => cards::plume(p, card),
            Pattern::ConiferFar => crowns::conifer(p, card),
            Pattern::PineFar => crowns::PINE.at(p, card),
            Pattern::CrownFar => crowns::BROAD.at(p, card),
            Pattern::BirchFar => crowns::BIRCH.at(p, card),
            Pattern::BushFar => crowns::BUSH.at(p, card),
            Pattern::Flower => flowers::KINDS[(cell.x + 2.0 * cell.y) as usize].at(p, seed),
        };
        (self.tint(colour, variant).clamp(Vec3::ZERO, Vec3::ONE).to_array(), coverage)
    }

    /// Shifts the colour of an instance: brightness for all, and hue for plants.
    fn tint(self, colour: Vec3, variant: f32) -> Vec3 {
        let shift = variant - 0.5;
        match self {
            Pattern::Rock | Pattern::Wood => colour * (1.0 + 0.16 * shift),
            _ => colour * Vec3::new(1.0 + 0.3 * shift, 1.0 + 0.14 * shift, 1.0 - 0.1 * shift),
        }
    }
}

impl Pattern {
    /// Bakes the pattern into a layer of a texture array: RGBA texels of four bytes, the colour
    /// encoded as sRGB and not multiplied by alpha, which is the coverage.
    ///
    /// First come the `size` x `size` texels of level 0, row by row, then all mip levels down to
    /// 1 x 1, without gaps. Texel (i, j) of level 0 shows [`Pattern::at`] around
    /// ((i + 0.5) / `size`, (j + 0.5) / `size`). `size` must be a power of two from 1 to 4096;
    /// others are raised to the next one or lowered to 4096. Layers smaller than 64 x 64 are mip
    /// levels of one of that size.
    ///
    /// * Mip levels average the colours in linear light, weighted by coverage. Texels without
    ///   coverage have the colour of what is around them, so that filtering shows no fringe.
    /// * Averages alone would thin foliage out with the distance. Therefore the alpha of each mip
    ///   level is scaled until the share of texels with an alpha of at least 128 is as in level 0,
    ///   in each of the four cells while a level has 8 x 8 texels, below in all together.
    ///   [Opaque](Self::is_opaque) ones have an alpha of 255 everywhere.
    /// * The layer is that of `variant` 0.5, which is untinted. To tint an instance as
    ///   [`Pattern::at`] does, multiply the encoded colour by 1 + 0.16 s for [`Rock`](Self::Rock)
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

/// A number within 0..1 from three integers stored as floats.
fn hash(x: f32, y: f32, seed: f32) -> f32 {
    let mut n = (x as i32 as u32).wrapping_mul(0x9E37_79B1)
        ^ (y as i32 as u32).wrapping_mul(0x85EB_CA77)
        ^ (seed as i32 as u32).wrapping_mul(0xC2B2_AE3D);
    n = (n ^ (n >> 15)).wrapping_mul(0x2C1B_3C6D);
    n = (n ^ (n >> 12)).wrapping_mul(0x297A_2D39);
    n ^= n >> 15;
    (n >> 8) as f32 / 16_777_216.0
}

/// Value noise within 0..1 with features one unit wide.
fn noise(p: Vec2, seed: f32) -> f32 {
    noise_around(p, 65_536.0, seed)
}

/// The same with a period along x.
fn noise_around(p: Vec2, period: f32, seed: f32) -> f32 {
    noise_tiled(p, Vec2::new(period, 65_536.0), seed)
}

/// The same with periods along x and y.
fn noise_tiled(p: Vec2, period: Vec2, seed: f32) -> f32 {
    let cell = p.floor();
    let f = p - cell;
    let fade = f * f * (3.0 - 2.0 * f);
    let first = cell - (cell / period).floor() * period;
    let next = |first: f32, period: f32| if first + 1.0 == period { 0.0 } else { first + 1.0 };
    let [x0, y0] = first.to_array();
    let [x1, y1] = [next(x0, period.x), next(y0, period.y)];
    let low = mix(hash(x0, y0, seed), hash(x1, y0, seed), fade.x);
    let high = mix(hash(x0, y1, seed), hash(x1, y1, seed), fade.x);
    mix(low, high, fade.y)
}

/// Linear interpolation.
fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

#[test]
fn odd_sizes_are_rounded() {
    let sizes = [0, 1, 2, 3, 100, 512, 513, 4095, 4096, 4097, u32::MAX];
    assert_eq!(sizes.map(rounded), [1, 1, 2, 4, 128, 512, 1024, 4096, 4096, 4096, 4096]);
}
