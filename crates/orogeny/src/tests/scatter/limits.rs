//! Queries of any size end: with an answer or with an error.

use crate::limits::{Limit, SCATTER_PLACES, SCATTER_PLACES_TOGETHER};
use crate::scatter::{Placement, ScatterKind};
use crate::tests::scatter::{kinds, on, on_level_ground, scatter, square};
use crate::{Field, Node};

const HUGE: [f64; 4] = [1e5, 1e6, 1e9, 9e14];

/// The number of instances in a square around the origin, or the limit that it exceeds.
fn count(placement: &Placement, half: f64) -> Result<usize, Limit> {
    let mut count = 0;
    let done = placement.each_in_region(square(-half, half), 0.0..1.0, |_| true, |_| count += 1);
    done.map(|()| count).map_err(|error| error.limit)
}

fn count_in_circle(placement: &Placement, radius: f64) -> Result<usize, Limit> {
    let found = placement.in_circle([7.0; 2], radius, |_| true);
    found.map(|found| found.len()).map_err(|error| error.limit)
}

/// Before they allocate: some would take terabytes.
#[test]
fn too_large_regions_are_refused() {
    let meadow = ScatterKind { seed: 1, radius: 2.0, grass: 1.0, ..ScatterKind::default() };
    let fine = ScatterKind { radius: 0.05, ..meadow.clone() };
    for placement in [on_level_ground(&scatter(vec![meadow])), on_level_ground(&scatter(kinds()))] {
        for half in HUGE {
            assert_eq!(count(&placement, half), Err(SCATTER_PLACES), "{half}");
            assert_eq!(count_in_circle(&placement, half), Err(SCATTER_PLACES), "{half}");
            // The nearest one is near.
            assert!(placement.nearest([7.0; 2], half, |_| true).unwrap().is_some());
        }
    }
    let fine = on_level_ground(&scatter(vec![fine]));
    assert_eq!(count(&fine, 500.0), Err(SCATTER_PLACES));
    let error = fine.in_region(square(-500.0, 500.0), |_| true).unwrap_err().to_string();
    let expected = "the number of places counted so far is 6.";
    assert!(error.starts_with(expected) && error.ends_with("between 0 and 6.7108864e7"), "{error}");
}

/// Where bounds show that nothing grows, regions may have any size.
#[test]
fn bare_ground_is_passed_over() {
    let kind = |seed| ScatterKind { seed, radius: 2.0, grass: 1.0, ..ScatterKind::default() };
    let none = vec![
        ScatterKind { grass: 0.0, forest: 1.0, rock: 1.0, ..kind(1) },
        ScatterKind { height: ScatterKind::HEIGHT.above(200.0), ..kind(2) },
        ScatterKind { height: ScatterKind::HEIGHT.below(-200.0), ..kind(3) },
        ScatterKind { slope: ScatterKind::SLOPE.above(9.0).below(20.0), ..kind(4) },
        ScatterKind { temperature: ScatterKind::TEMPERATURE.below(-30.0), ..kind(5) },
        ScatterKind { moisture: ScatterKind::MOISTURE.above(0.9), ..kind(6) },
        ScatterKind { depth: ScatterKind::DEPTH.above(-5.0).below(5.0), ..kind(7) },
        ScatterKind { edit: ScatterKind::EDIT.below(20.0), ..kind(8) },
        ScatterKind { density: 0.0, ..kind(9) },
        ScatterKind { coverage: 0.0, ..kind(10) },
    ];
    let noise = Node::<2>::noise(4).fbm(3).frequency(1.0 / 300.0).amplitude(60.0);
    let placement = on(&scatter(none), noise.build().unwrap());
    for half in HUGE {
        assert_eq!(count(&placement, half), Ok(0));
        assert_eq!(count_in_circle(&placement, half), Ok(0));
        assert_eq!(placement.nearest([7.0; 2], half, |_| true), Ok(None));
    }
}

/// Ground that bounds cannot tell from suited ground is looked at square by square: once for hours.
#[test]
fn nearly_suited_ground_has_an_end() {
    let noise = Node::<2>::noise(4).fbm(3).frequency(1.0 / 300.0).amplitude(60.0);
    let field = noise.build().unwrap();
    let height = ScatterKind::HEIGHT.above(0.3 * field.bounds().max as f32);
    let lone = ScatterKind { radius: 30.0, density: 1e-6, height, ..ScatterKind::default() };
    let placement = on(&scatter(vec![ScatterKind { grass: 1.0, ..lone }]), field);
    for half in [1e6, 1e9] {
        assert_eq!(count(&placement, half), Err(SCATTER_PLACES));
        assert_eq!(count_in_circle(&placement, half), Err(SCATTER_PLACES));
    }
}

/// What may displace an instance is placed around it. Once it took gigabytes.
#[test]
fn many_wide_kinds_are_too_large() {
    let wide = |seed| ScatterKind { seed, radius: 1000.0, grass: 1.0, ..ScatterKind::default() };
    let [few, many] =
        [1, 12].map(|count| on_level_ground(&scatter((0..count).map(wide).collect())));
    assert!(count(&few, 2000.0).unwrap() > 3);
    assert_eq!(count(&many, 5.0), Err(SCATTER_PLACES_TOGETHER));
}
