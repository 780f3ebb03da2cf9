//! The reusable buffers of the kernel: tables of all octaves, and accumulators.

use alloc::vec::Vec;

use fearless_simd::Simd;

use crate::kernel::corners::{Directions, PreparedCorners};
use crate::kernel::lattice::axis_table::AxisTable;
use crate::kernel::lattice::row::{CellPolynomial, OffsetLanes};
use crate::kernel::octave::{LatticeOctave, OctaveTerm, Rotation};
use crate::kernel::pointwise::AxisCells;
use crate::kernel::{Coordinates, MAX_DIMENSIONS};
use crate::simd::{self, Level};

/// The buffers and the SIMD level of a fill.
#[derive(Clone, Debug)]
pub(crate) struct KernelTables {
    pub level: Level,
    pub(super) octaves: Vec<OctaveTable>,
    /// The sums of a strip, and the weights of its octaves.
    pub(super) accumulators: [Vec<f32>; 2],
    /// The columns and rows of a grid of simplex or cellular noise.
    pub(super) axes: [AxisCells; 2],
    /// The coordinates of a block of points, and the same rotated for an octave.
    pub(super) block: [[Coordinates; MAX_DIMENSIONS]; 2],
}

impl Default for KernelTables {
    /// For the widest vectors of this CPU.
    fn default() -> Self {
        Self {
            level: simd::best(),
            octaves: Vec::new(),
            accumulators: Default::default(),
            axes: Default::default(),
            block: [const { [const { Coordinates::new() }; MAX_DIMENSIONS] }; 2],
        }
    }
}

impl KernelTables {
    /// Makes space for `count` octaves.
    pub(super) fn prepare(&mut self, count: usize) {
        if self.octaves.len() < count {
            self.octaves.resize_with(count, OctaveTable::default);
        }
    }
}

/// One octave over a grid or a block of points.
#[derive(Clone, Debug, Default)]
pub(super) struct OctaveTable {
    pub columns: AxisTable,
    pub rows: AxisTable,
    /// The third and the fourth axis, if there are so many.
    pub further: [AxisTable; 2],
    pub parameters: OctaveParameters,
}

/// The parameters of an octave, see [`LatticeOctave`].
#[derive(Clone, Debug, Default)]
pub(super) struct OctaveParameters {
    /// The first octave overwrites the accumulators.
    pub first: bool,
    pub corners: PreparedCorners,
    pub has_values: bool,
    pub slope: f32,
    pub term: Option<(OctaveTerm, f32)>,
    pub rotation: Option<Rotation>,
}

impl OctaveParameters {
    fn new(octave: &LatticeOctave, first: bool) -> Self {
        let &LatticeOctave { has_values, slope, term, rotation, .. } = octave;
        let corners = PreparedCorners::new(octave);
        Self { first, corners, has_values, slope, term, rotation }
    }

    /// The even directions, if corners have no values: the lattice of the default noise.
    pub fn directions(&self) -> Option<&Directions> {
        match &self.corners {
            PreparedCorners::Directions { gradients, .. } if !self.has_values => Some(gradients),
            _ => None,
        }
    }

    /// The derivatives of noise along x and z at a row or at points, filtered and rotated back.
    #[inline(always)]
    pub fn gradient<S: Simd>(
        &self,
        cell: &CellPolynomial<S>,
        offset: &OffsetLanes<S>,
    ) -> [S::f32s; 2] {
        let mut gradient = [cell.dx(offset), cell.dz(offset)];
        if let Some(rotation) = &self.rotation {
            gradient = rotation.pull_back::<S, 2>(gradient);
        }
        [gradient[0] * self.slope, gradient[1] * self.slope]
    }

    /// Whether the octave does not change the derivatives of the sum.
    pub fn is_flat(&self) -> bool {
        self.slope == 0.0 && self.term.is_none()
    }
}

impl OctaveTable {
    /// Fills the tables of both axes. `second` asks for the second derivatives of weights, too.
    pub fn fill<S: Simd>(
        &mut self,
        simd: S,
        octave: &LatticeOctave,
        first: bool,
        coordinates: &[Coordinates],
        second: bool,
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                self.parameters = OctaveParameters::new(octave, first);
                let [third, fourth] = &mut self.further;
                let axes = [&mut self.columns, &mut self.rows, third, fourth];
                for (axis, (table, list)) in axes.into_iter().zip(coordinates).enumerate() {
                    table.fill(simd, octave, axis, list);
                    if second {
                        table.fill_second(octave.fade);
                    }
                }
            },
        );
    }
}
