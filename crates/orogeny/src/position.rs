//! The types that are accepted as positions.

use crate::arrays::Each;

/// A position in N dimensions: an array, a tuple or a vector of a maths crate, of `f64` or `f32`.
///
/// It is implemented for every type that converts into `[f64; N]` or `[f32; N]`, such as `DVec2`
/// and `Vec2` of glam, without a dependency on that crate. `T` is the type of the coordinates; it
/// is inferred.
///
/// ```
/// use orogeny::Node;
///
/// let noise = Node::<2>::noise(7).build()?;
/// assert_eq!(noise.value([0.5, 0.25]), noise.value((0.5, 0.25)));
/// assert_eq!(noise.value([0.5, 0.25]), noise.value([0.5f32, 0.25]));
/// # Ok::<(), orogeny::DataError>(())
/// ```
pub trait Position<const N: usize, T> {
    /// The coordinates.
    fn coordinates(self) -> [f64; N];
}

impl<const N: usize, P: Into<[f64; N]>> Position<N, f64> for P {
    #[inline]
    fn coordinates(self) -> [f64; N] {
        self.into()
    }
}

impl<const N: usize, P: Into<[f32; N]>> Position<N, f32> for P {
    #[inline]
    fn coordinates(self) -> [f64; N] {
        self.into().each(f64::from)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Field, Node};

    /// A vector type that converts like glam's.
    #[derive(Clone, Copy)]
    struct DVec2(f64, f64);
    #[derive(Clone, Copy)]
    struct Vec2(f32, f32);

    impl From<DVec2> for [f64; 2] {
        fn from(DVec2(x, z): DVec2) -> Self {
            [x, z]
        }
    }

    impl From<Vec2> for [f32; 2] {
        fn from(Vec2(x, z): Vec2) -> Self {
            [x, z]
        }
    }

    #[test]
    fn arrays_tuples_and_vectors_are_positions() {
        let field = Node::<2>::noise(7).build().unwrap();
        let expected = Field::sample(&field, [0.5, 0.25]);
        assert_eq!(field.sample([0.5, 0.25]), expected);
        assert_eq!(field.sample((0.5, 0.25)), expected);
        assert_eq!(field.sample((0.5f32, 0.25f32)), expected);
        assert_eq!(field.sample(DVec2(0.5, 0.25)), expected);
        assert_eq!(field.sample(Vec2(0.5, 0.25)), expected);
        assert_eq!(field.value(Vec2(0.5, 0.25)), expected.value);
        assert_eq!(field.jet(DVec2(0.5, 0.25)).sample, expected);
        let cube = Node::<3>::noise(7).build().unwrap();
        assert_eq!(cube.value((0.5, 0.25, 1.5)), cube.value([0.5, 0.25, 1.5]));
    }
}
