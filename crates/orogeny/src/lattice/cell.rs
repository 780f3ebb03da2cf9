//! Splits positions exactly into a lattice cell and the offset in it, and finds the lattice lines
//! and weights around them along one axis.

#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::lattice::fade::{Fade, Weights};

/// The farthest lattice cell from the origin along any axis: 2^60.
///
/// In every octave, position times frequency must stay within it. Beyond it is outside a field's
/// domain, and samples are [`OUTSIDE`](crate::Sample::OUTSIDE). At a frequency of 1 per metre it is
/// 1.15e18 m, a hundred light years.
pub const MAX_CELL: f64 = (1u64 << 60) as f64;

/// Splits `position * frequency + offset` into its floor and the fraction above it.
///
/// The product is not rounded. Dekker's two-product (T. J. Dekker, "A floating-point technique for
/// extending the available precision", Numerische Mathematik 18, 1971) gives the rounded product
/// and the exact error of that rounding. So the fraction is accurate to 2^-52 even a billion cells
/// out, where the rounded product has lost most of its digits. The fraction lies in [0, 1), but
/// rounded to `f32` it may be 1.0. Beyond [`MAX_CELL`] it is NaN.
///
/// `offset` lies in [0, 1).
#[inline(always)]
pub(crate) fn split(position: f64, frequency: f64, offset: f64) -> (i64, f64) {
    let (product, error) = two_product(position, frequency);
    if product.abs() < NEAR {
        let floor = near_floor(product);
        let t = ((product - floor) + error) + offset;
        let carry = near_floor(t);
        return ((floor + carry + ONES).to_bits() as i32 as i64, t - carry);
    }
    split_far(product, error, offset)
}

/// [`split`] far from zero and outside the domain.
#[cold]
fn split_far(product: f64, error: f64, offset: f64) -> (i64, f64) {
    if product.is_nan() || product.abs() > MAX_CELL {
        return (0, f64::NAN);
    }
    let floor = product.floor();
    // From 2^45 cells on, the error may reach across a cell border.
    let t = ((product - floor) + error) + offset;
    let carry = t.floor();
    (floor as i64 + carry as i64, t - carry)
}

/// The cells of positions nearer than this, and of their neighbours up to two cells away, lie
/// within 2^31 of zero.
pub(crate) const NEAR: f64 = ((1u64 << 31) - 4) as f64;

/// Adding this rounds a smaller number to an integer, whose bits are then the lowest bits of the
/// sum: between 2^52 and 2^53 the last bit of an `f64` is worth one.
pub(crate) const ONES: f64 = (3u64 << 51) as f64;

/// The floor of a number below 2^51, without the function call that SSE2 needs for it.
#[inline(always)]
fn near_floor(x: f64) -> f64 {
    let whole = (x + ONES) - ONES;
    whole - f64::from(u8::from(whole > x))
}

/// The rounded product of a and b, and the exact difference of the true product from it.
#[inline(always)]
pub(crate) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (ah, al) = halves(a);
    let (bh, bl) = halves(b);
    let error = ((ah * bh - product) + ah * bl + al * bh) + al * bl;
    (product, error)
}

/// The factor of [`halves`].
pub(crate) const VELTKAMP: f64 = ((1u32 << 27) + 1) as f64;

/// Splits 53 bits into the upper 26 and a signed remainder of 26 (Veltkamp).
#[inline(always)]
fn halves(a: f64) -> (f64, f64) {
    let scaled = VELTKAMP * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

/// One coordinate of a point in one octave: its two lattice lines, and its offset between them.
///
/// On a grid it is computed once for each column and row, not for each point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Axis {
    /// The lattice's words for the lines below and above.
    pub lines: [u32; 2],
    /// The offset between them, in [0, 1].
    pub t: f32,
    /// The weights of the lines below and above: 1 - u and u with u = fade(t).
    pub w0: f32,
    /// See `w0`.
    pub w1: f32,
    /// The derivative of `t` with respect to the caller's coordinate: the frequency.
    pub dt: f32,
    /// The derivative of `w1` with respect to the caller's coordinate.
    pub dw: f32,
}

impl Axis {
    /// `line` returns the lattice's word for a line. `offset` is added to position * frequency.
    #[inline(always)]
    pub fn new(
        position: f64,
        frequency: f64,
        offset: f64,
        fade: Fade,
        line: impl Fn(i64) -> u32,
    ) -> Self {
        let (cell, t) = split(position, frequency, offset);
        let t = t as f32;
        let Weights { w0, w1, slope } = fade.weights(t);
        let dt = frequency as f32;
        Self { lines: [line(cell), line(cell.wrapping_add(1))], t, w0, w1, dt, dw: dt * slope }
    }
}

/// `cell` modulo `period`. A period of 0 means none.
#[inline(always)]
pub(crate) fn wrap(cell: i64, period: u32) -> i64 {
    if period == 0 { cell } else { cell.rem_euclid(i64::from(period)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A finite f64 as an integer times a power of two.
    fn parts(a: f64) -> (i128, i32) {
        let bits = a.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as i32;
        assert!(exponent > 0, "normal numbers only");
        let mantissa = ((bits & ((1 << 52) - 1)) | (1 << 52)) as i128;
        (if a < 0.0 { -mantissa } else { mantissa }, exponent - 1075)
    }

    /// The same split with integers: floor and fraction of the exact product of two f64s.
    fn oracle(position: f64, frequency: f64) -> (i64, f64) {
        let ((m, e), (n, d)) = (parts(position), parts(frequency));
        let (product, exponent) = (m * n, e + d);
        if exponent >= 0 {
            return ((product << exponent) as i64, 0.0);
        }
        let shift = -exponent as u32;
        if shift > 126 {
            let tiny = product as f64 * 2f64.powi(exponent);
            return if product < 0 { (-1, 1.0 + tiny) } else { (0, tiny) };
        }
        let cell = product >> shift;
        (cell as i64, (product - (cell << shift)) as f64 * 2f64.powi(exponent))
    }

    /// Equal up to the rounding of the fraction, also at a cell border.
    fn agrees((cell, t): (i64, f64), (exact_cell, exact_t): (i64, f64)) -> bool {
        let distance = (cell - exact_cell) as f64 + (t - exact_t);
        (0.0..=1.0).contains(&t) && distance.abs() <= 1e-15
    }

    proptest! {
        #[test]
        fn matches_exact_integer_arithmetic(
            mantissa in -1f64..1.0, exponent in -20i32..56, frequency in 1e-6f64..10.0,
        ) {
            let position = mantissa * 2f64.powi(exponent);
            prop_assume!(position.abs() > 1e-300);
            let found = split(position, frequency, 0.0);
            let exact = oracle(position, frequency);
            let what = format!("{position} * {frequency}: {found:?}, exact {exact:?}");
            prop_assert!(agrees(found, exact), "{what}");
        }
    }

    #[test]
    fn floors_below_zero_and_at_borders() {
        assert_eq!(split(-0.25, 1.0, 0.0), (-1, 0.75));
        assert_eq!(split(-1.0, 1.0, 0.0), (-1, 0.0));
        assert_eq!(split(3.0, 1.0, 0.0), (3, 0.0));
        assert_eq!(split(3.0, 1.0, 0.75), (3, 0.75));
        assert_eq!(split(-0.5, 1.0, 0.75), (0, 0.25));
        // A fraction just below 1 that f64 cannot represent becomes 0 in the next cell.
        assert_eq!(split(-1e-12, 1.0, 0.0), (-1, 1.0 - 1e-12));
        assert_eq!(split(-1e-30, 1.0, 0.0), (0, 0.0));
    }

    #[test]
    fn refuses_what_lies_outside() {
        for position in [f64::NAN, f64::INFINITY, -1e19, 1e300] {
            assert!(split(position, 1.0, 0.0).1.is_nan(), "{position}");
        }
        assert_eq!(split(MAX_CELL, 1.0, 0.0), (1 << 60, 0.0));
    }
}
