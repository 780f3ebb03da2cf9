//! The trait `Field`, which everything that can be sampled implements, its default methods, and
//! macros for methods that are the same for many types.

use alloc::boxed::Box;
use alloc::sync::Arc;

use crate::derivative::bounds::{Bounds, half_diagonal, times};
use crate::derivative::chain_rule::Differentiated;
use crate::derivative::jet::Jet;
use crate::derivative::sample::Sample;
use crate::samples::positions::Grid;
use crate::samples::{Jets, Samples};

/// A field of any type that threads can share.
pub type SharedField<const N: usize> = Arc<dyn Field<N> + Send + Sync>;

/// The number of samples that `value_grid` and `value_points` evaluate at a time: few enough for
/// the cache.
const CHUNK: usize = 1 << 14;

/// A differentiable scalar field over N dimensions.
///
/// [`sample`](Self::sample) is the only required method. The provided methods return the same bits
/// as `sample`, and so must any implementation that replaces them. Then a mesh filled from a grid
/// and a query at one of its vertices agree exactly.
///
/// # Your own field
///
/// ```
/// use orogeny::{Field, Sample};
///
/// /// A ramp that rises by `slope` for each unit of x.
/// struct Ramp {
///     slope: f32,
/// }
///
/// impl Field<2> for Ramp {
///     fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
///         Sample { value: (f64::from(self.slope) * x) as f32, gradient: [self.slope, 0.0] }
///     }
/// }
///
/// assert_eq!(Ramp { slope: 0.5 }.value([4.0, 0.0]), 2.0);
/// ```
pub trait Field<const N: usize> {
    /// The value and the exact gradient at `p`.
    ///
    /// Every field has a domain, see its documentation. Outside its domain, and at coordinates that
    /// are not finite, the sample is [`Sample::OUTSIDE`], which is NaN: it neither panics nor
    /// clamps.
    fn sample(&self, p: [f64; N]) -> Sample<N>;

    /// The value only: the same bits as `self.sample(p).value`.
    fn value(&self, p: [f64; N]) -> f32 {
        self.sample(p).value
    }

    /// Writes the value at every point of `grid`, in the order of [`Grid::points`], to a slice.
    ///
    /// It allocates a buffer for some thousand samples. To allocate nothing, keep a buffer of
    /// [values only](Samples::values_only) and call [`sample_grid`](Self::sample_grid).
    ///
    /// # Panics
    /// If `out` is not as long as the grid.
    fn value_grid(&self, grid: &Grid<N>, out: &mut [f32]) {
        assert_eq!(out.len(), grid.len(), "the slice must be as long as the grid");
        let mut samples = Samples::values_only();
        let mut rest = out;
        for band in grid.bands(grid.len().div_ceil(CHUNK)) {
            let (part, next) = rest.split_at_mut(band.len());
            self.sample_grid(&band, &mut samples);
            part.copy_from_slice(samples.values());
            rest = next;
        }
    }

    /// Writes the value at scattered points to a slice, see [`value_grid`](Self::value_grid).
    ///
    /// # Panics
    /// If `out` is not as long as `points`.
    fn value_points(&self, points: &[[f64; N]], out: &mut [f32]) {
        assert_eq!(out.len(), points.len(), "the slice must be as long as the points");
        let mut samples = Samples::values_only();
        for (points, part) in points.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
            self.sample_points(points, &mut samples);
            part.copy_from_slice(samples.values());
        }
    }

    /// Evaluates the field at every point of `grid`, in the order of [`Grid::points`]. A buffer of
    /// [values only](Samples::values_only) gets values but no gradients.
    fn sample_grid(&self, grid: &Grid<N>, out: &mut Samples<N>) {
        out.write(grid.points().map(|p| self.sample(p)));
    }

    /// Evaluates the field at scattered points, in their order.
    fn sample_points(&self, points: &[[f64; N]], out: &mut Samples<N>) {
        out.write(points.iter().map(|&p| self.sample(p)));
    }

    /// The value, the gradient and the second derivatives at `p`. Its sample is bit-identical to
    /// that of [`sample`](Self::sample).
    ///
    /// By default, the Hessian consists of central differences of the gradient,
    /// (grad f(p + h e_k) - grad f(p - h e_k)) / (2 h), made symmetric by averaging its two halves.
    /// With L and C of [`bounds`](Self::bounds) the step h is L / C / 1024, or 1/1024 unit of
    /// length if one of them is zero or not finite. It is at least 64 times the resolution of `f64`
    /// at `p`. The error is at most h^2 / 6 times the largest fourth derivative, plus some 1e-7
    /// |grad f| / h of rounding: usually one thousandth of C. Where the gradient jumps within the
    /// step, the difference is that jump over 2 h.
    fn jet(&self, p: [f64; N]) -> Jet<N> {
        let Bounds { lipschitz, curvature, .. } = self.bounds();
        let scale = lipschitz / curvature;
        let scale = if scale > 0.0 && scale.is_finite() { scale } else { 1.0 };
        Jet::of_samples(|p| self.sample(p), p, scale / 1024.0)
    }

    /// Evaluates the field with its second derivatives at every point of `grid`, in the order of
    /// [`Grid::points`].
    fn jet_grid(&self, grid: &Grid<N>, out: &mut Jets<N>) {
        out.write(grid.points().map(|p| self.jet(p)));
    }

    /// Evaluates the field with its second derivatives at scattered points, in their order.
    fn jet_points(&self, points: &[[f64; N]], out: &mut Jets<N>) {
        out.write(points.iter().map(|&p| self.jet(p)));
    }

    /// Proven bounds over the whole domain; [`Bounds::UNKNOWN`] by default.
    fn bounds(&self) -> Bounds {
        Bounds::UNKNOWN
    }

    /// Whether the Lipschitz constant of [`bounds`](Self::bounds) is far above the slopes that
    /// occur: more than ten times the largest slope found by sampling. This is an estimate, not
    /// proven. The bounds hold either way, but algorithms that step by them would take millions of
    /// steps, so [`raycast`](crate::ray::raycast) samples slopes. `false` by default.
    fn has_loose_bounds(&self) -> bool {
        false
    }

    /// Proven bounds over the ball of `radius` around `p`: never wider than
    /// [`bounds`](Self::bounds), and far tighter for small balls.
    ///
    /// It is [`Bounds::UNKNOWN`] if the field has no value at `p`, or if `radius` is negative or
    /// NaN. Positions in the ball at which the field has no value do not count.
    ///
    /// By default the Lipschitz constant limits how far values differ from that at `p`, which is
    /// assumed to be correct to 1e-6 of itself.
    fn local_bounds(&self, p: [f64; N], radius: f64) -> Bounds {
        let bounds = self.bounds();
        let value = f64::from(self.value(p));
        if value.is_nan() || radius.is_nan() || radius < 0.0 {
            return Bounds::UNKNOWN;
        }
        let reach = times(bounds.lipschitz, radius) + 1e-6 * value.abs();
        bounds.and(Bounds { min: value - reach, max: value + reach, ..bounds })
    }

    /// A proven bound on the distance of the field from its linear interpolation over a grid of
    /// `spacing`, that is, from the triangles of a mesh, each of which is half a square of the
    /// grid. (In N dimensions, it is a simplex between corners of a cube.) Infinite if no bound is
    /// known.
    ///
    /// By default it is min(C R^2 / 2, L R, max - min), from the field's [`bounds`](Self::bounds),
    /// with R = `spacing` sqrt(N) / 2.
    fn interpolation_error(&self, spacing: f64) -> f64 {
        self.bounds().interpolation_error(half_diagonal::<N>(spacing))
    }

    /// The same values bit for bit, with gradients low-pass filtered for a grid of `spacing`: for
    /// the normals of meshes at coarse levels of detail, which would otherwise alias.
    /// `spacing` is in units of the domain, metres for terrain.
    ///
    /// The gradient of an octave of frequency f, in cells per unit of length, is multiplied by a
    /// weight before the chain rule is applied. With c = f `spacing`, the number of cells between
    /// neighbouring points of the grid,
    ///
    /// w(c) = 1 up to c = 1/4,  s^2 (3 - 2 s) with s = 2 - 4 c between,  0 from c = 1/2 on.
    ///
    /// So products, shapes and blends weigh their parts as they do in the full gradient, and only
    /// the slopes of fine octaves are missing. The gradient is then no longer that of the value,
    /// but its length stays within the bounds.
    ///
    /// `None` if the field does not support it, or if `spacing` is negative or NaN. Use the field
    /// itself then.
    fn band_limited(&self, spacing: f64) -> Option<SharedField<N>> {
        let _ = spacing;
        None
    }

    /// The field without its fine octaves: those of a wavelength, 1 / frequency, below
    /// `wavelength`, in units of the domain. [`Smooth`](crate::edits::Smooth) edits blend ground
    /// with it. It is a field of its own, with its own values, exact derivatives and bounds.
    ///
    /// `None` if the field does not support it, or if `wavelength` is negative or NaN.
    fn smoothed(&self, wavelength: f64) -> Option<SharedField<N>> {
        let _ = wavelength;
        None
    }

    /// A field with the large features of this one, for points that are `spacing` or more apart,
    /// where this one costs much more than at points near each other. Its features are as wide as
    /// the spacing or wider, so such points show what they would show of the field, but for detail
    /// between them.
    ///
    /// `None` if the field costs about the same at any points, or if `spacing` is negative or NaN.
    fn sparse(&self, spacing: f64) -> Option<SharedField<N>> {
        let _ = spacing;
        None
    }
}

/// All methods of a field of `$n` dimensions, forwarded to another field.
macro_rules! forward_field {
    ($n:tt, $self:ident => $field:expr) => {
        fn sample(&$self, p: [f64; $n]) -> $crate::Sample<$n> {
            $field.sample(p)
        }
        fn value(&$self, p: [f64; $n]) -> f32 {
            $field.value(p)
        }
        fn value_grid(&$self, grid: &$crate::Grid<$n>, out: &mut [f32]) {
            $field.value_grid(grid, out);
        }
        fn value_points(&$self, points: &[[f64; $n]], out: &mut [f32]) {
            $field.value_points(points, out);
        }
        fn sample_grid(&$self, grid: &$crate::Grid<$n>, out: &mut $crate::Samples<$n>) {
            $field.sample_grid(grid, out);
        }
        fn sample_points(&$self, points: &[[f64; $n]], out: &mut $crate::Samples<$n>) {
            $field.sample_points(points, out);
        }
        fn jet(&$self, p: [f64; $n]) -> $crate::Jet<$n> {
            $field.jet(p)
        }
        fn jet_grid(&$self, grid: &$crate::Grid<$n>, out: &mut $crate::Jets<$n>) {
            $field.jet_grid(grid, out);
        }
        fn jet_points(&$self, points: &[[f64; $n]], out: &mut $crate::Jets<$n>) {
            $field.jet_points(points, out);
        }
        fn bounds(&$self) -> $crate::Bounds {
            $field.bounds()
        }
        fn has_loose_bounds(&$self) -> bool {
            $field.has_loose_bounds()
        }
        fn local_bounds(&$self, p: [f64; $n], radius: f64) -> $crate::Bounds {
            $field.local_bounds(p, radius)
        }
        fn interpolation_error(&$self, spacing: f64) -> f64 {
            $field.interpolation_error(spacing)
        }
        fn band_limited(&$self, spacing: f64) -> Option<$crate::SharedField<$n>> {
            $field.band_limited(spacing)
        }
        fn smoothed(&$self, wavelength: f64) -> Option<$crate::SharedField<$n>> {
            $field.smoothed(wavelength)
        }
        fn sparse(&$self, spacing: f64) -> Option<$crate::SharedField<$n>> {
            $field.sparse(spacing)
        }
    };
}
pub(crate) use forward_field;

macro_rules! forward_pointers {
    ($($pointer:ty),*) => {$(
        impl<const N: usize, F: Field<N> + ?Sized> Field<N> for $pointer {
            forward_field!(N, self => (**self));
        }
    )*};
}
forward_pointers!(&F, Box<F>, Arc<F>);

/// Methods of a type with a field of `$n` dimensions that take any type of position.
macro_rules! at_positions {
    ([$($generics:tt)*] $type:ty, $n:tt) => {
        impl<$($generics)*> $type {
            /// The value and the exact gradient at a position, see [`Field::sample`].
            pub fn sample<T>(&self, at: impl $crate::Position<$n, T>) -> $crate::Sample<$n> {
                $crate::Field::sample(self, at.coordinates())
            }

            /// The value at a position, see [`Field::value`].
            pub fn value<T>(&self, at: impl $crate::Position<$n, T>) -> f32 {
                $crate::Field::value(self, at.coordinates())
            }

            /// The value, the gradient and the second derivatives at a position, see
            /// [`Field::jet`].
            pub fn jet<T>(&self, at: impl $crate::Position<$n, T>) -> $crate::Jet<$n> {
                $crate::Field::jet(self, at.coordinates())
            }
        }
    };
}
pub(crate) use at_positions;
