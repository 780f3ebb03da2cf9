//! A field with edits.

use alloc::sync::Arc;

use crate::derivative::bounds::{Bounds, half_diagonal, times};
use crate::derivative::jet::Jet;
use crate::derivative::sample::Sample;
use crate::edits::index::Edits;
use crate::edits::overlay::Overlay;
use crate::edits::smoothed_bases::SmoothedBases;
use crate::field::{Field, SharedField, at_positions};
use crate::samples::positions::Grid;
use crate::samples::{Jets, Samples};

/// A field with edits. Where no edit touches it, it has the bits of the field, and costs one look
/// into the index of the edits: one for a grid, one for each scattered point.
///
/// It holds a snapshot of the edits, and for each wavelength of its smooth edits the base without
/// finer octaves. Clones share both.
///
/// Gradients and Hessians are exact if those of the field are. Holes have no value.
#[derive(Clone, Debug)]
pub struct EditedField<F> {
    base: F,
    pub(super) overlay: Overlay,
}

impl<F> EditedField<F> {
    /// The field without its edits.
    pub fn base(&self) -> &F {
        &self.base
    }

    /// The edits.
    pub fn edits(&self) -> &Edits {
        &self.overlay.edits
    }
}

impl<F: Field<2>> EditedField<F> {
    /// `base` with these edits. The bases that smooth edits blend with are built here, which takes
    /// 0.02 to 2 ms for each wavelength that they use (measured on the presets).
    pub fn new(base: F, edits: Edits) -> Self {
        let smoothed = SmoothedBases::new(&base, edits.wavelengths());
        Self { base, overlay: Overlay { edits, smoothed, has_holes: true } }
    }

    /// The same field with ground where [`Hole`](crate::edits::Hole)s have taken it away.
    pub fn without_holes(&self) -> Self
    where
        F: Clone,
    {
        Self { base: self.base.clone(), overlay: self.overlay.clone().without_holes() }
    }

    /// The same base with other edits. It keeps what smooth edits of both blend with, so a change
    /// of a log costs nothing here unless it brings a new wavelength.
    pub fn with_edits(&self, edits: Edits) -> Self
    where
        F: Clone,
    {
        let smoothed = self.overlay.smoothed.with(&self.base, edits.wavelengths());
        let overlay = Overlay { edits, smoothed, has_holes: self.overlay.has_holes };
        Self { base: self.base.clone(), overlay }
    }

    /// Another base with the same edits.
    fn on<G: Field<2>>(&self, base: G) -> EditedField<G> {
        let edited = EditedField::new(base, self.edits().clone());
        EditedField {
            overlay: Overlay { has_holes: self.overlay.has_holes, ..edited.overlay },
            ..edited
        }
    }
}

impl<F: Field<2>> EditedField<F> {
    /// The bounds of the base, and of what smooth edits blend with.
    fn base_bounds(&self) -> Bounds {
        let smoothed = self.overlay.smoothed.iter().map(Field::bounds);
        smoothed.fold(self.base.bounds(), Bounds::or)
    }
}

at_positions!([F: Field<2>] EditedField<F>, 2);

impl<F: Field<2>> Field<2> for EditedField<F> {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        self.overlay.sample(self.base.sample(p), p)
    }

    fn value(&self, p: [f64; 2]) -> f32 {
        self.overlay.value(self.base.value(p), p)
    }

    fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        self.base.sample_grid(grid, out);
        self.overlay.sample_grid(grid, out);
    }

    fn sample_points(&self, points: &[[f64; 2]], out: &mut Samples<2>) {
        self.base.sample_points(points, out);
        self.overlay.samples(points, out);
    }

    fn jet(&self, p: [f64; 2]) -> Jet<2> {
        self.overlay.jet(self.base.jet(p), p)
    }

    fn jet_grid(&self, grid: &Grid<2>, out: &mut Jets<2>) {
        self.base.jet_grid(grid, out);
        self.overlay.jet_grid(grid, out);
    }

    fn jet_points(&self, points: &[[f64; 2]], out: &mut Jets<2>) {
        self.base.jet_points(points, out);
        self.overlay.jets(points, out);
    }

    /// The bounds of the field, widened by the most that edits at any one place can do. They know
    /// nothing of where edits overlap, and which comes first: use
    /// [`local_bounds`](Self::local_bounds) near edits.
    fn bounds(&self) -> Bounds {
        self.edits().widening().bounds(self.base_bounds())
    }

    fn has_loose_bounds(&self) -> bool {
        self.base.has_loose_bounds() || self.overlay.smoothed.iter().any(Field::has_loose_bounds)
    }

    /// The bounds of the field in the ball, changed by each edit that touches it. Holes do not
    /// count.
    fn local_bounds(&self, p: [f64; 2], radius: f64) -> Bounds {
        let base = self.base.local_bounds(p, radius);
        let Some(edited) = self.overlay.local_bounds(base, p, radius) else { return base };
        let edited = edited.and(self.bounds());
        let ground = self.base.value(p);
        let value = self.overlay.value(ground, p);
        if value.is_nan() {
            return edited;
        }
        // The height in the middle tells more of a small ball than the heights of a long road do.
        let value = f64::from(value);
        let rounding = 1e-6 * (1.0 + f64::from(ground).abs() + value.abs());
        let reach = times(edited.lipschitz, radius) + rounding;
        edited.near(value, reach)
    }

    /// That of the field, plus what edits at any one place can add to it: nothing if no edit
    /// changes heights.
    fn interpolation_error(&self, spacing: f64) -> f64 {
        let smoothed = self.overlay.smoothed.iter().map(|base| base.interpolation_error(spacing));
        let error = smoothed.fold(self.base.interpolation_error(spacing), f64::max);
        let radius = half_diagonal::<2>(spacing);
        self.edits().widening().interpolation_error(self.base_bounds(), error, radius)
    }

    /// The slopes of edits are not filtered.
    fn band_limited(&self, spacing: f64) -> Option<SharedField<2>> {
        let base = self.base.band_limited(spacing)?;
        let smoothed = self.overlay.smoothed.band_limited(spacing);
        Some(Arc::new(EditedField { base, overlay: Overlay { smoothed, ..self.overlay.clone() } }))
    }

    /// Edits have no octaves: all of them stay.
    fn smoothed(&self, wavelength: f64) -> Option<SharedField<2>> {
        Some(Arc::new(self.on(self.base.smoothed(wavelength)?)))
    }

    /// With all edits.
    fn sparse(&self, spacing: f64) -> Option<SharedField<2>> {
        Some(Arc::new(self.on(self.base.sparse(spacing)?)))
    }
}
