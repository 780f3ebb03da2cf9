//! Applies edits to samples of a base field.
//!
//! No function here is generic for callers, so all of it is compiled in this crate: programs that
//! optimise this crate alone in dev builds have fast edits, too.

use alloc::vec::Vec;

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Differentiated;
use crate::derivative::jet::Jet;
use crate::derivative::sample::Sample;
use crate::edits::block::IndexedEdit;
use crate::edits::grid_strokes::{Action, GridStrokes, actions};
use crate::edits::grids::{GridRow, SPAN, Span, Subgrid, region_of};
use crate::edits::index::Edits;
use crate::edits::smoothed_bases::{SmoothedBases, Wavelength, once_each};
use crate::edits::steps::{Step, Walk};
use crate::field::Field;
use crate::region::Region;
use crate::samples::positions::Grid;
use crate::samples::{Buffer, Jets, Samples};

/// Edits with what they need of the base field.
#[derive(Clone, Debug)]
pub(super) struct Overlay {
    pub edits: Edits,
    pub smoothed: SmoothedBases,
    /// Whether edits take ground away.
    pub has_holes: bool,
}

impl Overlay {
    /// The same edits, except that none takes ground away.
    pub fn without_holes(self) -> Self {
        Self { has_holes: false, ..self }
    }

    /// Whether an edit counts.
    fn counts(&self, edit: &IndexedEdit) -> bool {
        self.has_holes || !edit.is_hole()
    }

    /// The value at a point after all edits, given that of the base.
    pub fn value(&self, ground: f32, p: [f64; 2]) -> f32 {
        self.at(ground, p, |base| base.value(p))
    }

    /// The value at a point after one step, given that before it.
    pub fn value_after(&self, step: Step, ground: f32, p: [f64; 2]) -> f32 {
        let smoothed = |wavelength| self.smoothed.get(wavelength).map(|base| base.value(p));
        let mut walk = Walk::new(ground, p, smoothed);
        walk.step(step);
        walk.end()
    }

    /// The same for a sample.
    pub fn sample(&self, ground: Sample<2>, p: [f64; 2]) -> Sample<2> {
        self.at(ground, p, |base| base.sample(p))
    }

    /// The same for a jet.
    pub fn jet(&self, ground: Jet<2>, p: [f64; 2]) -> Jet<2> {
        self.at(ground, p, |base| base.jet(p))
    }

    /// Edits samples of the base at points.
    pub fn samples(&self, points: &[[f64; 2]], out: &mut Samples<2>) {
        if self.edits.is_empty() {
            return;
        }
        for (i, &p) in points.iter().enumerate() {
            if out.has_gradients() {
                out.set(i, self.sample(out.get(i), p));
            } else {
                out.value[i] = self.value(out.value[i], p);
            }
        }
    }

    /// Edits jets of the base at points.
    pub fn jets(&self, points: &[[f64; 2]], out: &mut Jets<2>) {
        if self.edits.is_empty() {
            return;
        }
        for (i, &p) in points.iter().enumerate() {
            out.set(i, self.jet(out.get(i), p));
        }
    }

    /// Edits samples of the base on a grid.
    pub fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        let fill = |base: &dyn Field<2>, grid: &Grid<2>, out: &mut _| base.sample_grid(grid, out);
        if out.has_gradients() {
            self.on_grid(grid, out, fill, Samples::get, Buffer::set);
        } else {
            let set = |out: &mut Samples<2>, i: usize, value| out.value[i] = value;
            self.on_grid(grid, out, fill, |out, i| out.value[i], set);
        }
    }

    /// Edits jets of the base on a grid.
    pub fn jet_grid(&self, grid: &Grid<2>, out: &mut Jets<2>) {
        let fill = |base: &dyn Field<2>, grid: &Grid<2>, out: &mut _| base.jet_grid(grid, out);
        self.on_grid(grid, out, fill, Jets::get, Buffer::set);
    }

    /// The bounds of the base in a ball, changed by each edit that touches it; `None` if none does.
    /// Holes do not count.
    pub fn local_bounds(&self, base: Bounds, p: [f64; 2], radius: f64) -> Option<Bounds> {
        let region = Region::around(p, [radius; 2]);
        if region.is_empty() || !self.edits.touch(&region) {
            return None;
        }
        let near = |wavelength| Some(self.smoothed.get(wavelength)?.local_bounds(p, radius));
        let mut near = once_each(near);
        let steps = self.edits.within(&region).into_iter();
        let after = |ground, step: Step| step.operation().bounds(ground, p, radius, &mut near);
        Some(steps.fold(base, after))
    }

    /// The steps that change heights on a grid.
    fn steps_on(&self, grid: &Grid<2>) -> Vec<Step<'_>> {
        let mut steps = region_of(grid).map_or_else(Vec::new, |region| self.edits.within(&region));
        steps.retain(|step| step.first().changes_heights() && self.counts(step.first()));
        steps
    }

    /// The ground at a point after all edits. `sample` evaluates a smoothed base there.
    fn at<T: Differentiated<2>>(
        &self,
        ground: T,
        p: [f64; 2],
        sample: impl Fn(&dyn Field<2>) -> T,
    ) -> T {
        let smoothed = |wavelength| self.smoothed.get(wavelength).map(|base| sample(base));
        self.edits.apply(ground, p, smoothed, |edit| self.counts(edit))
    }

    /// Edits the ground on a grid, of which each smoothed base is filled once, where edits need it.
    fn on_grid<B: Buffer<2>, T: Differentiated<2>>(
        &self,
        grid: &Grid<2>,
        out: &mut B,
        fill: impl Fn(&dyn Field<2>, &Grid<2>, &mut B),
        get: impl Fn(&B, usize) -> T,
        set: impl Fn(&mut B, usize, T),
    ) {
        let steps = self.steps_on(grid);
        if steps.is_empty() {
            return;
        }
        let subgrids = Subgrid::of(grid, &steps);
        out.with_spares(subgrids.len(), |out, spares| {
            for (subgrid, spare) in subgrids.iter().zip(&mut *spares) {
                if let Some(base) = self.smoothed.get(subgrid.wavelength) {
                    fill(base, &subgrid.grid, spare);
                }
            }
            let mut strokes = GridStrokes::new(grid);
            let actions = actions(&steps);
            // All edits between two raises at a time.
            for run in actions.chunk_by(|a, b| a.edit().is_some() && b.edit().is_some()) {
                if let [Action::Raise { stroke, region, returns }] = run {
                    strokes.take::<T>(*stroke, region, *returns, out);
                    continue;
                }
                let edits = || run.iter().filter_map(Action::edit);
                let region = edits().fold(Region::EMPTY, |all, edit| all.union(&edit.region));
                // A hole leaves the ground around it as it is.
                for edit in edits().filter(|edit| !edit.is_hole()) {
                    strokes.add::<T>(&edit.region, out);
                }
                let mut touching = Vec::new();
                for span in GridRow::all(grid, &region).flat_map(GridRow::spans) {
                    let around = span.region();
                    touching.clear();
                    touching.extend(edits().filter(|edit| edit.region.meets(&around)));
                    if touching.is_empty() {
                        continue;
                    }
                    let smoothed = |i: usize, wavelength: Wavelength| {
                        self.smoothed.get(wavelength)?;
                        let mut all = subgrids.iter().zip(&*spares);
                        let (subgrid, spare) = all.find(|(own, _)| own.wavelength == wavelength)?;
                        Some(get(spare, subgrid.index(span.first + i)))
                    };
                    let mut ground = [T::NOTHING; SPAN];
                    let ground = &mut ground[..span.len];
                    for (i, ground) in ground.iter_mut().enumerate() {
                        *ground = get(out, span.first + i);
                    }
                    for edit in visible(&touching, &span) {
                        edit.operation.apply_span(out.level(), &span, ground, &smoothed);
                    }
                    for (i, &ground) in ground.iter().enumerate() {
                        set(out, span.first + i, ground);
                    }
                }
            }
            let everywhere = steps.iter().fold(Region::EMPTY, |all, step| all.union(step.region()));
            strokes.add::<T>(&everywhere, out);
        });
    }
}

/// The edits of which something is left at the points of a span. Holes are not filled by others.
fn visible<'a>(touching: &[&'a IndexedEdit], span: &Span) -> impl Iterator<Item = &'a IndexedEdit> {
    let last = touching.iter().rposition(|edit| edit.operation.hides(span)).unwrap_or(0);
    let all = touching.iter().copied().enumerate();
    all.filter(move |(i, edit)| *i >= last || edit.is_hole()).map(|(_, edit)| edit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edits::change::EditId;
    use crate::edits::{Area, Crater, Disc, Edit, Flatten, Hole};

    /// Of a pile of planes, a point needs the last one that has it in its core, and what follows.
    #[test]
    fn planes_hide_what_is_below_them() {
        let area = |radius: f64| Area::Disc(Disc { center: [8.0; 2], radius, falloff: 4.0 });
        let plane = |radius, height| Flatten { area: area(radius), height, ..Flatten::default() };
        let pile: [Edit; 6] = [
            Crater { center: [8.0; 2], ..Crater::default() }.into(),
            plane(30.0, 1.0).into(),
            Hole { area: area(3.0) }.into(),
            plane(30.0, 2.0).into(),
            plane(5.0, 3.0).into(),
            plane(30.0, -0.0).into(),
        ];
        let id = |time| EditId { time, author: 1 };
        let edits: Vec<_> =
            (1..).zip(&pile).map(|(n, edit)| IndexedEdit::new(id(n), edit.prepared())).collect();
        let all: Vec<_> = edits.iter().collect();
        let grid = Grid::new([0.0, 8.0], 1.0, [16, 1]);
        let span = GridRow::all(&grid, &Region::around([8.0; 2], [9.0; 2])).next().unwrap();
        let span = span.spans().next().unwrap();
        let seen: Vec<_> = visible(&all, &span).map(|edit| edit.id.time).collect();
        assert_eq!(seen, [3, 4, 5, 6]);
        assert_eq!(visible(&all[..2], &span).count(), 1);
        assert_eq!(visible(&all[..1], &span).count(), 1);
    }
}
