//! Gradient and value noise, evaluated at points, on grids of any dimension, and for the SIMD
//! kernel.

use core::array;

use crate::derivative::sample::Sample;
use crate::kernel::{self, Corners, Plane};
use crate::lattice::axis::{Axis, wrap};
use crate::lattice::fade::Fade;
use crate::lattice::interpolate::{hessian, interpolate};
use crate::lattice::place::Place;
use crate::lattice::{Corner, Explicit, Hashed, Lattice, LatticeValues, Permuted, Points, Tables};
use crate::noise::{GradientNoise, four_point};

/// Gradient or value noise ready to evaluate.
#[derive(Clone, Debug)]
pub(crate) struct LatticeNoise<const N: usize> {
    points: AnyPoints<N>,
    fade: Fade,
    values: LatticeValues,
    period: [u32; N],
}

#[derive(Clone, Debug)]
enum AnyPoints<const N: usize> {
    Hashed(Hashed<N>),
    Permuted(Permuted<N>),
    Explicit(Explicit<N>),
}

/// Evaluates an expression for the lattice's type, compiled once for each.
macro_rules! with_points {
    ($any:expr, $points:ident => $run:expr) => {
        match $any {
            AnyPoints::Hashed($points) => $run,
            AnyPoints::Permuted($points) => $run,
            AnyPoints::Explicit($points) => $run,
        }
    };
}

impl<const N: usize> LatticeNoise<N> {
    pub fn new(noise: &GradientNoise<N>, tables: &Tables<N>, seed: u64, period: [u32; N]) -> Self {
        let gradients = tables.gradients.clone();
        let points = match &noise.lattice {
            Lattice::Hash => AnyPoints::Hashed(Hashed::new(seed, gradients)),
            Lattice::Permutation(p) => AnyPoints::Permuted(Permuted::new(p, seed, gradients)),
            Lattice::Grid(grid) => AnyPoints::Explicit(Explicit::new(grid, tables.corners.clone())),
        };
        Self { points, fade: noise.fade, values: noise.values, period }
    }

    /// Whether grids can share work between columns and between rows.
    pub fn is_separable(&self) -> bool {
        self.values != LatticeValues::FourPoint
    }

    /// `amplitude` times the noise at p, with its gradient.
    #[inline]
    pub fn sample(&self, place: &Place<N>, amplitude: f32, p: [f64; N]) -> Sample<N> {
        with_points!(&self.points, points => {
            if self.values == LatticeValues::FourPoint {
                return four_point::sample(points, place, self.period, p) * amplitude;
            }
            // Not `from_fn`, which is not inlined.
            let mut axes = [Axis::default(); N];
            for (k, axis) in axes.iter_mut().enumerate() {
                *axis = self.axis(points, place, k, p[k]);
            }
            self.blend(points, amplitude, &axes.each_ref())
        })
    }

    /// The second derivatives of [`sample`](Self::sample), for a point inside the domain.
    pub fn hessian(&self, place: &Place<N>, amplitude: f32, p: [f64; N]) -> [[f32; N]; N] {
        with_points!(&self.points, points => {
            if self.values == LatticeValues::FourPoint {
                return four_point::hessian(points, place, self.period, p).map(|row| row.map(|h| h * amplitude));
            }
            let axes: [Axis; N] = array::from_fn(|k| self.axis(points, place, k, p[k]));
            let bends = axes.map(|axis| axis.dt * axis.dt * self.fade.bend(axis.t));
            let heights = self.values != LatticeValues::Zero;
            hessian(&axes.each_ref(), bends, heights, scaled(points, amplitude, heights))
        })
    }

    /// The tables of a grid's columns and rows: what [`blend_row`](Self::blend_row) takes.
    pub fn tabulate(
        &self,
        place: &Place<N>,
        axis: usize,
        positions: impl Iterator<Item = f64>,
        table: &mut Vec<Axis>,
    ) {
        with_points!(&self.points, points => {
            table.extend(positions.map(|position| self.axis(points, place, axis, position)));
        });
    }

    /// A row of a grid: the bits of [`sample`](Self::sample).
    #[inline]
    pub fn blend_row<'a>(
        &self,
        amplitude: f32,
        columns: &'a [Axis],
        mut point: [&'a Axis; N],
        mut visit: impl FnMut(usize, Sample<N>),
    ) {
        with_points!(&self.points, points => {
            for (i, column) in columns.iter().enumerate() {
                point[0] = column;
                visit(i, self.blend(points, amplitude, &point));
            }
        });
    }

    /// An octave for the kernel, in two dimensions: the bits of [`sample`](Self::sample), with the
    /// gradient times `slope`.
    pub fn in_plane(&self, place: &Place<N>, amplitude: f32, slope: f32) -> kernel::Octave<'_> {
        let (keys, corners) = match &self.points {
            AnyPoints::Hashed(points) => {
                let without_period = self.period == [0; N];
                (without_period.then(|| [points.keys[0], points.keys[1]]), points.corners)
            }
            AnyPoints::Permuted(_) | AnyPoints::Explicit(_) => (None, Corners::Listed),
        };
        kernel::Octave {
            frequency: place.frequency,
            offset: [place.offset[0], place.offset[1]],
            fade: self.fade,
            plane: self,
            keys,
            corners,
            heights: self.values != LatticeValues::Zero,
            amplitude,
            slope,
            shape: None,
        }
    }

    #[inline(always)]
    fn axis(&self, points: &impl Points<N>, place: &Place<N>, k: usize, position: f64) -> Axis {
        Axis::new(position, place.frequency, place.offset[k], self.fade, |cell| {
            points.line(k, wrap(cell, self.period[k]))
        })
    }

    #[inline(always)]
    fn blend(&self, points: &impl Points<N>, amplitude: f32, axes: &[&Axis; N]) -> Sample<N> {
        // The amplitude is folded into the corners, not into the result: on a grid that is once a
        // corner instead of once a sample. Two copies of the kernel: gradient noise does not pay
        // for values.
        match self.values {
            LatticeValues::Zero => interpolate(axes, false, scaled(points, amplitude, false)),
            _ => interpolate(axes, true, scaled(points, amplitude, true)),
        }
    }
}

/// The corners of a lattice, times the amplitude.
#[inline(always)]
fn scaled<const N: usize>(
    points: &impl Points<N>,
    amplitude: f32,
    heights: bool,
) -> impl Fn([u32; N]) -> Corner<N> {
    move |lines| {
        let Corner { gradient, height } = points.corner(lines, heights);
        Corner { gradient: gradient.map(|g| g * amplitude), height: height * amplitude }
    }
}

impl<const N: usize> Plane for LatticeNoise<N> {
    fn line(&self, axis: usize, cell: i64) -> u32 {
        let cell = wrap(cell, self.period[axis]);
        with_points!(&self.points, points => points.line(axis, cell))
    }

    fn corner(&self, lines: [u32; 2], heights: bool) -> Corner<2> {
        let lines = array::from_fn(|k| lines[k]);
        let Corner { gradient, height } =
            with_points!(&self.points, points => points.corner(lines, heights));
        Corner { gradient: [gradient[0], gradient[1]], height }
    }
}
