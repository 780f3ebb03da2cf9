//! Methods of floats that `core` lacks, from `libm`.
//!
//! Each of them is exact, so the bits are those of the standard library. With the feature `std`,
//! and in tests, the inherent methods of the same names hide these.

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
