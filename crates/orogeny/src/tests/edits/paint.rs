//! Paint against an oracle, and what it leaves as it is.

use super::{oracle, random};
use crate::cover::Painting;
use crate::edits::{Edit, EditLog, EditedField, Paint, State};
use crate::tests::random::Random;
use crate::{Cover, Field, Grid};

/// Each coat covers its part of what is below it: from the top down.
fn expected(log: &EditLog, p: [f64; 2]) -> [f64; Cover::MAX_LAYERS] {
    let (mut weights, mut left) = ([0.0; Cover::MAX_LAYERS], 1.0);
    let changes: Vec<_> = log.changes().collect();
    for change in changes.iter().rev() {
        if let State::Shown(Edit::Paint(paint)) = &change.state {
            let opacity = f64::from(paint.strength) * oracle::weight(&paint.area, p);
            weights[paint.layer as usize] += left * opacity;
            left *= 1.0 - opacity;
        }
    }
    weights
}

#[test]
fn paint_matches_the_oracle_at_points_and_on_grids() {
    let mut painted = 0;
    for (seed, near) in [[0.0; 2], [1e6, -3e5], [-1e12, 1e12]].into_iter().enumerate() {
        let mut r = Random::new(seed as u64);
        let mut log = random::log(&mut r, near, 40, true);
        for i in 0..60 {
            log.add(i % 3, random::paint(&mut r, near)).unwrap();
        }
        let edits = log.edits();
        let grid = Grid::new([near[0] - 120.0, near[1] - 120.0], 3.75, [65, 65]);
        let mut found = Vec::new();
        edits.painting_grid(&grid, &mut found);
        for (p, painting) in grid.points().zip(&found) {
            assert_eq!(edits.painting(p), *painting);
            for (found, exact) in painting.weights.into_iter().zip(expected(&log, p)) {
                assert!((f64::from(found) - exact).abs() < 1e-5, "{found} {exact} at {p:?}");
            }
            painted += usize::from(*painting != Painting::NONE);
        }
    }
    assert!(painted > 1000, "{painted}");
}

#[test]
fn weights_add_up_to_one() {
    let mut r = Random::new(3);
    for _ in 0..1000 {
        let mut painting = Painting::NONE;
        for _ in 0..r.below(20) {
            painting.add(r.below(Cover::MAX_LAYERS), r.within(0.0, 1.0) as f32);
        }
        let layers = 1 + r.below(Cover::MAX_LAYERS);
        let mut cover = [0.0; Cover::MAX_LAYERS];
        cover[r.below(layers)] = 1.0;
        let weights = painting.over(cover, layers);
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{weights:?}");
        assert!(weights[layers..].iter().all(|weight| *weight == 0.0));
    }
}

#[test]
fn heights_do_not_change() {
    let mut r = Random::new(4);
    let mut log = random::log(&mut r, [0.0; 2], 20, true);
    let before = EditedField::new(super::Waves, log.edits());
    for _ in 0..50 {
        log.add(1, random::paint(&mut r, [0.0; 2])).unwrap();
    }
    let after = EditedField::new(super::Waves, log.edits());
    for p in Grid::new([-120.0; 2], 5.0, [49, 49]).points() {
        assert_eq!(format!("{:?}", before.jet(p)), format!("{:?}", after.jet(p)));
    }
    assert_eq!(before.bounds(), after.bounds());
}

#[test]
fn unpainted_ground_has_no_list() {
    let mut log = EditLog::new();
    log.add(1, Paint::default()).unwrap();
    let mut list = vec![Painting::NONE; 3];
    log.edits().painting_grid(&Grid::new([100.0; 2], 1.0, [8, 8]), &mut list);
    assert!(list.is_empty());
    assert_eq!(log.edits().painting([100.0; 2]), Painting::NONE);
}

#[test]
fn layers_have_a_limit() {
    let error = Edit::from(Paint { layer: 16, ..Paint::default() }).check().unwrap_err();
    assert_eq!(error.to_string(), "Paint.layer: 16 is not a layer: must be 0 to 15");
}
