//! Paths over land with rivers and woods.

use bevy_orogeny::orogeny::Region;
use bevy_orogeny_navigation::{NavigationError, NavigationTiles};

use crate::support::{agent, check, ground, river, walk};

/// Paths of ten seeds, checked against the exact field, its water and its trunks at points that are
/// 0.2 m apart. Takes long because it builds 2,000 tiles.
#[test]
fn paths_touch_neither_trunks_nor_deep_water_nor_steep_slopes() {
    let agent = agent();
    let (mut found, mut points) = (0, 0);
    for seed in 1..=10 {
        let ground = ground(seed);
        let middle = river(&ground, [0.0; 2]).ends[0];
        let mut tiles = NavigationTiles::new(agent).unwrap();
        tiles.build(&ground, Region::around(middle, [100.0; 2]));
        let (mut straight, mut here) = (0.0, 0);
        for k in 0..24 {
            let (sin, cos) = (f64::from(k) * 0.7).sin_cos();
            let from = [middle[0] + 90.0 * cos, middle[1] + 90.0 * sin];
            let to = [middle[0] - 80.0 * sin, middle[1] + 85.0 * cos];
            match tiles.path(from, to) {
                Ok(path) => {
                    let met = check(&ground, &agent, &path);
                    (found, points, here) = (found + 1, points + met.points, here + 1);
                    let [a, b] = [path.corners()[0], *path.corners().last().unwrap()];
                    straight += path.length() / (a[0] - b[0]).hypot(a[1] - b[1]).max(1.0);
                }
                Err(NavigationError::NoPath { .. })
                | Err(NavigationError::StartOffMesh { .. })
                | Err(NavigationError::GoalOffMesh { .. }) => {}
                Err(other) => panic!("{other}"),
            }
        }
        println!("seed {seed}: {here} paths, {:.2} times the straight way", straight / f64::from(here));
    }
    assert!(found > 100, "{found}");
    println!("{found} paths, {points} points");
}

/// The check is worth something: straight lines do touch all of these.
#[test]
fn straight_lines_touch_what_paths_avoid() {
    let agent = agent();
    let mut seen = [0; 3];
    for seed in 1..=10 {
        let ground = ground(seed);
        let middle = river(&ground, [0.0; 2]).ends[0];
        let tiles = NavigationTiles::new(agent).unwrap();
        assert!(tiles.path(middle, middle).is_err());
        let line = bevy_orogeny_navigation::NavigationPath::straight(
            [middle[0] - 90.0, middle[1]],
            [middle[0] + 90.0, middle[1] + 10.0],
        );
        let met = walk(&ground, &agent, &line);
        seen[0] += usize::from(met.slope > agent.slope_limit);
        seen[1] += usize::from(met.depth > agent.wade_depth);
        seen[2] += usize::from(met.gap < 0.0);
    }
    println!("{seen:?}");
    assert!(seen.iter().all(|seen| *seen >= 5), "{seen:?}");
}
