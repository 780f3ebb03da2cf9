//! The basis noises: gradient and value noise, simplex noise, cellular noise.
//!
//! Each has a description with its formula (`GradientNoise`, `Simplex`, `Cellular`) and an
//! evaluator built from it (`LatticeNoise`, `SimplexPoints`, `CellularPoints`). bounds.rs proves
//! their bounds. This module uses lattice/ and derivative/, and passes data for grids in two
//! dimensions to kernel/. Start with `Noise`, then gradient.rs.

pub(crate) mod bounds;
mod cellular;
mod gradient;
mod lattice;
mod simplex;

pub use cellular::{Cellular, CellularOutput, Metric};
pub use gradient::GradientNoise;
pub use simplex::Simplex;

pub(crate) use cellular::CellularPoints;
pub(crate) use lattice::LatticeNoise;
pub(crate) use simplex::SimplexPoints;

use crate::arrays::Each;
use crate::derivative::bounds::Bounds;
use crate::derivative::sample::Sample;
use crate::error::DataError;
use crate::lattice::fade::Fade;
use crate::lattice::{Gradients, LatticeMapping, LatticeValues, Tables};

/// A basis noise at frequency 1. Features are about one unit wide, half that for simplex noise.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum Noise<const N: usize> {
    /// Gradient noise, known as Perlin noise, and value noise.
    Gradient(GradientNoise<N>),
    /// Simplex noise, in two and three dimensions.
    Simplex(Simplex),
    /// Cellular noise, known as Worley noise.
    Cellular(Cellular<N>),
}

impl<const N: usize> Default for Noise<N> {
    fn default() -> Self {
        Self::Gradient(GradientNoise::default())
    }
}

impl<const N: usize> From<GradientNoise<N>> for Noise<N> {
    fn from(noise: GradientNoise<N>) -> Self {
        Self::Gradient(noise)
    }
}

impl<const N: usize> From<Simplex> for Noise<N> {
    fn from(noise: Simplex) -> Self {
        Self::Simplex(noise)
    }
}

impl<const N: usize> From<Cellular<N>> for Noise<N> {
    fn from(noise: Cellular<N>) -> Self {
        Self::Cellular(noise)
    }
}

impl<const N: usize> Noise<N> {
    pub(crate) fn seed(&self) -> u64 {
        match self {
            Noise::Gradient(noise) => noise.seed,
            Noise::Simplex(noise) => noise.seed,
            Noise::Cellular(noise) => noise.seed,
        }
    }

    /// The period along each axis, 0 for none.
    pub(crate) fn period(&self) -> [u32; N] {
        match self {
            Noise::Gradient(noise) => noise.period,
            Noise::Simplex(_) => [0; N],
            Noise::Cellular(noise) => noise.period,
        }
    }

    pub(crate) fn check(&self) -> Result<(), DataError> {
        match self {
            Noise::Gradient(noise) => noise.check().map_err(|e| e.under("Gradient")),
            Noise::Simplex(noise) => noise.check(N).map_err(|e| e.under("Simplex")),
            Noise::Cellular(noise) => noise.check().map_err(|e| e.under("Cellular")),
        }
    }

    /// Proven bounds, see bounds.rs.
    pub(crate) fn bounds(&self) -> Bounds {
        match self {
            Noise::Gradient(noise) => bounds::gradient(noise),
            Noise::Simplex(_) => bounds::simplex(N),
            Noise::Cellular(noise) => bounds::cellular(noise),
        }
    }

    /// Whether the second derivatives are continuous.
    pub(crate) fn is_smooth(&self) -> bool {
        match self {
            Noise::Gradient(noise) => {
                noise.fade == Fade::Quintic && noise.values != LatticeValues::FourPoint
            }
            Noise::Simplex(_) => true,
            Noise::Cellular(_) => false,
        }
    }

    /// The number of explicit lattice points and table gradients.
    pub(crate) fn points(&self) -> usize {
        match self {
            Noise::Gradient(noise) => noise.points(),
            Noise::Simplex(_) | Noise::Cellular(_) => 0,
        }
    }

    /// The tables that all octaves of the noise share.
    pub(crate) fn tables(&self) -> Tables<N> {
        match self {
            Noise::Gradient(noise) => Tables::new(noise),
            Noise::Simplex(_) => Tables::of(Gradients::Even.table()),
            Noise::Cellular(_) => Tables::of([].into()),
        }
    }

    /// Builds the evaluator, with a seed and a period that replace those of the description. The
    /// description must have passed `check`.
    pub(crate) fn build(&self, tables: &Tables<N>, seed: u64, period: [u32; N]) -> Basis<N> {
        match self {
            Noise::Gradient(noise) => {
                Basis::Lattice(LatticeNoise::new(noise, tables, seed, period))
            }
            Noise::Simplex(_) => Basis::Simplex(SimplexPoints::new(tables, seed)),
            Noise::Cellular(noise) => Basis::Cellular(CellularPoints::new(noise, seed, period)),
        }
    }
}

/// A noise, prepared for evaluation.
#[derive(Clone, Debug)]
pub(crate) enum Basis<const N: usize> {
    Lattice(LatticeNoise<N>),
    Simplex(SimplexPoints<N>),
    Cellular(CellularPoints<N>),
}

impl<const N: usize> Basis<N> {
    /// `amplitude` times the noise at p, with its gradient.
    #[inline]
    pub fn sample(&self, mapping: &LatticeMapping<N>, amplitude: f32, p: [f64; N]) -> Sample<N> {
        match self {
            Basis::Lattice(noise) => noise.sample(mapping, amplitude, p),
            Basis::Simplex(noise) => noise.sample(mapping, p) * amplitude,
            Basis::Cellular(noise) => noise.sample(mapping, p) * amplitude,
        }
    }

    /// The second derivatives of [`sample`](Self::sample).
    pub fn hessian(
        &self,
        mapping: &LatticeMapping<N>,
        amplitude: f32,
        p: [f64; N],
    ) -> [[f32; N]; N] {
        let hessian = match self {
            Basis::Lattice(noise) => return noise.hessian(mapping, amplitude, p),
            Basis::Simplex(noise) => noise.hessian(mapping, p),
            Basis::Cellular(noise) => noise.hessian(mapping, p),
        };
        hessian.each(|row| row.each(|second| second * amplitude))
    }
}
