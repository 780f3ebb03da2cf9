//! A field with edits.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::derivative::bounds::{Bounds, half_diagonal};
use crate::derivative::chain_rule::Dual;
use crate::derivative::jet::Jet;
use crate::derivative::sample::Sample;
use crate::edits::grids::{BLOCK, Block, Part, region_of};
use crate::edits::index::Edits;
use crate::edits::operations::{Apply, Prepared};
use crate::edits::placed::Placed;
use crate::edits::region::Region;
use crate::edits::smoothed_bases::{SmoothedBases, once_each};
use crate::edits::wavelength::Wavelength;
use crate::field::Field;
use crate::samples::grid::Grid;
use crate::samples::{Buffer, Jets, Samples};

/// A field with edits. Where no edit touches it, it has the bits of the field, and costs one look
/// into the index of the edits: one for a grid, one for each scattered point.
///
/// Gradients and Hessians are exact if those of the field are. Holes have no value.
#[derive(Clone, Debug)]
pub struct Edited<F> {
    base: F,
    edits: Edits,
    smoothed: SmoothedBases,
}

impl<F> Edited<F> {
    /// The field without its edits.
    pub fn base(&self) -> &F {
        &self.base
    }

    /// The edits.
    pub fn edits(&self) -> &Edits {
        &self.edits
    }

    /// The edits that change heights on a grid.
    fn edits_on(&self, grid: &Grid<2>) -> Vec<&Placed> {
        let mut edits = region_of(grid).map_or_else(Vec::new, |region| self.edits.within(&region));
        edits.retain(|edit| !matches!(*edit.operation, Prepared::Paint(_)));
        edits
    }

    /// The ground at a point after all edits. `sample` evaluates a smoothed base there.
    fn edited<T: Dual<2>>(&self, ground: T, p: [f64; 2], sample: impl Fn(&dyn Field<2>) -> T) -> T {
        let target = |wavelength| self.smoothed.get(wavelength).map(|base| sample(base));
        self.edits.apply(ground, p, target)
    }

    /// Edits the ground on a grid, of which each smoothed base is filled once, where edits need it.
    fn edit_grid<B: Buffer<2>, T: Dual<2>>(
        &self,
        grid: &Grid<2>,
        out: &mut B,
        fill: impl Fn(&dyn Field<2>, &Grid<2>, &mut B),
        get: impl Fn(&B, usize) -> T,
        set: impl Fn(&mut B, usize, T),
    ) {
        let edits = self.edits_on(grid);
        let parts = Part::of(grid, &edits);
        out.with_spares(parts.len(), |out, spares| {
            for (part, spare) in parts.iter().zip(&mut *spares) {
                if let Some(base) = self.smoothed.get(part.wavelength) {
                    fill(base, &part.grid, spare);
                }
            }
            let level = out.level();
            for edit in edits {
                for block in Block::all(grid, &edit.region) {
                    let target = |i: usize, wavelength: Wavelength| {
                        self.smoothed.get(wavelength)?;
                        let mut all = parts.iter().zip(&*spares);
                        let (part, spare) = all.find(|(part, _)| part.wavelength == wavelength)?;
                        Some(get(spare, part.index(block.first + i)))
                    };
                    let mut ground = [T::NOTHING; BLOCK];
                    let ground = &mut ground[..block.len];
                    for (i, ground) in ground.iter_mut().enumerate() {
                        *ground = get(out, block.first + i);
                    }
                    edit.operation.apply_block(level, &block, ground, &target);
                    for (i, &ground) in ground.iter().enumerate() {
                        set(out, block.first + i, ground);
                    }
                }
            }
        });
    }
}

impl<F: Field<2>> Edited<F> {
    /// `base` with these edits. The bases that smooth edits blend with are built here, which takes
    /// 0.02 to 2 ms for each wavelength that they use (measured on the presets).
    pub fn new(base: F, edits: Edits) -> Self {
        let smoothed = SmoothedBases::new(&base, edits.wavelengths());
        Self { base, edits, smoothed }
    }

    /// The same base with other edits. It keeps what smooth edits of both blend with, so a change
    /// of a log costs nothing here unless it brings a new wavelength.
    pub fn with_edits(&self, edits: Edits) -> Self
    where
        F: Clone,
    {
        let smoothed = self.smoothed.with(&self.base, edits.wavelengths());
        Self { base: self.base.clone(), edits, smoothed }
    }
}

impl<F: Field<2>> Field<2> for Edited<F> {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        self.edited(self.base.sample(p), p, |base| base.sample(p))
    }

    fn value(&self, p: [f64; 2]) -> f32 {
        self.edited(self.base.value(p), p, |base| base.value(p))
    }

    fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        self.base.sample_grid(grid, out);
        let fill = |base: &dyn Field<2>, grid: &Grid<2>, out: &mut _| base.sample_grid(grid, out);
        if out.has_gradients() {
            self.edit_grid(grid, out, fill, Samples::get, Buffer::set);
        } else {
            let set = |out: &mut Samples<2>, i: usize, value| out.value[i] = value;
            self.edit_grid(grid, out, fill, |out, i| out.value[i], set);
        }
    }

    fn sample_points(&self, points: &[[f64; 2]], out: &mut Samples<2>) {
        self.base.sample_points(points, out);
        if self.edits.is_empty() {
            return;
        }
        for (i, &p) in points.iter().enumerate() {
            if out.has_gradients() {
                out.set(i, self.edited(out.get(i), p, |base| base.sample(p)));
            } else {
                out.value[i] = self.edited(out.value[i], p, |base| base.value(p));
            }
        }
    }

    fn jet(&self, p: [f64; 2]) -> Jet<2> {
        self.edited(self.base.jet(p), p, |base| base.jet(p))
    }

    fn jet_grid(&self, grid: &Grid<2>, out: &mut Jets<2>) {
        self.base.jet_grid(grid, out);
        let fill = |base: &dyn Field<2>, grid: &Grid<2>, out: &mut _| base.jet_grid(grid, out);
        self.edit_grid(grid, out, fill, Jets::get, Buffer::set);
    }

    fn jet_points(&self, points: &[[f64; 2]], out: &mut Jets<2>) {
        self.base.jet_points(points, out);
        if self.edits.is_empty() {
            return;
        }
        for (i, &p) in points.iter().enumerate() {
            out.set(i, self.edited(out.get(i), p, |base| base.jet(p)));
        }
    }

    /// The bounds of the field, widened by the most that edits at any one place can do. They know
    /// nothing of where edits overlap, and which comes first: use
    /// [`local_bounds`](Self::local_bounds) near edits.
    fn bounds(&self) -> Bounds {
        let smoothed = self.smoothed.iter().map(Field::bounds);
        self.edits.reach().bounds(smoothed.fold(self.base.bounds(), Bounds::or))
    }

    fn has_loose_bounds(&self) -> bool {
        self.base.has_loose_bounds() || self.smoothed.iter().any(Field::has_loose_bounds)
    }

    /// The bounds of the field in the ball, changed by each edit that touches it. Holes do not
    /// count.
    fn local_bounds(&self, p: [f64; 2], radius: f64) -> Bounds {
        let base = self.base.local_bounds(p, radius);
        let ball = Region::around(p, [radius; 2]);
        if ball.is_empty() || !self.edits.touch(&ball) {
            return base;
        }
        let touching = self.edits.within(&ball);
        let near = |wavelength| Some(self.smoothed.get(wavelength)?.local_bounds(p, radius));
        let mut near = once_each(near);
        touching
            .iter()
            .fold(base, |ground, edit| edit.operation.bounds(ground, p, radius, &mut near))
    }

    /// As for any field with these [`bounds`](Self::bounds), except that without edits it is that
    /// of the field.
    fn interpolation_error(&self, spacing: f64) -> f64 {
        if self.edits.is_empty() {
            return self.base.interpolation_error(spacing);
        }
        self.bounds().interpolation_error(half_diagonal::<2>(spacing))
    }

    /// The slopes of edits are not filtered.
    fn band_limited(&self, spacing: f64) -> Option<Arc<dyn Field<2> + Send + Sync>> {
        let base = self.base.band_limited(spacing)?;
        let smoothed = self.smoothed.band_limited(spacing);
        Some(Arc::new(Edited { base, edits: self.edits.clone(), smoothed }))
    }

    /// Edits have no octaves: all of them stay.
    fn smoothed(&self, wavelength: f64) -> Option<Arc<dyn Field<2> + Send + Sync>> {
        let base = self.base.smoothed(wavelength)?;
        Some(Arc::new(Edited::new(base, self.edits.clone())))
    }
}
