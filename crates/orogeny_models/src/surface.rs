//! The procedural patterns of plants and rocks, with the value noise that they are made of.

mod cards;
mod crowns;
mod opaque;

use glam::{Vec2, Vec3};

/// What the fragment shader draws.
///
/// On cards, which are the surfaces from [`Needles`](Self::Needles) to [`BushFar`](Self::BushFar),
/// the unit square holds four patterns, two by two, so that the cards of a plant differ.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Surface {
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
}

impl Surface {
    /// All surfaces, in the order of their discriminants.
    pub const ALL: [Self; 17] = [
        Surface::Bark,
        Surface::PineBark,
        Surface::BirchBark,
        Surface::Wood,
        Surface::Rock,
        Surface::Needles,
        Surface::PineNeedles,
        Surface::Leaves,
        Surface::BirchLeaves,
        Surface::Frond,
        Surface::Blade,
        Surface::Plume,
        Surface::ConiferFar,
        Surface::PineFar,
        Surface::CrownFar,
        Surface::BirchFar,
        Surface::BushFar,
    ];

    /// Whether the coverage is 1 everywhere.
    pub fn is_opaque(self) -> bool {
        use Surface::{Bark, BirchBark, Blade, PineBark, Rock, Wood};
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
            Surface::Bark => (opaque::bark(uv, seed), 1.0),
            Surface::PineBark => (opaque::pine_bark(uv, seed), 1.0),
            Surface::BirchBark => (opaque::birch_bark(uv, seed), 1.0),
            Surface::Wood => (opaque::wood(uv, seed), 1.0),
            Surface::Rock => (opaque::rock(uv, seed), 1.0),
            Surface::Needles => cards::needles(p, card),
            Surface::Frond => cards::frond(p, card),
            Surface::PineNeedles => cards::pine(p, card),
            Surface::Leaves => cards::broad(p, card),
            Surface::BirchLeaves => cards::birch(p, card),
            Surface::Blade => (opaque::blade(p, card), 1.0),
            Surface::Plume => cards::plume(p, card),
            Surface::ConiferFar => crowns::conifer(p, card),
            Surface::PineFar => crowns::PINE.at(p, card),
            Surface::CrownFar => crowns::BROAD.at(p, card),
            Surface::BirchFar => crowns::BIRCH.at(p, card),
            Surface::BushFar => crowns::BUSH.at(p, card),
        };
        (self.tint(colour, variant).clamp(Vec3::ZERO, Vec3::ONE).to_array(), coverage)
    }

    /// Shifts the colour of an instance: brightness for all, and hue for plants.
    fn tint(self, colour: Vec3, variant: f32) -> Vec3 {
        let shift = variant - 0.5;
        match self {
            Surface::Rock | Surface::Wood => colour * (1.0 + 0.16 * shift),
            _ => colour * Vec3::new(1.0 + 0.3 * shift, 1.0 + 0.14 * shift, 1.0 - 0.1 * shift),
        }
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
