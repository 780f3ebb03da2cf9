//! Paths over land with rivers and woods.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::Region;
use bevy_orogeny_navigation::{NavigationError, NavigationPath, NavigationTiles};

use crate::support::{agent, check, ground, river, walk};

/// The ground of a seed, and the middle of the square in which paths are searched: beside the
/// largest river, where enough of the ground is dry and not too steep.
fn place(seed: u32) -> (GroundQuery, [f64; 2]) {
    let ground = ground(seed);
    let river = river(&ground, [0.0; 2]);
    let ([x, z], [dx, dz]) = (river.ends[0], river.directions[0]);
    let flat = agent().slope_limit.tan();
    let is_good = |point: &[f64; 2]| {
        let [x, z] = ground.field(*point).unwrap().gradient.map(f64::from);
        x.hypot(z) < flat && ground.water(*point).unwrap().is_none()
    };
    let middle = |[i, j]: [i32; 2]| {
        let [across, along] = [i, j].map(|k| 40.0 * f64::from(k));
        [x - across * dz + along * dx, z + across * dx + along * dz]
    };
    let count = |at: [i32; 2]| points(middle(at)).take(60).filter(is_good).count().min(35);
    let all = (-16..=16).flat_map(|j| (-16..=16).map(move |i| [i, j]));
    let best = all.max_by_key(|&[i, j]| (count([i, j]), -i * i - j * j));
    let middle = middle(best.expect("some"));
    (ground, middle)
}

/// Points of a square, 2 by 70 m wide, by additive recurrence.
fn points(middle: [f64; 2]) -> impl Iterator<Item = [f64; 2]> {
    let part = |i: u32, step: f64| (f64::from(i) * step).fract();
    (1..).map(move |i| {
        let parts = [part(i, 0.754_877_666), part(i, 0.569_840_290)];
        [0, 1].map(|k| middle[k] + 140.0 * (parts[k] - 0.5))
    })
}

/// Paths of ten seeds, checked against the exact field, its water and its trunks at points that are
/// 0.2 m apart. Takes half a minute, because it builds a thousand tiles.
#[test]
fn paths_touch_neither_trunks_nor_deep_water_nor_steep_slopes() {
    let agent = agent();
    let (mut found, mut detours, mut points_checked) = (0, 0, 0);
    for seed in 1..=10 {
        let (ground, middle) = place(seed);
        let mut tiles = NavigationTiles::new(agent).unwrap();
        tiles.build(&ground, Region::around(middle, [72.0; 2]));
        let stands: Vec<_> =
            points(middle).take(400).filter(|point| tiles.contains(*point)).take(40).collect();
        let mut here = 0;
        for pair in stands.windows(2) {
            match tiles.path(pair[0], pair[1]) {
                Ok(path) => {
                    points_checked += check(&ground, &agent, &path).points;
                    here += 1;
                    let ends = [path.corners()[0], *path.corners().last().unwrap()];
                    assert_eq!(ends, [pair[0], pair[1]]);
                    let straight = NavigationPath::straight(pair[0], pair[1]).length();
                    assert!(path.length() > straight * (1.0 - 1e-9));
                    detours += usize::from(path.length() > 1.02 * straight);
                }
                Err(NavigationError::NoPath { nearest, .. }) => {
                    assert!(tiles.path(pair[0], nearest).is_ok());
                }
                Err(other) => panic!("{other}"),
            }
        }
        println!("seed {seed}: {here} paths between {} points", stands.len());
        assert!(here > 3, "seed {seed}");
        found += here;
    }
    println!("{found} paths, {detours} of them detours, {points_checked} points");
    assert!(found > 100 && detours > 20 && points_checked > 20_000);
}

/// The check is worth something: straight lines do touch all of these.
#[test]
fn straight_lines_touch_what_paths_avoid() {
    let agent = agent();
    let mut touched = [0; 3];
    for seed in 1..=10 {
        let (ground, middle) = place(seed);
        let ends: Vec<_> = points(middle).take(2).collect();
        let met = walk(&ground, &agent, &NavigationPath::straight(ends[0], ends[1]));
        touched[0] += usize::from(met.slope > agent.slope_limit);
        touched[1] += usize::from(met.depth > agent.wade_depth);
        touched[2] += usize::from(met.gap < 0.0);
    }
    println!("{touched:?} of 10 lines touch slopes, water and trunks");
    assert!(touched.iter().all(|count| *count >= 3), "{touched:?}");
}
