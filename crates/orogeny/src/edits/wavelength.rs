//! The wavelengths below which smooth edits leave out octaves.

use core::f64::consts::SQRT_2;

/// A wavelength of 2^n metres, with n from 0 to 15.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wavelength(u8);

impl Wavelength {
    /// The number of wavelengths.
    pub const COUNT: usize = 16;

    /// The one with the smallest ratio to a number of metres.
    pub fn nearest(metres: f64) -> Self {
        let last = Self::COUNT as u8 - 1;
        let n = (0..last).find(|&n| metres <= SQRT_2 * Self(n).metres()).unwrap_or(last);
        Self(n)
    }

    pub fn metres(self) -> f64 {
        f64::from(1u32 << self.0)
    }

    /// n.
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// A set of wavelengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wavelengths(u16);

impl Wavelengths {
    pub const NONE: Self = Self(0);

    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// All of them, the shortest first.
    pub fn iter(self) -> impl Iterator<Item = Wavelength> {
        (0..Wavelength::COUNT as u8).filter(move |n| self.0 >> n & 1 == 1).map(Wavelength)
    }
}

impl From<Option<Wavelength>> for Wavelengths {
    fn from(wavelength: Option<Wavelength>) -> Self {
        wavelength.map_or(Self::NONE, |Wavelength(n)| Self(1 << n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_power_of_two_is_that_of_the_logarithm() {
        for i in 0..=15_000 {
            let exponent = f64::from(i) / 1000.0;
            // Halfway between two, rounding decides.
            if (exponent.fract() - 0.5).abs() > 1e-9 {
                let found = Wavelength::nearest(exponent.exp2());
                assert_eq!(found.metres(), exponent.round().exp2(), "{exponent}");
            }
        }
        let all = (0..16).map(|n| Some(Wavelength::nearest(f64::from(1 << n))).into());
        let all = all.fold(Wavelengths::NONE, Wavelengths::union);
        assert!(all.iter().map(Wavelength::index).eq(0..16));
        assert_eq!(Wavelengths::NONE.iter().count(), 0);
    }
}
