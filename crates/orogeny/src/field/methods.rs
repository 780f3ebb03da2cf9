//! Methods of fields that are the same for many types.

use alloc::boxed::Box;
use alloc::sync::Arc;

use crate::field::Field;

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
