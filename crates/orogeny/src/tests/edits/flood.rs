//! Floods against an oracle, and what they leave as it is.

use super::{oracle, random, shown};
use crate::edits::{Area, Disc, Edit, EditLog, EditedField, Flood};
use crate::tests::random::Random;
use crate::{Field, Grid};

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
fn heights_do_not_change() {
    let mut r = Random::new(7);
    let log = floods(&mut r, [0.0; 2]);
    let mut dry = EditLog::new();
    for edit in shown(&log).into_iter().filter(|edit| !matches!(edit, Edit::Flood(_))) {
        dry.add(1, edit).unwrap();
    }
    let [wet, dry] = [&log, &dry].map(|log| EditedField::new(super::Waves, log.edits()));
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
