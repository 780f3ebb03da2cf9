//! The base field without its fine octaves, which smooth edits blend the ground with: one for each
//! wavelength below which they leave out octaves.

use alloc::vec::Vec;
use core::f64::consts::SQRT_2;
use core::fmt;

use crate::field::{Field, SharedField};

/// The smoothed base for each wavelength, evaluated when the first edit asks for it, and once: its
/// value, sample or jet at a point, or its bounds around one. `None` if the base has no smoothed
/// form.
pub(super) fn once_each<T: Copy>(
    evaluate: impl Fn(Wavelength) -> Option<T>,
) -> impl FnMut(Wavelength) -> Option<T> {
    let mut found = [None; Wavelength::COUNT];
    move |wavelength| {
        let found = &mut found[wavelength.index()];
        *found = found.or_else(|| evaluate(wavelength));
        *found
    }
}

/// The smoothed bases that the edits of a field use: none for a base without a smoothed form.
#[derive(Clone)]
pub(super) struct SmoothedBases(Vec<(Wavelength, SharedField<2>)>);

impl fmt::Debug for SmoothedBases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(wavelength, _)| wavelength)).finish()
    }
}

impl SmoothedBases {
    pub fn new(base: &impl Field<2>, wavelengths: Wavelengths) -> Self {
        Self(Vec::new()).with(base, wavelengths)
    }

    /// Those of these wavelengths, with what is there already.
    pub fn with(&self, base: &impl Field<2>, wavelengths: Wavelengths) -> Self {
        let smoothed = |wavelength: Wavelength| {
            let known = self.0.iter().find(|(own, _)| *own == wavelength);
            known.cloned().or_else(|| Some((wavelength, base.smoothed(wavelength.metres())?)))
        };
        Self(wavelengths.iter().filter_map(smoothed).collect())
    }

    pub fn get(&self, wavelength: Wavelength) -> Option<&(dyn Field<2> + Send + Sync)> {
        let (_, base) = self.0.iter().find(|(own, _)| *own == wavelength)?;
        Some(&**base)
    }

    pub fn iter(&self) -> impl Iterator<Item = &(dyn Field<2> + Send + Sync)> {
        self.0.iter().map(|(_, base)| &**base)
    }

    /// The same with gradients filtered for a grid of `spacing`, as far as they support it.
    pub fn band_limited(&self, spacing: f64) -> Self {
        let limited = |(wavelength, base): &(Wavelength, SharedField<2>)| {
            (*wavelength, base.band_limited(spacing).unwrap_or_else(|| base.clone()))
        };
        Self(self.0.iter().map(limited).collect())
    }
}

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
