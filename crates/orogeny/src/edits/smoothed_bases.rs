//! The base field without its fine octaves, which smooth edits blend the ground with.

use alloc::vec::Vec;
use core::fmt;

use crate::edits::wavelength::{Wavelength, Wavelengths};
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
