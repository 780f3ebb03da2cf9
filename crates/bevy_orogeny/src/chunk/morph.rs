//! Geomorphing: a chunk takes the shape of the next coarser level before that level replaces it.
//!
//! A vertex with an odd index along x or z moves onto its even neighbour: towards smaller x,
//! smaller z, or both along the diagonal of its cell. At weight 1 the chunk's triangles are those
//! of the coarser level. On a border its vertices are then exactly those of the coarser chunk, so
//! no T-junction remains. Source: Filip Strugar, "Continuous Distance-Dependent Level of Detail for
//! Rendering Heightmaps", 2010.
//!
//! Weights are computed at the four corners of a chunk from their distances to the viewers, in 31
//! steps, and interpolated between the corners. So chunks of one level have the same weights on a
//! side that they share. At a chunk's edge the level of its neighbour decides: the weight is 1 next
//! to a coarser chunk and 0 next to a finer one, so there are no cracks while chunks load. The
//! weights, the levels of the neighbours, and the roughness that the normals leave out fit into the
//! 32 bits of `MeshTag`, which all passes and cameras can read.
//!
//! `morph.wgsl` repeats the arithmetic of this file. The tests compare borders of neighbouring
//! chunks bit for bit.

use bevy_math::Vec3;

/// The number of steps of a weight.
const STEPS: u32 = 31;

/// The neighbour at one side of a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Neighbour {
    /// A chunk of the same level, or nothing.
    #[default]
    Same,
    /// A chunk of the next coarser level.
    Coarser,
    /// Chunks of the next finer level.
    Finer,
}

/// How far a chunk has morphed into the next coarser level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Morph {
    /// The weights at the corners (0, 0), (1, 0), (0, 1) and (1, 1), from 0 to 31.
    pub corners: [u8; 4],
    /// The neighbours towards -x, +x, -z and +z.
    pub neighbours: [Neighbour; 4],
    /// The variance of the slopes that the level's normals leave out: 0 for none; v from 1 to 15
    /// means a variance of 2^(v / 2 - 7) along each axis.
    pub variance: u8,
}

/// What a vertex stores in addition to its position and normal: the target vertex that it morphs
/// into, and the grid of its chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The height of the target vertex, in metres.
    pub height: f32,
    /// The x and z of the target vertex's normal at the next coarser level.
    pub normal: [f32; 2],
    /// Cells along each side of the chunk: a power of two, up to 128.
    pub cells: u32,
    /// The distance between neighbouring vertices in metres: a power of two, 2^-63 to 2^63.
    pub spacing: f32,
}

/// Steps of a coordinate of a packed normal on either side of zero.
const NORMAL_STEPS: f32 = 1023.0;

impl Target {
    /// The value of [`ATTRIBUTE_TARGET`](crate::ATTRIBUTE_TARGET): two words. The first has the
    /// bits of the height. The second has, from the lowest bit: eleven bits for each coordinate of
    /// the normal, in steps of 1/1023, three for log2(cells), and seven for log2(spacing) + 64.
    pub fn pack(self) -> [u32; 2] {
        // Adding this constant rounds the number of steps into the lowest bits.
        const ONES: f32 = (1 << 23) as f32;
        let steps = |part: f32| ((part + 1.0) * NORMAL_STEPS + ONES).to_bits() & 0x7ff;
        let [x, z] = self.normal.map(steps);
        let exponent = (self.spacing.to_bits() >> 23) - 63;
        [self.height.to_bits(), x | z << 11 | self.cells.ilog2() << 22 | exponent << 25]
    }

    /// Unpacks a target. Its normal is rounded.
    pub fn unpack([height, grid]: [u32; 2]) -> Self {
        let part = |shift: u32| (grid >> shift & 0x7ff) as f32 / NORMAL_STEPS - 1.0;
        Self {
            height: f32::from_bits(height),
            normal: [part(0), part(11)],
            cells: 1 << (grid >> 22 & 7),
            spacing: f32::from_bits(((grid >> 25) + 63) << 23),
        }
    }

    /// The vertex at a position.
    pub fn vertex(&self, position: Vec3) -> GridVertex {
        // Exact, since the spacing is a power of two.
        let [i, j] = [position.x, position.z].map(|x| (x * self.spacing.recip()) as u32);
        GridVertex { i, j, cells: self.cells }
    }

    /// The position of a vertex that has morphed into its target by `weight`.
    pub fn morphed(&self, position: Vec3, weight: f32) -> Vec3 {
        let GridVertex { i, j, .. } = self.vertex(position);
        if (i | j) & 1 == 0 {
            return position;
        }
        let slide = weight * self.spacing;
        Vec3::new(
            position.x - slide * (i & 1) as f32,
            position.y * (1.0 - weight) + self.height * weight,
            position.z - slide * (j & 1) as f32,
        )
    }
}

/// A vertex of a chunk's grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridVertex {
    /// The index along x.
    pub i: u32,
    /// The index along z.
    pub j: u32,
    /// Cells along each side of the chunk.
    pub cells: u32,
}

impl Morph {
    /// A morph with weights from 0 to 1 at the corners.
    pub fn new(corners: [f64; 4], neighbours: [Neighbour; 4], variance: f64) -> Self {
        let step = |weight: f64| (weight.clamp(0.0, 1.0) * f64::from(STEPS)).round() as u8;
        let variance = (2.0 * (variance.log2() + 7.0)).round().clamp(0.0, 15.0) as u8;
        Self { corners: corners.map(step), neighbours, variance }
    }

    /// The bits of `MeshTag`: five for each corner, two for each side, four for the variance.
    pub fn tag(self) -> u32 {
        let corners = self.corners.into_iter().zip([0, 5, 10, 15]);
        let sides = self.neighbours.into_iter().zip([20, 22, 24, 26]);
        let variance = u32::from(self.variance) << 28;
        corners.fold(variance, |tag, (step, shift)| tag | u32::from(step) << shift)
            | sides.fold(0, |tag, (neighbour, shift)| tag | (neighbour as u32) << shift)
    }

    /// The weight of a vertex, from 0 to 1.
    pub fn weight(&self, GridVertex { i, j, cells: n }: GridVertex) -> f32 {
        let sides = [i == 0, i == n, j == 0, j == n];
        // A corner may be on two sides. It does not move, and its normal takes the weight of the
        // first side.
        let neighbours = self.neighbours.into_iter().zip(sides).filter(|&(_, on)| on);
        match neighbours
            .map(|(neighbour, _)| neighbour)
            .find(|&neighbour| neighbour != Neighbour::Same)
        {
            Some(Neighbour::Coarser) => return 1.0,
            Some(_) => return 0.0,
            None => {}
        }
        let [c00, c10, c01, c11] = self.corners.map(u32::from);
        let sum = (c00 * (n - i) + c10 * i) * (n - j) + (c01 * (n - i) + c11 * i) * j;
        let whole = STEPS * n * n;
        // Division need not be exact on a GPU, so this returns exactly 1.
        if sum == whole { 1.0 } else { sum as f32 / whole as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_exact_at_both_ends() {
        for cells in [8, 64, 128] {
            for (i, j) in [(0, 0), (3, 5), (cells - 1, 1), (cells, cells)] {
                let vertex = GridVertex { i, j, cells };
                for (corner, weight) in [(0.0, 0.0), (1.0, 1.0)] {
                    assert_eq!(
                        Morph::new([corner; 4], Default::default(), 0.0).weight(vertex),
                        weight
                    );
                }
            }
        }
    }

    #[test]
    fn sides_count_more_than_distances() {
        use Neighbour::{Coarser, Finer, Same};
        let morph = Morph::new([0.5; 4], [Coarser, Finer, Same, Same], 0.0);
        let weight = |i, j| morph.weight(GridVertex { i, j, cells: 8 });
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
            for kind in [Neighbour::Coarser, Neighbour::Finer] {
                let mut neighbours = [Neighbour::Same; 4];
                neighbours[side] = kind;
                let tag = Morph { neighbours, ..Morph::default() }.tag();
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
        let target = Target { height: 9.1, normal: [0.0; 2], cells: 8, spacing: 2.0 };
        let own = Vec3::new(6.0, 1.7, 10.0);
        assert_eq!(target.vertex(own), GridVertex { i: 3, j: 5, cells: 8 });
        assert_eq!(target.morphed(own, 1.0), Vec3::new(4.0, 9.1, 8.0));
        assert_eq!(target.morphed(own, 0.0), own);
        assert_eq!(target.morphed(own.with_x(4.0), 0.5).x, 4.0);
        let even = Vec3::new(4.0, 1.7, 8.0);
        assert_eq!(target.morphed(even, 0.3), even);
    }

    #[test]
    fn targets_come_back() {
        for (cells, exponent) in [(8, -6), (64, 0), (128, 6), (128, 63), (8, -63)] {
            for normal in [[0.0, 0.0], [1.0, -1.0], [0.3, -0.7]] {
                let spacing = 2f32.powi(exponent);
                let target = Target { height: -12.34, normal, cells, spacing };
                let back = Target::unpack(target.pack());
                assert_eq!(Target { normal, ..back }, target);
                for (back, part) in back.normal.iter().zip(normal) {
                    assert!((back - part).abs() < 4.9e-4, "{back} {part}");
                }
            }
        }
        assert_eq!(
            Target::unpack(Target { height: 0.0, normal: [0.0; 2], cells: 8, spacing: 1.0 }.pack())
                .normal,
            [0.0; 2]
        );
    }
}
