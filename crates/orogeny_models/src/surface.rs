//! The procedural patterns of plants and rocks, evaluated per fragment.
//!
//! They are written for a line-by-line port to WGSL: arithmetic, `floor`, `fract`, `abs`, `min`,
//! `max`, `sqrt`, an integer hash, and loops of at most three turns.

mod bark;
mod crown;
mod far;
mod feather;
mod hash;
mod leaves;
mod solid;
mod stone;

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
            Surface::Bark => (bark::bark(uv, seed), 1.0),
            Surface::PineBark => (bark::pine(uv, seed), 1.0),
            Surface::BirchBark => (bark::birch(uv, seed), 1.0),
            Surface::Wood => (bark::wood(uv, seed), 1.0),
            Surface::Rock => (stone::rock(uv, seed), 1.0),
            Surface::Needles => feather::needles(p, card),
            Surface::Frond => feather::frond(p, card),
            Surface::PineNeedles => leaves::pine(p, card, 5.0, 0.085),
            Surface::Leaves => leaves::broad(p, card, 7.0),
            Surface::BirchLeaves => leaves::birch(p, card, 9.0),
            Surface::Blade => (solid::blade(p, card), 1.0),
            Surface::Plume => solid::plume(p, card),
            Surface::ConiferFar => far::conifer(p, card),
            Surface::PineFar => crown::PINE.at(p, card),
            Surface::CrownFar => crown::BROAD.at(p, card),
            Surface::BirchFar => crown::BIRCH.at(p, card),
            Surface::BushFar => crown::BUSH.at(p, card),
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
