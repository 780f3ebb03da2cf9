//! A lattice of any kind, with its period: the lattice that lattice noise evaluates.

use core::array;

use crate::lattice::axis::wrap;
use crate::lattice::{CornerLookup, CornerRule, Explicit, Hashed, Permuted, Points};

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

impl<const N: usize> CornerLookup for AnyLattice<N> {
    fn line(&self, axis: usize, cell: i64) -> u32 {
        let cell = wrap(cell, self.period[axis]);
        with_points!(&self.points, points => points.line(axis, cell))
    }

    fn corners(&self, lines: &[&[u32]], has_values: bool, out: &mut [&mut [f32]]) {
        with_points!(&self.points, points => look_up(points, lines, has_values, out));
    }
}

fn look_up<const N: usize>(
    points: &impl Points<N>,
    lines: &[&[u32]],
    has_values: bool,
    out: &mut [&mut [f32]],
) {
    let Some((values, gradients)) = out.split_last_mut() else { return };
    // Slices of one length need no bounds checks in the loop.
    let len = values.len();
    let lines: [&[u32]; N] = array::from_fn(|k| &lines[k][..len]);
    let mut gradients = gradients.iter_mut();
    let mut gradients: [&mut [f32]; N] =
        array::from_fn(|_| gradients.next().map_or(&mut [][..], |part| &mut part[..len]));
    for i in 0..len {
        let corner = points.corner(array::from_fn(|k| lines[k][i]), has_values);
        values[i] = corner.value;
        for (out, component) in gradients.iter_mut().zip(corner.gradient) {
            out[i] = component;
        }
    }
}
