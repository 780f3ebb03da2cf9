//! Methods of floats that `core` lacks, implemented with `libm`.
//!
//! Each of them is exact, so the bits are those of the standard library. With the feature `std`,
//! and in tests, the inherent methods of the same names take precedence.

/// The methods that this crate uses; the standard library documents them.
pub(crate) trait Float: Copy {
    fn sqrt(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn round(self) -> Self;
    fn fract(self) -> Self;
}

macro_rules! float {
    ($float:ty: $sqrt:ident $floor:ident $ceil:ident $round:ident $trunc:ident) => {
        impl Float for $float {
            #[inline]
            fn sqrt(self) -> Self {
                libm::$sqrt(self)
            }

            #[inline]
            fn floor(self) -> Self {
                libm::$floor(self)
            }

            #[inline]
            fn ceil(self) -> Self {
                libm::$ceil(self)
            }

            #[inline]
            fn round(self) -> Self {
                libm::$round(self)
            }

            #[inline]
            fn fract(self) -> Self {
                self - libm::$trunc(self)
            }
        }
    };
}

float!(f32: sqrtf floorf ceilf roundf truncf);
float!(f64: sqrt floor ceil round trunc);

#[cfg(test)]
mod tests {
    use super::Float;

    #[test]
    fn methods_have_the_bits_of_the_standard_library() {
        let mut state = 1_u64;
        for i in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Random bits, then numbers around multiples of a half.
            let x = match i % 3 {
                0 => f64::from_bits(state),
                1 => (state >> 50) as f64 / 2.0 - 4096.0,
                _ => f64::from_bits(((state >> 50) as f64 / 2.0 - 4096.0).to_bits() ^ (state & 1)),
            };
            let y = if i % 3 == 0 { f32::from_bits((state >> 32) as u32) } else { x as f32 };
            let wide = [
                (Float::sqrt(x), x.sqrt()),
                (Float::floor(x), x.floor()),
                (Float::ceil(x), x.ceil()),
                (Float::round(x), x.round()),
                (Float::fract(x), x.fract()),
            ];
            for (ours, exact) in wide {
                assert!(
                    ours.to_bits() == exact.to_bits() || ours.is_nan() && exact.is_nan(),
                    "{x}"
                );
            }
            let narrow = [
                (Float::sqrt(y), y.sqrt()),
                (Float::floor(y), y.floor()),
                (Float::ceil(y), y.ceil()),
                (Float::round(y), y.round()),
                (Float::fract(y), y.fract()),
            ];
            for (ours, exact) in narrow {
                assert!(
                    ours.to_bits() == exact.to_bits() || ours.is_nan() && exact.is_nan(),
                    "{y}"
                );
            }
        }
    }
}
