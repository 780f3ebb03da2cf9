//! Raises of one area that follow each other count as one, at each point by itself.

use super::random;
use crate::edits::{Area, Disc, Edit, EditLog, EditedField, Flatten, Hole, Paint, Raise, State};
use crate::tests::edits::edited;
use crate::tests::random::Random;
use crate::{Field, Grid, Node, Samples, Tree};

/// Adds strokes of two brushes, and now and then another edit.
pub fn add(r: &mut Random, log: &mut EditLog, near: [f64; 2], count: usize) {
    let brush = |x: f64, radius: f64| {
        let center = [near[0] + x, near[1]];
        Area::Disc(Disc { center, radius, falloff: 20.0 })
    };
    let brushes = [brush(-20.0, 30.0), brush(15.0, 12.0)];
    for _ in 0..count {
        let area = brushes[usize::from(r.below(5) == 0)];
        let edit = match r.below(12) {
            0 => random::edit(r, near, true),
            1 => Paint { area, ..Paint::default() }.into(),
            _ => Raise { area, height: r.within(-2.0, 3.0) as f32 }.into(),
        };
        log.add(1, edit).unwrap();
    }
}

fn hills() -> Tree<2> {
    Node::<2>::noise(7).fbm(8.0).frequency(1.0 / 500.0).amplitude(80.0).build().unwrap()
}

/// The height at a point by the definition: edit by edit, with the sums of heights in `f64`.
fn defined(log: &EditLog, mut height: f32, p: [f64; 2]) -> f32 {
    let mut open: Option<(Area, f64)> = None;
    let apply = |height: f32, edit: Edit| {
        EditedField::new(Node::Constant(height).build().unwrap(), edited([edit])).value(p)
    };
    let raise = |(area, sum): (Area, f64)| Edit::from(Raise { area, height: sum as f32 });
    for change in log.changes() {
        let State::Shown(edit) = change.state else { continue };
        let changes = !matches!(
            edit,
            Edit::Hole(_) | Edit::Paint(_) | Edit::Flood(_) | Edit::Clear(_) | Edit::Plant(_)
        );
        match (&mut open, &edit) {
            _ if !edit.region().unwrap().contains(p) => {}
            (Some((area, sum)), Edit::Raise(own)) if *area == own.area => {
                *sum += f64::from(own.height);
            }
            (_, Edit::Raise(own)) => {
                let before = open.replace((own.area, own.height.into()));
                height = before.map_or(height, |before| apply(height, raise(before)));
            }
            _ if changes => {
                let before = open.take();
                height = before.map_or(height, |before| apply(height, raise(before)));
                height = apply(height, edit);
            }
            (_, Edit::Hole(_)) if apply(0.0, edit.clone()).is_nan() => return f32::NAN,
            _ => {}
        }
        if height.is_nan() {
            return height;
        }
    }
    open.map_or(height, |before| apply(height, raise(before)))
}

#[test]
fn heights_have_the_bits_of_the_definition() {
    let base = Node::<2>::Constant(1.25).build().unwrap();
    for seed in 0..12 {
        let mut r = Random::new(seed);
        let mut log = EditLog::new();
        // Smooth edits blend with a base of their own, a constant here as well.
        add(&mut r, &mut log, [0.0; 2], 40 + 20 * seed as usize);
        let field = EditedField::new(&base, log.edits());
        let grid = Grid::new([-63.0, -40.0], 4.5, [33, 20]);
        let mut samples = Samples::values_only();
        field.sample_grid(&grid, &mut samples);
        let smooth = log.changes().any(|c| matches!(c.state.edit(), Some(Edit::Smooth(_))));
        for (i, p) in grid.points().enumerate() {
            let value = field.value(p);
            assert_eq!(samples.values()[i].to_bits(), value.to_bits(), "seed {seed} at {p:?}");
            if !smooth {
                let expected = defined(&log, 1.25, p);
                assert!(
                    value == expected || value.is_nan() && expected.is_nan(),
                    "seed {seed} at {p:?}: {value} {expected}"
                );
            }
        }
    }
}

#[test]
fn equal_strokes_count_as_one_and_other_edits_separate_them_where_they_are() {
    let disc = |x: f64| Area::Disc(Disc { center: [x, 0.0], radius: 10.0, falloff: 5.0 });
    let raise = |height: f32| Edit::from(Raise { area: disc(0.0), height });
    let ground = |edits: &[Edit]| EditedField::new(hills(), edited(edits.iter().cloned()));
    let one = ground(&[raise(0.1f32 + 0.2 + 0.7)]);
    let three = ground(&[raise(0.1), raise(0.2), raise(0.7)]);
    let pad = Edit::from(Flatten { area: disc(12.0), height: 9.0, ..Flatten::default() });
    let parted = ground(&[raise(0.1), raise(0.2), pad.clone(), raise(0.7)]);
    let hole = Edit::from(Hole { area: disc(12.0) });
    let holed = ground(&[raise(0.1), hole, raise(0.2), raise(0.7)]);
    for i in 0..200 {
        let p = [0.15 * f64::from(i) - 15.0, 0.04 * f64::from(i)];
        let value = one.value(p);
        assert_eq!(three.jet(p), one.jet(p));
        // Beside the pad and around the hole they still count as one.
        if !pad.region().unwrap().contains(p) {
            assert_eq!(parted.value(p), value);
        }
        assert!(holed.value(p).is_nan() || holed.value(p) == value);
    }
}

/// Once a chunk under them took 1,250 times as long as without.
#[test]
fn five_thousand_strokes_are_few_steps() {
    let hills = hills();
    let area = Area::Disc(Disc { center: [30.0; 2], radius: 20.0, falloff: 20.0 });
    let mut log = EditLog::new();
    for i in 0..5000 {
        log.add(i % 3, Raise { area, height: 0.01 }).unwrap();
    }
    let mut steps = 0;
    log.edits().each_at([30.0; 2], |_| steps += 1);
    // One for each block of the index.
    assert!(steps < 250, "{steps}");
    let field = EditedField::new(&hills, log.edits());
    let raised = field.value([30.0; 2]) - hills.value([30.0; 2]);
    assert!((raised - 50.0).abs() < 1e-3, "{raised}");
}
