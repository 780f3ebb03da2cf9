//! Geomorphing: how a chunk turns into the shape of the next coarser level before that replaces it.
//!
//! A vertex with an odd index along x or z slides onto its even neighbour, in x, y and z: towards smaller x, smaller z, or both along the diagonal
//! of its cell. At weight 1 the chunk's triangles are those of the coarser level, and on a border its vertices are exactly
//! the coarser chunk's: no T-junction remains. (After Filip Strugar, "Continuous Distance-Dependent Level of Detail
//! for Rendering Heightmaps", 2010.)
//!
//! The weights are given at the four corners of a chunk, in 31 steps, from their distances to the viewers; in between they are interpolated. So chunks of
//! one level that share a side have the same weights on it. Beside a coarser chunk the weight is 1, beside a finer one 0,
//! whatever the distance: distances only hide the change. All of it fits into the 32 bits that a mesh instance carries into its shaders,
//! `MeshTag`, which is the same in every pass and for every camera; so does how rough the ground is that the level's normals leave out.
//!
//! `morph.wgsl` does the same arithmetic as this file, whose results the tests compare from chunk to chunk, bit for bit.

use bevy_math::Vec3;

/// The steps of a weight.
const STEPS: u32 = 31;

/// What lies beside one side of a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beside {
    /// A chunk of the same level, or nothing.
    #[default]
    Same,
    /// A chunk of the next coarser level.
    Coarser,
    /// Chunks of the next finer level.
    Finer,
}

/// How far a chunk has turned into the next coarser level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Morph {
    /// The weights at the corners (0, 0), (1, 0), (0, 1) and (1, 1), from 0 to 31.
    pub corners: [u8; 4],
    /// What lies towards smaller and larger x, smaller and larger z.
    pub beside: [Beside; 4],
    /// How much the slopes vary that the level's normals leave out: 0 for not at all, or v from 1 to 15 for a variance along each axis of
    /// 2^(v / 2 - 7).
    pub variance: u8,
}

/// The place of a vertex in its chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The index along x.
    pub i: u32,
    /// The index along z.
    pub j: u32,
    /// Cells along each side of the chunk.
    pub cells: u32,
}

impl Morph {
    /// With weights from 0 to 1 at the corners, and the variance of the slopes that are left out.
    pub fn new(corners: [f64; 4], beside: [Beside; 4], variance: f64) -> Self {
        let step = |weight: f64| (weight.clamp(0.0, 1.0) * f64::from(STEPS)).round() as u8;
        let variance = (2.0 * (variance.log2() + 7.0)).round().clamp(0.0, 15.0) as u8;
        Self { corners: corners.map(step), beside, variance }
    }

    /// The bits of a `MeshTag`: five for each corner, two for each side, four for the variance.
    pub fn tag(self) -> u32 {
        let corners = self.corners.into_iter().zip([0, 5, 10, 15]);
        let sides = self.beside.into_iter().zip([20, 22, 24, 26]);
        let variance = u32::from(self.variance) << 28;
        corners.fold(variance, |tag, (step, shift)| tag | u32::from(step) << shift)
            | sides.fold(0, |tag, (beside, shift)| tag | (beside as u32) << shift)
    }

    /// How far a vertex has turned into the coarser level, from 0 to 1.
    pub fn weight(&self, Place { i, j, cells: n }: Place) -> f32 {
        let sides = [i == 0, i == n, j == 0, j == n];
        // The first side that says so, for a corner: it has a normal to blend, but does not move.
        let beside = self.beside.into_iter().zip(sides).filter(|&(_, on)| on);
        match beside.map(|(beside, _)| beside).find(|&beside| beside != Beside::Same) {
            Some(Beside::Coarser) => return 1.0,
            Some(_) => return 0.0,
            None => {}
        }
        let [c00, c10, c01, c11] = self.corners.map(u32::from);
        let sum = (c00 * (n - i) + c10 * i) * (n - j) + (c01 * (n - i) + c11 * i) * j;
        let whole = STEPS * n * n;
        // Division need not be exact on a graphics card.
        if sum == whole { 1.0 } else { sum as f32 / whole as f32 }
    }
}

/// The position of a vertex that has turned by `weight` into its target, the vertex with both indices rounded down to even numbers.
pub fn morphed(
    position: Vec3,
    target_height: f32,
    spacing: f32,
    place: Place,
    weight: f32,
) -> Vec3 {
    if (place.i | place.j) & 1 == 0 {
        return position;
    }
    let slide = weight * spacing;
    Vec3::new(
        position.x - slide * (place.i & 1) as f32,
        position.y * (1.0 - weight) + target_height * weight,
        position.z - slide * (place.j & 1) as f32,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_exact_at_both_ends() {
        for cells in [8, 64, 128] {
            for (i, j) in [(0, 0), (3, 5), (cells - 1, 1), (cells, cells)] {
                let place = Place { i, j, cells };
                for (corner, weight) in [(0.0, 0.0), (1.0, 1.0)] {
                    assert_eq!(
                        Morph::new([corner; 4], Default::default(), 0.0).weight(place),
                        weight
                    );
                }
            }
        }
    }

    #[test]
    fn sides_count_more_than_distances() {
        use Beside::{Coarser, Finer, Same};
        let morph = Morph::new([0.5; 4], [Coarser, Finer, Same, Same], 0.0);
        let weight = |i, j| morph.weight(Place { i, j, cells: 8 });
        assert_eq!([weight(0, 3), weight(8, 3), weight(0, 0), weight(8, 8)], [1.0, 0.0, 1.0, 0.0]);
        assert!((weight(3, 0) - 0.5).abs() < 0.02 && (weight(3, 3) - 0.5).abs() < 0.02);
    }

    #[test]
    fn every_part_has_its_own_bits() {
        let mut all = 0u32;
        for corner in 0..4 {
            let mut corners = [0; 4];
            corners[corner] = 31;
            let tag = Morph { corners, ..Morph::default() }.tag();
            assert_eq!(tag & all, 0);
            all |= tag;
        }
        for side in 0..4 {
            for kind in [Beside::Coarser, Beside::Finer] {
                let mut beside = [Beside::Same; 4];
                beside[side] = kind;
                let tag = Morph { beside, ..Morph::default() }.tag();
                assert_eq!((tag & all, tag.count_ones()), (0, 1));
                all |= tag;
            }
        }
        let tag = Morph { variance: 15, ..Morph::default() }.tag();
        assert_eq!(tag & all, 0);
        assert_eq!(all | tag, u32::MAX);
        let variance = |variance| Morph::new([0.0; 4], Default::default(), variance).variance;
        assert_eq!([0.0, 1e-9, 2f64.powf(-6.5), 0.125, 100.0].map(variance), [0, 0, 1, 8, 15]);
    }

    #[test]
    fn odd_vertices_slide_onto_even_ones() {
        let place = Place { i: 3, j: 5, cells: 8 };
        let own = Vec3::new(6.0, 1.7, 10.0);
        assert_eq!(morphed(own, 9.1, 2.0, place, 1.0), Vec3::new(4.0, 9.1, 8.0));
        assert_eq!(morphed(own, 9.1, 2.0, place, 0.0), own);
        assert_eq!(morphed(own, 9.1, 2.0, Place { i: 2, ..place }, 0.5).x, 6.0);
        assert_eq!(morphed(own, 9.1, 2.0, Place { i: 2, j: 4, cells: 8 }, 0.3), own);
    }
}
