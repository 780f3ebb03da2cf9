//! Geomorphing: a chunk takes the shape of the next coarser level before that level replaces it.
//!
//! A vertex with an odd index along x or z moves onto its even neighbour: towards smaller x,
//! smaller z, or both along the diagonal of its cell. Where the coarser level has other heights, as
//! far levels have, all vertices move up or down to them. At weight 1 the chunk's triangles are
//! those of the coarser level. On a border its vertices are then exactly those of the coarser
//! chunk, so no T-junction remains. Source: Filip Strugar, "Continuous Distance-Dependent Level of
//! Detail for Rendering Heightmaps", 2010.
//!
//! Weights are computed at the four corners of a chunk from their distances to the viewers, in 31
//! steps, and interpolated between the corners. So chunks of one level have the same weights on a
//! side that they share. At a chunk's edge and corners the level of its neighbours decides: the
//! weight is 1 next to a coarser chunk and 0 next to a finer one, so there are no cracks while
//! chunks load. No two chunks at a corner differ by more than one level, so all of one level there
//! have the same weight. The weights, the levels of the neighbours, and the roughness that the
//! normals leave out fit into the 32 bits of `MeshTag`, which all passes and cameras can read.
//!
//! [`ChunkVertex`](crate::advanced::ChunkVertex) is what a vertex stores, and where it lies for a
//! weight. `morph.wgsl` repeats the arithmetic of both files. The tests compare borders of
//! neighbouring chunks bit for bit.

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

/// All neighbours of a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// Those towards -x, +x, -z and +z.
    pub sides: [Neighbour; 4],
    /// Those that touch the corners (0, 0), (1, 0), (0, 1) and (1, 1), also from the sides: if any
    /// is of another level, that one.
    pub corners: [Neighbour; 4],
}

/// How far a chunk has morphed into the next coarser level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Morph {
    /// The weights at the corners (0, 0), (1, 0), (0, 1) and (1, 1), from 0 to 31.
    pub corners: [u8; 4],
    /// The neighbours towards -x, +x, -z and +z.
    pub sides: [Neighbour; 4],
    /// The variance of the slopes that the level's normals leave out: 0 for none; v from 1 to 15
    /// means a variance of 2^(v / 2 - 7) along each axis.
    pub variance: u8,
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
    /// A morph with weights from 0 to 1 at the corners, where no neighbour decides about them.
    pub fn new(weights: [f64; 4], neighbours: Neighbours, variance: f64) -> Self {
        let step = |corner: usize| {
            let weight = match neighbours.corners[corner] {
                Neighbour::Same => weights[corner].clamp(0.0, 1.0),
                Neighbour::Coarser => 1.0,
                Neighbour::Finer => 0.0,
            };
            (weight * f64::from(STEPS)).round() as u8
        };
        let variance = (2.0 * (variance.log2() + 7.0)).round().clamp(0.0, 15.0) as u8;
        Self { corners: [0, 1, 2, 3].map(step), sides: neighbours.sides, variance }
    }

    /// The bits of `MeshTag`: five for each corner, two for each side, four for the variance.
    pub fn tag(self) -> u32 {
        let corners = self.corners.into_iter().zip([0, 5, 10, 15]);
        let sides = self.sides.into_iter().zip([20, 22, 24, 26]);
        let variance = u32::from(self.variance) << 28;
        corners.fold(variance, |tag, (step, shift)| tag | u32::from(step) << shift)
            | sides.fold(0, |tag, (neighbour, shift)| tag | (neighbour as u32) << shift)
    }

    /// The weight of a vertex, from 0 to 1.
    pub fn weight(&self, GridVertex { i, j, cells: n }: GridVertex) -> f32 {
        let mut ends = [i == 0, i == n, j == 0, j == n].into_iter().zip(self.sides);
        // The weights at corners already depend on the neighbours there.
        let is_corner = (i == 0 || i == n) && (j == 0 || j == n);
        match ends.find(|(at_end, _)| *at_end && !is_corner) {
            Some((_, Neighbour::Coarser)) => return 1.0,
            Some((_, Neighbour::Finer)) => return 0.0,
            _ => {}
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
        let sides = [Coarser, Finer, Same, Same];
        let morph = Morph::new([0.5; 4], Neighbours { sides, ..Default::default() }, 0.0);
        let weight = |i, j| morph.weight(GridVertex { i, j, cells: 8 });
        assert_eq!([weight(0, 3), weight(8, 3)], [1.0, 0.0]);
        let others = [weight(0, 0), weight(8, 8), weight(3, 0), weight(3, 3)];
        assert!(others.iter().all(|weight| (weight - 0.5).abs() < 0.02), "{others:?}");
    }

    #[test]
    fn neighbours_at_corners_count_more_than_distances() {
        use Neighbour::{Coarser, Finer, Same};
        let corners = [Coarser, Finer, Same, Same];
        let morph = Morph::new([0.5; 4], Neighbours { corners, ..Default::default() }, 0.0);
        let weight = |i, j| morph.weight(GridVertex { i, j, cells: 8 });
        assert_eq!([weight(0, 0), weight(8, 0)], [1.0, 0.0]);
        assert!((weight(0, 8) - 0.5).abs() < 0.02 && (weight(4, 0) - 0.5).abs() < 0.02);
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
                let mut sides = [Neighbour::Same; 4];
                sides[side] = kind;
                let tag = Morph { sides, ..Morph::default() }.tag();
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
}
