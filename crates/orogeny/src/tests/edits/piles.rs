//! Piles of edits against a plain loop over all of them, bit by bit.

use std::sync::Arc;

use proptest::prelude::*;

use super::random;
use crate::edits::{Area, Edit, EditLog, EditedField, Raise, State};
use crate::region::Region;
use crate::simd::{Level, levels};
use crate::tests::edits::edited;
use crate::tests::random::Random;
use crate::{Field, Grid, Jet, Jets, Node, Sample, Samples, SharedField, Tree};

/// Ground before an edit: known at one point.
struct Before {
    jet: Jet<2>,
    base: Arc<Tree<2>>,
}

impl Field<2> for Before {
    fn sample(&self, _: [f64; 2]) -> Sample<2> {
        self.jet.sample
    }

    fn jet(&self, _: [f64; 2]) -> Jet<2> {
        self.jet
    }

    fn smoothed(&self, wavelength: f64) -> Option<SharedField<2>> {
        self.base.smoothed(wavelength)
    }
}

/// The ground after one edit.
fn after(base: &Arc<Tree<2>>, jet: Jet<2>, edit: Edit, p: [f64; 2]) -> Jet<2> {
    EditedField::new(Before { jet, base: base.clone() }, edited([edit])).jet(p)
}

/// The ground at a point by the definition: edit by edit, with the sums of raises that follow each
/// other there.
fn defined(base: &Arc<Tree<2>>, edits: &[(Region, Edit)], p: [f64; 2]) -> Jet<2> {
    let mut jet = base.jet(p);
    let mut open: Option<Raise> = None;
    for (region, edit) in edits {
        if !region.contains(p) || jet.sample.value.is_nan() {
            continue;
        }
        match edit {
            Edit::Paint(_) | Edit::Flood(_) | Edit::Clear(_) | Edit::Plant(_) => continue,
            Edit::Raise(raise) => {
                if let Some(own) = &mut open
                    && own.area == raise.area
                {
                    // Heights are sixteenths: their sums are exact.
                    own.height += raise.height;
                    continue;
                }
                let before = open.replace(*raise);
                jet = before.map_or(jet, |before| after(base, jet, before.into(), p));
                continue;
            }
            Edit::Hole(_) => {}
            _ => {
                let before = open.take();
                jet = before.map_or(jet, |before| after(base, jet, before.into(), p));
            }
        }
        jet = after(base, jet, edit.clone(), p);
    }
    if jet.sample.value.is_nan() {
        return jet;
    }
    open.map_or(jet, |before| after(base, jet, before.into(), p))
}

/// A pile of edits of all kinds, with dabs at different places and strokes of a few brushes.
/// Some were moved, hidden or removed, and they arrived in another order.
fn pile(r: &mut Random, near: [f64; 2], count: usize) -> EditLog {
    let area = |r: &mut Random| loop {
        match random::edit(r, near, true) {
            Edit::Raise(raise) => break raise.area,
            Edit::Flatten(flat) => break flat.area,
            _ => {}
        }
    };
    let brushes: Vec<Area> = (0..1 + r.below(3)).map(|_| area(r)).collect();
    let raise = |area: Area, r: &mut Random| {
        Edit::from(Raise { area, height: (r.below(65) as f32 - 32.0) / 16.0 })
    };
    let edit = |r: &mut Random| match r.below(4) {
        0 => random_but_raises(r, near),
        1 => raise(brushes[r.below(brushes.len())], r),
        _ => {
            let area = area(r);
            raise(area, r)
        }
    };
    let mut first = EditLog::new();
    for _ in 0..count {
        first.add(r.below(2) as u64, edit(r)).unwrap();
    }
    let mut log = EditLog::new();
    for change in super::log::shuffled(r, first.changes().collect()) {
        log.apply(change).unwrap();
    }
    let ids: Vec<_> = log.ids().collect();
    for id in ids {
        let state = match r.below(12) {
            0 => State::Removed,
            1 => State::Shown(edit(r)),
            2 => State::Hidden(edit(r)),
            _ => continue,
        };
        log.set(1, id, state).unwrap();
    }
    log
}

fn random_but_raises(r: &mut Random, near: [f64; 2]) -> Edit {
    loop {
        let edit = random::edit(r, near, true);
        if !matches!(edit, Edit::Raise(_)) {
            break edit;
        }
    }
}

/// The bits of a jet; those of all NaNs are the same.
fn bits(jet: Jet<2>) -> [u32; 6] {
    let Jet { sample: Sample { value, gradient: [x, z] }, hessian: [[xx, xz], [_, zz]] } = jet;
    [value, x, z, xx, xz, zz].map(|n| if n.is_nan() { u32::MAX } else { n.to_bits() })
}

fn all_levels() -> impl Iterator<Item = Level> {
    levels().into_iter().map(|(_, level)| level).chain([Level::fallback()])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn piles_have_the_bits_of_a_plain_loop(
        seed: u64,
        count in 1..70usize,
        size in [1..24usize, 1..9usize],
        is_column: bool,
        far in 0..3usize,
    ) {
        let r = &mut Random::new(seed);
        let base = Node::<2>::noise(7).fbm(6.0).frequency(1.0 / 300.0).amplitude(60.0);
        let base = Arc::new(base.build().unwrap());
        let near = [[0.0, 0.0], [1e6, -3e5], [-1e12, 1e12]][far];
        let log = pile(r, near, count);
        let field = EditedField::new(base.clone(), log.edits());
        let shown = super::shown(&log).into_iter();
        let shown: Vec<_> = shown.map(|edit| (edit.region().unwrap(), edit)).collect();
        let spacing = [0; 2].map(|_| [1.0, -1.0][r.below(2)] * r.magnitude(0.5, 12.0));
        let half = [0, 1].map(|k| 0.5 * spacing[k] * size[k] as f64);
        let middle = [0, 1].map(|k| near[k] + r.within(-60.0, 60.0) - half[k]);
        let size = if is_column { [1, size[0] * size[1]] } else { size };
        let grid = Grid { spacing, ..Grid::new(middle, 1.0, size) };
        let points: Vec<_> = grid.points().collect();
        let expected: Vec<_> = points.iter().map(|&p| bits(defined(&base, &shown, p))).collect();
        for level in all_levels() {
            let mut samples = Samples::new().with_level(level);
            let mut values = Samples::values_only().with_level(level);
            let mut jets = Jets::new().with_level(level);
            field.sample_grid(&grid, &mut samples);
            field.sample_grid(&grid, &mut values);
            field.jet_grid(&grid, &mut jets);
            for (i, expected) in expected.iter().enumerate() {
                let jet = bits(jets.get(i));
                prop_assert_eq!(&jet, expected, "jet {} of {:?}, {:?}", i, grid, level);
                let sample = Jet { sample: samples.get(i), hessian: jets.get(i).hessian };
                prop_assert_eq!(&bits(sample), expected, "sample {} of {:?}", i, grid);
                let value = Sample { value: values.values()[i], ..samples.get(i) };
                let value = Jet { sample: value, ..sample };
                prop_assert_eq!(&bits(value), expected, "value {} of {:?}", i, grid);
            }
        }
        let [mut samples, mut values] = [Samples::new(), Samples::values_only()];
        let mut jets = Jets::new();
        field.sample_points(&points, &mut samples);
        field.sample_points(&points, &mut values);
        field.jet_points(&points, &mut jets);
        for (i, (&p, expected)) in points.iter().zip(&expected).enumerate() {
            prop_assert_eq!(&bits(field.jet(p)), expected, "jet at {:?}", p);
            prop_assert_eq!(&bits(jets.get(i)), expected, "jets at {:?}", p);
            let sample = |sample: Sample<2>| bits(Jet { sample, ..jets.get(i) });
            prop_assert_eq!(&sample(field.sample(p)), expected, "sample at {:?}", p);
            prop_assert_eq!(&sample(samples.get(i)), expected, "samples at {:?}", p);
            let value = |value: f32| sample(Sample { value, ..samples.get(i) });
            prop_assert_eq!(&value(field.value(p)), expected, "value at {:?}", p);
            prop_assert_eq!(&value(values.values()[i]), expected, "values at {:?}", p);
        }
    }
}
