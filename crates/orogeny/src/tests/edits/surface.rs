//! Paint and floods against an oracle, and what they leave as it is.

use crate::cover::Painting;
use crate::edits::{Area, Disc, Edit, EditLog, EditedField, Flood, Paint, State};
use crate::tests::edits::oracle::{self, Waves};
use crate::tests::edits::{edited, random, shown};
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
fn paint_changes_no_heights() {
    let mut r = Random::new(4);
    let mut log = random::log(&mut r, [0.0; 2], 20, true);
    let before = EditedField::new(Waves, log.edits());
    for _ in 0..50 {
        log.add(1, random::paint(&mut r, [0.0; 2])).unwrap();
    }
    let after = EditedField::new(Waves, log.edits());
    for p in Grid::new([-120.0; 2], 5.0, [49, 49]).points() {
        assert_eq!(format!("{:?}", before.jet(p)), format!("{:?}", after.jet(p)));
    }
    assert_eq!(before.bounds(), after.bounds());
}

#[test]
fn unpainted_ground_has_no_list() {
    let edits = edited([Paint::default()]);
    let mut list = vec![Painting::NONE; 3];
    edits.painting_grid(&Grid::new([100.0; 2], 1.0, [8, 8]), &mut list);
    assert!(list.is_empty());
    assert_eq!(edits.painting([100.0; 2]), Painting::NONE);
}

#[test]
fn layers_have_a_limit() {
    let error = Edit::from(Paint { layer: 16, ..Paint::default() }).check().unwrap_err();
    assert_eq!(error.to_string(), "Paint.layer: 16 is not a layer: must be 0 to 15");
}

fn floods(r: &mut Random, near: [f64; 2]) -> EditLog {
    let mut log = random::log(r, near, 60, true);
    for _ in 0..20 {
        let center = near.map(|x| x + r.within(-100.0, 100.0));
        let area = Area::Disc(Disc { center, radius: r.magnitude(1.0, 60.0), falloff: 5.0 });
        log.add(2, Flood { area, level: r.within(-9.0, 9.0) as f32 }).unwrap();
    }
    log
}

#[test]
fn the_latest_flood_counts_at_points_and_on_grids() {
    let mut counts = [0; 2];
    for (seed, near) in [[0.0; 2], [1e6, -3e5], [-1e12, 1e12]].into_iter().enumerate() {
        let log = floods(&mut Random::new(seed as u64), near);
        let edits = shown(&log);
        let grid = Grid::new([near[0] - 120.0, near[1] - 120.0], 3.75, [65, 65]);
        let mut found = Vec::new();
        log.edits().flooding_grid(&grid, &mut found);
        for (p, flooding) in grid.points().zip(&found) {
            assert_eq!(log.edits().flooding(p), *flooding);
            let mut latest = edits.iter().rev().filter_map(|edit| match edit {
                Edit::Flood(flood) if oracle::weight(&flood.area, p) == 1.0 => Some(flood.level),
                _ => None,
            });
            assert_eq!(flooding.map(|flooding| flooding.level as f32), latest.next(), "{p:?}");
            counts[usize::from(flooding.is_some())] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}

#[test]
fn floods_change_no_heights() {
    let mut r = Random::new(7);
    let log = floods(&mut r, [0.0; 2]);
    let mut dry = EditLog::new();
    for edit in shown(&log).into_iter().filter(|edit| !matches!(edit, Edit::Flood(_))) {
        dry.add(1, edit).unwrap();
    }
    let [wet, dry] = [&log, &dry].map(|log| EditedField::new(Waves, log.edits()));
    for p in Grid::new([-120.0; 2], 5.0, [49, 49]).points() {
        assert_eq!(format!("{:?}", wet.jet(p)), format!("{:?}", dry.jet(p)));
    }
    assert_eq!(format!("{:?}", wet.bounds()), format!("{:?}", dry.bounds()));
}

#[test]
fn levels_have_a_limit() {
    let error = Edit::from(Flood { level: f32::NAN, ..Flood::default() }).check().unwrap_err();
    assert!(error.to_string().starts_with("Flood.level"), "{error}");
}

/// A flood is a part of the sea while it is not above it; what is between two seas changes.
#[test]
fn floods_join_the_sea() {
    let mut log = EditLog::new();
    let levels = [-3.0, 0.0, 0.0005, 0.5, 7.0];
    for (i, level) in levels.into_iter().enumerate() {
        let disc = Disc { center: [100.0 * i as f64, 0.0], radius: 9.0, falloff: 1.0 };
        log.add(1, Flood { area: Area::Disc(disc), level }).unwrap();
    }
    let edits = log.edits();
    let joined = |sea: f64| {
        let places = (0..levels.len()).map(|i| [100.0 * i as f64, 0.0]);
        places.filter(|&p| edits.flooding(p).unwrap().joins(sea)).count()
    };
    let seas = [-9.0, -3.0, 0.0, 0.4, 6.0, 7.0];
    assert_eq!(seas.map(joined), [0, 1, 3, 3, 4, 5]);
    let between = |old, new| {
        let mut centers: Vec<f64> = edits
            .floods_between([old, new])
            .iter()
            .map(|region| 0.5 * (region.min[0] + region.max[0]))
            .collect();
        centers.sort_by(f64::total_cmp);
        centers
    };
    assert_eq!(between(Some(0.0), Some(6.0)), [300.0]);
    assert_eq!(between(Some(7.0), Some(-1.0)), [100.0, 200.0, 300.0, 400.0]);
    assert_eq!(between(None, Some(0.0)), [0.0, 100.0, 200.0]);
    assert_eq!(between(Some(0.1), Some(0.2)), [0.0; 0]);
    assert_eq!(between(None, None), [0.0; 0]);
}
