//! Smooth edits: what they blend with, how often that is evaluated, and what is refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Waves, bits, random};
use crate::edits::{Area, Disc, Edit, EditLog, EditedField, Flatten, Smooth};
use crate::tests::edits::edited;
use crate::tests::random::Random;
use crate::{Field, Grid, Jets, Node, Sample, Samples, SharedField, Tree};

fn disc(center: [f64; 2], radius: f64) -> Area {
    Area::Disc(Disc { center, radius, falloff: 10.0 })
}

fn hills() -> Tree<2> {
    let hills = Node::<2>::noise(7).fbm(10.0).frequency(1.0 / 512.0).amplitude(80.0);
    hills.build().unwrap()
}

#[test]
fn the_core_has_the_bits_of_the_smoothed_base() {
    let base = hills();
    let area = disc([300.0, -200.0], 40.0);
    for (wavelength, rounded) in [(64.0, 64.0), (90.0, 64.0), (91.0, 128.0), (3e4, 32768.0)] {
        let smooth = Smooth { area, wavelength, strength: 1.0 };
        let field = EditedField::new(&base, edited([smooth]));
        let coarse = base.smoothed(rounded).unwrap();
        let mut r = Random::new(3);
        for _ in 0..200 {
            let p = [300.0 + r.within(-25.0, 25.0), -200.0 + r.within(-25.0, 25.0)];
            assert_eq!(field.jet(p), coarse.jet(p), "{wavelength} at {p:?}");
        }
    }
    let half = Smooth { area, wavelength: 4.0, strength: 0.5 };
    let field = EditedField::new(&base, edited([half]));
    let p = [310.0, -190.0];
    let mean = 0.5 * (base.sample(p).value + base.smoothed(4.0).unwrap().sample(p).value);
    assert!((field.value(p) - mean).abs() < 1e-5);
}

#[test]
fn edits_count_in_their_order() {
    let area = disc([0.0; 2], 20.0);
    let flat = Edit::from(Flatten { area, height: 100.0, ..Flatten::default() });
    let smooth = Edit::from(Smooth { area, wavelength: 128.0, strength: 1.0 });
    let at = |edits: [&Edit; 2]| {
        EditedField::new(Waves, edited(edits.map(Edit::clone))).value([3.0, 4.0])
    };
    assert_eq!(at([&smooth, &flat]), 100.0);
    let smoothed = Waves::smoothed_height(128.0, [3.0, 4.0]);
    assert!((f64::from(at([&flat, &smooth])) - smoothed).abs() < 1e-5);
}

#[test]
fn a_base_without_a_smoothed_form_is_left_as_it_is() {
    struct Ramp;
    impl Field<2> for Ramp {
        fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
            Sample { value: x as f32, gradient: [1.0, 0.0] }
        }
    }
    let field = EditedField::new(Ramp, edited([Smooth::default()]));
    for p in [[0.0, 0.0], [3.7, 1.0], [13.0, 5.0]] {
        assert_eq!(bits(field.sample(p)), bits(Ramp.sample(p)));
    }
    assert_eq!(field.local_bounds([1.0, 1.0], 3.0), Ramp.local_bounds([1.0, 1.0], 3.0));
    let (mut edited, mut plain) = (Samples::new(), Samples::new());
    let grid = Grid::new([-20.0; 2], 1.0, [41, 41]);
    field.sample_grid(&grid, &mut edited);
    Ramp.sample_grid(&grid, &mut plain);
    assert!(edited.iter().eq(plain.iter()));
}

/// Waves that count the positions at which their smoothed form is evaluated.
#[derive(Clone, Default)]
struct Counted {
    wavelength: f64,
    calls: Arc<AtomicUsize>,
    positions: Arc<AtomicUsize>,
    built: Arc<AtomicUsize>,
}

impl Field<2> for Counted {
    fn sample(&self, p: [f64; 2]) -> Sample<2> {
        if self.wavelength > 0.0 {
            self.positions.fetch_add(1, Ordering::Relaxed);
        }
        Sample { value: Waves::smoothed_height(self.wavelength, p) as f32, gradient: [0.0; 2] }
    }

    fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
        if self.wavelength > 0.0 {
            self.calls.fetch_add(1, Ordering::Relaxed);
        }
        out.write(grid.points().map(|p| self.sample(p)));
    }

    fn smoothed(&self, wavelength: f64) -> Option<SharedField<2>> {
        self.built.fetch_add(1, Ordering::Relaxed);
        Some(Arc::new(Self { wavelength, ..self.clone() }))
    }
}

#[test]
fn smoothed_bases_are_evaluated_where_needed_and_once() {
    let base = Counted::default();
    let counts = || [&base.calls, &base.positions].map(|count| count.swap(0, Ordering::Relaxed));
    // Thirty overlapping edits with two wavelengths in turn, and one elsewhere with a third.
    let stroke = (0..30).map(|i| {
        let area = disc([f64::from(i) / 10.0, 0.0], 5.0);
        Smooth { area, wavelength: [32.0, 256.0][i as usize % 2], strength: 0.5 }
    });
    let area = disc([1000.0, 0.0], 5.0);
    let other = Smooth { area, wavelength: 2.0, strength: 1.0 };
    let field = EditedField::new(base.clone(), edited(stroke.chain([other])));
    field.sample([1.0, 1.0]);
    assert_eq!(counts(), [0, 2]);
    field.value([500.0, 1.0]);
    assert_eq!(counts(), [0, 0]);
    // The region of the stroke is 33 m wide and 30 m high.
    let mut out = Samples::new();
    field.sample_grid(&Grid::new([-50.0; 2], 1.0, [101, 101]), &mut out);
    let [calls, positions] = counts();
    assert!(calls == 2 && (1800..=2200).contains(&positions), "{calls} {positions}");
    field.sample_grid(&Grid::new([100.0; 2], 1.0, [101, 101]), &mut out);
    assert_eq!(counts(), [0, 0]);
}

#[test]
fn changes_of_a_log_build_new_wavelengths_only() {
    let base = Counted::default();
    let edit = |wavelength| Smooth { wavelength, ..Smooth::default() };
    let mut log = EditLog::new();
    log.add(1, edit(32.0)).unwrap();
    let first = EditedField::new(base.clone(), log.edits());
    assert_eq!(base.built.load(Ordering::Relaxed), 1);
    log.add(1, edit(32.0)).unwrap();
    let second = first.with_edits(log.edits());
    assert_eq!(base.built.load(Ordering::Relaxed), 1);
    log.add(1, edit(64.0)).unwrap();
    let third = second.with_edits(log.edits());
    assert_eq!(base.built.load(Ordering::Relaxed), 2);
    let new = EditedField::new(base.clone(), log.edits());
    for p in [[0.0, 0.0], [3.5, -1.0], [99.0, 4.0]] {
        assert_eq!(third.sample(p), new.sample(p));
    }
}

/// The bits of a grid do not depend on how much of it an edit touches, or on other edits' parts.
#[test]
fn parts_of_grids_have_the_bits_of_points() {
    let base = hills();
    for seed in 0..12 {
        let mut r = Random::new(seed);
        let edits = (0..20).map(|_| {
            loop {
                if let edit @ (Edit::Smooth(_) | Edit::Raise(_)) =
                    random::edit(&mut r, [0.0; 2], false)
                {
                    break edit;
                }
            }
        });
        let field = EditedField::new(&base, edited(edits.collect::<Vec<_>>()));
        let step = r.within(0.7, 9.0);
        let origin = [r.within(-160.0, 0.0), r.within(-160.0, 0.0)];
        let grid = Grid { spacing: [step, -step], ..Grid::new(origin, step, [47, 31]) };
        let (mut out, mut values, mut jets) = (Samples::new(), Samples::values_only(), Jets::new());
        for grid in [grid, Grid { spacing: [step, step], ..grid }, grid.part([3, 5], [1, 9])] {
            field.sample_grid(&grid, &mut out);
            field.sample_grid(&grid, &mut values);
            field.jet_grid(&grid, &mut jets);
            for (i, p) in grid.points().enumerate() {
                assert_eq!(bits(out.get(i)), bits(field.sample(p)), "seed {seed} at {p:?}");
                assert_eq!(values.values()[i].to_bits(), field.value(p).to_bits());
                assert_eq!(jets.get(i), field.jet(p));
            }
        }
    }
}

/// A band limit leaves values as they are, and filters the slopes of both bases alike.
#[test]
fn band_limits_keep_values() {
    let base = hills();
    let area = disc([0.0; 2], 30.0);
    let smooth = Smooth { area, wavelength: 16.0, strength: 1.0 };
    let field = EditedField::new(&base, edited([smooth]));
    for spacing in [0.0, 2.0, 30.0, 1e6] {
        let limited = field.band_limited(spacing).unwrap();
        let coarse = base.smoothed(16.0).unwrap().band_limited(spacing).unwrap();
        for i in 0..60 {
            let p = [f64::from(i) - 15.0, 0.3];
            assert_eq!(limited.value(p).to_bits(), field.value(p).to_bits());
            if i < 40 {
                // Filtered slopes of 0 may differ in their sign.
                assert_eq!(limited.sample(p), coarse.sample(p));
            }
        }
    }
}

/// An edited field is smoothed below its edits.
#[test]
fn edited_fields_can_be_smoothed() {
    let area = disc([0.0; 2], 30.0);
    let below = EditedField::new(Waves, edited([Flatten { area, ..Flatten::default() }]));
    let smoothed = below.smoothed(128.0).unwrap();
    assert_eq!(smoothed.value([1.0, 2.0]), 0.0);
    let far = [200.0, 90.0];
    assert!((f64::from(smoothed.value(far)) - Waves::smoothed_height(128.0, far)).abs() < 1e-5);
}

#[test]
fn what_is_refused() {
    let error = |smooth: Smooth| Edit::from(smooth).check().unwrap_err();
    for wavelength in [0.5, 4e4, f64::NAN, f64::INFINITY] {
        assert_eq!(error(Smooth { wavelength, ..Smooth::default() }).path, "Smooth.wavelength");
    }
    for strength in [-0.1, 1.1, f32::NAN] {
        assert_eq!(error(Smooth { strength, ..Smooth::default() }).path, "Smooth.strength");
    }
    let area = disc([f64::NAN, 0.0], 1.0);
    let found = error(Smooth { area, ..Smooth::default() });
    assert_eq!(found.path, "Smooth.area.Disc.center[0]");
}
