//! Gradient noise (Perlin noise) and value noise: their parameters and validation.

use crate::error::DataError;
use crate::lattice::fade::Fade;
use crate::lattice::{
    Gradients, Lattice, LatticeGrid, LatticeValues, Permutation, PermutationTable, Tables,
};
use crate::limits::{GIVEN, LATTICE_POINTS, PERIOD};

/// Gradient noise and value noise on the integer lattice, in one to four dimensions. Its four
/// settings produce all the variants known as Perlin noise.
///
/// Each lattice point c has a gradient g_c and a value v_c. With t = p - floor(p) and the fade u,
///
/// n(p) = sum over the corners c of the cell of W_c(t) (v_c + g_c . (t - c)), W_c = product over
/// axes k of (c_k = 1: u(t_k), c_k = 0: 1 - u(t_k)),
///
/// The gradient is the derivative of this formula. Well-known settings have constructors:
///
/// | | lattice | gradients | fade | values |
/// |---|---|---|---|---|
/// | `default` | hash | even unit vectors | quintic | zero |
/// | [`improved`](Self::improved) (Perlin 2002) | Perlin's permutation | edges, bit rule | quintic | zero |
/// | [`classic`](Self::classic) (Perlin 1985) | shuffled permutation | random unit vectors | cubic | zero |
/// | [`square`](Self::square) (Jonsson 2002) | shuffled permutation | uniform in the square | cubic | zero |
/// | [`diagonal`](Self::diagonal) | Perlin's permutation | diagonals | quintic | zero |
/// | [`value`](Self::value) | hash | | quintic | alone |
/// | [`grid`](Self::grid) (CMSC 425) | explicit | explicit | quintic | added, if there are any |
///
/// * Range, slope and curvature: see [`Tree`](crate::Tree#bounds). Gradient noise of unit gradients
///   is between -sqrt(N) / 2 and sqrt(N) / 2, +-0.7071 in two dimensions, and 0 at lattice points.
/// * Smoothness: that of the [`Fade`]. Only with `Linear` is the gradient not continuous.
/// * Period: none for the hashed lattice, which takes 64-bit coordinates and a 64-bit seed; 256 for
///   a permutation; the size of a grid.
/// * Domain: coordinates up to [`MAX_CELL`](crate::lattice::MAX_CELL) from zero, NaN beyond.
///
/// Sources: Ken Perlin, "An Image Synthesizer", SIGGRAPH 1985, and "Improving Noise",
/// SIGGRAPH 2002.
///
/// ```
/// use orogeny::{Field, GradientNoise, Node};
///
/// let noise = Node::from(GradientNoise::<3>::improved()).build()?;
/// let here = noise.sample([3.14, 42.0, 7.0]);
/// // The published value of the reference implementation.
/// assert!((here.value - 0.136_919_96).abs() < 1e-6);
/// let right = noise.value([3.1401, 42.0, 7.0]);
/// assert!(((right - here.value) / 0.0001 - here.gradient[0]).abs() < 0.01);
/// # Ok::<(), orogeny::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, bound = ""))]
#[cfg_attr(feature = "describe", derive(documented::DocumentedFields))]
pub struct GradientNoise<const N: usize> {
    /// The seed. Different seeds give unrelated noise.
    pub seed: u64,
    /// The source of gradients and values.
    pub lattice: Lattice<N>,
    /// The set of gradients. An explicit grid has its own.
    pub gradients: Gradients<N>,
    /// The blend between lattice points.
    pub fade: Fade,
    /// Whether to interpolate gradients, values, or both.
    pub values: LatticeValues,
    /// The number of cells after which the noise repeats along each axis, 0 to 2^31; 0 means no
    /// period. An explicit grid repeats after its own size: leave it 0. A permutation repeats after
    /// 256 cells anyway: use a divisor of 256, since any other period cuts it off.
    #[cfg_attr(feature = "serde", serde(with = "serde_with::As::<[serde_with::Same; N]>"))]
    pub period: [u32; N],
}

impl<const N: usize> Default for GradientNoise<N> {
    fn default() -> Self {
        Self {
            seed: 0,
            lattice: Lattice::Hash,
            gradients: Gradients::Even,
            fade: Fade::Quintic,
            values: LatticeValues::Zero,
            period: [0; N],
        }
    }
}

impl<const N: usize> GradientNoise<N> {
    /// The default noise with another seed.
    pub fn seeded(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    /// Improved noise: for N = 3, Ken Perlin's reference implementation of 2002.
    pub fn improved() -> Self {
        Self {
            lattice: Lattice::Permutation(Permutation::default()),
            gradients: Gradients::Edges,
            ..Self::default()
        }
    }

    /// Classic noise: that of Perlin's C program of 1985, with other random numbers. In three
    /// dimensions the last coordinate is only added to the index.
    pub fn classic(seed: u64) -> Self {
        let table = PermutationTable::Shuffled;
        // In one dimension the program has uniform gradients in (-1, 1).
        let gradients = if N == 1 { Gradients::Square } else { Gradients::Unit };
        Self {
            seed,
            lattice: Lattice::Permutation(Permutation { table, last_added: N == 3 }),
            gradients,
            fade: Fade::Cubic,
            ..Self::default()
        }
    }

    /// Uniform gradients in the square and the cubic fade (Andreas Jonsson, "Generating Perlin
    /// Noise", 2002).
    pub fn square(seed: u64) -> Self {
        Self { gradients: Gradients::Square, ..Self::classic(seed) }
    }

    /// The diagonals of a cell as gradients, selected by Perlin's permutation.
    pub fn diagonal() -> Self {
        Self { gradients: Gradients::Diagonals, ..Self::improved() }
    }

    /// Value noise: random values from -1 to 1, blended.
    pub fn value(seed: u64) -> Self {
        Self { seed, values: LatticeValues::Alone, ..Self::default() }
    }

    /// The noise of an explicit lattice, with its values if it has any.
    pub fn grid(grid: LatticeGrid<N>) -> Self {
        let values = match (grid.gradients.is_empty(), grid.values.is_empty()) {
            (_, true) => LatticeValues::Zero,
            (true, false) => LatticeValues::Alone,
            (false, false) => LatticeValues::Added,
        };
        Self { lattice: Lattice::Grid(grid), values, ..Self::default() }
    }

    pub(crate) fn has_gradients(&self) -> bool {
        matches!(self.values, LatticeValues::Zero | LatticeValues::Added)
    }

    pub(crate) fn has_values(&self) -> bool {
        self.values != LatticeValues::Zero
    }

    pub(crate) fn check(&self) -> Result<(), DataError> {
        check_period(&self.period)?;
        if let Gradients::Table(table) = &self.gradients {
            let wrong = |e| DataError::at("gradients.Table", e);
            LATTICE_POINTS.check(table.len() as f64).map_err(wrong)?;
            check_numbers("gradients.Table", table.as_flattened())?;
        }
        match &self.lattice {
            Lattice::Hash => Ok(()),
            Lattice::Permutation(permutation) => {
                permutation.table.fault().map_or(Ok(()), |fault| {
                    let problem =
                        format!("{fault}, but must hold each of the numbers 0 to 255 once");
                    Err(DataError::at("lattice.Permutation.table.Given", problem))
                })
            }
            Lattice::Grid(grid) => self.check_grid(grid),
        }
    }

    fn check_grid(&self, grid: &LatticeGrid<N>) -> Result<(), DataError> {
        if self.period != [0; N] {
            let problem = format!("is {:?}, but must be 0: a grid has its own", self.period);
            return Err(DataError::at("period", problem));
        }
        let points = grid.points().ok_or_else(|| {
            let problem = format!("is {:?}, but must make {LATTICE_POINTS} points", grid.size);
            DataError::at("lattice.Grid.size", problem)
        })?;
        let lists = [
            ("gradients", grid.gradients.as_flattened(), N * points, self.has_gradients()),
            ("values", &grid.values, points, self.has_values()),
        ];
        for (name, numbers, len, used) in lists {
            let path = format!("lattice.Grid.{name}");
            if !used && !numbers.is_empty() {
                let problem = format!("are given, but values: {:?} does not use them", self.values);
                return Err(DataError::at(path, problem));
            }
            if used && numbers.len() != len {
                let problem =
                    format!("hold {} numbers, but the size asks for {len}", numbers.len());
                return Err(DataError::at(path, problem));
            }
            check_numbers(&path, numbers)?;
        }
        Ok(())
    }

    /// The number of explicit lattice points and table gradients.
    pub(crate) fn points(&self) -> usize {
        let table = match &self.gradients {
            Gradients::Table(table) => table.len(),
            _ => 0,
        };
        match &self.lattice {
            Lattice::Grid(grid) => table + grid.points().unwrap_or(0),
            _ => table,
        }
    }
}

impl<const N: usize> Tables<N> {
    pub(crate) fn new(noise: &GradientNoise<N>) -> Self {
        let gradients =
            if noise.has_gradients() { noise.gradients.table() } else { [[0.0; N]].into() };
        match &noise.lattice {
            Lattice::Grid(grid) => Self { gradients, corners: grid.corners() },
            _ => Self::of(gradients),
        }
    }
}

/// Checks the periods along all axes.
pub(crate) fn check_period(period: &[u32]) -> Result<(), DataError> {
    for (k, &cells) in period.iter().enumerate() {
        let wrong = |e| DataError::at(format!("period[{k}]"), e);
        PERIOD.check(cells.into()).map_err(wrong)?;
    }
    Ok(())
}

fn check_numbers(path: &str, numbers: &[f32]) -> Result<(), DataError> {
    for (i, &number) in numbers.iter().enumerate() {
        let wrong = |e| DataError::at(format!("{path}[{i}]"), e);
        GIVEN.check(number.into()).map_err(wrong)?;
    }
    Ok(())
}
