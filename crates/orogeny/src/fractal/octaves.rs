//! Octaves ready to be evaluated, at points and on grids.

use core::array;

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::{Dual, outside};
use crate::derivative::sample::Sample;
use crate::fractal::fractal_kind::{Damped, FractalKind, Terms};
use crate::kernel;
use crate::lattice::place::Place;
use crate::node::ops::affine::Affine;
use crate::noise::{Basis, LatticeNoise};
use crate::samples::grid::{Grid, Places};
use crate::samples::{Buffer, Samples};

/// One octave.
#[derive(Clone, Debug)]
pub(crate) struct Octave<const N: usize> {
    pub noise: Basis<N>,
    /// What is proven of the noise at its frequency, with amplitude 1.
    pub bounds: Bounds,
    pub place: Place<N>,
    pub amplitude: f32,
    /// The factor of its slope in damping.
    pub share: f32,
    /// The weight of its gradient: 1, or less where it is band-limited.
    pub slope: f32,
    /// How positions are turned before anything else.
    pub rotation: Option<Affine<N>>,
}

/// Octaves and how they make a value: every noise and every fractal.
#[derive(Clone, Debug)]
pub(crate) struct Octaves<const N: usize> {
    pub list: Vec<Octave<N>>,
    pub kind: FractalKind,
}

impl<const N: usize> Octave<N> {
    /// A noise alone, as it is.
    pub fn alone(noise: Basis<N>, bounds: Bounds) -> Self {
        let place = Place { frequency: 1.0, offset: [0.0; N] };
        Self { noise, bounds, place, amplitude: 1.0, share: 0.0, slope: 1.0, rotation: None }
    }

    /// The octave with the gradient that a grid of `spacing` can carry, see
    /// [`Field::band_limited`](crate::Field::band_limited).
    fn band_limited(&self, spacing: f64) -> Self {
        // Not a product: limiting twice to one spacing is limiting once.
        let slope = self.slope.min(carried(self.place.frequency * spacing));
        Self { slope, ..self.clone() }
    }

    /// `amplitude` times the octave at a point.
    #[inline]
    fn at<T: Dual<N>>(&self, amplitude: f32, p: [f64; N]) -> T {
        self.noise_at::<T>(amplitude, p).weighted(self.slope)
    }

    /// `amplitude` times the noise at a point, with its whole derivatives.
    #[inline]
    pub fn noise_at<T: Dual<N>>(&self, amplitude: f32, p: [f64; N]) -> T {
        match &self.rotation {
            None => self.straight_at(amplitude, p),
            Some(rotation) => {
                rotation.pull_back(self.straight_at::<T>(amplitude, rotation.apply(p)))
            }
        }
    }

    /// The same without the rotation.
    #[inline]
    fn straight_at<T: Dual<N>>(&self, amplitude: f32, p: [f64; N]) -> T {
        T::of_noise(&self.noise, &self.place, amplitude, p)
    }

    /// The noise, where a grid can share the work of its columns and rows.
    fn separable(&self) -> Option<&LatticeNoise<N>> {
        match &self.noise {
            Basis::Lattice(noise) if noise.is_separable() => Some(noise),
            _ => None,
        }
    }

    /// The octave for the kernel, where it can serve it.
    fn in_plane(&self, amplitude: f32) -> Option<kernel::Octave<'_>> {
        let noise = self.separable().filter(|_| N == 2 && self.rotation.is_none())?;
        Some(noise.in_plane(&self.place, amplitude, self.slope))
    }

    /// `amplitude` times the noise in many places, with `slope` times its derivatives: with its own
    /// weight, the bits of [`at`](Self::at).
    pub fn fill<B: Buffer<N>>(&self, amplitude: f32, slope: f32, places: Places<N>, out: &mut B) {
        let Some(rotation) = &self.rotation else {
            return self.fill_straight(amplitude, slope, places, out);
        };
        out.with_spares(1, |out, spares| {
            let moved = |_, p| rotation.apply(p);
            out.evaluate_moved(&mut spares[0], places, moved, |places, out| {
                self.fill_straight(amplitude, 1.0, places, out);
            });
            out.update(|found| rotation.pull_back(found).weighted(slope));
        });
    }

    /// The same without the rotation, and with a given weight of the derivatives.
    fn fill_straight<B: Buffer<N>>(
        &self,
        amplitude: f32,
        slope: f32,
        places: Places<N>,
        out: &mut B,
    ) {
        match (self.separable(), places) {
            (Some(noise), places) if N == 2 => {
                sum_in_plane(1, &|_| noise.in_plane(&self.place, amplitude, slope), places, out);
            }
            (Some(noise), Places::Grid(grid)) if out.as_samples().is_some() => {
                let Some(out) = out.as_samples() else { return };
                self.fill_rows(noise, amplitude, slope, grid, out);
            }
            _ => {
                out.resize(places.len());
                let pointwise = self.pointwise().zip(out.as_samples());
                let Some((noise, out)) = pointwise else {
                    let at = |p| self.straight_at::<B::Item>(amplitude, p).weighted(slope);
                    return places.visit(|i, p| out.set(i, at(p)));
                };
                fill_pointwise(&noise, &|p| self.straight_at(1.0, p), places, out);
                out.update(|found| (found * amplitude).weighted(slope));
            }
        }
    }

    /// The noise for the kernel, where it shares nothing between points.
    fn pointwise(&self) -> Option<kernel::Pointwise> {
        match &self.noise {
            _ if N != 2 => None,
            Basis::Lattice(_) => None,
            Basis::Simplex(noise) => Some(noise.in_plane(&self.place)),
            Basis::Cellular(noise) => noise.in_plane(&self.place),
        }
    }

    /// The same for a noise that shares the work of its columns and rows.
    fn fill_rows(
        &self,
        noise: &LatticeNoise<N>,
        amplitude: f32,
        slope: f32,
        grid: &Grid<N>,
        out: &mut Samples<N>,
    ) {
        Buffer::resize(out, grid.len());
        let mut axes = core::mem::take(&mut out.axes);
        axes.clear();
        for k in 0..N {
            let positions = (0..grid.size[k]).map(|i| grid.coordinate(k, i));
            noise.tabulate(&self.place, k, positions, &mut axes);
        }
        let start: [usize; N] = array::from_fn(|k| grid.size[..k].iter().sum());
        let columns = grid.size[0];
        for (row, index) in grid.rows().enumerate() {
            let point = array::from_fn(|k| &axes[start[k] + index[k]]);
            noise.blend_row(amplitude, &axes[..columns], point, |column, sample| {
                Buffer::set(out, row * columns + column, sample.weighted(slope));
            });
        }
        out.axes = axes;
    }
}

/// How much of the slope of features a grid carries, by the cells of noise from one of its points
/// to the next.
pub(crate) fn carried(cells: f64) -> f32 {
    let s = (2.0 - 4.0 * cells).clamp(0.0, 1.0);
    (s * s * (3.0 - 2.0 * s)) as f32
}

impl<const N: usize> Octaves<N> {
    /// Every octave with the gradient that a grid of `spacing` can carry.
    pub fn band_limited(&self, spacing: f64) -> Self {
        let list = self.list.iter().map(|octave| octave.band_limited(spacing)).collect();
        Self { list, kind: self.kind }
    }

    /// The fractal at one point. Outside the domain it is NaN.
    pub fn at<T: Dual<N>>(&self, p: [f64; N]) -> T {
        if let FractalKind::Damped(Damped { strength }) = self.kind {
            return outside(self.damped::<T>(strength, p));
        }
        let mut terms = Terms::new(self.kind);
        // Not a sum that starts at zero: 0 + -0 would lose the sign that a grid keeps.
        self.list
            .iter()
            .map(|octave| match self.kind {
                // The amplitude is folded into the lattice where octaves are simply summed.
                FractalKind::Fbm => octave.at::<T>(octave.amplitude, p),
                _ => terms.next(octave.at::<T>(1.0, p), octave.amplitude),
            })
            .reduce(|sum, term| sum + term)
            .map(outside)
            .unwrap_or_default()
    }

    /// The fractal in many places: the bits of [`at`](Self::at).
    pub fn evaluate<B: Buffer<N>>(&self, places: Places<N>, out: &mut B) {
        // Octaves that are turned come last.
        let count = (0..self.list.len()).take_while(|&i| self.in_plane(i).is_some()).count();
        // The kernel has no second derivatives of shaped octaves.
        let is_plain = matches!(self.kind, FractalKind::Fbm);
        let summed = is_plain || out.as_samples().is_some();
        match self.kind {
            _ if places.len() == 0 => out.resize(0),
            FractalKind::Damped(Damped { strength }) => {
                out.resize(places.len());
                match out.as_samples() {
                    Some(out) => self.fill_damped(strength, places, out),
                    None => places.visit(|i, p| out.set(i, self.at(p))),
                }
            }
            _ if summed && count == self.list.len() => self.sum_in_plane(count, places, out),
            FractalKind::Fbm => {
                if count > 0 {
                    self.sum_in_plane(count, places, out);
                } else {
                    out.set_all(places.len(), B::Item::NOTHING);
                }
                for octave in &self.list[count..] {
                    let fill =
                        |out: &mut _| octave.fill(octave.amplitude, octave.slope, places, out);
                    out.combine(fill, |sum, octave| sum + octave);
                }
            }
            kind => out.with_spares(2, |out, spares| {
                let [noise, weights] = spares else { return };
                weights.resize(places.len());
                out.set_all(places.len(), B::Item::NOTHING);
                for (i, octave) in self.list.iter().enumerate() {
                    octave.fill(1.0, octave.slope, places, noise);
                    add_terms(kind, i == 0, octave.amplitude, out, weights, noise);
                }
            }),
        }
        // Of octaves without a slope nothing tells where the domain ends.
        let flat = self.list.iter().any(|octave| octave.slope == 0.0);
        if flat && out.has_gradients() && any_nan(out.values()) {
            out.update(outside);
        }
    }

    /// Octave i for the kernel, where it can serve it, with the term that the fractal makes of it.
    fn in_plane(&self, i: usize) -> Option<kernel::Octave<'_>> {
        let octave = &self.list[i];
        match self.kind {
            FractalKind::Fbm => octave.in_plane(octave.amplitude),
            kind => {
                let shape = Some((kind, octave.amplitude));
                Some(kernel::Octave { shape, ..octave.in_plane(1.0)? })
            }
        }
    }

    /// The first octaves, by the kernel.
    fn sum_in_plane<B: Buffer<N>>(&self, count: usize, places: Places<N>, out: &mut B) {
        let octave = |i| self.in_plane(i).expect("the first ones are in the plane");
        sum_in_plane(count, &octave, places, out);
    }
}

/// Looks at all of them, which goes in vectors.
fn any_nan(numbers: &[f32]) -> bool {
    numbers.iter().fold(false, |any, x| any | x.is_nan())
}

/// Adds the terms that a fractal makes of an octave.
fn add_terms<const N: usize, B: Buffer<N>>(
    kind: FractalKind,
    first: bool,
    amplitude: f32,
    out: &mut B,
    weights: &mut B,
    noise: &B,
) {
    // A loop for each, so that the compiler makes vectors of it.
    match kind {
        FractalKind::Fbm
        | FractalKind::Damped(_)
        | FractalKind::Turbulence
        | FractalKind::Billow
        | FractalKind::PingPong(_) => {
            out.join([noise], |sum, [noise]| sum + Terms::new(kind).next(noise, amplitude));
        }
        FractalKind::Ridged(_) | FractalKind::Hybrid(_) => {
            out.join_both(weights, noise, |sum, weight, noise| {
                let mut terms = Terms::new(kind);
                terms.weight = if first { None } else { Some(weight) };
                let term = terms.next(noise, amplitude);
                [sum + term, terms.weight.unwrap_or_default()]
            })
        }
    }
}

/// The sum of octaves that the kernel serves.
fn sum_in_plane<'a, const N: usize, B: Buffer<N>>(
    count: usize,
    octave: &dyn Fn(usize) -> kernel::Octave<'a>,
    places: Places<N>,
    out: &mut B,
) {
    out.resize(places.len());
    out.with_target(places, |places, tables, target| {
        kernel::fill(count, octave, places, tables, target);
    });
}

/// Noise that shares nothing between points; that of points far out is asked of `far`.
fn fill_pointwise<const N: usize>(
    noise: &kernel::Pointwise,
    far: &dyn Fn([f64; N]) -> Sample<N>,
    places: Places<N>,
    out: &mut Samples<N>,
) {
    let far = |i| {
        let Sample { value, gradient } = far(places.at(i));
        Sample { value, gradient: array::from_fn(|k| gradient[k]) }
    };
    out.with_target(places, |places, tables, mut target| {
        kernel::fill_pointwise(noise, places, tables.level, &mut target, &far);
    });
}
