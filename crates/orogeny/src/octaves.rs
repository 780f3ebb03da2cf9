//! Octaves ready to be evaluated, at points and on grids.

use core::array;

use crate::affine::Affine;
use crate::axis::Axis;
use crate::bounds::Bounds;
use crate::grid::{Grid, Samples};
use crate::kind::{Kind, Terms};
use crate::noise::{Basis, LatticeNoise};
use crate::place::Place;
use crate::sample::Sample;

/// One octave.
#[derive(Clone, Debug)]
pub(crate) struct Octave<const N: usize> {
    pub noise: Basis<N>,
    /// What is proven of the noise at its frequency, with amplitude 1.
    pub bounds: Bounds,
    pub place: Place<N>,
    pub amplitude: f32,
    /// The weight of its gradient: 1, or less where it is band-limited.
    pub slope: f32,
    /// How positions are turned before anything else.
    pub rotation: Option<Affine<N>>,
}

/// Octaves and how they make a value: every noise and every fractal.
#[derive(Clone, Debug)]
pub(crate) struct Octaves<const N: usize> {
    pub list: Vec<Octave<N>>,
    pub kind: Kind,
}

impl<const N: usize> Octave<N> {
    /// A noise alone, as it is.
    pub fn alone(noise: Basis<N>, bounds: Bounds) -> Self {
        let place = Place { frequency: 1.0, offset: [0.0; N] };
        Self { noise, bounds, place, amplitude: 1.0, slope: 1.0, rotation: None }
    }

    /// The octave with the gradient that a grid of `spacing` can carry, see [`Field::band_limited`](crate::Field::band_limited).
    fn band_limited(&self, spacing: f64) -> Self {
        // Not a product: limiting twice to one spacing is limiting once.
        let slope = self.slope.min(carried(self.place.frequency * spacing));
        Self { slope, ..self.clone() }
    }

    /// The weight put on the gradient. A factor of 1 changes no bits.
    #[inline(always)]
    fn weighted(&self, sample: Sample<N>) -> Sample<N> {
        Sample { gradient: sample.gradient.map(|g| g * self.slope), ..sample }
    }

    /// `amplitude` times the octave at a point.
    #[inline]
    fn sample(&self, amplitude: f32, p: [f64; N]) -> Sample<N> {
        self.weighted(self.noise_at(amplitude, p))
    }

    /// `amplitude` times the noise at a point, with its whole gradient.
    #[inline]
    pub fn noise_at(&self, amplitude: f32, p: [f64; N]) -> Sample<N> {
        let sample = |p| match &self.noise {
            Basis::Lattice(noise) => noise.sample(&self.place, amplitude, p),
            Basis::Simplex(noise) => noise.sample(&self.place, p) * amplitude,
            Basis::Cellular(noise) => noise.sample(&self.place, p) * amplitude,
        };
        match &self.rotation {
            None => sample(p),
            Some(rotation) => rotation.pull_back(sample(rotation.apply(p))),
        }
    }

    /// The noise, where a grid can share the work of its columns and rows.
    fn separable(&self) -> Option<&LatticeNoise<N>> {
        match &self.noise {
            Basis::Lattice(noise) if self.rotation.is_none() && noise.is_separable() => Some(noise),
            _ => None,
        }
    }

    /// Visits `amplitude` times the octave at every point of a grid, with the bits of [`sample`](Self::sample). `axes` is scratch.
    fn visit(
        &self,
        amplitude: f32,
        grid: &Grid<N>,
        axes: &mut Vec<Axis>,
        mut visit: impl FnMut(usize, Sample<N>),
    ) {
        let Some(noise) = self.separable() else {
            grid.points().enumerate().for_each(|(i, p)| visit(i, self.sample(amplitude, p)));
            return;
        };
        axes.clear();
        for k in 0..N {
            let positions = (0..grid.size[k]).map(|i| grid.coordinate(k, i));
            noise.tabulate(&self.place, k, positions, axes);
        }
        let start: [usize; N] = array::from_fn(|k| grid.size[..k].iter().sum());
        let columns = grid.size[0];
        for (row, index) in grid.rows().enumerate() {
            let point = array::from_fn(|k| &axes[start[k] + index[k]]);
            noise.blend_row(amplitude, &axes[..columns], point, |column, sample| {
                visit(row * columns + column, self.weighted(sample));
            });
        }
    }
}

/// How much of the slope of features a grid carries, by the cells of noise from one of its points to the next.
fn carried(cells: f64) -> f32 {
    let s = (2.0 - 4.0 * cells).clamp(0.0, 1.0);
    (s * s * (3.0 - 2.0 * s)) as f32
}

impl<const N: usize> Octaves<N> {
    /// Every octave with the gradient that a grid of `spacing` can carry.
    pub fn band_limited(&self, spacing: f64) -> Self {
        let list = self.list.iter().map(|octave| octave.band_limited(spacing)).collect();
        Self { list, kind: self.kind }
    }

    /// The value at one point. Outside the domain it is NaN.
    pub fn sample(&self, p: [f64; N]) -> Sample<N> {
        let mut terms = Terms::new(self.kind);
        // Not a sum that starts at zero: 0 + -0 would lose the sign that a grid keeps.
        self.list
            .iter()
            .map(|octave| match self.kind {
                // The amplitude is folded into the lattice where octaves are simply summed.
                Kind::Fbm => octave.sample(octave.amplitude, p),
                _ => terms.next(octave.sample(1.0, p), octave.amplitude),
            })
            .reduce(|sum, term| sum + term)
            .unwrap_or_default()
    }

    /// The values on a grid: the bits of [`sample`](Self::sample).
    pub fn fill(&self, grid: &Grid<N>, out: &mut Samples<N>) {
        out.reset(grid.len());
        if grid.is_empty() {
            return;
        }
        let mut axes = core::mem::take(&mut out.axes);
        match self.kind {
            Kind::Fbm => {
                for (i, octave) in self.list.iter().enumerate() {
                    octave.visit(octave.amplitude, grid, &mut axes, |at, noise| {
                        out.set(at, if i == 0 { noise } else { out.get(at) + noise });
                    });
                }
            }
            kind => out.with_spares(1, |out, spares| {
                let weights = &mut spares[0];
                weights.reset(grid.len());
                for (i, octave) in self.list.iter().enumerate() {
                    octave.visit(1.0, grid, &mut axes, |at, noise| {
                        let mut terms = Terms::new(kind);
                        terms.weight = (i > 0).then(|| weights.get(at));
                        let term = terms.next(noise, octave.amplitude);
                        weights.set(at, terms.weight.unwrap_or_default());
                        out.set(at, if i == 0 { term } else { out.get(at) + term });
                    });
                }
            }),
        }
        out.axes = axes;
    }
}
