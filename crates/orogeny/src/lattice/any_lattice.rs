//! A lattice of any kind, with its period: the lattice that lattice noise evaluates.

use core::array;

use crate::lattice::axis::wrap;
use crate::lattice::{Corner, CornerRule, Explicit, Hashed, Permuted, PlaneLattice, Points};

/// A lattice of any kind, before its period.
#[derive(Clone, Debug)]
pub(crate) enum AnyPoints<const N: usize> {
    Hashed(Hashed<N>),
    Permuted(Permuted<N>),
    Explicit(Explicit<N>),
}

/// A lattice of any kind that repeats after `period` cells along each axis. 0 means no period.
#[derive(Clone, Debug)]
pub(crate) struct AnyLattice<const N: usize> {
    pub points: AnyPoints<N>,
    pub period: [u32; N],
}

/// Evaluates an expression for the lattice, compiled once for each kind.
macro_rules! with_points {
    ($any:expr, $points:ident => $run:expr) => {
        match $any {
            $crate::lattice::AnyPoints::Hashed($points) => $run,
            $crate::lattice::AnyPoints::Permuted($points) => $run,
            $crate::lattice::AnyPoints::Explicit($points) => $run,
        }
    };
}
pub(crate) use with_points;

impl<const N: usize> AnyLattice<N> {
    /// How SIMD code computes corners.
    pub fn rule(&self) -> CornerRule {
        match &self.points {
            AnyPoints::Hashed(points) => points.rule,
            AnyPoints::Permuted(_) | AnyPoints::Explicit(_) => CornerRule::LookUp,
        }
    }
}

impl<const N: usize> PlaneLattice for AnyLattice<N> {
    fn line(&self, axis: usize, cell: i64) -> u32 {
        let cell = wrap(cell, self.period[axis]);
        with_points!(&self.points, points => points.line(axis, cell))
    }

    fn corner(&self, lines: [u32; 2], has_values: bool) -> Corner<2> {
        let lines = array::from_fn(|k| lines[k]);
        let Corner { gradient, value } =
            with_points!(&self.points, points => points.corner(lines, has_values));
        Corner { gradient: [gradient[0], gradient[1]], value }
    }
}
