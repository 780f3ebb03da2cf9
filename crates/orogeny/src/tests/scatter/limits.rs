//! Queries of any size end: with an answer or with an error.

use crate::scatter::{Placement, ScatterKind, TooLarge};
use crate::tests::scatter::{kinds, on, on_level_ground, scatter};
use crate::{Field, Node};

const HUGE: [f64; 5] = [1e5, 1e6, 1e9, 1e15, f64::INFINITY];

fn place(placement: &Placement, half: f64) -> Result<usize, TooLarge> {
    let mut found = Vec::new();
    placement.place([[-half; 2], [half; 2]], |_| true, &mut found)?;
    Ok(found.len())
}

/// Before they allocate: some would take terabytes.
#[test]
fn too_large_boxes_are_refused() {
    let meadow = ScatterKind { seed: 1, radius: 2.0, grass: 1.0, ..ScatterKind::default() };
    let fine = ScatterKind { radius: 0.05, ..meadow.clone() };
    for placement in [on_level_ground(&scatter(vec![meadow])), on_level_ground(&scatter(kinds()))] {
        for half in HUGE {
            assert_eq!(place(&placement, half), Err(TooLarge), "{half}");
            let in_box = placement.in_box([-half; 2], [half; 2], |_| true);
            assert_eq!(in_box, Err(TooLarge), "{half}");
            assert_eq!(placement.in_circle([7.0; 2], half, |_| true), Err(TooLarge), "{half}");
            // The nearest one is near.
            assert!(placement.nearest([7.0; 2], half, |_| true).unwrap().is_some());
        }
    }
    assert_eq!(place(&on_level_ground(&scatter(vec![fine])), 500.0), Err(TooLarge));
    assert!(TooLarge.to_string().contains("67108864 places"));
}

/// Where bounds show that nothing grows, boxes may have any size.
#[test]
fn bare_ground_is_passed_over() {
    let kind = |seed| ScatterKind { seed, radius: 2.0, grass: 1.0, ..ScatterKind::default() };
    let none = vec![
        ScatterKind { grass: 0.0, forest: 1.0, rock: 1.0, ..kind(1) },
        ScatterKind { height_min: 200.0, ..kind(2) },
        ScatterKind { height_max: -200.0, ..kind(3) },
        ScatterKind { slope_min: 9.0, slope_max: 20.0, ..kind(4) },
        ScatterKind { temperature_max: -30.0, ..kind(5) },
        ScatterKind { moisture_min: 0.9, ..kind(6) },
        ScatterKind { depth_min: -5.0, depth_max: 5.0, ..kind(7) },
        ScatterKind { edit_max: 20.0, ..kind(8) },
        ScatterKind { density: 0.0, ..kind(9) },
        ScatterKind { coverage: 0.0, ..kind(10) },
    ];
    let noise = Node::<2>::noise(4).fbm(3).frequency(1.0 / 300.0).amplitude(60.0);
    let placement = on(&scatter(none), noise.build().unwrap());
    for half in HUGE {
        assert_eq!(place(&placement, half), Ok(0));
        assert_eq!(placement.in_circle([7.0; 2], half, |_| true), Ok(Vec::new()));
        assert_eq!(placement.nearest([7.0; 2], half, |_| true), Ok(None));
    }
}

/// Ground that bounds cannot tell from suited ground is looked at square by square: once for hours.
#[test]
fn nearly_suited_ground_has_an_end() {
    let noise = Node::<2>::noise(4).fbm(3).frequency(1.0 / 300.0).amplitude(60.0);
    let field = noise.build().unwrap();
    let height_min = 0.3 * field.bounds().max as f32;
    let lone = ScatterKind { radius: 30.0, density: 1e-6, height_min, ..ScatterKind::default() };
    let placement = on(&scatter(vec![ScatterKind { grass: 1.0, ..lone }]), field);
    for half in [1e6, 1e9] {
        assert_eq!(place(&placement, half), Err(TooLarge));
        assert_eq!(placement.in_circle([0.0; 2], half, |_| true), Err(TooLarge));
    }
}

/// What may displace an instance is placed around it. Once it took gigabytes.
#[test]
fn many_wide_kinds_are_too_large() {
    let wide = |seed| ScatterKind { seed, radius: 1000.0, grass: 1.0, ..ScatterKind::default() };
    let [few, many] =
        [1, 12].map(|count| on_level_ground(&scatter((0..count).map(wide).collect())));
    assert!(place(&few, 2000.0).unwrap() > 3);
    assert_eq!(place(&many, 5.0), Err(TooLarge));
}
